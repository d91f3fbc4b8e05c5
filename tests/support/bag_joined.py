"""Bags that several recordings were joined to: connections of different topics
and types have one number.

    joined(dice) -> Joined: .raw, never closed, and .messages, each as
    (topic, type, md5sum, nanoseconds, payload)
    misnumbered(dice) -> one recording, in which a declaration has the number of
    another connection
"""

import struct
from collections import Counter
from typing import NamedTuple

import bag_writer as w

TYPES = {"demo/Text": "string data\n", "demo/Twist": "float64[6] v\n",
         "demo/Tick": "", "demo/Pair": "float64[2] v\n",
         "demo/Count": "uint32 n\n"}
TOPICS = ("/a", "/b", "/left", "/right")
SORTS = (("none",), ("none",), ("lz4",), ("bz2",), ("none", "lz4"),
         ("bz2", "none"))
START = 1700000000


class Joined(NamedTuple):
    """A bag, and what was recorded."""
    raw: bytes
    messages: Counter


def payload(dice, kind):
    """Of a message of that type."""
    if kind == "demo/Text":
        text = b"text %d" % dice.randrange(10 ** dice.randrange(1, 9))
        return struct.pack("<I", len(text)) + text
    return {"demo/Tick": b"", "demo/Count": w.u32(dice.randrange(1 << 20))}.get(
        kind, struct.pack("<%dd" % {"demo/Twist": 6, "demo/Pair": 2}.get(
            kind, 0), *(dice.random() for _ in range(
                {"demo/Twist": 6, "demo/Pair": 2}.get(kind, 0)))))


def session(dice, start):
    """What one recorder recorded: its connections and messages."""
    pairs = [(topic, kind) for topic in TOPICS for kind in TYPES]
    conns = [w.Connection(i, topic, kind, TYPES[kind], "/node")
             for i, (topic, kind) in enumerate(dice.sample(
                 pairs, dice.randint(1, 4)))]
    out, now = [], start * 10 ** 9
    for _ in range(dice.randint(20, 60)):
        now += dice.randrange(10 ** 6, 10 ** 8)
        c = dice.choice(conns)
        out.append(w.Message(c.id, now // 10 ** 9, now % 10 ** 9,
                             payload(dice, c.type)))
    return conns, out


def chunks_of(conns, messages, shape):
    """The chunks of a recording, with their indexes."""
    out = []
    for number, chunk in enumerate(w.fill_chunks(conns, messages, shape)):
        how = shape.compression[number % len(shape.compression)]
        out.append(w.chunk_record(bytes(chunk.raw), how, shape)
                   + chunk.indexes(shape))
    return b"".join(out)


def listed(conns, messages):
    """The messages, as the real reader gives them."""
    of = {c.id: c for c in conns}
    return Counter((of[m.conn].topic, of[m.conn].type, of[m.conn].md5sum,
                    m.sec * 10 ** 9 + m.nsec, m.payload) for m in messages)


def shape_of(dice, sorts):
    """How a recorder writes."""
    return w.Shape(compression=dice.choice(sorts),
                   threshold=dice.choice([300, 1500, 1 << 20]),
                   order=dice.choice(["cpp", "rospy", "hash"]),
                   repeat=dice.random() < .3)


def head(order="cpp"):
    """The beginning of a bag that was never closed."""
    return w.MAGIC + w.bag_header(0, 0, 0, order)


def joined(dice, sorts=SORTS):
    """Two or three recordings, and at times more of the first one."""
    out, told = bytearray(head()), Counter()
    sessions = [session(dice, START + 1000 * i)
                for i in range(dice.randint(2, 3))]
    if dice.random() < .3:
        conns, _ = sessions[0]
        later = [w.Message(m.conn, m.sec + 9000, m.nsec, m.payload)
                 for m in sessions[0][1]]
        sessions.append((conns, later))
    for conns, messages in sessions:
        out += chunks_of(conns, messages, shape_of(dice, sorts))
        told += listed(conns, messages)
    return Joined(bytes(out), told)


def misnumbered(dice):
    """A recording of which one declaration was hit: it has the number of another
    connection, which was declared before it."""
    while True:
        conns, messages = session(dice, START)
        first = list(dict.fromkeys(m.conn for m in messages))
        if len(first) > 1:
            break
    shape = w.Shape(threshold=1500, order=dice.choice(["cpp", "hash"]))
    raw = head() + chunks_of(conns, messages, shape)
    victim = dice.randrange(1, len(first))
    old = w.connection_record(conns[first[victim]], shape.order)
    new = w.connection_record(
        conns[first[victim]]._replace(id=first[dice.randrange(victim)]),
        shape.order)
    assert raw.count(old) == 1
    return Joined(raw.replace(old, new), listed(conns, messages))

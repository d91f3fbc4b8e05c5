"""Bags to test with, made by bag_writer.py: the same seed, the same bytes.

recording() makes messages like those of a robot: some topics often and
small, some rare and large, values that move slowly and noise on top, and now
and then a message that is older than the one before it in the file.

strange() makes what recorders write as well, and what a search for records
can mistake: pieces of another bag in payloads, messages that are the same byte
for byte, a clock that was set, messages without payload, and many small ones.
"""

import random
import struct

from bag_writer import Connection, Message, Shape, write

# name, how often, bytes of a payload at least and at most, noise in 256
KINDS = (("Imu", 40, 300, 360, 150), ("Odom", 20, 640, 720, 110),
         ("Scan", 14, 2200, 6400, 150), ("Text", 8, 20, 120, 0),
         ("Transform", 12, 80, 160, 120), ("Image", 9, 14000, 26000, 190),
         ("Empty", 6, 0, 0, 0), ("Depth", 4, 2000, 9000, 0))
DEFINITIONS = {"Text": "uint32 seq\ntime stamp\nstring data\n", "Empty": ""}
DEFINITION = "uint32 seq\ntime stamp\nfloat64[9] pose\nuint8[] data\n"
START = 1700000000
WORDS = ("battery low", "goal reached", "arm folded", "stairs ahead",
         "lost track of the dock", "op=\x02", "conn=7")


def payload(dice, kind, seq, when):
    """What one message says."""
    name, _, least, most, noise = kind
    size = dice.randint(least, most)
    if name == "Empty":
        return b""
    if name == "Depth":  # nothing was seen, except for a few rows at times
        rows = dice.randbytes(300) if dice.random() < .3 else b""
        return (struct.pack("<I", seq) + rows).ljust(max(size, 4), b"\0")
    head = struct.pack("<III", seq, when // 10 ** 9, when % 10 ** 9)
    if not noise:
        text = " ".join(dice.choice(WORDS) for _ in range(1 + size // 20))
        return head + struct.pack("<I", len(text)) + text.encode()
    body = bytearray()
    step = dice.randint(1, 3)
    while len(body) < size:
        if dice.randrange(256) < noise:
            body += dice.randbytes(48)
        else:
            body += bytes((len(body) // 8 * step + n) & 255
                          for n in range(0, 48, 8)) * 8
    return head + bytes(body[:size])


def connections(n, seed=0, **more):
    """n publishers; the last one has the topic of the first."""
    out = []
    for i in range(n):
        name = KINDS[i % len(KINDS)][0]
        topic = "/robot%d/%s" % (i // len(KINDS), name.lower())
        if i == n - 1 and n > 2:
            name, topic = KINDS[0][0], out[0].topic
        out.append(Connection(i, topic, "salvor_test/" + name,
                              DEFINITIONS.get(name, DEFINITION),
                              "/node%d" % (i + seed) if i % 3 else None,
                              "01"[i % 5 == 3] if i % 3 else None, **more))
    return out


def recording(n_messages, n_connections, seed=1, scale=1.0):
    """(connections, messages); payloads scaled in size."""
    dice = random.Random(seed)
    conns = connections(n_connections, seed)
    kinds = [(k[0], k[1], max(12, int(k[2] * scale)),
              max(14, int(k[3] * scale)), k[4]) for k in KINDS]
    of = [kinds[[k[0] for k in KINDS].index(c.type.split("/")[1])]
          for c in conns]
    weights = [kind[1] for kind in of]
    # A connection that speaks late, for its record is in a later chunk.
    late = n_connections // 2 if n_connections > 3 else None
    messages, now = [], START * 10 ** 9
    for seq in range(n_messages):
        now += dice.randrange(10 ** 5, 4 * 10 ** 6)
        conn = dice.choices(range(n_connections), weights)[0]
        if conn == late and seq < n_messages // 2:
            conn = 0
        when = now - (dice.randrange(50000) if dice.random() < .01 else 0)
        messages.append(Message(conn, when // 10 ** 9, when % 10 ** 9,
                                payload(dice, of[conn], seq, when)))
    return conns, messages


def bag(n_messages, n_connections, seed=1, scale=1.0, **shape):
    """A whole bag."""
    return write(*recording(n_messages, n_connections, seed, scale),
                 Shape(**shape))


def pieces(n_messages, seed, times):
    """Connections that carry pieces of another bag, and messages that do."""
    dice = random.Random(seed)
    inner = bag(60, 3, seed=seed + 1, scale=.1, compression=("none",))
    conns = [Connection(0, "/carrier", "salvor_test/Carrier", DEFINITION),
             Connection(1, "/small", "salvor_test/Small", DEFINITION),
             Connection(2, "/empty", "salvor_test/Empty", "")]
    messages = []
    for n, when in zip(range(n_messages), times):
        if n % 40 == 7:
            at = dice.randrange(0, max(1, len(inner) - 9000))
            what = 0, inner[at:at + dice.randint(500, 9000)]
        else:
            what = dice.choice((
                (2, b""), (1, b"same"), (1, struct.pack("<I", n)),
                (1, dice.randbytes(dice.randint(0, 40)))))
        messages.append(Message(what[0], when // 10 ** 9, when % 10 ** 9,
                                what[1]))
        # A publisher that repeats itself within a tick of its clock.
        if n % 25 == 3:
            messages.append(messages[-1])
    return conns, messages


def strange_recording(n_messages, seed=1):
    """(connections, messages) with all that."""
    dice = random.Random(seed)
    times, now = [], START * 10 ** 9
    for n in range(n_messages):
        now += dice.randrange(10 ** 5, 4 * 10 ** 6)
        if n == n_messages // 3:
            now += 3600 * 10 ** 9  # the clock is set
        if n == n_messages // 2:
            now -= 1800 * 10 ** 9
        times.append(now - (dice.randrange(10 ** 8)
                            if dice.random() < .05 else 0))
    return pieces(n_messages, seed, times)


def strange(n_messages, seed=1, **shape):
    """A bag of it."""
    return write(*strange_recording(n_messages, seed), Shape(**shape))

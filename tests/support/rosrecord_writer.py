"""Writes ROS 1 bags of version 1.2 in every shape that recorders left, without
ROS.

Shares nothing with salvor: a test must not trust the code under test to make
its input.  write(connections, messages, Shape(...)) gives the bytes of a bag.
"""

import struct
from dataclasses import dataclass

from bag_writer import fields, sized, u32, u64

LINE = b"#ROSRECORD V1.2\n"
HEAD_LEN = 4096  # header and padding of the bag header record
DATA_START = len(LINE) + HEAD_LEN + 8

OP_DEF, OP_MESSAGE, OP_HEADER, OP_INDEX = range(1, 5)


@dataclass
class Shape:
    """How a recorder writes."""
    indexed: bool = True  # with a bag header and an index
    closed: bool = True  # else the header says 0, and there is no index
    order: str = "cpp"  # of header fields: cpp, rospy, hash
    define: str = "topic"  # a definition comes once a topic, or once a "type"
    about: bool = True  # messages say who sent them


def record(pairs, data, order):
    """A record."""
    return sized(fields(pairs, order)) + sized(data)


def message_record(conn, message, shape):
    """A message, which says all about itself."""
    pairs = [("op", bytes([OP_MESSAGE])), ("topic", conn.topic.encode()),
             ("md5", conn.md5sum.encode()), ("type", conn.type.encode()),
             ("sec", u32(message.sec)), ("nsec", u32(message.nsec))]
    if shape.about:
        pairs += [("latching", b"0"), ("callerid", b"/recorder")]
    return record(pairs, message.payload, shape.order)


def definition_record(conn, shape):
    """What the messages of a topic are."""
    return record([("op", bytes([OP_DEF])), ("topic", conn.topic.encode()),
                   ("md5", conn.md5sum.encode()),
                   ("type", conn.type.encode()),
                   ("def", conn.definition.encode())], b"", shape.order)


def header_record(index_pos):
    """The bag header, padded."""
    head = fields([("op", bytes([OP_HEADER])), ("index_pos", u64(index_pos))],
                  "cpp")
    return sized(head) + sized(b" " * (HEAD_LEN - len(head)))


def index_records(entries, order):
    """The index: {topic: [(sec, nsec, offset)]}."""
    out = b""
    for topic in sorted(entries):
        out += record(
            [("op", bytes([OP_INDEX])), ("ver", u32(0)),
             ("topic", topic.encode()), ("count", u32(len(entries[topic])))],
            b"".join(struct.pack("<IIQ", *e) for e in entries[topic]), order)
    return out


def write(connections, messages, shape=Shape()):
    """The bytes of a bag."""
    by_id = {c.id: c for c in connections}
    out = bytearray(LINE)
    entries, defined = {}, set()
    if shape.indexed:
        out += header_record(0)
    for message in messages:
        conn, at = by_id[message.conn], len(out)
        key = conn.type if shape.define == "type" else conn.topic
        if key not in defined:
            defined.add(key)
            out += definition_record(conn, shape)
        out += message_record(conn, message, shape)
        entries.setdefault(conn.topic, []).append(
            (message.sec, message.nsec, at))
    if shape.indexed and shape.closed:
        out[len(LINE):DATA_START] = header_record(len(out))
        out += index_records(entries, shape.order)
    return bytes(out)

"""rosrecord_hostile.py - ROS 1 bags of version 1.2 that are crowds of things each of
which might ask about all others.
"""
from bag_writer import Connection, Message, u32
from rosrecord_writer import (LINE, Shape, definition_record, header_record,
                              message_record)

SHAPE = Shape(closed=False)


def unclosed(raw):
    """A bag that its recorder never closed."""
    return LINE + header_record(0) + raw


def topic(n):
    """One of many topics."""
    return Connection(n, "/t%d" % n, "t/T", "uint8[] data\n")


def message(conn, n):
    """A message of the topic, at one of many times."""
    return message_record(conn, Message(conn.id, 1700000000, n, b"x" * 8),
                          SHAPE)


def equal_between(n):
    """Equal messages, other bytes after each 40."""
    c = topic(0)
    return unclosed(definition_record(c, SHAPE) + b"".join(
        message(c, 0) * 40 + b"\xff" + u32(i) for i in range(n)))


def torn_between(n):
    """Equal messages, and after each 100 the beginning of another one."""
    c = topic(0)
    return unclosed(definition_record(c, SHAPE)
                    + (message(c, 0) * 100 + message(c, 1)[:-1]) * n)


def doubled(n):
    """Messages of which each 100 are there twice, after the beginning of the
    next."""
    c, out = topic(0), b""
    for i in range(0, 100 * n, 100):
        row = b"".join(message(c, i + k) for k in range(100))
        out += row + message(c, i + 100)[:-20] + row
    return unclosed(definition_record(c, SHAPE) + out)


def junk_between(n):
    """Messages with something else after each."""
    c = topic(0)
    return unclosed(definition_record(c, SHAPE)
                    + b"".join(message(c, i) + b"\xff" for i in range(n)))


def many_topics(n):
    """As many topics as messages."""
    return unclosed(b"".join(definition_record(topic(i), SHAPE)
                             + message(topic(i), i) for i in range(n)))


def undefined(n):
    """The same, and nothing defines their types."""
    return unclosed(b"".join(message(topic(i), i) for i in range(n)))


CROWDS = ((equal_between, 30), (torn_between, 40), (doubled, 20),
          (junk_between, 1000), (many_topics, 2000),
          (undefined, 12000))

#!/usr/bin/python3
"""Reads ROS 1 bags of version 1.2 strictly, without ROS.

    rosrecord_reader.py BAG...    one line a bag: OK or BAD, and why

read(raw) takes a bag apart, or raises Bad for anything that a reader of such
bags would stumble over.
"""

import struct
import sys
from typing import NamedTuple

from rosrecord_writer import DATA_START, HEAD_LEN, LINE

OP_DEF, OP_MESSAGE, OP_HEADER, OP_INDEX = range(1, 5)


class Bad(Exception):
    """What a bag has wrong."""


class Message(NamedTuple):
    """One message and where its record is."""
    at: int
    end: int
    topic: str
    type: str
    md5sum: str
    sec: int
    nsec: int
    payload: bytes


class Definition(NamedTuple):
    """What a topic's messages are."""
    at: int
    end: int
    topic: str
    type: str
    md5sum: str
    text: str


class Bag(NamedTuple):
    """A bag."""
    raw: bytes
    indexed: bool
    messages: list
    definitions: list
    index_pos: int


def need(good, *why):
    """Raise Bad unless it is good."""
    if not good:
        raise Bad(" ".join(map(str, why)))


def take(raw, at):
    """The record at an offset: fields, data, and where it ends."""
    n, = struct.unpack_from("<I", raw, at)
    need(at + 8 + n <= len(raw), "a header is cut at", at)
    head, pos, pairs = raw[at + 4:at + 4 + n], 0, {}
    while pos < n:
        size, = struct.unpack_from("<I", head, pos)
        need(size >= 2 and pos + 4 + size <= n, "a field is cut at", at)
        name, equals, value = head[pos + 4:pos + 4 + size].partition(b"=")
        need(equals and name, "a field has no name at", at)
        pairs[name.decode()] = value
        pos += 4 + size
    size, = struct.unpack_from("<I", raw, at + 4 + n)
    end = at + 8 + n + size
    need(end <= len(raw), "data are cut at", at)
    return pairs, raw[at + 8 + n:end], end


def number(pairs, name, layout):
    """A number of a header."""
    need(len(pairs.get(name, b"")) == struct.calcsize(layout), "no", name)
    return struct.unpack(layout, pairs[name])[0]


def check_index(raw, at, found, definitions):
    """The index from `at` on names each message once, and the first of each
    topic by its definition."""
    named, defined = {}, {d.at for d in definitions}
    by_at = {m.at: m for m in found}
    for d in definitions:
        following = [m for m in found if m.at >= d.end]
        if following and following[0].at == d.end:
            by_at[d.at] = following[0]
    while at < len(raw):
        pairs, data, at = take(raw, at)
        need(number(pairs, "op", "<B") == OP_INDEX, "no index record")
        need(number(pairs, "ver", "<I") == 0, "another version of the index")
        topic = pairs["topic"].decode()
        need(topic not in named, "two indexes of", topic)
        entries = [struct.unpack_from("<IIQ", data, i)
                   for i in range(0, len(data), 16)]
        need(number(pairs, "count", "<I") == len(entries), "a wrong count")
        named[topic] = {by_at[e[2]].at for e in entries if e[2] in by_at}
        need(len(named[topic]) == len(entries), "an entry names nothing")
        need(entries[0][2] in defined, "no definition at the first entry")
        first = min(range(len(entries)), key=lambda i: entries[i][:2])
        need(entries[first][2] in defined,
             "no definition at the earliest entry")
        for sec, nsec, off in entries:
            m = by_at[off]
            need((m.topic, m.sec, m.nsec) == (topic, sec, nsec),
                 "an entry names another message")
    need(set().union(*named.values()) == {m.at for m in found},
         "messages are not in the index")


def read(raw):
    """Take a bag apart; raises Bad."""
    try:
        return _read(raw)
    except (struct.error, KeyError, UnicodeDecodeError) as fault:
        raise Bad("%s: %s" % (type(fault).__name__, fault)) from fault


def _read(raw):
    need(raw[:len(LINE)] == LINE, "the first line")
    at, index_pos, indexed = len(LINE), len(raw), False
    found, definitions, topics, types = [], [], {}, {}
    if at < len(raw) and number(take(raw, at)[0], "op", "<B") == OP_HEADER:
        pairs, data, end = take(raw, at)
        need(end - at == HEAD_LEN + 8, "the bag header has another length")
        index_pos, at = number(pairs, "index_pos", "<Q"), DATA_START
        need(DATA_START <= index_pos <= len(raw), "the place of the index")
        indexed = True
    while at < index_pos:
        pairs, data, end = take(raw, at)
        op = number(pairs, "op", "<B")
        about = [pairs[name].decode() for name in ("topic", "type", "md5")]
        if op == OP_DEF:
            need(not data, "a definition with data")
            definitions.append(
                Definition(at, end, *about, pairs["def"].decode()))
            topics[about[0]] = types[about[1]] = about[1:]
        else:
            need(op == OP_MESSAGE, "a record of type", op, "at", at)
            known = topics.get(about[0]) or (
                None if indexed else types.get(about[1]))
            # Readers go by the definition, whatever the message says.
            need(known is not None, "no definition before", at)
            nsec = number(pairs, "nsec", "<I")
            need(nsec < 10 ** 9, "nanoseconds at", at)
            found.append(Message(at, end, *about,
                                 number(pairs, "sec", "<I"), nsec, data))
        at = end
    need(at == index_pos, "the index begins inside a record")
    if indexed and found:
        check_index(raw, at, found, definitions)
    return Bag(raw, indexed, found, definitions, index_pos)


def main():
    """The command line."""
    bad = 0
    for path in sys.argv[1:]:
        with open(path, "rb") as there:
            raw = there.read()
        try:
            print("%s: OK %d messages" % (path, len(read(raw).messages)))
        except Bad as fault:
            print("%s: BAD %s" % (path, fault))
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())

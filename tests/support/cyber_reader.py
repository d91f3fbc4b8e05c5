#!/usr/bin/python3
"""A strict second opinion on Cyber records, from the first byte to the last.

    cyber_reader.py FILE...    "FILE: OK n messages" or "FILE: BAD reason"

Shares nothing with salvor or with cyber_writer.py.  As a module: read(bytes)
gives a Record, or raises Bad where anything is not as a recorder that closed
its file would have left it: there are no bytes that belong to nothing, and no
two parts disagree.  Every protobuf must be as long as Google's library writes
it, which is what the C++ reader asks.
"""

import struct
import sys
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from cyber_proto import CHANNEL, CHUNK_BODY, CHUNK_HEADER, HEADER, INDEX, \
    START, pb

TYPES = {HEADER: pb.Header, CHUNK_HEADER: pb.ChunkHeader,
         CHUNK_BODY: pb.ChunkBody, INDEX: pb.Index, CHANNEL: pb.Channel}


class Bad(Exception):
    """The record breaks a rule; the text says which and where."""


def need(condition, text, *values):
    """Raise Bad unless the condition holds."""
    if not condition:
        raise Bad(text.format(*values))


@dataclass
class Section:
    """A section and what is in it."""
    at: int
    end: int
    type: int
    body: object


@dataclass
class Record:
    """What a record holds."""
    raw: bytes
    header: object
    sections: list = field(default_factory=list)
    channels: dict = field(default_factory=dict)  # name: (type, desc)
    messages: list = field(default_factory=list)  # (name, time, content)
    spans: list = field(default_factory=list)  # of each, where it is


def section_at(raw, at):
    """The section at an offset."""
    need(at + 16 <= len(raw), "{}: no room for a section", at)
    kind, _, size = struct.unpack_from("<IIq", raw, at)
    need(kind in TYPES, "{}: a section of type {}", at, kind)
    need(0 <= size <= len(raw) - at - 16, "{}: a size of {}", at, size)
    try:
        body = TYPES[kind].FromString(raw[at + 16:at + 16 + size])
    except DecodeError as error:
        raise Bad("%d: %s" % (at, error)) from error
    need(body.ByteSize() == size, "{}: {} bytes, should be {}", at, size,
         body.ByteSize())
    return Section(at, at + 16 + size, kind, body)


def varint_at(raw, at):
    """A varint and where it ends."""
    value = shift = 0
    while True:
        value |= (raw[at] & 127) << shift
        shift += 7
        at += 1
        if raw[at - 1] < 128:
            return value, at


def spans_of(raw, section):
    """Where each message of a body is."""
    at = section.at + 16
    while at < section.end:
        size, behind = varint_at(raw, at + 1)
        yield at, behind + size
        at = behind + size


def check_room(raw, end):
    """What fills the room of the header."""
    room = raw[end:START]
    zeros = bytes(len(room))
    need(room in (zeros, b"0" + zeros[1:], b"0" * len(room)),
         "{}: the room of the header is not blank", end)


def read_chunk(record, head, body):
    """A chunk, with its two sections."""
    need(body.type == CHUNK_BODY, "{}: no body follows", head.at)
    found = [(m.channel_name, m.time, m.content) for m in body.body.messages]
    times = [time for _, time, _ in found]
    claim = head.body
    need(claim.message_number == len(found), "{}: {} messages, not {}",
         head.at, len(found), claim.message_number)
    need(claim.raw_size == sum(len(m[2]) for m in found), "{}: raw_size",
         head.at)
    need(not times or (claim.begin_time, claim.end_time) in (
        (min(times), max(times)), (times[0], times[-1])), "{}: its times",
         head.at)
    record.messages += found
    record.spans += spans_of(record.raw, body)


def check_index(record, index):
    """Does the index say what is before it?"""
    entries = list(index.body.indexes)
    need(len(entries) == len(record.sections), "{} entries for {} sections",
         len(entries), len(record.sections))
    styles = set()
    counts = {}
    for name, _, _ in record.messages:
        counts[name] = counts.get(name, 0) + 1
    for e, s in zip(entries, record.sections):
        need(e.type == s.type, "{}: the index calls it {}", s.at, e.type)
        styles.add({s.at: "start", s.end: "end"}.get(e.position))
        if s.type == CHANNEL:
            c = e.channel_cache
            need((c.name, c.message_type, c.proto_desc) == (
                s.body.name, s.body.message_type, s.body.proto_desc),
                 "{}: the index declares another channel", s.at)
            need(c.message_number == counts.get(c.name, 0),
                 "{}: the index counts {} messages", s.at, c.message_number)
        elif s.type == CHUNK_HEADER:
            c = e.chunk_header_cache
            need(c.ListFields() and all(
                getattr(c, n) == getattr(s.body, n) for n in (
                    "message_number", "begin_time", "end_time", "raw_size")),
                 "{}: the index says other numbers", s.at)
        else:
            need(e.chunk_body_cache.message_number == len(s.body.messages),
                 "{}: the index counts otherwise", s.at)
    need(styles <= {"start"} or styles == {"end"}, "positions: {}", styles)


def check_header(record, index):
    """Does the header count what is there?"""
    h = record.header
    heads = [s.body for s in record.sections if s.type == CHUNK_HEADER]
    declared = sum(s.type == CHANNEL for s in record.sections)
    for name, want in (
            ("is_complete", (True,)), ("index_position", (index.at,)),
            ("size", (len(record.raw),)), ("channel_number", (declared,)),
            ("chunk_number", (len(heads), 2 * len(heads) - 1)),
            ("message_number", (len(record.messages),)),
            ("begin_time", (heads[0].begin_time if heads else 0,)),
            ("end_time", (heads[-1].end_time if heads else 0,))):
        need(getattr(h, name) in want, "the header's {} is {}, not {}", name,
             getattr(h, name), want[0])


def read(raw):
    """A Record; raises Bad."""
    first = section_at(raw, 0)
    need(first.type == HEADER, "no header")
    check_room(raw, first.end)
    record = Record(raw, first.body)
    at, index, head = START, None, None
    while at < len(raw):
        s = section_at(raw, at)
        at = s.end
        need(index is None, "{}: something behind the index", s.at)
        if s.type == INDEX:
            need(head is None, "{}: a chunk without a body", s.at)
            index = s
            continue
        record.sections.append(s)
        if head is not None:
            read_chunk(record, head, s)
            head = None
        elif s.type == CHUNK_HEADER:
            head = s
        else:
            need(s.type == CHANNEL, "{}: a section of type {}", s.at, s.type)
            record.channels[s.body.name] = (s.body.message_type,
                                            s.body.proto_desc)
    need(index is not None, "no index")
    check_index(record, index)
    check_header(record, index)
    return record


def main():
    """Say of each file what is wrong with it."""
    for name in sys.argv[1:]:
        with open(name, "rb") as f:
            raw = f.read()
        try:
            print("%s: OK %d messages" % (name, len(read(raw).messages)))
        except Bad as error:
            print("%s: BAD %s" % (name, error))


if __name__ == "__main__":
    main()

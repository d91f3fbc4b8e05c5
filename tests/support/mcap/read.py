"""Reads MCAP files strictly.

read(raw) gives a File, or raises Bad where a record cannot be parsed, a checksum
is wrong or something is in a place where it must not be.  rules.py has what is to
agree besides.  Knows nothing of how write.py does it.
"""

import struct
import zlib
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

from mcap.codec import decompress

MAGIC = bytes([0x89]) + b"MCAP0\r\n"
TAIL = 29 + len(MAGIC)
SCHEMA, CHANNEL, MESSAGE, CHUNK, INDEX = 3, 4, 5, 6, 7
ATTACHMENT, METADATA, DATA_END = 9, 12, 15
FIRST_PRIVATE = 0x80
IN_SUMMARY = {3, 4, 8, 10, 11, 13}


class Bad(Exception):
    """What is wrong with a file."""


class Fields:
    """Takes the fields of a record, one after the other."""

    def __init__(self, raw, at, end, what):
        self.raw, self.at, self.end, self.what = raw, at, end, what

    def bytes(self, size):
        """So many bytes."""
        if size > self.end - self.at:
            raise Bad("%s: a field ends after it" % self.what)
        self.at += size
        return self.raw[self.at - size:self.at]

    def number(self, size):
        """A number of so many bytes."""
        return int.from_bytes(self.bytes(size), "little")

    def numbers(self, *sizes):
        """Several."""
        return [self.number(size) for size in sizes]

    def string(self):
        """A string."""
        raw = self.bytes(self.number(4))
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise Bad("%s: a string is not UTF-8" % self.what) from None

    def array(self, element):
        """What element() takes, up to the end that is given in front."""
        size = self.number(4)
        if size > self.end - self.at:
            raise Bad("%s: an array ends after it" % self.what)
        end, self.end, out = self.end, self.at + size, []
        while self.at < self.end:
            out.append(element())
        self.end = end
        return out

    def map(self):
        """Pairs of strings."""
        return tuple(self.array(lambda: (self.string(), self.string())))

    def all(self):
        """This record has nothing else."""
        if self.at != self.end:
            raise Bad("%s: %d bytes too many" % (self.what,
                                                 self.end - self.at))


class Record(NamedTuple):
    """Where a record is."""
    opcode: int
    start: int
    end: int
    body: int  # where its content begins


class Schema(NamedTuple):
    """A schema."""
    id: int
    name: str
    encoding: str
    data: bytes


class Channel(NamedTuple):
    """A channel."""
    id: int
    schema: int
    topic: str
    encoding: str
    metadata: tuple


class Place(NamedTuple):
    """A range in the file, or if `chunk` is not None in what that chunk is
    decompressed."""
    chunk: Optional[int]
    start: int
    end: int


class Message(NamedTuple):
    """A message."""
    channel: int
    sequence: int
    log_time: int
    publish_time: int
    data: bytes
    place: Place


class Attachment(NamedTuple):
    """An attachment."""
    log_time: int
    create_time: int
    name: str
    media_type: str
    data: bytes


class Metadata(NamedTuple):
    """Metadata."""
    name: str
    pairs: tuple


class Index(NamedTuple):
    """A message index."""
    start: int
    end: int
    channel: int
    entries: list  # (time, offset)


@dataclass
class Chunk:
    """A chunk, and what is known of it."""
    start: int
    end: int
    data_at: int  # where the stored bytes begin, which end where it ends
    times: tuple
    crc: int
    compression: str
    plain: bytes
    messages: list = field(default_factory=list)
    declared: list = field(default_factory=list)  # ids of channels
    indexes: list = field(default_factory=list)

    @property
    def stop(self):
        """Where its message indexes end."""
        return self.indexes[-1].end if self.indexes else self.end


@dataclass
class File:
    """All of a file."""
    raw: bytes
    profile: str = ""
    library: str = ""
    records: list = field(default_factory=list)  # of the data section
    schemas: dict = field(default_factory=dict)  # of the data section
    channels: dict = field(default_factory=dict)
    declared: list = field(default_factory=list)  # (Schema or Channel, Place),
    #   of the summary as well
    chunks: list = field(default_factory=list)
    messages: list = field(default_factory=list)
    attachments: list = field(default_factory=list)  # (Attachment, Record)
    metadata: list = field(default_factory=list)  # (Metadata, Record)
    private: list = field(default_factory=list)  # (opcode, bytes, Place)
    data_end: Optional[int] = None  # where the data section ends
    data_crc: int = 0
    summary: list = field(default_factory=list)  # Record
    footer: tuple = (0, 0, 0)  # start of the summary, of its offsets; checksum

    def kind(self, channel):
        """Topic, encoding and schema: what tells what a message is."""
        c = self.channels[channel]
        s = self.schemas.get(c.schema)
        return (c.topic, c.encoding) + (
            (s.name, s.encoding, zlib.crc32(s.data)) if s else ())

    def listing(self):
        """(head, body) of each message, in the order of the file."""
        return [((*self.kind(m.channel), m.sequence, m.log_time,
                  m.publish_time), m.data) for m in self.messages]

    def others(self):
        """(head, body, Place) of what is no message."""
        return [(("attachment", *a[:-1]), a.data,
                 Place(None, record.start, record.end))
                for a, record in self.attachments] + [
                    (("metadata", m.name), repr(m.pairs).encode(),
                     Place(None, record.start, record.end))
                    for m, record in self.metadata] + [
                        (("private", opcode), data, place)
                        for opcode, data, place in self.private]


def records(raw, at, end, what):
    """The records of a range, which has nothing else."""
    while at < end:
        if end - at < 9:
            raise Bad("%s: %d bytes at its end" % (what, end - at))
        opcode, size = struct.unpack_from("<BQ", raw, at)
        if opcode == 0:
            raise Bad("%s: opcode 0 at %d" % (what, at))
        if size > end - at - 9:
            raise Bad("%s: the record at %d ends after it" % (what, at))
        yield Record(opcode, at, at + 9 + size, at + 9)
        at += 9 + size


def fields(raw, record):
    """The fields of a record."""
    return Fields(raw, record.body, record.end, "the record of kind %d at %d"
                  % (record.opcode, record.start))


def schema(raw, record):
    """A schema."""
    f = fields(raw, record)
    out = Schema(f.number(2), f.string(), f.string(), f.bytes(f.number(4)))
    if out.id == 0:
        raise Bad("a schema has the id 0")
    return out


def channel(raw, record):
    """A channel."""
    f = fields(raw, record)
    return Channel(*f.numbers(2, 2), f.string(), f.string(), f.map())


class Reader:
    """Reads one file."""

    def __init__(self, raw):
        self.file = File(raw)
        self.known = {SCHEMA: {}, CHANNEL: {}}

    def declare(self, raw, record, chunk):
        """A schema or channel, which is the same wherever it is."""
        file = self.file
        one = (schema if record.opcode == SCHEMA else channel)(raw, record)
        into = self.known[record.opcode]
        if into.setdefault(one.id, one) != one:
            raise Bad("two of kind %d have the id %d" % (record.opcode,
                                                         one.id))
        if record.opcode == CHANNEL and one.schema and \
                one.schema not in self.known[SCHEMA]:
            raise Bad("channel %d has the unknown schema %d" % (
                one.id, one.schema))
        file.declared.append((one, Place(chunk, record.start, record.end)))
        return one.id

    def message(self, raw, record, chunk):
        """A message."""
        f = fields(raw, record)
        head = f.numbers(2, 4, 8, 8)
        if head[0] not in self.known[CHANNEL]:
            raise Bad("a message of the unknown channel %d" % head[0])
        m = Message(*head, bytes(raw[f.at:record.end]),
                    Place(chunk, record.start, record.end))
        self.file.messages.append(m)
        return m

    def chunk(self, record):
        """A chunk."""
        raw = self.file.raw
        f = fields(raw, record)
        *times, size, crc = f.numbers(8, 8, 8, 4)
        compression = f.string()
        stored = f.bytes(f.number(8))
        f.all()
        try:
            plain = decompress(compression, stored, size)
        except ValueError as error:
            raise Bad("the chunk at %d: %s" % (record.start,
                                               error)) from error
        if crc and crc != zlib.crc32(plain):
            raise Bad("the chunk at %d: checksum" % record.start)
        number = len(self.file.chunks)
        out = Chunk(record.start, record.end, f.at - len(stored),
                    tuple(times), crc, compression, plain)
        self.file.chunks.append(out)
        for inner in records(plain, 0, len(plain),
                             "the chunk at %d" % record.start):
            if inner.opcode == MESSAGE:
                out.messages.append(self.message(plain, inner, number))
            elif inner.opcode in (SCHEMA, CHANNEL):
                one = self.declare(plain, inner, number)
                if inner.opcode == CHANNEL:
                    out.declared.append(one)
            elif inner.opcode >= FIRST_PRIVATE:
                self.private(plain, inner, number)
            else:
                raise Bad("a record of kind %d is in the chunk at %d" % (
                    inner.opcode, record.start))

    def private(self, raw, record, chunk):
        """A record that is another program's."""
        self.file.private.append((
            record.opcode, bytes(raw[record.body:record.end]),
            Place(chunk, record.start, record.end)))

    def message_index(self, record):
        """A message index, which belongs to the chunk before it."""
        last = self.file.records[-2].opcode if len(self.file.records) > 1 \
            else 0
        if last not in (CHUNK, INDEX):
            raise Bad("a message index at %d follows no chunk" % record.start)
        f = fields(self.file.raw, record)
        self.file.chunks[-1].indexes.append(Index(
            record.start, record.end, f.number(2),
            f.array(lambda: tuple(f.numbers(8, 8)))))

    def attachment(self, record):
        """An attachment."""
        raw = self.file.raw
        f = fields(raw, record)
        times = f.numbers(8, 8)
        out = Attachment(*times, f.string(), f.string(), f.bytes(f.number(8)))
        covered = raw[record.body:f.at]
        crc = f.number(4)
        if crc and crc != zlib.crc32(covered):
            raise Bad("the attachment at %d: checksum" % record.start)
        self.file.attachments.append((out, record))

    def metadata(self, record):
        """Metadata."""
        f = fields(self.file.raw, record)
        self.file.metadata.append((Metadata(f.string(), f.map()), record))

    def finish_data(self, record):
        """The end of the data section."""
        file = self.file
        f = fields(file.raw, record)
        file.data_crc = f.number(4)
        f.all()
        if file.data_crc and file.data_crc != zlib.crc32(
                file.raw[:record.start]):
            raise Bad("the data section: checksum")
        file.data_end = record.start
        file.schemas = dict(self.known[SCHEMA])
        file.channels = dict(self.known[CHANNEL])

    def data(self, record):
        """A record of the data section."""
        raw, opcode = self.file.raw, record.opcode
        self.file.records.append(record)
        if opcode in (SCHEMA, CHANNEL):
            self.declare(raw, record, None)
        elif opcode == MESSAGE:
            self.message(raw, record, None)
        elif opcode == DATA_END:
            self.finish_data(record)
        elif opcode >= FIRST_PRIVATE:
            self.private(raw, record, None)
        else:
            {CHUNK: self.chunk, INDEX: self.message_index,
             ATTACHMENT: self.attachment, METADATA: self.metadata}.get(
                 opcode, self.misplaced)(record)

    @staticmethod
    def misplaced(record):
        """A record that must not be there."""
        raise Bad("a record of kind %d at %d" % (record.opcode,
                                                 record.start))

    def read(self):
        """The whole file."""
        file, raw = self.file, self.file.raw
        if raw[:8] != MAGIC or raw[-8:] != MAGIC or len(raw) < 8 + TAIL:
            raise Bad("magic")
        if raw[-TAIL:-TAIL + 9] != struct.pack("<BQ", 2, 20):
            raise Bad("no footer")
        walk = records(raw, 8, len(raw) - TAIL, "the file")
        first = next(walk, None)
        if first is None or first.opcode != 1:
            raise Bad("no header")
        f = fields(raw, first)
        file.profile, file.library = f.string(), f.string()
        for record in walk:
            if file.data_end is None:
                self.data(record)
            elif record.opcode in IN_SUMMARY | {14} or \
                    record.opcode >= FIRST_PRIVATE:
                file.summary.append(record)
                if record.opcode in (SCHEMA, CHANNEL):
                    self.declare(raw, record, None)
            else:
                self.misplaced(record)
        if file.data_end is None:
            raise Bad("no end of the data section")
        file.footer = struct.unpack("<QQI", raw[-28:-8])
        self.check_footer()
        return file

    def check_footer(self):
        """Does the footer say where things are?"""
        file = self.file
        start, offset_start, crc = file.footer
        at = file.data_end + 13
        if start not in (0, at) or (start == 0 and file.summary):
            raise Bad("the footer: summary start")
        offsets = [r.start for r in file.summary if r.opcode == 14]
        want = offsets[0] if offsets else len(file.raw) - TAIL
        if offset_start not in (0, want) or (offset_start == 0 and offsets):
            raise Bad("the footer: summary offset start")
        if crc and crc != zlib.crc32(file.raw[at:-12]):
            raise Bad("the summary: checksum")


def read(raw):
    """Read a file."""
    return Reader(raw).read()

#!/usr/bin/python3
"""A strict second opinion on ROS 1 bags, read from the first byte to the last.

    bag_reader.py FILE...    "FILE: OK n messages" or "FILE: BAD reason"

Shares nothing with salvor, and with bag_writer.py only the cipher.  As a module: read(bytes)
gives a Bag, or raises Bad where anything is not exactly as a recorder that
closed its file would have left it: there are no bytes that belong to nothing,
and no two parts disagree.  ROS itself reads a bag by its index and looks at a
tenth of this; other readers go from record to record.
"""

import bz2
import hashlib
import re
import struct
import sys
from dataclasses import dataclass, field
from typing import NamedTuple

import lz4.frame

import bag_cipher

MAGIC = b"#ROSBAG V2.0\n"
OPS = {2: "message", 3: "bag", 4: "index", 5: "chunk", 6: "info",
       7: "connection"}
CHUNK_MAX = 1 << 30  # bytes of a chunk that are believed
LZ4_FLAGS = {0x64}  # the only ones that ROS's own reader takes
BUILT_IN = re.compile(r"(bool|byte|char|u?int(8|16|32|64)|float(32|64)|string"
                      r"|time|duration)(\[\d*\])?$")


class Bad(Exception):
    """The bag breaks a rule; the text says which and where."""


def need(condition, text, *values):
    """Raise Bad unless the condition holds."""
    if not condition:
        raise Bad(text.format(*values))


class Record(NamedTuple):
    """A record; offsets are in what it was read from."""
    at: int
    end: int
    op: str
    fields: dict
    data_at: int


class Connection(NamedTuple):
    """What a connection record says."""
    id: int
    topic: bytes
    about: tuple  # (name, value) of the fields of its data, sorted


class Message(NamedTuple):
    """A message; the offsets are of its record in the chunk's data."""
    conn: int
    sec: int
    nsec: int
    payload: bytes
    at: int
    end: int


@dataclass
class Chunk:
    """A chunk, with what belongs to it."""
    at: int
    data_at: int
    end: int  # of its data
    compression: str
    data: bytes  # uncompressed
    messages: list = field(default_factory=list)
    connections: list = field(default_factory=list)  # (at, end, Connection)
    indexes: list = field(default_factory=list)  # (at, end, conn, data_at)


@dataclass
class Bag:
    """A bag taken apart."""
    raw: bytes
    chunks: list
    connections: dict  # id -> Connection
    tail: list  # (at, end, Connection) after the chunks
    infos: list  # (at, end)
    index_pos: int

    def messages(self):
        """All of them, in file order."""
        return [m for chunk in self.chunks for m in chunk.messages]

    def listing(self):
        """What was recorded: (conn, topic, sec, nsec, payload)."""
        return [(m.conn, self.connections[m.conn].topic, m.sec, m.nsec,
                 m.payload) for m in self.messages()]


def read_fields(raw, at, end):
    """A list of fields as {name: value}."""
    out = {}
    while at < end:
        need(end - at >= 4, "{}: a field is cut", at)
        size, = struct.unpack_from("<I", raw, at)
        need(0 < size <= end - at - 4, "{}: a field of {} bytes", at, size)
        name, mark, value = raw[at + 4:at + 4 + size].partition(b"=")
        need(mark, "{}: a field without '='", at)
        name = name.decode("ascii", "replace")
        need(name not in out, "{}: {} twice", at, name)
        out[name] = value
        at += 4 + size
    return out


def read_record(raw, at, limit):
    """The record at an offset; nothing of it follows the limit."""
    need(limit - at >= 8, "{}: a record is cut", at)
    size, = struct.unpack_from("<I", raw, at)
    need(size <= limit - at - 8, "{}: a header of {} bytes", at, size)
    fields = read_fields(raw, at + 4, at + 4 + size)
    data_at = at + 8 + size
    length, = struct.unpack_from("<I", raw, data_at - 4)
    need(length <= limit - data_at, "{}: data of {} bytes", at, length)
    op = fields.pop("op", b"")
    need(len(op) == 1 and op[0] in OPS, "{}: op {}", at, op)
    return Record(at, data_at + length, OPS[op[0]], fields, data_at)


def number(rec, name, form="<I"):
    """A field that is one number, taken out of the record."""
    value = rec.fields.pop(name, None)
    need(value is not None, "{}: {} without {}", rec.at, rec.op, name)
    need(len(value) == struct.calcsize(form), "{}: {} of {} bytes", rec.at,
         name, len(value))
    return struct.unpack(form, value)[0]


def time_of(rec, name):
    """A field that is a time: (seconds, nanoseconds)."""
    value = rec.fields.pop(name, b"")
    need(len(value) == 8, "{}: {} without {}", rec.at, rec.op, name)
    sec, nsec = struct.unpack("<II", value)
    need(nsec < 10 ** 9, "{}: {} nanoseconds", rec.at, nsec)
    return sec, nsec


def no_more(rec):
    """Raise Bad if a record has fields that were not taken."""
    need(not rec.fields, "{}: {} with {}", rec.at, rec.op,
         ", ".join(rec.fields))


def check_md5(rec, about):
    """Does the checksum belong to the definition?  Only members that are
    built in can be told without the definitions of others."""
    text = about["message_definition"].decode("utf-8", "replace")
    lines = [line.partition("#")[0].split() for line in text.splitlines()]
    lines = [line for line in lines if line]
    if all(len(line) == 2 and BUILT_IN.match(line[0]) for line in lines):
        text = "\n".join(map(" ".join, lines))
        want = hashlib.md5(text.encode()).hexdigest().encode()
        need(about["md5sum"] == want, "{}: md5sum of another definition",
             rec.at)


def connection_of(rec, raw, sums):
    """The Connection that a record holds; with sums, of its definition."""
    conn = number(rec, "conn")
    topic = rec.fields.pop("topic", None)
    need(topic is not None, "{}: connection without topic", rec.at)
    no_more(rec)
    about = read_fields(raw, rec.data_at, rec.end)
    for name in "type", "md5sum", "message_definition":
        need(name in about, "{}: connection without {}", rec.at, name)
    need(re.fullmatch(rb"[0-9a-f]{32}|\*", about["md5sum"]),
         "{}: md5sum {}", rec.at, about["md5sum"])
    if sums:
        check_md5(rec, about)
    return Connection(conn, topic, tuple(sorted(about.items())))


def decompress(rec, how, stored, size):
    """The data of a chunk; exactly of the size that it says."""
    if how == "none":
        data = stored
    elif how == "bz2":
        stream = bz2.BZ2Decompressor()
        try:
            data = stream.decompress(stored, size + 1)
            need(stream.eof and not stream.unused_data,
                 "{}: not one stream of bzip2", rec.at)
        except (OSError, EOFError) as fault:
            raise Bad("%d: bzip2: %s" % (rec.at, fault)) from fault
    else:
        need(how == "lz4", "{}: compression {}", rec.at, how)
        need(stored[:4] == b"\x04\x22\x4d\x18" and stored[4] in LZ4_FLAGS,
             "{}: flags of lz4 that ROS does not take", rec.at)
        try:
            data, used = lz4.frame.decompress(stored, return_bytes_read=True)
        except RuntimeError as fault:
            raise Bad("%d: lz4: %s" % (rec.at, fault)) from fault
        need(used == len(stored), "{}: bytes behind the frame", rec.at)
    need(len(data) == size, "{}: a chunk of {} bytes says {}", rec.at,
         len(data), size)
    return data


class _Reader:
    """Goes through a bag."""

    def __init__(self, raw, sums):
        self.raw, self.sums = raw, sums
        self.chunks, self.connections = [], {}
        self.tail, self.infos = [], []

    def learn(self, rec, raw):
        """Take a connection record; all of an id must say the same."""
        found = connection_of(rec, raw, self.sums)
        known = self.connections.setdefault(found.id, found)
        need(known == found, "{}: connection {} is another", rec.at, found.id)
        return rec.at, rec.end, found

    def chunk(self, rec):
        """Take a chunk and everything inside."""
        how = rec.fields.pop("compression", b"").decode("ascii", "replace")
        size = number(rec, "size")
        no_more(rec)
        need(size <= CHUNK_MAX, "{}: a chunk of {} bytes", rec.at, size)
        data = decompress(rec, how, self.raw[rec.data_at:rec.end], size)
        made = Chunk(rec.at, rec.data_at, rec.end, how, data)
        at = 0
        try:
            while at < len(data):
                inner = read_record(data, at, len(data))
                if inner.op == "connection":
                    made.connections.append(self.learn(inner, data))
                else:
                    made.messages.append(self.message(inner, data))
                at = inner.end
        except Bad as fault:
            raise Bad("%d: in the chunk: %s" % (rec.at, fault)) from None
        need(made.messages, "{}: a chunk without messages", rec.at)
        self.chunks.append(made)

    def message(self, rec, data):
        """A message of a chunk."""
        need(rec.op == "message", "{}: {} in a chunk", rec.at, rec.op)
        conn = number(rec, "conn")
        sec, nsec = time_of(rec, "time")
        no_more(rec)
        need(conn in self.connections,
             "{}: connection {} is not known yet", rec.at, conn)
        return Message(conn, sec, nsec, data[rec.data_at:rec.end], rec.at,
                       rec.end)

    def index(self, rec):
        """Take an index record, which belongs to the last chunk."""
        need(self.chunks, "{}: index before any chunk", rec.at)
        chunk = self.chunks[-1]
        need(number(rec, "ver") == 1, "{}: version of an index", rec.at)
        conn, count = number(rec, "conn"), number(rec, "count")
        no_more(rec)
        need(rec.end - rec.data_at == 12 * count, "{}: count {} in {} bytes",
             rec.at, count, rec.end - rec.data_at)
        need(count, "{}: an empty index", rec.at)
        need(all(conn != i[2] for i in chunk.indexes),
             "{}: index of {} twice", rec.at, conn)
        found = list(struct.iter_unpack("<III", self.raw[rec.data_at:rec.end]))
        times = [e[:2] for e in found]
        need(times == sorted(times), "{}: index not by time", rec.at)
        want = sorted((m.sec, m.nsec, m.at) for m in chunk.messages
                      if m.conn == conn)
        need(sorted(found) == want, "{}: index of {} is not of its messages",
             rec.at, conn)
        chunk.indexes.append((rec.at, rec.end, conn, rec.data_at))

    def info(self, rec):
        """Take a chunk info; they are in the order of the chunks."""
        need(len(self.infos) < len(self.chunks), "{}: info of no chunk",
             rec.at)
        chunk = self.chunks[len(self.infos)]
        times = [(m.sec, m.nsec) for m in chunk.messages]
        need(number(rec, "ver") == 1, "{}: version of an info", rec.at)
        at = number(rec, "chunk_pos", "<Q")
        need(at == chunk.at, "{}: info of a chunk at {}, not {}", rec.at, at,
             chunk.at)
        need(time_of(rec, "start_time") == min(times), "{}: start", rec.at)
        need(time_of(rec, "end_time") == max(times), "{}: end", rec.at)
        count = number(rec, "count")
        no_more(rec)
        need(rec.end - rec.data_at == 8 * count, "{}: count {} in {} bytes",
             rec.at, count, rec.end - rec.data_at)
        found = list(struct.iter_unpack("<II", self.raw[rec.data_at:rec.end]))
        want = {}
        for m in chunk.messages:
            want[m.conn] = want.get(m.conn, 0) + 1
        need(sorted(found) == sorted(want.items()), "{}: counts", rec.at)
        self.infos.append((rec.at, rec.end))

    def body(self, at):
        """Everything after the bag header; returns where the tail begins."""
        index_pos = None
        last = "bag"
        follow = {"bag": ("chunk", "connection"), "chunk": ("index",),
                  "index": ("index", "chunk", "connection"),
                  "connection": ("connection", "info"), "info": ("info",)}
        while at < len(self.raw):
            rec = read_record(self.raw, at, len(self.raw))
            need(rec.op in follow[last], "{}: {} behind {}", at, rec.op, last)
            if rec.op == "connection":
                index_pos = at if index_pos is None else index_pos
                found = self.learn(rec, self.raw)
                need(all(found[2].id != t[2].id for t in self.tail),
                     "{}: connection {} twice", at, found[2].id)
                self.tail.append(found)
            else:
                getattr(self, rec.op)(rec)
            if last == "index" and rec.op != "index":
                self.all_indexed(self.chunks[-1 - (rec.op == "chunk")])
            last, at = rec.op, rec.end
        return at if index_pos is None else index_pos

    @staticmethod
    def all_indexed(chunk):
        """Raise Bad unless a chunk has an index for all of its messages."""
        need({i[2] for i in chunk.indexes} == {m.conn for m in chunk.messages},
             "{}: not all of the chunk is in its index", chunk.at)

    def read(self):
        """The whole bag."""
        raw = self.raw
        need(raw[:len(MAGIC)] == MAGIC, "0: magic {}", raw[:len(MAGIC)])
        head = read_record(raw, len(MAGIC), len(raw))
        need(head.op == "bag", "{}: {} for the bag header", head.at, head.op)
        index_pos = number(head, "index_pos", "<Q")
        conns, chunks = number(head, "conn_count"), number(head, "chunk_count")
        if head.fields.get("encryptor"):
            return read(bag_cipher.clear(raw))
        no_more(head)
        need(head.end == len(MAGIC) + 4104, "the bag header ends at {}",
             head.end)
        need(not raw[head.data_at:head.end].strip(b" "), "padding")
        found = self.body(head.end)
        need(found == index_pos, "index_pos is {}, not {}", index_pos, found)
        need(conns == len(self.tail), "conn_count is {}, not {}", conns,
             len(self.tail))
        need(chunks == len(self.chunks) == len(self.infos),
             "chunk_count is {}; chunks {}, infos {}", chunks,
             len(self.chunks), len(self.infos))
        listed = {t[2].id for t in self.tail}
        need(listed == set(self.connections), "connections {} are not listed",
             set(self.connections) - listed)
        return Bag(raw, self.chunks, self.connections, self.tail, self.infos,
                   index_pos)


def read(raw, sums=True):
    """Take a bag apart; raises Bad.  Without sums the definition of a type may be
    another one than its sum says."""
    try:
        return _Reader(bytes(raw), sums).read()
    except struct.error as fault:
        raise Bad("something is cut: %s" % fault) from fault


def main():
    """The command line."""
    bad = 0
    for path in sys.argv[1:]:
        with open(path, "rb") as there:
            raw = there.read()
        try:
            print("%s: OK %d messages" % (path, len(read(raw).messages())))
        except Bad as fault:
            print("%s: BAD %s" % (path, fault))
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())

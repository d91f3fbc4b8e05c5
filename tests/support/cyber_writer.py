"""Writes Cyber records as the recorders there are do, closed or killed.

Shares nothing with salvor.  The same input gives the same bytes.

    write(channels, messages, Shape(...)) -> bytes
"""

import hashlib
import random
import struct
from dataclasses import dataclass
from typing import NamedTuple

from cyber_proto import CHANNEL, CHUNK_BODY, CHUNK_HEADER, HEADER, INDEX, \
    START, pb


class Channel(NamedTuple):
    """A channel and what its messages are."""
    name: str
    type: str
    desc: bytes


class Message(NamedTuple):
    """What was recorded; the time is in nanoseconds."""
    channel: str
    time: int
    content: bytes


@dataclass
class Shape:
    """How a record is written.

    style: cpp; old (the index names the ends of sections); lite (the room of
    the header is all '0'); python
    """
    style: str = "cpp"
    interval: int = 20 * 10 ** 9  # ns of a chunk
    limit: int = 200 << 20  # bytes of a chunk
    closed: bool = True
    indexed: bool = True
    padding: bytes = bytes(4)  # in the head of a section
    map_info: str = ""


def desc(name, size=300):
    """A description as long as those of real types are."""
    text = b"".join(hashlib.sha256(b"%s%d" % (name.encode(), n)).digest()
                    for n in range(size // 32 + 1))[:size]
    inner = pb.ProtoDesc(desc=b"\x0a" + bytes([len(name)]) + name.encode())
    return pb.ProtoDesc(desc=text, dependencies=[inner]).SerializeToString()


def head(shape, **numbers):
    """The first 2,064 bytes."""
    h = pb.Header(major_version=1, minor_version=0, compress=0,
                  chunk_interval=shape.interval,
                  segment_interval=60 * 10 ** 9, chunk_raw_size=shape.limit,
                  segment_raw_size=2 << 30)
    if shape.map_info:
        h.map_info = shape.map_info
    if shape.style != "python":
        for name in ("index_position", "chunk_number", "channel_number",
                     "begin_time", "end_time", "message_number", "size"):
            setattr(h, name, 0)
        h.is_complete = False
    for name, value in numbers.items():
        setattr(h, name, value)
    body = h.SerializeToString()
    blank = {"python": b"", "lite": b"0" * START}.get(shape.style, b"0")
    raw = struct.pack("<I4sQ", HEADER, shape.padding, len(body)) + body
    return (raw + blank)[:START].ljust(START, b"\0")


class Writer:
    """A record that is being written."""

    def __init__(self, channels, shape):
        self.shape = shape
        self.known = {c.name: c for c in channels}
        self.out = bytearray(head(shape))
        self.index = pb.Index()
        self.counts = {}
        self.chunk = []
        self.spans = []  # begin and end of each chunk

    def section(self, kind, message):
        """Append a section; where it begins and ends."""
        body = message.SerializeToString()
        at = len(self.out)
        self.out += struct.pack("<I4sQ", kind, self.shape.padding, len(body))
        self.out += body
        return at, len(self.out)

    def entry(self, kind, span):
        """A new entry of the index."""
        return self.index.indexes.add(
            type=kind, position=span[self.shape.style == "old"])

    def declare(self, c):
        """Write a channel."""
        self.counts[c.name] = 0
        span = self.section(CHANNEL, pb.Channel(
            name=c.name, message_type=c.type, proto_desc=c.desc))
        cache = self.entry(CHANNEL, span).channel_cache
        cache.name, cache.message_type, cache.proto_desc = c
        cache.message_number = 0

    def add(self, m):
        """Record a message."""
        if m.channel in self.known and m.channel not in self.counts:
            self.declare(self.known[m.channel])
        if self.chunk and (
                m.time - self.chunk[0].time > self.shape.interval
                or sum(len(x.content) for x in self.chunk)
                > self.shape.limit):
            self.flush()
        self.counts[m.channel] = self.counts.get(m.channel, 0) + 1
        self.chunk.append(m)

    def flush(self):
        """Write the chunk that is in memory."""
        if not self.chunk:
            return
        times = [m.time for m in self.chunk]
        begin, end = min(times), max(times)
        if self.shape.style == "python":
            begin, end = times[0], times[-1]
        raw = sum(len(m.content) for m in self.chunk)
        span = self.section(CHUNK_HEADER, pb.ChunkHeader(
            begin_time=begin, end_time=end, message_number=len(self.chunk),
            raw_size=raw))
        cache = self.entry(CHUNK_HEADER, span).chunk_header_cache
        cache.message_number, cache.begin_time = len(self.chunk), begin
        cache.end_time, cache.raw_size = end, raw
        body = pb.ChunkBody()
        for m in self.chunk:
            body.messages.add(channel_name=m.channel, time=m.time,
                              content=m.content)
        span = self.section(CHUNK_BODY, body)
        self.entry(CHUNK_BODY, span).chunk_body_cache.message_number = \
            len(self.chunk)
        self.spans.append((begin, end))
        self.chunk = []

    def close(self):
        """The whole file."""
        self.flush()
        for e in self.index.indexes:
            if e.type == CHANNEL:
                e.channel_cache.message_number = \
                    self.counts[e.channel_cache.name]
        at = len(self.out)
        self.section(INDEX, self.index)
        chunks = len(self.spans)
        if self.shape.closed:
            self.out[:START] = head(
                self.shape, index_position=at,
                chunk_number=2 * chunks - 1
                if self.shape.style == "python" and chunks else chunks,
                channel_number=sum(c in self.known for c in self.counts),
                begin_time=self.spans[0][0] if self.spans else 0,
                end_time=self.spans[-1][1] if self.spans else 0,
                message_number=sum(self.counts.values()),
                size=len(self.out), is_complete=True)
        return bytes(self.out if self.shape.indexed else self.out[:at])


def write(channels, messages, shape=None, lost=0):
    """A record; the recorder is killed with so many messages in memory."""
    w = Writer(channels, shape or Shape())
    for m in messages[:len(messages) - lost]:
        w.add(m)
    return w.close()


def make_strange(messages, rng, inner):
    """What recorders write as well, and what a search can mistake."""
    out = []
    for n, m in enumerate(messages):
        if n == len(messages) // 2:
            messages[n:] = [m._replace(time=m.time - 1800 * 10 ** 9)
                            for m in messages[n:]]  # the clock is set
        m = messages[n]
        if n % 20 == 7:
            at = rng.randrange(len(inner) - 6000)
            m = m._replace(content=inner[at:at + rng.randint(300, 6000)])
        elif n % 3:
            m = m._replace(content=rng.choice((b"", b"same", b"\0" * 9)))
        out += [m] * (2 if n % 25 == 3 else 1)
    return out


def drive(seed=1, n_messages=200, n_channels=5, size=900, start=1700000000,
          desc_size=300, strange=False):
    """Channels, and messages of a drive; some times are out of order."""
    rng = random.Random(seed)
    names = ["/apollo/sensor/%d" % n for n in range(n_channels - 1)]
    names.append("/apollo/canbus/chassis")
    channels = [Channel(n, "apollo.test.T%d" % i, desc(n, desc_size))
                for i, n in enumerate(names)]
    messages, now = [], start * 10 ** 9
    for _ in range(n_messages):
        now += rng.randrange(1, 20 * 10 ** 6)
        n = max(0, int(rng.expovariate(1 / size)))
        messages.append(Message(
            rng.choice(names), now - rng.choice((0, 0, 3000000)),
            rng.getrandbits(8 * n).to_bytes(n, "little") if n else b""))
    if strange:
        inner = write(*drive(seed + 100, 80), Shape(limit=9000))
        messages = make_strange(messages, rng, inner)
    return channels, messages

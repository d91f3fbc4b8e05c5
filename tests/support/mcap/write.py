"""Writes MCAP files as the writers of each language do.

    write(recording, STYLES["cpp"])                      the bytes of a file
    write(recording, replace(STYLES["go"], compression="lz4"))

A recording says what a program hands to its writer, a Style how that writes.
Shares nothing with salvor.
"""

import zlib
from dataclasses import dataclass, field

from mcap import codec, records as r
from mcap.order import ORDERS


@dataclass
class Recording:
    """What a program records: events are Message, Attachment, Metadata, Private,
    and Private in a tuple where it goes into a chunk."""
    profile: str
    schemas: list
    channels: list
    events: list


@dataclass(frozen=True)
class Style:
    """How a writer writes."""
    library: str
    language: str = "cpp"  # whose compressor it is
    compression: str = ""
    chunk_size: int = 20000  # 0: no chunks
    close: str = "before"  # a message that would not fit; after; lazy: at the
    #   next message after
    poor: bool = True  # what is hardly smaller is not compressed
    order: str = "hash"  # of maps and message indexes: see order.py; file: as
    #   channels were first seen in the file
    silent: bool = True  # channels without a message are in the summary
    declare: str = "first"  # before the first message; at the start; always:
    #   again in each chunk
    attachment_closes: bool = True  # an attachment ends the open chunk
    empty_chunks: bool = True  # chunks without a message are written
    empty_start: int = 0  # of those
    chunk_crc: bool = True
    data_crc: bool = False
    summary_crc: bool = True
    attachment_crc: bool = True
    message_index: bool = True
    summary: tuple = (r.SCHEMA, r.CHANNEL, r.STATISTICS, r.CHUNK_INDEX,
                      r.ATTACHMENT_INDEX, r.METADATA_INDEX)
    shuffled: bool = False  # schemas and channels in the summary
    offsets: bool = True
    empty_offsets: bool = False  # also of kinds that the summary has none of
    ended: bool = True  # with a DataEnd


_TS = (r.SCHEMA, r.CHANNEL, r.STATISTICS, r.METADATA_INDEX,
       r.ATTACHMENT_INDEX, r.CHUNK_INDEX)
STYLES = {
    "rosbag2": Style("libmcap 1.4.0", chunk_crc=False,
                     empty_start=r.UNKNOWN),
    "fastwrite": Style("libmcap 1.4.0", chunk_size=0, summary_crc=False),
    "cpp": Style("mcap-cpp/2.1.3", empty_start=r.UNKNOWN),
    "python": Style("mcap-python/1.4.0", "python", close="after", poor=False,
                    order="seen", declare="start", attachment_closes=False,
                    empty_chunks=False, empty_offsets=True),
    "go": Style("mcap-go/1.7.3", "go", close="after", poor=False,
                order="file", silent=False, attachment_closes=False,
                data_crc=True),
    "ts": Style("@mcap/core 2.2.2", "ts", close="after", poor=False,
                order="seen", attachment_closes=False, empty_chunks=False,
                data_crc=True, summary=_TS),
    "rust": Style("mcap-rs-0.24.0", "rust", close="lazy", poor=False,
                  order="id", silent=False, shuffled=True, data_crc=True),
}


@dataclass
class Chunk:
    """The open chunk."""
    raw: bytearray = field(default_factory=bytearray)
    times: list = field(default_factory=list)
    entries: dict = field(default_factory=dict)  # channel -> (time, offset)
    declared: dict = field(default_factory=dict)  # in this chunk


class Writer:
    """Writes one file, into `out`."""

    def __init__(self, recording, style):
        self.style = style
        self.schemas = {s.id: s for s in recording.schemas}
        self.channels = {c.id: c for c in recording.channels}
        self.out = bytearray(r.MAGIC + r.header(recording.profile,
                                                style.library))
        self.chunk = Chunk()
        self.written = {}  # ("schema" or "channel", id), in order
        self.maps = ORDERS[style.order]()  # channels with messages
        self.counts, self.times = {}, []
        self.indexes = {opcode: [] for opcode in (
            r.CHUNK_INDEX, r.ATTACHMENT_INDEX, r.METADATA_INDEX)}
        if style.declare == "start":
            for what, n in [("schema", n) for n in self.schemas] + \
                    [("channel", n) for n in self.channels]:
                self.declare_one(what, n)

    def put(self, raw):
        """Write into the open chunk, or where there are none into the file;
        return where."""
        into = self.chunk.raw if self.style.chunk_size else self.out
        into += raw
        return len(into) - len(raw)

    def declare(self, channel_id):
        """Write a channel and its schema where they are needed."""
        c = self.channels[channel_id]
        known = self.chunk.declared if self.style.declare == "always" \
            else self.written
        for what, n in ("schema", c.schema), ("channel", c.id):
            if (what, n) not in known and (what, n) != ("schema", 0):
                self.declare_one(what, n)

    def declare_one(self, what, n):
        """Write a schema or a channel."""
        self.put(r.schema(self.schemas[n]) if what == "schema"
                 else r.channel(self.channels[n]))
        self.written[what, n] = self.chunk.declared[what, n] = True

    def message(self, m):
        """Write a message."""
        style, size = self.style, self.style.chunk_size
        raw = r.message(m)
        self.declare(m.channel)
        full = {"before": len(self.chunk.raw) + len(raw) >= size,
                "lazy": len(self.chunk.raw) > size}
        if full.get(style.close) and self.chunk.raw:
            self.close_chunk()
            if style.declare == "always":
                self.declare(m.channel)
        at = self.put(raw)
        self.maps.add(m.channel)
        self.counts[m.channel] = self.counts.get(m.channel, 0) + 1
        self.times.append(m.log_time)
        self.chunk.times.append(m.log_time)
        self.chunk.entries.setdefault(m.channel, []).append((m.log_time, at))
        if len(self.chunk.raw) > size - (style.close == "before") and \
                style.close != "lazy":
            self.close_chunk()

    def in_order(self, keys):
        """The keys of a map, in the order of one that is made of them."""
        if self.style.order == "file":
            return [key for key in self.maps.keys() if key in keys]
        made = ORDERS[self.style.order]()
        for key in keys:
            made.add(key)
        return made.keys()

    def message_indexes(self, entries):
        """Write them; return (channel, place) of each.  C++ has them in one map
        for the whole file."""
        if not self.style.message_index:
            return []
        order, out = self.in_order(entries), {}
        if self.style.order == "hash":
            order = [c for c in self.maps.keys() if c in entries]
        for c in order:
            out[c] = len(self.out)
            self.out += r.message_index(c, entries[c])
        return [(c, out[c]) for c in self.in_order(out)]

    def close_chunk(self):
        """Write the open chunk."""
        chunk, style = self.chunk, self.style
        if not chunk.raw or not (chunk.times or style.empty_chunks):
            return
        self.chunk = Chunk()
        raw, compression = bytes(chunk.raw), style.compression
        stored = codec.compress(style.language, compression, raw)
        if style.poor and (len(raw) < 1024 or len(raw) < 1.02 * len(stored)):
            compression, stored = "", raw
        crc = zlib.crc32(raw) if style.chunk_crc else 0
        times = (min(chunk.times), max(chunk.times)) if chunk.times \
            else (style.empty_start, 0)
        place = len(self.out)
        self.out += r.chunk(times, len(raw), crc, compression, stored)
        end = len(self.out)
        offsets = self.message_indexes(chunk.entries)
        self.indexes[r.CHUNK_INDEX].append(r.chunk_index(
            times if chunk.times else (0, 0), place, end - place, offsets,
            len(self.out) - end, compression, (len(stored), len(raw))))

    def attach(self, event):
        """Write an attachment or metadata."""
        if self.style.attachment_closes:
            self.close_chunk()
        place = len(self.out)
        if isinstance(event, r.Metadata):
            self.out += r.metadata(event)
            opcode, index = r.METADATA_INDEX, r.metadata_index
        else:
            self.out += r.attachment(event, self.style.attachment_crc)
            opcode, index = r.ATTACHMENT_INDEX, r.attachment_index
        self.indexes[opcode].append(index(event, place,
                                          len(self.out) - place))

    def event(self, event):
        """Write what the program hands over."""
        if isinstance(event, r.Message):
            self.message(event)
        elif isinstance(event, r.Private):
            if self.style.attachment_closes:
                self.close_chunk()
            self.out += r.record(event.opcode, event.data)
        elif isinstance(event, tuple) and isinstance(event[0], r.Private):
            self.put(r.record(event[0].opcode, event[0].data))
        else:
            self.attach(event)

    def summarised(self, sort, known):
        """The schemas or channels in the summary."""
        ids = [n for what, n in self.written if what == sort]
        if self.style.silent:
            ids = list(known)
        if self.style.shuffled:
            ids.sort(key=lambda n: zlib.crc32(b"%d" % n))
        elif self.style.order != "file":
            ids.sort()
        return [known[n] for n in ids]

    def statistics(self, schemas, channels):
        """What is counted."""
        others = [len(self.indexes[opcode]) for opcode in (
            r.ATTACHMENT_INDEX, r.METADATA_INDEX, r.CHUNK_INDEX)]
        times = (min(self.times), max(self.times)) if self.times else (0, 0)
        return r.statistics(
            (len(self.times), len(schemas), len(channels), *others),
            times, [(c, self.counts[c]) for c in self.maps.keys()])

    def finish(self):
        """Write all that follows the data."""
        style = self.style
        self.close_chunk()
        if style.ended:
            self.out += r.data_end(zlib.crc32(self.out) if style.data_crc
                                   else 0)
        start = len(self.out)
        schemas = self.summarised("schema", self.schemas)
        channels = self.summarised("channel", self.channels)
        groups = {r.SCHEMA: map(r.schema, schemas),
                  r.CHANNEL: map(r.channel, channels),
                  r.STATISTICS: [self.statistics(schemas, channels)],
                  **self.indexes}
        offsets = []
        for opcode in style.summary:
            place = len(self.out)
            self.out += b"".join(groups[opcode])
            if len(self.out) > place or style.empty_offsets:
                offsets.append((opcode, place, len(self.out) - place))
        offset_start = len(self.out) if style.offsets and style.summary else 0
        if style.offsets:
            self.out += b"".join(r.summary_offset(*each) for each in offsets)
        summary = bytes(self.out[start:])
        self.out += r.footer(summary, start if summary else 0, offset_start,
                             style.summary_crc) + r.MAGIC
        return bytes(self.out)


def write(recording, style):
    """The bytes of a file."""
    writer = Writer(recording, style)
    for event in recording.events:
        writer.event(event)
    return writer.finish()

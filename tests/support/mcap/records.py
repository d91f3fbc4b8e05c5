"""The records of an MCAP file as bytes.

Each function gives a whole record: opcode, length, content.
"""

import struct
import zlib
from typing import NamedTuple

MAGIC = b"\x89MCAP0\r\n"
(HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX,
 ATTACHMENT, ATTACHMENT_INDEX, STATISTICS, METADATA, METADATA_INDEX,
 SUMMARY_OFFSET, DATA_END) = range(1, 16)
UNKNOWN = (1 << 64) - 1  # what is written where a value is not known yet


class Schema(NamedTuple):
    """What the messages of a channel are."""
    id: int
    name: str
    encoding: str
    data: bytes


class Channel(NamedTuple):
    """What messages belong to."""
    id: int
    schema: int  # 0: none
    topic: str
    encoding: str
    metadata: tuple = ()  # pairs


class Message(NamedTuple):
    """One message."""
    channel: int
    sequence: int
    log_time: int
    publish_time: int
    data: bytes


class Attachment(NamedTuple):
    """A file that was recorded as well."""
    log_time: int
    create_time: int
    name: str
    media_type: str
    data: bytes


class Metadata(NamedTuple):
    """Pairs of strings that have a name."""
    name: str
    pairs: tuple


class Private(NamedTuple):
    """A record of an application."""
    opcode: int  # 0x80 or more
    data: bytes


def record(opcode, *parts):
    """A record of these parts."""
    content = b"".join(parts)
    return struct.pack("<BQ", opcode, len(content)) + content


def text(string):
    """A string."""
    raw = string.encode()
    return struct.pack("<I", len(raw)) + raw


def pairs(strings):
    """A map of strings."""
    raw = b"".join(text(key) + text(value) for key, value in strings)
    return struct.pack("<I", len(raw)) + raw


def numbers(form, entries):
    """An array of tuples."""
    raw = b"".join(struct.pack("<" + form, *entry) for entry in entries)
    return struct.pack("<I", len(raw)) + raw


def header(profile, library):
    """The first record."""
    return record(HEADER, text(profile), text(library))


def schema(s):
    """A schema."""
    return record(SCHEMA, struct.pack("<H", s.id), text(s.name),
                  text(s.encoding), struct.pack("<I", len(s.data)), s.data)


def channel(c):
    """A channel."""
    return record(CHANNEL, struct.pack("<HH", c.id, c.schema), text(c.topic),
                  text(c.encoding), pairs(c.metadata))


def message(m):
    """A message."""
    return record(MESSAGE, struct.pack("<HIQQ", m.channel, m.sequence,
                                       m.log_time, m.publish_time), m.data)


def chunk(times, size, crc, compression, stored):
    """A chunk of `size` bytes that are `stored`."""
    return record(CHUNK, struct.pack("<QQQI", *times, size, crc),
                  text(compression), struct.pack("<Q", len(stored)), stored)


def message_index(channel_id, entries):
    """(time, offset) of each message of a channel in a chunk."""
    return record(MESSAGE_INDEX, struct.pack("<H", channel_id),
                  numbers("QQ", entries))


def chunk_index(times, place, length, offsets, index_length, compression,
                sizes):
    """Where a chunk is, and its message indexes: offsets are (channel, place);
    sizes are those of what is stored and of what that is decompressed."""
    return record(CHUNK_INDEX, struct.pack("<QQQQ", *times, place, length),
                  numbers("HQ", offsets), struct.pack("<Q", index_length),
                  text(compression), struct.pack("<QQ", *sizes))


def attachment(a, crc=True):
    """An attachment."""
    content = struct.pack("<QQ", a.log_time, a.create_time) + text(a.name) \
        + text(a.media_type) + struct.pack("<Q", len(a.data)) + a.data
    return record(ATTACHMENT, content, struct.pack(
        "<I", zlib.crc32(content) if crc else 0))


def attachment_index(a, place, length):
    """Where an attachment is."""
    return record(ATTACHMENT_INDEX, struct.pack(
        "<QQQQQ", place, length, a.log_time, a.create_time, len(a.data)),
                  text(a.name), text(a.media_type))


def statistics(counts, times, of_channel):
    """counts: messages, schemas, channels, attachments, metadata, chunks;
    of_channel: (channel, messages)."""
    return record(STATISTICS, struct.pack("<QHIIIIQQ", *counts, *times),
                  numbers("HQ", of_channel))


def metadata(m):
    """Metadata."""
    return record(METADATA, text(m.name), pairs(m.pairs))


def metadata_index(m, place, length):
    """Where metadata is."""
    return record(METADATA_INDEX, struct.pack("<QQ", place, length),
                  text(m.name))


def summary_offset(opcode, place, length):
    """Where the records of one kind are in the summary."""
    return record(SUMMARY_OFFSET, struct.pack("<BQQ", opcode, place, length))


def data_end(crc):
    """The end of the data section."""
    return record(DATA_END, struct.pack("<I", crc))


def footer(summary, summary_start, offset_start, with_crc):
    """The footer after the bytes of a summary."""
    out = struct.pack("<BQQQ", FOOTER, 20, summary_start, offset_start)
    crc = zlib.crc32(out, zlib.crc32(summary)) if with_crc else 0
    return out + struct.pack("<I", crc)

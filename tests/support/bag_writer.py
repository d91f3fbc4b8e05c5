"""Writes ROS 1 bags in every shape that recorders leave, without ROS.

Shares nothing with salvor: a test must not trust the code under test to make
its input.  write(connections, messages, Shape(...)) gives the bytes of a bag.
"""

import bz2
import hashlib
import struct
import zlib
from dataclasses import dataclass
from typing import NamedTuple, Optional

from bag_cipher import encrypt

MAGIC = b"#ROSBAG V2.0\n"
HEAD_LEN = 4096  # header and padding of the bag header record
FIRST_CHUNK = 4117  # where the first chunk begins: always

OP_MESSAGE, OP_BAG, OP_INDEX, OP_CHUNK, OP_INFO, OP_CONNECTION = range(2, 8)


class Connection(NamedTuple):
    """What a recorder knows about a publisher."""
    id: int
    topic: str
    type: str
    definition: str
    callerid: Optional[str] = None
    latching: Optional[str] = None
    inner_topic: bool = True  # the data names the topic, too
    told_md5: Optional[str] = None  # instead of the right one

    @property
    def md5sum(self):
        """Of a type whose members are all built in, as ROS computes it."""
        text = self.definition.strip()
        return self.told_md5 or hashlib.md5(text.encode()).hexdigest()


class Message(NamedTuple):
    """One message; times are of its receipt."""
    conn: int
    sec: int
    nsec: int
    payload: bytes


@dataclass
class Shape:
    """How a recorder writes."""
    compression: tuple = ("none",)  # of the chunks, by turns
    threshold: int = 768 << 10  # a chunk ends after what exceeds it
    order: str = "cpp"  # of header fields: cpp, rospy, hash
    index_by: str = "conn"  # order of index records: conn, seen
    ending: str = "closed"  # or "active", or "open": inside its last chunk
    lz4_block: int = 6  # 4 to 7: 64 KiB, 256 KiB, 1 MiB, 4 MiB
    lz4_level: int = 0
    lz4_sum: bool = True  # ROS's own readers take no frame without
    repeat: bool = False  # connections again in every chunk
    encryptor: str = ""  # chunks and the connections at the end are encrypted


def u32(n):
    """Four bytes, little-endian."""
    return struct.pack("<I", n)


def u64(n):
    """Eight bytes, little-endian."""
    return struct.pack("<Q", n)


def sized(raw):
    """Bytes after their length."""
    return u32(len(raw)) + raw


def fields(pairs, order="rospy"):
    """A list of fields: as rospy in the order of the code, as C++ by name,
    or as an old Python in that of some hash."""
    if order == "cpp":
        pairs = sorted(pairs)
    elif order == "hash":
        pairs = sorted(pairs, key=lambda pair: zlib.crc32(pair[0].encode()))
    return b"".join(sized(name.encode() + b"=" + value)
                    for name, value in pairs)


def record(op, pairs, data, order):
    """A record: header and data, each after its length."""
    return sized(fields([("op", bytes([op]))] + pairs, order)) + sized(data)


def bag_header(index_pos, connections, chunks, order="cpp", more=()):
    """The record after the magic, padded."""
    header = fields([("op", bytes([OP_BAG])), ("index_pos", u64(index_pos)),
                     ("conn_count", u32(connections)),
                     ("chunk_count", u32(chunks)), *more], order)
    return sized(header) + sized(b" " * (HEAD_LEN - len(header)))


def connection_record(c, order):
    """What a connection is."""
    about = [("topic", c.topic.encode())] if c.inner_topic else []
    about += [("type", c.type.encode()), ("md5sum", c.md5sum.encode()),
              ("message_definition", c.definition.encode())]
    if c.callerid is not None:
        about.append(("callerid", c.callerid.encode()))
    if c.latching is not None:
        about.append(("latching", c.latching.encode()))
    return record(OP_CONNECTION, [("conn", u32(c.id)),
                                  ("topic", c.topic.encode())],
                  fields(about, order), order)


def encrypted_parts(made):
    """A record with its header and its data encrypted apart."""
    head, = struct.unpack_from("<I", made)
    return sized(encrypt(made[4:4 + head])) + sized(encrypt(made[8 + head:]))


def message_record(m, order):
    """A message."""
    return record(OP_MESSAGE, [("conn", u32(m.conn)),
                               ("time", u32(m.sec) + u32(m.nsec))],
                  m.payload, order)


def index_record(conn, entries, order):
    """Where the messages of a connection are in the chunk before."""
    entries = sorted(entries, key=lambda entry: entry[:2])
    return record(OP_INDEX, [("ver", u32(1)), ("conn", u32(conn)),
                             ("count", u32(len(entries)))],
                  b"".join(struct.pack("<III", *e) for e in entries), order)


def chunk_info(at, times, counts, order):
    """What is in a chunk."""
    return record(OP_INFO, [("ver", u32(1)), ("chunk_pos", u64(at)),
                            ("start_time", struct.pack("<II", *min(times))),
                            ("end_time", struct.pack("<II", *max(times))),
                            ("count", u32(len(counts)))],
                  b"".join(struct.pack("<II", *c)
                           for c in sorted(counts.items())), order)


def compress(raw, how, shape):
    """The data of a chunk as it is stored."""
    if how == "bz2":
        return bz2.compress(raw, 9)
    if how != "lz4":
        return raw
    import lz4.frame  # not needed for anything else
    # One call for all would note the size, or choose smaller blocks.
    frame = lz4.frame.LZ4FrameCompressor(
        block_size=shape.lz4_block, block_linked=False,
        content_checksum=shape.lz4_sum,
        compression_level=shape.lz4_level)
    return frame.begin() + frame.compress(raw) + frame.flush()


def chunk_record(raw, how, shape, size=None):
    """A chunk; of an open one neither length has been written yet, and of
    what a compressor holds back nothing is there."""
    if size == 0:
        stored = {"none": raw, "bz2": b""}.get(how)
        if stored is None:
            stored = compress(b"", how, shape)[:7]
    else:
        stored, size = compress(raw, how, shape), len(raw)
        if shape.encryptor:
            stored = encrypt(stored)
    made = record(OP_CHUNK, [("compression", how.encode()),
                             ("size", u32(size))], stored, shape.order)
    if size == 0:
        at = len(made) - len(stored)
        made = made[:at - 4] + u32(0) + stored
    return made


class Chunk:
    """A chunk that is being filled."""

    def __init__(self):
        self.raw = bytearray()
        self.entries = {}  # conn -> (sec, nsec, offset)

    def add(self, m, order):
        """Append a message."""
        self.entries.setdefault(m.conn, []).append(
            (m.sec, m.nsec, len(self.raw)))
        self.raw += message_record(m, order)

    def indexes(self, shape):
        """The index records after it."""
        conns = list(self.entries)
        if shape.index_by == "conn":
            conns.sort()
        return b"".join(index_record(c, self.entries[c], shape.order)
                        for c in conns)

    def info(self, at, order):
        """Its record at the end of the bag."""
        times = [e[:2] for entries in self.entries.values() for e in entries]
        return chunk_info(at, times, {c: len(e) for c, e in
                                      self.entries.items()}, order)


def fill_chunks(connections, messages, shape):
    """The messages, put into chunks as a recorder does."""
    by_id = {c.id: c for c in connections}
    told, chunks = set(), []
    for m in messages:
        if not chunks or len(chunks[-1].raw) > shape.threshold:
            chunks.append(Chunk())
            told = set() if shape.repeat else told
        if m.conn not in told:
            told.add(m.conn)
            chunks[-1].raw += connection_record(by_id[m.conn], shape.order)
        chunks[-1].add(m, shape.order)
    return chunks


def write(connections, messages, shape=Shape()):
    """The bytes of a bag."""
    chunks = fill_chunks(connections, messages, shape)
    out = bytearray(MAGIC + bytes(HEAD_LEN + 8))
    infos = bytearray()
    for number, chunk in enumerate(chunks):
        how = shape.compression[number % len(shape.compression)]
        at = len(out)
        if shape.ending == "open" and chunk is chunks[-1]:
            out += chunk_record(bytes(chunk.raw), how, shape, size=0)
            break
        out += chunk_record(bytes(chunk.raw), how, shape)
        out += chunk.indexes(shape)
        infos += chunk.info(at, shape.order)
    more = [("encryptor", shape.encryptor.encode()), ("gpg_user", b"robot"),
            ("encrypted_key", bytes(range(1, 255)))] if shape.encryptor else []
    if shape.ending == "closed":
        index_pos, used = len(out), {m.conn for m in messages}
        for c in connections:
            if c.id in used:
                made = connection_record(c, shape.order)
                out += encrypted_parts(made) if shape.encryptor else made
        out += infos
        head = bag_header(index_pos, len(used), len(chunks), shape.order, more)
    else:
        head = bag_header(0, 0, 0, shape.order, more)
    out[len(MAGIC):FIRST_CHUNK] = head
    return bytes(out)

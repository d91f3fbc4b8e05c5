"""mcap_hostile.py - MCAP files with as many of a kind as fit, each of which could
make a driver look at all others.

Each function of CROWDS gives a file of n of them.
"""
import struct
import zlib

import zstandard

from bddf_writer import field, varint
from mcap import records
from mcap.records import (Attachment, Channel, Message, Metadata, Schema,
                          attachment, channel, chunk, header, message,
                          message_index, metadata, record, schema)

LIBRARIES = ("libmcap 1.4.0", "mcap go #v1.7.3", "mcap-rs-0.24.0")


def begun(library=LIBRARIES[0]):
    """The beginning of a file."""
    return records.MAGIC + header("ros2", library)


def topic(n, schema_id=1):
    """Channel n."""
    return channel(Channel(n, schema_id, "/%d" % n, "cdr"))


def said(conn, n, data=b""):
    """Message n."""
    return message(Message(conn, n, 10**18 + n, 10**18 + n, data))


def kind(n, data=b""):
    """Schema n."""
    return schema(Schema(n, "t/T", "ros2msg", data))


def plain(inner, n, many=1):
    """A chunk of these records, of which the first of so many messages is
    number n."""
    return chunk((10**18 + n, 10**18 + n + many - 1), len(inner),
                 zlib.crc32(inner), "", inner)


def packed(inner, n, many=1):
    """The same in a frame of LZ4, whose blocks are as they were."""
    blocks = [inner[at:at + 65536] for at in range(0, len(inner), 65536)]
    stored = b"\x04\x22\x4d\x18\x60\x40\x82" + b"".join(
        struct.pack("<I", len(b) | 1 << 31) + b for b in blocks) + bytes(4)
    return chunk((10**18 + n, 10**18 + n + many - 1), len(inner),
                 zlib.crc32(inner), "lz4", stored)


def index(conn, *places):
    """A MessageIndex of messages (number, place)."""
    return message_index(conn, [(10**18 + n, at) for n, at in places])


def closed(data, summary, base=0):
    """The end of a file after these bytes, with such a summary."""
    start = base + len(data) + 13
    return data + records.data_end(0) + summary + records.footer(
        summary, start, 0, True) + records.MAGIC


# ---- many of a kind ---------------------------------------------------------


def channels_in_one(n):
    """A channel for every message, in one chunk without an index."""
    inner = b"".join(topic(k % 65536, 0) + said(k % 65536, k)
                     for k in range(n))
    return begun() + plain(inner, 0, n)


def channels_in_chunks(n):
    """The same, each in a chunk of its own."""
    return begun() + b"".join(plain(topic(k % 65536, 0) + said(k % 65536, k), k)
                              for k in range(n))


def channels_before_chunks(n):
    """Many channels, and then as many chunks that hold one message of one."""
    many = min(n, 65536)
    first = b"".join(topic(k, 0) + said(k, k) for k in range(many))
    return begun() + plain(first, 0, many) + b"".join(
        plain(said(k % 65536, many + k), many + k) for k in range(n))


def channels_lost(n):
    """Channels that only the summary declares, and chunks."""
    data = begun() + b"".join(plain(said(k % 65536, k), k) for k in range(n))
    return closed(data, b"".join(topic(k, 0) for k in range(min(n, 65536))))


def undeclared(n):
    """Messages without a chunk of channels that nothing declares, with something
    else after each."""
    return begun() + b"".join(said(k % 65536, k) + b"\xff" for k in range(n))


def named_again(n):
    """One channel again and again, each time another one."""
    return begun() + plain(b"".join(
        channel(Channel(1, 0, "/%d" % k, "cdr")) for k in range(n))
        + said(1, 0), 0)


def schemas_again(n):
    """The same of a schema, which differs in its last byte."""
    return begun() + b"".join(kind(1, b"x" * 4000 + b"%6d" % k)
                              for k in range(n))


def schemas_otherwise(n):
    """As many schemas, each of which another record of its number contradicts, all
    of packages of their own."""
    return begun() + b"".join(
        schema(Schema(k, "%s%d/T" % (package, k), "ros2msg", b""))
        for package in "pq" for k in range(1, n + 1))


def small_chunks(n):
    """Chunks with one message each and their index, of which no summary knows."""
    return begun() + topic(1, 0) + b"".join(
        plain(said(1, k), k) + index(1, (k, 0)) for k in range(n))


def packed_chunks(n):
    """The same, compressed."""
    return begun() + topic(1, 0) + b"".join(
        packed(said(1, k), k) + index(1, (k, 0)) for k in range(n))


def zeros_in_zstd(size):
    """A frame of zstd in which each block is one byte, many times."""
    block, n = struct.pack("<I", 1 | 1 << 1 | (1 << 17) << 3), size >> 17
    last = struct.pack("<I", 1 << 1 | (1 << 17) << 3)
    return (b"\x28\xb5\x2f\xfd\x00\x58" + (last[:3] + b"\0") * (n - 1)
            + block[:3] + b"\0")


def bombs():
    """(name, bytes): what they become is said, denied, or not known."""
    for name, size in (("true", 4 << 30), ("small", 1000),
                       ("most", (1 << 64) - 1)):
        yield "zstd " + name, begun() + topic(1, 0) + chunk(
            (10**18, 10**18), size, 0, "zstd", zeros_in_zstd(4 << 30))


def swollen():
    """(name, bytes): no chunk holds much, and all together hold thousands of bytes
    for each byte of the file."""
    # Message 0 is 8 MB of zeros, but for its head, which begins the frame.
    head = said(1, 0)[:9 + 22]
    inner = head[:1] + struct.pack("<Q", (8 << 20) + 22) + head[9:] + bytes(8 << 20)
    frame = (b"\x28\xb5\x2f\xfd\x00\x58" + struct.pack(
        "<I", len(head) << 3)[:3] + head + zeros_in_zstd(8 << 20)[6:])
    one = chunk((10**18, 10**18), len(inner), zlib.crc32(inner), "zstd", frame)
    yield "MCAP chunks", begun() + topic(1, 0) + one * 100


def same_chunks(n):
    """One chunk again and again, and a summary that counts one message."""
    one = plain(said(1, 0), 0) + index(1, (0, 0))
    return closed(begun() + topic(1, 0) + one * n, records.statistics(
        (1, 0, 1, 0, 0, 1), (10**18, 10**18), ((1, 1),)))


def same_chunks_apart(n):
    """The same with something else after each, and no summary."""
    one = plain(said(1, 0) + said(1, 1), 0, 2)
    return begun() + topic(1, 0) + (one + b"\xff") * n


def indexed_backwards(n):
    """Chunks, and a summary that names the last one first."""
    out, rows, at = [begun() + topic(1, 0)], [], len(begun() + topic(1, 0))
    for k in range(n):
        one, named = plain(said(1, k), k), index(1, (k, 0))
        rows.append(records.chunk_index(
            (10**18 + k,) * 2, at, len(one), ((1, at + len(one)),), len(named),
            "", (len(one) - 49, len(one) - 49)))
        out += [one, named]
        at += len(one) + len(named)
    return closed(b"".join(out), b"".join(reversed(rows)))


def counted_often(n):
    """Attachments, and as many statistics."""
    one = attachment(Attachment(1, 1, "a", "b", b""))
    row = records.statistics((0, 0, 0, n, 0, 0), (0, 0), ())
    return closed(begun() + one * n, row * n)


def spoilt_attachments(n):
    """Attachments whose checksum does not match."""
    one = bytearray(attachment(Attachment(1, 1, "a", "b", b"x" * 30)))
    one[-5] ^= 0x55
    return begun() + bytes(one) * n


def nested_attachments(n):
    """Attachments each of which reaches to the end of the file, in the data of the
    one before it."""
    size = 9 + 16 + 5 + 5 + 8 + 4
    out = []
    for k in range(n):
        data = struct.pack("<QQ", 1, 1) + records.text("a") + records.text(
            "b") + struct.pack("<Q", (n - k - 1) * size) + b"xxxx"
        out.append(struct.pack("<BQ", records.ATTACHMENT,
                               len(data) + (n - k - 1) * size) + data)
    return begun() + b"".join(out)


def metadata_records(n):
    """Metadata."""
    return begun() + metadata(Metadata("a", (("b", "c"),))) * n


def nested_indexes(n):
    """Message indexes each of which reaches to the end of 4,000, where an entry is
    wrong."""
    group = b"".join(struct.pack("<BQHI", records.MESSAGE_INDEX, 6 + 16 * k, 1,
                                 16 * k) + b"\0" for k in range(4000, 0, -1))
    return begun() + topic(1, 0) + (b"\xff" + group + b"\xff" * 32) * (n // 4000)


def long_names(n):
    """Chunk indexes that end in one long name, which is none."""
    name = b"x" * min(n * 20, 1 << 20) + b"\x01"
    last = struct.pack("<QI", 0, len(name)) + name + bytes(16)
    out = []
    for k in range(n, 0, -1):
        skip = 50 * k - 40
        out.append(struct.pack(
            "<BQQQQQI", records.CHUNK_INDEX, 36 + skip + len(last), 1, 1, 8, 8,
            skip) + b"\xff" * 5)
    return begun() + topic(1, 0) + b"\xff" + b"".join(out) + bytes(5) + last


def summarised(n):
    """Channels and attachments, and a summary that has all of them."""
    many = min(n, 65000)
    topics = b"".join(topic(k, 0) for k in range(many))
    inner = topics + b"".join(said(k, k) for k in range(many))
    one = Attachment(1, 1, "a", "b", b"")
    data, made = begun(), attachment(one)
    held = plain(inner, 0, many)
    at = len(data) + len(held)
    rows = [topics, records.chunk_index(
        (10**18, 10**18 + many - 1), len(data), len(held), (), 0, "",
        (len(inner), len(inner))), records.statistics(
            (many, 0, many, n, 0, 1), (10**18, 10**18 + many - 1),
            [(k, 1) for k in range(many)])]
    rows += [records.attachment_index(one, at + k * len(made), len(made))
             for k in range(n)]
    return closed(data + held + made * n, b"".join(rows))


def nested_headers(n):
    """A schema of the summary with the beginnings of files, each of which has a text
    that reaches to the end."""
    fake = b"".join(
        records.MAGIC + struct.pack("<BQII", records.HEADER, 8 + rest, 0, rest)
        for rest in range(25 * (n - 1), -1, -25))
    return closed(begun() + topic(1) + kind(1) + plain(said(1, 0), 0),
                  kind(1, fake) + topic(1))


def magics(n):
    """The magic again and again, in the data and in a summary."""
    fake = (records.MAGIC + b"\xff") * n
    return closed(begun() + topic(1) + kind(1) + plain(said(1, 0), 0) + fake,
                  kind(1, fake) + topic(1))


def nested_chunks(n):
    """Chunks each of which reaches to the end of the file, with checksums."""
    return begun() + b"".join(
        struct.pack("<BQQQQIIQ", records.CHUNK, 40 + 49 * (n - k - 1), 1, 1,
                    49 * (n - k - 1), 1234, 0, 49 * (n - k - 1))
        for k in range(n))


def long_heads(n, how="lz4"):
    """Heads of compressed chunks that reach beyond the end."""
    return begun() + b"".join(
        struct.pack("<BQQQQI", records.CHUNK, 40 + len(how) + 60 * n, 1, 1,
                    60 * n, 1234) + records.text(how)
        + struct.pack("<Q", 60 * n) + b"xxxx" for k in range(n))


def open_chunks(n):
    """Compressed chunks, each of which says that it is open."""
    return begun() + topic(1, 0) + b"".join(
        struct.pack("<BQ", records.CHUNK, records.UNKNOWN) + one[9:40]
        + struct.pack("<Q", records.UNKNOWN) + one[48:]
        for one in (packed(said(1, k), k) for k in range(n)))


def frames(n, magic=b"\x04\x22\x4d\x18"):
    """Beginnings of compressed frames, without heads."""
    return begun() + topic(1, 0) + packed(said(1, 0), 0) + (
        magic + b"\x64\x40\xa7" + b"\xff" * 5) * n


def frames_of_zstd(n):
    """The same of the other compression."""
    return frames(n, b"\x28\xb5\x2f\xfd")


def torn_messages(n):
    """Messages in a chunk, each of which lacks its last byte."""
    inner = b"".join(said(1, k, b"x" * 8)[:-1] for k in range(n))
    return begun() + topic(1, 0) + plain(inner, 0, n)


def torn_loose(n):
    """The same without a chunk."""
    return begun() + topic(1, 0) + b"".join(
        said(1, k, b"x" * 8)[:-1] for k in range(n))


def long_messages(n):
    """Messages whose lengths reach to the end of the file."""
    one = said(1, 1)
    return begun() + topic(1, 0) + b"".join(
        struct.pack("<BQ", records.MESSAGE, 31 * (n - k)) + one[9:]
        for k in range(n)) + b"\xff"


def torn_chunk(n):
    """Messages in a compressed chunk that is cut."""
    inner = topic(1, 0) + b"".join(said(1, k) for k in range(n))
    return begun() + packed(inner, 0, n)[:-9]


def chunks_between(n):
    """A compressed chunk and many loose messages in turn."""
    out = [begun() + topic(1, 0)]
    for k in range(n):
        out.append(said(1, k) if k % 50 else packed(said(1, k), k))
    return b"".join(out)


def files_in_payloads(n):
    """Messages each of which carries a file, and lacks a byte."""
    inner = closed(begun() + topic(1, 0) + b"".join(
        plain(said(1, k), k) + index(1, (k, 0)) for k in range(3)), b"")
    return begun() + topic(1, 0) + plain(b"".join(
        said(1, k, inner)[:-1] for k in range(n)), 0, n)


def resumed(n):
    """A file that begins again and again."""
    return small_chunks(8) * n


def private(n):
    """Records of an application."""
    return begun() + record(0x80, b"x") * n


def indexed_hole(n):
    """A chunk with a hole, and an index that names each message."""
    one = said(1, 0)
    inner = b"".join(said(1, k) for k in range(n))
    at = len(inner) // 2
    torn = inner[:at] + b"\xff" * 40 + inner[at + 40:]
    return begun() + topic(1, 0) + plain(inner, 0, n).replace(
        inner, torn) + index(1, *((k, k * len(one)) for k in range(n)))


def schemas_and_channels(n):
    """Channels each of a schema of its own, and metadata."""
    return begun() + b"".join(
        kind(k) + topic(k, k) + said(k, k)
        + metadata(Metadata("m%d" % k, (("b", "c"),)))
        for k in range(1, min(n, 65000) + 1)) + said(1, 1) * max(0, n - 65000)


def unannounced(n):
    """Messages of channels of which nothing declares each second one, and a file
    that does."""
    inner = b"".join(topic(k % 65536, 0) * (k % 2) + said(k % 65536, k)
                     for k in range(n))
    return begun() + plain(inner, 0, n), channels_in_one(n)


def long_schema(n):
    """A schema of as many hundreds of bytes."""
    return kind(1, b"uint8 a\n" + b"#" * (100 * n))


def shared_schema(n):
    """Channels of one topic that share a long schema."""
    inner = long_schema(n) + b"".join(
        channel(Channel(k, 1, "/t", "cdr")) + said(k, k, b"\0\1\0\0\1")
        for k in range(n))
    return begun() + plain(inner, 0, n)


def shared_schema_late(n):
    """Channels that share a long schema, all of which only the summary declares."""
    data = begun() + b"".join(plain(said(k, k), k) for k in range(n))
    return closed(data, long_schema(n) + b"".join(topic(k) for k in range(n)))


def shared_schema_given(n):
    """Channels that share a long schema, and that only another file declares."""
    messages = b"".join(said(k, k, b"x" * 5) for k in range(n))
    topics = b"".join(topic(k) for k in range(n))
    return (begun() + plain(long_schema(n) + messages, 0, n),
            begun() + plain(long_schema(n) + topics + messages, 0, n))


def shared_name(n):
    """Channels that share a schema with a long name, and a long name of its
    language."""
    name = "t/" + "T" * (100 * n)
    return begun() + plain(schema(Schema(1, name, name, b"")) + b"".join(
        topic(k) + said(k, k) for k in range(n)), 0, n)


def names_alone(n):
    """Messages without a byte, compressed, of a type with a list of structs in which
    nothing has a long name: as much text as such a payload may become."""
    inner = of_nothing(b"F[28] a\n====\nMSG: t/F\nE %s\n====\nMSG: t/E\n"
                       % (b"x" * 255), n)
    return begun() + chunk((10**18, 10**18), len(inner), zlib.crc32(inner), "zstd",
                           zstandard.compress(inner))


def of_nothing(text, n):
    """Messages without a byte, of a type with this definition."""
    return schema(Schema(1, "t/T", "ros1msg", text)) + channel(
        Channel(1, 1, "/t", "ros1")) + said(1, 0) * n


def structs_of_nothing(n):
    """Messages without a byte, of a type with a long list of structs in which nothing
    is."""
    return begun() + plain(of_nothing(b"E[8000] a\n====\nMSG: t/E\n", n), 0, n)


def packed_numbers(n):
    """A message of protobuf with so many fields after a long list of packed numbers,
    which comes last by its number."""
    def declared(number, label):
        return field(2, field(1, b"f%d" % number) + b"".join(
            varint(key << 3) + varint(value)
            for key, value in ((3, number), (4, label), (5, 13))))

    inner = b"".join(declared(k, 1) for k in range(1, n + 1)) + declared(n + 1, 3)
    text = field(1, field(1, b"a") + field(4, field(1, b"M") + inner))
    payload = field(n + 1, b"\1" * (n * n // 32)) + b"".join(
        varint(k << 3) + b"\1" for k in range(1, n + 1))
    inner = schema(Schema(1, "M", "protobuf", text)) + channel(
        Channel(1, 1, "/t", "protobuf")) + said(1, 0, payload)
    return begun() + plain(inner, 0)


CROWDS = ((channels_in_one, 8000), (channels_in_chunks, 5000),
          (channels_before_chunks, 4000), (channels_lost, 8000),
          (undeclared, 8000), (named_again, 12000), (schemas_again, 500),
          (schemas_otherwise, 4000),
          (small_chunks, 8000), (packed_chunks, 3000), (same_chunks, 8000),
          (same_chunks_apart, 6000), (indexed_backwards, 4000),
          (counted_often, 6000), (spoilt_attachments, 6000),
          (nested_attachments, 8000), (metadata_records, 15000),
          (summarised, 5000),
          (nested_indexes, 16000), (nested_headers, 50000), (magics, 30000),
          (long_names, 4000), (nested_chunks, 6000),
          (long_heads, 4000), (open_chunks, 4000),
          (frames, 20000), (frames_of_zstd, 20000),
          (torn_messages, 10000), (torn_loose, 10000), (long_messages, 10000),
          (torn_chunk, 60000), (chunks_between, 8000),
          (files_in_payloads, 400), (resumed, 400), (private, 30000),
          (indexed_hole, 15000), (schemas_and_channels, 5000),
          (shared_schema_late, 1000))

# Each with another file that explains it.
GIVEN = ((unannounced, 8000), (shared_schema_given, 1500))

# Whose records are written in all forms.
RECORDED = ((shared_schema, 3000), (packed_numbers, 2500),
            (structs_of_nothing, 1000))

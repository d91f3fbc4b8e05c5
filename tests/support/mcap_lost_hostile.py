"""mcap_lost_hostile.py - MCAP files with as many lost parts as fit, and definitions with
as many types: more of mcap_hostile.py.

Each function of CROWDS gives a file of n of them.
"""
import pathlib
import struct

from mcap import records
from mcap.records import Channel, Metadata, Schema, channel, chunk, metadata, schema
from mcap_hostile import begun, closed, index, packed, plain, said, topic
from support.start import TOP

HEAD = 30  # bytes of the head of a chunk that are lost


def lost_heads(n):
    """Chunks of which only the summary states the heads."""
    first, data, rows = begun() + topic(1, 0), [], []
    at = len(first)
    for k in range(n):
        inner = topic(1, 0) + said(1, k, b"x")
        raw = plain(inner, k)
        rows.append(records.chunk_index(
            (10**18 + k, 10**18 + k), at, len(raw), (), 0, "",
            (len(inner), len(inner))))
        data.append(b"\xee" * HEAD + raw[HEAD:])
        at += len(raw)
    return closed(first + b"".join(data), topic(1, 0) + b"".join(rows))


def rechunked(n):
    """Compressed chunks, each with a message of a channel that nothing declares."""
    return begun() + b"".join(
        packed(topic(1, 0) + said(1, 2 * k) + said(2 + k % 60000, 2 * k + 1), 2 * k, 2)
        for k in range(n))


def metadata_in_chunk(n):
    """A compressed chunk that ends beyond the end, in which metadata lead to what is no
    record."""
    one = metadata(Metadata("", ()))
    stored = len(one) * n + 500
    return begun() + topic(1, 0) + struct.pack(
        "<BQQQQI", records.CHUNK, 43 + stored, 1, 1, stored, 1234) + records.text(
            "lz4") + struct.pack("<Q", stored) + b"\xff" * 20 + one * n + b"\xff" * 50


def refuted(inner, n):
    """A chunk of these records, with another checksum."""
    return chunk((10**18 + n,) * 2, len(inner), 1234, "", inner)


def refuted_chunks(n):
    """Channels, and as many chunks that begin with something else than a record, after
    which records lead to the end of the file."""
    topics = b"".join(topic(k, 0) for k in range(min(n, 16000)))
    return begun() + plain(topics + said(0, 0), 0) + b"".join(
        refuted(b"\xff" * 60 + said(1, k), k) for k in range(n))


def torn_indexes(n):
    """A file that a writer made, and in it again and again garbage and two message
    indexes, of which the second one is torn."""
    raw = (pathlib.Path(TOP) / "testdata/mcap/bad-chunk-open.mcap").read_bytes()
    at, end = 1219, len(raw) - 963
    both = index(1, (1, 137), (2, 249), (3, 372)) + index(0, (0, 1))[:18]
    return raw[:at] + (b"\xb3" * 8 + b"\1" * 30 + both) * n + raw[end:]


def chunks_in_turn(n):
    """Chunks each of which states that it ends with the next one, so that records lead
    from each past every second one."""
    one = plain(b"\xff" * 60 + said(1, 1), 1)
    stored = len(one) + len(one) - 49
    one = struct.pack("<BQ", records.CHUNK, len(one) + len(one) - 9) + one[9:41] + (
        struct.pack("<Q", stored) + one[49:])
    return begun() + topic(1, 0) + one * n


def refuted_length(n):
    """A message with a wrong length, and channels each of which leads to a byte that
    is no record."""
    inner = said(1, 1)
    inner = inner[:1] + struct.pack("<Q", 1 << 40) + inner[9:]
    return begun() + plain(topic(7, 0) + said(7, 0), 0) + refuted(
        inner + topic(7, 0) * n + b"\xff" * 20, 1) + index(1, (1, 0))


def long_type(n):
    """A message with so many structs; their type is looked up beside one of a name that
    is much longer than all of them."""
    text = b"".join(b"T f%d\n" % k for k in range(n)) + b"".join(
        b"====\nMSG: %s\nbyte a\n" % name for name in (b"T", b"k" * (50 * n), b"b"))
    inner = schema(Schema(1, "p/T", "ros1msg", text)) + channel(
        Channel(1, 1, "/t", "ros1")) + said(1, 0, b"x" * n)
    return begun() + plain(inner, 0)


def wide_schema(n):
    """Channels that share a schema with many fields, none of which has a byte."""
    text = "\n".join("E f%d" % k for k in range(2000)) \
        + "\n" + "=" * 80 + "\nMSG: a/E\nbool none=1\n"
    return begun() + schema(Schema(1, "a/msg/T", "ros2msg", text.encode())) + b"".join(
        channel(Channel(k, 1, "/t%d" % k, "cdr")) + said(k, k, b"\0\1\0\0")
        for k in range(n))


CROWDS = ((lost_heads, 5000), (rechunked, 5000), (metadata_in_chunk, 4000),
          (refuted_chunks, 3000), (refuted_length, 4000), (chunks_in_turn, 3000),
          (torn_indexes, 4000))

# The records of these are written in all forms.
RECORDED = ((long_type, 15000),)

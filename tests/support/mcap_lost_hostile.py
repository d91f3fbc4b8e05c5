"""mcap_lost_hostile.py - MCAP files with as many lost parts as fit, and definitions with
as many types: more of mcap_hostile.py.

Each function of CROWDS gives a file of n of them.
"""
from mcap import records
from mcap.records import Channel, Schema, channel, schema
from mcap_hostile import begun, closed, packed, plain, said, topic

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


def long_type(n):
    """A message with so many structs, whose type is looked up beside one of a name that
    is much longer than all of them."""
    text = b"".join(b"T f%d\n" % k for k in range(n)) + b"".join(
        b"====\nMSG: %s\nbyte a\n" % name for name in (b"T", b"k" * (50 * n), b"b"))
    inner = schema(Schema(1, "p/T", "ros1msg", text)) + channel(
        Channel(1, 1, "/t", "ros1")) + said(1, 0, b"x" * n)
    return begun() + plain(inner, 0)


CROWDS = ((lost_heads, 5000), (rechunked, 5000))

# Whose records are written in all forms.
RECORDED = ((long_type, 15000),)

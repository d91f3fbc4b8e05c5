"""cyber_hostile.py - crowds of chunks, each of which may be in a Cyber record twice, or
not be of it.
"""

import struct

import cyber_writer
from bddf_writer import field, varint
from cyber_proto import CHANNEL, CHUNK_BODY, CHUNK_HEADER, INDEX

TIME = 10 ** 18
FAR = 2 * 10 ** 9  # ns


def section(kind, content):
    """A section of a record."""
    return struct.pack("<IIQ", kind, 0, len(content)) + content


def message(time, content):
    """A message in a chunk; contents may be too many for protobuf's writer."""
    made = field(1, b"/a") + field(2, time) + field(3, content)
    return field(1, made)


def chunk(times, messages, count=1, raw=8):
    """A chunk, and what its header states."""
    return section(CHUNK_HEADER, field(1, times[0]) + field(2, times[1])
                   + field(3, count) + field(4, raw)) \
        + section(CHUNK_BODY, b"".join(messages))


def record(*parts, **numbers):
    """A record with one channel."""
    return cyber_writer.head(cyber_writer.Shape(), **numbers) + section(
        CHANNEL, field(1, b"/a") + field(2, b"a.T")) + b"".join(parts)


def counted_messages(n):
    """Chunks that count one message and have it twice."""
    return record(*(chunk((TIME + k, TIME + k),
                          [message(TIME + k, b"%08d" % k)] * 2)
                    for k in range(n)))


def equal_claims(n):
    """Chunks that are all equal, with something else after each 50 of them."""
    one = chunk((TIME, TIME), [message(TIME, b"12345678")])
    return record(*((one * 50 + b"\xff" * 9) for _ in range(n // 50)))


def unlisted_chunks(n):
    """Chunks in stretches, and an index of as many others."""
    parts, entries = [], []
    for k in range(n):
        time = TIME + k * FAR
        parts.append(chunk((time, time), [message(time, b"1234")], raw=4))
        parts.append(b"\xff" * 7 * (k % (n // 900) == 0))
        for kind, tag in ((CHANNEL, 101), (CHUNK_HEADER, 102),
                          (CHUNK_BODY, 103)):
            claim = field(1, 1) + field(2, 7 + k) + field(3, 7 + k) \
                + field(4, 99) if kind == CHUNK_HEADER else b""
            entries.append(field(1, field(1, kind) + field(2, 5000 + k)
                                 + varint(tag << 3 | 2) + varint(len(claim))
                                 + claim))
    return record(*parts, section(INDEX, b"".join(entries)))


def alike_before(n):
    """Messages of one time after a long message that has all of their bytes, too."""
    one = chunk((5, 5), [message(5, b"")] * 3, raw=0)
    long = chunk((4, 4), [message(4, one * n)], raw=len(one) * n)
    return record(long, one * (n // 3), chunk((6, 7), [message(7, b"12345678")]),
                  is_complete=True, message_number=10 ** 9)


CROWDS = ((counted_messages, 20000), (equal_claims, 20000),
          (unlisted_chunks, 10000), (alike_before, 4500))

"""Writes BDDF logs from scratch, odd ones if need be.

Shares nothing with salvor or bddf_reader.py.
"""

import hashlib

NONE, SHA1 = 1, 2  # checksum types

# ---- protobuf -------------------------------------------------------------


def varint(n):
    """A number as protobuf writes it; negative ones take ten bytes."""
    n, out = n & (1 << 64) - 1, bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes(out) + bytes([n])


def field(number, value, always=False):
    """One field; like any writer of proto3, none at all for a zero."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value) if value or always else b""
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def packed(number, values):
    """A repeated number."""
    return field(number, b"".join(map(varint, values))) if values else b""


def identifier(name):
    """The SeriesIdentifier of a series of type "v" and this name."""
    return field(1, "v") + field(2, field(1, "name") + field(2, name))


def identifier_hash(name):
    """The hash that belongs to it."""
    made = hashlib.sha1(b"vname" + name.encode()).digest()
    return int.from_bytes(made[:8], "big")


def stamp(n, shift=0):
    """The Timestamp of the n-th block of a log, seconds off."""
    return field(1, 1700001000 + shift) + field(2, 1000000 * n + 1)


# ---- logs from scratch ----------------------------------------------------


def reseal(raw):
    """The same log with the right digest."""
    made = hashlib.sha1(raw[:-24]).digest()
    return bytes(raw[:-24]) + made + bytes(raw[-4:])


class Log:
    """A log being written, as the vendor's writer would unless told not to.
    Its methods return it, so that calls can be chained."""

    def __init__(self, grammar=False, type_last=True, version=(1, 0, 0),
                 checksum=SHA1, checksum_size=20, more=b""):
        self.grammar, self.type_last = grammar, type_last
        self.checksum, self.raw = checksum, bytearray(b"BDDF")
        self.series = {}  # series_index -> (SeriesIdentifier, hash, offset)
        self.entries = {}  # series_index -> BlockEntry messages
        self.total = {}  # series_index -> bytes of payload
        self.count = 0  # data blocks so far
        self.shift = 0  # seconds that its clock is off
        numbers = b"".join(field(n, v) for n, v in enumerate(version, 1))
        self.describe(1, field(1, numbers) + field(3, checksum)
                      + field(4, checksum_size) + more)

    def block(self, kind, size, body):
        """Append a block that says it is of this size."""
        kind ^= kind < 2 and self.grammar
        number = kind << 56 | size if self.type_last else size << 8 | kind
        self.raw += number.to_bytes(8, "little") + body
        return self

    def describe(self, member, body):
        """Append a descriptor block."""
        body = field(member, body)
        return self.block(1, len(body), body)

    def declare(self, index, name, extras=(), made=None, more=b"",
                written=True, listed=True, kind=None):
        """Append a SeriesDescriptor and remember it for the index."""
        made = made or identifier_hash(name)
        at = len(self.raw) if written else 0
        if written:
            self.describe(2, field(1, index) + field(2, identifier(name))
                          + field(3, made)
                          + (kind or field(4, field(1, "text/plain")
                                           + field(2, "note")))
                          + b"".join(field(8, e) for e in extras) + more)
        if listed:
            self.series.setdefault(index, (identifier(name), made, at))
        return self

    def clock(self, shift):
        """Set the clock of the blocks that follow, seconds off."""
        self.shift = shift
        return self

    def data(self, index, payload, extras=(), descriptor=None, timed=True,
             written=True):
        """Append a data block and list it in the index."""
        self.count += 1
        at = len(self.raw)
        time = [field(n, stamp(self.count, self.shift)) if timed else b""
                for n in (1, 2)]
        if descriptor is None:
            descriptor = field(1, index) + time[1] + packed(3, extras)
        if written:
            size = len(descriptor)
            self.block(0, size + len(payload),
                       size.to_bytes(4, "little") + descriptor + payload)
        self.total[index] = self.total.get(index, 0) + len(payload)
        self.entries.setdefault(index, []).append(
            time[0] + field(2, at) + packed(3, extras))
        return self

    def close(self, index=True):
        """The log with indexes, unless told not to, and end block."""
        places, rows = [], [row for _, row in sorted(self.series.items())]
        for n, (_, _, at) in sorted(self.series.items()) if index else ():
            places.append(len(self.raw))
            self.describe(3, field(1, n) + field(2, at) + b"".join(
                field(3, entry) for entry in self.entries.get(n, ()))
                + field(4, self.total.get(n, 0)))
        at = len(self.raw) if index else 0
        if index:
            self.describe(4, b"".join(field(1, ident) for ident, _, _ in rows)
                + packed(2, places) + packed(3, [made for _, made, _ in rows]))
        self.block(2, 20 if self.grammar else 24,
                   at.to_bytes(8, "little") + bytes(20) + b"FDDB")
        return bytes(self.raw) if self.checksum == NONE else reseal(self.raw)


def small(extras=(), more=b"", **how):
    """A log of one series and two blocks, not yet closed."""
    return (Log(**how).declare(0, "a", extras, more=more)
            .data(0, b"first", [7] * len(extras))
            .data(0, b"second", [8] * len(extras)))


def listed_oddly():
    """The same, whose FileIndex says more of the series than the series."""
    log = small()
    ident, made, at = log.series[0]
    log.series[0] = ident + field(15, 1), made, at
    return log.close()


def paged(**how):
    """The same and a block that holds a page of zeros."""
    return small(**how).data(0, b"x" * 3700 + bytes(5000) + b"y")


def sample(dice, blocks, sizes):
    """A log of three series with random payloads of these sizes."""
    log = Log()
    for series in range(3):
        log.declare(series, 'series-%d' % series)
    for number in range(blocks):
        log.data(number % 3, dice.randbytes(dice.choice(sizes)))
    return bytes(log.close())

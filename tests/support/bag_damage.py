"""Damages bags, and says what of them could be saved at best.

A Damaged is a bag as pieces of the original and foreign bytes; bound() says of
each message of the original, from that alone, whether its stored bytes are
all still there: whole, decodable only as the beginning of a damaged chunk
that nothing vouches for, or gone.
"""

import bz2
import struct
from dataclasses import dataclass, field

GONE, LIKELY, SURE = range(3)  # see bound()
HEAD_END = 4117
FOREIGN = None


class Piece:
    """Bytes of the original from an offset, or foreign ones."""

    def __init__(self, raw, source=FOREIGN):
        self.raw, self.source = raw, source

    def cut(self, start, end):
        """A part of it."""
        return Piece(self.raw[start:end],
                     FOREIGN if self.source is None else self.source + start)


class Damaged:
    """What became of a bag.  All offsets are in what it is at the time."""

    def __init__(self, original):
        self.pieces = [Piece(original, 0)]

    def __len__(self):
        return sum(len(p.raw) for p in self.pieces)

    def bytes(self):
        """The file."""
        return b"".join(p.raw for p in self.pieces)

    def part(self, start, end):
        """The pieces of a range."""
        out, at = [], 0
        for p in self.pieces:
            low, high = max(start - at, 0), min(end - at, len(p.raw))
            if low < high:
                out.append(p.cut(low, high))
            at += len(p.raw)
        return out

    def set(self, pieces):
        """Put it together anew; neighbours that belong together are one."""
        self.pieces = []
        for p in pieces:
            last = self.pieces[-1] if self.pieces else None
            if last and last.source is not None and p.source is not None \
                    and last.source + len(last.raw) == p.source:
                self.pieces[-1] = Piece(last.raw + p.raw, last.source)
            elif p.raw:
                self.pieces.append(p)
        return self

    def splice(self, start, end, pieces):
        """Put pieces in place of a range."""
        return self.set(self.part(0, start) + pieces
                        + self.part(end, len(self)))

    def cut(self, at):
        """Let it end there."""
        return self.set(self.part(0, at))

    def remove(self, start, end):
        """Take a range out."""
        return self.splice(start, end, [])

    def insert(self, at, raw):
        """Put foreign bytes in."""
        return self.splice(at, at, [Piece(raw)])

    def repeat(self, start, end):
        """Let a range be followed by a copy of it."""
        return self.splice(end, end, self.part(start, end))

    def overwrite(self, at, raw):
        """Put foreign bytes over what is there, except for those at both ends
        that are the same."""
        was = b"".join(p.raw for p in self.part(at, at + len(raw)))
        raw, low, high = raw[:len(was)], 0, len(was)
        while low < high and was[low] == raw[low]:
            low += 1
        while high > low and was[high - 1] == raw[high - 1]:
            high -= 1
        if low < high:
            self.splice(at + low, at + high, [Piece(raw[low:high])])
        return self

    def places(self, start, end):
        """Where bytes [start, end) of the original are, all in a row."""
        at = 0
        for p in self.pieces:
            if p.source is not None and p.source <= start \
                    and end <= p.source + len(p.raw):
                yield at + start - p.source
            at += len(p.raw)

    def has(self, start, end):
        """Are these bytes of the original there?"""
        return next(self.places(start, end), None) is not None

    def prefix(self, start, end):
        """How many of these bytes are there from the first on, and whether
        the file ends after them."""
        best, ends, at = 0, False, 0
        for p in self.pieces:
            at += len(p.raw)
            if p.source is None or not \
                    p.source <= start < p.source + len(p.raw):
                continue
            found = min(end, p.source + len(p.raw)) - start
            if found > best:
                best = found
                ends = p is self.pieces[-1] and start + found \
                    == p.source + len(p.raw)
        return best, ends


# ---- what a prefix of a chunk still gives ----------------------------------


def lz4_block(block, length):
    """How many bytes the first bytes of a block decode to."""
    at = made = 0
    while at < length:
        token = block[at]
        at += 1
        n, at = lz4_length(block, at, length, token >> 4)
        if n is None:
            break
        take = min(n, length - at)
        made += take
        at += n
        if at + 2 > length:
            break
        at += 2
        n, at = lz4_length(block, at, length, token & 15)
        if n is None:
            break
        made += n + 4
    return made


def lz4_length(block, at, length, n):
    """A length of LZ4, and what follows it; None where it is cut."""
    if n == 15:
        while True:
            if at >= length:
                return None, at
            n += block[at]
            at += 1
            if block[at - 1] != 255:
                break
    return n, at


def lz4_prefix(frame, length):
    """How many bytes the first bytes of a frame decode to."""
    if length < 7:
        return 0
    flags, at, made = frame[4], 7, 0
    at += 8 * (flags >> 3 & 1) + 4 * (flags & 1)
    while at + 4 <= length:
        size, = struct.unpack_from("<I", frame, at)
        at += 4
        plain, size = size >> 31, size & 0x7fffffff
        if size == 0:
            break
        there = max(0, min(size, length - at))
        made += there if plain else lz4_block(frame[at:at + there], there)
        at += size + 4 * (flags >> 4 & 1)
    return made


def bz2_prefix(stream, length):
    """How many bytes of whole blocks the first bytes of a stream give."""
    try:
        return len(bz2.BZ2Decompressor().decompress(stream[:length]))
    except OSError:
        return 0


# ---- the bound --------------------------------------------------------------


@dataclass
class Bound:
    """What could be saved: fates[i] is of the i-th message."""
    fates: list
    blurred: set = field(default_factory=set)  # hit where nobody can see it
    torn: set = field(default_factory=set)  # connections that were hit

    def count(self, least):
        """How many messages have at least this fate."""
        return sum(fate >= least for fate in self.fates)


def reach(damaged, chunk, raw):
    """Of a compressed chunk: bytes of its data that a prefix of what is
    stored gives, and what that is worth."""
    start, end = chunk.data_at, chunk.end
    there, at_end = damaged.prefix(start, end)
    if there == end - start:
        return len(chunk.data), SURE
    if chunk.compression == "bz2":  # each of its blocks has a checksum
        return bz2_prefix(raw[start:end], there), SURE
    return lz4_prefix(raw[start:end], there), SURE if at_end else LIKELY


def blurs(damaged, start, end, head_end):
    """Was only the payload of a record hit, and nothing moved?  Its header
    and what follows it are still as far apart."""
    return any(behind - place == end - start
               for place in damaged.places(start, head_end)
               for behind in damaged.places(end, end + 8))


def bound(damaged, bag):
    """The Bound of a damaged bag; the original as the strict reader has it."""
    raw, fates, blurred, known = bag.raw, [], set(), {}

    def learn(conn, fate):
        known[conn] = max(known.get(conn, GONE), fate)

    for start, end, found in bag.tail:
        learn(found.id, SURE if damaged.has(start, end) else GONE)
    for chunk in bag.chunks:
        plain = chunk.compression == "none"
        size, worth = (0, SURE) if plain else reach(damaged, chunk, raw)

        def fate(start, end):
            if plain:
                start, end = chunk.data_at + start, chunk.data_at + end
                return SURE if damaged.has(start, end) else GONE
            return worth if end <= size else GONE

        for start, end, found in chunk.connections:
            learn(found.id, fate(start, end))
        for m in chunk.messages:
            is_ = fate(m.at, m.end)
            if plain and not is_ and blurs(
                    damaged, chunk.data_at + m.at, chunk.data_at + m.end,
                    chunk.data_at + m.end - len(m.payload)):
                blurred.add(len(fates))
            fates.append(is_)
    conns = [m.conn for m in bag.messages()]
    return Bound([min(fate, known[c]) for fate, c in zip(fates, conns)],
                 blurred, {c for c, fate in known.items() if fate < SURE})

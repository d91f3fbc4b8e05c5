"""damage - what happens to a flight log between the vehicle and its reader.

Each function takes the log, another one of the same vehicle, and a random number
generator, and returns a Damaged.  What any flat log suffers is in ulog.damage.
"""

import functools

from ulog import damage as flat
from ulog.damage import lay, spot
from ulog.judge import Damaged

from . import judge
from .writer import FMT

PACKET = 90  # bytes of a log in a packet of a MAVLink download


@functools.lru_cache(maxsize=None)
def formats_of(raw):
    """(begin, end) of the formats."""
    return [(one.off, one.end) for one in judge.strict(raw).messages
            if one.number == FMT]


def padding(raw, other, rng):
    """The last page of a chip."""
    at = rng.randrange(len(raw) // 2, len(raw))
    return Damaged([(0, at), b"\xff" * rng.randrange(1, 250)], raw)


def packet_zeros(raw, other, rng):
    """Packets of a download were lost: zeros."""
    pieces, at = [], 0
    for place in sorted({spot(raw, rng, PACKET, 1) for _ in range(4)}):
        size = PACKET * rng.randint(1, 3)
        if at <= place and place + size < len(raw):
            pieces += [(at, place), bytes(size)]
            at = place + size
    return Damaged(pieces + [(at, len(raw))], raw)


def packet_gone(raw, other, rng):
    """Packets of a download were lost: what follows is shifted."""
    pieces, at = [], 0
    for place in sorted({spot(raw, rng, PACKET, 1) for _ in range(3)}):
        if at <= place:
            pieces.append((at, place))
            at = min(place + PACKET, len(raw))
    return Damaged(pieces + [(at, len(raw))], raw)


def packet_other(raw, other, rng):
    """Packets of a download are of another log."""
    at = spot(raw, rng, PACKET, 1)
    size = PACKET * rng.randint(3, 30)
    return lay(raw, at, other[at:at + size] or bytes(size))


def stale_big(raw, other, rng):
    """A large cluster of an older log."""
    at = spot(raw, rng, 32768, 1) % len(raw) // 4096 * 4096
    return lay(raw, at, other[at:at + 32768] or bytes(4096))


def flip(raw, other, rng):
    """A flipped bit."""
    at = rng.randrange(len(raw))
    return lay(raw, at, bytes([raw[at] ^ 1 << rng.randrange(8)]))


def flips(raw, other, rng):
    """Flipped bits."""
    pieces, at = [], 0
    for to in sorted(rng.randrange(len(raw)) for _ in range(8)):
        if to >= at:
            pieces += [(at, to), bytes([raw[to] ^ 1 << rng.randrange(8)])]
            at = to + 1
    return Damaged(pieces + [(at, len(raw))], raw)


def flip_format(raw, other, rng):
    """A flipped bit in a format."""
    at = rng.randrange(*rng.choice(formats_of(raw)))
    return lay(raw, at, bytes([raw[at] ^ 1 << rng.randrange(8)]))


def doubled_range(raw, other, rng):
    """A range that comes twice."""
    at = rng.randrange(len(raw) // 3, len(raw))
    back = rng.randrange(len(raw) // 3, at + 1)
    return Damaged([(0, at), (back, len(raw))], raw)


def head_zero(raw, other, rng):
    """The first 8 KiB are zeros."""
    return lay(raw, 0, bytes(8192))


def head_gone(raw, other, rng):
    """The file has no beginning."""
    return Damaged([(rng.randrange(1, 12000), len(raw))], raw)


CLASSES = {one.__name__: one for one in (
    flat.cut, flat.cut_cluster, flat.zero_tail, flat.stale_tail,
    flat.zero_sector, flat.zero_sectors, flat.zero_cluster, flat.ones_sector,
    flat.noise, flat.missing_sector, flat.missing_cluster,
    flat.stale_cluster, flat.stale_elsewhere, flat.holes, flat.inserted,
    flat.front, flat.doubled, padding, packet_zeros, packet_gone,
    packet_other, stale_big, flip, flips, flip_format, doubled_range,
    head_zero, head_gone)}

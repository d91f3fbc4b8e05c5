"""damage - what happens to a flight log between the vehicle and its reader.

Each function takes the log, another one of the same vehicle, and a random number
generator, and returns a judge.Damaged.
"""

import functools

from .judge import Damaged, split


def lay(raw, at, new):
    """Bytes laid over others."""
    new = new[:len(raw) - at]
    return Damaged([(0, at), new, (at + len(new), len(raw))], raw)


def spot(raw, rng, unit, first=0):
    """A place that is a multiple of the unit."""
    return rng.randrange(first, max(first + 1, len(raw) // unit)) * unit


@functools.lru_cache
def data_start(raw):
    """Where the definitions end."""
    return next(one.off for one in split(raw) if one.kind == "A")


def cut(raw, other, rng):
    """Power loss."""
    return Damaged([(0, rng.randrange(17, len(raw)))], raw)


def cut_cluster(raw, other, rng):
    """The file ends with a cluster."""
    return Damaged([(0, spot(raw, rng, 4096, 1))], raw)


def zero_tail(raw, other, rng):
    """Space that was never written."""
    at = spot(raw, rng, 512, 1)
    return Damaged([(0, at), bytes(rng.randrange(1, 70000))], raw)


def stale_tail(raw, other, rng):
    """Space that has bytes of an older log."""
    at = spot(raw, rng, 4096, len(raw) // 8192)
    return Damaged([(0, at), other[at // 2:at // 2 + 8192]], raw)


def zero_sector(raw, other, rng):
    """Zeros over a few sectors."""
    return lay(raw, spot(raw, rng, 512), bytes(512 * rng.randint(1, 3)))


def zero_sectors(raw, other, rng):
    """Zeros over sectors in four places."""
    spots = sorted({spot(raw, rng, 512, 1) for _ in range(4)})
    pieces, at = [], 0
    for place in spots:
        pieces += [(at, place), bytes(512)]
        at = place + 512
    return Damaged(pieces + [(at, len(raw))], raw)


def zero_cluster(raw, other, rng):
    """Zeros over a cluster."""
    return lay(raw, spot(raw, rng, 4096), bytes(4096))


def ones_sector(raw, other, rng):
    """An erased page of flash."""
    return lay(raw, spot(raw, rng, 512), b"\xff" * 512)


def noise(raw, other, rng):
    """A sector of noise."""
    return lay(raw, spot(raw, rng, 512), rng.randbytes(512))


def missing_sector(raw, other, rng):
    """A sector is not there."""
    at = spot(raw, rng, 512, 1)
    return Damaged([(0, at), (min(at + 512, len(raw)), len(raw))], raw)


def missing_cluster(raw, other, rng):
    """A cluster is not there."""
    at = spot(raw, rng, 4096, 1)
    return Damaged([(0, at), (min(at + 4096, len(raw)), len(raw))], raw)


def stale_cluster(raw, other, rng):
    """A cluster of an older log of the vehicle."""
    at = spot(raw, rng, 4096, 1)
    return lay(raw, at, other[at:at + 4096] or bytes(512))


def stale_elsewhere(raw, other, rng):
    """A cluster of another place of the older log."""
    at, of = spot(raw, rng, 4096, 1), spot(other, rng, 4096, 1)
    return lay(raw, at, other[of:of + 4096])


def holes(raw, other, rng):
    """Packets of a download over MAVLink are missing."""
    pieces, at = [], 0
    for _ in range(3):
        to = rng.randrange(at, max(at + 1, len(raw)))
        pieces.append((at, to))
        at = min(to + 249, len(raw))
    return Damaged(pieces + [(at, len(raw))], raw)


def inserted(raw, other, rng):
    """Bytes too many."""
    at = rng.randrange(17, len(raw))
    return Damaged([(0, at), rng.randbytes(rng.randint(1, 600)),
                    (at, len(raw))], raw)


def front(raw, other, rng):
    """Bytes before the log."""
    return Damaged([rng.randbytes(rng.randint(1, 3000)), (0, len(raw))], raw)


def flip(raw, other, rng):
    """A flipped bit in the data."""
    at = rng.randrange(data_start(raw), len(raw))
    return lay(raw, at, bytes([raw[at] ^ 1 << rng.randrange(8)]))


def flip_head(raw, other, rng):
    """A flipped bit in the definitions, but not in flags that make readers
    refuse a log."""
    at = rng.choice([at for at in range(data_start(raw))
                     if not 27 <= at < 35])
    return lay(raw, at, bytes([raw[at] ^ 1 << rng.randrange(8)]))


def flips(raw, other, rng):
    """Flipped bits in the data."""
    pieces, at = [], 0
    for to in sorted(rng.randrange(data_start(raw), len(raw))
                     for _ in range(8)):
        if to >= at:
            pieces += [(at, to), bytes([raw[to] ^ 1 << rng.randrange(8)])]
            at = to + 1
    return Damaged(pieces + [(at, len(raw))], raw)


def doubled(raw, other, rng):
    """A cluster that was written twice."""
    at = spot(raw, rng, 4096, 1)
    return Damaged([(0, at), (max(at - 4096, 0), len(raw))], raw)


def doubled_range(raw, other, rng):
    """A range that comes twice."""
    at = rng.randrange(data_start(raw), len(raw))
    back = rng.randrange(data_start(raw), at + 1)
    return Damaged([(0, at), (back, len(raw))], raw)


def head_zero(raw, other, rng):
    """The first sectors are zeros."""
    return lay(raw, 0, bytes(512 * rng.randint(1, 4)))


def head_gone(raw, other, rng):
    """The file has no beginning."""
    return Damaged([(rng.randrange(1, 3000), len(raw))], raw)


CLASSES = {one.__name__: one for one in (
    cut, cut_cluster, zero_tail, stale_tail, zero_sector, zero_sectors,
    zero_cluster, ones_sector, noise, missing_sector, missing_cluster,
    stale_cluster, stale_elsewhere, holes, inserted, front, flip, flip_head,
    flips, doubled, doubled_range, head_zero, head_gone)}

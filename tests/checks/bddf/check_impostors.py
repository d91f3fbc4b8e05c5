#!/usr/bin/python3
"""A BDDF log with payloads that hold blocks of another log, with the same series:
a recorder of downloads stores another log in pieces.

- the head of a carrying block is overwritten: no block inside its payload
  becomes a block of the log, however many there are
- the log is cut inside such a block and another log follows: the blocks that
  end before the cut are kept, and nothing else is
- the log is cut inside such a block and zeros follow: the same
- parts of such payloads are elsewhere, so that blocks of the other log are in two
  places where nothing carries them; or the blocks before and inside such a payload
  are chained, because a size is wrong or a few bytes are too many: the same, and
  blocks of this log after them are kept

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import os
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from bddf_writer import Log
    from tally import check, end
    bddf_trial.load()

DAY = 86400
COMMON = 3  # series that both logs have; the next one carries
LASTS = range(20, 400)  # sizes of carried blocks
STEP = 211  # bytes from one place of damage to the next


def fill(log, random_, first, n):
    """n blocks of the common series, of all sizes."""
    for number in range(first, first + n):
        size = random_.choice([3, 30, 90, 300])
        log.data(number % COMMON, b'%08d ' % number + random_.randbytes(size))
    return log


def begin(shift=0):
    """A log that declares the common series."""
    log = Log().clock(shift)
    for series in range(COMMON):
        log.declare(series, 's%d' % series)
    return log


def blocks(raw, at):
    """Where blocks begin, from there on."""
    while at < len(raw):
        yield at
        size = int.from_bytes(raw[at:at + 7], 'little')
        at += size + (8 if raw[at + 7] else 12)


def pieces(inner, n, whole):
    """n parts of the inner log, about as long, that end in its blocks or at
    the ends of some."""
    ends = [len(inner) * part // n for part in range(n + 1)]
    if whole:
        stops = list(blocks(inner, 4))
        ends = [min(stops, key=lambda stop: abs(stop - end)) for end in ends]
    return [inner[at:stop] for at, stop in zip(ends, ends[1:])]


def carrier(parts, n):
    """A log of n blocks before, between and after blocks that carry parts of
    another."""
    random_ = random.Random(n)
    log = begin().declare(COMMON, 'download')
    for number, part in enumerate(parts):
        fill(log, random_, number * n, n)
        log.data(COMMON, part)
    return fill(log, random_, len(parts) * n, n)


def inner_log(shift, n=200):
    """The log that is carried."""
    log = fill(begin(shift), random.Random(7), 5000000, n)
    return bytes(log.raw)


def logs():
    """(name, log with its indexes, log without, places of the heads of its
    carrying blocks, where one of them ends)."""
    for shift_name, shift in ('older', -400), ('days', -3 * DAY):
        inner = inner_log(shift)
        for n in 40, 8:
            for ends in 'torn', 'whole':
                made = carrier(pieces(inner, 4, ends == 'whole'), n)
                bare = bytes(made.raw)
                yield '-'.join((shift_name, str(n), ends)), made.close(), bare


def carriers(raw):
    """(offset, end) of the carrying blocks."""
    file = bddf_trial.bddf_reader.read_file(raw)
    return [(b.offset, b.end) for b in file.of('data')
            if b.message.series_index == COMMON]


def holes(raw, places):
    """Damage over the heads of carrying blocks."""
    for at, end_ in places:
        for before in 0, 3:
            for size in 9, 94:
                for fill_name, byte in ('zero', 0), ('ff', 255), ('random', -1):
                    hole = (random.Random(at + size).randbytes(size)
                            if byte < 0 else bytes([byte]) * size)
                    start = at - before
                    yield ('%d-%d-%d-%s' % (at, before, size, fill_name),
                           raw[:start] + hole + raw[start + size:])


def cuts(raw, places, other):
    """The log cut inside a carrying block, and another log."""
    at, end_ = places[1]
    for cut in range(at + 40, end_, STEP):
        yield '%d' % cut, raw[:cut] + other


def zero_tails(raw, places):
    """The log cut inside a carrying block, and zeros that were never
    written."""
    at, end_ = places[1]
    for cut in range(at + 40, end_, STEP):
        yield '%d' % cut, raw[:cut] + bytes(2 * (end_ - at))


def moved(raw, places):
    """Parts of the log that begin and end inside carrying blocks, elsewhere.  With an
    index many places are tried for them, which takes long."""
    for number in range(3 if b'FDDB' in raw else 24):
        rng = random.Random(number)
        first, last, to = (
            rng.randrange(start + 30, end_) for start, end_ in rng.sample(
                places, k=3))
        first, last = min(first, last), max(first, last)
        if not first <= to < last:
            rest = raw[:first] + raw[last:]
            to -= (last - first) * (to >= last)
            yield '%d' % number, rest[:to] + raw[first:last] + rest[to:]


def chained(raw, places):
    """A carrying block that ends where its last block begins, because something
    was inserted; and one whose head is part of the block before it."""
    for at, end_ in places:
        before = max(start for start in blocks(raw, 4) if start < at)
        head = 12 + int.from_bytes(raw[at + 8:at + 12], 'little')
        yield ('swallowed %d' % at, raw[:before] + (
            at - before - 12 + head).to_bytes(7, 'little') + raw[before + 7:])
        for size in LASTS:
            if raw[end_ - size:end_ - size + 8] == (size - 12).to_bytes(
                    8, 'little'):
                for place in at + head + 40, end_ - size - 5:
                    yield ('grown %d %d' % (at, place), raw[:place]
                           + random.Random(at).randbytes(size) + raw[place:])


def invented(result, original):
    """Records of the output that the original does not have."""
    try:
        return list((result.records() - original).elements())
    except bddf_trial.bddf_reader.Bad as bad:
        return [str(bad)]


def wrong(folder, cases, original, before=None):
    """The cases with an invented record, or where one is missing that ends
    before the place given by `before`."""
    for result in bddf_trial.repair(folder, cases):
        strange = invented(result, original)
        if strange:
            yield result.name, 'invented', len(strange), str(strange[0])[:50]
        elif before is not None:
            missing = before(result) - result.records()
            if missing:
                yield result.name, 'missing', sum(missing.values())


def main():
    """All logs and all damage."""
    other = begin(9 * DAY)
    other = fill(other, random.Random(3), 9000000, 60).close()
    with tempfile.TemporaryDirectory() as folder:
        for name, closed, bare in logs():
            original = bddf_trial.records(closed)
            places = carriers(closed)
            for what, raw in ('index', closed), ('bare', bare):
                found = list(wrong(folder, holes(raw, places), original))
                check('%s %s holes' % (name, what), not found,
                      (len(found), found[:3]))
                for kind in (moved, chained) if '-8-' in name else ():
                    found = list(wrong(folder, kind(raw, places), original))
                    check('%s %s %s' % (name, what, kind.__name__), not found,
                          (len(found), found[:3]))
            found = list(wrong(folder, cuts(bare, places, other), original))
            check('%s joined' % name, not found, (len(found), found[:3]))
            found = list(wrong(folder, zero_tails(bare, places), original))
            # One cut hits the end of a carried block, as the docs say.
            check('%s zeros' % name, len(found) <= 1,
                  (len(found), found[:3]))
    end()


if __name__ == '__main__':
    main()

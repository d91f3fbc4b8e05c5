#!/usr/bin/python3
"""A copy that was resumed before the place at which it broke off: some bytes
are there twice.

Ranges of 16 bytes and more are repeated at many places.  Then nothing is called
lost, and the output is the log, byte for byte.  It may have a declaration in another
place where one was damaged that the index repeats, and lack one that only the damaged
summary had; every record is in it once.  The same is true of a log that holds the
same content in many places, but for a few bytes that may be a duplicate of one of
several others.  If other bytes nearby are damaged, too, no record is in the output
twice; if these are in one of both copies, the output has what the other one has.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import pathlib
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from log_repairs import FORMATS, Format, of_mcap, records, repair
    from mcap import samples
    from mcap.write import write
    from tally import check, end
    bddf_trial.load()

PLACES = 12  # of each length
LEFT = 1  # of 72 ranges with a hole in a copy may come out wrong, at most
# ... and of 48 with a flipped bit in each copy: as many have records twice.
FLIPPED = {'bag none': 6, 'bag lz4': 2, 'mcap none': 18, 'mcap lz4': 2, 'mcap zstd': 3,
           'mcap bare': 3}
NEAR = 30000  # bytes from the seam to other damage, at most
LENGTHS = 16, 100, 512, 3000, 4096, 20000


def cases(raw, dice):
    """(where the copy broke off, how many bytes are there twice)."""
    for length in LENGTHS:
        for _ in range(PLACES):
            if length + 100 < len(raw):
                yield dice.randrange(length + 100, len(raw)), length


def strange(seed):
    """Pieces of the same file in most of the payloads."""
    return write(samples.strange(80, seed),
                 samples.style('rosbag2', chunk_size=3000))


def one(folder, kind, seed, least=0):
    """All cases of a log, of `least` bytes at least."""
    raw = kind.make(seed)
    todo = [case for case in cases(raw, random.Random(kind.name))
            if case[1] >= least]
    wrong = []
    for case, (report, output) in zip(todo, repair(
            folder, kind.suffix,
            [raw[:at] + raw[at - length:] for at, length in todo])):
        ids = [p['id'] for p in report['problems']]
        same = output == raw or (
            {'rosbag.connection-damaged', 'mcap.bad-summary'} & set(ids)
            and records(kind.read, output) == records(kind.read, raw))
        if report['state'] != 'repaired' or not same:
            wrong.append((case, report['state'], report['blocks'], ids[:4]))
    check(kind.name, not wrong, (len(wrong), len(todo), wrong[-3:]))


def spoilt(raw, at, length, dice):
    """The same, with a few zeroed bytes near both copies."""
    whole = bytearray(raw[:at] + raw[at - length:])
    off = dice.randrange(2000, NEAR)
    zero = at - length - off if dice.random() < .5 else at + length + off
    if 200 <= zero < len(whole) - 40:
        whole[zero:zero + 40] = bytes(40)
    return bytes(whole)


def torn(raw, at, length, dice):
    """The same, with a hole in one of both copies."""
    whole = bytearray(raw[:at] + raw[at - length:])
    hole = min(40, length // 2)
    off = dice.randrange(length - hole + 1)
    off += at - length if dice.random() < .5 else at
    whole[off:off + hole] = bytes(hole)
    return bytes(whole)


def flipped(raw, at, length, dice):
    """The same, with a flipped bit in each of both copies."""
    whole = bytearray(raw[:at] + raw[at - length:])
    for off in at - length, at:
        whole[off + dice.randrange(length)] ^= 1 << dice.randrange(8)
    return bytes(whole)


def beside(folder, kind, seed, damage, name):
    """A seam near other damage, or with other damage in it."""
    raw = kind.make(seed)
    dice = random.Random(kind.name)
    todo = list(cases(raw, dice))
    if damage is flipped:
        todo = [case for case in todo if case[1] >= 512]
    once = records(kind.read, raw)
    twice, other = [], []
    for case, (report, output) in zip(todo, repair(
            folder, kind.suffix,
            [damage(raw, *case, dice) for case in todo])):
        found = records(kind.read, output) if output else once
        if any(record in once for record in found - once):
            twice.append((case, report['state'], len(found - once),
                          report['blocks']['unsure']))
        elif found != once and report['state'] == 'repaired' and \
                not report['blocks']['unsure']:
            other.append((case, [p['id'] for p in report['problems']][:5]))
    if damage is flipped:
        claimed = [case for case, state, _, unsure in twice
                   if state == 'repaired' and not unsure]
        check(kind.name + name + ', and nothing unsure', not claimed, claimed)
    most = {torn: LEFT, flipped: FLIPPED.get(kind.name, 0)}.get(damage, 0)
    check(kind.name + name, len(twice) <= most,
          (len(twice), len(todo), twice[-3:]))
    # Damage near by may be in a payload, which nothing shows.
    if damage is torn:
        check(kind.name + name + ', none lost', len(other) <= LEFT,
              (len(other), len(todo), other[-3:]))


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for number, kind in enumerate(FORMATS):
            one(folder / str(number), kind, 5)
            beside(folder / ('beside%d' % number), kind, 5, spoilt,
                   ' beside other damage')
            beside(folder / ('torn%d' % number), kind, 5, torn,
                   ' with a hole in a copy')
            beside(folder / ('flip%d' % number), kind, 5, flipped,
                   ' with a flipped bit in a copy')
        same = Format('mcap strange', '.mcap', strange, of_mcap)
        one(folder / 'strange', same, 3, 100)
        beside(folder / 'same', same, 4, spoilt, ' beside other damage')
        beside(folder / 'torn', same, 4, torn, ' with a hole in a copy')
    end()


main()

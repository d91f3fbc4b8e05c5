#!/usr/bin/python3
"""Damage to the declarations of a BDDF log.

Of every output: a reader that takes one block after the other, as the vendor's
does, accepts it, so that declarations are in order and before their data; no
record is in it that was not recorded.

- the header after a declaration is overwritten and there is no index: the
  declaration is kept, confirmed by its own hash, and the repair is not certain,
  unless one bit was wrong
- a declaration is cut out to the byte, and the index has it: its records are
  kept, under its identifier
- a byte or two of the hash of a declaration are overwritten, and there is no index:
  its records are kept, under its identifier
- sectors of declarations are exchanged
- the log is cut inside the header after a block and another log follows: the
  block is kept

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import collections
import functools
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from bddf_reader import Bad, check_file, identifier_hash, read_file
    from bddf_writer import Log, varint
    from tally import check, end
    bddf_trial.load()

SERIES = 12  # the last third is declared inside the data
SECTOR = 512


def log(seed, many=SERIES, shift=0):
    """A log of many series, each with a record of its own soon after it."""
    random_ = random.Random(seed)
    made = Log().clock(shift)
    for series in range(many):
        names = ['x/y'] * (series % 3)
        made.declare(series, 'series %d of %d' % (series, seed), names)
        if series < many * 2 // 3:
            continue
        for number in range(12):
            one = random_.randrange(series + 1)
            made.data(one, random_.randbytes(random_.choice([0, 9, 300])),
                      [number] * (one % 3))
    return made


def declarations(raw):
    """(offset, end) of each."""
    return [(b.offset, b.end) for b in read_file(raw).of('series')]


def hit_headers(bare, places):
    """The header after each declaration overwritten."""
    for number, (_, at) in enumerate(places):
        for size in 1, 2, 5, 8, 14:
            for what, byte in ('zero', 0), ('ff', 255), ('random', None):
                hole = (bytes([byte]) * size if byte is not None
                        else random.Random(size + at).randbytes(size))
                if byte is None or bare[at - 1] != byte != bare[at]:
                    yield ('%d-%d-%s' % (number, size, what),
                           bare[:at] + hole + bare[at + size:])


def cut_out(raw, places):
    """Each declaration cut out."""
    for number, (at, stop) in enumerate(places):
        yield '%d' % number, raw[:at] + raw[stop:]


def hash_hit(bare, file):
    """One byte or two of each hash overwritten; it is as long as before."""
    random_ = random.Random(4)
    for block in file.of('series'):
        stored = varint(block.message.identifier_hash)
        at = bare.index(stored, block.offset)
        # The last byte has one bit of a hash that is long.
        for place in range(len(stored) - 1):
            for size in range(1, min(3, len(stored) - place)):
                hole = bytes(stored[i] ^ random_.randrange(1, 128)
                             for i in range(place, place + size))
                yield '%d-%d-%d' % (block.message.series_index, place, size), \
                    bare[:at + place] + hole + bare[at + place + size:]


def swapped(raw, places):
    """Sectors of the declarations exchanged."""
    first, last = places[0][0], places[-1][1]
    sectors = range(first // SECTOR + 1, last // SECTOR)
    for one in sectors:
        for other in sectors:
            if one < other:
                a, b = one * SECTOR, other * SECTOR
                yield '%d-%d' % (one, other), b''.join(
                    (raw[:a], raw[b:b + SECTOR], raw[a + SECTOR:b],
                     raw[a:a + SECTOR], raw[b + SECTOR:]))


def joined(bare, places, other):
    """The log cut inside the header after a block, and another log."""
    for number, (_, at) in enumerate(places):
        for more in range(1, 8):
            yield '%d-%d' % (number, more), bare[:at + more] + other


def named(file):
    """The records of a log, by the hash of their series' identifier."""
    return {(identifier_hash(file.series[b.message.series_index]
                             .series_identifier),
             b.message.timestamp.nanos, b.body) for b in file.of('data')}


def without_payload(records):
    """The same, whatever is in the payload."""
    out = collections.Counter()
    for record, n in records.items():
        out[record[:-1]] += n
    return out


def faults(folder, cases, original, judge, view=lambda records: records):
    """What is wrong, a text for each case."""
    for result in bddf_trial.repair(folder, cases):
        if result.output is None:
            yield '%s: no output' % result.name
            continue
        try:
            file = read_file(result.output)
            check_file(file)
        except Bad as bad:
            yield '%s: %s' % (result.name, bad)
            continue
        got = bddf_trial.records(result.output)
        if view(got) - view(original):
            yield '%s: invented' % result.name
        fault = judge(result, file)
        if fault:
            yield '%s: %s' % (result.name, fault)


def has_declaration(bare, result, file):
    """The declaration before the header that was hit is there.  The repair is certain
    only where one bit was wrong, and all is as it was in the log `bare`."""
    number = int(result.name.split('-')[0])
    series = file.series.get(number)
    if series is None or not series.HasField('message_type'):
        return 'the declaration is lost'
    if result.report['state'] == 'repaired' and result.output[:len(bare)] != bare:
        return 'said to be certain'
    return None


def main():
    """All damage."""
    other = log(9, 3, 9 * 86400).close()
    with tempfile.TemporaryDirectory() as folder:
        made = log(1)
        bare = bytes(made.raw)
        closed = made.close()
        original, places = bddf_trial.records(closed), declarations(closed)
        whole = named(read_file(closed))

        def has_all(result, file):
            missing = whole - named(file)
            return missing and '%d records are missing' % len(missing)

        def has_before(result, file):
            number = int(result.name.split('-')[0])
            kept = len(file.of('series'))
            return kept != number + 1 and '%d declarations' % kept

        for name, cases, judge in (
                ('header hit', hit_headers(bare, places),
                 functools.partial(has_declaration, bare)),
                ('cut out', cut_out(closed, places), has_all),
                ('hash hit', hash_hit(bare, read_file(closed)), has_all),
                ('joined', joined(bare, places, other), has_before)):
            found = list(faults(folder, cases, original, judge))
            check(name, not found, (len(found), found[:4]))
        made = log(2, 60)
        bare = bytes(made.raw)
        closed = made.close()
        original, places = bddf_trial.records(closed), declarations(closed)
        for name, raw in ('index', closed), ('bare', bare):
            cases = list(swapped(raw, places))
            random.Random(5).shuffle(cases)
            # Part of a payload may have been exchanged, where a block
            # happens to begin at its end.
            found = list(faults(folder, cases[:60], original,
                                lambda result, file: None, without_payload))
            check('swapped %s' % name, not found, (len(found), found[:4]))
    end()


if __name__ == '__main__':
    main()

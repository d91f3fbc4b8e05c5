#!/usr/bin/python3
"""DataDescriptors of BDDF logs that few writers write.

Zeros over a part of a DataDescriptor, or a flipped bit in the key of a field, may
leave one that parses.  Such a block is left out, but not

- where the log's writer always writes so
- where the index of its series has the same
- where the log is of a newer version, which may have more fields

A flipped bit of a DataDescriptor leaves no output with a field that the version does
not have.  One of a SeriesDescriptor may, and then the blocks of the series are unsure.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from bddf_writer import Log, field, packed, stamp
    from tally import check, end
    bddf_trial.load()

BLOCKS = 48
V1 = 1, 0, 0


def zero_written(number, series, extras):
    """The number of series 0 is written, too."""
    return (field(1, series, True) + field(2, stamp(number))
            + packed(3, extras))


def padded(number, series, extras):
    """The number of the series is one byte longer than it must be."""
    return (bytes([8, 0x80 | series, 0]) + field(2, stamp(number))
            + packed(3, extras))


def unknown(number, series, extras):
    """It has a field that version 1.0 does not have."""
    return (field(1, series) + field(2, stamp(number)) + packed(3, extras)
            + field(12, 1))


def log(spelling, which, version):
    """A log of which the blocks of some numbers are spelled otherwise."""
    random_ = random.Random(4)
    made = Log(version=version)
    made.declare(0, 'a', ['x', 'y']).declare(1, 'b', ['x', 'y'])
    for number in range(BLOCKS):
        series, extras = number % 2, [number, number + 1]
        odd = (spelling(number + 1, series, extras)
               if number in which else None)
        made.data(series, random_.randbytes(90), extras, descriptor=odd)
    return made


def place(raw, number):
    """Where a block of data begins."""
    return bddf_trial.bddf_reader.read_file(raw).of('data')[number].offset


def damage(raw):
    """Without any damage no block is doubted."""
    at = place(raw, 40)
    return lambda log: log[:at] + b'\xff' * 60 + log[at + 60:]


def logs():
    """(name, log, its records, whether a block is left out) of each."""
    for spelling, which, name, version in (
            (zero_written, range(BLOCKS), 'always', V1),
            (zero_written, [20], 'once', V1),
            (padded, range(BLOCKS), 'always', V1),
            (padded, [20], 'once', V1),
            (unknown, [20], 'once', V1),
            (unknown, [20], 'newer', (1, 1, 0))):
        made = log(spelling, which, version)
        bare = bytes(made.raw)
        closed = made.close()
        for what, raw in ('index', closed), ('bare', bare):
            yield ('%s-%s-%s' % (spelling.__name__, name, what),
                   damage(closed)(raw), bddf_trial.records(closed),
                   name == 'once' and what == 'bare')


def flips():
    """(name, log, its records) for each bit of each byte of a
    DataDescriptor."""
    made = log(None, (), V1)
    bare = bytes(made.raw)
    closed = made.close()
    at = place(closed, 20) + 12
    for bit in range(8 * int.from_bytes(bare[at - 4:at], 'little')):
        raw = bytearray(bare)
        raw[at + bit // 8] ^= 1 << bit % 8
        yield 'bit %d' % bit, damage(closed)(bytes(raw)), bddf_trial.records(
            closed)


def check_logs(folder):
    """All spellings."""
    cases = {name: rest for name, *rest in logs()}
    for result in bddf_trial.repair(
            folder, [(name, raw) for name, (raw, *_) in cases.items()]):
        _, want, left_out = cases[result.name]
        ids = [p['id'] for p in result.report['problems']]
        missing = want - result.records()
        check(result.name, ('bddf.odd-descriptor' in ids) == left_out
              and sum(missing.values()) <= 2 + left_out
              and not result.records() - want, (ids, sum(missing.values())))


def check_flips(folder):
    """No output has a field that the version does not have."""
    cases = {name: rest for name, *rest in flips()}
    for result in bddf_trial.repair(
            folder, [(name, raw) for name, (raw, _) in cases.items()]):
        blocks = bddf_trial.bddf_reader.read_file(result.output).of('data')
        missing = cases[result.name][1] - result.records()
        check(result.name, not any(block.strange for block in blocks)
              and sum(missing.values()) <= 4, sum(missing.values()))


def declarations():
    """(name, log) for each bit of each of the first three blocks of a log."""
    made = log(None, (), V1)
    raw = bytes(made.raw)
    at, end_ = 4, place(made.close(), 0)
    for bit in range(8 * (end_ - at)):
        bad = bytearray(raw)
        bad[at + bit // 8] ^= 1 << bit % 8
        yield 'declaration, bit %d' % bit, bytes(bad)


def blocks(raw):
    """The bytes of the first three blocks."""
    found = bddf_trial.bddf_reader.read_file(raw)
    places = sorted(block.offset for block in
                    found.of('file') + found.of('series'))
    return [raw[at:at + 8 + int.from_bytes(raw[at:at + 7], 'little')]
            for at in places]


def check_declarations(folder):
    """A bit that leaves no declaration, or one with a field that the version does not
    have, is put right.  One in a text may stay."""
    good = blocks(log(None, (), V1).close())
    found = dict.fromkeys(('bddf.series-bit', 'bddf.first-bit',
                           'bddf.series-lost', 'bddf.first-block'), 0)
    bad = dict(declarations())
    for result in bddf_trial.repair(folder, list(bad.items())):
        if result.output is None:
            continue
        ids = [p['id'] for p in result.report['problems']]
        for one in found:
            found[one] += one in ids
        got = blocks(result.output)
        check(result.name, got == good or (
            not any('-bit' in one for one in ids) and len(got) == 3
            and all(is_ in good or is_ in bad[result.name] for is_ in got)),
            ids)
    check('bits are put right', found['bddf.series-bit'] > 200
          and found['bddf.first-bit'] > 50, found)
    check('no declaration is lost', found['bddf.series-lost'] == 0, found)


def numbers():
    """(name, log, number, its own, its records) for each bit of the number of each
    SeriesDescriptor, in a log of 16."""
    random_ = random.Random(5)
    made = Log()
    for number in range(16):
        made.declare(number, 'series%d' % number)
    for number in range(64):
        made.data(number % 16, random_.randbytes(90))
    raw, closed = bytes(made.raw), made.close()
    blocks = bddf_trial.bddf_reader.read_file(closed).of('series')
    for own, block in enumerate(blocks[1:], 1):  # 0 is not written
        for bit in range(4):
            at = block.offset + 8 + 3
            bad = bytearray(raw)
            bad[at] ^= 1 << bit
            yield ('series %d as %d' % (own, bad[at]), bytes(bad), bad[at],
                   own, bddf_trial.records(closed))


def check_numbers(folder):
    """A number that comes later is put right, and no other makes a series of another."""
    cases = {name: rest for name, *rest in numbers()}
    for result in bddf_trial.repair(
            folder, [(name, raw) for name, (raw, *_) in cases.items()]):
        _, number, own, want = cases[result.name]
        ids = [p['id'] for p in result.report['problems']]
        check(result.name, not result.records() - want, ids)
        if number > own:
            check(result.name + ': right', result.records() == want
                  and 'bddf.series-number-bit' in ids, ids)


def main():
    """Spellings, and flipped bits."""
    with tempfile.TemporaryDirectory() as folder:
        check_logs(folder)
        check_flips(folder)
        check_declarations(folder)
        check_numbers(folder)
    end()


if __name__ == '__main__':
    main()

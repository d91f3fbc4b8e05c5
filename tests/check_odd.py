#!/usr/bin/python3
"""DataDescriptors of BDDF logs that few writers write.

Zeros over a part of a DataDescriptor may leave one that parses.  Such a block is
left out, but not

- where the log's writer always writes so
- where the index of its series has the same

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


def zero_written(number, series, extras):
    """The number of series 0 is written, too."""
    return (field(1, series, True) + field(2, stamp(number))
            + packed(3, extras))


def padded(number, series, extras):
    """The number of the series is one byte longer than it must be."""
    return (bytes([8, 0x80 | series, 0]) + field(2, stamp(number))
            + packed(3, extras))


def log(spelling, which):
    """A log of which the blocks of some numbers are spelled otherwise."""
    random_ = random.Random(4)
    made = Log().declare(0, 'a', ['x', 'y']).declare(1, 'b', ['x', 'y'])
    for number in range(BLOCKS):
        series, extras = number % 2, [number, number + 1]
        odd = (spelling(number + 1, series, extras)
               if number in which else None)
        made.data(series, random_.randbytes(90), extras, descriptor=odd)
    return made


def place(raw, number):
    """Where a block of data begins."""
    return bddf_trial.bddf_reader.read_file(raw).of('data')[number].offset


def main():
    """All spellings."""
    cases, want = [], {}
    for spelling in zero_written, padded:
        for which, name in ((range(BLOCKS), 'always'), ([20], 'once')):
            made = log(spelling, which)
            bare = bytes(made.raw)
            closed = made.close()
            at = place(closed, 40)  # damage, without which none is doubted
            for what, raw in ('index', closed), ('bare', bare):
                case = '%s-%s-%s' % (spelling.__name__, name, what)
                cases.append((case, raw[:at] + b'\xff' * 60 + raw[at + 60:]))
                want[case] = bddf_trial.records(closed)
    with tempfile.TemporaryDirectory() as folder:
        for result in bddf_trial.repair(folder, cases):
            ids = [p['id'] for p in result.report['problems']]
            odd = 'bddf.odd-descriptor' in ids
            missing = want[result.name] - result.records()
            left_out = result.name.endswith('once-bare')
            check(result.name, odd == left_out
                  and sum(missing.values()) <= 2 + left_out
                  and not result.records() - want[result.name],
                  (ids, sum(missing.values())))
    end()


if __name__ == '__main__':
    main()

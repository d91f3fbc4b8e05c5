#!/usr/bin/python3
"""A page of a log is in the place of the next one, or of the one before, too.

What was there is lost.  No record is in the output twice, and as many come back as if
random bytes were there.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import pathlib
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from log_repairs import FORMATS, records, repair
    from sample import share
    from tally import check, end
    bddf_trial.load()

PAGES = 1024, 4096
THREE = 16  # cases
MISSED = .01  # of what comes back from under random bytes


def cases_of(raw, size, dice):
    """(a page, and the one that is in its place)."""
    at = range(size, len(raw) - 2 * size, size)
    found = [(a, a + size) for a in at] + [(a + size, a) for a in at]
    dice.shuffle(found)
    return found


def over(raw, at, page):
    """A log with other bytes at a place."""
    return raw[:at] + page + raw[at + len(page):]


def outputs(folder, kind, files):
    """(report, records) of a repair of each of these files."""
    for raw, (report, output) in zip(files, repair(
            folder, kind.suffix, files, '--reseal', '--map-name=Town01')):
        yield report, records(
            kind.read, raw if report['state'] == 'intact' else output)


def misplaced(folder, kind, size):
    """All about one format and one size of a page."""
    raw, dice = kind.make(5), random.Random(kind.name + str(size))
    cases = share(cases_of(raw, size, dice), 5)
    there = records(kind.read, raw)
    owed = missed = 0
    wrong = []
    for (to, of), (report, got), (_, like) in zip(
            cases,
            outputs(folder / 'page', kind, [
                over(raw, to, raw[of:of + size]) for to, of in cases]),
            outputs(folder / 'random', kind, [
                over(raw, to, dice.randbytes(size)) for to, _ in cases])):
        due = like & there
        owed += due.total()
        missed += (due - got).total()
        twice = [r for r, n in got.items() if n > there[r] > 0]
        if twice:
            wrong.append((to, of, report['state'], len(twice)))
    what = '%s, pages of %d' % (kind.name, size)
    check(what + ': none is there twice', not wrong, wrong[:3])
    check(what + ': as many come back', missed <= owed * MISSED, (missed, owed))


def three_times(folder, kind, size):
    """A page is in two other places, too, which do not touch it."""
    raw, dice = kind.make(5), random.Random(kind.name)
    there = records(kind.read, raw)
    pages = range(1, len(raw) // size - 1)
    cases = [c for c in (dice.sample(pages, 3) for _ in range(THREE * 4))
             if min(abs(a - b) for a in c for b in c if a is not b) > 1][:THREE]
    wrong = []
    for places, (report, got) in zip(cases, outputs(folder, kind, [
            over(over(raw, b * size, raw[a * size:][:size]), c * size,
                 raw[a * size:][:size]) for a, b, c in cases])):
        twice = [r for r, n in got.items() if n > there[r] > 0]
        if twice:
            wrong.append((places, report['state'], len(twice)))
    check('%s, pages of %d in three places' % (kind.name, size),
          not wrong, (len(wrong), wrong[:3]))


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, kind in enumerate(FORMATS):
            for size in PAGES:
                misplaced(pathlib.Path(scratch) / ('%d-%d' % (number, size)),
                          kind, size)
                three_times(pathlib.Path(scratch) / ('%d-%d-3' % (
                    number, size)), kind, size)
    end()


main()

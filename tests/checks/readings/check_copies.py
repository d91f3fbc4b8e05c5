#!/usr/bin/python3
"""A log that is in one file several times, each time damaged or cut: what one
copy lacks the others have.

Where every byte of the log is whole in some copy, in the same place of it, the
output has every record once, and nothing is called lost.  Where two copies have
different bytes and the format has no checksum, nobody can tell which are right:
the record is called unsure.  Elsewhere no record is there twice, and none is missing
that a copy alone gives back.  Another recording after the copies is not taken
for one of them.

Where one copy was resumed at the wrong offset, `merge` with a whole one, in both
orders, gives each record once, or refuses.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import pathlib
import random
import subprocess
import tempfile

from support.start import SALVOR, parts

with parts():
    import bddf_trial
    from log_repairs import FORMATS, records, repair
    from tally import check, end
    bddf_trial.load()

PLACES = 8   # of each kind of damage
HOLE = 700   # bytes
UNRELATED = 4  # the exit code of merge where no record shows that two copies are kin


def whole_between_them(raw, dice):
    """(name, bytes): each byte of the log is whole in one of the copies."""
    for _ in range(PLACES):
        hole = dice.randrange(len(raw) // 3, len(raw) * 2 // 3)
        cut = dice.randrange(hole + HOLE + 8000, len(raw) + 1) \
            if hole + HOLE + 8000 < len(raw) else len(raw)
        yield 'cut at %d, then a hole at %d' % (cut, hole), \
            raw[:cut] + raw[:hole] + raw[hole + HOLE:]
        yield 'cut at %d, then a hit at %d' % (cut, hole), \
            raw[:cut] + raw[:hole] + dice.randbytes(HOLE) + raw[hole + HOLE:]
        yield 'hit at %d, then whole' % hole, \
            raw[:hole] + dice.randbytes(HOLE) + raw[hole + HOLE:] + raw


def cut_twice(raw, dice):
    """(name, the longer copy, bytes)."""
    for _ in range(PLACES):
        one, two = dice.randrange(len(raw) // 2, len(raw)), \
            dice.randrange(len(raw) // 4, len(raw))
        yield 'cut at %d and at %d' % (one, two), raw[:max(one, two)], \
            raw[:one] + raw[:two]


def check_whole(folder, kind, raw):
    """Nothing is lost."""
    todo = list(whole_between_them(raw, random.Random(kind.name)))
    want, wrong = records(kind.read, raw), []
    for (what, _), (report, output) in zip(
            todo, repair(folder, kind.suffix, [all_ for _, all_ in todo])):
        got, blocks = records(kind.read, output), report['blocks']
        unsure = 'hit' in what and kind.suffix != '.bag' \
            and blocks['lost'] == 0 \
            and sum((got - want).values()) <= blocks['unsure'] > 0
        if not unsure and (report['state'] != 'repaired' or got != want):
            wrong.append((what, report['state'], blocks,
                          sum((got - want).values()),
                          sum((want - got).values())))
    check(kind.name + ', whole between them', len(wrong) * 24 <= len(todo),
          (len(wrong), len(todo), wrong[:3]))
    check(kind.name + ', nothing twice', all(x[3] == 0 for x in wrong), wrong)


def check_cut(folder, kind, raw):
    """Nothing is there twice, nor missing that one copy has."""
    todo, wrong = list(cut_twice(raw, random.Random(kind.name))), []
    alone = repair(folder / 'alone', kind.suffix, [one for _, one, _ in todo])
    both = repair(folder / 'both', kind.suffix, [all_ for _, _, all_ in todo])
    for (what, _, _), (_, one), (report, output) in zip(todo, alone, both):
        want, got = records(kind.read, one), records(kind.read, output)
        if got != want:
            wrong.append((what, report['state'], sum((got - want).values()),
                          sum((want - got).values())))
    check(kind.name + ', cut twice', not wrong,
          (len(wrong), len(todo), wrong[:3]))


def check_other(folder, kind, raw):
    """Another recording of the robot after it is no copy."""
    other, dice = kind.make(6), random.Random(kind.name)
    todo = []
    for number in range(PLACES):
        at = dice.randrange(len(raw) // 4, len(raw) - HOLE)
        todo.append((raw[:at], raw[:at] + bytes(HOLE) + raw[at + HOLE:],
                     raw[:at] + raw[at + HOLE:])[number % 3]
                    + other[:dice.choice((len(other), len(other) // 2))])
    taken = [[a['reading'] for a in report.get('attempts', ())
              if a['taken'] and a['reading'] != 'alone']
             for report, _ in repair(folder, kind.suffix, todo)]
    check(kind.name + ', another recording', not any(taken), taken)


def merge(folder, kind, copies):
    """The records of what merge makes of copies; None: it refuses."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [folder / ('%d%s' % (n, kind.suffix)) for n in range(len(copies))]
    for name, raw in zip(names, copies):
        name.write_bytes(raw)
    output = folder / ('output' + kind.suffix)
    run = subprocess.run([SALVOR, 'merge', '-f', '-q', '--no-sidecar',
                          '-o', output, *names], check=False)
    return None if run.returncode == UNRELATED \
        else records(kind.read, output.read_bytes())


def check_resumed(folder, kind, raw):
    """A copy that repeats bytes at one place, and a whole one."""
    dice, want = random.Random(kind.name), records(kind.read, raw)
    refused, wrong = 0, []
    for _ in range(PLACES):
        at = dice.randrange(len(raw) // 4, len(raw) * 3 // 4)
        back = dice.randrange(16, min(at, 3000))
        copy = raw[:at] + raw[at - back:dice.randrange(at + 20, len(raw))]
        for copies in ((copy, raw), (raw, copy)):
            got = merge(folder, kind, copies)
            refused += got is None
            if got not in (None, want):
                wrong.append((at, back, sum((got - want).values()),
                              sum((want - got).values())))
    check(kind.name + ', resumed and whole', not wrong and refused <= 2,
          (refused, wrong))


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, kind in enumerate(FORMATS):
            folder, raw = pathlib.Path(scratch) / str(number), kind.make(5)
            check_whole(folder / 'whole', kind, raw)
            check_cut(folder / 'cut', kind, raw)
            check_other(folder / 'other', kind, raw)
            check_resumed(folder / 'resumed', kind, raw)
    end()


main()

#!/usr/bin/python3
"""A download that broke off and was started again: the beginning of a log, once
or several times, and then all of it.

Each format is broken off at many places: where a record ends, beside that, and
anywhere.  Then

- the output is the log, byte for byte, and nothing is called lost, also where
  zeros precede the next beginning
- the same with junk before all, and where the broken download was itself resumed at
  the wrong offset
- where the whole log is damaged, too, no more is missing than from the damaged
  log alone
- of a log that is whole and goes on with another of the same recording nothing
  is dropped: the beginnings differ

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
    from tally import check, end
    bddf_trial.load()

PLACES = 24  # at which each log is broken off
HTTP = b'HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n'


def places(raw, dice):
    """Where downloads break off: anywhere, also within the first bytes."""
    return [1, 3, 5, 8, 13, 16, 17, 20, 63, 64, 200] + [dice.randrange(16, len(raw))
                                   for _ in range(PLACES)]


def resumed(raw, dice):
    """What a download got that repeats up to 2 KB at one place."""
    at = dice.randrange(len(raw) // 4, len(raw) // 2)
    return raw[:at] + raw[at - dice.randrange(16, 2000):
                          dice.randrange(at + 20, len(raw))]


def fronts(raw, dice):
    """(name, bytes, the log) with junk before all."""
    for junk in (HTTP, bytes(512), dice.randbytes(77), dice.randbytes(5000)):
        at = dice.randrange(16, len(raw))
        yield '%d + once at %d' % (len(junk), at), junk + raw[:at] + raw, raw
        yield '%d + resumed' % len(junk), junk + resumed(raw, dice) + raw, raw
        yield 'resumed %d' % at, resumed(raw, dice) + raw, raw


def cases(raw, dice):
    """(name, bytes, the log that is in them)."""
    for at in places(raw, dice):
        yield 'once at %d' % at, raw[:at] + raw, raw
    for _ in range(PLACES // 2):
        cuts = [dice.randrange(1, len(raw)) for _ in range(dice.choice((2, 3)))]
        yield 'at %s' % cuts, b''.join(raw[:at] for at in cuts) + raw, raw
        gap = bytes(dice.choice((1, 40, 512, 5000)))
        yield 'at %s, zeros' % cuts, b''.join(
            raw[:at] + gap for at in cuts) + raw, raw
    for _ in range(PLACES // 2):
        at, hit = dice.randrange(len(raw) // 4, len(raw)), dice.randrange(
            len(raw) // 3, len(raw) - 40)
        bad = raw[:hit] + dice.randbytes(40) + raw[hit + 40:]
        yield 'at %d, hit at %d' % (at, hit), raw[:min(at, hit)] + bad, bad


def one(folder, kind):
    """All cases of a format."""
    raw, dice = kind.make(5), random.Random(kind.name)
    todo = [*cases(raw, dice), *fronts(raw, dice)]
    alone = repair(folder / 'alone', kind.suffix, [bad for _, _, bad in todo],
                   '--reseal')
    both = repair(folder / 'both', kind.suffix, [all_ for _, all_, _ in todo],
                  '--reseal')
    wrong = []
    for (what, _, bad), (_, plain), (report, output) in zip(todo, alone, both):
        missing = records(kind.read, plain) - records(kind.read, output)
        good = not missing if bad != raw else output == raw \
            and report['state'] == 'repaired' and report['blocks']['lost'] == 0
        if not good:
            wrong.append((what, sum(missing.values()), report['state'],
                          report['blocks'],
                          [p['id'] for p in report['problems']][:4]))
    check(kind.name, not wrong, (len(wrong), wrong[-3:]))


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, kind in enumerate(FORMATS):
            one(pathlib.Path(scratch) / str(number), kind)
    end()


main()

#!/usr/bin/python3
"""The end of a log precedes its start, as in storage that is written again from its
beginning when it is full.

Logs of all formats are turned at many places.  Where the pieces meet in a unit the
output is the log, byte for byte, and nothing is called lost.  Elsewhere no record is
invented.  With the end of another recording in front the pieces are not joined.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import pathlib
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from dataflash import judge as dataflash_judge, writer as dataflash_writer
    from log_repairs import FORMATS, Format, records, repair
    from tally import check, end
    from ulog import judge as ulog_judge, writer as ulog_writer
    bddf_trial.load()

PLACES = 24  # at which each log is turned: not in its declarations


def messages(judge):
    """The messages of an output of a flight log."""
    return lambda raw: [(getattr(m, 'kind', ''), m.body)
                        for m in judge.strict(raw).messages]


FLIGHTS = [
    Format('ulog', '.ulg', lambda seed: ulog_writer.log(
        seed=seed, seconds=1), messages(ulog_judge)),
    Format('dataflash', '.bin', lambda seed: dataflash_writer.log(
        seconds=2, flight=seed), messages(dataflash_judge)),
]


def is_turned(report):
    """Was the end of the log put after the rest?"""
    return any(a['reading'] == 'turned' and a['taken']
               for a in report.get('attempts', ()))


def turned(folder, kind):
    """The log itself, in two pieces."""
    raw, dice = kind.make(5), random.Random(kind.name)
    places = [dice.randrange(len(raw) * 9 // 20, len(raw) * 9 // 10)
              for _ in range(PLACES)]
    whole, wrong = 0, []
    for at, (report, output) in zip(places, repair(
            folder, kind.suffix, [raw[at:] + raw[:at] for at in places])):
        whole += output == raw
        if output != raw and (is_turned(report) or records(kind.read, output)
                              - records(kind.read, raw)):
            wrong.append((at, report['state'], report['blocks']))
        if output == raw and report['bytes']['lost'] > 0:
            wrong.append((at, 'called lost'))
    check(kind.name, not wrong, wrong[:3])
    check(kind.name + ': nearly all are put back', whole >= PLACES * 3 // 4,
          (whole, PLACES))


def mixed(folder, kind):
    """The end of another recording in front of a log that is cut."""
    raw, other = kind.make(5), kind.make(6)
    dice = random.Random(kind.name)
    cases = [other[-dice.randrange(len(other) // 9, len(other) // 2):]
             + raw[:dice.randrange(len(raw) // 2, len(raw) * 9 // 10)]
             for _ in range(PLACES)]
    wrong = [report['state'] for report, _ in repair(
        folder, kind.suffix, cases) if is_turned(report)]
    check(kind.name + ': of two recordings', not wrong, wrong[:3])


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, kind in enumerate([*FORMATS, *FLIGHTS]):
            turned(pathlib.Path(scratch) / str(number), kind)
            mixed(pathlib.Path(scratch) / ('mixed%d' % number), kind)
    end()


main()

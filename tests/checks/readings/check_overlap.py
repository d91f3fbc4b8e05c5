#!/usr/bin/python3
"""A copy that was resumed before the place at which it broke off: some bytes
are there twice.

Ranges of 16 bytes and more are repeated at many places.  Then nothing is called
lost, and the output is the log, byte for byte.  It may have a declaration in another
place where one was damaged that the index repeats, and lack one that only the damaged
summary had; every record is in it once.

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

PLACES = 12  # of each length
LENGTHS = 16, 100, 512, 3000, 4096, 20000


def cases(raw, dice):
    """(where the copy broke off, how many bytes are there twice)."""
    for length in LENGTHS:
        for _ in range(PLACES):
            if length + 100 < len(raw):
                yield dice.randrange(length + 100, len(raw)), length


def one(folder, kind):
    """All cases of a format."""
    raw = kind.make(5)
    todo = list(cases(raw, random.Random(kind.name)))
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


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, kind in enumerate(FORMATS):
            one(pathlib.Path(scratch) / str(number), kind)
    end()


main()

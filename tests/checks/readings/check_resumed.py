#!/usr/bin/python3
"""Merge of a whole copy and one that was resumed before the place at which it
broke off: the whole one is the log, and nothing is missed.

Where nothing confirms either copy, as in an uncompressed bag, the output has all
records once, and may be a repair of both.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import json
import pathlib
import random
import subprocess
import tempfile

from support.start import SALVOR, parts

with parts():
    import bddf_trial
    from log_repairs import FORMATS, records
    from tally import check, end
    bddf_trial.load()

PLACES = 4  # of each length
LENGTHS = 16, 512, 4096


def cases(raw, dice):
    """(where the copy broke off, how many bytes are there twice)."""
    for length in LENGTHS:
        for _ in range(PLACES):
            if length + 100 < len(raw):
                yield dice.randrange(length + 100, len(raw)), length


def merge(folder, *copies):
    """The exit code, the ids of findings, the output."""
    out = folder / 'out'
    for path in folder.iterdir():
        path.unlink()
    names = []
    for number, raw in enumerate(copies):
        names.append(folder / str(number))
        names[-1].write_bytes(raw)
    done = subprocess.run([SALVOR, 'merge', '--json', '-o', out, *names],
                          capture_output=True, check=False)
    lines = done.stdout.splitlines()
    found = json.loads(lines[0]).get('problems', []) if lines else []
    return (done.returncode, [p['id'] for p in found],
            out.read_bytes() if out.exists() else b'')


def one(folder, kind):
    """All cases of a format, in both orders."""
    folder.mkdir()
    raw = kind.make(5)
    wrong, n = [], 0
    for at, length in cases(raw, random.Random(kind.name)):
        resumed = raw[:at] + raw[at - length:]
        for pair in (raw, resumed), (resumed, raw):
            code, ids, output = merge(folder, *pair)
            n += 1
            same = output == raw or (
                kind.name == 'bag none'
                and records(kind.read, output) == records(kind.read, raw))
            if not same or code not in (0, 1):
                wrong.append((at, length, pair[0] is raw, code, ids[:4]))
    check(kind.name, not wrong, (len(wrong), n, wrong[-3:]))


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, kind in enumerate(FORMATS):
            one(pathlib.Path(scratch) / str(number), kind)
    end()


main()

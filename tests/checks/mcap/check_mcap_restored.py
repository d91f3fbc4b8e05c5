#!/usr/bin/python3
"""Is a chunk that its checksum contradicts corrected from what the file repeats of it?

MessageIndexes repeat channel, time and place of each message, and the summary repeats
schemas and channels.  What they give counts only if the checksum matches then.  Nothing
repeats a payload, a sequence or a publish time: the chunk is dropped.

    check_mcap_restored.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import random
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from support.start import SALVOR, parts

with parts():
    from mcap import judge, samples
    from tally import check, end

CRC_AT = 33  # bytes of a chunk before its checksum
BATCH = 200  # files of one run


class Trial:
    """Damaged copies of a file, which are repaired together."""

    def __init__(self, folder, name, good):
        self.folder, self.name, self.good = folder, name, good
        self.file, self.cases = judge.strict(good), []
        self.recorded = Counter(map(repr, judge.listing(good)))

    def add(self, start, new, back, what):
        """Bytes are others; `back`: the output must be the original."""
        raw = self.good[:start] + new + self.good[start + len(new):]
        if raw != self.good:
            self.cases.append((raw, back, '%s: %s' % (self.name, what)))

    def byte(self, dice, at, back, what):
        """A byte is another one, by more than a bit."""
        self.add(at, bytes([self.good[at] ^ dice.choice((0x81, 0x5a, 0xff))]),
                 back, '%s, byte %d' % (what, at))

    def run(self):
        """Repair all."""
        out = self.folder / 'out'
        for i in range(0, len(self.cases), BATCH):
            some = self.cases[i:i + BATCH]
            out.mkdir()
            for number, (raw, _, _) in enumerate(some):
                (self.folder / ('%d.mcap' % number)).write_bytes(raw)
            done = subprocess.run(
                [SALVOR, 'repair', '--json', '--no-sidecar', '-d', out,
                 *(self.folder / ('%d.mcap' % n) for n in range(len(some)))],
                capture_output=True, check=False)
            for line in done.stdout.splitlines():
                report = json.loads(line)
                if report.get('type') == 'file':
                    path = Path(report['file'])
                    self.judge(report, (out / path.name).read_bytes(),
                               *some[int(path.stem)][1:])
            for path in out.iterdir():
                path.unlink()
            out.rmdir()

    def judge(self, report, out, back, what):
        """Is the output what it must be?"""
        ids = {p['id'] for p in report['problems']}
        if back:
            check(what + ': the original', out == self.good,
                  (report['state'], ids))
            check(what + ': repaired', report['state'] == 'repaired',
                  (report['state'], report['blocks']))
            return
        kept = Counter(map(repr, judge.listing(out)))
        check(what + ': nothing is invented', kept <= self.recorded)
        check(what + ': not restored', 'mcap.restored' not in ids
              or out == self.good, ids)


def heads(trial, dice):
    """Heads of messages: all but the sequence and the publish time."""
    for m in trial.file.messages[::7]:
        at = trial.file.chunks[m.place.chunk].data_at + m.place.start
        for part, back in (((0, 11), True), ((11, 15), False),
                           ((15, 23), True), ((23, 31), False)):
            trial.byte(dice, at + dice.randrange(*part), back,
                       'a head of a message')
        trial.add(at, bytes(11), True, 'zeros at %d, in a head' % at)
        if len(m.data) > 8:
            trial.byte(dice, at + 31 + dice.randrange(len(m.data)), False,
                       'a payload')


def declarations(trial, dice):
    """Schemas and channels in chunks, of which the summary has a copy."""
    for one, place in trial.file.declared:
        if place.chunk is None:
            continue
        base = trial.file.chunks[place.chunk].data_at
        start, stop = base + place.start, base + place.end
        for at in range(start, stop, 11):
            trial.byte(dice, at, True, 'a %s' % type(one).__name__)
        half = (stop - start) // 2
        trial.add(start, bytes(half), True, 'zeros at %d' % start)
        trial.add(start + half, dice.randbytes(stop - start - half), True,
                  'anything at %d' % (start + half))


def sums(trial, dice):
    """A byte of the checksum itself."""
    for chunk in trial.file.chunks:
        if chunk.indexes:
            trial.byte(dice, chunk.start + CRC_AT + dice.randrange(4), True,
                       'a checksum')


def main():
    """Writers with checksums of chunks."""
    dice = random.Random(221)
    with tempfile.TemporaryDirectory() as name:
        for writer in 'cpp', 'python', 'ts':
            trial = Trial(Path(name), writer, samples.made(
                writer, 5, 60, compression='', chunk_size=4000))
            heads(trial, dice)
            declarations(trial, dice)
            sums(trial, dice)
            trial.run()
        for word in 'lz4', 'zstd':
            trial = Trial(Path(name), word, samples.made(
                'cpp', 5, 60, compression=word, chunk_size=4000))
            sums(trial, dice)
            trial.run()
    end()


main()

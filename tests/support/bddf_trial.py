"""Repairs damaged BDDF logs and reports the records that came out.

The output is read by bddf_reader.py, which shares nothing with salvor.
"""
import collections
import json
import os
import subprocess

import bddf_reader
from start import SALVOR

BATCH = 200  # files that one run of the program repairs


def load():
    """Import the messages; ImportError where protobuf is missing."""
    bddf_reader.load_messages(os.environ.get('BDDF_PB2', 'tests/pb2'))


def records(raw):
    """The data blocks of a whole log, counted: series, time, additional
    indexes and payload of each."""
    return collections.Counter(
        (b.message.series_index, b.message.timestamp.seconds,
         b.message.timestamp.nanos, tuple(b.message.additional_indexes),
         b.body)
        for b in bddf_reader.read_file(raw).of('data'))


def boundaries(raw):
    """(offset, end, kind) of each block of a whole log."""
    return [(b.offset, b.end, b.kind)
            for b in bddf_reader.read_file(raw).blocks]


class Result:
    """What became of one damaged log."""

    def __init__(self, name, damaged, report, output):
        self.name, self.damaged = name, damaged
        self.report, self.output = report, output

    def records(self):
        """Those of the output; of the input, where there is nothing to
        repair; none, where nothing can be."""
        if self.output is not None:
            return records(self.output)
        if self.report['state'] == 'intact':
            return records(self.damaged)
        return collections.Counter()


def _batch(folder, cases, options):
    out = os.path.join(folder, 'out')
    os.makedirs(out, exist_ok=True)
    paths = {}
    for name, damaged in cases:
        path = os.path.join(folder, name + '.bddf')
        with open(path, 'wb') as file:
            file.write(damaged)
        paths[path] = name, damaged
    run = subprocess.run([SALVOR, 'repair', '--json', '--no-sidecar', '-d',
                          out, *options, *paths], capture_output=True,
                         check=False)
    for line in run.stdout.splitlines():
        report = json.loads(line)
        if report.get('type') != 'file':
            continue
        path = report['file']
        name, damaged = paths.pop(path)
        made, output = os.path.join(out, os.path.basename(path)), None
        if os.path.exists(made):
            with open(made, 'rb') as file:
                output = file.read()
            os.unlink(made)
        os.unlink(path)
        yield Result(name, damaged, report, output)
    assert not paths, (sorted(paths), run.stderr[-500:])


def repair(folder, cases, *options):
    """Repair (name, bytes) each: a Result each."""
    cases = list(cases)
    for at in range(0, len(cases), BATCH):
        yield from _batch(folder, cases[at:at + BATCH], options)

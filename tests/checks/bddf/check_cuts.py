#!/usr/bin/python3
"""Cut every sound log of testdata/bddf everywhere, repair, and let the
independent reader judge.

From the end of its first block on, every cut must give a log that is sound,
holds exactly the blocks that ended before the cut, and is the original byte
for byte where only index and footer were cut.  A sample of places, or all of
them with SALVOR_LONG=1.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

SRCDIR = os.environ.get('SALVOR_SRCDIR', '.')
SALVOR = os.environ.get('SALVOR', './salvor')
READER = os.path.join(SRCDIR, 'tests/support/bddf_reader.py')
BATCH = 400   # files repaired by one run of the program
SAMPLE = 100  # cuts of one log in its data, and as many after it
TAIL = 64     # bytes at the end that are cut everywhere

sys.path.insert(0, os.path.dirname(READER))
try:
    import bddf_reader
    bddf_reader.load_messages(os.environ['BDDF_PB2'])
except ImportError as missing:
    print('skipped: %s' % missing)
    sys.exit(77)

# What cannot be known once the FileIndex is lost: the order of its keys, and
# that the index of a log without series was the vendor's empty block.
NOT_IDENTICAL = {'good-multi-key-spec.bddf', 'good-patrol.bddf',
                 'good-no-series.bddf'}


def boundaries(path):
    out = subprocess.run([sys.executable, READER, 'boundaries', path],
                         check=True, capture_output=True, text=True)
    return json.loads(out.stdout)


def places(size, first, data_end):
    """Where to cut: everywhere, or a sample and every byte of the end."""
    everywhere = range(first, size + 1)
    if os.environ.get('SALVOR_LONG'):
        return list(everywhere)
    random.seed(size)
    some = set(everywhere[-TAIL:]) | {first, data_end}
    for part in range(first, data_end), range(data_end, size):
        some |= set(random.sample(part, min(SAMPLE, len(part))))
    return sorted(some)


def repair(folder, original, cuts):
    """Make and repair the cut logs; yields (cut, path of the output)."""
    names = []
    for cut in cuts:
        names.append(os.path.join(folder, '%d.bddf' % cut))
        with open(names[-1], 'wb') as out:
            out.write(original[:cut])
    run = subprocess.run([SALVOR, 'repair', '-qq'] + names)
    assert run.returncode in (0, 1, 3), run.returncode
    for cut, name in zip(cuts, names):
        repaired = name.replace('.bddf', '.repaired.bddf')
        yield cut, name if cut == len(original) else repaired


def check(path, triples, failures):
    """One log: append what the reader shall judge, and what differs."""
    with open(path, 'rb') as log:
        original = log.read()
    blocks = boundaries(path)
    first = blocks[0][1]
    data_end = max(end for _, end, kind in blocks
                   if kind in ('file', 'series', 'data', 'other'))
    cuts = places(len(original), first, data_end)
    exact = os.path.basename(path) not in NOT_IDENTICAL
    file_index_end = blocks[-2][1]
    with tempfile.TemporaryDirectory() as folder:
        for at in range(0, len(cuts), BATCH):
            for cut, out in repair(folder, original, cuts[at:at + BATCH]):
                triples.append([path, out, cut])
                with open(out, 'rb') as repaired:
                    same = repaired.read() == original
                if not same and cut >= data_end and (
                        exact or cut >= file_index_end + 8):
                    failures.append('%s cut at %d is not restored'
                                    % (path, cut))
            judge(triples, failures)
            for name in os.listdir(folder):
                os.unlink(os.path.join(folder, name))
    return len(cuts)


def judge(triples, failures):
    lines = '\n'.join(json.dumps(t) for t in triples) + '\n'
    run = subprocess.run([sys.executable, READER, 'compare', '--stdin'],
                         input=lines, capture_output=True, text=True)
    failures += [l for l in run.stdout.splitlines() if l.startswith('FAIL')]
    if run.returncode not in (0, 1) or run.stderr:
        failures.append(run.stderr)
    triples.clear()


def main():
    folder = os.path.join(SRCDIR, 'testdata/bddf')
    failures, total = [], 0
    for name in sorted(os.listdir(folder)):
        if name.startswith('good-'):
            total += check(os.path.join(folder, name), [], failures)
    for failure in failures[:20]:
        print(failure)
    print('%d passed, %d failed' % (total - len(failures), len(failures)))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())

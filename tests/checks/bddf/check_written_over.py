#!/usr/bin/python3
"""A BDDF log that was written over an older, longer one.

The newer log ends at every few bytes of the file; the tail of the older one
follows it, with its index and digest or without.

- every block of the newer log is kept that ends before the seam, except for the
  last one, which nothing confirms
- no block of the older log is in the output, however many there are
- the rest of the file is said to be of another recording

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import os
import re
import subprocess
import tempfile

from support.start import SALVOR, parts

with parts():
    from bddf_writer import Log
    from tally import check, end

DAYS = 3 * 86400
STEP = 11  # bytes from one seam to the next
LEAST = 17  # blocks of the newer log: of fewer the times may be damaged


def log(word, n, shift, more=0):
    """A log of two series whose payloads are numbered words; more: so many
    bytes longer, so that its blocks begin elsewhere."""
    made = Log().declare(0, 'a').declare(1, 'b').clock(shift)
    for number in range(n):
        made.data(number % 2, b'%s %04d.' % (word, number) + bytes(more))
    return made


def words(raw, word):
    """The numbers of the payloads that are in some bytes."""
    return {int(n) for n in re.findall(word + rb' (\d{4})\.', raw)}


def trial(folder, old, new, name):
    """All seams: what is wrong, a text each."""
    begin = new.index(b'new %04d.' % (LEAST + 1))
    cases = {}
    for seam in range(begin, len(new), STEP):
        path = os.path.join(folder, '%s-%d.bddf' % (name, seam))
        with open(path, 'wb') as file:
            file.write(new[:seam] + old[seam:])
        cases[path] = seam
    out = os.path.join(folder, name)
    os.mkdir(out)
    run = subprocess.run([SALVOR, 'repair', '--json', '--no-sidecar', '-d',
                          out, *cases], capture_output=True, check=False)
    reports = {r['file']: r for r in map(json.loads, run.stdout.splitlines())
               if r.get('type') == 'file'}
    for path, seam in cases.items():
        with open(os.path.join(out, os.path.basename(path)), 'rb') as file:
            raw = file.read()
        whole = words(new[:seam], b'new')
        kept = words(raw, b'new')
        if kept - whole or len(whole - kept) > 1:
            yield '%s: kept %s' % (path, sorted(kept ^ whole))
        if words(raw, b'old'):
            yield '%s: older blocks are kept' % path
        if reports[path]['bytes']['foreign'] == 0:
            yield '%s: nothing is of another recording' % path


def main():
    """All logs."""
    with tempfile.TemporaryDirectory() as folder:
        for n_old in 40, 400:
            for n_new in 24, 36:
                older = log(b'old', n_old, -DAYS, 29)
                bare = bytes(older.raw)
                new = bytes(log(b'new', n_new, 0).raw)
                for name, old in ('open', bare), ('closed', older.close()):
                    what = '%s-%d-%d' % (name, n_old, n_new)
                    found = list(trial(folder, old, new, what))
                    check(what, not found, found[:3])
    end()


if __name__ == '__main__':
    main()

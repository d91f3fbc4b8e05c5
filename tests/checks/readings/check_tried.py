#!/usr/bin/python3
"""How often a log is read: once, and again only where evidence asks for it.

In each format a stretch in the middle is lost, as by a bad sector.  What is gone
cannot be proven, so no reading is tried that leaves out what the index has, or that
keeps what is doubtful where nothing is.  Of a BDDF log that leaves the one with the
heads that the index knows, and the one with what the bytes themselves show; where
only a payload was hit, the one whose index is written again.  In the other formats
there is no digest to prove any.  -v tells of each.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import json
import os
import pathlib
import random
import subprocess
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from log_repairs import FORMATS
    from tally import check, end
    bddf_trial.load()

CASES = 12
ALLOWED = {'bddf': [['index'], ['index', 'mended'], ['mended'], ['remade'], []]}
OTHERS = [['mended'], []]


def run(*args):
    """What the program prints."""
    return subprocess.run([os.environ['SALVOR'], 'verify', *args],
                          capture_output=True, text=True, check=False).stdout


def holes(raw, dice):
    """(name, bytes) with a stretch that is lost before the index."""
    for i in range(CASES):
        at = dice.randrange(len(raw) // 8, len(raw) // 2)
        n = dice.choice((100, 512, 700))
        yield '%d at %d' % (n, at), raw[:at] + (
            bytes(n) if i % 2 else dice.randbytes(n)) + raw[at + n:]


def main():
    """Damage a log of each format, and look at what was tried."""
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMATS:
            path = pathlib.Path(folder, 'log' + form.suffix)
            some = 0
            for name, hit in holes(form.make(3), random.Random(form.name)):
                path.write_bytes(hit)
                tried = [a['reading'] for a in json.loads(
                    run('--json', str(path))).get('attempts', ())]
                what = '%s, %s' % (form.name, name)
                check(what, tried in ALLOWED.get(form.name, OTHERS), tried)
                text = run('-v', str(path))
                check(what + ': -v', [
                    line.split(':')[0].split(', ')[1] for line in text.splitlines()
                    if line.startswith('  other reading, ')] == tried, text)
                some += len(tried)
            # A test that looks at nothing would pass.
            check(form.name + ' tries some', some > 0 or form.name not in ALLOWED)
    end()


main()

#!/usr/bin/python3
"""--max-read-rate: no faster, for one file and for many processes together.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import os
import pathlib
import subprocess
import tempfile
import time

from support.start import SALVOR, TOP, parts

with parts():
    from tally import check, end

CREDIT = 1.0  # seconds that a process may be ahead

LOG = (TOP / 'testdata' / 'bddf' / 'good-patrol.bddf').read_bytes()
MIB = 1 << 20


def took(*args):
    """Seconds that a run takes."""
    began = time.monotonic()
    done = subprocess.run([SALVOR, 'verify', '-qq', *args], check=False,
                          stdin=subprocess.DEVNULL, capture_output=True)
    spent = time.monotonic() - began
    check('%s: ends well' % (args,), done.returncode in (0, 4), done.stderr)
    return spent


def no_faster(what, size, rate, spent):
    """However busy the machine is."""
    least = size / rate
    check(what, spent > least - CREDIT - 0.2, (spent, least))

with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    # After its end a log is passed over in one step, before it in many.
    pathlib.Path('filler.bddf').write_bytes(LOG + bytes(6 * MIB))
    pathlib.Path('junk.bag').write_bytes(os.urandom(6 * MIB))
    for name in 'filler.bddf', 'junk.bag':
        size = os.path.getsize(name)
        no_faster(name, size, 2 * MIB, took('--max-read-rate=2M', name))
    os.mkdir('in')
    for i in range(12):
        pathlib.Path('in/%d.bddf' % i).write_bytes(LOG)
    for jobs in '1', '3':
        no_faster('many by -j' + jobs, 12 * len(LOG), MIB,
                  took('-r', '-j' + jobs, '--max-read-rate=1M', 'in'))
    os.chdir(TOP)
end()

#!/usr/bin/python3
"""A signal ends any job soon, whatever it is doing: in 100 ms of the processor, and a
bit.

Logs of generators (CROWDS in the modules *_hostile.py) are so long that a job takes
seconds; it gets SIGTERM after each share of that, and what it works from then on is
measured, not how long that takes on a machine that does other things too.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set where
nothing may be skipped.  SALVOR_LONG: more moments.

    check_stop.py [NAME...]

With names of generators or of their modules, only those; each time is printed.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from support.start import SALVOR, parts

with parts():
    import bag_hostile
    import copies_hostile
    import mcap_hostile
    from built import sanitized
    from sample import LONG
    from tally import check, end

NAMES = sys.argv[1:]
GRACE = 0.1  # seconds of the processor
SLACK = 0.1  # ... and what starting, and the report, may take
SHARES = (.1, .3, .5, .7, .9) if LONG or NAMES else (.15, .5)
SHORT = 0.3  # seconds; a job that takes less is not stopped
TICK = os.sysconf('SC_CLK_TCK')
# So long that each of these takes most of a second.
KINDS = ((bag_hostile.decoded_twice, 600000), (mcap_hostile.torn_chunk, 1200000))
COMMANDS = (['verify', '-q'], ['repair', '-nq'],
            ['export', '-nq', '-o', 'out.mcap'])
COPIES = [(copies_hostile.CROWDS[1][0], 60000)]
MERGE = (['merge', '-nq', '-o', 'out', 'copy'],)


def start(command):
    """The program, which says nothing."""
    return subprocess.Popen([SALVOR, *command, 'crowd'],
                            stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def used(pid):
    """Seconds that a process has worked."""
    with open('/proc/%d/stat' % pid, 'rb') as stat:
        fields = stat.read().rpartition(b')')[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def ended(job):
    """Seconds that it has worked in all, and how it ended."""
    _, status, usage = os.wait4(job.pid, 0)
    job.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, job.returncode


def stop_at(moment, command):
    """What it works after a signal that comes when it has worked so long; None: it
    ended before."""
    job = start(command)
    while (before := used(job.pid)) < moment:
        time.sleep(0.01)
    job.send_signal(signal.SIGTERM)
    whole, code = ended(job)
    return (whole - before, code) if code < 0 else None


def check_kind(kind, n, commands):
    """One log, or two copies of it."""
    made = kind(n)
    raw, *others = made if isinstance(made, tuple) else (made,)
    pathlib.Path('crowd').write_bytes(raw)
    if others:
        pathlib.Path('copy').write_bytes(others[0])
    for command in commands:
        whole, _ = ended(start(command))
        for share in SHARES if whole >= SHORT else ():
            after = stop_at(share * whole, command)
            if after is None:
                continue
            if NAMES:
                print('%-24s %-7s %5.2f s: at %.2f, %.3f s' % (
                    kind.__name__, command[0], whole, share * whole, after[0]),
                      flush=True)
            check('%s, %s: stopped at %.1f' % (kind.__name__, command[0], share),
                  after[0] <= GRACE + SLACK and after[1] == -signal.SIGTERM,
                  after)


def main():
    """In memory, where that is possible."""
    if sanitized():
        sys.exit(77)
    place = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        os.chdir(folder)
        for kinds, commands in (KINDS, COMMANDS), (COPIES, MERGE):
            for kind, n in kinds:
                if not NAMES or {kind.__name__, kind.__module__} & set(NAMES):
                    check_kind(kind, n, commands)
        os.chdir('/')
    end()


main()

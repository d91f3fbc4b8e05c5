#!/usr/bin/python3
"""On one processor all is done by one thread, and the digest goes along with
other work: the reports and the outputs are those of many processors.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import os
import pathlib
import random
import subprocess
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    from bddf_writer import Log, reseal
    from tally import check, end

BLOCKS = 66000  # whose entries take more than 1 MiB: enough for two threads
EVERY = 900  # blocks in a second
LARGE = 4 << 10, 11 << 10, 300 << 10  # bytes of some payloads
PAGE = 4096

ONE = {min(os.sched_getaffinity(0))}
ALL = os.sched_getaffinity(0)


def whole():
    """A log, and where its index begins."""
    dice = random.Random(11)
    log = Log().declare(0, 'a').declare(1, 'b')
    for n in range(BLOCKS):
        if n % EVERY == 0:
            log.count = 0
            log.clock(n // EVERY)
        size = LARGE[n // 5000 % 3] if n % 5000 == 99 else dice.randrange(90)
        log.data(n % 50 == 0, dice.randbytes(size))
    log.data(1, b'x' * 3000 + bytes(5 * PAGE) + b'y')
    at = len(log.raw)
    return log.close(), at


def put(raw, at, bytes_):
    """The log with these bytes there."""
    return raw[:at] + bytes_ + raw[at + len(bytes_):]


def flip(raw, at):
    """The log with a bit flipped there."""
    return put(raw, at, bytes([raw[at] ^ 16]))


def damaged(raw, index):
    """name -> a log"""
    dice = random.Random(12)
    cases = {
        'whole': raw,
        'cut in its data': raw[:index * 2 // 3],
        'cut in its index': raw[:index + 700001],
        'no footer': raw[:-60],
        'wrong digest': flip(raw, len(raw) - 10),
        'hole': put(raw, index // 2, bytes([255]) * 5000),
        'page of zeros': put(raw, index // 3 & -PAGE, bytes(3 * PAGE)),
        'hole in the index': put(raw, index + 600000, bytes(100)),
        'more behind it': raw + raw[5:90000],
        'other entries': reseal(flip(raw, index + 800000)),
    }
    for n in range(6):
        at = dice.randrange(4, index)
        cases['flip at %d' % at] = flip(raw, at)
        at = dice.randrange(index, len(raw))
        cases['flip at %d' % at] = flip(raw, at)
    return cases


def run(processors, *args):
    """What a run says, and ends with."""
    done = subprocess.run([SALVOR, *args], check=False, capture_output=True,
                          stdin=subprocess.DEVNULL,
                          env={**os.environ, 'SOURCE_DATE_EPOCH': '0'},
                          preexec_fn=lambda: os.sched_setaffinity(
                              0, processors))
    return done.returncode, done.stdout, done.stderr


def outcome(processors):
    """What verify and repair make of ./log."""
    said = [run(processors, 'verify', '--json', '--effort=0', 'log'),
            run(processors, 'repair', '--json', '--effort=0', '-o', 'out',
                'log')]
    made = {}
    for path in sorted(pathlib.Path('.').glob('out*')):
        made[path.name] = path.read_bytes()
        path.unlink()
    return said, made


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    written = 0
    for name, raw in damaged(*whole()).items():
        pathlib.Path('log').write_bytes(raw)
        one, many = outcome(ONE), outcome(ALL)
        check(name + ': the same', one == many, (one[0], many[0]))
        check(name + ': an answer', [code for code, _, _ in one[0]]
              in ([0, 0], [4, 1], [4, 3], [4, 4]), one[0])
        written += 'out' in one[1]
    check('most are mended', written > 10, written)
    os.chdir(TOP)
end()

#!/usr/bin/python3
"""Time and memory grow with the size of a log, whatever is in it.

For every list that a driver keeps there is a generator of logs that make it
long (CROWDS in the modules *_hostile.py).  Of each, four times as many may take
four times as long, and a bit; and what a unit of each takes in memory is stated
in docs/performance.md.  The fate of bytes changes in one pass, however many change:
that is counted, in extents that were moved.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.  SALVOR_GROWTH="4 16 64": logs of so many MB, too,
in memory and on disk, which takes half an hour.

    check_growth.py [NAME...]

With names of generators or of their modules, only those; each slope is printed.
"""
import math
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

from support.start import SALVOR, parts

with parts():
    import bag_hostile
    import copies_hostile
    import cyber_hostile
    import cyber_writer
    import dataflash_hostile
    import drive_hostile
    import hostile
    import mcap_hostile
    import mcap_lost_hostile
    import rosrecord_hostile
    import ulog_hostile
    from built import sanitized
    from sample import LONG, share
    from tally import check, end

SLOPE = 1.3  # as many times the size to this may it take
BASE = 0.05  # seconds of work that any log may take
PRICE = 3  # ... and each MB of it, on any machine
SIZES = [int(n) << 20 for n in os.environ.get('SALVOR_GROWTH', '').split()]
LONGEST = 400  # seconds
NAMES = sys.argv[1:]
# The last two scan and plan alike: a generator has one of them, or both with
# SALVOR_LONG and where it is named.
COMMANDS = (['info'], ['repair', '-n', '-q', '--effort=0'],
            ['export', '-n', '-q', '-o', 'out.mcap'])
# For a share of the generators, as all of them keep what the commands above keep, and
# for those that are about records.
OTHER_COMMANDS = (['verify', '-q', '--effort=0'],
                  ['export', '-n', '-q', '--to=csv', '-o', 'out'],
                  ['export', '-n', '-q', '-o', 'out.ndjson'],
                  ['export', '-n', '-q', '-o', 'out.mcap', '--order=time'],
                  ['extract', '-n', '-q', '-f', '-o', 'out'])
ONE_IN = 7
FEW_COPIES = 5
MERGE = (['merge', '-n', '-q', '-o', 'out'],)
LOG = 'crowd.00001'
OTHERS = {'donor': 'donor', 'copy': 'copy', 'fill': 'fill',
          'segment': 'crowd.00000'}
USES = {'donor': ['--donor=donor'], 'copy': ['copy'], 'fill': ['--fill=fill']}
CHANGES = str(pathlib.Path(os.environ.get('SALVOR_BUILDDIR', '.'))
              / 'tests' / 'read' / 'changes')
PASSES = 4  # over the extents of a log, and of so many more
FEW = 100
SMALL = 16 << 20  # bytes that any job may take
ENCODER = 24 << 20  # ... and the encoder of zstd, in an export

# By a process that takes little: what that has counts, too.
PEAK = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL,
               stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"""


def logs(kind, n):
    """The log of n of a kind, and what is beside it: what that is, and its bytes."""
    raw, *other = made if isinstance(made := kind(n), tuple) else (made,)
    return raw, other[1] if other[1:] else 'donor' if other else '', other[:1]


def put(kind, n):
    """Write them: the size of the log, and what follows a command that uses both."""
    raw, beside, others = logs(kind, n)
    for path in OTHERS.values():
        pathlib.Path(path).unlink(missing_ok=True)
    pathlib.Path(LOG).write_bytes(raw)
    for content in others:
        pathlib.Path(OTHERS[beside]).write_bytes(content)
    return len(raw), USES.get(beside, [])


def cost(command):
    """Seconds of the processor; salvor is killed after more than any may take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(['prlimit', '--cpu=%d' % LONGEST, SALVOR, *command],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime
            - before.ru_utime - before.ru_stime)


def check_changes(what):
    """The fates of the log there change in a few passes."""
    extents, moved = map(int, subprocess.run(
        [CHANGES, LOG], check=True, stdout=subprocess.PIPE).stdout.split())
    check(what + ': fates change in one pass',
          moved <= PASSES * (extents + FEW), (extents, moved))


def runs(commands, other):
    """The command lines of commands on the log there."""
    return [[*command, *other * (command[0] in ('repair', 'merge')), LOG]
            for command in commands]


def check_step(kind, n, more, commands):
    """From a number of a kind to a larger one.  That is first: what takes little time
    for it is not run on the smaller log."""
    larger, other = put(kind, more)
    much = [cost(line) for line in runs(commands, other)]
    size, other = put(kind, n)
    if commands[0] == COMMANDS[0]:
        check_changes('%s of %d' % (kind.__name__, n))
    steeper = (larger / size) ** SLOPE
    little = [min(cost(line), cost(line))
              if NAMES or most > steeper * BASE else 0
              for line, most in zip(runs(commands, other), much)]
    if any(most > steeper * (least + BASE) for least, most in zip(little, much)):
        put(kind, more)
        much = [min(most, cost(line))
                for line, most in zip(runs(commands, other), much)]
    for command, least, most in zip(commands, little, much):
        what = '%s of %d, %s: time ' % (kind.__name__, more, command)
        check(what + 'goes with the size', most <= steeper * (least + BASE),
              (least, most, larger / size))
        if NAMES:
            print('%-14s %-26s %-7s %6.1f MB %7.2f s, slope %.2f' % (
                kind.__module__.partition('_')[0], kind.__name__, command[0],
                larger / 1e6, most, math.log((most + BASE) / (least + BASE))
                / math.log(larger / size)), flush=True)
        check(what + 'for a MB', sanitized()
              or most <= PRICE * larger / 1e6 + BASE, (most, larger))


def check_time(kind, counts, commands=COMMANDS):
    """From each number of a kind to the next."""
    for n, more in zip(counts, counts[1:]):
        check_step(kind, n, more, commands)


def peak(*command):
    """Bytes that salvor takes at most."""
    return 1024 * int(subprocess.run(
        [sys.executable, '-c', PEAK, SALVOR, *command], check=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def cyber_chunks(n):
    """A record of chunks of one message, without an index."""
    return cyber_writer.write(
        *cyber_writer.drive(n_messages=n, size=30),
        cyber_writer.Shape(limit=1, closed=False, indexed=False))


def messages(n):
    """Messages of a bag, in one chunk."""
    return bag_hostile.equal_chunks(1, n, 0, 'none')


# (of what, how many, bytes that verify and repair may take for each); what
# docs/performance.md states.  So many that these are more than SMALL.
ROOM = ((hostile.plain_blocks, 800000, 24), (hostile.many_series, 80000, 1200),
        (hostile.junk_between, 240000, 220), (messages, 240000, 200),
        (bag_hostile.small_chunks, 80000, 800),
        (bag_hostile.many_connections, 24000, 2400),
        (cyber_chunks, 32000, 1600), (drive_hostile.strange_sections, 80000, 700),
        (drive_hostile.torn_frames, 16000, 200))

# Small logs, and what exports of them as text take, with what describes their channels.
TEXT_ROOM = ((mcap_lost_hostile.wide_schema, 4000), (ulog_hostile.empty_fields, 8000))
TEXT = 128 << 20  # bytes
FEW_TRIED, MOST_COPIES = 16, 64  # first ones that a merge tries, and copies that it takes


def check_text_room(kind, n):
    """What salvor knows about channels that are alike takes little."""
    put(kind, n)
    for command in OTHER_COMMANDS[1:3]:
        used = peak(*command, LOG)
        check('%d %s, %s: memory' % (n, kind.__name__, command[-1]), used < TEXT, used)
    os.unlink(LOG)


def copies_of(n):
    """In each other bits are flipped than in any other, and nothing decides."""
    raw = hostile.testdata('bddf/good-multi-key-spec.bddf')
    rng = random.Random(1)
    for k in range(n):
        made = bytearray(raw)
        for _ in range(3):
            made[rng.randrange(len(raw) // 2, len(raw) * 2 // 3)] ^= 1 << rng.randrange(8)
        pathlib.Path('copy%d' % k).write_bytes(made)
    return ['copy%d' % k for k in range(n)]


def check_contradicting():
    """Not all of many copies are tried as the first one, and there are not too many."""
    merge = [*MERGE[0], '--effort=0']
    least, much = (cost([*merge, *copies_of(n)]) for n in (FEW_TRIED, MOST_COPIES))
    check('contradicting copies: time', much <= 2 * MOST_COPIES / FEW_TRIED * (least + BASE),
          (least, much))
    for more, refused in ((0, False), (1, True)):
        done = subprocess.run([SALVOR, *merge, *copies_of(MOST_COPIES + more)], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        check('%d copies too many: refused or not' % more,
              (done.returncode == 32) == refused, done.returncode)


def check_room(kind, n, room):
    """Each of a kind takes at most so much memory."""
    put(kind, n)
    for command in (OTHER_COMMANDS[0], *COMMANDS[1:]):
        used, most = peak(*command, LOG), SMALL + n * room
        # An export keeps what it will say of each channel, too.
        if command[0] == 'export':
            most += ENCODER + n * room // 2
        check('%d %s, %s: memory' % (n, kind.__name__, command[0]),
              used < most, (used - SMALL) / n)
    os.unlink(LOG)


def chosen(crowds):
    """Those that are named, or all."""
    return [(kind, n) for kind, n in crowds if not NAMES
            or {kind.__name__, kind.__module__} & set(NAMES)]


def check_sizes(kind, n, commands):
    """A small and a large log of a kind, and the sizes that were asked for."""
    check_time(kind, [n, 4 * n], commands)
    if SIZES:
        each = len(logs(kind, n)[0]) / n
        check_time(kind, [int(size / each) for size in SIZES], commands)


def main():
    """Everything, in memory where that is possible."""
    kinds = chosen(crowd for module in (
        hostile, bag_hostile, rosrecord_hostile, mcap_hostile, mcap_lost_hostile,
        ulog_hostile, dataflash_hostile, drive_hostile, cyber_hostile)
                   for crowd in (*module.CROWDS, *getattr(module, 'GIVEN', ())))
    copies = chosen(copies_hostile.CROWDS)
    filled = chosen(hostile.FILLED)
    recorded = chosen((*mcap_hostile.RECORDED, *mcap_lost_hostile.RECORDED))
    places = [p for p in ('/dev/shm', os.getcwd()) if os.access(p, os.W_OK)]
    for place in places if SIZES else places[:1]:
        with tempfile.TemporaryDirectory(dir=place) as folder:
            os.chdir(folder)
            for nth, (kind, n) in enumerate(kinds):
                check_sizes(kind, n, COMMANDS if LONG or SIZES or NAMES
                            else (COMMANDS[0], COMMANDS[1 + nth % 2]))
            for kind, n in (*filled, *(copies if SIZES or NAMES
                                       else share(copies, FEW_COPIES))):
                check_sizes(kind, n, MERGE)
            for kind, n in (*recorded, *(() if NAMES else share(kinds, ONE_IN))):
                check_time(kind, [n, 4 * n], OTHER_COMMANDS)
            for kind, n, room in ROOM if not sanitized() and not NAMES else ():
                check_room(kind, n, room)
            if not NAMES or 'contradicting' in NAMES:
                check_contradicting()
            for kind, n in chosen(TEXT_ROOM) if not sanitized() else ():
                check_text_room(kind, n)
            os.chdir('/')
    end()


main()

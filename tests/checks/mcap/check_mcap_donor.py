#!/usr/bin/python3
"""Does a donor say what lost channels of an MCAP file are, and never wrongly?

Of recordings of a robot the beginning is lost, where channels are declared, and the
summary.  With another recording of the same robot every message is kept under its
topic.  With one of another robot, of the same topics in another order or with other
lengths, or where two topics are alike, no message is kept under a wrong topic.

    check_mcap_donor.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import random
import subprocess
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from support.start import SALVOR, parts

with parts():
    from mcap import judge, records as r
    from mcap.write import STYLES, Recording, write
    from tally import check, end

ROUNDS = 12
STEP = 10 ** 7  # between messages, in nanoseconds
# topic: how often, and the lengths of its messages.
ROBOT = {'/imu': (8, (324,)), '/odom': (4, (720,)),
         '/scan': (2, range(2000, 4000)), '/log': (2, range(30, 200))}
TWINS = {**ROBOT, '/imu_2': (8, (324,))}
ALIEN = {'/gps': (1, (90,)), '/odom': (4, (720,)), '/scan': (2, (64,)),
         '/a': (5, range(10, 20)), '/log': (2, (3000,))}


def recording(topics, dice, number, late=None):
    """Messages of some topics, and from the middle on of a late one."""
    topics = {**topics, **({late: (3, (16,))} if late else {})}
    names = list(topics)
    schemas = [r.Schema(n, 'robot/T%d' % n, 'ros2msg', b'# ' + name.encode())
               for n, name in enumerate(names, 1)]
    channels = [r.Channel(n, n, name, 'cdr') for n, name in enumerate(names, 1)]
    often = [topics[name][0] for name in names]
    if late:
        often[-1] = 0
    start, events = dice.randrange(10 ** 18, 2 * 10 ** 18), []
    for n in range(number):
        if late and n == number // 2:
            often[-1] = topics[late][0]
        at = n if n < len(often) - bool(late) else dice.choices(range(len(names)), often)[0]
        events.append(r.Message(at + 1, n, start + n * STEP, start + n * STEP,
                                dice.randbytes(dice.choice(
                                    topics[names[at]][1]))))
    return Recording('ros2', schemas, channels, events)


def headless(raw):
    """Without all up to the third chunk, and without what follows the data."""
    chunks = [at for at, op in walk(raw) if op == r.CHUNK]
    return raw[chunks[2]:raw.rindex(b'\x0f' + (4).to_bytes(8, 'little'))]


def walk(raw):
    """(offset, opcode) of the records of a file."""
    at = len(r.MAGIC)
    while at < len(raw) - len(r.MAGIC):
        yield at, raw[at]
        at += 9 + int.from_bytes(raw[at + 1:at + 9], 'little')


def messages(raw):
    """Topic, time and payload of every message of a sound file."""
    file = judge.strict(raw)
    return Counter((file.channels[m.channel].topic, m.log_time, m.data)
                   for m in file.messages)


def repaired(folder, raw, donor):
    """What a repair with a donor keeps, and its report."""
    for name, content in ('cut.mcap', raw), ('donor.mcap', donor):
        (folder / name).write_bytes(content)
    out = folder / 'out.mcap'
    out.unlink(missing_ok=True)
    done = subprocess.run(
        [SALVOR, 'repair', '--json', '--no-sidecar', '--donor',
         folder / 'donor.mcap', '-o', out, folder / 'cut.mcap'],
        capture_output=True, check=False)
    report = json.loads(done.stdout.splitlines()[0])
    return messages(out.read_bytes()) if out.exists() else Counter(), report


def one(folder, style, dice, robot, what, late=(None, None), own=ROBOT):
    """A recording of `own` without its head, and a donor of `robot`."""
    raw = write(recording(own, dice, 900, late[0]), style)
    cut = headless(raw)
    donor = write(recording(robot, dice, dice.randrange(600, 1500), late[1]),
                  style)
    kept, report = repaired(folder, cut, donor)
    wrong = kept - messages(raw)
    check('%s: nothing under a wrong topic' % what, not wrong, len(wrong))
    return kept, report


def in_order(topics, names):
    """The topics in another order."""
    return {name: topics[name] for name in names}


def main():
    """All classes, in every compression."""
    for how in '', 'lz4', 'zstd':
        style = replace(STYLES['cpp'], compression=how, chunk_size=60000,
                        empty_start=0)
        for turn in range(ROUNDS):
            dice = random.Random('%s %d' % (how, turn))
            what = '%s/%d' % (how or 'none', turn)
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                kept, report = one(folder, style, dice, ROBOT, what)
                check(what + ': all is kept', kept.total()
                      == report['blocks']['kept'] > 500
                      and report['blocks']['lost'] == 0, report['blocks'])
                check(what + ': and its channels', len({t for t, *_ in kept})
                      == len(ROBOT), report['donor'])
                other = in_order(ROBOT, ['/odom', '/imu', '/log', '/scan'])
                kept, _ = one(folder, style, dice, other, what + ' order')
                check(what + ': another order helps nothing', not kept)
                kept, _ = one(folder, style, dice, TWINS, what + ' twins')
                check(what + ': alike topics are left out',
                      '/imu' not in {t for t, *_ in kept})
                kept, _ = one(folder, style, dice, ROBOT, what + ' late',
                              ('/late', '/late'))
                check(what + ': a channel of both', len({t for t, *_ in kept})
                      == len(ROBOT) + 1)
                kept, _ = one(folder, style, dice, ROBOT, what + ' other',
                              ('/late', '/other'))
                check(what + ': a channel of two meanings',
                      {t for t, *_ in kept} == {'/late'})
                kept, _ = one(folder, style, dice, {'/other': ROBOT['/imu']},
                              what + ' single', own={'/imu': ROBOT['/imu']})
                check(what + ': one channel shows nothing', not kept)
                kept, _ = one(folder, style, dice, ALIEN, what + ' alien')
                check(what + ': another robot helps nothing', not kept)
    end()


main()

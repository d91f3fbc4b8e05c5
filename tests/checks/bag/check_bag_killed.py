#!/usr/bin/python3
"""Are all messages kept that a killed recorder had written out?

ROS's own libraries, for Python and C++, record bags that are not compressed,
or compressed by bzip2 or LZ4, and are killed: after many numbers of messages,
and when the file has some size.  What is whole in the file is in the output,
the output has only messages that were recorded, and ROS reads it.

The same is checked of bags that end, or turn to zeros, at any byte of a chunk's
header and right after it.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped; SALVOR_LONG=1 asks for many more moments.
"""
import json
import os
import random
import subprocess
import tempfile
from collections import Counter

from support.start import SALVOR, parts

with parts():
    import bag_judge
    import bag_killed
    import bag_reader
    import bag_samples
    from bag_classes import ALL
    from bag_killed import CHUNK, N
    from tally import check, end

LONG = bool(os.environ.get('SALVOR_LONG'))
MOMENTS = 60 if LONG else 4  # at which a recorder is killed from outside
STEP = 1 if LONG else 31  # messages between two that kill themselves
ZEROS = (0, 1, 8, 600, 5000)  # appended to a file that ends in a header


def repair(paths, folder):
    """{path: the report of its repair}."""
    os.mkdir(folder)
    run = subprocess.run(
        [SALVOR, 'repair', '--no-sidecar', '--json', '-d', folder, *paths],
        capture_output=True, text=True, check=False)
    reports = [json.loads(line) for line in run.stdout.splitlines()]
    return {r['file']: r for r in reports if r['type'] == 'file'}


def messages_of(path):
    """What is in an output, by the strict reader; and whether ROS agrees."""
    with open(path, 'rb') as there:
        bag = bag_reader.read(there.read())
    listing = bag.listing()
    if bag_judge.listing(path) != bag_judge.summary(listing):
        raise bag_reader.Bad('ROS reads other messages')
    return [(topic, sec * 10 ** 9 + nsec, payload)
            for _, topic, sec, nsec, payload in listing]


def judge(what, report, owed, recorded):
    """Is what is owed in the output, and nothing that was not recorded?"""
    path = report['output']['path'] if report.get('output') else None
    if report['state'] == 'intact':
        path = report['file']
    check('%s: has an output' % what, path or not owed, report)
    if path is None:
        return
    try:
        found = messages_of(path)
    except (bag_reader.Bad, bag_judge.Refused) as fault:
        check(what, False, fault)
        return
    missing, extra = Counter(owed), Counter(found)
    missing.subtract(found)
    extra.subtract(recorded)
    lost = sum(n for n in missing.values() if n > 0)
    more = sum(n for n in extra.values() if n > 0)
    check('%s: keeps what is whole' % what, lost == 0,
          '%d of %d missing' % (lost, len(owed)))
    check('%s: keeps only what was recorded' % what, more == 0, '%d' % more)


def moments(dice):
    """Arguments of record(), and a name for each."""
    first = dice.randrange(1, STEP + 1)
    for kill in range(first, N, STEP):
        yield 'after %d' % kill, {'kill': kill}
    for i in range(MOMENTS):
        yield 'moment %d' % i, {'size': dice.randrange(4117, 240000)}


def killed(recorder, how, folder):
    """One recorder, killed at many moments."""
    dice, paths = random.Random(recorder.name + how), {}
    know = Counter(bag_killed.recorded(n) for n in range(N))
    for name, when in moments(dice):
        path = os.path.join(folder, '%s-%s-%d.bag.active' % (
            recorder.name, how, len(paths)))
        raw = recorder.record(path, how, **when)
        owed = bag_killed.walk(raw)
        check('the walk of %s reads what was recorded' % name,
              not Counter(owed) - know)
        paths[path] = '%s %s %s' % (recorder.name, how, name), owed
    if recorder.name == 'cpp':
        check('chunks were closed', any(len(owed) > CHUNK // 1100
                                        for _, owed in paths.values()))
    out = os.path.join(folder, 'out-%s-%s' % (recorder.name, how))
    reports = repair(sorted(paths), out)
    for path, (what, owed) in paths.items():
        judge(what, reports[path], owed, know)


def at_headers(how, folder):
    """Bags that end in the header of a chunk, or right after it."""
    raw = bag_samples.bag(90, 5, seed=8, scale=.2, threshold=3000,
                          compression=(how,))
    bag = bag_reader.read(raw)
    chunk, paths = bag.chunks[3], {}
    recorded = [(topic, sec * 10 ** 9 + nsec, payload)
                for _, topic, sec, nsec, payload in bag.listing()]
    owed = recorded[:sum(len(c.messages) for c in bag.chunks[:3])]
    for opened in False, True:
        base = bytearray(raw)
        if opened:
            base[chunk.data_at - 8:chunk.data_at] = bytes(8)
        for cut in range(chunk.at, chunk.data_at + 1):
            for zeros in ZEROS if LONG or cut % 7 == 0 else ZEROS[-3:]:
                path = os.path.join(folder, 'head-%s-%d.bag' % (
                    how, len(paths)))
                with open(path, 'wb') as made:
                    made.write(base[:cut] + bytes(zeros))
                paths[path] = '%s, cut at %d of a header%s, %d zeros' % (
                    how, cut - chunk.at, ', open' * opened, zeros)
    reports = repair(sorted(paths), os.path.join(folder, 'out-head-' + how))
    for path, what in paths.items():
        judge(what, reports[path], owed, recorded)


def main():
    """Run everything."""
    with tempfile.TemporaryDirectory() as folder:
        recorders, why = bag_killed.recorders(folder)
        if os.environ.get('CI'):
            check('the C++ recorder', why is None, why)
        for how in ALL:
            at_headers(how, folder)
            for recorder in recorders:
                killed(recorder, how, folder)
    end()


main()

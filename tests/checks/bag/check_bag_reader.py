#!/usr/bin/python3
"""Does ROS read from a repaired bag all that it reads from the damaged one?

Bags are hit by a flipped bit, by zeros or by random bytes, mostly in what
describes messages: declarations, indexes, headers.  ROS's own reader for Python
reads the damaged bag and the repaired one.  Every message that it gets from the
damaged bag as it was recorded, under its topic and with its type, it gets from
the repaired one, too, except for those that the report names as left out: where
nothing confirms the end (--keep=suspect keeps them), or where their own header
was hit in bytes that this reader does not look at.

    check_bag_reader.py [-n CASES] [-f FIRST] [-o FOLDER]

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped; SALVOR_LONG=1 asks for many more cases.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import tempfile
import zlib
from collections import Counter

from support.start import SALVOR, parts

with parts():
    import bag_judge
    import bag_reader
    import bag_samples
    import rosbag
    from tally import check, end

CASES = 3000 if os.environ.get('SALVOR_LONG') else 250
BATCH = 50
NAMED = 'rosbag.suspect-message', 'rosbag.bad-record'
SORTS = [('none',), ('none',), ('lz4',), ('bz2',), ('none', 'lz4')]


def original(number, dice):
    """A bag."""
    make = bag_samples.strange if number % 7 == 6 else bag_samples.bag
    args = {} if number % 7 == 6 else {
        'n_connections': dice.choice([1, 2, 5, 9]), 'scale': .1}
    return make(dice.choice([8, 40, 120]), seed=number % 11 + 1,
                threshold=dice.choice([1, 4, 20]) << 10,
                compression=dice.choice(SORTS), repeat=dice.random() < .2,
                order=dice.choice(['cpp', 'rospy', 'hash']), **args)


def places(bag, dice):
    """A range in which damage begins, and what it is of."""
    chunk = dice.choice(bag.chunks)
    plain = [c for c in bag.chunks
             if c.compression == 'none' and c.connections]
    kind = dice.randrange(12)
    if kind not in range(2, 8) and plain:
        chunk = dice.choice(plain)
        start, stop, _ = dice.choice(chunk.connections)
        return chunk.data_at + start, chunk.data_at + stop
    if kind == 2:
        return dice.choice(bag.tail)[:2]
    if kind == 3:
        return dice.choice(bag.infos)
    if kind == 4:
        return dice.choice(chunk.indexes)[:2]
    if kind == 5:
        return chunk.at, chunk.data_at
    if kind == 6 and chunk.compression == 'none':
        m = dice.choice(chunk.messages)
        return (chunk.data_at + m.at, chunk.data_at + m.end - len(m.payload))
    return 4117, len(bag.raw)


def damage(bag, dice):
    """The bytes of a bag that was hit once, or twice."""
    raw = bytearray(bag.raw)
    for _ in range(dice.choice([1, 1, 1, 2])):
        at = dice.randrange(*places(bag, dice))
        kind = dice.randrange(8)
        if kind < 5:
            raw[at] ^= 1 << dice.randrange(8)
            continue
        size = len(raw[at:at + dice.choice([1, 2, 4, 16, 60])])
        raw[at:at + size] = bytes(size) if kind == 5 else dice.randbytes(size)
    return bytes(raw)


def _read(path):
    out = Counter()
    with rosbag.Bag(path) as bag:
        for topic, raw, when in bag.read_messages(raw=True):
            out[topic, raw[0], raw[2], when.to_nsec(), len(raw[1]),
                zlib.crc32(raw[1])] += 1
    return out


def reading(path):
    """What ROS reads: how often each message."""
    try:
        return bag_judge.apart(_read, path)
    except bag_judge.Refused:
        return Counter()


def repair(paths, folder):
    """{path: the report of its repair}."""
    run = subprocess.run(
        [SALVOR, 'repair', '--no-sidecar', '--json', '-d', folder, *paths],
        capture_output=True, text=True, check=False)
    reports = [json.loads(line) for line in run.stdout.splitlines()]
    return {r['file']: r for r in reports if r['type'] == 'file'}


def worse(path, report, recorded):
    """Messages that ROS reads in the damaged bag and not in the output."""
    found = reading(path) & recorded
    if report['state'] == 'intact' or not found:
        return Counter()
    made = report['output']
    return found - (reading(made['path']) if made else Counter())


def batch(numbers, folder, leave):
    """Make, repair and read some bags."""
    recorded, out = {}, os.path.join(folder, 'out')
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    for number in numbers:
        dice = random.Random('reader/%d' % number)
        bag = bag_reader.read(original(number, dice))
        path = os.path.join(folder, '%d.bag' % number)
        with open(path, 'wb') as there:
            there.write(bag.raw)
        recorded[path] = reading(path)
        check('%d: ROS reads the original' % number,
              recorded[path].total() == len(bag.messages()))
        with open(path, 'wb') as there:
            there.write(damage(bag, dice))
    reports = repair(list(recorded), out)
    for path, known in recorded.items():
        name = os.path.basename(path)
        lost = worse(path, reports[path], known)
        doubts = sum(p['id'] in NAMED for p in reports[path]['problems'])
        check(name, lost.total() <= doubts, (reports[path]['state'], lost.total(),
                               next(iter(lost), None)))
        if lost.total() > doubts and leave:
            shutil.copy(path, leave)
        os.unlink(path)


def main():
    """Run what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument('-n', '--cases', type=int, default=CASES)
    parser.add_argument('-f', '--first', type=int, default=0)
    parser.add_argument('-o', '--output')
    options = parser.parse_args()
    last = options.first + options.cases
    if options.output:
        os.makedirs(options.output, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for first in range(options.first, last, BATCH):
            batch(range(first, min(first + BATCH, last)), folder,
                  options.output)
    end()


main()

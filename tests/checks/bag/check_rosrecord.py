#!/usr/bin/python3
"""Damages ROS 1 bags of version 1.2 in every way, has them repaired, and holds
what comes out against the original.

- a strict reader takes every output, and salvor calls it intact
- ROS's own readers open it and read what the strict one reads
- no message is in it that was never recorded, or more often than it was
- every message is in it whose bytes are all there, and those of the
  definition of its type
- what is damaged is not called intact, and where a message is missing the
  report says so

Every cut and every byte of small bags of all shapes, and ranges of every kind:
zeros, 0xFF, noise, cut out, put in, repeated in place.

    check_rosrecord.py [-o FOLDER] [CLASS...]

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree;
with SALVOR_LONG all cases are run, otherwise a share.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from typing import NamedTuple

from support.start import SALVOR, parts

with parts():
    import bag_judge
    import rosrecord_reader as reader
    from bag_writer import Connection, Message
    from rosrecord_writer import DATA_START, LINE, Shape, write
    from sample import share
    from tally import check, end

DEFINITION = 'uint8[] data\n'
SHAPES = {
    'indexed': Shape(),
    'rospy': Shape(order='rospy', about=False),
    'unclosed': Shape(closed=False),
    'plain': Shape(indexed=False),
    'by-type': Shape(indexed=False, define='type', order='hash'),
}
PATIENCE = 300  # seconds for a class of cases


class Original:
    """A bag, and what is in it."""

    def __init__(self, shape, seed=0):
        dice = random.Random(seed)
        conns = [Connection(n, '/t%d' % n, ('t/A', 't/B', 't/A')[n],
                            DEFINITION + '# %d\n' % (n % 2))
                 for n in range(3)]
        found = []
        for n in range(14):
            size = dice.choice((0, 4, 30, 90))
            found.append(Message(
                n % 3, 1700000000 + n // 2 - (n == 9) * 3,
                n * 1000, size.to_bytes(4, 'little') + dice.randbytes(size)))
        self.raw = write(conns, found, shape)
        self.shape = shape
        # What was never closed is read up to where it ends.
        whole = reader.read(write(conns, found, Shape(
            indexed=False, define=shape.define, order=shape.order,
            about=shape.about)))
        shift = DATA_START - len(LINE) if shape.indexed else 0
        self.messages = [m._replace(at=m.at + shift, end=m.end + shift)
                         for m in whole.messages]
        self.definitions = [d._replace(at=d.at + shift, end=d.end + shift)
                            for d in whole.definitions]
        self.data_end = self.messages[-1].end
        self.counts = Counter(map(key, self.messages))


def key(m):
    """What is recorded in a message."""
    return m.topic, m.type, m.md5sum, m.sec, m.nsec, m.payload


class Case(NamedTuple):
    """A damaged bag."""
    name: str
    original: Original
    raw: bytes
    hits: list  # ranges of the original that are not as they were


def is_hit(case, start, stop):
    """Whether a damage touches a range; one of no length is a cut in it."""
    return any(a < stop and b > start or (a == b and start < a < stop)
               for a, b in case.hits)


def same_length(case):
    """Whether all offsets hold."""
    return len(case.raw) == len(case.original.raw)


def may_differ(case):
    """The messages that may come out with other contents, as nothing in the
    bag contradicts that: {as recorded: what of them may differ}."""
    o = case.original
    for m in o.messages:
        payload = m.end - len(m.payload)
        if same_length(case) and is_hit(case, payload, m.end):
            yield m, 'payload'
        last = m is o.messages[-1] and not (o.shape.indexed
                                            and o.shape.closed)
        if last and is_hit(case, m.at, m.end + 1):
            yield m, 'all'  # nothing follows it
        if is_hit(case, m.at, payload):
            yield m, 'time'


def excuse(case, wrong, unsure):
    """What of messages that never were cannot be held against salvor; unsure: it
    says that the time of one is."""
    o = case.original
    topics = {m.topic for m in o.messages}
    for m, what in may_differ(case):
        for other in list(wrong):
            same = [a == b for a, b in zip(other, key(m))]
            told = not o.shape.closed or not o.shape.indexed or unsure
            if what == 'all' or (what == 'payload' and all(same[:5])) or (
                    what == 'time' and all(same[1:3]) and same[5] and told
                    and (other[0] in topics or o.shape.define == 'type')):
                del wrong[other]
    return wrong


def is_visible(case):
    """Whether a reader can notice the damage."""
    o = case.original
    if case.raw == o.raw:
        return False
    if o.shape.indexed:
        hidden = [(m.end - len(m.payload), m.end) for m in o.messages]
    else:
        hidden = [(m.at, m.end) for m in o.messages]
    hidden += [(d.at, d.end) for d in o.definitions]
    for name in b'callerid=', b'latching=':
        hidden += [(found.start() - 4, found.end() + 9)
                   for found in re.finditer(name, o.raw)]
    if any(case.raw == o.raw[:m.end] for m in o.messages):
        return o.shape.indexed
    return not same_length(case) or not all(
        any(a >= x and b <= y for x, y in hidden) for a, b in case.hits)


def kept_at_least(case):
    """The messages that must come back."""
    o = case.original
    types = {d.type for d in o.definitions if not is_hit(case, d.at, d.end)}
    for m, following in zip(o.messages, o.messages[1:] + [None]):
        if m.type not in types or is_hit(case, m.at, m.end):
            continue
        # Nothing confirms the end of one that damage follows closely.
        after = following.at if following else o.data_end
        if is_hit(case, m.at, after + 60):
            continue
        yield m


def over(raw, at, new):
    """Bytes laid over others."""
    return raw[:at] + new + raw[at + len(new):]


def places(o):
    """Where damage may matter: not in the padding of the bag header."""
    return [at for at in range(len(o.raw))
            if not len(LINE) + 60 <= at < DATA_START - 4
            or not o.shape.indexed]


def cuts(name, o):
    """The end is missing, from every byte on."""
    for at in share(places(o), 5):
        yield Case('%s/cut/%d' % (name, at), o, o.raw[:at],
                   [(at, len(o.raw))])


def flips(name, o):
    """Every byte, another bit each."""
    for at in share(places(o), 5):
        new = bytes([o.raw[at] ^ 1 << at % 8])
        yield Case('%s/flip/%d' % (name, at), o, over(o.raw, at, new),
                   [(at, at + 1)])


def ranges(name, o):
    """Ranges of every kind."""
    dice = random.Random(name)
    begin = DATA_START if o.shape.indexed else len(LINE)
    for number in share(range(240), 5):
        size = dice.choice((1, 7, 40, 200, 600))
        at = dice.randrange(begin, len(o.raw) - 8)
        stop = min(at + size, len(o.raw))
        kind = ('zeros', 'ones', 'noise', 'gone', 'more', 'twice')[number % 6]
        new = {'zeros': bytes(stop - at), 'ones': b'\xff' * (stop - at),
               'noise': dice.randbytes(stop - at), 'gone': b'',
               'more': dice.randbytes(size) + o.raw[at:stop],
               'twice': o.raw[at:stop] * 2}[kind]
        hits = [(at, at) if kind == 'more' else
                (stop, stop) if kind == 'twice' else (at, stop)]
        yield Case('%s/%s/%d' % (name, kind, number), o,
                   o.raw[:at] + new + o.raw[stop:], hits)


CLASSES = {'cuts': cuts, 'flips': flips, 'ranges': ranges}


class Trial:
    """Runs salvor in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.cpp = bag_judge.CppJudge(folder)

    def call(self, *args):
        """Run salvor: {path: report}."""
        run = subprocess.run([SALVOR, *args, '--json'], capture_output=True,
                             timeout=PATIENCE, check=False)
        found = [json.loads(line) for line in run.stdout.splitlines()]
        return {r['file']: r for r in found if r.get('type') == 'file'}

    def run(self, name, cases):
        """Damage, repair, judge."""
        here = os.path.join(self.folder, name)
        shutil.rmtree(here, ignore_errors=True)
        os.makedirs(os.path.join(here, 'in'))
        os.makedirs(os.path.join(here, 'out'))
        by_path = {}
        for case in cases:
            path = os.path.join(here, 'in',
                                case.name.replace('/', '-') + '.bag')
            by_path[path] = case
            with open(path, 'wb') as file:
                file.write(case.raw)
        reports = self.call('repair', '--no-sidecar', '--copy-intact', '-r',
                            '-d', os.path.join(here, 'out'),
                            os.path.join(here, 'in'))
        bad, outputs = [], {}
        for path, case in by_path.items():
            report = reports.get(path)
            if report is None:
                bad.append((case, 'says nothing'))
                continue
            bad += [(case, why) for why in self.judge(case, report, outputs)]
        bad += self.again(here, outputs)
        check(name, not bad, ['%s: %.90s' % (c.name, why)
                              for c, why in bad[:12]])

    def judge(self, case, report, outputs):
        """What is wrong with what became of a case."""
        made = report.get('output') or {}
        want = Counter(map(key, kept_at_least(case)))
        whole = case.original.counts
        if report.get('error'):
            yield 'error: %s' % report['error']['text']
        if sum(report['bytes'].values()) != report['size']:
            yield 'the bytes do not add up'
        if made.get('outcome') not in ('written', 'already'):
            if want:
                yield 'nothing is written: ' + report['state']
            return
        with open(made['path'], 'rb') as file:
            raw = file.read()
        try:
            bag = reader.read(raw)
        except reader.Bad as fault:
            yield 'strict: %s' % fault
            return
        outputs[made['path']] = case, bag
        found = Counter(map(key, bag.messages))
        ids = {p['id'] for p in report['problems']}
        wrong = excuse(case, found - whole, 'rosrecord.message-time' in ids)
        if wrong:
            yield 'never recorded: %s' % wrong
        if want - found:
            yield 'not kept: %s' % (want - found)
        if report['state'] == 'intact' and is_visible(case):
            yield 'called intact'
        if report['state'] == 'repaired' \
                and len(bag.messages) < len(case.original.messages) \
                and case.original.shape.closed:
            yield 'none lost, and messages are missing'

    def again(self, here, outputs):
        """What salvor and ROS say of the outputs."""
        after = self.call('verify', '-r', os.path.join(here, 'out'))
        for path, (case, _) in outputs.items():
            if path not in after or after[path]['state'] != 'intact':
                yield case, 'verify: %s' % after.get(path, {}).get('state')
        if self.cpp.program is None:
            return
        wanted = [p for p, (_, bag) in outputs.items()
                  if bag.indexed and bag.messages]
        for path, answer in self.cpp.listings(wanted).items():
            case, bag = outputs[path]
            if isinstance(answer, Exception) \
                    or len(answer) != len(bag.messages):
                yield case, 'C++: %s' % answer


def main():
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument('-o', dest='folder')
    parser.add_argument('classes', nargs='*', default=list(CLASSES))
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp()
    try:
        trial = Trial(folder)
        if trial.cpp.program is None and os.environ.get('CI'):
            check('the C++ library', False, trial.cpp.why)
        for name in options.classes:
            for shape in SHAPES:
                original = Original(SHAPES[shape])
                trial.run('%s-%s' % (name, shape),
                          CLASSES[name](shape, original))
    finally:
        if not options.folder:
            shutil.rmtree(folder)
    end()


if __name__ == '__main__':
    main()

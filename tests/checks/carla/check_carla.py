#!/usr/bin/python3
"""Damages CARLA recorder logs in every way, has them repaired, and holds what
comes out against the original.

- a strict reader takes every output, and salvor calls it intact
- no frame is in it that was never recorded; where payload without a checksum
  was hit nobody can see that, and it is not held against salvor
- every frame whose bytes are still there is in it
- what is damaged is not called intact
- an actor that begins as one and ends as another is hardly ever in it

All dialects and crash states, a few cases of each, or many with SALVOR_LONG=1;
and every cut of two small logs.  A case is named by what makes it again:

    check_carla.py [-n CASES] [-o FOLDER] [CLASS[/DIALECT[/NUMBER]]]

runs those only and leaves the logs, damaged and repaired, in FOLDER.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import tempfile

from support.start import SALVOR

import carla_reader  # noqa: E402
import carla_writer  # noqa: E402
import carla_damage  # noqa: E402
from carla_damage import CLASSES, Damaged, over  # noqa: E402
from carla_trial import Case, Trial  # noqa: E402
from tally import check, end  # noqa: E402

CASES = 60 if os.environ.get('SALVOR_LONG') else 2  # of each class and dialect
TORN = 'events that never were'
TORN_MAX = .015  # of the logs
SHOWN = 3  # of the same class and dialect


def original(dialect, seed):
    """A log: of actors that come and go, or of as many all the time."""
    return carla_reader.read(carla_writer.log(
        dialect, frames=14, seed=seed, still=seed % 2 == 1,
        vehicles=1 + seed % 2), gaps=False)


def cases_of(damage, dialect, numbers):
    """Cases that follow from their names alone."""
    for number in numbers:
        name = '%s/%s/%d' % (damage.__name__, dialect, number)
        log = original(dialect, number % 3)
        damaged = damage(log.raw, random.Random(name))
        yield Case(name, log, damaged)


def every_cut():
    """A small log, cut at every byte."""
    for dialect in '0.9.15', 'ue5':
        log = carla_reader.read(carla_writer.log(
            dialect, frames=3, actors=2), gaps=False)
        for at in range(34, len(log.raw)):
            yield Case('every_cut/%s/%d' % (dialect, at), log, Damaged(
                log.raw[:at], [(at, len(log.raw))]))


def every_birth():
    """A log of actors in whose first frame bytes are missing, from each byte of
    one actor to the end of another, except for three bytes."""
    log = carla_reader.read(carla_writer.log(
        '0.9.15', frames=3, actors=12), gaps=False)
    at = log.raw.index(b'\x16\0\0\0\2')  # actor 22, of 20 to 31
    end = log.raw.index(b'\x19\0\0\0\2') - 3
    for start in range(at, at + 60):
        yield Case('every_birth/0.9.15/%d' % start, log, Damaged(
            log.raw[:start] + log.raw[end:], [(start, end)]))


def every_flip():
    """A small log, each of its bytes another in turn."""
    log = carla_reader.read(carla_writer.log(
        '0.9.15', frames=4, actors=1), gaps=False)
    for at in range(34, len(log.raw)):
        damaged = over(log.raw, at, bytes([log.raw[at] ^ 1 << at % 8]))
        damaged.blind = True
        yield Case('every_flip/0.9.15/%d' % at, log, damaged)


def judge(what, verdicts):
    """Are all outputs of a class and dialect what they should be?"""
    shown = 0
    for v in verdicts:
        shown += bool(v.broken)
        if v.broken and shown <= SHOWN:
            check(v.case.name, False, v.broken)
    check('%s: outputs' % what, shown == 0, '%d are wrong' % shown)
    missed = [v for v in verdicts if v.kept < v.ideal]
    check('%s: frames kept' % what, not missed, ', '.join(
        '%s %d of %d' % (v.case.name, v.kept, v.ideal) for v in missed[:9]))


def born_twice(trial, number):
    """A stretch inside the actors of the first frame is there twice.  An actor
    may end where the stretch does, which nothing shows: that is rare."""
    verdicts = trial.run([case for name in carla_writer.DIALECTS
                          for case in cases_of(carla_damage.born_twice, name,
                                               number)])
    torn = 0
    for v in verdicts:
        broken = [b for b in v.broken if not b.startswith(TORN)]
        torn += len(broken) < len(v.broken)
        check(v.case.name, not broken, broken)
    check('%d of %d have an actor of two halves' % (torn, len(verdicts)),
          torn <= TORN_MAX * len(verdicts))


def crowd():
    """Two frames that create 40,000 actors each, of which the first is lost: more
    events than one packet can count."""
    recorder = carla_writer.Recorder('0.9.12-plain', actors=2, still=True)
    raw, first = carla_writer.header(), 100
    for frame in range(4):
        recorder.born = range(first, first + 40000) if frame < 2 else []
        first += 40000
        raw += recorder.frame(frame == 3)
    log = carla_reader.read(raw, gaps=False)
    for number, wrong in ((6, 30), (5, 6), (10, 7)):
        at = dict((n, at) for n, at, _ in log.frames[0].places())[number]
        yield Case('crowd/0.9.12-plain/%d' % number, log, Damaged(
            raw[:at + wrong] + raw[at + wrong + 3:], [(at, at + 40)]))


def map_names(folder):
    """Each bit of the name of the map, without --map-name: all frames are kept,
    and a name that is none is never called intact nor repaired."""
    os.makedirs(folder)
    frames = b''.join(carla_writer.frames_of('0.9.15', 3))
    for town in 'Town01', 'Carla/Maps/Town10HD_Opt', 'My own map':
        for bit in range(8 * len(town)):
            name = bytearray(town.encode())
            name[bit // 8] ^= 1 << bit % 8
            raw = carla_writer.header('?' * len(town)).replace(
                b'?' * len(town), name) + frames
            made = os.path.join(folder, 'out.log')
            path = os.path.join(folder, 'in.log')
            with open(path, 'wb') as out:
                out.write(raw)
            report = json.loads(subprocess.run(
                [SALVOR, 'repair', '--json', '--no-sidecar', '--force', '-o',
                 made, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                check=False).stdout)
            legal = 31 < name[bit // 8] < 127
            with open(path if legal else made, 'rb') as out:
                log = carla_reader.read(out.read(), gaps=False)
            good = [('intact',)] if legal else [
                ('lossy', 'carla.map-name'), ('repaired', 'carla.map-bit')]
            found = (report['state'],) + tuple(
                p['id'] for p in report['problems'])
            check('map %r' % bytes(name), found in good and log.raw.endswith(
                frames) and (len(found) < 2 or found[0] == 'lossy'
                             or log.town == town), found)


def after_all(folder):
    """Packets of a program's own after the last frame, and something after them:
    they are kept, or it is said that one may be lost."""
    os.makedirs(folder)
    rng = random.Random('after all')
    log = carla_writer.log('0.9.15', frames=3)
    wrong_size = bytearray(carla_writer.AFTER)
    wrong_size[1] ^= 1
    names = {}
    for number, tail in enumerate((
            b'', bytes(1), bytes(50), bytes(600), b'\xff' * 50, b'\x07' * 3,
            *(carla_writer.noise(rng, n) for n in (1, 4, 5, 6, 100, 512)))):
        for kind, packets in (('right', carla_writer.AFTER),
                              ('wrong', bytes(wrong_size))):
            name = os.path.join(folder, '%s-%d.log' % (kind, number))
            names[name] = kind, tail
            with open(name, 'wb') as file:
                file.write(log + packets + tail)
    os.mkdir(os.path.join(folder, 'out'))
    done = subprocess.run(
        [SALVOR, 'repair', '--json', '--no-sidecar', '-d',
         os.path.join(folder, 'out'), '--', *names], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, check=False)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    for report in reports:
        if report.get('type') != 'file':
            continue
        kind, tail = names[report['file']]
        path = os.path.join(folder, 'out', os.path.basename(report['file']))
        out = log + carla_writer.AFTER
        if os.path.exists(path):
            with open(path, 'rb') as file:
                out = file.read()
        found = carla_reader.read(out).after
        want = carla_reader.read(log + carla_writer.AFTER).after
        what = '%s %d' % (kind, len(tail))
        check('after all: %s: no packet is another' % what,
              found == want[:len(found)], found)
        check('after all: %s: none is lost unsaid' % what,
              found == want or report['state'] == 'lossy', report['state'])
        check('after all: %s: all are, before zeros' % what,
              kind == 'wrong' or any(tail) or found == want, found)


def leave(folder, verdicts, trial):
    """Put files where somebody can look at them."""
    os.makedirs(folder, exist_ok=True)
    for number, v in enumerate(verdicts):
        stem = os.path.join(folder, v.case.name.replace('/', '-'))
        with open(stem + '.good.log', 'wb') as out:
            out.write(v.case.log.raw)
        for name, tail in (('%d.log', '.log'), ('out/%d.log', '.out.log')):
            path = os.path.join(trial.folder, name % number)
            if os.path.exists(path):
                shutil.copy(path, stem + tail)
        print(v.case.name, v.state, 'kept', v.kept, 'of', v.ideal, 'blurred',
              v.blurred, *v.broken)


def main():
    """Run what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument('-n', '--cases', type=int, default=CASES)
    parser.add_argument('-o', '--output')
    parser.add_argument('only', nargs='?', default='')
    options = parser.parse_args()
    kind, dialect, number = (options.only.split('/') + ['', ''])[:3]
    groups = [(f.__name__, f) for f in (every_cut, every_birth, every_flip, crowd)]
    for damage in CLASSES:
        for name in carla_writer.DIALECTS:
            if dialect in ('', name):
                numbers = [int(number)] if number else range(options.cases)
                groups.append((damage.__name__, lambda d=damage, n=name,
                               k=numbers: cases_of(d, n, k)))
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(SALVOR, os.path.join(folder, 'run'))
        if kind in ('', 'map_names'):
            map_names(os.path.join(folder, 'names'))
        if kind in ('', 'after_all'):
            after_all(os.path.join(folder, 'after'))
        if kind in ('', 'born_twice'):
            born_twice(trial, range(max(options.cases, 100)))
        for name, cases in groups:
            if kind not in ('', name):
                continue
            verdicts = trial.run(list(cases()))
            if name.startswith('every') and number:
                verdicts = [v for v in verdicts
                            if v.case.name == options.only]
            judge('/'.join(verdicts[0].case.name.split('/')[:2]), verdicts)
            if options.output:
                leave(options.output, verdicts, trial)
    end()


main()

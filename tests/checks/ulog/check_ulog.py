#!/usr/bin/python3
"""Damages flight logs of PX4 in every way, has them repaired, and holds what comes
out against the original.

- a strict reader takes every output, and salvor calls it intact
- no message is in it that was never recorded, but where nothing shows it
- every message is in it that is whole and in one piece, but for one at each
  damage, whose end nothing confirms
- what is changed in place can be undone
- a donor brings back what is lost of the definitions
- a format or subscription before damage is kept, as nothing else completes it
- types that no reader knows are no damage
- formats that a message carries are none of the log's

Every cut and every byte of a small log, and sectors of every kind.

    check_ulog.py [CLASS...]

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree;
with SALVOR_LONG all cases are run, otherwise a share.
"""
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    from sample import share
    from tally import check, end
    from ulog import damage, judge, npm, sorts, writer
    from ulog.judge import Damaged

SMALL = writer.Style(unused=1)
MARGIN = 1  # messages at each damage whose end nothing may confirm


def small(flight=1, **more):
    """A small log."""
    return writer.log(writer.Style(unused=1, **more), seconds=.35, params=3,
                      flight=flight)


def salvor(*args, code=None):
    """Run salvor; its exit status is one of `code`."""
    done = subprocess.run([SALVOR, *args], capture_output=True, check=False,
                          timeout=120)
    if code is not None:
        check(' '.join(args), done.returncode in code,
              (done.returncode, done.stderr[-300:]))
    return done


def repair_all(folder, cases, *more):
    """Repair all cases in one call: {name: output or None}."""
    there, out = os.path.join(folder, 'in'), os.path.join(folder, 'out')
    for path in there, out:
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
    for name, damaged in cases:
        with open(os.path.join(there, name + '.ulg'), 'wb') as file:
            file.write(damaged.raw)
    done = salvor('repair', '-q', '-r', there, '-d', out, *more)
    # The codes of all files together: 1, 3 and 4.
    check('batch', done.returncode in range(8), (
        done.returncode, done.stdout[-300:], done.stderr[-300:]))
    outs = {}
    for base, _, files in os.walk(out):
        for file in files:
            if file.endswith('.ulg'):
                with open(os.path.join(base, file), 'rb') as got:
                    outs[file.split('.')[0]] = got.read()
    again = salvor('verify', '-q', '-r', out)
    check('outputs are intact', again.returncode == 0, again.stdout[-500:])
    return outs


def examine(kind, log, cases, margin=MARGIN, donor=None, other=None):
    """Repair and judge."""
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        more = []
        if donor is not None:
            path = os.path.join(folder, 'donor.ulg')
            with open(path, 'wb') as file:
                file.write(donor.raw)
            more = ['--donor', path]
        outs = repair_all(folder, cases, *more)
        for name, damaged in cases:
            verdict = judge.judge(log, damaged, outs.get(name, damaged.raw if
                                  accepts(damaged.raw) else None),
                                  donor, other)
            short = verdict.owed - verdict.kept
            missed += short
            if verdict.bogus or short > margin or (
                    verdict.refused and verdict.owed):
                check('%s/%s' % (kind, name), False, (
                    verdict.refused, short, verdict.bogus[:2]))
    check('%s: %d cases' % (kind, len(cases)), True)
    return missed


def accepts(raw):
    """Does the strict reader take it?"""
    try:
        judge.strict(raw)
    except judge.Bad:
        return False
    return True


def cuts():
    """The log ends at every byte."""
    log = judge.strict(small())
    cases = [('cut%05d' % at, Damaged([(0, at)], log.raw))
             for at in share(range(60, len(log.raw)), 7)]
    missed = examine('cut', log, cases)
    check('cut: all that is whole is kept', missed <= 2, missed)


def flips():
    """Every byte, another bit each; not flags that make readers refuse."""
    log = judge.strict(small())
    cases = [('flip%05d' % at, damage.lay(log.raw, at, bytes(
        [log.raw[at] ^ 1 << at % 8]))) for at in share(range(len(log.raw)), 5)
        if not 27 <= at < 35]
    missed = examine('flip', log, cases, margin=3)
    check('flip: nearly all is kept', missed < 100, missed)


def sectors():
    """Sectors of 64 bytes are zeros, 0xFF, noise, missing or inserted, at every
    eighth byte of the data."""
    log = judge.strict(small())
    rng, raw = random.Random(1), log.raw
    for kind in 'zeros', 'ones', 'noise', 'missing', 'inserted', 'doubled':
        cases = []
        for at in share(range(damage.data_start(raw), len(raw) - 64, 8), 3):
            cases.append(('%s%05d' % (kind, at), {
                'zeros': lambda at: damage.lay(raw, at, bytes(64)),
                'ones': lambda at: damage.lay(raw, at, b'\xff' * 64),
                'noise': lambda at: damage.lay(raw, at, rng.randbytes(64)),
                'missing': lambda at: Damaged(
                    [(0, at), (at + 64, len(raw))], raw),
                'inserted': lambda at: Damaged(
                    [(0, at), rng.randbytes(64), (at, len(raw))], raw),
                'doubled': lambda at: Damaged(
                    [(0, at), (at - 64, len(raw))], raw),
            }[kind](at)))
        examine(kind, log, cases, margin=2)


def classes():
    """What happens to logs of every generation."""
    for sort in writer.STYLES:
        log, other = (judge.strict(writer.log(sort, seconds=3, flight=k))
                      for k in (1, 0))
        cases = [(name, made(log.raw, other.raw, random.Random(name + sort)))
                 for name, made in damage.CLASSES.items()]
        missed = examine(sort, log, cases, margin=12, other=other)
        check(sort + ': nearly all is kept', missed < 40, missed)


def definitions():
    """Damage begins where a format or a subscription ends, or in the head of what
    follows it."""
    log = judge.strict(small())
    rng, cases = random.Random(2), []
    for one in share([m for m in log.messages if m.kind in 'AF'], 3):
        for late in range(9):
            for name, new in (('zeros', bytes(70)), ('ones', b'\xff' * 70),
                              ('noise', bytes(
                                  byte | 128 for byte in rng.randbytes(70)))):
                cases.append(('%s%05d-%d' % (name, one.off, late), damage.lay(
                    log.raw, one.end + late, new)))
    missed = examine('definitions', log, cases, margin=1)
    check('definitions: those before damage are kept',
          missed <= len(cases) // 9, (missed, len(cases)))


def renamed():
    """A bit is wrong in the name of a time field, and one in such a time."""
    log = judge.strict(small())
    raw, cases = log.raw, []
    for number, (_, name) in log.subs.items():
        data = [m for m in log.messages if m.kind == 'D' and m.number == number]
        at = raw.index(b'timestamp', log.formats[name][0].off) + 4
        for one in share(data[1:-1], 9):
            cases.append(('renamed%05d' % one.off, Damaged(
                [(0, at), b'r', (at + 1, one.off + 11), b'\x20',
                 (one.off + 12, len(raw))], raw)))
    examine('renamed', log, cases, margin=2)


def timeless():
    """Sound logs have a topic without a time; its numbers go anywhere."""
    raw = small()
    start = raw[:damage.data_start(raw)]
    fields = ('uint64_t counter;float b;', 'float b;uint64_t counter;',
              'uint64_t[2] pair;', 'uint64_t time_stamp;float b;')
    with tempfile.TemporaryDirectory() as folder:
        for nth, text in enumerate(fields):
            size = struct.calcsize('<QQ' if 'pair' in text else '<Qf')
            sub = writer.message('A', struct.pack('<BH', 0, 999) + b'odd')
            data = b''.join(
                writer.message('D', struct.pack('<H', 999) + one.to_bytes(8, 'little')
                               + bytes(size - 8)) for one in (9 << 40, 7, 5 << 50, 1))
            path = put(folder, '%d.ulg' % nth, start + writer.message(
                'F', b'odd:' + text.encode()) + sub + data)
            said = report(path)
            check('without a time: ' + text, said['state'] == 'intact'
                  and not said['problems'], said['problems'])


def untimed():
    """All subscriptions are lost: of what has no time nothing is left out."""
    raw = writer.log(writer.Style(unused=1, late=False), seconds=3, params=9)
    rows = [m for m in judge.split(raw) if m.kind == 'A']
    begin = damage.data_start(raw)
    cases = []
    for at in range(begin + 2000, len(raw) - 900, len(raw) // 5):
        cases.append(('untimed%d' % at, Damaged(
            [(0, begin), bytes(rows[-1].end - begin), (rows[-1].end, at),
             bytes(300), (at + 300, len(raw))], raw)))
    examine('untimed', judge.strict(raw), cases, margin=2)


def unknown():
    """A sound log has messages of a type that no reader knows, of any size."""
    raw = small()
    at = [m.off for m in judge.split(raw) if m.kind == 'D'][20]
    with tempfile.TemporaryDirectory() as folder:
        paths = [put(folder, '%s%d.ulg' % (letter, size), raw[:at]
                     + writer.message(letter, b'\x9b' * size) + raw[at:])
                 for letter in sorts.UNKNOWN for size in (1, 2, 3, 8, 40)]
        done = salvor('verify', '-q', *paths)
        check('unknown types', done.returncode == 0, done.stdout[-300:])


def carried():
    """A message carries another log, and its beginning is hit."""
    other = judge.strict(writer.log(seconds=.1, seed=7))
    formats = b''.join(other.raw[m.off:m.end] for m in other.messages
                       if m.kind == 'F')[:1800]
    raw = small()
    lines = [m.off for m in judge.split(raw) if m.kind == 'D'][5:40:7]
    for at in reversed(lines):
        raw = raw[:at] + writer.message('M', b'\0' + writer.pair(
            'uint8_t[%d] carried' % len(formats), formats)) + raw[at:]
    log = judge.strict(raw)
    cases = [('carried%05d-%d' % (one.off, size), damage.lay(
        raw, one.off + 1, bytes(size)))
        for one in log.messages if one.kind == 'M' and len(one.body) > 1800
        for size in (2, 40, 300, 900)]
    examine('carried', log, cases, margin=2)


def donor():
    """Another log of the vehicle has the definitions that are lost."""
    log, other = (judge.strict(writer.log(seconds=3, flight=k))
                  for k in (1, 0))
    begin = damage.data_start(log.raw)
    cases = [('lost%05d' % at, damage.lay(log.raw, at, bytes(512)))
             for at in range(0, begin, 512)]
    cases += [('gone%05d' % at, Damaged([(at, len(log.raw))], log.raw))
              for at in range(1, begin + 900, 700)]
    examine('donor', log, cases, margin=3, donor=other)
    odd = judge.strict(writer.log(writer.Style(shuffled=True), seed=2,
                                  seconds=3, flight=0))
    case = damage.lay(log.raw, begin + 40, bytes(200))
    with tempfile.TemporaryDirectory() as folder:
        outs = repair_all(folder, [('odd', case)], '--donor', put(
            folder, 'odd-donor.ulg', odd.raw))
        verdict = judge.judge(log, case, outs['odd'])
        check('a donor with other numbers is not believed',
              not verdict.bogus and not verdict.refused,
              (verdict.refused, verdict.bogus[:3]))


def put(folder, name, raw):
    """A file."""
    path = os.path.join(folder, name)
    with open(path, 'wb') as file:
        file.write(raw)
    return path


def report(path, *more):
    """The report of verify."""
    return json.loads(salvor('verify', '--json', *more, path).stdout)


def appended():
    """Crash dumps after a cut message."""
    raw = writer.appended(writer.log(seconds=1))
    log = judge.strict(raw)
    with tempfile.TemporaryDirectory() as folder:
        path = put(folder, 'a.ulg', raw)
        salvor('verify', path, code=(0,))
        begin = damage.data_start(raw)
        case = damage.lay(raw, begin + 900, bytes(64))
        out = repair_all(folder, [('hole', case)])['hole']
        verdict = judge.judge(log, case, out)
        check('appended: what is cut goes, what follows stays',
              verdict.owed - verdict.kept <= 2 and not verdict.refused
              and out[27:35] == bytes(8) and out[35:59] == bytes(24),
              (verdict, out[19:59]))
        # Bytes in a hole look like a message that ends after the dumps begin.
        last = struct.unpack_from('<Q', raw, 35)[0]
        for back in 900, 5000, 20000:
            fake = struct.pack('<HBBB', back + 40, ord('M'), 0, 20)
            case = damage.lay(raw, last - back - 90, b'\xff' * 90 + fake
                              + b'char[9] x' + b'\xff' * 90)
            out = repair_all(folder, [('fake', case)]).get('fake')
            verdict = judge.judge(log, case, out)
            check('appended: a false head, %d bytes before' % back,
                  verdict.owed - verdict.kept <= 1 and not verdict.refused
                  and not verdict.bogus, verdict)
        for at in range(35, 51):
            new = damage.lay(raw, at, bytes([raw[at] ^ 16]))
            out = repair_all(folder, [('offset', new)]).get('offset')
            verdict = judge.judge(log, new, out)
            check('appended: offset %d' % at, verdict.owed - verdict.kept <= 1
                  and not verdict.refused and not verdict.bogus, verdict)


def in_place():
    """A repair in place gives the same bytes, and can be undone."""
    raw = small()
    begin = damage.data_start(raw)
    with tempfile.TemporaryDirectory() as folder:
        for name, new in (
                ('cut', raw[:-7]), ('tail', raw + bytes(4096)),
                ('hole', damage.lay(raw, begin + 700, bytes(64)).raw),
                ('front', b'junk' * 9 + raw)):
            path = put(folder, name + '.ulg', new)
            out = os.path.join(folder, name + '.out')
            salvor('repair', '-q', path, '-o', out, code=(1, 3))
            with open(out, 'rb') as file:
                want = file.read()
            done = salvor('repair', '-q', '--in-place', path)
            with open(path, 'rb') as file:
                got = file.read()
            check(name + ': in place', got == (
                want if done.returncode in (1, 3) else new),
                done.returncode)
            if done.returncode in (1, 3):
                salvor('undo', path, code=(0,))
                with open(path, 'rb') as file:
                    check(name + ': undo', file.read() == new)


def merged():
    """Two damaged copies make a whole one."""
    raw = small()
    begin = damage.data_start(raw)
    with tempfile.TemporaryDirectory() as folder:
        one = put(folder, 'a.ulg', damage.lay(raw, begin + 512, bytes(
            128)).raw)
        two = put(folder, 'b.ulg', raw[:begin + 900])
        out = os.path.join(folder, 'm.ulg')
        salvor('merge', '-q', one, two, '-o', out)
        with open(out, 'rb') as file:
            check('merge', file.read() == raw)


def told():
    """What info and list say; an encrypted log is left alone."""
    raw = writer.log(seconds=2)
    log = judge.strict(raw)
    with tempfile.TemporaryDirectory() as folder:
        path = put(folder, 'a.ulg', raw)
        info = json.loads(salvor('info', '--json', path).stdout)
        facts = {a['key']: a['value'] for a in info['annotations']}
        check('vehicle', facts.get('ver_hw') == 'PX4_FMU_V5', facts)
        check('firmware', facts.get('ver_sw_release') == '1.13.2', facts)
        check('format', info['format'] == 'ulog', info['format'])
        counts = {number: len(times) for number, times in log.times.items()}
        check('topics', {c['index']: c['messages'] for c in info['channels']
                         if c['messages']} == counts)
        lines = salvor('list', path).stdout.splitlines()
        check('list', len(lines) >= len(log.messages), len(lines))
        crypt = put(folder, 'b.ulge', b'ULogEnc\x01' + random.Random(
            1).randbytes(5000))
        said = report(crypt)
        check('encrypted', said['state'] == 'unsupported', said['state'])
        done = salvor('repair', '-q', crypt, '-o', path + 'x')
        check('encrypted: left', done.returncode not in (0, 1, 3)
              and not os.path.exists(path + 'x'), done.returncode)


def foxglove():
    """@foxglove/ulog reads the same in repairs of the corpus."""
    if not npm.available():
        print('@foxglove/ulog is not asked: ./bootstrap tools installs it')
        check('@foxglove/ulog', not os.environ.get('CI'))
        return
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for path in sorted((TOP / 'testdata' / 'ulog').glob('*.ulg')):
            out = os.path.join(folder, path.name)
            done = salvor('repair', '-q', str(path), '-o', out)
            if done.returncode in (1, 3):
                paths.append(out)
            elif path.name.startswith('good'):
                paths.append(str(path))
        check('outputs', len(paths) > 20, paths)
        found = npm.complaints(paths)
        # It never reads what was appended, and no log without data.
        found = {path: text for path, text in found.items()
                 if 'good-appended' not in path
                 and 'bad-cut-definitions' not in path}
        check('@foxglove/ulog', not found, found)


ALL = (told, foxglove, cuts, flips, sectors, classes, definitions, renamed, timeless,
       untimed, unknown, carried, donor, appended, in_place, merged)


def main():
    """Run the classes that are named, or all."""
    for one in ALL:
        if len(sys.argv) == 1 or one.__name__ in sys.argv[1:]:
            one()
    end()


if __name__ == '__main__':
    main()

#!/usr/bin/python3
"""Damages flight logs of ArduPilot in every way, has them repaired, and holds what
comes out against the original.

- a strict reader takes every output, and salvor calls it intact
- no message is in it that was never recorded, but where nothing shows it
- every message is in it that is whole and in one piece, but for one at each
  damage, whose end nothing confirms
- what is changed in place can be undone
- a donor brings back what is lost of the formats
- a format may follow messages of its type

Every cut and every byte of a small log, and sectors of every kind.

    check_dataflash.py [CLASS...]

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

from support.start import SALVOR, parts

with parts():
    from dataflash import damage, judge, writer
    from dataflash.damage import Damaged
    from sample import share
    from tally import check, end

MARGIN = 1  # messages at each damage whose end nothing may confirm


def small(style='v45', flight=1, **more):
    """A small log."""
    style = {**vars(writer.STYLES[style]), 'unused': 2, **more}
    return writer.log(writer.Style(**style), seconds=.4, params=6,
                      flight=flight)


def salvor(*args, code=None):
    """Run salvor; its exit status is one of `code`."""
    done = subprocess.run([SALVOR, *args], capture_output=True, check=False,
                          timeout=120)
    if code is not None:
        check(' '.join(args), done.returncode in code,
              (done.returncode, done.stderr[-300:]))
    return done


def put(folder, name, raw):
    """A file."""
    path = os.path.join(folder, name)
    with open(path, 'wb') as file:
        file.write(raw)
    return path


def get(path):
    """What is in a file."""
    with open(path, 'rb') as file:
        return file.read()


def repair_all(folder, cases, *more):
    """Repair all cases in one call: {name: output}, without those of files in
    which nothing was wrong, or nothing was left."""
    there, out = os.path.join(folder, 'in'), os.path.join(folder, 'out')
    for path in there, out:
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
    for name, damaged in cases:
        put(there, name + '.bin', damaged.raw)
    done = salvor('repair', '-q', '-r', there, '-d', out, *more)
    # The codes of all files together: 1, 3 and 4.
    check('batch', done.returncode in range(8), (
        done.returncode, done.stdout[-300:], done.stderr[-300:]))
    outs = {}
    for base, _, files in os.walk(out):
        for file in files:
            if file.endswith('.bin'):
                outs[file.split('.')[0]] = get(os.path.join(base, file))
    again = salvor('verify', '-q', '-r', out)
    check('outputs are intact', again.returncode == 0, again.stdout[-500:])
    return outs


def accepts(raw):
    """Does the strict reader take it?"""
    try:
        judge.strict(raw)
    except judge.Bad:
        return False
    return True


def examine(kind, log, cases, margin=MARGIN, donor=None, other=None):
    """Repair and judge: how many messages are missed."""
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        more = []
        if donor is not None:
            more = ['--donor', put(folder, 'donor.bin', donor.raw)]
        outs = repair_all(folder, cases, *more)
        for name, damaged in cases:
            verdict = judge.judge(log, damaged, outs.get(
                name, damaged.raw if accepts(damaged.raw) else None),
                donor, other)
            short = verdict.owed - verdict.kept
            missed += short
            if verdict.bogus or short > margin or (
                    verdict.refused and verdict.owed):
                check('%s/%s' % (kind, name), False, (
                    verdict.refused, short, verdict.bogus[:2]))
    check('%s: %d cases' % (kind, len(cases)), True)
    return missed


def cuts():
    """The log ends at every byte."""
    for style in 'v45', 'v33':
        log = judge.strict(small(style))
        cases = [('cut%05d' % at, Damaged([(0, at)], log.raw))
                 for at in share(range(200, len(log.raw)), 7)]
        missed = examine('cut ' + style, log, cases)
        check('cut: all that is whole is kept', missed == 0, missed)


def flips():
    """Every byte, another bit each."""
    for style in 'v45', 'v33':
        log = judge.strict(small(style))
        cases = [('flip%05d' % at, damage.lay(log.raw, at, bytes(
            [log.raw[at] ^ 1 << at % 8])))
                 for at in share(range(len(log.raw)), 5)]
        missed = examine('flip ' + style, log, cases)
        check('flip: nearly all is kept', missed < 20, missed)


def sectors():
    """Sectors of 64 bytes are zeros, 0xFF, noise, missing or inserted, at every
    eighth byte."""
    log = judge.strict(small())
    rng, raw = random.Random(1), log.raw
    for kind, made in (
            ('zeros', lambda at: damage.lay(raw, at, bytes(64))),
            ('ones', lambda at: damage.lay(raw, at, b'\xff' * 64)),
            ('noise', lambda at: damage.lay(raw, at, rng.randbytes(64))),
            ('missing', lambda at: Damaged([(0, at), (at + 64, len(raw))],
                                           raw)),
            ('inserted', lambda at: Damaged([(0, at), rng.randbytes(64),
                                             (at, len(raw))], raw))):
        cases = [('%s%05d' % (kind, at), made(at)) for at in
                 share(range(100, len(raw) - 64, 8), 3)]
        # A format whose end nothing confirms takes its messages with it.
        missed = examine(kind, log, cases, margin=25)
        check(kind + ': nearly all is kept', missed < len(cases), missed)


def classes():
    """What happens to logs of every generation."""
    for sort in writer.STYLES:
        log, other = (judge.strict(writer.log(sort, seconds=3, flight=k))
                      for k in (1, 0))
        cases = [(name, made(log.raw, other.raw, random.Random(name + sort)))
                 for name, made in damage.CLASSES.items()]
        missed = examine(sort, log, cases, margin=12, other=other)
        check(sort + ': nearly all is kept', missed < 40, missed)


def late():
    """A format is found late, and another one is lost."""
    log = judge.strict(small())
    formats = [m for m in log.messages if m.number == writer.FMT][1:]
    at = [m.off for m in log.messages if m.off > formats[-1].end][30]
    cases = []
    for one in formats:
        for gone in formats[5::7]:
            if gone is one:
                continue
            first, second = sorted((one, gone), key=lambda m: m.off)
            pieces = [(0, first.off), first, (first.end, second.off), second,
                      (second.end, at), (one.off, one.end),
                      (at, len(log.raw))]
            pieces[pieces.index(one)] = b""
            pieces[pieces.index(gone)] = b"\xff" * 89
            cases.append(('late%05d-%d' % (one.off, gone.off),
                          Damaged(pieces, log.raw)))
    examine('late', log, cases, margin=2)


def carried():
    """The head of a message is hit that carries what looks like messages, of a time
    that cannot be."""
    raw = small()
    log = judge.strict(raw)
    kinds = {found.name: (number, found.length)
             for number, (_, found) in log.formats.items()}
    number, length = kinds[b'PM']
    fake = writer.HEAD + bytes([number]) + writer.HEAD * 4 + bytes(length - 11)
    one = writer.message(kinds[b'FILE'][0], struct.pack(
        '<16sIB64s', b'a.lua', 0, 64, (fake * 5)[:64]))
    for at in reversed([*[m.off for m in log.messages][-30::9], len(raw)]):
        raw = raw[:at] + one + raw[at:]
    log = judge.strict(raw)
    cases = [('carried%05d-%d' % (m.off, size), damage.lay(
        raw, m.off, bytes(size)))
        for m in log.messages if m.body == one for size in (1, 2, 3, 20, 24)]
    examine('carried', log, cases, margin=2)


def donor():
    """Another log of the firmware has the formats that are lost."""
    log, other = (judge.strict(writer.log(seconds=3, flight=k))
                  for k in (1, 0))
    cases = [('lost%05d' % at, damage.lay(log.raw, at, bytes(512)))
             for at in range(0, 9000, 512)]
    cases += [('gone%05d' % at, Damaged([(at, len(log.raw))], log.raw))
              for at in range(1, 20000, 1700)]
    # The file begins with a message of a type that is lost.
    cases += [('first%05d' % one.off, Damaged([(one.off, len(log.raw))],
                                              log.raw))
              for one in log.messages[60:90]]
    cases.append(('head', damage.lay(log.raw, 0, bytes(8192))))
    examine('donor', log, cases, margin=2, donor=other)
    odd = judge.strict(writer.log(vehicle=2, seconds=3))
    case = damage.lay(log.raw, 0, bytes(8192))
    with tempfile.TemporaryDirectory() as folder:
        outs = repair_all(folder, [('odd', case)], '--donor', put(
            folder, 'odd-donor.bin', odd.raw))
        verdict = judge.judge(log, case, outs['odd'])
        check('a donor with other types is not believed',
              not verdict.bogus and not verdict.refused,
              (verdict.refused, verdict.bogus[:3]))


def assumed():
    """Without formats and a donor, parameters and texts come back."""
    for style in 'v33', 'v38', 'v45':
        log = judge.strict(writer.log(style, seconds=3))
        end = max(one.end for one, _ in log.formats.values())
        begin = max(one.end for one, found in log.formats.values()
                    if found.name in (b'PARM', b'MSG'))
        names = {number for number, (_, found) in log.formats.items()
                 if found.name == b'PARM'}
        with tempfile.TemporaryDirectory() as folder:
            for at in begin, end if style != 'v45' else begin:
                out = repair_all(folder, [('gone', Damaged(
                    [(at, len(log.raw))], log.raw))])['gone']
                got = {one.body for one in judge.strict(out).messages}
                want = [one.body for one in log.messages
                        if one.off >= at and one.number in names]
                check(style + ': parameters', want and got >= set(want),
                      (len(want), len(got)))


def in_place():
    """A repair in place gives the same bytes, and can be undone."""
    raw = small()
    with tempfile.TemporaryDirectory() as folder:
        for name, new in (
                ('cut', raw[:-7]), ('tail', raw + bytes(4096)),
                ('hole', damage.lay(raw, 5000, bytes(180)).raw),
                ('front', b'junk' * 9 + raw)):
            path = put(folder, name + '.bin', new)
            out = os.path.join(folder, name + '.out')
            salvor('repair', '-q', path, '-o', out, code=(1, 3))
            done = salvor('repair', '-q', '--in-place', path)
            check(name + ': in place', get(path) == (
                get(out) if done.returncode in (1, 3) else new),
                done.returncode)
            if done.returncode in (1, 3):
                salvor('undo', path, code=(0,))
                check(name + ': undo', get(path) == new)


def merged():
    """The copy on the card was cut, and the download has holes: both make a
    whole log."""
    raw = writer.log(seconds=2)
    holes = damage.packet_zeros(raw, raw, random.Random(5)).raw
    with tempfile.TemporaryDirectory() as folder:
        one = put(folder, 'a.bin', holes)
        for name, other in (
                ('cut', raw[:len(raw) // 2]),
                ('download', damage.lay(raw, 90 * 40, bytes(90)).raw)):
            out = os.path.join(folder, name + '.out')
            salvor('merge', '-q', one, put(folder, name + '.bin', other),
                   '-o', out)
            got = get(out) if os.path.exists(out) else b''
            want = raw if name == 'download' else None
            check('merge with ' + name, accepts(got) and (
                want is None or got == want), len(got))


def told():
    """What info, list and the records say."""
    raw = writer.log(seconds=2)
    log = judge.strict(raw)
    with tempfile.TemporaryDirectory() as folder:
        path = put(folder, 'a.bin', raw)
        info = json.loads(salvor('info', '--json', path).stdout)
        facts = {a['key']: a['value'] for a in info['annotations']}
        check('vehicle', facts.get('vehicle') == 'ArduCopter', facts)
        check('firmware', facts.get('firmware')
              == 'ArduCopter V4.5.1 (abcdef12)', facts)
        check('format', info['format'] == 'dataflash', info['format'])
        counts = {}
        for one in log.messages:
            if one.number != writer.FMT \
                    and log.formats[one.number][1].name != b'FMTU':
                counts[one.number] = counts.get(one.number, 0) + 1
        check('types', {c['index']: c['messages'] for c in info['channels']}
              == counts)
        lines = salvor('list', path).stdout.splitlines()
        check('list', len(lines) >= len(log.messages), len(lines))
        crypt = put(folder, 'b.bin', b'APLOGE1\0' + random.Random(
            1).randbytes(5000))
        said = json.loads(salvor('verify', '--json', crypt).stdout)
        check('encrypted', said['state'] == 'unsupported', said['state'])
        done = salvor('repair', '-q', crypt, '-o', path + 'x')
        check('encrypted: left', done.returncode not in (0, 1, 3)
              and not os.path.exists(path + 'x'), done.returncode)


def strangers():
    """What has no format is no log of ArduPilot."""
    rng = random.Random(7)
    raw = small()
    begin = judge.strict(raw).messages[-40].off
    with tempfile.TemporaryDirectory() as folder:
        for name, bad in (
                ('heads', b''.join(b'\xa3\x95' + rng.randbytes(30)
                                   for _ in range(300))),
                ('magics', b''.join(b'\xa3\x95\x80' + rng.randbytes(86)
                                    for _ in range(300))),
                ('messages', raw[begin:]),
                ('text', b'FMT, 128, 89, FMT, BBnNZ, Type,Length\n' * 20)):
            done = salvor('info', '--json', put(folder, name + '.bin', bad))
            said = json.loads(done.stdout or b'{}')
            check(name + ': no log', said.get('format') is None,
                  said.get('format'))


def hostile():
    """Formats that no firmware writes: clear findings, and linear time."""
    rng = random.Random(3)
    data = small()[len(writer.FIRST):]
    one = writer.packed(5, 'ABC', 'Q', 'TimeUS')
    every = [n for n in range(256) if n != writer.FMT]
    cases = {
        'all types': (b''.join(writer.packed(n, 'T%d' % n, 'Q', 'TimeUS')
                               for n in every) + b''.join(writer.message(
                                   n, bytes([9] * 3 + [0] * 5))
                                   for n in every), None),
        'short': (b''.join(writer.packed(n, 'A%d' % n, 'Q', 'TimeUS', n % 3)
                           for n in range(121, 127)) + data, 'bad-format'),
        'letters': (b''.join(writer.packed(n, 'A%d' % n, 'QxyZ', 'a,b,c,d', 50)
                             for n in range(121, 127)) + data, 'bad-format'),
        'heads': (writer.packed(5, 'ABC', '', '') + b'\xa3\x95\x05' * 99999,
                  None),
        'two': ((one + writer.packed(5, 'ABC', 'Qf', 'TimeUS,A')) * 9999,
                'two-meanings'),
        'unknown': (one + b'\xa3\x95\x07' * 99999, 'format-lost'),
        'times': (one + b''.join(writer.message(5, rng.randbytes(5) + bytes(3))
                                 for _ in range(9999)), 'time'),
        'itself': (writer.packed(writer.FMT, 'FMT', 'BBnNZ', 'A,B', 3) + data,
                   'bad-format'),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (raw, finding) in cases.items():
            path = put(folder, name + '.bin', writer.FIRST + raw)
            out = path + '.out'
            salvor('repair', '-q', path, '-o', out, code=(0, 1, 3))
            said = json.loads(salvor('verify', '--json', path).stdout)
            found = {one['id'] for one in said['problems']}
            check(name + ': what is said', 'dataflash.' + finding in found
                  if finding else said['state'] == 'intact', found)
            check(name + ': a reader takes the output', accepts(get(
                out if os.path.exists(out) else path)))


ALL = (told, hostile, strangers, cuts, flips, sectors, classes, late, carried, donor,
       assumed, in_place, merged)


def main():
    """Run the classes that are named, or all."""
    for one in ALL:
        if len(sys.argv) == 1 or one.__name__ in sys.argv[1:]:
            one()
    end()


if __name__ == '__main__':
    main()

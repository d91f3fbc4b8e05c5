#!/usr/bin/python3
"""Digests in a journal, and files held against them: bytes that change after
the back of everybody are found, and where they are.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import base64
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from support.start import SALVOR, TOP, parts

with parts():
    import bag_writer
    import carla_writer
    import cyber_writer
    from schema import BY_TYPE
    from tally import check, end

DATA = TOP / 'testdata'
PIECE = 1 << 20
SEED = int(os.environ.get('SEED', '1'))
MEMORY = 64 << 20  # bytes that suffice for a log of any size

MEASURE = '''
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
'''


def run(*args, **how):
    """Run verify."""
    return subprocess.run([SALVOR, 'verify', *map(str, args)],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, **how)


def faults(schema, what):
    """What the schema has against an object."""
    return [e.message for e in schema.iter_errors(what)][:1]


def verify(*args):
    """The exit code, the report of each file, and the totals."""
    done = run('--json', '-j1', *args)
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    for o in objects:
        bad = faults(BY_TYPE[o['type']], o)
        check('the schema: %s' % (args,), not bad, bad)
    return (done.returncode,
            {o['file']: o for o in objects if o['type'] == 'file'},
            [o for o in objects if o['type'] == 'totals'])


def against(*args):
    """The exit code, and of each file its baseline."""
    code, files, _ = verify(*args)
    return code, {name: f['baseline'] for name, f in files.items()}


def states(*args):
    """The exit code, and of each file whether it is what it was."""
    code, files = against(*args)
    return code, {name: f['state'] for name, f in files.items()}


def journal(name):
    """The lines of a journal, which are as the schema has them."""
    lines = [json.loads(text) for text in open(name, encoding='ascii')]
    for line in lines:
        bad = faults(BY_TYPE['journal'], line)
        check('the schema: ' + name, not bad, bad)
    return lines


def behind_its_back(path, *places, bit=1):
    """Flip a bit at each place; the file keeps its time."""
    was = os.stat(path)
    with open(path, 'r+b') as f:
        for at in places:
            f.seek(at)
            byte = f.read(1)[0]
            f.seek(at)
            f.write(bytes([byte ^ bit]))
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def bag(how, n=300, size=10000):
    """A bag of random payloads."""
    rng = random.Random(SEED)
    about = [bag_writer.Connection(0, '/cam', 'std_msgs/Header', 'uint32 x')]
    messages = [bag_writer.Message(0, 1700000000 + i // 10, i % 10 * 10 ** 8,
                                   rng.randbytes(size)) for i in range(n)]
    return bag_writer.write(about, messages, bag_writer.Shape(
        compression=(how,)))


def archive():
    """A log of each format, over a MiB where we have a writer."""
    pathlib.Path('logs/deep').mkdir(parents=True)
    made = {
        'plain.bag': bag('none'),
        'lz4.bag': bag('lz4'),
        'deep/a.record': cyber_writer.write(
            *cyber_writer.drive(n_messages=3000)),
        'deep/carla.log': carla_writer.log(
            '0.9.15', frames=600, actors=40),
        'cut.bddf': (DATA / 'bddf/bad-cut-patrol.bddf').read_bytes(),
        'good.bddf': (DATA / 'bddf/good-patrol.bddf').read_bytes(),
        'no.log': b'no log at all',
    }
    for name, raw in made.items():
        pathlib.Path('logs', name).write_bytes(raw)
    for name in 'plain.bag', 'lz4.bag', 'deep/a.record', 'deep/carla.log':
        check('more than a piece: ' + name, len(made[name]) > 1.5 * PIECE,
              len(made[name]))
    return ['logs/' + name for name in made]


def digests():
    """What the journal keeps, and of whom."""
    done = run('-qq', '-r', 'logs', '--journal=j', '--digests')
    check('it is made', done.returncode == 4, done)
    kept = {}
    for line in journal('j'):
        kept[line['path']] = line['digests']
        raw = pathlib.Path(line['path']).read_bytes()
        if line['digests'] is None:
            continue
        got = base64.b64decode(line['digests']['values'])
        want = b''.join(hashlib.sha256(raw[i:i + PIECE]).digest()[:16]
                        for i in range(0, len(raw), PIECE))
        check('the digests: ' + line['path'], got == want)
        check('of what', (line['digests']['algorithm'],
                          line['digests']['piece'])
              == ('sha256-128', PIECE), line['digests'])
    check('whose bytes a digest proves has none, nor what is no log',
          sorted(name for name, d in kept.items() if d is None)
          == ['logs/good.bddf', 'logs/no.log'], kept.keys())
    return [name for name, d in kept.items() if d is not None]


def sound(kept):
    """Nothing is said of what is the same."""
    code, found = states('-r', 'logs', '--baseline=j')
    check('the same', {n for n, s in found.items() if s == 'same'}
          == set(kept), found)
    check('not known', {n for n, s in found.items() if s == 'unknown'}
          == {'logs/good.bddf'}, found)
    check('code: the damaged one', code == 4, code)
    code, found, _ = verify('logs/plain.bag', '--baseline=j')
    check('one file', code == 0 and found['logs/plain.bag']['baseline']
          ['id'] is None, found)
    done = run('-q', 'logs/plain.bag', '--baseline=j')
    check('one file, silent', done.returncode == 0
          and b'baseline: ' not in done.stdout, done)
    for other in {n for n in kept if n != 'logs/cut.bddf'}:
        shutil.copy2(other, other + '.copy')
        os.replace(other + '.copy', other)
    code, found = states('-r', 'logs', '--baseline=j')
    check('another inode', {n for n, s in found.items() if s == 'same'}
          == set(kept), found)
    touched = os.stat('logs/plain.bag').st_mtime_ns
    os.utime('logs/plain.bag')
    code, found = states('logs/plain.bag', '--baseline=j')
    check('touched, and the same', (code, found)
          == (0, {'logs/plain.bag': 'same'}), found)
    os.utime('logs/plain.bag', ns=(touched, touched))


def merged(places, size):
    """The ranges of the pieces of some places, neighbours as one."""
    out = []
    for i in sorted({at // PIECE for at in places}):
        stop = min(size, (i + 1) * PIECE)
        if out and out[-1][1] == i * PIECE:
            out[-1][1] = stop
        else:
            out.append([i * PIECE, stop])
    return [{'offset': a, 'length': b - a} for a, b in out]


def rot(kept):
    """A bit, and some, in each format."""
    rng = random.Random(SEED)
    for name in kept:
        raw = pathlib.Path(name).read_bytes()
        was = os.stat(name)
        for n in 1, 1, 1, 2, 5:
            places = [rng.randrange(len(raw)) for _ in range(n)]
            places = list(dict.fromkeys(places))
            behind_its_back(name, *places, bit=1 << rng.randrange(8))
            _, found = against('-r', 'logs', '--baseline=j')
            what = '%s: %s' % (name, places)
            check('found: ' + what, found[name]['state'] == 'differs'
                  and found[name]['id'] == 'baseline.differs', found[name])
            check('where: ' + what, found[name]['ranges']
                  == merged(places, len(raw)), found[name]['ranges'])
            check('nothing else: ' + what,
                  [f for f in found if found[f]['state'] == 'differs']
                  == [name], found)
            code, _, _ = verify(name, '--baseline=j')
            check('code: ' + what, code & 4 and not code & ~4, code)
            pathlib.Path(name).write_bytes(raw)
            os.utime(name, ns=(was.st_atime_ns, was.st_mtime_ns))
    check('all is back', 'differs' not in
          states('-r', 'logs', '--baseline=j')[1].values())


def told():
    """What people and other programs see of it."""
    name = 'logs/plain.bag'
    raw = pathlib.Path(name).read_bytes()
    was = os.stat(name)
    behind_its_back(name, PIECE + 500000)
    code, files, totals = verify('-r', 'logs', '--baseline=j')
    check('the state is what it is', files[name]['state'] == 'intact',
          files[name]['state'])
    check('totals', totals[0]['baseline']
          == {'same': 4, 'differs': 1, 'changed': 0, 'unknown': 1}, totals)
    check('no repair is proposed', files[name]['repairable'] is False)
    done = run('-q', name, '--baseline=j')
    text = b' '.join(done.stdout.split())
    check('text', b'bytes 1,048,576-2,097,151 are not what they were on 20'
          in text and b': fetch them from a backup [baseline.differs]'
          in text, done.stdout)
    check('code', done.returncode == 4, done.returncode)
    run('-qq', name, 'logs/lz4.bag', '--baseline=j', '--junit=x.xml')
    cases = xml.etree.ElementTree.parse('x.xml').findall('.//testcase')
    bad = [c for c in cases if c.find('failure') is not None]
    check('junit', [c.get('name') for c in bad] == [name]
          and bad[0].find('failure').get('type') == 'baseline'
          and 'baseline.differs' in bad[0].find('failure').text, bad)
    pathlib.Path(name).write_bytes(raw)
    code, found = states(name, '--baseline=j')
    check('written again, the same', found == {name: 'same'}, found)
    os.utime(name, ns=(was.st_atime_ns, was.st_mtime_ns))


def rewritten():
    """Changed by somebody who says so: no verdict."""
    name = 'logs/deep/carla.log'
    raw = pathlib.Path(name).read_bytes()
    was = os.stat(name)
    behind_its_back(name, 400000)
    os.utime(name)
    code, files, totals = verify(name, 'logs/lz4.bag', '--baseline=j')
    seen = files[name]['baseline']
    check('a new time', seen['state'] == 'changed'
          and seen['id'] == 'baseline.changed' and seen['ranges'] == [], seen)
    check('is no damage of its own',
          bool(code & 4) == (files[name]['state'] != 'intact'), code)
    for more in b'\0' * 10, b'\0' * PIECE:
        pathlib.Path(name).write_bytes(raw + more)
        os.utime(name, ns=(was.st_atime_ns, was.st_mtime_ns))
        _, found = states(name, '--baseline=j')
        check('grown', found == {name: 'changed'}, found)
    pathlib.Path(name).write_bytes(raw[:-10])
    _, found = states(name, '--baseline=j')
    check('shorter', found == {name: 'changed'}, found)
    os.unlink(name)
    done = run('--json', name, 'logs/lz4.bag', '--baseline=j')
    check('gone', done.returncode == 8, done)
    pathlib.Path(name).write_bytes(raw)
    os.utime(name, ns=(was.st_atime_ns, was.st_mtime_ns))


def again():
    """Journals of runs with and without digests and baselines."""
    name = 'logs/plain.bag'
    shutil.copy('j', 'before')

    def lines(*args):
        """How many lines such a run adds, and its exit code."""
        n = len(journal('j2')) if os.path.exists('j2') else 0
        done = run('-qq', '-r', 'logs', '--journal=j2', *args)
        return len(journal('j2')) - n, done.returncode

    check('all', lines() == (7, 4), journal('j2'))
    check('none', lines() == (0, 4))
    check('all have no digests', lines('--digests') == (7, 4))
    check('all were asked for digests', lines('--digests') == (0, 4))
    check('digests stay good', lines() == (0, 4))
    check('held against a journal', lines('--baseline=j') == (7, 4))
    check('the same journal', lines('--baseline=j') == (0, 4))
    check('none any more', lines() == (7, 4))
    check('digests of earlier lines count',
          states(name, '--baseline=j2') == (0, {name: 'same'}))

    behind_its_back(name, 99)
    check('itself: read again', lines('--baseline=j2', '--digests')[0] == 7)
    last = [x for x in journal('j2') if x['path'] == name][-1]
    check('what went wrong is not made right', last['digests'] is None
          and last['result']['baseline'] == 'differs', last['result'])
    check('itself: read again, and found again',
          lines('--baseline=j2', '--digests')[0] == 7)
    check('and again', states(name, '--baseline=j2')
          == (4, {name: 'differs'}))
    code, files, _ = verify('-r', 'logs', '--journal=j2', '--baseline=j')
    check('another journal is another question', files[name]['baseline']
          ['state'] == 'differs', code)
    code, files, totals = verify('-r', 'logs', '--journal=j2', '--baseline=j')
    check('done before, told again', code & 4 and files[name]['baseline']
          ['state'] == 'differs' and totals[0]['baseline']['differs'] == 1,
          totals)
    behind_its_back(name, 99)
    subprocess.run([SALVOR, 'collect', '-o', 'all', 'before'], check=False,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    check('a merged journal', states(name, '--baseline=all')
          == (0, {name: 'same'}))


def hostile():
    """Baselines that are none, or lie."""
    name = 'logs/plain.bag'
    line = next(x for x in journal('j') if x['path'] == name)

    def with_digests(text):
        """The run with a journal of that text."""
        pathlib.Path('h').write_text(text, encoding='ascii')
        return states(name, '--baseline=h')

    def bent(**change):
        """The line with other digests."""
        return json.dumps(dict(line, digests=dict(
            line['digests'], **change))) + '\n'

    whole = json.dumps(line) + '\n'
    check('the line alone', with_digests(whole) == (0, {name: 'same'}))
    values = line['digests']['values']
    for what in ({'values': values[:-8]}, {'values': values + 'AAAA'},
                 {'values': ''}, {'values': None}, {'values': '%' * 64},
                 {'values': values * 2}, {'piece': 1}, {'piece': 'x'},
                 {'piece': 0}, {'piece': 1 << 62}, {'algorithm': 'md5'},
                 {'algorithm': None}, {'values': ['x']}):
        check('unknown: %s' % (what,), with_digests(bent(**what))
              == (0, {name: 'unknown'}))
    for size in -1, 0, 1 << 62, 'x', len(values):
        found = with_digests(json.dumps(dict(line, size=size)) + '\n')
        check('size %s' % size, found[0] == 0
              and found[1][name] in ('unknown', 'changed'), found)
    check('a torn line behind it', with_digests(whole + whole[:200])
          == (0, {name: 'same'}))
    check('the last of two', with_digests(
        bent(values=base64.b64encode(bytes(48)).decode()) + whole)
        == (0, {name: 'same'}))
    for text in '', 'no journal\nat all\n', whole[:-30], '{}\n' * 9, json.dumps(
            dict(line, digests=None)) + '\n':
        pathlib.Path('h').write_text(text, encoding='ascii')
        done = run('-qq', name, '--baseline=h')
        check('refused: %s' % text[:20], done.returncode == 8, done)
    for where, code in ('nowhere', 8), ('logs', 16):
        done = run('-qq', name, '--baseline', where)
        check('refused: ' + where, done.returncode == code, done)
    done = run(name, '--digests')
    check('digests without a journal', done.returncode == 16, done)


def undated():
    """A journal of a day that no calendar has."""
    name = 'logs/plain.bag'
    line = next(x for x in journal('j') if x['path'] == name)
    behind_its_back(name, 5)
    for when in -1 << 63, 1 << 62, 0, -1:
        pathlib.Path('h').write_text(json.dumps(dict(line, when=when)) + '\n',
                                     encoding='ascii')
        check('when %d' % when, states(name, '--baseline=h')
              == (4, {name: 'differs'}))
    pathlib.Path('h').write_text(json.dumps(dict(line, when=1 << 62)) + '\n',
                                 encoding='ascii')
    done = run('-q', name, '--baseline=h')
    check('no day', b'bytes 0-1,048,575 are not what they were: fetch'
          in done.stdout, done.stdout)
    behind_its_back(name, 5)


def busy():
    """A log that changes while its digests are taken has none."""
    name = 'logs/plain.bag'
    was = os.stat(name)
    with subprocess.Popen(
            [SALVOR, 'verify', '-qq', name, '--journal=slow', '--digests',
             '--baseline=j', '--max-read-rate=1M'],
            stdin=subprocess.DEVNULL) as job:
        time.sleep(3.5)
        check('it is at it', job.poll() is None)
        os.utime(name)
    line = journal('slow')[0]
    check('somebody writes it', job.returncode == 8
          and line['result']['state'] == 'active', line['result'])
    check('it has no digests, and no verdict', line['digests'] is None
          and line['result']['baseline'] == 'unknown', line['result'])
    os.utime(name, ns=(was.st_atime_ns, was.st_mtime_ns))


def large():
    """Digests of a large file need no memory."""
    name = 'logs/large.bag'
    shutil.copy('logs/plain.bag', name)
    os.truncate(name, 600 << 20)
    for more in ['--journal=big', '--digests'], ['--baseline=big']:
        done = subprocess.run(
            [sys.executable, '-c', MEASURE, SALVOR, 'verify', '-qq', name,
             *more], stdout=subprocess.PIPE, text=True, check=True)
        check('memory: %s' % more, int(done.stdout) << 10 < MEMORY,
              done.stdout)
    behind_its_back(name, 500 << 20)
    _, found = against(name, '--baseline=big')
    check('the one MiB', found[name]['ranges']
          == [{'offset': 500 << 20, 'length': PIECE}], found)
    os.unlink(name)


def main():
    """All of it, in a folder of its own."""
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        archive()
        kept = digests()
        sound(kept)
        rot(kept)
        told()
        rewritten()
        again()
        hostile()
        undated()
        busy()
        large()
        os.chdir('/')
    end()


main()

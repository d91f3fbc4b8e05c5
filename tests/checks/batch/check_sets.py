#!/usr/bin/python3
"""Segments of a recording: which files are some, and what is wrong between
them.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import xml.etree.ElementTree

from support.start import SALVOR, TOP, parts

with parts():
    import bag_writer
    from schema import fault_of
    from tally import check, end

DATA = TOP / 'testdata'

BEGIN = 1700000000


def run(*args):
    """Run it."""
    return subprocess.run([SALVOR, *args], stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)


def sets(*args):
    """The exit code, and of each set its findings: {set: [(id, before,
    after)]}."""
    done = run('verify', '-qq', '--json', '--set', *args)
    lines = done.stdout.decode().splitlines()
    faults = [f for _, f in map(fault_of, lines) if f]
    check('the schema: %s' % (args,), not faults, faults[:1])
    found = [json.loads(line) for line in lines]
    return done.returncode, {
        r['set']: [(p['id'].replace('set.', ''), p['before'], p['after'])
                   for p in r['problems']]
        for r in found if r['type'] == 'set'}


def bag(path, first, last, more=(), kind='std_msgs/Header'):
    """10 Hz of /imu and 1 Hz of /gps; more: (topic, times)."""
    topics = [('/imu', [first + i * 0.1
                        for i in range(round((last - first) * 10))]),
              ('/gps', [first + i for i in range(round(last - first))]), *more]
    about = [bag_writer.Connection(i, topic, kind, 'uint32 x')
             for i, (topic, _) in enumerate(topics)]
    messages = sorted(
        (bag_writer.Message(i, BEGIN + int(at), round(at % 1 * 1e9) % 10**9,
                            b'\1\0\0\0')
         for i, (_, times) in enumerate(topics) for at in times),
        key=lambda m: (m.sec, m.nsec))
    pathlib.Path(path).write_bytes(bag_writer.write(about, messages))


def seams():
    """What there is between two neighbours, and what is none."""
    bag('x_0.bag', 0, 10)
    bag('x_1.bag', 10, 20)
    check('one goes on where the other ends', sets('x_0.bag', 'x_1.bag')
          == (0, {'x_*.bag': []}))
    check('the order of the files does not count', sets(
        'x_1.bag', 'x_0.bag') == (0, {'x_*.bag': []}))
    # /gps says something each second, and may leave out two.
    for pause, want in (0.5, []), (1.5, []), (2.5, [('gap', 0, 1)]):
        bag('x_1.bag', 10 + pause, 20)
        code, found = sets('x_0.bag', 'x_1.bag')
        check('a pause of %g s' % pause, found == {'x_*.bag': want}, found)
    bag('x_1.bag', 20, 30)
    check('a gap', sets('x_0.bag', 'x_1.bag')
          == (4, {'x_*.bag': [('gap', 0, 1)]}))
    bag('x_0.bag', 0, 10, [('/slow', [0, 9])])
    bag('x_1.bag', 20, 30, [('/slow', [29.0, 38.0])])
    check('what is slow is silent for long', sets('x_0.bag', 'x_1.bag')
          == (0, {'x_*.bag': []}))
    bag('x_0.bag', 0, 10)
    bag('x_1.bag', 5, 15)
    check('an overlap', sets('x_0.bag', 'x_1.bag')
          == (4, {'x_*.bag': [('overlap', 0, 1)]}))
    bag('x_1.bag', 9.5, 15)
    check('late messages are none', sets('x_0.bag', 'x_1.bag')[0] == 0)
    bag('x_0.bag', 0, 0.5)
    check('the same again, however short', sets(
        'x_0.bag', shutil.copy('x_0.bag', 'x_1.bag'))
        == (4, {'x_*.bag': [('overlap', 0, 1)]}))
    twice = 'x_1.bag holds what x_0.bag holds: one segment, twice'
    check('and so it is called', twice in run(
        'verify', '--set', 'x_0.bag', 'x_1.bag').stdout.decode())
    bag('x_0.bag', 0, 10)
    os.rename(shutil.copy('x_0.bag', 'x_1.bag'), 'x_2.bag')
    check('where one is missing between them, too', sets(
        'x_0.bag', 'x_2.bag') == (4, {'x_*.bag': [
            ('missing', 0, 2), ('overlap', 0, 2)]}))
    bag('x_2.bag', 5, 15)
    check('as is any overlap', sets('x_0.bag', 'x_2.bag')
          == (4, {'x_*.bag': [('missing', 0, 2), ('overlap', 0, 2)]}))
    bag('x_2.bag', 30, 40)
    check('but no gap', sets('x_0.bag', 'x_2.bag')
          == (4, {'x_*.bag': [('missing', 0, 2)]}))
    os.unlink('x_2.bag')
    bag('x_1.bag', 10, 15, kind='a/B')
    check('another type', sets('x_0.bag', 'x_1.bag') == (4, {'x_*.bag': [
        ('channels', 0, 1), ('channels', 0, 1)]}))
    data = pathlib.Path('x_0.bag').read_bytes()
    bag('x_1.bag', 10, 20)
    pathlib.Path('x_0.bag').write_bytes(data[:len(data) * 6 // 10])
    code, found = sets('x_0.bag', 'x_1.bag')
    check('one that was cut', code == 4
          and found == {'x_*.bag': [('gap', 0, 1)]}, found)
    pathlib.Path('x_0.bag').write_bytes(b'')
    code, found = sets('x_0.bag', 'x_1.bag')
    check('one that cannot be judged is there', code == 4
          and found == {'x_*.bag': []}, found)


def numbers():
    """Which files are segments, and which are missing."""
    for name in ('bddf/good-patrol.bddf', 'cyber/good-lite.record',
                 'carla/good-0.9.15.log'):
        ext = os.path.splitext(name)[1]
        for n in '1', '3', '7':
            shutil.copy(DATA / name, 'y_%s%s' % (n, ext))
        first = [('missing', None, 1)] if ext == '.record' else []
        code, found = sets(*('y_%s%s' % (n, ext) for n in '137'))
        # They are copies of one file.
        check(name + ': missing', code == 4 and found == {
            'y_*' + ext: first + [('missing', 1, 3), ('overlap', 1, 3),
                                  ('missing', 3, 7), ('overlap', 3, 7)]},
            found)
    os.mkdir('r')
    for n in '00002', '00003':
        shutil.copy(DATA / 'cyber' / 'good-lite.record', 'r/z.record.' + n)
    done = run('verify', '-r', '-j2', '--set', '--junit=j.xml', 'r')
    check('Cyber: before the first', done.returncode == 4
          and b'segments 0 to 1 are missing' in done.stdout
          and b'1  sets of segments' in done.stdout
          and b'1  of these are not complete' in done.stdout, done.stdout)
    cases = xml.etree.ElementTree.parse('j.xml').getroot()[0].findall(
        'testcase')
    check('JUnit: a case of its own', [(c.get('name'), c.find('failure')
                                        is not None) for c in cases]
          == [('r/z.record.00002', False), ('r/z.record.00003', False),
              ('r/z.record.*', True)])
    shutil.copy('y_1.bddf', 'y_01.bddf')
    check('one number twice', sets('y_1.bddf', 'y_01.bddf')
          == (4, {'y_*.bddf': [('overlap', 1, 1)]}))
    for name in ('day_20231114.bddf', 'y-1.bddf', '_1.bddf', '1.bddf',
                 'y_1.dat', 'y_.bddf', 'record.1', '.record.1'):
        shutil.copy('y_1.bddf', name)
        check('no segment: ' + name, sets(name) == (0, {}), sets(name))
    os.mkdir('other')
    shutil.copy('y_1.bddf', 'other/y_5.bddf')
    code, found = sets('y_1.bddf', 'other/y_5.bddf')
    check('a folder of its own', set(found) == {'y_*.bddf',
                                                'other/y_*.bddf'}, found)
    hostile = b'\xff\x1b[2J<b>_1.bddf'
    with open(hostile, 'wb') as f:
        f.write((DATA / 'bddf' / 'good-patrol.bddf').read_bytes())
    done = run('verify', '--set', '--json', '--junit=h.xml', hostile)
    check('hostile names', b'\x1b' not in done.stdout + done.stderr
          and len(xml.etree.ElementTree.parse('h.xml').getroot()[0].findall(
              'testcase')) == 2, done.stderr)


def times():
    """When it was that is missing."""
    os.mkdir('t')
    for n, (first, last) in (1, (10, 20)), (4, (40, 50)):
        bag('t/w_%d.bag' % n, first, last)
    shutil.copy('t/w_4.bag', 't/v_0.bag')
    shutil.copy('t/w_4.bag', 't/v_2.bag')
    pathlib.Path('t/v_0.bag').write_bytes(b'')
    shutil.copy('t/w_1.bag', 't/u_0.bag')
    pathlib.Path('t/u_2.bag').write_bytes(b'')
    for n in '07':
        pathlib.Path('t/notes_%s.log' % n).write_text('words\n')
    done = run('verify', '-r', '--set', 't')
    check('names alone make no set', b'notes_' not in done.stdout,
          done.stdout[-900:])
    for line in ('segment 0 is missing: before 2023-11-14 22:13:30.000 UTC',
                 'segments 2 to 3 are missing: between 2023-11-14 22:13:39.900'
                 ' and 2023-11-14 22:14:00.000 UTC',
                 'segment 1 is missing: before 2023-11-14 22:14:00.000 UTC',
                 'segment 1 is missing: after 2023-11-14 22:13:39.900 UTC'):
        check('it says: ' + line, line.encode() in done.stdout,
              done.stdout[-900:])
    check('what is there, but empty, is not missing', done.stdout.count(
        b'missing:') == 4, done.stdout[-900:])
    line = run('verify', '-qq', '--json', '--set', 't/w_1.bag',
               't/w_4.bag').stdout.splitlines()[-2]
    found = json.loads(line)
    check('times are moments', [(p['before_last'], p['after_first'])
                                for p in found['problems']]
          == [(None, '2023-11-14T22:13:30.000000000Z'),
              ('2023-11-14T22:13:39.900000000Z',
               '2023-11-14T22:14:00.000000000Z')], found)
    check('which files', found['files'] == [
        {'number': 1, 'file': 't/w_1.bag'},
        {'number': 4, 'file': 't/w_4.bag'}], found)


def runs():
    """Of a journal, of a shard, and of a run that is stopped."""
    os.mkdir('long')
    for i in range(300):
        shutil.copy(DATA / 'bddf' / 'bad-cut-descriptor.bddf',
                    'long/s_%d.bddf' % i)
    command = 'verify', '-r', '-j2', '--set', '--journal=j', '-q', 'long'
    first, again = run(*command), run(*command)
    check('what was done before counts', first.returncode == again.returncode
          and b'[set.overlap]' in first.stdout
          and again.stdout.count(b'[set.') == first.stdout.count(b'[set.'))
    done = run('verify', '-r', '--set', '--shard=1/2', 'long')
    check('no shard', done.returncode == 16 and b'--set' in done.stderr,
          done.stderr)
    process = subprocess.Popen(
        [SALVOR, 'verify', '-r', '-j2', '--json', '--set', 'long'],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, bufsize=0)
    head = process.stdout.read(1000)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check('stopped: nothing is called missing', b'set.' not in head + out
          and b'set.' not in err, err[-300:])


for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    signal.signal(number, signal.SIG_DFL)
with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for test in seams, numbers, times, runs:
        test()
    os.chdir(TOP)
end()

#!/usr/bin/python3
"""Is an extract a sound log with the records that are wanted, and no others?

All logs of testdata, damaged or not, are cut by channel and by time.  Of each extract
salvor reads the records that it reads of the log with the same choice, in the same
order, and finds it sound; and so does a reader of the format that shares nothing with
salvor.  Of bags `rosbag filter` makes the same, message for message.  Latched messages
and series that are metadata go along.

    check_extract.py [FORMAT...]

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, SALVOR_BUILDDIR the
build folder; CI is set where nothing may be skipped.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_reader
    import bag_writer
    import bddf_reader
    import carla_reader
    import cyber_reader
    import rosbag
    from bddf_writer import Log, field
    from dataflash import judge as ardupilot
    from mcap import judge
    from tally import check, end
    from ulog import judge as flight
    bddf_reader.load_messages(os.environ.get('BDDF_PB2', 'tests/pb2'))

RECORDS = str(pathlib.Path(os.environ.get('SALVOR_BUILDDIR', '.'))
              / 'tests' / 'read' / 'records')


def check_bddf(raw):
    """A strict reader of BDDF."""
    bddf_reader.check_file(bddf_reader.read_file(raw))


READERS = {'bddf': (check_bddf, bddf_reader.Bad),
           'rosbag': (bag_reader.read, bag_reader.Bad),
           'cyber': (cyber_reader.read, cyber_reader.Bad),
           'mcap': (judge.strict, judge.Bad),
           'carla': (carla_reader.read, carla_reader.Bad),
           'dataflash': (ardupilot.strict, ardupilot.Bad),
           'ulog': (flight.strict, flight.Bad)}


def logs_of(form):
    """All files of a format that are not there to be refused."""
    return sorted(p for p in (TOP / 'testdata' / form).iterdir()
                  if p.suffix not in ('.md', '.txt')
                  and not p.name.startswith('alien-'))


def read(choice, file):
    """Channel, times, number, length and sum of each record; None: none can be
    read."""
    out = subprocess.run([RECORDS, *choice, str(file)], check=True,
                         capture_output=True).stdout.decode('utf-8', 'replace')
    words = [line.split('\t') for line in out.splitlines()]
    ends = [w for w in words if w[0] == 'end']
    if not ends or ends[0][1] != 'SLV_OK':
        return None
    return [tuple(w[2:5] + w[6:8]) for w in words if w[0] == 'record']


def choices_of(form, records):
    """Some of the records: half of the time, and one channel."""
    times = sorted(int(r[1]) for r in records if int(r[1]) > -2 ** 62)
    if not times:
        return
    first, last = (times[len(times) // 4 * n] for n in (1, 3))
    span = ['%s=%d.%09d' % (word, *divmod(at, 10 ** 9))
            for word, at in (('start', first), ('end', last))
            if at >= 0]
    yield [*span, 'latched=none']
    if form == 'carla':
        return
    name = re.escape(records[0][0])
    if re.search(r'[^\w./\\-]', name) or not name:
        return
    name = records[0][0].replace('.', '[.]')
    yield ['include=' + name]
    yield ['exclude=' + name, *span[:1]]


def options_of(choice):
    """As the command line has them."""
    return ['--' + word for word in choice]


def hold(form, file, choice, folder):
    """One extract."""
    name = '%s/%s %s' % (form, file.name, choice)
    out = pathlib.Path(folder) / ('out' + file.suffix)
    for old in out, pathlib.Path(str(out) + '.salvor.json'):
        old.unlink(missing_ok=True)
    want = read(choice, file)
    done = subprocess.run([SALVOR, 'extract', '--json', '-o', out,
                           *options_of(choice), file], check=False,
                          capture_output=True)
    report = json.loads(done.stdout)
    error = report['error'] or {}
    if not out.exists():
        check(name + ': there is one', error.get('code') != 'bug'
              and (not want or done.returncode in (8, 16)), report['error'])
        check(name + ': which may be missing', not want, report['error'])
        return
    got = read([], out)
    if form == 'carla' and want and got:
        # How long the last frame lasts is filled in when the next one begins.
        last = max(i for i, r in enumerate(want) if r[0] == 'FrameStart')
        want[last:last + 1] = got[last:last + 1]
    if form in ('ulog', 'dataflash'):
        # A message of the GPS says what times count from.
        want, got = ([r[:1] + r[3:] for r in some or ()]
                     for some in (want, got))
    check(name + ': records', got == want and report['extract']['records']
          == len(want), (len(got or []), len(want)))
    sound = subprocess.run([SALVOR, 'verify', '--json', out], check=False,
                           capture_output=True)
    history = json.loads(sound.stdout)['history']
    check(name + ': sound', sound.returncode == 0, sound.returncode)
    check(name + ': what was lost is known', report['state'] != 'lossy'
          or history['state'] == 'lossy', history)
    reader, bad = READERS[form]
    if not file.name.startswith('good-'):
        return
    try:
        reader(out.read_bytes())
    except bad as fault:
        check(name + ': for another reader', False, fault)


def one_format(form, folder):
    """All logs of a format, each in some ways."""
    for file in logs_of(form):
        records = read([], file)
        for choice in choices_of(form, records or []):
            hold(form, file, choice, folder)


def messages_of(bag):
    """What ROS reads."""
    with rosbag.Bag(str(bag)) as opened:
        return [(topic, raw[0], raw[1], raw[2], str(time))
                for topic, raw, time in opened.read_messages(raw=True)]


def like_rosbag(folder):
    """`rosbag filter` takes the same messages."""
    ours, theirs = (pathlib.Path(folder) / name
                    for name in ('ours.bag', 'theirs.bag'))
    for file in logs_of('rosbag'):
        if not file.name.startswith('good-drive'):
            continue
        all_of = messages_of(file)
        start = all_of[len(all_of) // 3][4]
        at = '%s.%s' % (start[:-9], start[-9:])
        for options, words in (
                (['--include=/imu.*'], 'topic.startswith("/imu")'),
                (['--exclude=/tf', '--start=' + at],
                 'topic != "/tf" and t.to_nsec() >= %s' % start)):
            subprocess.run([SALVOR, 'extract', '-q', '-f', '-o', ours,
                            '--latched=none', *options, file], check=True)
            subprocess.run(['rosbag', 'filter', file, theirs, words],
                           check=True, capture_output=True)
            got, want = messages_of(ours), messages_of(theirs)
            check('%s: rosbag filter %s' % (file.name, words), got == want
                  and want, (len(got), len(want)))


def latched(folder):
    """What holds when the span begins."""
    log = Log()
    log.declare(0, 'meta', kind=field(4, field(1, 'text/plain')
                                      + field(2, 'note') + field(3, 1)))
    log.declare(1, 'data')
    log.data(0, b'needed').data(1, b'before').data(0, b'needed, too')
    for number in range(5):
        log.data(1, b'inside %d' % number)
    log.data(1, b'behind').data(0, b'later')
    source, out = (pathlib.Path(folder) / n for n in ('in.bddf', 'out.bddf'))
    source.write_bytes(log.close())
    base = 1700001000
    span = ['--start=%d.004' % base, '--end=%d.009' % base]
    for more, want in ((['--latched=none'], {'data': 5}),
                       ([], {'meta': 3, 'data': 5}),
                       (['--exclude=.*meta.*'], {'data': 5})):
        subprocess.run([SALVOR, 'extract', '-q', '-f', '-o', out, *span, *more,
                        source], check=True)
        got = {}
        for record in read([], out):
            kind = 'meta' if 'meta' in record[0] else 'data'
            got[kind] = got.get(kind, 0) + 1
        check('latched: %s' % more, got == want, got)


def latched_bag(folder):
    """Of each latched connection the last message before the span."""
    source = TOP / 'testdata' / 'rosbag' / 'good-drive-none.bag'
    path, out = (pathlib.Path(folder) / n for n in ('l.bag', 'o.bag'))
    with rosbag.Bag(str(path), 'w') as bag, rosbag.Bag(str(source)) as old:
        for number, (topic, raw, time, header) in enumerate(old.read_messages(
                raw=True, return_connection_header=True)):
            if topic == '/odom':
                header['latching'] = '1'
            bag.write(topic, raw, time, raw=True, connection_header=header)
    start = messages_of(path)[100]
    at = '%s.%s' % (start[4][:-9], start[4][-9:])
    subprocess.run([SALVOR, 'extract', '-q', '-o', out, '--start=' + at, path],
                   check=True)
    whole = messages_of(path)
    inside = [m for m in whole if int(m[4]) >= int(start[4])]
    last = [m for m in whole if m[0] == '/odom'
            and int(m[4]) < int(start[4])][-1:]
    check('latched: a bag', messages_of(out) == last + inside,
          (len(messages_of(out)), len(inside)))


def chosen(folder):
    """Types, spans of time, and channels that are called latched."""
    source = TOP / 'testdata' / 'rosbag' / 'good-drive-none.bag'
    out = pathlib.Path(folder) / 'chosen.bag'
    whole = messages_of(source)
    times = [int(m[4]) for m in whole]
    middle = sorted(times)[len(times) // 2]
    at = '%d.%09d' % divmod(middle, 10 ** 9)
    span = 50 * 10 ** 6
    old = [m for m in whole if m[0] == '/odom' and int(m[4]) < middle][-1:]
    new = [m for m in whole if int(m[4]) >= middle]
    for options, want in (
            (['--type=nav_msgs/.*'], [m for m in whole if m[0] == '/odom']),
            (['--type=nav_msgs/.*', '--type=.*/Imu', '--include=/imu.*'],
             [m for m in whole if m[0] == '/imu/data']),
            (['--timespan=50ms'], [m for m, t in zip(whole, times)
                                   if t > max(times) - span]),
            (['--timespan=50ms', '--start=' + at],
             [m for m, t in zip(whole, times) if middle <= t < middle + span]),
            (['--timespan=50ms', '--end=' + at],
             [m for m, t in zip(whole, times) if middle - span <= t < middle]),
            (['--latched=/odo.', '--start=' + at], old + new),
            (['--latched=auto', '--start=' + at], new),
            (['--latched=/odo', '--start=' + at], new)):
        subprocess.run([SALVOR, 'extract', '-qq', '-f', '-o', out, *options,
                        source], check=False)
        got = messages_of(out) if out.exists() else None
        check('chosen: %s' % options, got == want and want,
              (len(got or []), len(want)))
        out.unlink(missing_ok=True)


def bags_of(folder, *options):
    """The messages of each file that a bag is split into, and the report."""
    source = TOP / 'testdata' / 'rosbag' / 'good-drive-none.bag'
    parts_of = pathlib.Path(folder) / 'parts'
    parts_of.mkdir()
    done = subprocess.run([SALVOR, 'extract', '--json', '-o',
                           parts_of / 'part.bag', *options, source],
                          check=False, capture_output=True)
    files = sorted(parts_of.iterdir(), key=lambda p: int(p.stem.split('_')[1]))
    got = [messages_of(file) for file in files]
    sound = subprocess.run([SALVOR, 'verify', '-qq', *files], check=False)
    check('split: %s: names' % (options,), [f.name for f in files]
          == ['part_%d.bag' % n for n in range(len(files))], files)
    check('split: %s: sound' % (options,), done.returncode == 0
          and sound.returncode == 0, done)
    for file in files:
        file.unlink()
    parts_of.rmdir()
    return messages_of(source), got, json.loads(done.stdout)


def split(folder):
    """A log as several: every message is in one of them, in the order of the log, and
    none is longer than it may be."""
    for most in (30, 100, 1000):
        whole, got, report = bags_of(folder, '--split-duration=1s',
                                     '--start=+%dms' % (most // 30)) \
            if most == 1000 else bags_of(folder, '--split-size=%dK' % most)
        start = min(int(m[4]) for m in whole) + (
            most // 30 * 10 ** 6 if most == 1000 else 0)
        want = [m for m in whole if int(m[4]) >= start]
        flat = [m for part in got for m in part]
        check('split: every message once', sorted(map(repr, flat))
              == sorted(map(repr, want)), (len(flat), len(want)))
        check('split: files', report['extract'].get('files', 1) == len(got)
              and report['extract']['records'] == len(want),
              report['extract'])
        for part in got:
            check('split: in order', part == [m for m in whole if m in part])
            size = sum(len(m[2]) for m in part)
            check('split: bytes', most == 1000 or size <= most * 1024, size)
        for one, other in zip(got, got[1:]):
            check('split: one after the other', max(int(m[4]) for m in one)
                  < min(int(m[4]) for m in other))


def spans(folder):
    """Files of one length, with what is latched in each of them."""
    source = pathlib.Path(folder) / 'spans.bag'
    source.write_bytes(bag_writer.write(
        [bag_writer.Connection(0, '/map', 'a/A', 'uint8 x', latching='1'),
         bag_writer.Connection(1, '/t', 'a/A', 'uint8 x')],
        [bag_writer.Message(0, 1700000000, 0, b'm')]
        + [bag_writer.Message(1, 1700000000 + n // 4, n % 4 * 250000000,
                              bytes([n])) for n in range(42) if n < 20
           or n > 28]))
    subprocess.run([SALVOR, 'extract', '-qq', '--split-duration=2s', '-o',
                    pathlib.Path(folder) / 's.bag', source], check=True)
    got = [messages_of(p) for p in sorted(pathlib.Path(folder).glob(
        's_*.bag'))]
    topics = [[m[2] if m[0] == '/t' else b'map' for m in part] for part in got]
    check('spans: of two seconds', topics == [[b'map'] + [
        bytes([n]) for n in range(42) if n // 8 == part and (n < 20 or n > 28)]
        for part in range(6)], topics)


def refused(folder):
    """What makes no sense is said, and writes nothing."""
    out = pathlib.Path(folder) / 'refused'
    data = TOP / 'testdata'
    for options, file, code in (
            (['--include=x'], data / 'carla' / 'good-ue5.log', 16),
            (['--latched=('], data / 'bddf' / 'good-tiny.bddf', 16),
            (['--type=['], data / 'bddf' / 'good-tiny.bddf', 16),
            (['--split-size=0'], data / 'bddf' / 'good-tiny.bddf', 16),
            (['--split-duration=x'], data / 'bddf' / 'good-tiny.bddf', 16),
            (['--timespan=0s'], data / 'bddf' / 'good-tiny.bddf', 16),
            (['--timespan=-5s'], data / 'bddf' / 'good-tiny.bddf', 16),
            (['--timespan=5s', '--start=+1s', '--end=+2s'],
             data / 'bddf' / 'good-tiny.bddf', 16),
            (['--start=noon'], data / 'bddf' / 'good-tiny.bddf', 16),
            ([], data / 'rosrecord' / 'good-plain.bag', 8),
            ([], data / 'bddf' / 'alien-gzip.bddf', 4)):
        done = subprocess.run([SALVOR, 'extract', '-o', out, *options, file],
                              check=False, capture_output=True)
        check('refused: %s' % file.name, done.returncode == code
              and not out.exists(), done)


def main():
    """All formats, or those that are named."""
    with tempfile.TemporaryDirectory() as folder:
        for form in sys.argv[1:] or READERS:
            one_format(form, folder)
        like_rosbag(folder)
        latched(folder)
        latched_bag(folder)
        chosen(folder)
        split(folder)
        spans(folder)
        refused(folder)
    end()


main()

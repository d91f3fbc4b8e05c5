#!/usr/bin/python3
"""Does `extract --order=time` write a sound log with the same records, sorted?

Of logs with records that are out of order, within chunks and across all of them, and of
logs of testdata, damaged or not: the records are those that are read in the order of
the file, sorted by time here, where equal times keep their order.  A reader of the
format that shares nothing with salvor finds each log sound and sees the same order.
Formats with records that depend on what precedes them are refused, and nothing is written.

    check_order.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, SALVOR_BUILDDIR the
build folder.
"""
import json
import os
import pathlib
import random
import subprocess
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_reader
    import bag_writer
    import bddf_reader
    import bddf_writer
    import cyber_reader
    import cyber_writer
    import rosbag
    from mcap import judge
    from tally import check, end
    bddf_reader.load_messages(os.environ.get('BDDF_PB2', 'tests/pb2'))

RECORDS = str(pathlib.Path(os.environ.get('SALVOR_BUILDDIR', '.'))
              / 'tests' / 'read' / 'records')
READERS = {'.bddf': lambda raw: bddf_reader.check_file(
               bddf_reader.read_file(raw)),
           '.bag': bag_reader.read, '.record': cyber_reader.read,
           '.mcap': judge.strict}
SECOND = 10 ** 9
START = 1700000000


def read(file):
    """Channel, times, number, length and sum of each record."""
    out = subprocess.run([RECORDS, str(file)], check=True,
                         capture_output=True).stdout.decode('utf-8', 'replace')
    words = [line.split('\t') for line in out.splitlines()]
    if [w[1] for w in words if w[0] == 'end'] != ['SLV_OK']:
        return None
    return [tuple(w[2:5] + w[6:8]) for w in words if w[0] == 'record']


def times_of(records):
    """Of the records that have one."""
    return [int(r[1]) for r in records]


def extract(file, out, *options):
    """Its exit code and report."""
    for old in out.parent.glob(out.name + '*'):
        old.unlink()
    done = subprocess.run([SALVOR, 'extract', '--json', *options, '-o', out,
                           file], check=False, capture_output=True)
    return done.returncode, json.loads(done.stdout)


def hold(file, folder, shuffled=True, order='time'):
    """One log."""
    name, out = file.name, pathlib.Path(folder) / ('out' + file.suffix)
    records = read(file)
    code, report = extract(file, out, '--order=' + order)
    if not records:
        check(name + ': nothing to sort', not out.exists() or read(out) == [],
              code)
        return
    check(name + ': is written', out.exists(), report['error'])
    if not out.exists():
        return
    want = sorted(records, key=lambda r: int(r[1]))
    check(name + ': is out of order', want != records or not shuffled)
    got = read(out)
    check(name + ': sorted', got == want, (len(got or ()), len(want)))
    sound = subprocess.run([SALVOR, 'verify', '-qq', out], check=False)
    check(name + ': sound', sound.returncode == 0, sound.returncode)
    if not file.name.startswith(('bad-', 'odd-')):
        try:
            READERS[file.suffix](out.read_bytes())
        except (bag_reader.Bad, bddf_reader.Bad, cyber_reader.Bad,
                judge.Bad) as fault:
            check(name + ': for another reader', False, fault)
    extract(file, out, '--order=file')
    check(name + ': in the order of the file', read(out) == records)


def bags(folder, dice):
    """Messages that come late, by little and by much, in chunks of all kinds."""
    conns = [bag_writer.Connection(n, '/t%d' % n, 'test/T', 'uint8[] data')
             for n in range(5)]
    messages = []
    for n in range(400):
        late = dice.choice((0, 0, 3, 150)) * SECOND // 10
        at = START * SECOND + 40 * SECOND + n // 2 * SECOND // 10 - late
        messages.append(bag_writer.Message(
            dice.randrange(5), at // SECOND, at % SECOND,
            dice.randbytes(dice.randrange(2000))))
    for kind in ('none',), ('lz4',), ('bz2', 'none', 'lz4'):
        for repeat in False, True:
            path = pathlib.Path(folder) / ('%s-%d.bag' % (kind[0], repeat))
            path.write_bytes(bag_writer.write(conns, messages, bag_writer.Shape(
                compression=kind, threshold=9000, repeat=repeat)))
            yield path


def mcaps(bag, folder):
    """The same messages, in the order of the bag."""
    for kind in 'none', 'lz4', 'zstd':
        path = pathlib.Path(folder) / (kind + '.mcap')
        subprocess.run([SALVOR, 'export', '-q', '--compression=' + kind,
                        '--chunk-size=9K', '-o', path, bag], check=True)
        yield path


def cybers(folder, dice):
    """Records in several chunks."""
    channels, messages = cyber_writer.drive(7, 300, 5)
    messages = [m._replace(time=m.time - dice.choice((0, 0, 1, 2)) * SECOND)
                for m in messages]
    path = pathlib.Path(folder) / 'shuffled.record'
    path.write_bytes(cyber_writer.write(
        channels, messages, cyber_writer.Shape(limit=9000)))
    yield path


def bddfs(folder, dice):
    """Blocks with a clock that jumps."""
    log = bddf_writer.Log()
    for series in range(3):
        log.declare(series, 'series-%d' % series)
    for number in range(200):
        log.clock(dice.choice((0, 0, 2, -5)))
        log.data(number % 3, dice.randbytes(dice.randrange(900)))
    path = pathlib.Path(folder) / 'shuffled.bddf'
    path.write_bytes(log.close())
    yield path


def like_rosbag(bag, folder):
    """ROS's own reader reads in the order of time whatever that of the file is: the
    sorted bag has it in the file."""
    out = pathlib.Path(folder) / 'ros.bag'
    extract(bag, out, '--order=log_time')
    with rosbag.Bag(str(bag)) as before, rosbag.Bag(str(out)) as after:
        want = sorted((m.timestamp.to_nsec(), m.topic, m.message[1])
                      for m in before.read_messages(raw=True))
        got = [(m.timestamp.to_nsec(), m.topic, m.message[1])
               for m in after.read_messages(raw=True)]
    check('rosbag: the same messages', sorted(got) == want, len(got))
    at = [m.sec * SECOND + m.nsec
          for m in bag_reader.read(out.read_bytes()).messages()]
    check('rosbag: sorted in the file', at == sorted(at) and at, len(at))


def some(bag, folder):
    """A part of the records, and a log that is split."""
    out, parts_of = (pathlib.Path(folder) / n for n in ('part.bag', 'p.bag'))
    extract(bag, out, '--order=log_time', '--include=/t[12]', '--start=+5s')
    records = [r for r in read(bag) if r[0] in ('/t1', '/t2')]
    first = min(times_of(read(bag)))
    want = sorted((r for r in records if int(r[1]) >= first + 5 * SECOND),
                  key=lambda r: int(r[1]))
    check('some records, sorted', read(out) == want, len(want))
    extract(bag, parts_of, '--order=time', '--split-duration=7s')
    names = sorted(pathlib.Path(folder).glob('p_*.bag'),
                   key=lambda p: int(p.stem[2:]))
    got = sum((read(p) for p in names), [])
    want = sorted(read(bag), key=lambda r: int(r[1]))
    check('split, sorted', got == want and len(names) > 3, len(names))


def refused(folder):
    """Where an order has no sense, and of several logs."""
    out = pathlib.Path(folder) / 'refused'
    data = TOP / 'testdata'
    bag = data / 'rosbag' / 'good-drive-none.bag'
    for files in ([data / 'carla' / 'good-ue5.log'],
                  sorted((data / 'ulog').glob('good-*.ulg'))[:1],
                  sorted((data / 'dataflash').glob('good-*.bin'))[:1],
                  [bag, data / 'rosbag' / 'good-drive-lz4.bag']):
        done = subprocess.run([SALVOR, 'extract', '--order=time', '-o', out,
                               *files], check=False, capture_output=True)
        check('refused: %s' % files[0].name, done.returncode == 16
              and not out.exists() and b'order' in done.stderr
              or b'sorted' in done.stderr, done.stderr)
    done = subprocess.run([SALVOR, 'extract', '--order=up', '-o', out, bag],
                          check=False, capture_output=True)
    check('refused: no such order', done.returncode == 16, done.returncode)


def main():
    """All of it."""
    dice = random.Random(23)
    with tempfile.TemporaryDirectory() as folder:
        made = list(bags(folder, dice))
        some(made[0], folder)
        like_rosbag(made[1], folder)
        made += [*mcaps(made[0], folder), *cybers(folder, dice),
                 *bddfs(folder, dice)]
        for path in made:
            hold(path, folder)
        for form in 'rosbag', 'mcap', 'cyber', 'bddf':
            files = sorted(p for p in (TOP / 'testdata' / form).iterdir()
                           if p.suffix in READERS and p.stat().st_size < 10 ** 6)
            for path in files[::5]:
                hold(path, folder, shuffled=False)
        refused(folder)
    end()


main()

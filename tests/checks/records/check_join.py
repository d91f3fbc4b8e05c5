#!/usr/bin/python3
"""Are several segments one sound log with the records of all of them?

Recordings are written in three segments by writers that share nothing with salvor: with
other numbers of channels and schemas in each, with channels that only one has, in every
compression.  A reader that shares nothing with salvor, either, finds the records of the
joined log, in order.  Then one of the segments is damaged, systematically: the joined log
has what salvor reads of each segment, one after the other, and nothing else; it is sound,
and states what was lost.  What cannot be joined is refused, and writes nothing.

    check_join.py [FORMAT...]

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, SALVOR_BUILDDIR the
build folder.
"""
import dataclasses
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_reader
    import bag_samples
    import bag_writer
    import bddf_reader
    import bddf_writer
    import cyber_reader
    import cyber_writer
    from mcap import judge, records, samples
    from mcap import write as mcap_writer
    from tally import check, end
    bddf_reader.load_messages(os.environ.get('BDDF_PB2', 'tests/pb2'))

RECORDS = str(pathlib.Path(os.environ.get('SALVOR_BUILDDIR', '.'))
              / 'tests' / 'read' / 'records')


def bag_segments():
    """Three bags of one recording: (bytes of each), and what a reader finds."""
    conns, messages = bag_samples.recording(120, 5, seed=3)
    # A publisher that has another connection of the same topic and type.
    conns.append(conns[0]._replace(id=17, callerid='/other'))
    messages[50] = messages[50]._replace(conn=17)
    third = len(messages) // 3
    cuts = [messages[:third], messages[third:2 * third],
            messages[2 * third:]]
    made = []
    for number, some in enumerate(cuts):
        used = [c for c in conns if any(m.conn == c.id for m in some)]
        to = {c.id: 40 - 3 * i if number else c.id
              for i, c in enumerate(used)}
        made.append(bag_writer.write(
            [c._replace(id=to[c.id]) for c in used],
            [m._replace(conn=to[m.conn]) for m in some],
            bag_writer.Shape(compression=(('none',), ('lz4', 'none'),
                                          ('bz2',))[number],
                             threshold=3000)))
    of = {c.id: c for c in conns}
    return made, [(of[m.conn].topic, of[m.conn].callerid,
                   m.sec * 10 ** 9 + m.nsec, m.payload) for m in messages]


def read_bag(raw):
    """What a strict reader finds in a bag."""
    bag = bag_reader.read(raw)
    of = {c.id: (c.topic.decode(), dict(c.about).get('callerid'))
          for c in bag.connections.values()}
    return [(of[m.conn][0], of[m.conn][1] and of[m.conn][1].decode(),
             m.sec * 10 ** 9 + m.nsec, m.payload) for m in bag.messages()]


def mcap_segments():
    """Three files, of which the later ones number channels and schemas the other way
    round."""
    made = samples.recording(150, 5, seed=5, sequence=True)
    made.events.insert(60, records.Metadata('calibration', (('n', '1'),)))
    cuts = [made.events[:50], made.events[50:100], made.events[100:]]
    styles = [('cpp', 'lz4', 2000), ('cpp', 'zstd', 2000), ('fastwrite', '', 0)]
    files = []
    for number, some in enumerate(cuts):
        def moved(n, number=number):
            return 60 - n if number and n else n
        channels = [c._replace(id=moved(c.id), schema=moved(c.schema))
                    for c in made.channels]
        schemas = [s._replace(id=moved(s.id)) for s in made.schemas]
        events = [e._replace(channel=moved(e.channel))
                  if isinstance(e, records.Message) else e for e in some]
        name, compression, size = styles[number]
        files.append(bytes(mcap_writer.write(
            mcap_writer.Recording(made.profile, schemas, channels, events),
            dataclasses.replace(mcap_writer.STYLES[name], chunk_size=size,
                                compression=compression))))
    of = {c.id: c for c in made.channels}
    kinds = {s.id: s for s in made.schemas}
    return files, [(of[m.channel].topic, kinds[of[m.channel].schema].data,
                    m.sequence, m.log_time, m.publish_time, m.data)
                   for m in made.events if isinstance(m, records.Message)]


def read_mcap(raw):
    """What a strict reader finds in a file."""
    file = judge.strict(raw)
    check('mcap: what is no message', [m.name for m, _ in file.metadata]
          == ['calibration'], file.metadata)
    return [(file.channels[m.channel].topic,
             bytes(file.schemas[file.channels[m.channel].schema].data),
             m.sequence, m.log_time, m.publish_time, bytes(m.data))
            for m in file.messages]


def cyber_segments():
    """Three records; channels are declared in another order in each."""
    channels, messages = cyber_writer.drive(seed=7, n_messages=90,
                                            n_channels=4, size=150,
                                            desc_size=80)
    cuts = [messages[:30], messages[30:60], messages[60:]]
    made = [cyber_writer.write(channels if number == 0 else channels[::-1],
                               some, cyber_writer.Shape(limit=900))
            for number, some in enumerate(cuts)]
    return made, [(m.channel, m.time, m.content) for m in messages]


def read_cyber(raw):
    """What a strict reader finds in a record."""
    record = cyber_reader.read(raw)
    return [tuple(m[:3]) for m in record.messages]


def identifier(keys):
    """The SeriesIdentifier with these keys in this order, and its hash."""
    field = bddf_writer.field
    made = hashlib.sha1(b'v' + b''.join(
        (k + v).encode() for k, v in sorted(keys))).digest()
    return field(1, 'v') + b''.join(
        field(2, field(1, k) + field(2, v)) for k, v in keys), \
        int.from_bytes(made[:8], 'big')


def bddf_segments():
    """Three logs, of which the later ones declare series, and keys of a map, in another
    order; one has a series of its own, and one a series without a block."""
    field = bddf_writer.field
    kinds = [field(4, field(1, 'text/plain') + field(2, 'note')),
             field(5, field(1, 10)),
             field(4, field(1, 'text/plain') + field(2, 'note')
                   + field(3, 1))]
    names = ['s%d' % i for i in range(140)]  # their numbers take two bytes
    series = [[('a', name), ('b', 'of')] for name in names]
    made, want = [], []
    for segment in range(3):
        order = list(range(segment, len(names) - 1 + (segment == 1)))
        order = order if segment == 0 else order[::-1]
        log = bddf_writer.Log().clock(40 * 3600 * segment)
        for index, one in enumerate(order):
            keys = series[one][::-1] if (one + segment) % 2 else series[one]
            ident, number = identifier(keys)
            extras = [b'tick'] if one % 3 == 1 else []
            at = len(log.raw)
            log.describe(2, field(1, index) + field(2, ident)
                         + field(3, number) + kinds[one % 3]
                         + field(7, field(1, 'unit') + field(2, 'V'))
                         + b''.join(field(8, e) for e in extras))
            log.series[index] = ident, number, at
        for n in range(60):
            index = n * 7 % len(order)
            one = order[index]
            extras = [n * 1000] if one % 3 == 1 else []
            payload = struct.pack('<d', n) * (1 + n % 5)
            log.data(index, payload, extras)
            want.append((names[one], 1700001000 + 40 * 3600 * segment,
                         1000000 * (n + 1) + 1, extras, payload))
        made.append(bytes(log.close()))
    return made, want


def read_bddf(raw):
    """What a strict reader finds in a log."""
    file = bddf_reader.read_file(raw)
    bddf_reader.check_file(file)
    return [(file.series[b.message.series_index].series_identifier.spec['a'],
             b.message.timestamp.seconds, b.message.timestamp.nanos,
             list(b.message.additional_indexes), b.body)
            for b in file.of('data')]


FORMATS = {'bddf': (bddf_segments, read_bddf, '.bddf'),
           'rosbag': (bag_segments, read_bag, '.bag'),
           'mcap': (mcap_segments, read_mcap, '.mcap'),
           'cyber': (cyber_segments, read_cyber, '.record')}


def read(file):
    """Channel, times, length and sum of each record; None: none can be read.  The
    number of a record, too, where the log has one."""
    out = subprocess.run([RECORDS, str(file)], check=True,
                         capture_output=True).stdout.decode('utf-8', 'replace')
    words = [line.split('\t') for line in out.splitlines()]
    ends = [w for w in words if w[0] == 'end']
    if not ends or ends[0][1] != 'SLV_OK':
        return None
    return [tuple(w[2:5] + w[6:8]) for w in words if w[0] == 'record']


def join(files, out, *options):
    """Exit code and report; an output that is there is removed before."""
    for old in out, pathlib.Path(str(out) + '.salvor.json'):
        old.unlink(missing_ok=True)
    done = subprocess.run([SALVOR, 'extract', '--json', '-o', out, *options,
                           *files], check=False, capture_output=True)
    return done.returncode, json.loads(done.stdout or b'{}')


def verify(file):
    """Exit code and report."""
    done = subprocess.run([SALVOR, 'verify', '--json', file], check=False,
                          capture_output=True)
    return done.returncode, json.loads(done.stdout)


def damaged(raw):
    """(what was done, bytes): of each kind at places all over the log."""
    step = max(1, len(raw) // 5)
    for at in range(step // 2, len(raw), step):
        yield 'cut at %d' % at, raw[:at]
        yield 'zeros at %d' % at, raw[:at] + bytes(
            min(200, len(raw) - at)) + raw[at + 200:]
        yield 'bit at %d' % at, (raw[:at] + bytes([raw[at] ^ 16])
                                 + raw[at + 1:])
        yield 'hole at %d' % at, raw[:at] + raw[at + 97:]


def hold(name, files, out):
    """One joined log: what its segments have."""
    want = [read(file) for file in files]
    code, report = join(files, out)
    if None in want:
        check(name + ': refused', code == 8 and not out.exists(), report)
        return
    got = read(out) if out.exists() else None
    check(name + ': records', got == sum(want, []),
          (code, report.get('error'), [len(w) for w in want],
           got and len(got)))
    if got is None:
        return
    segments = report['segments']
    sound, seen = verify(out)
    check(name + ': sound', sound == 0, seen['problems'])
    check(name + ': counts', report['extract']['records'] == len(got)
          and [s['file'] for s in segments] == [str(f) for f in files],
          report['extract'])
    for key in 'kept', 'lost':
        check(name + ': sum of ' + key, report['blocks'][key]
              == sum(s['blocks'][key] for s in segments), report['blocks'])
    check(name + ': state', report['state'] == max(
        (s['state'] for s in segments),
        key=['intact', 'repaired', 'lossy'].index), report['state'])
    if report['state'] == 'lossy':
        history = seen['history'] or {}
        check(name + ': states the loss', history.get('state') == 'lossy'
              and history['lost_blocks'] == report['blocks']['lost']
              and history['lost_bytes'] == report['bytes']['lost'], history)


def one_format(form, folder):
    """The segments of a format: whole, then damaged."""
    make, reader, suffix = FORMATS[form]
    raws, want = make()
    folder = pathlib.Path(folder)
    files = [folder / (form + '_%d' % i + suffix) for i in range(3)]
    out = folder / ('out' + suffix)
    for file, raw in zip(files, raws):
        file.write_bytes(raw)
    for order in files, files[::-1], files[1:] + files[:1]:
        code, report = join(order, out)
        check(form + ': joined', code == 0, report)
        check(form + ': by another reader', out.exists()
              and reader(out.read_bytes()) == want,
              report.get('error'))
    hold(form, files, out)
    for number in range(3):
        for what, raw in damaged(raws[number]):
            files[number].write_bytes(raw)
            hold('%s: segment %d: %s' % (form, number, what), files, out)
        files[number].write_bytes(raws[number])
    for number, file in enumerate(files):
        code, report = join(files[number:number + 2], out, '--start=+50ms',
                            '--exclude=.*odom.*|.*0')
        check('%s: some of %d' % (form, number), code == 0
              and verify(out)[0] == 0, report.get('error'))


def latched(folder):
    """The last latched message before the span, of whichever segment."""
    folder = pathlib.Path(folder)
    conns = [bag_writer.Connection(0, '/map', 'a/A', 'uint8 x', latching='1'),
             bag_writer.Connection(1, '/t', 'a/A', 'uint8 x')]
    files = []
    for number in range(3):
        start = 1700000000 + 10 * number
        messages = [bag_writer.Message(1, start + i, 0, b't%d' % i)
                    for i in range(10)]
        if number < 2:
            messages.insert(1, bag_writer.Message(0, start, 5, b'm%d'
                                                  % number))
        files.append(folder / ('l%d.bag' % number))
        files[-1].write_bytes(bag_writer.write(conns, messages))
    out = folder / 'l.bag'
    for start, end_at, want in ((22, 25, ['m1', 't2', 't3', 't4']),
                                (5, 8, ['m0', 't5', 't6', 't7']),
                                (19, 22, ['m1', 't9', 't0', 't1'])):
        code, report = join(files, out, '--start=+%ds' % start,
                            '--end=+%ds' % end_at)
        got = [m[3].decode() for m in read_bag(out.read_bytes())] \
            if out.exists() else None
        check('latched: from %d' % start, code == 0 and got == want,
              (got, report.get('error')))
    code, report = join(files, out, '--start=-3s')
    check('latched: from the end', read_bag(out.read_bytes())[1:] == [
        ('/t', None, (1700000026 + i) * 10 ** 9, b't%d' % (6 + i))
        for i in range(4)], report.get('error'))


def histories(folder):
    """What earlier repairs of two segments lost is one sum."""
    folder = pathlib.Path(folder)
    raws, _ = bag_segments()
    files = [folder / ('h%d.bag' % i) for i in range(3)]
    lost = 0
    for file, raw in zip(files, raws):
        broken = folder / 'broken.bag'
        at = len(raw) * 2 // 3
        broken.write_bytes(raw if file == files[0] else raw[:at])
        subprocess.run([SALVOR, 'repair', '-qq', '-o', file, broken],
                       check=False)
        lost += (verify(file)[1]['history'] or {}).get('lost_bytes', 0)
    out = folder / 'h.bag'
    code, report = join(files, out)
    history = verify(out)[1]['history'] or {}
    check('histories: joined', code in (0, 3) and lost > 0, report.get('error'))
    check('histories: a sum', history.get('lost_bytes') == lost
          and history.get('state') == 'lossy', (lost, history))


def refused(folder):
    """What cannot be joined is said, and writes nothing."""
    folder = pathlib.Path(folder)
    raws, _ = bag_segments()
    files = [folder / ('r%d.bag' % i) for i in range(4)]
    for file, raw in zip(files, raws):
        file.write_bytes(raw)
    topic = read_bag(raws[0])[0][0]
    files[3].write_bytes(bag_writer.write(
        [bag_writer.Connection(0, topic, 'b/Other', 'uint8 y')],
        [bag_writer.Message(0, 1800000000, 0, b'x')]))
    copy = folder / 'copy.bag'
    copy.write_bytes(raws[1])
    empty = folder / 'empty.bag'
    empty.write_bytes(b'')
    data = TOP / 'testdata'
    mcap = data / 'mcap' / 'good-cpp-lz4.mcap'
    ros1 = folder / 'ros1.mcap'
    ros1.write_bytes(bytes(mcap_writer.write(
        samples.recording(20, 2, seed=9, profile='ros1'),
        mcap_writer.STYLES['cpp'])))
    out = folder / 'refused.bag'
    for names, words, code in (
            ([files[0], files[0]], 'one file', 16),
            ([files[0], '-'], 'standard input', 16),
            ([files[0], mcap], 'different formats', 8),
            ([files[0], files[3]], 'another type in each', 8),
            ([files[1], copy], 'merge joins copies', 8),
            ([files[0], empty], 'not a log', 8),
            ([files[0], folder / 'missing.bag'], 'cannot open', 8),
            ([data / 'carla' / 'good-ue5.log',
              data / 'carla' / 'good-ue4-2026.log'], 'cannot be joined', 8),
            ([mcap, ros1], 'profile', 8)):
        got, report = join(names, out)
        text = (report.get('error') or {}).get('text', '')
        check('refused: %s' % words, got == code and words in text
              and not out.exists(), (got, report.get('error')))
    got, report = join([files[0], files[3]], out, '--exclude=' + topic)
    check('refused: but without it', got == 0, report.get('error'))
    before = files[1].read_bytes()
    done = subprocess.run([SALVOR, 'extract', '-f', '-o', files[1], files[0],
                           files[1]], check=False, capture_output=True)
    check('refused: the output is a segment', done.returncode == 16
          and files[1].read_bytes() == before, done)
    out.unlink()
    done = subprocess.run([SALVOR, 'extract', '--split-size=1M', '-o', out,
                           files[0], files[1]], check=False,
                          capture_output=True)
    check('refused: split', done.returncode == 16 and not out.exists(), done)


def folders(folder):
    """A folder means the logs in it; an output in it is none of them."""
    raws, want = bag_segments()
    where = pathlib.Path(folder) / 'folder'
    (where / 'deeper').mkdir(parents=True)
    for number, raw in enumerate(raws):
        (where / ('f%d.bag' % number)).write_bytes(raw)
    (where / 'deeper' / 'other.bag').write_bytes(raws[0])
    (where / 'notes.txt').write_text('no log')
    out = where / 'all.bag'
    for _ in range(2):
        done = subprocess.run([SALVOR, 'extract', '-q', '-f', '-o', out, where],
                              check=False, capture_output=True)
        check('folder: joined', done.returncode == 0
              and read_bag(out.read_bytes()) == want, done)
    out.unlink()
    to = pathlib.Path(folder) / 'exports'
    to.mkdir()
    done = subprocess.run([SALVOR, 'export', '-q', '-d', to, where],
                          check=False, capture_output=True)
    check('folder: exported', done.returncode == 0
          and sorted(p.name for p in to.iterdir())
          == ['f0.mcap', 'f1.mcap', 'f2.mcap'], done)
    for some, words in ((where, 'extract first'), (where / 'deeper', None),
                        (to.parent / 'exports', None), (TOP / 'docs', 'name')):
        done = subprocess.run([SALVOR, 'export', '-o', to / 'one.ndjson',
                               '-qf', some], check=False, capture_output=True,
                              text=True)
        check('folder: export of %s' % some.name, done.returncode
              == (16 if words or some == to else 0)
              and (words or '') in done.stderr, done)
    bag = TOP / 'testdata' / 'ros2' / 'humble'
    out = to / 'ros2.mcap'
    done = subprocess.run([SALVOR, 'extract', '-q', '-o', out, bag],
                          check=False, capture_output=True)
    check('folder: of ROS 2', done.returncode == 0
          and read(out) == read(bag / 'bag_0.mcap'), done)


def long_ones(folder):
    """More than is held in memory, of one log and of two."""
    folder = pathlib.Path(folder)
    conn = bag_writer.Connection(0, '/cam', 'a/A', 'uint8 x')
    files = [folder / ('long%d.bag' % i) for i in range(2)]
    for number, file in enumerate(files):
        file.write_bytes(bag_writer.write([conn], [
            bag_writer.Message(0, 1700000000 + 1000 * number + i, 0,
                               bytes(500000)) for i in range(140)]))
    out = folder / 'long.bag'
    for some in files[:1], files:
        code, report = join(some, out)
        check('long: %d' % len(some), code == 0
              and report['extract']['records'] == 140 * len(some),
              report.get('error'))
        check('long: sound', out.exists() and verify(out)[0] == 0)


def main():
    """All formats, or those that are named."""
    with tempfile.TemporaryDirectory() as folder:
        for form in sys.argv[1:] or FORMATS:
            one_format(form, folder)
        latched(folder)
        histories(folder)
        refused(folder)
        folders(folder)
        long_ones(folder)
    end()


main()

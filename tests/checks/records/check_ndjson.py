#!/usr/bin/python3
"""Do exports as lines of JSON hold every record, with the values that others read?

All logs of testdata are exported, damaged or not, as MCAP, of which a strict reader
reads the payloads, and as lines of JSON.  Both have the same records.  Values are those
that genpy, struct and the rules of ULog find in the payloads; what is not decoded is
base64 of them.  What was lost is in the last lines.

    check_ndjson.py [FORMAT...]

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set where
nothing may be skipped.
"""
import base64
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_writer
    import exported
    import values
    from bddf_writer import Log, field
    from mcap import judge
    from tally import check, end

FORMATS = ('bddf', 'carla', 'cyber', 'dataflash', 'mcap', 'rosbag',
           'ulog')


def logs_of(form):
    """All files of a format."""
    return sorted(p for p in (TOP / 'testdata' / form).iterdir()
                  if p.suffix not in ('.md', '.txt'))


def export(log, out, *options):
    """The exit code."""
    return subprocess.run([SALVOR, 'export', '-qq', *options, '-o', out, log],
                          check=False, capture_output=True).returncode


def lines_of(path):
    """The values in the lines; one that is not JSON is an error."""
    raw = path.read_bytes()
    check('%s: lines of ASCII' % path.name, raw.endswith(b'\n')
          and not re.search(rb'[^\n -~]', raw))
    return [json.loads(line) for line in raw.splitlines()]


def text(line, key):
    """A text of the log, which may not be UTF-8."""
    if key in line:
        return line[key]
    return base64.b64decode(line[key + '_base64']).decode(
        'utf-8', 'backslashreplace')


class Original:
    """The same log in MCAP."""

    def __init__(self, path):
        self.file = judge.strict(path.read_bytes())
        made = [n for n, c in self.file.channels.items()
                if c.topic == '/salvor/gaps' or (
                    c.topic in ('/tf', '/actors')
                    and c.schema in self.file.schemas
                    and self.file.schemas[c.schema].name
                    in ('foxglove.FrameTransforms', 'foxglove.SceneUpdate'))]
        self.gaps = [json.loads(m.data) for m in self.file.messages
                     if self.file.channels[m.channel].topic
                     == '/salvor/gaps']
        self.messages = [m for m in self.file.messages
                         if m.channel not in made]
        self.readers = {
            n: values.reader_of(c, self.file.schemas.get(c.schema))
            for n, c in self.file.channels.items()}


def hold_record(name, line, message, log):
    """A line is this message; true: it was decoded."""
    raw = exported.original(log.file, message)
    channel = log.file.channels[message.channel]
    reader = log.readers[message.channel]
    want = reader.read(raw) if reader is not None else None
    topic = text(line, 'topic')
    check(name + ': topic', topic == channel.topic or '\\x' in channel.topic,
          (topic, channel.topic))
    check(name + ': time', line['log_time'] in (message.log_time, None)
          or line['log_time'] < 0, (line, message.log_time))
    check(name + ': one of both', ('data' in line) != ('data_base64' in line))
    if 'data' in line:
        good = want is not None and values.same(line['data'], want)
        check(name + ': values', good, (line['data'], want))
        return True
    check(name + ': bytes', base64.b64decode(line['data_base64']) == raw)
    check(name + ': nobody can decode it', want is None,
          (channel.topic, want))
    return False


def hold(name, lines, log):
    """Lines are what the log holds; how many records were decoded."""
    records = [line for line in lines if 'topic' in line]
    check(name + ': records', len(records) == len(log.messages),
          (len(records), len(log.messages)))
    decoded = 0
    for line, message in zip(records, log.messages):
        decoded += hold_record(name, line, message, log)
    gaps = [line['gap'] for line in lines if 'gap' in line]
    check(name + ': gaps', [(g['offset'], g['bytes']) for g in gaps]
          == [(g['offset'], g['bytes']) for g in log.gaps], gaps)
    check(name + ': the last line', list(lines[-1]) == ['salvor']
          and int(lines[-1]['salvor']['gaps']) >= len(gaps), lines[-1])
    kinds = [next(iter(line)) for line in lines]
    check(name + ': other lines', {k.replace('_base64', '') for k in kinds}
          <= {'channel', 'topic', 'gap', 'salvor'}, set(kinds))
    told = {text(line['channel'], 'topic') for line in lines
            if 'channel' in line}
    check(name + ': channels are told', told
          == {text(line, 'topic') for line in records}, told)
    ids = {(line['channel_id'], text(line, 'topic'), message.channel)
           for line, message in zip(records, log.messages)}
    check(name + ': channels have numbers', len(ids)
          == len({i[0] for i in ids}) == len({i[2] for i in ids})
          and {i[:2] for i in ids} == {
              (line['channel']['channel_id'], text(line['channel'], 'topic'))
              for line in lines if 'channel' in line}, ids)
    return decoded


def told_opaque(name, log, lines, original):
    """The report counts what readers of the output cannot decode."""
    opaque = [line['channel_id'] for line in lines if 'data_base64' in line]
    bare = [m.channel for m in original.messages if (
        original.file.channels[m.channel].schema == 0
        and original.file.channels[m.channel].encoding != 'json')]
    for form, want in ('ndjson', opaque), ('csv', opaque), ('mcap', bare):
        got = subprocess.run(
            [SALVOR, 'export', '-n', '--json', '--to', form, '-o', 'none', log],
            check=False, capture_output=True).stdout
        got = json.loads(got)['export'].get('undecoded', {})
        check('%s: not decoded, %s' % (name, form),
              (got.get('records', 0), got.get('channels', 0))
              == (len(want), len(set(want))), (got, want))
        helps = '--descriptors' in subprocess.run(
            [SALVOR, 'export', '-n', '--to', form, '-o', 'none', log],
            check=False, capture_output=True, text=True).stdout
        check('%s: what helps, %s' % (name, form),
              helps == (got.get('without_descriptors', 0) > 0)
              == any(original.file.channels[m.channel].encoding == 'protobuf'
                     and original.file.channels[m.channel].schema == 0
                     for m in original.messages
                     if log.suffix == '.bddf'), got)


def one_format(form, folder):
    """All logs of a format."""
    decoded = 0
    for log in logs_of(form):
        binary, out, again = (folder / ('%s.%s' % (log.name, ending))
                              for ending in ('mcap', 'ndjson', 'jsonl'))
        code = export(log, binary)
        check('%s: exit code' % log.name, export(log, out) == code
              and export(log, again) == code, code)
        check('%s: there is one' % log.name, out.exists() == binary.exists())
        if not out.exists():
            continue
        check('%s: the same bytes' % log.name,
              out.read_bytes() == again.read_bytes())
        decoded += hold(log.name, lines_of(out), Original(binary))
        if log.name.startswith('good-'):
            told_opaque(log.name, log, lines_of(out), Original(binary))
    check('%s: some are decoded' % form, decoded > 0
          or form in ('cyber', 'mcap'), decoded)


def export_lines(folder, raw, name):
    """The records of a log, as lines."""
    log, out = folder / name, folder / (name + '.ndjson')
    log.write_bytes(raw)
    export(log, out, '-f')
    return [line for line in lines_of(out) if 'topic' in line]


def odd_numbers(folder):
    """Numbers that are hard to print are read back as they were."""
    doubles = [0.1, -0.0, 5e-324, 1.7976931348623157e308, 2.0 ** 53 + 2, 1e22,
               float('nan'), float('inf'), -float('inf'), 1 / 3, 123456789.125]
    whole = [0, 1, 2 ** 53 + 1, 2 ** 63, 2 ** 64 - 1]
    singles = [0.1, -0.0, 1e-45, 3.4028234663852886e38, 16777216.0, 1 / 3]
    log = Log()
    kinds = ((10, '<%dd', doubles), (8, '<%dQ', whole), (9, '<%df', singles),
             (4, '<%dq', [-2 ** 63, 2 ** 63 - 1, -1]),
             (1, '<%db', [-128, 127]))
    for index, (pod, _, _) in enumerate(kinds):
        log.declare(index, 'n%d' % pod, kind=field(5, field(1, pod)))
    for index, (_, code, numbers) in enumerate(kinds):
        log.data(index, struct.pack(code % len(numbers), *numbers))
    lines = export_lines(folder, log.close(), 'odd.bddf')
    for line, (pod, _, numbers) in zip(lines, kinds):
        want = [values.Single(struct.unpack('<f', struct.pack('<f', x))[0])
                if pod == 9 else x for x in numbers]
        check('numbers of type %d' % pod, values.same(line['data'], want),
              (line['data'], want))
    check('numbers of all types', len(lines) == len(kinds), lines)


def bag_of(kind, definition, payload, topic='/t'):
    """A bag with one message."""
    return bag_writer.write([bag_writer.Connection(0, topic, kind, definition)],
                            [bag_writer.Message(0, 1700000000, 5, payload)])


def hostile_definitions(folder):
    """Definitions that are wrong, or mean harm, leave messages as bytes."""
    deep = 'a/T0 x\n' + ''.join(
        '====\nMSG: a/T%d\na/T%d x\n' % (i, i + 1) for i in range(100)) \
        + '====\nMSG: a/T100\nuint8 x\n'
    wide = 'a/T0 x\na/T0 y\n' + ''.join(
        '====\nMSG: a/T%d\na/T%d x\na/T%d y\n' % (i, i + 1, i + 1)
        for i in range(30)) + '====\nMSG: a/T30\n'
    for what, definition in (
            ('a loop', 'a/B x\n====\nMSG: a/B\na/B x\n'),
            ('a loop of two', 'a/B x\n====\nMSG: a/B\na/C x\n====\nMSG: a/C\n'
             'a/B x\n'),
            ('too deep', deep), ('too much text', wide),
            ('a type that is not there', 'b/Missing x\n'),
            ('two of one name', 'uint8 x\nuint8 x\n'),
            ('a name that breaks JSON', 'uint8 x"y\n'),
            ('a control character', 'uint8 x\x01\n'),
            ('a long name', 'uint8 %s\n' % ('x' * 256)),
            ('a count that is too large', 'uint8[99999999999999999999] x\n'),
            ('nothing many times', 'a/E[] x\n====\nMSG: a/E\n'),
            ('more than there is', 'float64[] x\n'),
            ('words that are too many', 'uint8 x y\n')):
        payload = b'\xff\xff\xff\x7f'
        lines = export_lines(folder, bag_of('a/A', definition, payload),
                             'h.bag')
        check('hostile: ' + what, len(lines) == 1 and base64.b64decode(
            lines[0].get('data_base64', '')) == payload, lines)


def odd_definitions(folder):
    """What definitions may hold, and what becomes of it."""
    for what, definition, payload, want in (
            ('nothing', '', b'', {}),
            ('constants', 'int32 A=1\nstring B = # "no\nuint8 x # y\n',
             b'\x07', {'x': 7}),
            ('blanks', '\r\n  uint16\t x  \r\n\n#\n', b'\x07\x01',
             {'x': 0x107}),
            ('times', 'time t\nduration d\n',
             struct.pack('<IIii', 2 ** 32 - 1, 5, -1, -2),
             {'t': {'sec': 2 ** 32 - 1, 'nsec': 5},
              'd': {'sec': -1, 'nsec': -2}}),
            ('a header', 'Header h\n====\nMSG: std_msgs/Header\nuint32 seq\n'
             'time stamp\nstring frame_id\n',
             struct.pack('<IIII', 1, 2, 3, 2) + b'ab',
             {'h': {'seq': 1, 'stamp': {'sec': 2, 'nsec': 3},
                    'frame_id': 'ab'}}),
            ('a type of the package', 'B[2] b\n====\nMSG: a/B\nint8 x\n',
             b'\xff\x01', {'b': [{'x': -1}, {'x': 1}]}),
            ('bytes', 'uint8[] a\nchar[2] b\nbyte[2] c\n',
             b'\1\0\0\0\xffxy\xff\1',
             {'a': '/w==', 'b': 'eHk=', 'c': [-1, 1]}),
            ('text', 'string[] s\n', b'\3\0\0\0\2\0\0\0"\\\1\0\0\0\0'
             b'\2\0\0\0\xc3\xa4', {'s': ['"\\', '\0', '\xe4']}),
            ('text that is none', 'string s\n', b'\1\0\0\0\xff',
             {'s': {'base64': '/w=='}}),
            ('booleans', 'bool[] b\n', b'\3\0\0\0\0\1\2',
             {'b': [False, True, 2]})):
        lines = export_lines(folder, bag_of('a/A', definition, payload),
                             'o.bag')
        check('odd: ' + what, len(lines) == 1
              and lines[0].get('data') == want, (lines, want))


def through_mcap(folder):
    """Messages of ROS 1 are decoded in MCAP, too."""
    bag = TOP / 'testdata' / 'rosbag' / 'good-drive-none.bag'
    binary = folder / 'drive.mcap'
    export(bag, binary, '-f')
    told = []
    for log in bag, binary:
        out = folder / (log.name + '.ndjson')
        export(log, out, '-f')
        told.append([(line['topic'], line['log_time'], line['data'])
                     for line in lines_of(out) if 'topic' in line])
    check('through MCAP', told[0] == told[1] and told[0],
          list(map(len, told)))


def names(folder):
    """Whatever series are called, lines are JSON."""
    for name in ('/"\\', '/\n\r\t\x01\x7f', '/\u2028\U0001f600',
                 '/' + 'x' * 60000):
        log = Log()
        log.declare(0, name, kind=field(5, field(1, 5)))
        log.data(0, b'\1')
        lines = export_lines(folder, log.close(), 'n.bddf')
        check('name %a' % name[:20], [(line['topic'], line['data'])
              for line in lines] == [(name, [1])], lines)


def repaired(folder):
    """An export of a repaired log has the gaps that one of the damaged log has."""
    for form, name in (('bddf', 'bad-cut-patrol.bddf'),
                       ('bddf', 'bad-hole.bddf'),
                       ('rosbag', 'bad-chunk-gone.bag'),
                       ('mcap', 'bad-chunk-hole.mcap'),
                       ('cyber', 'bad-hole.record'),
                       ('carla', 'bad-hole.log'), ('ulog', 'bad-hole.ulg'),
                       ('dataflash', 'bad-hole.bin')):
        log = TOP / 'testdata' / form / name
        again = folder / ('again-' + name)
        subprocess.run([SALVOR, 'repair', '-qq', '-o', again, log],
                       check=False)
        gaps = []
        for source in log, again:
            out = folder / 'repaired.ndjson'
            export(source, out, '-f')
            gaps.append([line['gap'] for line in lines_of(out)
                         if 'gap' in line])
        check('%s: gaps of the damaged log' % name, gaps[0]
              and not any('earlier' in gap for gap in gaps[0]), gaps[0])
        check('%s: gaps of the repaired log' % name, gaps[1]
              == [dict(gap, earlier=True) for gap in gaps[0]], gaps)
        binary = folder / 'repaired.mcap'
        export(again, binary, '-f')
        check('%s: as messages' % name, [
            (gap['offset'], gap['bytes'], gap['earlier'])
            for gap in Original(binary).gaps]
              == [(gap['offset'], gap['bytes'], True) for gap in gaps[0]])
        tables = folder / 'repaired.csv'
        export(again, tables)
        rows = (tables / '_gaps.csv').read_text().splitlines()[1:]
        check('%s: as a table' % name, [
            row.split(',')[2:] for row in rows] == [
                [str(gap['offset']), str(gap['bytes']), 'true']
                for gap in gaps[0]], rows)
        shutil.rmtree(tables)


def main():
    """All formats, or those that are named."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for form in sys.argv[1:] or FORMATS:
            one_format(form, folder)
        if not sys.argv[1:]:
            odd_numbers(folder)
            odd_definitions(folder)
            hostile_definitions(folder)
            through_mcap(folder)
            names(folder)
            repaired(folder)
    end()


main()

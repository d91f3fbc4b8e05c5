#!/usr/bin/python3
"""Are exports to MCAP files that every reader takes, with all records?

All logs of testdata are exported, damaged or not.  A strict reader and, if it is
there, @mcap/core read from each what salvor reads from the log: channel, time and
payload of every record.  salvor finds the file sound, and a second export has the same
bytes.  Message definitions and descriptions are those of the log: descriptors of
protobuf are a set that the library for Python takes, and know the type.

    check_export.py [FORMAT...]

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
import zlib

from support.start import SALVOR, TOP, parts

with parts():
    import exported
    from bag_hostile import unclosed
    from bag_writer import (Connection, Message, Shape, chunk_record,
                            connection_record, message_record)
    from google.protobuf import descriptor_pb2, descriptor_pool
    from mcap import judge, npm
    from tally import check, end

RECORDS = str(pathlib.Path(os.environ.get('SALVOR_BUILDDIR', '.'))
              / 'tests' / 'read' / 'records')
FORMATS = 'bddf', 'carla', 'cyber', 'mcap', 'rosbag'


def logs_of(form):
    """All files of a format."""
    return sorted(p for p in (TOP / 'testdata' / form).iterdir()
                  if p.suffix not in ('.md', '.txt'))


def run(*arguments):
    """Lines of the program, as words."""
    out = subprocess.run([RECORDS, *map(str, arguments)], check=True,
                         capture_output=True).stdout.decode('utf-8', 'replace')
    return [line.split('\t') for line in out.splitlines()]


def read(files):
    """{file: [(channel, time, length, crc)]} of those that can be read."""
    readings = {}
    for kind, *words in run(*files):
        if kind == 'file':
            name, records, last = words[0], [], 0
        elif kind == 'record':
            # A time that MCAP cannot state is that of the message before.
            last = int(words[2]) if int(words[2]) >= 0 else last
            records.append((int(words[0]), last, int(words[5]), words[6]))
        elif kind == 'end' and words[0] == 'SLV_OK':
            readings[name] = records
    return readings


def hold_schema(name, file):
    """What is said of types is true."""
    for channel in file.channels.values():
        schema = file.schemas.get(channel.schema)
        if schema is None or schema.encoding != 'protobuf':
            continue
        files = descriptor_pb2.FileDescriptorSet.FromString(schema.data)
        pool = descriptor_pool.DescriptorPool()
        try:
            for one in files.file:
                pool.Add(one)
            pool.FindMessageTypeByName(schema.name)
        except (KeyError, TypeError) as fault:
            # Where the log's own description is damaged or does not have it.
            check('%s: %s' % (name, schema.name), 'bad-' in name
                  or 'odd-' in name, repr(fault))


def made_of(file):
    """Channels that salvor makes of others: where actors of CARLA are."""
    return [number for number, channel in file.channels.items()
            if channel.topic in ('/tf', '/actors')
            and channel.schema in file.schemas
            and file.schemas[channel.schema].name
            in ('foxglove.FrameTransforms', 'foxglove.SceneUpdate')]


def hold(name, raw, want):
    """A file has these records, and nothing is wrong with it."""
    try:
        file = judge.strict(raw)
    except judge.Bad as fault:
        check('%s: strict reader' % name, False, str(fault))
        return
    gaps = [number for number, channel in file.channels.items()
            if channel.topic == '/salvor/gaps']
    lost = [m for m in file.messages if m.channel in gaps]
    made = made_of(file)
    got = []
    for m in file.messages:
        if m in lost or m.channel in made:
            continue
        data = exported.original(file, m)
        got.append((m.channel, m.log_time, len(data),
                    '%08x' % zlib.crc32(data)))
    for message in lost:
        gap = json.loads(message.data)
        check('%s: a gap' % name, 'bytes' in gap and 'offset' in gap
              and all(time['nsec'] < 10 ** 9 for word, time in gap.items()
                      if word in ('from', 'to')), gap)
    check('%s: gaps only where something is lost' % name,
          not gaps or 'bad-' in name or 'odd-' in name, lost)
    check('%s: records' % name, got == want, (len(got), len(want)))
    hold_schema(name, file)


def one_format(form, folder):
    """All logs of a format."""
    files = logs_of(form)
    want = read(files)
    exports = {}
    run('--export', folder, *files)
    for name in want:
        path = pathlib.Path(folder) / (pathlib.Path(name).name + '.mcap')
        check('%s: there is an export' % name, path.exists())
        if path.exists():
            exports[name] = path
            hold(name, path.read_bytes(), want[name])
    left = {p.name for p in pathlib.Path(folder).iterdir()} \
        - {p.name for p in exports.values()}
    check('%s: nothing else is left' % form, not left, left)
    done = subprocess.run([SALVOR, 'verify', '-qq', *map(str,
                           exports.values())], check=False)
    check('%s: salvor finds them sound' % form, done.returncode == 0,
          done.returncode)
    if npm.available():
        check('%s: @mcap/core' % form,
              not npm.complaints(exports.values()),
              npm.complaints(exports.values()))
    elif os.environ.get('CI'):
        check('@mcap/core is there', False)
    again(form, files, exports)
    by_command(form, files, exports)
    with_choices(form, exports)


def salvor(*arguments):
    """The exit code and the output of the program, as text."""
    done = subprocess.run([SALVOR, *map(str, arguments)], check=False,
                          capture_output=True)
    return done.returncode, done.stdout.decode('utf-8', 'replace')


def by_command(form, files, exports):
    """The command writes what the library does, for every file, and says how much;
    its exit code is that of a repair that writes all that it can."""
    reports = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(map(str, files)):
            path = pathlib.Path(folder) / ('%d.mcap' % number)
            code, text = salvor('export', '--json', '-o', path, name)
            report = json.loads(text)
            want, _ = salvor('repair', '-n', '-qq', '--reseal', '-o',
                             pathlib.Path(folder) / 'none', name)
            if name not in exports:
                check('%s: nothing is exported' % name, code in (4, 8)
                      and report['export'] is None and not path.exists(),
                      (code, report['state'], report['error']))
                continue
            reports[name] = report
            check('%s: exit code' % name, code == want, (code, want))
            check('%s: the command writes the same' % name,
                  path.read_bytes() == exports[name].read_bytes())
            messages = judge.strict(path.read_bytes()).messages
            gaps = report['gaps_total']
            made = made_of(judge.strict(path.read_bytes()))
            check('%s: how many records' % name,
                  report['export']['records'] + gaps
                  == len([m for m in messages if m.channel not in made]),
                  (report['export'], gaps, len(messages)))
    doubts(reports, exports)


def doubts(reports, exports):
    """What is lost, unsure or contradicted in a log, or that its end is unknown, is
    said of its export, too."""
    _, text = salvor('verify', '--json', *(exports[name] for name in reports))
    said = [json.loads(line) for line in text.splitlines()]
    for (name, report), export in zip(reports.items(), said):
        here, before = export['history'] or {}, report['history'] or {}
        for key, now in (('lost_blocks', report['blocks']['lost']),
                         ('unsure_blocks', report['blocks']['unsure']),
                         ('contradicted', report['contradicted']),
                         ('open_end', bool(report['open_end']))):
            want = now + before.get(key, 0)
            check('%s: %s of the export' % (name, key),
                  here.get(key, 0) == (want > 0 if isinstance(now, bool) else want),
                  (here.get(key), want))


def with_choices(form, exports):
    """Records of one channel, of a span of time, in the order of time; chunks that are
    compressed in each way, and short."""
    name = max(exports, key=lambda name: ('good-' in name,
                                          len(exports[name].read_bytes())))
    whole = judge.strict(exports[name].read_bytes())
    topics = {number: channel.topic
              for number, channel in whole.channels.items()}
    got = [(topics[m.channel], m.log_time, m.data) for m in whole.messages]
    times = sorted(time for _, time, _ in got)
    some, middle = got[0][0], times[len(times) // 2]
    since = '%d.%09d' % divmod(middle, 10 ** 9)
    ways = [
        (['--include=' + re.escape(some)], [m for m in got if m[0] == some]),
        (['--exclude=' + re.escape(some)], [m for m in got if m[0] != some]),
        (['--start=' + since], [m for m in got if m[1] >= middle]),
        (['--end=' + since], [m for m in got if m[1] < middle]),
        (['--order=time'], sorted(got, key=lambda m: m[1])),
    ] + [(['--compression=' + how, '--chunk-size=1K'], got)
         for how in ('none', 'lz4', 'zstd')]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, (options, want) in enumerate(ways):
            path = pathlib.Path(folder) / ('%d.mcap' % number)
            code, _ = salvor('export', '-o', path, *options, name)
            file = judge.strict(path.read_bytes())
            have = [(file.channels[m.channel].topic, m.log_time, m.data)
                    for m in file.messages]
            if form == 'carla' and options[0][:7] in ('--start', '--exclud'):
                # Boxes that are older than the span are not known.
                have, want = ([m for m in some if m[0] != '/actors']
                              for some in (have, want))
            check('%s: %s' % (form, options), code == 0 and have == want,
                  (code, len(have), len(want)))
            check('%s: %s: channels' % (form, options),
                  {c.topic for c in file.channels.values()}
                  == {t for t in topics.values() if options[0][:10]
                      not in ('--include=', '--exclude=')
                      or (t == some) == (options[0][2] == 'i')})
            paths.append(path)
        if npm.available():
            check('%s: @mcap/core of choices' % form,
                  not npm.complaints(paths), npm.complaints(paths))
        check('%s: chunks are as long as asked for' % form,
              paths[-1].read_bytes().count(b'zstd') > len(got) // 1000)


def interleaved():
    """Chunks whose times alternate, as when each topic has its own, are decoded once:
    by time, no more is decoded than by file."""
    connection = Connection(0, '/a', 't/T', 'uint8[] data\n')
    chunks = 100
    raw = unclosed(*(chunk_record(
        (b'' if k else connection_record(connection, 'cpp')) + b''.join(
            message_record(Message(0, 1700000000 + i * chunks + k, 0, bytes(1000)),
                           'cpp') for i in range(20)), 'lz4', Shape())
                     for k in range(chunks)))
    with tempfile.TemporaryDirectory() as folder:
        log, out = (pathlib.Path(folder) / one for one in ('in.bag', 'out.mcap'))
        log.write_bytes(raw)
        code, said = salvor('export', '-q', '-o', out, '--order=time',
                            '--max-decoded=%d' % (chunks * 20 * 1100 * 4), log)
        check('chunks whose times alternate', code in (0, 1) and [
            m.log_time for m in judge.strict(out.read_bytes()).messages] == [
                (1700000000 + i) * 10 ** 9 for i in range(chunks * 20)],
              (code, said))


def again(form, files, exports):
    """A second export has the same bytes, and replaces nothing."""
    with tempfile.TemporaryDirectory() as folder:
        run('--export', folder, *files)
        for path in exports.values():
            check('%s: the same bytes' % path.name, path.read_bytes()
                  == (pathlib.Path(folder) / path.name).read_bytes())
        first = next(iter(exports))
        path = pathlib.Path(folder) / exports[first].name
        status = [words[1] for words in run('--export', folder, first)
                  if words[0] == 'end']
        check('%s: the same again is no failure' % form, status == ['SLV_OK'],
              status)
        path.write_bytes(path.read_bytes()[:-1])
        status = [words[1] for words in run('--export', folder, first)
                  if words[0] == 'end']
        check('%s: what exists stays' % form, status == ['SLV_E_EXISTS'],
              status)
        status = [words[1] for words in run('force=yes', '--export', folder,
                                            first) if words[0] == 'end']
        check('%s: but with force' % form, status == ['SLV_OK'], status)


def private():
    """An export is readable only by those who may read the log; the umask alone does not
    see to that."""
    before = os.umask(0o022)
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / 'in.bag'
        log.write_bytes((TOP / 'testdata/rosbag/good-tiny.bag').read_bytes())
        for mode, want in ((0o600, 0), (0o640, 0o40), (0o644, 0o44), (0o604, 4)):
            log.chmod(mode)
            for name in ('%o.mcap' % mode, '%o.ndjson' % mode, '%o.csv' % mode):
                out = pathlib.Path(folder) / name
                if out.suffix == '.csv':
                    code, _ = salvor('export', '--to=csv', '-o', out, log)
                    made = [out, *out.iterdir()]
                else:
                    code, _ = salvor('export', '-o', out, log)
                    made = [out]
                got = {one.stat().st_mode & 0o066 for one in made}
                check('%s of a log with mode %o' % (name, mode),
                      code == 0 and got == {want}, (code, got))
    os.umask(before)


def main():
    """All formats, or those that are named."""
    for form in sys.argv[1:] or FORMATS:
        with tempfile.TemporaryDirectory() as folder:
            one_format(form, folder)
    interleaved()
    private()
    end()


main()

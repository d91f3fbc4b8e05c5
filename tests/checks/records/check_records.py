#!/usr/bin/python3
"""Does salvor read from a log, damaged or not, what a repair would write?

All logs of testdata are read, by name, from memory, from a descriptor and through
functions.  Then they are repaired, and the output is read.  The records are the
same, and they are those that the independent reader of the format finds in the
output.  Sorted by time, they are the same records in another order.

    check_records.py [FORMAT...]

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, SALVOR_BUILDDIR the
build folder; CI is set where nothing may be skipped.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from typing import NamedTuple

from support.start import SALVOR, TOP, parts

with parts():
    import bag_reader
    import bddf_reader
    import carla_reader
    import cyber_reader
    from mcap import read as mcap_read
    from tally import check, end

RECORDS = str(pathlib.Path(os.environ.get('SALVOR_BUILDDIR', '.'))
              / 'tests' / 'read' / 'records')
SECOND = 10 ** 9
NO_TIME = -2 ** 63


class Record(NamedTuple):
    """A record, as far as readers agree about what it is."""
    channel: object  # whatever tells it from others
    time: int
    length: int
    crc: str


class Reading(NamedTuple):
    """What the program says of a file."""
    channels: list
    records: list  # Record
    full: list  # all words of each
    status: str
    text: str


def crc_of(payload):
    """As the program prints it."""
    return '%08x' % zlib.crc32(payload)


def read(files, *options):
    """{file: Reading}"""
    out = subprocess.run([RECORDS, *options, *map(str, files)], check=True,
                         capture_output=True).stdout.decode('utf-8', 'replace')
    readings = {}
    for line in out.splitlines():
        kind, *words = line.split('\t')
        if kind == 'file':
            name, channels, records, full = words[0], [], [], []
        elif kind == 'channel':
            channels.append(words)
        elif kind == 'record':
            full.append(words)
            records.append(Record(int(words[0]), int(words[2]), int(words[5]),
                                  words[6]))
        elif kind == 'end':
            readings[name] = Reading(channels, records, full, *words)
        else:
            check(name, False, line)
    return readings


def judge_bag(raw):
    """Records of a bag."""
    return [Record(m.conn, m.sec * SECOND + m.nsec, len(m.payload),
                   crc_of(m.payload)) for m in bag_reader.read(raw).messages()]


def judge_bddf(raw):
    """... of a BDDF log."""
    out = []
    for block in bddf_reader.read_file(raw).of('data'):
        stamp = block.message.timestamp
        time = stamp.seconds * SECOND + stamp.nanos
        if not block.message.HasField('timestamp'):
            time = NO_TIME
        out.append(Record(block.message.series_index, time, len(block.body),
                          crc_of(block.body)))
    return out


def judge_carla(raw):
    """... of a CARLA log."""
    log = carla_reader.read(raw, gaps=True)
    date = log.date * SECOND
    out = [Record(kind, date + int(frame.elapsed * SECOND), len(body),
                  crc_of(body))
           for frame in log.frames for kind, body in frame.packets]
    return out + [Record(kind, NO_TIME, len(body), crc_of(body))
                  for kind, body in log.after]


def judge_cyber(raw):
    """... of a Cyber record."""
    return [Record(name, time, len(content), crc_of(content))
            for name, time, content in cyber_reader.read(raw).messages]


def judge_mcap(raw):
    """... of an MCAP file."""
    return [Record(m.channel, m.log_time, len(m.data), crc_of(m.data))
            for m in mcap_read.read(raw).messages]


# What a judge does not read, and why.
UNREAD = {
    'bad-unclosed-unknown.record': 'a section of an unknown kind',
    'bad-hostile-compression.mcap': 'a chunk that cannot be decoded',
    'odd-lz4-frame.bag': 'a frame of LZ4 that ROS does not take',
    'odd-unknown-field-first.bddf': 'a first block with an unknown field',
}

JUDGES = {'rosbag': judge_bag, 'bddf': judge_bddf, 'carla': judge_carla,
          'cyber': judge_cyber, 'mcap': judge_mcap}


def numbered(records):
    """The same with channels as numbers, in the order of their appearance:
    judges know them by other names.  Times of CARLA are fractions of a second
    that are rounded in more than one way."""
    known = {}
    return [r._replace(channel=known.setdefault(r.channel, len(known)),
                       time=r.time // 1000) for r in records]


def repaired(files, folder, *options):
    """{file: what a repair wrote, or the file itself if it wrote nothing}."""
    subprocess.run([SALVOR, 'repair', '--reseal', '--force', '-q', '-d',
                    folder, *options, *map(str, files)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=False)
    return {str(f): path if (path := pathlib.Path(folder) / f.name).exists()
            else f for f in files}


def by_time(records):
    """Sorted as the reader promises."""
    return sorted(records, key=lambda r: r.time)


def hold_judge(name, raw, judge, got):
    """The records are those of the independent reader."""
    try:
        want = judge(raw)
    except Exception as fault:  # whatever it says, it cannot read that
        check('%s: the judge' % name, False, repr(fault))
        return
    check('%s: as the judge has them' % name,
          numbered(want) == numbered(got.records),
          (len(want), len(got.records)))


def hold_counts(name, got):
    """Channels have as many records as they say, numbered from 0."""
    count = Counter(int(words[0]) for words in got.full)
    check('%s: records by channel' % name,
          [count[int(c[0])] for c in got.channels]
          == [int(c[6]) for c in got.channels], got.channels)


def hold(name, got, other, what):
    """Two readings are of the same records and channels."""
    check('%s: %s' % (name, what), got.records == other.records
          and got.channels == other.channels
          and got.status == other.status,
          (len(got.records), len(other.records), other.status, other.text))


def one_format(form, folder):
    """All logs of a format."""
    files = sorted(p for p in (TOP / 'testdata' / form).iterdir()
                   if p.suffix not in ('.md', '.txt'))
    outputs = repaired(files, folder)
    names = list(map(str, files))
    damaged, sound = read(names), read(outputs.values())
    sorted_ones = read(names, 'order=time')
    ways = {way: read(names, '--by', way)
            for way in ('fd', 'memory', 'input')}
    for name in names:
        got, out = damaged[name], outputs[name]
        if got.status != 'SLV_OK':
            check('%s: refused' % name, got.status == 'SLV_E_REFUSED'
                  and not got.records, (got.status, got.text))
            check('%s: no output' % name, str(out) == name
                  or 'encrypted' in got.text, got.text)
            continue
        hold(name, got, sound[str(out)], 'as what a repair wrote')
        for way, readings in ways.items():
            if not got.text:
                hold(name, got, readings[name], 'by ' + way)
        check('%s: by time' % name, by_time(got.records)
              == sorted_ones[name].records)
        hold_counts(name, got)
        if pathlib.Path(name).name not in UNREAD:
            hold_judge(name, pathlib.Path(out).read_bytes(), JUDGES[form], got)


def with_more(form, folder):
    """The same with everything that a repair can be told to keep."""
    keep = 'suspect,samples,unverified'
    files = sorted(p for p in (TOP / 'testdata' / form).iterdir()
                   if p.name.startswith('bad-'))
    outputs = repaired(files, folder, '--keep=' + keep)
    more = read(files, 'keep=' + keep)
    sound = read(outputs.values(), 'keep=' + keep)
    for name, got in more.items():
        if got.status == 'SLV_OK':
            hold(name, got, sound[str(outputs[name])], 'with --keep')


def main():
    """All formats, or those that are named."""
    bddf_reader.load_messages(os.environ['BDDF_PB2'])
    for form in sys.argv[1:] or JUDGES:
        with tempfile.TemporaryDirectory() as folder:
            one_format(form, folder)
        with tempfile.TemporaryDirectory() as folder:
            with_more(form, folder)
    end()


main()

#!/usr/bin/python3
"""Is the head of a chunk that is lost rebuilt from its ChunkIndex, and truly reported?

The ChunkIndex states all of a head but the checksum.  Where the data agree with it no
message is lost.  A checksum is written only if damaged bytes still have it, or if that
of all data confirms it; without one the messages are unsure beside others that have one.

    check_mcap_heads.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import random
import tempfile
import zlib
from dataclasses import replace
from pathlib import Path

from support.start import parts

with parts():
    from mcap import judge, read, records as r, samples
    from mcap.trial import repair
    from mcap.write import STYLES, Recording, write
    from tally import check, end

CRC_AT = 33  # bytes of a chunk before its checksum
REBUILT = 'mcap.chunk-head-lost'
WRITERS = 'cpp', 'rosbag2', 'python', 'go', 'ts', 'rust'
COMPRESSIONS = '', 'lz4', 'zstd'


def over(raw, at, new):
    """The same with other bytes at a place."""
    return raw[:at] + new + raw[at + len(new):]


def listed(raw):
    """What a strict reader gets of a file."""
    return sorted(judge.listing(raw), key=repr)


class File:
    """A file of a writer, and one of its chunks."""

    def __init__(self, folder, writer, compression, **change):
        self.folder = folder
        self.name = '%s %s %s' % (writer, compression, change or '')
        self.good = samples.made(writer, 3, 120, compression=compression,
                                 chunk_size=9000, **change)
        self.file = judge.strict(self.good)
        with_messages = [c for c in self.file.chunks if c.indexes]
        self.chunk = with_messages[len(with_messages) // 2]
        self.size = self.chunk.data_at - self.chunk.start
        number = self.file.chunks.index(self.chunk)
        self.messages = sum(m.place.chunk == number
                            for m in self.file.messages)

    def lost(self, new, shift=0):
        """The file with these bytes over the head of the chunk."""
        return over(self.good, self.chunk.start + shift, new)

    def repair(self, raw, what):
        """(report, output): nothing is lost, and a strict reader takes it."""
        _, report, out = repair(self.folder, raw)
        what = self.name + ': ' + what
        check(what + ': nothing is lost', report['blocks']['lost'] == 0,
              (report['state'], report['blocks']))
        check(what + ': all is there', listed(out) == listed(self.good))
        ids = [p['id'] for p in report['problems']]
        check(what + ': said', REBUILT in ids, ids)
        return report, out

    def is_back(self, raw, what):
        """The output is the original."""
        report, out = self.repair(raw, what)
        check('%s: %s: the original' % (self.name, what), out == self.good)
        check('%s: %s: repaired' % (self.name, what),
              (report['state'], report['blocks']['unsure'])
              == ('repaired', 0), (report['state'], report['blocks']))

    def is_unsure(self, raw, what, rebuilt=True):
        """No checksum is made up."""
        report, out = self.repair(raw, what) if rebuilt \
            else repair(self.folder, raw)[1:]
        what = self.name + ': ' + what
        check(what + ': unsure', (report['state'], report['blocks']['unsure'])
              == ('lossy', self.messages),
              (report['state'], report['blocks'], self.messages))
        sums = [c.crc for c in judge.strict(out).chunks if c.indexes]
        check(what + ': no checksum', sums.count(0) == 1, sums)
        _, again, _ = repair(self.folder, out)
        check(what + ': again', again['state'] == 'intact', again['state'])


def heads_lost(file, dice):
    """All of a head, or all but its checksum."""
    confirmed = not file.chunk.crc or file.file.data_crc
    for new, what in ((bytes(file.size), 'zeros'),
                      (dice.randbytes(file.size), 'random')):
        if confirmed:
            file.is_back(file.lost(new), what)
        else:
            file.is_unsure(file.lost(new), what)
    if file.chunk.crc:
        file.is_back(file.lost(bytes(CRC_AT)), 'up to its checksum')
    # With the end of the index before it, as a hole does.
    if not file.chunk.crc and not file.file.data_crc and any(
            c.indexes and c.stop == file.chunk.start
            for c in file.file.chunks):
        file.is_back(file.lost(bytes(file.size + 30), -30), 'a hole')


def wrong_payload(file):
    """No checksum is computed over a payload that damage reached."""
    message = next(m for m in file.file.messages if len(m.data) > 9
                   and m.place.chunk == file.file.chunks.index(file.chunk))
    at = file.chunk.data_at + message.place.end - 5
    raw = over(file.lost(bytes(file.size)), at,
               bytes([file.good[at] ^ 0x41]))
    _, report, out = repair(file.folder, raw)
    check(file.name + ': a wrong payload: unsure',
          report['state'] == 'lossy'
          and report['blocks']['unsure'] >= file.messages,
          (report['state'], report['blocks']))
    found = read.read(out)
    bad = [found.chunks[m.place.chunk].crc for m in found.messages
           if m.data not in {one.data for one in file.file.messages}]
    check(file.name + ': a wrong payload: not sealed', bad == [0], bad)
    check(file.name + ': a wrong payload: nor in all', not found.data_crc)


def refuted(file):
    """A head that is there, with a checksum that contradicts the data, is not lost."""
    for at in range(file.chunk.data_at + 20, file.chunk.end - 20, 37):
        raw = over(file.good, at, bytes([file.good[at] ^ 0x11]))
        _, report, out = repair(file.folder, raw)
        ids = [p['id'] for p in report['problems']]
        check('%s: byte %d of its data' % (file.name, at),
              REBUILT not in ids and (report['state'] == 'lossy'
                                      or out == file.good), ids)


def sealed(raw, start, end):
    """The same with the checksum of its summary, which is [start, end)."""
    return over(raw, end, zlib.crc32(raw[start:end]).to_bytes(4, 'little'))


def other_index(file):
    """A ChunkIndex that says something else than the data is not believed."""
    start = file.file.footer[0]
    stop = len(file.good) - read.TAIL + 25
    place = file.chunk.start.to_bytes(8, 'little')
    at = file.good.index(place, start) - 16  # its two times
    length = file.good[at + 24]
    raw = file.lost(bytes(file.size))
    for where, what in ((at, 'time'), (at + 24, 'length')):
        bad = sealed(over(raw, where, bytes([raw[where] ^ 1])), start, stop)
        _, report, out = repair(file.folder, bad)
        ids = [p['id'] for p in report['problems']]
        check('%s: another %s (%d)' % (file.name, what, length),
              REBUILT not in ids and report['state'] == 'lossy', ids)
        check('%s: another %s: all is there' % (file.name, what),
              listed(out) == listed(file.good))


def header_lost(file):
    """Bytes before the first chunk hold no message where a proven summary counts as many
    as are there."""
    first = file.file.chunks[0].start
    for n in (9, 30, first - 1, first):
        _, report, out = repair(file.folder, over(file.good, 0, bytes(n)))
        found = judge.strict(out)
        check('%s: %d zeros at its start' % (file.name, n),
              (report['blocks']['lost'], report['blocks']['lost_exact'])
              == (0, True), (report['state'], report['blocks']))
        check('%s: %d zeros at its start: all is there' % (file.name, n),
              [m.data for m in found.messages]
              == [m.data for m in file.file.messages])


def other_lost(folder):
    """As many messages as are counted are not all of them, if some are there twice: a
    chunk is over another one of its size, and the header is gone."""
    events = [r.Message(1, n, 10 ** 18 + n, 10 ** 18 + n, bytes([n]) * 100)
              for n in range(120)]
    good = write(Recording('ros2', [r.Schema(1, 'a/B', 'ros2msg', b'int32 x')],
                           [r.Channel(1, 1, '/a', 'cdr')], events),
                 replace(STYLES['cpp'], chunk_size=2000))
    chunks = judge.strict(good).chunks
    one, other = chunks[2], chunks[4]
    size = one.stop - one.start
    check('other lost: chunks of one size', other.stop - other.start == size)
    for n in (0, 9, chunks[0].start):
        raw = over(over(good, other.start, good[one.start:one.stop]), 0, bytes(n))
        _, report, out = repair(folder, raw)
        kept = {m.log_time for m in judge.strict(out).messages}
        check('other lost: %d zeros' % n,
              len(kept) + report['blocks']['lost'] == len(events)
              and report['blocks']['lost'] > 0, (len(kept), report['blocks']))


def main():
    """All writers, and chunks of each compression."""
    dice = random.Random(22)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for writer in WRITERS:
            for compression in COMPRESSIONS:
                heads_lost(File(folder, writer, compression), dice)
                if writer == 'cpp':
                    header_lost(File(folder, writer, compression))
        for change in ({'data_crc': True}, {'chunk_crc': False},
                       {'chunk_crc': False, 'data_crc': True}):
            heads_lost(File(folder, 'cpp', '', **change), dice)
        other_lost(folder)
        plain = File(folder, 'cpp', '')
        wrong_payload(plain)
        wrong_payload(File(folder, 'cpp', '', data_crc=True))
        other_index(plain)
        # The bytes of a head are missing: its chunk begins elsewhere.
        for compression in COMPRESSIONS:
            file = File(folder, 'cpp', compression)
            refuted(file)
            file.is_unsure(file.good[:file.chunk.start]
                           + file.good[file.chunk.data_at:], 'cut out', False)
    end()


main()

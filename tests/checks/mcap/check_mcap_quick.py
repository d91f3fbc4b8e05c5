#!/usr/bin/python3
"""Does `repair --in-place --quick` finish a recording as a full repair does?

It takes a chunk by its head and its indexes.  Of files that broke off, of each writer
and compression, the result is that of a repair that reads all, but for a checksum of
the whole data, which needs them all; undo gives the old file back.  Where a byte
outside of what chunks store is wrong, all is read, or every message that the file holds
is there afterwards.  What was not read is never said to be intact.

    check_mcap_quick.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import hashlib
import json
import random
import re
import subprocess
import tempfile
from pathlib import Path

from support.start import SALVOR, parts

with parts():
    from bytes_read import bytes_read
    from mcap import judge, records as r, samples
    from mcap.read import Bad, read
    from mcap.write import Recording, write
    from tally import check, end

WRITERS = 'rosbag2', 'cpp', 'python', 'go', 'ts', 'rust'
KINDS = 'chunk', 'message', 'message-index'
FLIPS = 150  # of each of two files
BITS = 20
READ_MOST = 5 << 20  # bytes of a large file


class Place:
    """A file that is repaired in place."""

    def __init__(self, folder):
        self.path = Path(folder) / 'x.mcap'

    def run(self, raw, *options):
        """(exit code, report, what is there then)."""
        for path in self.path.parent.iterdir():
            path.unlink()
        self.path.write_bytes(raw)
        done = subprocess.run([SALVOR, 'repair', '--in-place', '--json',
                               *options, self.path], capture_output=True,
                              check=False)
        return done.returncode, json.loads(done.stdout.splitlines()[0]), \
            self.path.read_bytes()

    def salvor(self, *command):
        """Another command."""
        return subprocess.run([SALVOR, *command, self.path],
                              capture_output=True, check=False)


def unread(report):
    """What it says of chunks that were not read; None: all were."""
    return next((f for f in report['problems'] if f['id'] == 'core.not-read'),
                None)


def messages(raw):
    """All that a strict reader gets; None: it refuses the file."""
    try:
        return read(raw).listing()
    except Bad:
        return None


def cuts(good):
    """Where a file breaks off: at its end, in the last chunks, and in the middle."""
    chunks = good.file.chunks
    last = chunks[-1]
    return [good.file.data_end, good.file.data_end + 5,
            (good.file.data_end + len(good.raw)) // 2, len(good.raw) - 1,
            last.end, last.end + 3, (last.data_at + last.end) // 2,
            last.start + 12, chunks[len(chunks) // 2].data_at + 1]


def finished(place):
    """Every writer, every compression, cut in each place."""
    skimmed = 0
    for name in WRITERS:
        for compression in samples.COMPRESSIONS.values():
            raw = samples.made(name, n_messages=160, compression=compression,
                               chunk_size=5000)
            good = judge.original(raw)
            for cut in cuts(good):
                what = '%s, %s, cut at %d' % (name, compression or 'none',
                                              cut)
                skimmed += finish(place, what, raw[:cut], good)
    check('many are not read whole', skimmed >= 100, skimmed)


def check_range(what, found, good):
    """It goes from the first byte that a chunk stores to the last of another, and no
    more chunks and bytes than are there were not read."""
    first, last = found['offset'], found['offset'] + found['length']
    chunks, said = (int(word.replace(',', '')) for word in re.search(
        r': ([0-9,]+) chunks?, ([0-9,]+) bytes',
        found['text']).groups())
    inside = [c for c in good.file.chunks
              if first <= c.data_at and c.end <= last]
    check('%s: the range of what was not read' % what,
          inside and first == inside[0].data_at and last == inside[-1].end
          and 0 < chunks <= len(inside) and max(
              c.end - c.data_at for c in (inside[0], inside[-1])) <= said
          <= sum(c.end - c.data_at for c in inside), found)


def finish(place, what, raw, good):
    """One file; whether some of it was not read."""
    full = place.run(raw)
    quick = place.run(raw, '--quick')
    skimmed = unread(quick[1]) is not None
    check('%s: the same exit code' % what, quick[0] == full[0],
          (quick[0], full[0]))
    counts = [[run[1]['kinds'].get(kind) for kind in KINDS]
              for run in (full, quick)]
    check('%s: counts the same' % what, counts[0] == counts[1], counts)
    if skimmed:
        check_range(what, unread(quick[1]), good)
    output = quick[1]['output']
    begin = output.get('sha1_from', 0) if output else 0
    check('%s: its digest' % what, not output or output['sha1']
          == hashlib.sha1(quick[2][begin:]).hexdigest())
    check('%s: says how much was read' % what,
          quick[1]['depth'] == ('index' if skimmed else 'all'))
    if quick[2] != full[2]:
        check('%s: the same but for a checksum of all data' % what,
              skimmed and read(full[2]).data_crc and not read(quick[2]).data_crc
              and messages(quick[2]) == messages(full[2]))
    check('%s: repaired' % what, quick[0] in (0, 1, 3), quick[0])
    if quick[0] in (1, 3):
        found = place.salvor('verify', '--json')
        history = json.loads(found.stdout.splitlines()[0])['history']
        check('%s: then it is sound' % what, found.returncode == 0, found)
        check('%s: and its losses are known' % what, quick[0] == 1
              or (history and history['state'] == 'lossy'), history)
        undo = place.salvor('undo')
        check('%s: undone' % what, undo.returncode == 0
              and place.path.read_bytes() == raw)
        check('%s: says what confirms it' % what,
              (b'every byte' in undo.stdout) == (begin == 0), undo.stdout)
    return skimmed


def damaged(place):
    """A byte is wrong that no chunk stores."""
    dice = random.Random(7)
    for compression in '', 'lz4':
        raw = samples.made('cpp', n_messages=160, compression=compression,
                           chunk_size=5000)
        good = judge.original(raw)
        raw = raw[:good.file.data_end]
        stored = set()
        for chunk in good.file.chunks:
            stored.update(range(chunk.data_at, chunk.end))
        places = [at for at in range(len(raw)) if at not in stored]
        for at in dice.sample(places, FLIPS):
            bad = bytearray(raw)
            bad[at] ^= 1 << dice.randrange(8)
            hit(place, '%s, byte %d' % (compression or 'none', at),
                bytes(bad), good)


def hit(place, what, bad, good):
    """One of them."""
    full, quick = place.run(bad), place.run(bad, '--quick')
    if quick[2] == full[2]:
        return
    check('%s: not all was read' % what, unread(quick[1]) is not None)
    want = sorted((r.head, r.body) for r in good.records)
    got = messages(quick[2])
    if got is not None:
        check('%s: all messages' % what, sorted(
            got + [one[:2] for one in read(quick[2]).others()]) == want)
        return
    # Readers that are strict find what was not read to be wrong, and so does salvor.
    check('%s: verify finds it' % what,
          place.salvor('verify').returncode not in (0, 1))


def flipped(place):
    """A bit of the last chunk, which is read: where a checksum locates it, the file is
    changed before its end."""
    dice = random.Random(8)
    corrected = 0
    for compression in '', 'lz4':
        raw = samples.made('cpp', n_messages=160, compression=compression,
                           chunk_size=5000)
        good = judge.original(raw)
        last = good.file.chunks[-1]
        for at in dice.sample(range(last.data_at, last.end), BITS):
            bad = bytearray(raw[:good.file.data_end + 5])
            bad[at] ^= 1 << dice.randrange(8)
            what = '%s, a bit at %d' % (compression or 'none', at)
            report = place.run(bytes(bad), '--quick')[1]
            corrected += any(f['id'] == 'mcap.bit' for f in report['problems'])
            check('%s: not all is read' % what,
                  finish(place, what, bytes(bad), good))
    check('many bits are corrected', corrected >= BITS, corrected)


def hidden(place):
    """What a chunk stores is wrong, and no part of it was read."""
    raw = samples.made('cpp', n_messages=160, chunk_size=5000)
    good = judge.original(raw)
    bad = bytearray(raw[:good.file.data_end])
    bad[good.file.chunks[4].data_at + 100] ^= 1
    code, report, out = place.run(bytes(bad), '--quick')
    check('a bit in a chunk: not read', code == 1 and unread(report) is not None
          and report['assurance'] != 'checksum', report['assurance'])
    check('a bit in a chunk: left', out.startswith(bad))
    check('a bit in a chunk: found afterwards',
          place.salvor('verify').returncode not in (0, 1))


def sound(place):
    """A file with its end is left alone, and not said to be intact."""
    raw = samples.made('cpp', n_messages=160, chunk_size=5000)
    code, report, out = place.run(raw, '--quick')
    check('a sound file', (code, report['state'], out)
          == (0, 'indexed', raw), (code, report['state']))


def little_is_read(place):
    """Of 20 MB in 100 chunks."""
    events = [r.Message(1 + n % 3, n, 10 ** 18 + n, 10 ** 18 + n,
                        bytes(5000)) for n in range(4000)]
    raw = write(Recording(
        'ros2', [r.Schema(1, 'a/B', 'ros2msg', b'int32 x')],
        [r.Channel(n, 1, '/%d' % n, 'cdr') for n in (1, 2, 3)], events),
        samples.style('cpp', chunk_size=200000))
    raw = raw[:judge.original(raw).file.data_end]
    place.path.write_bytes(raw)
    much = bytes_read(SALVOR, 'repair', '-qq', '--in-place', '--quick',
                      place.path)
    check('little is read', much < READ_MOST, (much, len(raw)))


def needs_in_place(place):
    """A copy reads everything."""
    place.path.write_bytes(b'x')
    done = subprocess.run([SALVOR, 'repair', '--quick', '-o', '/dev/null',
                           place.path], capture_output=True, check=False)
    check('--quick needs --in-place', done.returncode == 16
          and b'--in-place' in done.stderr, done)


with tempfile.TemporaryDirectory() as scratch:
    for test in (finished, damaged, flipped, hidden, sound, little_is_read,
                 needs_in_place):
        test(Place(scratch))
end()

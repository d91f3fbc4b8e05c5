#!/usr/bin/python3
"""Are logs that were compressed as a whole read wherever logs are read?

Copies of a merge and donors are decompressed as a log alone is.  Of a damaged file the
block before the damage is not believed, because decoders notice damage late: where a
flipped bit makes other bytes of it, no record of them is made.  Of a file that was cut
every whole block is.  If nothing comes out, no other program is proposed.

    check_mcap_zstd.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import os
import random
import subprocess
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from support.start import SALVOR, parts

with parts():
    import zstandard

    from mcap import judge, samples
    from mcap.write import STYLES, write
    from tally import check, end

BLOCK = 128 << 10  # bytes of the log in a block of zstd


def run(*args):
    """(exit code, reports) of a command."""
    done = subprocess.run([SALVOR, args[0], '--json', *args[1:]],
                          capture_output=True, check=False)
    return done.returncode, [json.loads(line)
                             for line in done.stdout.splitlines()]


def compress(raw):
    """As rosbag2 does."""
    return zstandard.ZstdCompressor(level=1).compress(raw)


def decompress(packed):
    """The beginning of a log, as far as the library gets."""
    try:
        return zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    except zstandard.ZstdError:
        return None


def blocks(packed):
    """Where blocks begin in a frame, and where the last one ends."""
    at = zstandard.frame_header_size(packed)
    out, last = [at], False
    while not last:
        head = int.from_bytes(packed[at:at + 3], 'little')
        last = head & 1
        at += 3 + (1 if head >> 1 & 3 == 1 else head >> 3)
        out.append(at)
    return out


def messages(raw):
    """Time and payload of all in a sound file."""
    return Counter((m.log_time, m.data) for m in judge.strict(raw).messages)


def copies(good):
    """Compressed copies, each with a hole of its own, and with one that is not."""
    third = len(good) // 3
    holes = [good[:at] + bytes(3000) + good[at + 3000:]
             for at in (third, 2 * third)]
    Path('a.mcap.zstd').write_bytes(compress(holes[0]))
    Path('b.mcap.zst').write_bytes(compress(holes[1]))
    Path('b.mcap').write_bytes(holes[1])
    for pair in (('a.mcap.zstd', 'b.mcap.zst'), ('a.mcap.zstd', 'b.mcap'),
                 ('b.mcap', 'a.mcap.zstd')):
        for out in 'out.mcap', 'deep/out.mcap':
            Path(out).unlink(missing_ok=True)
            code, _ = run('merge', *pair, '-o', out)
            check('merge of %s and %s' % pair, code == 1
                  and Path(out).read_bytes() == good, code)


def donors(good):
    """A donor, for the channels of the first chunk."""
    file = judge.strict(good)
    first = file.chunks[0]
    end_of = file.data_end
    bad = good[:first.start] + bytes(first.stop - first.start) \
        + good[first.stop:end_of]
    Path('bad.mcap').write_bytes(bad)
    Path('donor.mcap').write_bytes(good)
    Path('donor.mcap.zstd').write_bytes(compress(good))
    outs = []
    for donor in 'donor.mcap', 'donor.mcap.zstd':
        Path('out.mcap').unlink(missing_ok=True)
        code, (report, *_) = run('repair', '--no-sidecar', '--donor', donor,
                                 '-o', 'out.mcap', 'bad.mcap')
        outs.append((code, report['blocks'], Path('out.mcap').read_bytes()))
    check('donor', outs[0] == outs[1] and outs[0][1]['kept'] > 0,
          (outs[0][:2], outs[1][:2]))


def cut_whole_blocks(raw, packed, places):
    """A file that was cut: every whole block of it is kept."""
    for k in range(1, len(places) - 2):
        for at in places[k], places[k] + 50, places[k + 1] - 1:
            Path('cut.mcap.zstd').write_bytes(packed[:at])
            Path('out.mcap').unlink(missing_ok=True)
            run('repair', '--no-sidecar', '-o', 'out.mcap', 'cut.mcap.zstd')
            Path('plain.mcap').write_bytes(raw[:k * BLOCK])
            Path('like.mcap').unlink(missing_ok=True)
            run('repair', '--no-sidecar', '-o', 'like.mcap', 'plain.mcap')
            check('cut at %d: %d blocks' % (at, k), messages(
                Path('like.mcap').read_bytes()) <= messages(
                    Path('out.mcap').read_bytes()))


def silent_flip(packed, places, k, dice):
    """The file with a wrong byte in a block that the decoder takes: what comes out is
    as long, and something else."""
    upto = packed[:places[k + 1]]
    good = decompress(upto)
    while True:
        bad = bytearray(packed)
        bad[dice.randrange(places[k] + 20, places[k + 1] - 20)] ^= 0x10
        out = decompress(bytes(bad[:places[k + 1]]))
        if out is not None and len(out) == len(good) and out != good:
            return bad


def before_damage(raw, packed, places, dice):
    """The block before damage may be wrong: it is left out."""
    recorded = messages(raw)
    for k in range(1, len(places) - 3):
        bad = silent_flip(packed, places, k, dice)
        middle = (places[k + 1] + places[k + 2]) // 2
        bad[places[k + 1] + 3:middle] = b'\xff' * (middle - places[k + 1] - 3)
        Path('bad.mcap.zstd').write_bytes(bad)
        Path('out.mcap').unlink(missing_ok=True)
        _, (report, *_) = run('repair', '--no-sidecar', '-o', 'out.mcap',
                              'bad.mcap.zstd')
        kept = messages(Path('out.mcap').read_bytes())
        what = 'damage in block %d' % (k + 1)
        check(what + ': nothing is invented',
              (kept - recorded).total() <= report['blocks']['unsure'],
              (kept - recorded).total())
        check(what + ': a hole', 'core.packed-hole' in {
            p['id'] for p in report['problems']} and report['state'] == 'lossy')
        # What the blocks before the one before it hold.
        Path('plain.mcap').write_bytes(raw[:k * BLOCK])
        Path('like.mcap').unlink(missing_ok=True)
        run('repair', '--no-sidecar', '-o', 'like.mcap', 'plain.mcap')
        check(what + ': those before are kept', messages(
            Path('like.mcap').read_bytes()) <= kept)


def nothing(packed, places):
    """Nothing comes out: no program is proposed that gets nothing either."""
    for at in places[0] + 2, places[0] + 900, places[1] - 1:
        Path('cut.mcap.zstd').write_bytes(packed[:at])
        code, (report, *_) = run('verify', 'cut.mcap.zstd')
        check('cut at %d' % at, (code, report['state'])
              == (4, 'unrecognised') and 'zstd -dc' not in json.dumps(report),
              report)


def main():
    """All classes."""
    dice = random.Random(22)
    bare = replace(STYLES['rosbag2'], chunk_size=30000)
    raw = write(samples.recording(900, 5, 4, scale=2), bare)
    packed = compress(raw)
    places = blocks(packed)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        Path('deep').mkdir()
        good = samples.made('cpp', 3, 120, chunk_size=9000)
        copies(good)
        donors(good)
        cut_whole_blocks(raw, packed, places)
        before_damage(raw, packed, places, dice)
        nothing(packed, places)
        os.chdir('/')
    end()


main()

#!/usr/bin/python3
"""MCAP files that were compressed as a whole, as rosbag2 does with FILE.

    check_mcap_packed.py

Sound ones are decompressed on the way.  Of damaged ones, cut and altered at places
all over the file, what can be decompressed is kept: nothing that is lost is called
whole, nothing is invented where the log has checksums, and what comes before the
damage is there.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, SALVOR_LONG
for all cases instead of half of them.
"""
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import zstandard

    from mcap import read, records as r
    from mcap.write import STYLES, Recording, write
    from sample import LONG
    from schema import fault_of
    from tally import check, end

BLOCK = 128 << 10  # bytes of content, at most
TEXT = b'{"state": "walking", "battery": "low", "goal": [1, 2, 3]}'


def recording(dice):
    """Text, then images that cannot be compressed, then text."""
    schemas = [r.Schema(n, 'robot/T%d' % n, 'ros2msg', b'uint8[] n\n')
               for n in (1, 2)]
    channels = [r.Channel(n, n, '/robot/t%d' % n, 'cdr') for n in (1, 2)]
    sizes = [200] * 900 + [30000] * 12 + [200] * 900
    events = [r.Message(1 + (size > 200), n, 10 ** 18 + n * 10 ** 7,
                        10 ** 18 + n * 10 ** 7,
                        dice.randbytes(size) if size > 200 else
                        b'%d' % n + TEXT * 2 + dice.randbytes(size // 8))
              for n, size in enumerate(sizes)]
    return Recording('ros2', schemas, channels, events)


def pieces(raw):
    """Several frames, and one to be skipped."""
    each = len(raw) // 3 + 1
    return b''.join(
        zstandard.ZstdCompressor(level=1).compress(raw[i:i + each])
        for i in range(0, len(raw), each)) + b'\x50\x2a\x4d\x18\4\0\0\0page'


def streamed(raw):
    """Without a size."""
    c = zstandard.ZstdCompressor(level=3).compressobj()
    return c.compress(raw) + c.flush()


COMPRESSORS = {
    'rosbag2': lambda raw: zstandard.ZstdCompressor(level=1).compress(raw),
    'zstd': lambda raw: zstandard.ZstdCompressor(
        level=3, write_checksum=True).compress(raw),
    'streamed': streamed,
    'pieces': pieces,
}


def run(*args):
    """The objects of the files, by their base names."""
    done = subprocess.run([SALVOR, *map(str, args)], stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)
    lines = done.stdout.decode().splitlines()
    faults = [f for _, f in map(fault_of, lines) if f]
    check('the schema: %s' % (args[:2],), not faults, faults[:1])
    check('it ends: %s' % (args[:2],), 0 <= done.returncode < 8,
          (done.returncode, done.stderr[-300:]))
    return {os.path.basename(o['file']): o for o in map(json.loads, lines)
            if o['type'] == 'file'}


def decoded(packed):
    """What a decoder of its own makes of it: the bytes, and whether all is well."""
    out = b''
    while packed:
        d = zstandard.ZstdDecompressor(
            max_window_size=1 << 31).decompressobj()
        try:
            out += d.decompress(packed)
        except zstandard.ZstdError:
            return out, False
        if not d.eof:
            return out, False
        packed = d.unused_data
    return out, True


def altered(packed, at, mask):
    """The same with other bits."""
    return packed[:at] + bytes([packed[at] ^ mask]) + packed[at + 1:]


def damages(dice, packed):
    """(name, bytes) of damaged files."""
    size = len(packed)
    for at in sorted(dice.sample(range(20, size), 10)) \
            + list(range(1, 20, 3)) + [size - n for n in (1, 2, 3, 4, 5, 8, 12)]:
        yield 'cut-%d' % at, packed[:at]
    for at in sorted(dice.sample(range(20, size), 30)) + list(range(18)):
        yield 'flip-%d' % at, altered(packed, at, 1 << dice.randrange(8))
    for at in sorted(dice.sample(range(0, size - 512, 512), 8)):
        yield 'zero-%d' % at, packed[:at] + bytes(512) + packed[at + 512:]
    yield 'zeros-after', packed + bytes(4096)
    yield 'junk-after', packed + dice.randbytes(999)
    yield 'zero-tail', packed[:-size // 3] + bytes(size // 3)


def sound(name, packed, raw):
    """A sound one is intact, a copy is the log, and it is not changed in place."""
    path = pathlib.Path('sound', name + '.mcap.zstd')
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(packed)
    o = run('verify', '--json', path)[path.name]
    check(name + ': intact', o['state'] == 'intact' and o['problems'] == []
          and o['size'] == len(raw) and o['compressed_size'] == len(packed), o)
    o = run('repair', '--json', '--copy-intact', '-d', path.parent,
            path)[path.name]
    made = path.parent / (name + '.mcap')
    check(name + ': copied', o['output']['path'] == str(made)
          and made.read_bytes() == raw, o)
    made.unlink()
    o = run('repair', '--json', '--in-place', path)[path.name]
    check(name + ': not touched', o['state'] == 'intact'
          and path.read_bytes() == packed, o)
    check(name + ': nothing left', [p.name for p in path.parent.iterdir()]
          == [path.name])
    path.unlink()


def judge(what, case, o, made, good):
    """One damaged file: its report, its output, and the messages that are right.

    case    (compressed, the log without damage, has it checksums)
    """
    packed, raw, summed = case
    plain, fine = decoded(packed)
    same = fine and plain == raw
    silent = not summed and fine and len(plain) == len(raw)
    check(what + ': judged', o['state'] != 'failed', o['error'])
    check(what + ': not called intact', o['state'] != 'intact' or same
          or silent, o['state'])
    found = []
    if made.exists():
        try:
            found = read.read(made.read_bytes()).messages
        except read.Bad as e:
            check(what + ': a strict reader reads it', False, e)
    have = collections.Counter(map(message, found))
    strange = have - good
    lost = good - have
    unsure = o['blocks']['unsure']
    check(what + ': nothing is invented', not strange or not summed or fine
          or unsure >= len(found) - 1, (len(strange), unsure))
    if lost and made.exists() and not (strange and (fine or not summed)):
        check(what + ': a loss is a loss', o['state'] == 'lossy'
              and (o['blocks']['lost'] > 0 or not o['blocks']['lost_exact']
                   or unsure > 0),
              (len(lost), o['state'], o['blocks']))
    # Those before the damage, as far as whole blocks of it came out.
    upto = len(os.path.commonprefix([plain, raw]))
    least = sum(n for end, n in good_ends(raw) if end <= upto - BLOCK)
    check(what + ': what precedes is kept', sum((have & good).values())
          >= least, (sum((have & good).values()), least, o['state']))
    return len(lost)


def message(m):
    """What of a message is recorded."""
    return (m.channel, m.sequence, m.log_time, m.data)


ENDS = {}


def good_ends(raw):
    """(where it ends, 1) of each message of an uncompressed file."""
    if raw not in ENDS:
        at, out = 0, []
        for m in read.read(raw).messages:
            at = raw.index(m.data, at) + len(m.data)
            out.append((at, 1))
        ENDS[raw] = out
    return ENDS[raw]


def damaged(style, how, raw, packed, good):
    """All damages of one file."""
    dice = random.Random(style + how)
    shutil.rmtree('bad', ignore_errors=True)
    shutil.rmtree('out', ignore_errors=True)
    os.mkdir('bad')
    os.mkdir('out')
    cases = dict(damages(dice, packed))
    for name, bad in cases.items():
        pathlib.Path('bad', name + '.mcap.zstd').write_bytes(bad)
    found = run('repair', '--json', '--no-sidecar', '--copy-intact', '-d', 'out',
                *sorted(pathlib.Path('bad').iterdir()))
    verified = run('verify', '--json', *sorted(pathlib.Path('bad').iterdir()))
    lost = 0
    for name, bad in cases.items():
        o = found[name + '.mcap.zstd']
        v = verified[name + '.mcap.zstd']
        lost += judge(what_of(style, how, name),
                      (bad, raw, STYLES[style].chunk_crc), o,
                      pathlib.Path('out', name + '.mcap'), good)
        check(what_of(style, how, name) + ': verify agrees',
              (v['state'] == 'intact') == (o['state'] == 'intact')
              and v['bytes'] == o['bytes'], (v['state'], o['state']))
        unnoticed(what_of(style, how, name), bad, raw,
                  pathlib.Path('out', name + '.mcap'))
    return lost


def what_of(*words):
    """The name of a case."""
    return '%s-%s %s' % words


def unnoticed(what, packed, raw, made):
    """What a decoder does not notice is what the same damage is to a log that is
    not compressed."""
    plain, fine = decoded(packed)
    if not fine or plain == raw:
        return
    pathlib.Path('plain.mcap').write_bytes(plain)
    pathlib.Path('plain.repaired.mcap').unlink(missing_ok=True)
    run('repair', '--json', '-o', 'plain.repaired.mcap', 'plain.mcap')
    alone = pathlib.Path('plain.repaired.mcap')
    check(what + ': as not compressed', made.exists() and (
        alone if alone.exists() else pathlib.Path('plain.mcap')).read_bytes()
          == made.read_bytes())


def at_a_record():
    """A file that breaks off where a record of the log ends is a loss, though nothing in
    the log shows it."""
    raw = write(recording(random.Random(7)), STYLES['cpp'])
    for chunk in read.read(raw).chunks[3:6]:
        c = zstandard.ZstdCompressor(level=1).compressobj()
        path = pathlib.Path('whole.mcap.zstd')
        path.write_bytes(c.compress(raw[:chunk.stop]) + c.flush(
            zstandard.COMPRESSOBJ_FLUSH_BLOCK))
        o = run('verify', '--json', path)[path.name]
        ids = [p['id'] for p in o['problems']]
        check('at a record: verify', o['state'] == 'damaged'
              and 'core.packed-cut' in ids, (o['state'], ids))
        o = run('repair', '--json', '-o', 'whole.mcap', path)[path.name]
        check('at a record: a loss', o['state'] == 'lossy', o['state'])
        pathlib.Path('whole.mcap').unlink()
        pathlib.Path('whole.mcap.salvor.json').unlink()


def stored():
    """Blocks that are stored as they are, after a damaged one, are kept: only what
    the damaged one had, and the one before it, is lost."""
    dice = random.Random(5)
    made = recording(dice)
    text = [m for m in made.events if m.channel == 1] * 2
    images = [m._replace(data=dice.randbytes(30000)) for m in made.events
              if m.channel == 2 for _ in range(4)]
    made.events = [m._replace(sequence=n)
                   for n, m in enumerate(images[:1] + text + images)]
    raw = write(made, STYLES['cpp'])
    packed = bytearray(COMPRESSORS['rosbag2'](raw))
    at = 10
    for _ in range(4):
        at += 3 + (int.from_bytes(packed[at:at + 3], 'little') >> 3)
    packed[at + 3:at + 40] = b'\xff' * 37
    path = pathlib.Path('stored.mcap.zstd')
    path.write_bytes(packed)
    check('a decoder stops there', not decoded(bytes(packed))[1])
    o = run('repair', '--json', path)[path.name]
    found = read.read(pathlib.Path('stored.repaired.mcap').read_bytes())
    kept = collections.Counter(m.channel for m in found.messages)
    check('stored blocks', o['state'] == 'lossy' and kept[2] >= len(images) - 12
          and kept[1] > 300, (o['blocks'], kept))
    ids = [p['id'] for p in o['problems']]
    check('how much is missing is known', 'core.packed-hole' in ids
          and 'core.packed-cut' not in ids, ids)


def refused():
    """What makes no sense of such a file is said."""
    path = pathlib.Path('cut.mcap.zstd')
    packed = COMPRESSORS['rosbag2'](write(recording(random.Random(1)),
                                          STYLES['rosbag2']))
    path.write_bytes(packed[:-9000])
    for args in (['repair', '--in-place'], ['repair', '--plan-out=p'],
                 ['verify', '--mapfile=m']):
        done = subprocess.run([SALVOR, *args, path], capture_output=True,
                              check=False, stdin=subprocess.DEVNULL)
        check('refused: %s' % args, done.returncode in (4, 16)
              and b'compressed as a whole' in done.stdout + done.stderr,
              done)
    check('nothing was written', sorted(p.name for p in pathlib.Path().iterdir()
                                        if p.name[:3] in ('cut', 'p', 'm'))
          == [path.name], os.listdir())
    pathlib.Path('plain.mcap.zstd').write_bytes(
        write(recording(random.Random(1)), STYLES['rosbag2']))
    o = run('verify', '--json', 'plain.mcap.zstd')['plain.mcap.zstd']
    check('only its name is that of one', o['state'] == 'intact'
          and 'compressed_size' not in o, o)


def bombs():
    """What becomes 32,768 times as large ends soon, and says why.  Headers that cannot
    be read do not make the time grow with the square of the size."""
    block = ((128 << 10) << 3 | 1 << 1).to_bytes(3, 'little') + b'x'
    path = pathlib.Path('bomb.mcap.zstd')
    path.write_bytes(b'\x28\xb5\x2f\xfd\x00\x58' + block * 100000)
    done = subprocess.run([SALVOR, 'verify', path], capture_output=True,
                          check=False, stdin=subprocess.DEVNULL, timeout=60)
    check('a bomb', done.returncode == 32
          and b'1024 times' in done.stdout + done.stderr, done)
    # The one block of each frame is damaged, and holds the head of a block that leads
    # into the next frame.
    frame = b'\x28\xb5\x2f\xfd\x00\x58' + (3 << 3 | 2 << 1 | 1).to_bytes(
        3, 'little') + (9 << 3).to_bytes(3, 'little')
    path.write_bytes(frame * 100000)
    done = subprocess.run([SALVOR, 'verify', path], capture_output=True,
                          check=False, stdin=subprocess.DEVNULL, timeout=30)
    check('guesses end', done.returncode < 64, done)


def main():
    """All of it."""
    lost = 0
    for style in 'cpp', 'rosbag2':
        made = recording(random.Random(style))
        raw = write(made, STYLES[style])
        good = collections.Counter(map(message, read.read(raw).messages))
        for how, compress in COMPRESSORS.items():
            packed = compress(raw)
            sound(how, packed, raw)
            if not LONG and (style == 'cpp') != (how in ('rosbag2', 'pieces')):
                continue
            lost += damaged(style, how, raw, packed, good)
    check('some of it was lost', lost > 0)
    at_a_record()
    stored()
    refused()
    bombs()


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    main()
    os.chdir(TOP)
end()

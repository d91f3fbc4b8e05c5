#!/usr/bin/python3
"""Is what `info` says of an MCAP file by its summary what a scan finds?

`info` reads the summary of a file and little else.  Of every file of testdata it must
then state the same channels, counts, times and chunks as with --scan, or have read all.
So must it when any byte of the summary is changed: it may be wrong about a name alone,
where no checksum covers the summary.  Of a large file it reads next to nothing.

    check_mcap_glance.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from support.start import SALVOR, TOP, parts

with parts():
    from bytes_read import bytes_read
    from mcap import records as r
    from mcap.write import STYLES, Recording, write
    from tally import check, end

UNSUMMED = 'good-no-crc'  # without a checksum of the summary
FLIPPED = 'good-cpp-none', UNSUMMED, 'good-rosbag2-lz4', 'good-ts-none'
READ_MOST = 1 << 20  # bytes of a large file


def described(paths, *options):
    """What `info` says of each file."""
    out = subprocess.run([SALVOR, 'info', '--json', *options, *paths],
                         capture_output=True, check=False).stdout
    lines = [json.loads(line) for line in out.splitlines()]
    return {line['file']: line for line in lines if line['type'] == 'file'}


def facts(line, names):
    """What a summary states."""
    channels = [(c['index'], c['messages'], c['first'], c['last'],
                 *((c['name'], c['type']) if names else ()))
                for c in line['channels']]
    return channels, line['time'], line['compression'], line['blocks']['kept']


def hold(paths, names=True, sound=('intact',)):
    """What the summary says is what a scan finds, of files with a `sound` state;
    return those that were indexed."""
    paths = [str(p) for p in paths]
    quick, whole = described(paths), described(paths, '--scan')
    indexed = [p for p in paths if quick[p]['state'] == 'indexed']
    for path in paths:
        if path not in indexed:
            check('%s: the same state' % path,
                  quick[path]['state'] == whole[path]['state'],
                  (quick[path]['state'], whole[path]['state']))
            continue
        if sound and whole[path]['state'] not in sound:
            continue
        a, b = facts(quick[path], names), facts(whole[path], names)
        check('%s: the same by a scan' % path, a == b, (a, b))
    return indexed


def corpus():
    """All of testdata: files that are whole have a summary, except for a few."""
    files = sorted((TOP / 'testdata' / 'mcap').glob('*.mcap'))
    indexed = hold(files)
    good = [p for p in indexed if Path(p).name.startswith('good-')]
    check('good files are indexed', len(good) >= 20, len(good))


def changed(folder, name):
    """Every byte from DataEnd on, changed."""
    good = (TOP / 'testdata' / 'mcap' / (name + '.mcap')).read_bytes()
    start = int.from_bytes(good[-28:-20], 'little') - 13
    for at in range(start, len(good)):
        bad = bytearray(good)
        bad[at] ^= 0x04
        path = folder / ('%s-%d.mcap' % (name, at))
        path.write_bytes(bad)
        yield path


def no_byte_lies():
    """One byte of the summary is wrong."""
    for name in FLIPPED:
        with tempfile.TemporaryDirectory() as folder:
            hold(changed(Path(folder), name), names=name != UNSUMMED,
                 sound=None)


def one_message_more():
    """The statistics count a message that no chunk has, for its channel, too."""
    bad = bytearray((TOP / 'testdata' / 'mcap' / (UNSUMMED + '.mcap'))
                    .read_bytes())
    at = bad.rindex(b'\x0b' + (46 + 20).to_bytes(8, 'little')) + 9
    bad[at] += 1
    bad[at + 46 + 2] += 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'one-more.mcap'
        path.write_bytes(bad)
        check('one message more', hold([path], sound=None) == [])


def little_is_read():
    """Of 20 MB in 400 chunks."""
    events = [r.Message(1 + n % 3, n, 10 ** 18 + n, 10 ** 18 + n,
                        bytes(5000)) for n in range(4000)]
    recording = Recording(
        'ros2', [r.Schema(1, 'a/B', 'ros2msg', b'int32 x')],
        [r.Channel(n, 1, '/%d' % n, 'cdr') for n in (1, 2, 3)], events)
    raw = write(recording, replace(STYLES['cpp'], chunk_size=50000))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'large.mcap'
        path.write_bytes(raw)
        check('a large file is indexed', hold([path]) == [str(path)])
        much = bytes_read(SALVOR, 'info', '-qq', path)
        check('little is read', much < READ_MOST < len(raw),
              (much, len(raw)))


corpus()
no_byte_lies()
one_message_more()
little_is_read()
end()

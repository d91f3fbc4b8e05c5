#!/usr/bin/python3
"""Bags of ROS 2: what is wrong with metadata.yaml is found, and what salvor
writes agrees with the files.

Each field altered, each line cut, each byte flipped: never a crash, never a bag
that is called intact and is not, and what is repaired has no fault for a judge
of its own (support/ros2_bag.py), or is the original byte for byte.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped, SALVOR_LONG for all cases instead of a share.
"""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from xml.etree import ElementTree
from unittest import mock

from support.start import SALVOR, TOP, parts

with parts():
    import yaml
    import zstandard

    import make_ros2data
    import ros2_bag
    from sample import share
    from schema import fault_of
    from tally import check, end

DATA = TOP / 'testdata' / 'ros2'
MANY = 150  # bags of one run
NOTE = 'metadata.yaml'
# A topic without messages may be removed while the robot records.
# With one field missing it may be a later version.
FINE = [('rosbag2_bagfile_information', 'version'),
        ('rosbag2_bagfile_information', 'topics_with_message_count', 2,
         'gone')]


def run(*args):
    """Run it."""
    return subprocess.run([SALVOR, *map(str, args)], stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)


def bags(*args):
    """The exit code, and of each bag its state and the ids of its findings:
    {folder: (state, [id])}."""
    done = run(*args)
    lines = done.stdout.decode().splitlines()
    faults = [f for _, f in map(fault_of, lines) if f]
    check('the schema: %s' % (args[:3],), not faults, faults[:1])
    check('it ends: %s' % (args[:3],), 0 <= done.returncode < 64
          and not done.returncode & 24, (done.returncode, done.stderr[-300:]))
    return done.returncode, {
        o['bag']: (o['state'], [p['id'] for p in o['problems']])
        for o in map(json.loads, lines) if o['type'] == 'bag'}


def made(name, bag):
    """A fresh folder with a bag."""
    folder = pathlib.Path(name)
    shutil.rmtree(folder, ignore_errors=True)
    ros2_bag.write(folder, bag)
    return folder


def fresh(name):
    """An empty folder."""
    shutil.rmtree(name, ignore_errors=True)
    pathlib.Path(name).mkdir()
    return name


def corpus():
    """The script makes the bags that are there."""
    make_ros2data.make(pathlib.Path(fresh('made')))
    for path in pathlib.Path('made').rglob('*.*'):
        there = DATA / path.relative_to('made')
        check('made again: %s' % path, there.is_file()
              and there.read_bytes() == path.read_bytes())


def sound():
    """A sound bag of each version has no finding, and a copy of it is one."""
    for version in range(4, 10):
        for files in 1, 3:
            bag = make_ros2data.bag(version, files)
            folder = made('sound', bag)
            check('the judge: %d' % version, not ros2_bag.faults(folder),
                  ros2_bag.faults(folder))
            code, found = bags('verify', '-qq', '--json', folder)
            check('sound: %d, %d files' % (version, files), (code, found)
                  == (0, {'sound': ('intact', [])}), found)
            code, found = bags('repair', '-qq', '--json', '-d', fresh('out'),
                               folder)
            check('copied: %d' % version, code == 0 and all(
                (pathlib.Path('out') / p.name).read_bytes() == p.read_bytes()
                for p in folder.iterdir()), found)
            code, found = bags('repair', '-qq', '--json', '--in-place', folder)
            check('left alone: %d' % version, code == 0
                  and len(list(folder.iterdir())) == files + 1, found)


def lost():
    """Without metadata.yaml, and with one of zeros, it is made again: for the
    version that the files show it is the old one."""
    for version in range(4, 10):
        for what, text in ('none', None), ('empty', b''), (
                'zeros', bytes(4096)), ('garbage', b'\xff\x00{]' * 50):
            folder = made('lost', make_ros2data.bag(version, 2))
            old = (folder / NOTE).read_bytes()
            (folder / NOTE).unlink()
            if text is not None:
                (folder / NOTE).write_bytes(text)
            code, found = bags('verify', '-qq', '--json', folder)
            check('%s: %d' % (what, version), code == 4
                  and found['lost'][0] == 'damaged', found)
            code, found = bags('repair', '-qq', '--json', '-d', fresh('out'),
                               folder)
            new = pathlib.Path('out', NOTE).read_bytes()
            check('%s: made: %d' % (what, version), code == 1
                  and not ros2_bag.faults('out'), ros2_bag.faults('out'))
            if version in (5, 7, 9):
                check('%s: the same: %d' % (what, version), new == old, new)
            code, found = bags('verify', '-qq', '--json', 'out')
            check('%s: sound: %d' % (what, version), code == 0, found)


def altered(tree, way=()):
    """The tree with one value that is another, and where: each in turn."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) \
        if isinstance(tree, list) else ()
    for key, value in items:
        for where, other in altered(value, (*way, key)):
            copy = tree.copy()
            copy[key] = other
            yield where, copy
        copy = tree.copy()
        del copy[key]
        yield (*way, key, 'gone'), copy
    if isinstance(tree, bool):
        yield way, 'maybe'
    elif isinstance(tree, int):
        for other in tree + 1, tree + 10, abs(tree - 1), 'x', -5:
            if other != tree:
                yield way, other
    elif isinstance(tree, str):
        yield way, tree + 'x'
        yield way, [tree]
    elif tree is None:
        yield way, 'x'


def judge_many(what, cases, original, folder, each=1):
    """Bags with these texts as metadata.yaml: [(name, text)].

    each    how many of them are repaired: the first of so many
    """
    cases = share(list(cases), 5)
    for i in range(0, len(cases), MANY):
        part = cases[i:i + MANY]
        root = pathlib.Path(fresh('many'))
        for n, (_, text) in enumerate(part):
            shutil.copytree(folder, root / str(n), copy_function=os.link)
            (root / str(n) / NOTE).unlink()
            (root / str(n) / NOTE).write_bytes(text)
        names = [str(root / str(n)) for n in range(len(part))]
        _, found = bags('verify', '-qq', '--json', *names)
        check('%s: all are bags' % what, set(found) == set(names))
        for (name, text), at in zip(part, names):
            same = not ros2_bag.faults(at) and (
                says(text) == says(original) or name in FINE)
            check('%s: %s' % (what, name), at not in found
                  or (found[at][0] == 'intact') <= same, text[:300])
        repair_many(what, list(zip(part, names))[::each], original, root)


def repair_many(what, cases, original, root):
    """The same: [((name, text), folder)]."""
    _, found = bags('repair', '-qq', '--json', '--in-place',
                    *(at for _, at in cases))
    for (name, text), at in cases:
        if at in found and 'ros2.version' in found[at][1]:
            continue
        wrong = ros2_bag.faults(at)
        new = pathlib.Path(at, NOTE).read_bytes()
        check('%s: repaired: %s' % (what, name), not wrong, wrong)
        check('%s: the same: %s' % (what, name),
              name in FINE or says(new) == says(original), new)
    run('undo', '-qq', '-r', root)
    for (name, text), at in cases:
        check('%s: undone: %s' % (what, name),
              pathlib.Path(at, NOTE).read_bytes() == text)


@functools.cache
def says(text):
    """What a text says, whatever the order of topics; None: nothing."""
    try:
        tree = yaml.safe_load(text)
        topics = tree['rosbag2_bagfile_information'][
            'topics_with_message_count']
        topics.sort(key=lambda t: t['topic_metadata']['name'])
        return tree
    except (yaml.YAMLError, ValueError, TypeError, KeyError, AttributeError):
        return None


def fields():
    """Each field of each version is another, or gone."""
    for version in 5, 9:
        folder = made('field', make_ros2data.bag(version, 2))
        original = (folder / NOTE).read_bytes()
        judge_many('field %d' % version, (
            (where, yaml.safe_dump(tree, sort_keys=False).encode())
            for where, tree in altered(yaml.safe_load(original))),
            original, folder, 3)


def lines():
    """The text ends after each line, and in it; a line is gone."""
    folder = made('line', make_ros2data.bag(9, 2))
    original = (folder / NOTE).read_bytes()
    rows = original.split(b'\n')
    cut = [('cut %d' % n, b'\n'.join(rows[:n])) for n in range(len(rows))]
    cut += [('cut in %d' % n, b'\n'.join(rows[:n]) + b'\n' + rows[n][:-3])
            for n in range(1, len(rows))]
    gone = [('without %d' % n, b'\n'.join(rows[:n] + rows[n + 1:]))
            for n in range(len(rows))]
    twice = [('%d twice' % n, b'\n'.join(rows[:n + 1] + rows[n:]))
             for n in range(len(rows))]
    judge_many('line', cut + gone + twice, original, folder, 5)


def bytes_of():
    """Each byte is another."""
    folder = made('byte', make_ros2data.bag(9))
    original = (folder / NOTE).read_bytes()

    def flipped(at):
        mask = (1, 4, 0x10, 0x80)[at % 4]
        return original[:at] + bytes([original[at] ^ mask]) \
            + original[at + 1:]

    judge_many('byte', (('at %d' % at, flipped(at))
                        for at in range(len(original))), original, folder, 25)


def files():
    """Files that are damaged, lost, empty, or not named."""
    folder = made('file', make_ros2data.bag(9, 3))
    size = (folder / 'bag_1.mcap').stat().st_size
    for cut in 3000, size - 500, size - 1, 60:
        folder = made('file', make_ros2data.bag(9, 3))
        os.truncate(folder / 'bag_1.mcap', cut)
        code, found = bags('verify', '-qq', '--json', folder)
        check('cut at %d' % cut, code & 4, found)
        code, found = bags('repair', '-qq', '--json', '-d', fresh('out'),
                           folder)
        check('cut at %d: repaired' % cut, not ros2_bag.faults('out'),
              ros2_bag.faults('out'))
        before = {p.name: p.read_bytes() for p in folder.iterdir()}
        _, found = bags('repair', '-qq', '--json', '--in-place', folder)
        wrong = ros2_bag.faults(folder)
        # A file of which nothing is left stays, and is not named.
        check('cut at %d: in place' % cut, not wrong
              or 'ros2.unread' in found['file'][1], wrong)
        run('undo', '-qq', folder)
        check('cut at %d: undone' % cut, before == {
            p.name: p.read_bytes() for p in folder.iterdir()})
    for name, change, wanted in (
            ('lost', lambda f: (f / 'bag_1.mcap').unlink(), 'ros2.missing'),
            ('empty', lambda f: os.truncate(f / 'bag_2.mcap', 0),
             'ros2.unread'),
            ('more', lambda f: shutil.copy(f / 'bag_0.mcap',
                                           f / 'bag_3.mcap'), 'ros2.extra')):
        folder = made('file', make_ros2data.bag(9, 3))
        change(folder)
        code, found = bags('verify', '-qq', '--json', folder)
        check(name, code & 4 and wanted in found['file'][1], found)
        code, found = bags('repair', '-qq', '--json', '-d', fresh('out'),
                           folder)
        check(name + ': repaired', not ros2_bag.faults('out'),
              (found, ros2_bag.faults('out')))
    folder = made('file', make_ros2data.bag(9, 3))
    shutil.copy(folder / 'bag_0.mcap', folder / 'other.mcap')
    shutil.copy(folder / 'bag_0.mcap', folder / 'other_0.mcap')
    code, found = bags('verify', '-qq', '--json', folder)
    check('files of others', (code, found) == (0, {'file': ('intact', [])}),
          found)


def sound_again(what, folder):
    """What is wrong is found, and gone after a repair."""
    code, found = bags('verify', '-qq', '--json', folder)
    wrong = found[str(folder)][0] != 'intact'
    check(what + ': verify', code == (4 if wrong else 0), found)
    code, found = bags('repair', '-qq', '--json', '-d', fresh('out'), folder)
    check(what + ': repair', code == (1 if wrong else 0), found)
    code, found = bags('verify', '-qq', '--json', 'out')
    check(what + ': sound again', (code, found) == (0, {'out': ('intact', [])}),
          found)
    return wrong


def profiles():
    """Profiles that no version can have, in metadata.yaml or in the files: they are
    left out, and never written again.  So is other data of such a form."""
    right = ros2_bag.profile
    for old, new in ((' sec:', ' s  ec:'), ('history: ', 'history: x'),
                     ('- history', '- history: [}\n- history'),
                     ('depth: 1', 'depth: -1'), ('  deadline', '  dead: 1\n  line')):
        for version in 5, 9:
            bag = make_ros2data.bag(version, 2)
            good = made('good', bag)
            with mock.patch.object(ros2_bag, 'profile', lambda *args, old=old, new=new:
                                   right(*args).replace(old, new)):
                bad = made('bad', bag)
            what = 'profiles: %s, %d' % (new.strip(), version)
            check(what + ': in both', sound_again(what, bad))
            note = (bad / NOTE).read_bytes()
            shutil.copy(good / NOTE, bad / NOTE)
            sound_again(what + ', in the files', bad)
            (good / NOTE).write_bytes(note)
            check(what + ': in metadata.yaml', sound_again(what, good)
                  and not ros2_bag.faults('out'), ros2_bag.faults('out'))
    folder = made('custom', make_ros2data.bag(9, 2))
    tree = yaml.safe_load((folder / NOTE).read_text())
    tree['rosbag2_bagfile_information']['custom_data'] = {'a': ['b']}
    (folder / NOTE).write_text(yaml.safe_dump(tree, sort_keys=False))
    check('custom data is damaged', sound_again('custom data', folder))


def packed(name, version=9, files=2):
    """A bag with files that are compressed as a whole; and the same without that."""
    plain = made(name + '-plain', make_ros2data.bag(version, files, mode='FILE'))
    folder = pathlib.Path(fresh(name))
    note = (plain / NOTE).read_text()
    for path in sorted(plain.glob('*.mcap')):
        (folder / (path.name + '.zstd')).write_bytes(
            zstandard.ZstdCompressor(level=1).compress(path.read_bytes()))
        # `files` names them without .zstd.
        note = note.replace('    - %s\n' % path.name,
                            '    - %s.zstd\n' % path.name)
    (folder / NOTE).write_text(note)
    return folder, plain


def compressed():
    """Files that are compressed as a whole are decompressed on the way, and what is
    written is not compressed.  Messages that are compressed are messages."""
    for version in 4, 5, 9:
        what = 'compressed files, %d' % version
        folder, plain = packed('packed', version)
        code, found = bags('verify', '-qq', '--json', folder)
        check(what, (code, found) == (0, {'packed': ('intact', [])}), found)
        code, found = bags('repair', '-qq', '--json', '-d', fresh('out'), folder)
        check(what + ': copied', code == 0 and not ros2_bag.faults('out')
              and 'FILE' not in pathlib.Path('out', NOTE).read_text()
              and 'zstd' not in pathlib.Path('out', NOTE).read_text(),
              (code, found, os.listdir('out')))
        check(what + ': the logs', all(
            pathlib.Path('out', p.name).read_bytes() == p.read_bytes()
            for p in plain.glob('*.mcap')), os.listdir('out'))
        code, found = bags('verify', '-qq', '--json', 'out')
        check(what + ': sound', (code, found) == (0, {'out': ('intact', [])}),
              found)
    compressed_in_place()
    compressed_damaged()
    # As a player leaves it: both are there, and the named ones count.
    folder, plain = packed('packed')
    for path in plain.glob('*.mcap'):
        shutil.copy(path, folder)
        os.truncate(folder / path.name, 100)
    code, found = bags('verify', '-qq', '--json', folder)
    check('a player decompressed them', (code, found)
          == (0, {'packed': ('intact', [])}), found)
    folder, plain = packed('packed')
    for path in folder.glob('*.zstd'):
        path.unlink()
        shutil.copy(plain / path.name[:-5], folder)
    code, found = bags('repair', '-qq', '--json', '-d', fresh('out'), folder)
    check('decompressed by hand', code == 1 and not ros2_bag.faults('out')
          and 'FILE' not in pathlib.Path('out', NOTE).read_text(), found)
    folder = made('packed', make_ros2data.bag(9, 2, mode='MESSAGE'))
    code, found = bags('verify', '-qq', '--json', folder)
    check('compressed messages', (code, found)
          == (0, {'packed': ('intact', [])}), found)
    check('it is said', b'payloads are compressed'
          in run('info', folder).stdout)


def compressed_in_place():
    """metadata.yaml is corrected beside files that stay compressed."""
    folder, _ = packed('packed')
    right = (folder / NOTE).read_text()
    before = {p.name: p.read_bytes() for p in folder.glob('*.zstd')}
    (folder / NOTE).write_text(right.replace('message_count: ', 'message_count: 1', 1))
    code, found = bags('repair', '-qq', '--json', '--in-place', folder)
    check('in place: metadata.yaml', code == 1, found)
    check('in place: the files stay', before == {
        p.name: p.read_bytes() for p in folder.iterdir()
        if p.suffix == '.zstd'} and len(list(folder.glob('*.mcap'))) == 0)
    text = (folder / NOTE).read_text()
    check('in place: it names them', 'compression_mode: FILE' in text
          and text.count('.mcap.zstd') >= 2, text)
    code, found = bags('verify', '-qq', '--json', folder)
    check('in place: sound', (code, found) == (0, {'packed': ('intact', [])}),
          found)
    (folder / NOTE).unlink()
    code, found = bags('repair', '-qq', '--json', '-d', fresh('out'), folder)
    check('without metadata.yaml', code == 1 and not ros2_bag.faults('out'),
          (found, ros2_bag.faults('out')))


def compressed_damaged():
    """What can be decompressed of a damaged file is kept."""
    folder, plain = packed('packed')
    path = folder / 'bag_1.mcap.zstd'
    raw = (plain / 'bag_1.mcap').read_bytes()
    c = zstandard.ZstdCompressor(level=1).compressobj()
    half = c.compress(raw[:len(raw) // 2]) + c.flush(
        zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    path.write_bytes(half)
    code, found = bags('verify', '-qq', '--json', folder)
    check('a cut file', code == 4, found)
    code, found = bags('repair', '-qq', '--json', '--in-place', folder)
    check('a cut file is not changed in place', code == 4
          and path.read_bytes() == half, (code, found))
    code, found = bags('repair', '-qq', '--json', '-d', fresh('out'), folder)
    text = pathlib.Path('out', NOTE).read_text()
    check('a cut file is repaired', code & 2 and not ros2_bag.faults('out')
          and '- bag_1.mcap\n' in text, (code, found, ros2_bag.faults('out')))
    path.write_bytes(b'\x28\xb5\x2f\xfd')
    code, found = bags('repair', '-qq', '--json', '-d', fresh('out'), folder)
    check('nothing is left of a file', found['packed'] == (
        'lossy', sorted(found['packed'][1])) and 'ros2.unread'
          in found['packed'][1] and not ros2_bag.faults('out'),
          (code, found, ros2_bag.faults('out')))


def told_elsewhere():
    """The bag is in what a run writes besides; and -r, which takes each log for itself,
    does not look like a verdict about bags."""
    folder = made('bag', make_ros2data.bag(9, 2))
    text = (folder / NOTE).read_text()
    for name, note, failures in (('sound', text, 0), ('count', text.replace(
            'message_count: ', 'message_count: 1', 1), 1)):
        (folder / NOTE).write_text(note)
        done = run('verify', '--junit=j.xml', '--html=h.html', '--report=r.json', folder)
        check('%s: exit code' % name, done.returncode == 4 * failures, done)
        suite = ElementTree.parse('j.xml').getroot()
        cases = {c.get('name'): c for c in suite.iter('testcase')}
        check('%s: JUnit' % name, set(cases) == {
            'bag', 'bag/bag_0.mcap', 'bag/bag_1.mcap'}
              and int(suite.get('failures')) == failures
              and len(list(cases['bag'].iter('failure'))) == failures,
              pathlib.Path('j.xml').read_text())
        sets = json.loads(pathlib.Path('h.html').read_text().split(
            'id="logs">')[1].split('</script>')[0])['sets']
        check('%s: the page' % name, [s['bag'] for s in sets] == ['bag']
              and sets[0]['problems_total'] == failures, sets)
        check('%s: the report' % name, [json.loads(line)['type'] for line in open(
            'r.json', encoding='utf-8')] == ['file', 'file', 'bag', 'totals'])
    shutil.rmtree('tree', ignore_errors=True)
    shutil.copytree(folder, 'tree/one')
    shutil.copytree(folder, 'tree/two')
    pathlib.Path('tree/two', NOTE).unlink()
    os.mkdir('tree/other')
    shutil.copy(folder / 'bag_0.mcap', 'tree/other/plain.mcap')
    done = run('verify', '-r', 'tree')
    check('-r says that bags were not compared', done.returncode == 0
          and b'       2  bags of ROS 2: metadata.yaml not compared' in done.stdout,
          done.stdout)
    for n in 0, 1:
        os.rename('tree/two/bag_%d.mcap' % n, 'tree/two/no%d.mcap' % n)
    check('-r: files with other names', b'       1  bags of ROS 2'
          in run('verify', '-r', 'tree').stdout)


def commands():
    """What makes no sense is refused, and what must not be written is not."""
    folder = made('bag', make_ros2data.bag(9))
    for args in (['repair'], ['repair', '-o', 'x'], ['verify', '-j2'],
                 ['verify', '--journal=j']):
        check('refused: %s' % args, run(*args, folder).returncode == 16)
    check('nothing was written', not pathlib.Path('x').exists()
          and len(list(folder.iterdir())) == 2)
    (folder / NOTE).write_bytes(b'{')
    done = run('repair', '-n', '--in-place', folder)
    check('a dry run', done.returncode == 1
          and (folder / NOTE).read_bytes() == b'{', done)
    check('info', run('info', folder).returncode == 0)
    (folder / NOTE).unlink()
    (folder / NOTE).symlink_to('/dev/zero')
    check('a link to a device is none',
          run('verify', '-q', folder).returncode == 4)
    (folder / NOTE).unlink()
    with open(folder / NOTE, 'wb') as big:
        big.truncate(1 << 40)
    check('no bounds', run('verify', '-q', folder).returncode == 4)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for test in (corpus, sound, lost, files, profiles, compressed, told_elsewhere,
                 commands, fields, lines, bytes_of):
        test()
    os.chdir(TOP)
end()

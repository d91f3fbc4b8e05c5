#!/usr/bin/python3
"""What salvor does with ROS 1 bags besides repairing one into another.

- of two copies that are damaged in two ways merge makes a bag that holds each
  message that either of them has, and none twice; ROS's own library reads it
- where both were hit in the same compressed chunk, each in another place, it
  is put together again if its checksum confirms it, and not otherwise
- bags that are no copies of each other are not merged
- a repair in place makes what a repair makes, or leaves the file alone, and
  undo gives back what it was
- of two bags in one file the first comes out byte for byte
- what is saved of the ranges left out are their bytes, all of them
- what `rosbag reindex` cut is found out by what it left

A few cases of each, or many with SALVOR_LONG=1.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
from collections import Counter

from support.start import SALVOR, TOP, parts

with parts():
    import bag_classes as c
    import bag_judge
    import bag_reader
    import bag_samples
    from bag_damage import bound
    from tally import check, end

ROUNDS = 12 if os.environ.get('SALVOR_LONG') else 1
SORTS = {'none': ('none',), 'lz4': ('lz4',), 'bz2': ('bz2',),
         'mixed': ('none', 'lz4', 'bz2')}
# The damage of the two copies; no bytes move in one of them at most.
PAIRS = [(c.trunc, c.zero_page), (c.zero_page, c.zero_page),
         (c.unclosed, c.random_page), (c.zero_head, c.cut_in_connections),
         (c.cut_out, c.zero_page), (c.open_chunk, c.zero_chunk_header),
         (c.flip_any, c.flip_any), (c.no_head, c.active_cut),
         (c.chunk_cut_out, c.zero_page)]
ALONE = [c.unclosed, c.active_cut, c.zero_head, c.cut_in_infos, c.zero_page,
         c.flip_index_header, c.zero_chunk_header, c.garbage_tail, c.no_head]


def run(*args):
    """Run salvor; (its code, the report)."""
    done = subprocess.run([SALVOR, *args, '--json'], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=120, check=False)
    text = done.stdout.decode('utf-8', 'replace').splitlines()
    report = json.loads(text[0]) if text else {}
    if report.get('error'):  # the end of it is what a failed check shows
        report['because'] = done.returncode, report['error']['text']
    return done.returncode, report


def write(path, raw):
    """A file."""
    with open(path, 'wb') as out:
        out.write(raw)


def content(path):
    """Its bytes."""
    with open(path, 'rb') as there:
        return there.read()


def messages(path):
    """What a bag holds, or None."""
    if not os.path.exists(path):
        return None
    try:
        return Counter(bag_reader.read(content(path)).listing())
    except bag_reader.Bad:
        return None


def original(sort, seed):
    """A bag of some chunks."""
    return bag_reader.read(bag_samples.bag(
        160, 7, seed=seed, threshold=40 << 10, compression=SORTS[sort]))


def alone(name, raw):
    """Write a copy; what a repair of it keeps."""
    write(name, raw)
    code, report = run('repair', '-f', '-o', 'alone.bag', name)
    found = messages(name if report['state'] == 'intact' else 'alone.bag')
    check('%s: repaired' % name, found is not None or code & 4, report)
    return found or Counter()


def merge_one(what, bag, copies):
    """Merge two copies, and look at what comes out."""
    hit = Counter()  # (all but the payload) that nobody can see were hit
    recorded = Counter(bag.listing())
    for damaged in copies:
        hit.update(m[:4] for i, m in enumerate(bag.listing())
                   if i in bound(damaged, bag).blurred)
    had = [alone('%d.bag' % i, d.bytes()) for i, d in enumerate(copies)]
    code, report = run('merge', '-f', '-o', 'out.bag', '0.bag', '1.bag')
    if min(sum(h.values()) for h in had) < len(bag.chunks[0].messages):
        # With no chunk in common nothing shows that they are of one bag.
        if report.get('error') and report['error']['code'] == 'unrelated':
            return
    found = messages('out.bag')
    check(what + ': merged', found is not None and code in (0, 1, 3), report)
    if found is None:
        return
    missed = (had[0] | had[1]) & recorded
    missed -= found
    if 'core.copies-unplaced' in [p['id'] for p in report['problems']]:
        missed.clear()  # it says so
    check(what + ': has what either has', not sum(
        n for m, n in missed.items() if not hit[m[:4]]),
        [m[:4] for m in missed])
    more = found - recorded
    check(what + ': nothing twice, nothing invented', all(
        hit[m[:4]] and m not in recorded for m in more),
        [m[:4] for m in more])
    times = Counter(m[:4] for m in found) - Counter(m[:4] for m in recorded)
    check(what + ': each message once', not times, times)
    check(what + ': Python', bag_judge.listing('out.bag')
          == bag_judge.summary(found.elements()))
    check(what + ': verify', run('verify', 'out.bag')[1]['state'] == 'intact')


def merges():
    """Copies of one bag, and of two."""
    for sort in SORTS:
        for pair in PAIRS:
            for turn in range(ROUNDS):
                what = 'merge/%s/%s/%s/%d' % (
                    sort, pair[0].__name__, pair[1].__name__, turn)
                bag = original(sort, turn + 1)
                dice = random.Random(what)
                merge_one(what, bag, [kind(bag, dice) for kind in pair])
                pathlib.Path('out.bag').unlink(missing_ok=True)
        strangers(sort)


def hit(bag, chunk, dice, at, size):
    """A copy with other bytes at a part of a chunk's data."""
    at = chunk.data_at + int((chunk.end - chunk.data_at) * at)
    wrong = bytes((b + dice.randrange(1, 256)) & 255
                  for b in bag.raw[at:at + size])
    return bag.raw[:at] + wrong + bag.raw[at + size:]


def merged(copies):
    """Merge copies; the report, what was found and what came out."""
    names = ['%d.bag' % i for i in range(len(copies))]
    for name, raw in zip(names, copies):
        write(name, raw)
    pathlib.Path('out.bag').unlink(missing_ok=True)
    _, report = run('merge', '-f', '-o', 'out.bag', *names)
    return report, [p['id'] for p in report['problems']], content('out.bag')


def one_chunk(sort, turn):
    """Copies that were hit in the same chunk."""
    what = 'one chunk/%s/%d' % (sort, turn)
    dice = random.Random(what)
    bag = original(sort, turn + 1)
    chunk = dice.choice(bag.chunks)
    size = dice.choice([1, 1, 40, 900])
    places = dice.sample([.1, .3, .5, .7, .9], 2)
    copies = [hit(bag, chunk, dice, at, size) for at in places]
    for more in [], [hit(bag, chunk, dice, places[0], size)]:
        report, found, out = merged(more + copies)
        check('%s: as it was, of %d copies' % (what, 2 + len(more)),
              out == bag.raw and report['state'] == 'repaired'
              and report['assurance'] == 'chunk-checksum'
              and not [f for f in found if f.startswith('core.copies')],
              (report['state'], report['assurance'], found))
    copies.append(hit(bag, chunk, dice, places[1], size))
    report, found, out = merged(copies[1:])
    check(what + ': nothing is right', report['state'] == 'lossy'
          and not messages('out.bag') - Counter(bag.listing())
          and 'core.copies-torn' in found, (report['state'], found))


def no_checksum(turn):
    """Where none can confirm it nothing is tried."""
    for sort, shape in ('none', {}), ('lz4', {'lz4_sum': False}):
        what = 'no checksum/%s/%d' % (sort, turn)
        raw = bag_samples.bag(160, 7, seed=turn + 1, threshold=40 << 10,
                              compression=SORTS[sort], **shape)
        large = max(original('none', turn + 1).chunks[1].messages,
                    key=lambda m: len(m.payload)).payload
        at = next(raw.index(large[k:k + 48]) for k in range(len(large))
                  if large[k:k + 48] in raw)  # it is stored as it is
        copies = [raw[:at + k] + bytes([raw[at + k] ^ 1]) + raw[at + k + 1:]
                  for k in (2, 44)]
        report, found, out = merged(copies)
        check(what + ': the first one is believed, and it is said',
              out == copies[0] and report['assurance'] == 'structure'
              and found.count('core.copies-differ') == 2, found)


def same_chunk():
    """Copies that were hit in the same chunk."""
    for turn in range(ROUNDS):
        for sort in 'lz4', 'bz2':
            one_chunk(sort, turn)
        no_checksum(turn)


def strangers(sort):
    """Bags of two recordings, whole and damaged."""
    for damage in None, c.trunc, c.no_head:
        for i in range(2):
            bag = original(sort, 20 + i)
            write('%d.bag' % i, damage(bag, random.Random(7)).bytes()
                  if damage else bag.raw)
        code, report = run('merge', '-o', 'out.bag', '0.bag', '1.bag')
        check('merge/%s: strangers' % sort, code == 4
              and report['error']['code'] == 'unrelated'
              and not os.path.exists('out.bag'), report)


def in_place(what, raw):
    """In place and back again."""
    write('there.bag', raw)
    write('copy.bag', raw)
    _, plain = run('repair', '-f', '-o', 'alone.bag', 'copy.bag')
    _, report = run('repair', '--in-place', 'there.bag')
    refused = 'core.in-place' in [p['id'] for p in report['problems']]
    moves = any(p['kind'] == 'copy' and p['input_offset'] != p['output_offset']
                for p in plain['plan'])
    if refused or plain['state'] in ('intact', 'unrecoverable'):
        check(what + ': refused because it must', not refused or moves, report)
        check(what + ': left alone', content('there.bag') == raw)
        return
    check(what + ': in place', not moves
          and content('there.bag') == content('alone.bag'), report)
    code, _ = run('undo', 'there.bag')
    check(what + ': undone', code == 0 and content('there.bag') == raw, code)


def save_dropped(what, raw):
    """The ranges that are left out."""
    write('x.bag', raw)
    shutil.rmtree('saved', ignore_errors=True)
    os.mkdir('saved')
    _, report = run('repair', '-f', '-o', 'alone.bag', '--save-dropped',
                    'saved', 'x.bag')
    if report['state'] == 'unrecoverable':
        return
    saved = Counter()
    manifest = pathlib.Path('saved', 'x.bag.dropped.json')
    lines = manifest.read_text().splitlines() if manifest.exists() else []
    for item in map(json.loads, lines):
        at = item['offset']
        saved[item['fate']] += item['length']
        check(what + ': saved', content('saved/' + item['saved'])
              == raw[at:at + item['length']], item)
    for fate in 'lost', 'foreign':  # of filler what is no zeros
        check('%s: all that is %s' % (what, fate),
              saved[fate] == report['bytes'][fate], (saved, report['bytes']))


def reindexed(what, bag, raw):
    """What `rosbag reindex` cut names what it left, if that has more."""
    write('cut.bag', raw)
    subprocess.run(['rosbag', 'reindex', '-q', 'cut.bag'],
                   capture_output=True, check=False)
    if not os.path.exists('cut.orig.bag'):
        return
    held = run('verify', 'cut.bag')[1]
    left = run('repair', '-n', 'cut.orig.bag')[1]
    backup = held.get('backup')
    more = left['blocks']['kept'] > held['blocks']['kept']
    check(what + ': named where it holds more', more == bool(backup)
          or bool(backup) and backup['depth'] == 'index', (held, left))
    if backup:
        check(what + ': by its name', backup['file'] == 'cut.orig.bag', backup)
    if backup and backup['depth'] == 'all':
        check(what + ': counted', backup['blocks'] == left['blocks']['kept'],
              (backup, left['blocks']))
    info = run('info', 'cut.bag')[1].get('backup')
    check(what + ': info', bool(info) == bool(backup) or not more,
          (info, backup))
    check(what + ': left alone', content('cut.orig.bag') == raw)
    os.remove('cut.orig.bag')


def others():
    """One damaged bag at a time."""
    for sort in SORTS:
        for damage in ALONE:
            for turn in range(ROUNDS):
                what = '%s/%s/%d' % (sort, damage.__name__, turn)
                bag = original(sort, turn + 1)
                raw = damage(bag, random.Random(what)).bytes()
                in_place('in-place/' + what, raw)
                save_dropped('save-dropped/' + what, raw)
                reindexed('reindex/' + what, bag, raw)


def glued():
    """A bag with another one after it: of the first every byte stays."""
    for sort in SORTS:
        for order in 'cpp', 'rospy', 'hash':
            first, second = [bag_samples.bag(
                90, 5, seed=seed, threshold=40 << 10, compression=SORTS[sort],
                order=order, index_by='seen') for seed in (1, 2)]
            write('two.bag', first + second)
            _, report = run('repair', '-f', '-o', 'alone.bag', 'two.bag')
            check('glued/%s/%s: the first as it was' % (sort, order),
                  content('alone.bag') == first, report['problems'])


def main():
    """Run everything."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        merges()
        same_chunk()
        others()
        glued()
        os.chdir(TOP)
    end()


main()

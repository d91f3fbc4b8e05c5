#!/usr/bin/python3
"""What salvor makes of ROS 1 bags whose connections are declared otherwise in
one place than in another, because either place was hit, or both.

The chunks are not compressed, compressed, or LZ4 frames whose blocks are stored
as they are, in which a declaration can be hit and nothing around it.

- whatever is to be kept, a repair writes a bag or says that nothing can be had;
  it never refuses its own plan, alone, in place or merging
- two connections with one number are told apart: each message keeps its topic
  and type, by ROS's own reader
- where one bit of the package of a type is wrong in one of two declarations, and
  other types are of that package, each message keeps its type
- where one bit of the name of a topic or type is wrong in one of two declarations,
  each message keeps its topic and type, or the log is not called whole
- a strict reader takes what is written, and verify calls it sound
- in place the file becomes what a repair elsewhere makes, and undo gives back
  what it was

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import collections
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_joined
    import bag_judge
    import bag_reader
    import bag_samples
    import bag_writer
    import lz4.frame
    from bag_damage import HEAD_END
    from tally import check, end

BAGS = range(600) if os.environ.get('SALVOR_LONG') else [
    *range(40), 54, 122, 144, 220, 374, 503]  # with what once was refused
FRAME_HEAD = b'\x04\x22\x4d\x18\x64\x70\xb9'  # blocks of 4 MiB at most
BLOCK_AT = len(FRAME_HEAD) + 4  # where what is stored begins in a frame
SORTS = [('none',), ('lz4',), ('bz2',), ('none', 'lz4'), ('lz4', 'none'),
         ('stored',), ('stored', 'none'), ('none', 'stored')]
KEEP = ['', 'suspect', 'unverified', 'suspect,unverified']
# The declaration itself was hit in every place.
BLURRED = 'md5sum of another definition'


def stored(raw, how, shape, usual=bag_writer.compress):
    """A frame that stores its block as it is."""
    if how != 'lz4':
        return usual(raw, how, shape)
    checksum = lz4.frame.compress(raw, content_checksum=True)[-4:]
    return (FRAME_HEAD + struct.pack('<I', len(raw) | 1 << 31) + raw
            + bytes(4) + checksum)


def recording(number, dice):
    """A bag, and whether its frames are such."""
    sort = dice.choice(SORTS)
    usual = bag_writer.compress
    if 'stored' in sort:
        bag_writer.compress = stored
    try:
        raw = bag_samples.bag(
            dice.choice([40, 90]), dice.choice([3, 7]), seed=number % 5 + 1,
            scale=.3, threshold=dice.choice([5, 15]) << 10,
            compression=tuple('lz4' if s == 'stored' else s for s in sort),
            repeat=dice.random() < .4,
            order=dice.choice(['cpp', 'rospy', 'hash']))
    finally:
        bag_writer.compress = usual
    return bag_reader.read(raw), 'stored' in sort


def hit(raw, dice, start, stop):
    """Some bytes that begin between two places."""
    at = dice.randrange(start, stop)
    kind = dice.randrange(4)
    if kind == 0:
        raw[at] ^= 1 << dice.randrange(8)
    elif kind == 1:
        raw[at] = ord(dice.choice('abcXYZ019/_'))
    else:
        size = len(raw[at:at + dice.choice([1, 4, 8, 30, 200])])
        raw[at:at + size] = dice.randbytes(size) if kind == 2 else bytes(size)


def hit_declarations(raw, bag, plain, dice):
    """Declarations in chunks and in the index."""
    for _ in range(dice.choice([0, 1, 1, 2, 3])):
        chunk = dice.choice([c for c in bag.chunks if c.connections])
        start, stop, _ = dice.choice(chunk.connections)
        if chunk.compression == 'none':
            hit(raw, dice, chunk.data_at + start, chunk.data_at + stop)
        elif chunk.compression == 'lz4' and plain:
            at = chunk.data_at + BLOCK_AT
            hit(raw, dice, at + start, at + stop)
        else:
            at = min(chunk.data_at + BLOCK_AT, chunk.end - 1)
            hit(raw, dice, at, min(at + 300, chunk.end))
    for _ in range(dice.choice([0, 1, 1, 2])):
        start, stop, _ = dice.choice(bag.tail)
        hit(raw, dice, start, stop)


def damage(bag, plain, dice):
    """And mostly something else is wrong, too."""
    raw = bytearray(bag.raw)
    hit_declarations(raw, bag, plain, dice)
    kind = dice.randrange(6)
    chunk = dice.choice(bag.chunks)
    if kind == 0:
        at = dice.randrange(chunk.at, chunk.end)
        size = len(raw[at:at + dice.choice([4, 300, 4096])])
        raw[at:at + size] = bytes(size)
    elif kind < 3:
        hit(raw, dice, chunk.data_at, chunk.end)
    elif kind == 3:
        raw[:HEAD_END] = b''
    elif kind == 4:
        raw[dice.randrange(bag.chunks[0].end, len(raw)):] = b''
    return bytes(raw)


def run(*args):
    """Run salvor; its reports, by file."""
    done = subprocess.run([SALVOR, *args, '--json'], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=600, check=False)
    reports = map(json.loads, done.stdout.splitlines())
    return {r['file']: r for r in reports if r['type'] == 'file'}


def is_bag(what, path):
    """Whether the strict reader takes it."""
    try:
        bag_reader.read(path.read_bytes())
    except bag_reader.Bad as fault:
        check(what + ': strict', BLURRED in str(fault), fault)


def repairs(names):
    """All of them, with everything that can be kept."""
    for keep in KEEP:
        out = pathlib.Path('out-' + keep)
        out.mkdir()
        reports = run('repair', '--no-sidecar', '-d', str(out),
                      *['--keep=' + keep] * bool(keep), *names)
        for name in names:
            what = '%s --keep=%s' % (name, keep)
            report = reports[name]
            check(what, not report.get('error'), report.get('error'))
            if (out / name).exists():
                is_bag(what, out / name)
        made = sorted(str(path) for path in out.iterdir())
        for name, report in run('verify', *made).items():
            check('%s: verify' % name, report['state'] == 'intact',
                  report['problems'])


def merges(names):
    """Each with another copy of it."""
    for name in names:
        for keep in [], ['--keep=unverified']:
            report, = run('merge', '-f', '-o', 'merged.bag', *keep, name,
                          name + '.copy').values()
            fault = report.get('error') or {'code': 'unrelated'}
            check('%s: merged %s' % (name, keep),
                  fault['code'] == 'unrelated', fault)


def in_place(names):
    """The same, where the file is."""
    before = {name: pathlib.Path(name).read_bytes() for name in names}
    changed = []
    for name, report in run('repair', '--in-place', *names).items():
        check('%s: in place' % name, not report.get('error'),
              report.get('error'))
        if pathlib.Path(name).read_bytes() == before[name]:
            continue
        changed.append(name)
        check('%s: in place as elsewhere' % name, pathlib.Path(
            'out-', name).read_bytes() == pathlib.Path(name).read_bytes())
    run('undo', *changed)
    for name in names:
        check('%s: undone' % name,
              pathlib.Path(name).read_bytes() == before[name])
    check('some can be repaired in place', changed)


def typed(path):
    """What ROS's own reader finds in an output."""
    try:
        return bag_judge.typed(str(path))
    except bag_judge.Refused as fault:
        return str(fault)


def joined(names):
    """Recordings that were joined, each with connections 0, 1 and so on."""
    out = pathlib.Path('joined')
    made = {}
    for number, name in enumerate(names):
        made[name] = bag_joined.joined(random.Random('joined/%d' % number))
        pathlib.Path(name).write_bytes(made[name].raw)
    out.mkdir()
    reports = run('repair', '--no-sidecar', '-d', str(out), *names)
    for name in names:
        check('%s: joined' % name, reports[name]['state'] == 'repaired',
              reports[name]['problems'])
        check('%s: joined: as recorded' % name,
              typed(out / name) == made[name].messages)
        is_bag(name, out / name)
    for name, report in run('verify', *map(str, out.iterdir())).items():
        check('%s: joined: verify' % name, report['state'] == 'intact')


def hit_and_joined(names):
    """The same, compressed, and one chunk is damaged: what is lost is reported."""
    out = pathlib.Path('hit')
    made = {}
    for number, name in enumerate(names, 47):  # which once was wrong
        dice = random.Random('hit/%d' % number)
        made[name] = bag_joined.joined(dice, (('lz4',),))
        raw = bytearray(made[name].raw)
        at = dice.randrange(HEAD_END + 100, len(raw) * 3 // 4)
        raw[at:at + 4] = bytes(4)
        pathlib.Path(name).write_bytes(raw)
    out.mkdir()
    reports = run('repair', '--no-sidecar', '-d', str(out), *names)
    for name in names:
        lost = made[name].messages - typed(out / name)
        check('%s: hit: what is lost is reported' % name, not lost
              or reports[name]['state'] == 'lossy', lost.total())


def misnumbered(names):
    """A declaration with the number of another connection is none of it."""
    out = pathlib.Path('misnumbered')
    made = {}
    for number, name in enumerate(names):
        made[name] = bag_joined.misnumbered(
            random.Random('misnumbered/%d' % number))
        pathlib.Path(name).write_bytes(made[name].raw)
    out.mkdir()
    reports = run('repair', '--no-sidecar', '-d', str(out), *names)
    for name in names:
        found, recorded = typed(out / name), made[name].messages
        check('%s: misnumbered: nothing is filed wrong' % name,
              found <= recorded, found - recorded)
        check('%s: misnumbered: said' % name, found == recorded
              or reports[name]['state'] != 'repaired')


def lent(dice):
    """Chunks that declare connections of which they hold no message, some of
    them in the file a second time, and some damage."""
    known = [bag_writer.Connection(i, '/t%d' % i, 'std_msgs/String',
                                   'string data') for i in range(4)]
    shape = bag_writer.Shape()
    how = dice.choice(['none', 'lz4', 'bz2'])
    out = bytearray(bag_writer.MAGIC + bytes(bag_writer.HEAD_LEN + 8))
    parts_of, infos = [], b''
    for number in range(dice.choice([2, 4, 6])):
        chunk = bag_writer.Chunk()
        for c in dice.sample(known, dice.randrange(3)):
            chunk.raw += bag_writer.connection_record(c, shape.order)
        for k in range(dice.choice([1, 3, 5])):
            text = dice.randbytes(dice.randrange(4, 40))
            chunk.add(bag_writer.Message(
                dice.choice(known[1:] if number < 2 else known).id,
                1000 + number, k, bag_writer.sized(text)), shape.order)
        for _ in range(dice.choice([1, 1, 2])):
            at = len(out)
            out += bag_writer.chunk_record(bytes(chunk.raw), how, shape)
            out += chunk.indexes(shape)
            infos += chunk.info(at, shape.order)
            parts_of.append((at, len(out)))
    head = bag_writer.bag_header(len(out), len(known), len(parts_of))
    out[len(bag_writer.MAGIC):bag_writer.FIRST_CHUNK] = head
    out += b''.join(bag_writer.connection_record(c, shape.order)
                    for c in known) + infos
    start, stop = dice.choice(parts_of)
    if dice.random() < .3:
        out[stop:stop] = out[start:stop]
    elif dice.random() < .5:
        hit(out, dice, start, stop)
    else:
        del out[dice.randrange(start, len(out)):]
    return bytes(out)


def lending(names):
    """No plan is refused for what a chunk declares and has no message of."""
    out = pathlib.Path('lent')
    for number, name in enumerate(names):
        pathlib.Path(name).write_bytes(
            lent(random.Random('lent/%d' % number)))
    out.mkdir()
    for name, report in run('repair', '--no-sidecar', '-d', str(out),
                            *names).items():
        check('%s: lent' % name, not report.get('error'), report.get('error'))
        if (out / name).exists():
            is_bag('%s: lent' % name, out / name)
    made = sorted(str(path) for path in out.iterdir())
    for name, report in run('verify', *made).items():
        check('%s: verify' % name, report['state'] == 'intact',
              report['problems'])


def packages():
    """One bit of the package of a type, in the chunk or in the index."""
    path, out = pathlib.Path('package.bag'), pathlib.Path('package.out.bag')
    bag = bag_reader.read(bag_samples.bag(60, 4, threshold=8 << 10))
    name = dict(bag.connections[1].about)['type']
    end_of_package = name.index(b'/')
    places = [m.start() + len(b'type=')
              for m in re.finditer(b'type=' + re.escape(name), bag.raw)]
    check('packages: it is declared in a chunk and in the index',
          len(places) >= 2, places)
    for place in places:
        for at in range(place, place + end_of_package):
            for bit in 0, 2, 5:
                raw = bytearray(bag.raw)
                raw[at] ^= 1 << bit
                path.write_bytes(raw)
                out.unlink(missing_ok=True)
                run('repair', '-o', str(out), '--no-sidecar', str(path))
                found = bag_reader.read(out.read_bytes())
                check('packages: byte %d, bit %d' % (at, bit),
                      found.connections == bag.connections
                      and found.listing() == bag.listing(),
                      found.connections[1].about)


def kinds(bag):
    """(topic, type, time) of all messages, counted."""
    about = {number: (c.topic, dict(c.about)['type'])
             for number, c in bag.connections.items()}
    return collections.Counter((*about[m.conn], m.sec, m.nsec)
                               for m in bag.messages())


def letters():
    """One bit of the name of a topic or type, in the chunk or in the index."""
    bag = bag_reader.read(bag_samples.bag(60, 4, threshold=8 << 10))
    out, names = pathlib.Path('letters'), []
    out.mkdir()
    values = {value for c in bag.connections.values()
              for value in (c.topic, dict(c.about)['type'])}
    for m in re.finditer(b'|'.join(re.escape(b'=' + v) for v in values),
                         bag.raw):
        for at in range(m.start() + 1, m.end(), 3):
            raw = bytearray(bag.raw)
            raw[at] ^= 1 << 5 if raw[at] > ord('@') else 1
            names.append('letter-%d.bag' % at)
            pathlib.Path(names[-1]).write_bytes(raw)
    reports = run('repair', '-d', str(out), '--no-sidecar', *names)
    for name in names:
        found = bag_reader.read((out / name).read_bytes())
        wrong = (kinds(found) - kinds(bag)).total()
        check(name, wrong <= reports[name]['blocks']['unsure'],
              (wrong, reports[name]['state']))
    check('letters: there are many', len(names) > 30, names)


def main():
    """Run everything."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        names = ['%d.bag' % number for number in BAGS]
        for number, name in zip(BAGS, names):
            dice = random.Random('declared/%d' % number)
            bag, plain = recording(number, dice)
            for copy in name, name + '.copy':
                pathlib.Path(copy).write_bytes(damage(bag, plain, dice))
        repairs(names)
        merges(names)
        in_place(names)
        joined(names)
        hit_and_joined(names)
        misnumbered(names)
        lending(names)
        packages()
        letters()
        os.chdir(TOP)
    end()


main()

#!/usr/bin/python3
"""Are series of BDDF, and actors of CARLA, described in an export as they are?

Plain numbers of each type, among them NaN, infinities, the least and the largest, and
a block that ends within a number, are the same numbers for protobuf, and the bytes can
be made of them again.  Messages have the descriptions of --descriptors, with all files
that those need and no others; a set that has no such message, lacks a file, or is
damaged at any byte changes nothing else and never makes an export fail.

A name or a note that readers of MCAP refuse is spelled: one that is not UTF-8, or has
control characters.

Where actors of CARLA are is what the matrices of its rotations say, in metres and with
the y axis turned around.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import carla_writer
    import drive_hostile
    import exported
    from bddf_writer import Log, field, packed
    from google.protobuf import descriptor_pb2
    from mcap import judge
    from tally import check, end

LIMITS = {'b': 7, 'h': 15, 'i': 31, 'q': 63, 'B': 8, 'H': 16, 'I': 32,
          'Q': 64}
NANS = {'f': b'\x01\x00\x80\x7f', 'd': b'\x01\x00\x00\x00\x00\x00\xf0\xff'}
CROWD = 400  # actors, one in a frame


def payloads(code):
    """Blocks of a series of such numbers."""
    if code in LIMITS:
        top = (1 << LIMITS[code]) - 1
        values = [0, 1, top, top // 3] + ([-1, -top - 1] * code.islower())
    else:
        values = [0.0, -0.0, 1.5, float('inf'), float('-inf'), 2.0 ** 53 + 2]
    block = struct.pack('<%d%s' % (len(values), code), *values)
    size = struct.calcsize('<' + code)
    return [block, b'', block * 40, NANS.get(code, block[:size]),
            block + block[:size - 1], block[:size - 1]]


def log_of_numbers():
    """A log with a series of each type, and a type that does not exist."""
    log, want = Log(), []
    for number, (name, code) in enumerate(exported.PODS.items(), 1):
        log.declare(number - 1, name, kind=field(
            5, field(1, number) + packed(2, [3])))
    log.declare(len(exported.PODS), 'odd', kind=field(5, field(1, 77)))
    for number, code in enumerate([*exported.PODS.values(), 'd']):
        for payload in payloads(code):
            log.data(number, payload)
            want.append((number, payload))
    return log.close(), want


def export(folder, raw, *options):
    """The export of a log."""
    source = pathlib.Path(folder) / 'in.bddf'
    target = pathlib.Path(folder) / 'out.mcap'
    source.write_bytes(raw)
    done = subprocess.run([SALVOR, 'export', '-f', '-q', '-o', target,
                           *options, source], check=False,
                          capture_output=True)
    check('export %s' % (options,), done.returncode in (0, 1), done)
    return judge.strict(target.read_bytes())


def numbers(folder):
    """Plain numbers."""
    raw, want = log_of_numbers()
    file = export(folder, raw)
    got = [(m.channel, exported.original(file, m)) for m in file.messages]
    check('numbers come back', got == want,
          [(a, b) for a, b in zip(got, want) if a != b])
    for number, name in enumerate(exported.PODS):
        channel = file.channels[number]
        schema = file.schemas[channel.schema]
        check('%s: described' % name, schema.name == 'salvor.%sSeries' % name
              and channel.encoding == 'protobuf'
              and dict(channel.metadata)['dimension.0'] == '3', (schema, channel))
    odd = file.channels[len(exported.PODS)]
    check('no such type: as it is', odd.schema == 0 and odd.encoding == 'pod',
          odd)


def one_file(name, package, messages, imports=()):
    """A FileDescriptorProto; a message is "Outer" or "Outer.Inner"."""
    file = descriptor_pb2.FileDescriptorProto(
        name=name, package=package, dependency=imports, syntax='proto3')
    for full in messages:
        outer, _, inner = full.partition('.')
        message = file.message_type.add(name=outer)
        message.field.add(name='text', number=1, label=1, type=9)
        if inner:
            message.nested_type.add(name=inner).field.add(
                name='more', number=2, label=1, type=5)
    return file


def a_set(*files):
    """A FileDescriptorSet."""
    return descriptor_pb2.FileDescriptorSet(file=files).SerializeToString()


def log_of_messages(*types):
    """A log with a series of each of these messages."""
    log = Log()
    for number, name in enumerate(types):
        log.declare(number, name, kind=field(
            4, field(1, 'application/protobuf') + field(2, name)))
        log.data(number, field(1, 'payload'))
    return log.close()


def as_text(folder, raw, *options):
    """Messages with a description are decoded; whatever it does not explain is not."""
    source = pathlib.Path(folder) / 'in.bddf'
    source.write_bytes(raw)
    done = subprocess.run([SALVOR, 'export', '-q', '--to=ndjson', '-o', '-',
                           *options, source], check=False, capture_output=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    got = [one.get('data', one.get('data_base64')) for one in lines
           if 'log_time' in one]
    text, raw = {'text': 'payload'}, 'CgdwYXlsb2Fk'
    check('messages as JSON', got == [text, raw, text] + [raw] * 4, got)
    target = pathlib.Path(folder) / 'out.csv'
    subprocess.run([SALVOR, 'export', '-q', '-o', target, *options, source],
                   check=False)
    tables = [(target / name).read_text().splitlines() for name in
              ('pack.age.One.csv', 'pack.age.Lost.csv')]
    check('and as tables', [one[0].rpartition(',')[2] for one in tables]
          == ['data.text', 'data_base64'] and tables[0][1].endswith(',payload'),
          tables)


def messages(folder):
    """Messages that the caller describes."""
    types = ('pack.age.One', 'pack.age.Two.Inner', 'Bare', 'pack.age.Lost',
             'pack.Other', 'pack.age', '')
    needs = {'pack.age.One': ['base.proto', 'more.proto', 'one.proto'],
             'pack.age.Two.Inner': ['two.proto'], 'Bare': ['bare.proto']}
    whole = a_set(one_file('one.proto', 'pack.age', ['Zero', 'One'],
                           ['more.proto', 'base.proto']),
                  one_file('more.proto', 'pack.more', ['More'],
                           ['base.proto']),
                  one_file('base.proto', 'pack.base', ['Base']),
                  one_file('two.proto', 'pack.age', ['Two.Inner']),
                  one_file('bare.proto', '', ['Bare']))
    raw = log_of_messages(*types)
    descriptors = pathlib.Path(folder) / 'set'
    descriptors.write_bytes(whole)
    file = export(folder, raw, '--descriptors=%s' % descriptors)
    for number, name in enumerate(types):
        channel = file.channels[number]
        schema = file.schemas.get(channel.schema)
        check('%s: described if it is there' % name,
              (schema is not None) == (name in needs), schema)
        if schema is None:
            continue
        got = descriptor_pb2.FileDescriptorSet.FromString(schema.data)
        check('%s: files' % name, schema.name == name
              and [one.name for one in got.file] == needs[name], got)
        check('%s: is a message' % name,
              exported.classes_of(schema).DESCRIPTOR.full_name == name)
    as_text(folder, raw, '--descriptors=%s' % descriptors)
    loops = a_set(one_file('a.proto', 'pack.age', ['One'], ['b.proto']),
                  one_file('b.proto', '', ['B'], ['a.proto']))
    for odd in (a_set(one_file('one.proto', 'pack.age', ['One'],
                               ['gone.proto'])), loops, b'', b'\0' * 99):
        descriptors.write_bytes(odd)
        file = export(folder, raw, '--descriptors=%s' % descriptors)
        check('a set that is of no use', not file.schemas, odd)
    for number in range(60):
        dice = random.Random(number)
        broken = bytearray(whole)
        broken[dice.randrange(len(broken))] ^= 1 << dice.randrange(8)
        descriptors.write_bytes(broken[:dice.choice((None, len(broken) // 2))])
        file = export(folder, raw, '--descriptors=%s' % descriptors)
        check('a broken set', len(file.messages) == len(types))


def names(folder):
    """A channel that is not declared, and whose name is not UTF-8: drivers take any
    other for damage."""
    raw = (TOP / 'testdata' / 'cyber' / 'odd-undeclared.record').read_bytes()
    old = b'/apollo/sensor/0'
    at = raw.index(old)
    for new in (b'\xaf' + old[1:], b'/apollo\xff\xfe' + old[9:],
                b'/apol\xe2\x82' + old[7:]):
        file = export(folder, raw[:at] + new + raw[at + len(old):])
        topics = {c.topic for c in file.channels.values()}
        want = re.sub(
            '[\x80-\xff]', lambda b: '\\x%02x' % ord(b[0]),
            new.decode('latin-1'))
        check('%s is spelled' % new, want in topics, (want, topics))


def controls(folder):
    """A series, its encoding and its note with each control character."""
    log, want = Log(), set()
    for number, code in enumerate((*range(1, 0x20), 0x7f)):
        name = 'a%cb' % code
        log.declare(number, name, kind=field(
            4, field(1, 'text/' + name) + field(2, name)),
            more=field(9, name)).data(number, b'x')
        want.add(name if code == 0x7f or name[1] in '\t\n\r'
                 else 'a\\x%02xb' % code)
    file = export(folder, log.close())
    channels = file.channels.values()
    check('names with control characters are spelled',
          {c.topic for c in channels} == want,
          want ^ {c.topic for c in channels})
    check('... and encodings', {c.encoding for c in channels}
          == {'text/' + one for one in want})
    check('... and notes', {dict(c.metadata).get('description') for c in channels}
          == want, {dict(c.metadata).get('description') for c in channels} ^ want)


def turned(roll, pitch, yaw):
    """The matrix of a rotation of CARLA, whose axes are left-handed: about x, then y,
    then z, of which the first two turn the other way around."""
    (sr, sp, sy), (cr, cp, cy) = ([f(math.radians(a)) for a in
                                   (roll, pitch, yaw)]
                                  for f in (math.sin, math.cos))
    return [[cp * cy, sr * sp * cy - cr * sy, -(cr * sp * cy + sr * sy)],
            [cp * sy, sr * sp * sy + cr * cy, cy * sr - cr * sp * sy],
            [sp, -sr * cp, cr * cp]]


def matrix_of(q):
    """The matrix of a quaternion."""
    return [[1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * q.w),
             2 * (q.x * q.z + q.y * q.w)],
            [2 * (q.x * q.y + q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z),
             2 * (q.y * q.z - q.x * q.w)],
            [2 * (q.x * q.z - q.y * q.w), 2 * (q.y * q.z + q.x * q.w),
             1 - 2 * (q.x * q.x + q.y * q.y)]]


def places_of(body):
    """What a Position says: {actor: (place, angles)}."""
    count = struct.unpack_from('<H', body)[0]
    code = '<I6f' if len(body) == 2 + 28 * count else '<I6d'
    rows = [struct.unpack_from(code, body, 2 + n * struct.calcsize(code))
            for n in range(count)]
    return {row[0]: (row[1:4], row[4:]) for row in rows}


def is_there(transform, place, angles):
    """Is an actor where the log says?"""
    at, mirror = transform.translation, (1, -1, 1)
    want = turned(*angles)
    have = matrix_of(transform.rotation)
    return all(math.isclose(got, m * p / 100, abs_tol=1e-12)
               for got, m, p in zip((at.x, at.y, at.z), mirror, place)) \
        and all(math.isclose(have[i][k], mirror[i] * mirror[k] * want[i][k],
                             abs_tol=1e-9) for i in range(3) for k in range(3))


def actors(folder):
    """Where the actors of CARLA are."""
    for source in sorted((TOP / 'testdata' / 'carla').glob('good-*.log')):
        file = export(folder, source.read_bytes())
        topics = {n: c.topic for n, c in file.channels.items()}
        positions = [m for m in file.messages
                     if topics[m.channel] == 'Position']
        frames = [m for m in file.messages if topics[m.channel] == '/tf']
        number = next(n for n, topic in topics.items() if topic == '/tf')
        kind = exported.classes_of(file.schemas[file.channels[number].schema])
        full = [m for m in positions if places_of(exported.original(file, m))]
        check('%s: a message a frame' % source.name, full
              and [m.log_time for m in frames] == [m.log_time for m in full],
              (len(frames), len(full)))
        for frame, position in zip(frames, full):
            want = places_of(exported.original(file, position))
            got = {int(t.child_frame_id[len('actor/'):]): t
                   for t in kind.FromString(frame.data).transforms}
            check('%s: actors' % source.name, set(got) == set(want)
                  and all(is_there(got[n], *want[n]) for n in want)
                  and all(t.parent_frame_id == 'map' and t.timestamp.seconds
                          * 10 ** 9 + t.timestamp.nanos == frame.log_time
                          for t in got.values()), (got, want))


def vectors_of(body, head, wide):
    """Two vectors after so many bytes, and where what follows them is."""
    code = '<6d' if wide else '<6f'
    return struct.unpack_from(code, body, head), head + struct.calcsize(code)


def added(body, wide):
    """What an EventAdd says: {actor: (type, blueprint)}."""
    found, at = {}, 2
    for _ in range(struct.unpack_from('<H', body)[0]):
        actor, kind = struct.unpack_from('<IB', body, at)
        at = vectors_of(body, at + 5, wide)[1] + 4
        size = struct.unpack_from('<H', body, at)[0]
        found[actor] = kind, body[at + 2:at + 2 + size].decode()
        at += 2 + size
        attributes = struct.unpack_from('<H', body, at)[0]
        at += 2
        for _ in range(attributes):
            at += 1
            for _ in range(2):
                at += 2 + struct.unpack_from('<H', body, at)[0]
    return found


def boxes_of(body, wide):
    """What a BoundingBox says: {actor: (origin and half of the size)}."""
    found, at = {}, 2
    for _ in range(struct.unpack_from('<H', body)[0]):
        actor = struct.unpack_from('<I', body, at)[0]
        found[actor], at = vectors_of(body, at + 4, wide)
    return found


def gone_of(body):
    """What an EventDel says."""
    return struct.unpack_from('<%dI' % struct.unpack_from('<H', body)[0], body,
                              2)


def is_shown(entity, actor, box, about, time):
    """Is an actor shown as the log says?"""
    cube, (kind, blueprint) = entity.cubes[0], about
    at, size = cube.pose.position, cube.size
    turn = cube.pose.orientation
    return len(entity.cubes) == 1 and entity.frame_locked \
        and entity.frame_id == entity.id == 'actor/%d' % actor \
        and entity.timestamp.seconds * 10 ** 9 + entity.timestamp.nanos == time \
        and all(math.isclose(got, want / 100) for got, want in zip(
            (at.x, -at.y, at.z), box[:3])) \
        and all(math.isclose(got, abs(want) / 50) for got, want in zip(
            (size.x, size.y, size.z), box[3:])) \
        and (turn.x, turn.y, turn.z, turn.w) == (0, 0, 0, 1) \
        and 0 < cube.color.a <= 1 and (kind != 1 or cube.color.b == 1) \
        and {m.key: m.value for m in entity.metadata} \
        == {'blueprint': blueprint}


def scenes(folder):
    """The actors of CARLA as boxes: with each change all that there are; in a crowd of
    actors only what changed, so that the export is no longer than it may be."""
    for source in sorted((TOP / 'testdata' / 'carla').glob('good-*.log')):
        one_scene(folder, source.name, source.read_bytes(),
                  'ue5' in source.name)
    gone = sum(one_scene(folder, dialect, carla_writer.log(dialect),
                         carla_writer.DIALECTS[dialect].vec == 'd')
               for dialect in ('0.9.15', 'ue5'))
    check('scenes: actors are gone', gone > 3, gone)
    one_scene(folder, 'a crowd', drive_hostile.many_actors(CROWD), False,
              repeated=False)


def one_scene(folder, name, raw, wide, repeated=True):
    """The same of a log; how many actors were gone.  Not `repeated`: not all boxes are
    in all messages."""
    file = export(folder, raw)
    topics = {n: c.topic for n, c in file.channels.items()}
    number = next((n for n, t in topics.items() if t == '/actors'), None)
    check('%s: scenes' % name, number is not None, topics)
    about, boxes, want = {}, {}, []
    got = [m for m in file.messages if m.channel == number]
    for m in file.messages:
        body = exported.original(file, m)
        gone, before = [], dict(boxes)
        if topics[m.channel] == 'EventAdd':
            about.update(added(body, wide))
        elif topics[m.channel] == 'BoundingBox':
            boxes.update(boxes_of(body, wide))
        elif topics[m.channel] == 'EventDel':
            gone = [n for n in gone_of(body) if n in boxes]
        for actor in gone:
            del boxes[actor]
        if boxes != before:
            want.append((m.log_time, dict(boxes), gone))
    check('%s: a scene for each change' % name, want
          and [m.log_time for m in got] == [w[0] for w in want],
          (len(got), len(want)))
    kind = exported.classes_of(file.schemas[file.channels[number].schema])
    there, boxes = set(), 0
    for message, (time, some, gone) in zip(got, want):
        scene = kind.FromString(message.data)
        names = {'actor/%d' % n: n for n in some}
        there -= {d.id for d in scene.deletions}
        there |= {e.id for e in scene.entities}
        boxes += len(scene.entities)
        check('%s: boxes' % name, there == set(names)
              and (not repeated or len(scene.entities) == len(some))
              and all(is_shown(e, names[e.id], some[names[e.id]],
                               about[names[e.id]], time) for e in scene.entities)
              and [(d.id, d.type) for d in scene.deletions]
              == [('actor/%d' % n, 0) for n in gone], scene)
    check('%s: not too many boxes' % name, boxes <= 8192 + 8 * sum(
        1 + len(w[2]) for w in want), boxes)
    return sum(len(w[2]) for w in want)


def main():
    """Numbers, then messages, then actors."""
    with tempfile.TemporaryDirectory() as folder:
        numbers(folder)
        messages(folder)
        names(folder)
        controls(folder)
        actors(folder)
        scenes(folder)
    end()


main()

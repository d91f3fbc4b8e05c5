#!/usr/bin/python3
"""Are messages of ROS 2 and of protobuf read as others read them?

Messages with all kinds of fields are made by chance, put into MCAP files and exported as
lines of JSON: the values are those that Google's protobuf and a reader of CDR find, and
tables have the same.  What a description does not explain, to the last byte, stays bytes;
descriptions that are wrong or mean harm are no help, cost little, and make no finding.

    check_messages.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import base64
import csv
import json
import pathlib
import random
import struct
import subprocess
import tempfile
import time

from google.protobuf import descriptor_pb2

from support.start import SALVOR, parts

with parts():
    import values
    from mcap import records
    from messages import CDR, CDR_KINDS, Cdr, Proto
    from tally import check, end

F = descriptor_pb2.FieldDescriptorProto
SCALARS = {'double': 'd', 'float': 'f', 'int64': 'q', 'uint64': 'Q', 'int32': 'i',
           'fixed64': 'Q', 'fixed32': 'I', 'bool': '?', 'string': 's', 'bytes': 'b',
           'uint32': 'I', 'sfixed32': 'i', 'sfixed64': 'q', 'sint32': 'i',
           'sint64': 'q'}
LIMITS = {'i': (-2 ** 31, 2 ** 31 - 1), 'I': (0, 2 ** 32 - 1),
          'q': (-2 ** 63, 2 ** 63 - 1), 'Q': (0, 2 ** 64 - 1)}


def log_of(schema, channel, payloads):
    """An MCAP file with these messages."""
    return b''.join((
        records.MAGIC, records.header('', 'test'), records.schema(schema),
        records.channel(channel),
        *(records.message(records.Message(1, n, 10 ** 18 + n, 10 ** 18 + n, raw))
          for n, raw in enumerate(payloads)),
        records.data_end(0), records.footer(b'', 0, 0, False), records.MAGIC))


def export(folder, name, schema, encoding, payloads):
    """The values of the messages; None: they are bytes, and those."""
    log, out = folder / 'log.mcap', folder / 'out.ndjson'
    channel = records.Channel(1, 1, '/t', encoding)
    log.write_bytes(log_of(schema, channel, payloads))
    begun = time.monotonic()
    done = subprocess.run([SALVOR, 'export', '-f', '-qq', '-o', out, log],
                          check=False, capture_output=True)
    check(name + ': is exported, soon', done.returncode == 0
          and time.monotonic() - begun < 20, done)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    got = [line for line in lines if 'topic' in line]
    check(name + ': all of them', len(got) == len(payloads), len(got))
    for line, raw in zip(got, payloads):
        if 'data' not in line:
            check(name + ': the bytes',
                  base64.b64decode(line['data_base64']) == raw)
    return [line.get('data') for line in got]


def hold(folder, name, schema, encoding, payloads, decoded=True):
    """Values are those of the other reader; whether they are decoded."""
    kind = Cdr if encoding == 'cdr' else Proto
    reader = kind(None, schema)
    for got, raw in zip(export(folder, name, schema, encoding, payloads),
                        payloads):
        want = reader.read(raw) if decoded else None
        check(name + ': as another reads it', got is None if want is None
              else values.same(got, want), (got, want, raw))
        check(name + ': is decoded' if decoded else name + ': is not',
              (got is not None) == decoded, raw)


def file_of(dice, types=12):
    """A description with all kinds of fields: each message has later ones in it."""
    file = descriptor_pb2.FileDescriptorProto(
        name='a.proto', package='test.pkg', syntax='proto3')
    kind = file.enum_type.add(name='Kind')
    for number in 0, 1, 7:
        kind.value.add(name='K%d' % number, number=number)
    names = ['M%d' % n for n in range(types)]
    for number, name in enumerate(names):
        made = file.message_type.add(name=name)
        used = dice.sample(range(1, 40), 6) + [2 ** 29 - 1 - number]
        for at in used:
            field = made.field.add(
                name='f%d' % at, number=at, label=dice.choice(
                    (F.LABEL_OPTIONAL, F.LABEL_OPTIONAL, F.LABEL_REPEATED)))
            what = dice.choice((*SCALARS, 'enum', 'message', 'message'))
            if what == 'message' and number + 1 < types:
                field.type = F.TYPE_MESSAGE
                field.type_name = '.test.pkg.' + dice.choice(names[number + 1:])
            elif what == 'enum':
                field.type, field.type_name = F.TYPE_ENUM, '.test.pkg.Kind'
            else:
                field.type = getattr(F, 'TYPE_' + (
                    what if what != 'message' else 'bytes').upper())
    return file


def schema_of(file, name='test.pkg.M0'):
    """As MCAP has it."""
    return records.Schema(1, name, 'protobuf', descriptor_pb2.FileDescriptorSet(
        file=[file]).SerializeToString())


def value_for(field, dice):
    """A value that is not the default."""
    if field.type == F.TYPE_ENUM:
        return dice.choice((1, 7, 12, -3))
    name = {getattr(F, 'TYPE_' + k.upper()): v for k, v in SCALARS.items()}
    code = name[field.type]
    if code in LIMITS:
        low, high = LIMITS[code]
        return dice.choice((low or 1, high, dice.randint(low or 1, high), 1))
    return {'d': dice.choice((0.1, float('inf'), float('nan'), -1e300)),
            'f': dice.choice((1.5, float('-inf'), float('nan'))),
            '?': True, 's': dice.choice(('x', '\u00e4"\\\0', '\U0001f600')),
            'b': dice.randbytes(dice.randrange(1, 9))}[code]


def fill(message, dice, depth=0):
    """Some of its fields."""
    for field in message.DESCRIPTOR.fields:
        if dice.random() < .3:
            continue
        many = dice.randrange(4) if field.label == F.LABEL_REPEATED else 1
        if field.message_type is not None and depth > 4:
            continue
        for _ in range(many):
            if field.message_type is not None:
                inner = getattr(message, field.name)
                inner = inner.add() if field.label == F.LABEL_REPEATED else inner
                inner.SetInParent()
                fill(inner, dice, depth + 1)
            elif field.label == F.LABEL_REPEATED:
                getattr(message, field.name).append(value_for(field, dice))
            else:
                setattr(message, field.name, value_for(field, dice))
    return message


def protobuf(folder, dice):
    """Descriptions and messages by chance."""
    for number in range(12):
        schema = schema_of(file_of(dice))
        kind = Proto(None, schema).message
        payloads = [fill(kind(), dice).SerializeToString() for _ in range(20)]
        hold(folder, 'protobuf %d' % number, schema, 'protobuf', payloads)


def key(number, kind):
    """The key of a field."""
    number = number << 3 | kind
    out = b''
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def small():
    """A message with a number, a list of numbers, one of texts, and a message."""
    file = descriptor_pb2.FileDescriptorProto(
        name='a.proto', package='p', syntax='proto3')
    made = file.message_type.add(name='M')
    for number, name, what, label in (
            (1, 'n', F.TYPE_INT32, 1), (2, 'list', F.TYPE_SINT64, 3),
            (3, 'text', F.TYPE_STRING, 3), (4, 'inner', F.TYPE_MESSAGE, 1),
            (5, 'fixed', F.TYPE_FIXED32, 3), (6, 'yes', F.TYPE_BOOL, 1)):
        made.field.add(name=name, number=number, type=what, label=label,
                       type_name='.p.I' if what == F.TYPE_MESSAGE else None)
    file.message_type.add(name='I').field.add(
        name='x', number=1, type=F.TYPE_UINT32, label=1)
    return schema_of(file, 'p.M')


def wire(folder):
    """Ways to write the same, and what a description does not explain."""
    good = [b'', key(1, 0) + b'\7',
            key(1, 0) + b'\xff' * 9 + b'\1',
            key(2, 2) + b'\3\1\2\3' + key(1, 0) + b'\5' + key(2, 0) + b'\7',
            key(3, 2) + b'\1a' + key(2, 0) + b'\1' + key(3, 2) + b'\1b',
            key(4, 2) + b'\2' + key(1, 0) + b'\7', key(4, 2) + b'\0',
            key(5, 2) + b'\x08' + b'\1\0\0\0\2\0\0\0' + key(5, 5) + b'\3\0\0\0',
            key(6, 0) + b'\1', key(1, 0) + b'\x87\0']
    hold(folder, 'wire', small(), 'protobuf', good)
    bad = {'an unknown field': key(9, 0) + b'\1',
           'one in a message': key(4, 2) + b'\2' + key(2, 0) + b'\7',
           'a value twice': key(1, 0) + b'\1' + key(1, 0) + b'\2',
           'another kind': key(1, 5) + b'\1\0\0\0', 'a group': key(7, 3) + key(7, 4),
           'a number that is too large': key(1, 0) + b'\xff\xff\xff\xff\x7f',
           'more than 64 bits': key(1, 0) + b'\xff' * 9 + b'\2',
           'a length over the end': key(3, 2) + b'\5ab', 'half a key': b'\x80',
           'half a list': key(5, 2) + b'\5\1\0\0\0\2', 'no number': b'\0\1',
           'half a number in a list': key(2, 2) + b'\2\1\x80'}
    for name, raw in bad.items():
        got = export(folder, 'wire, ' + name, small(), 'protobuf', [raw])
        check('wire, %s: stays bytes' % name, got == [None], got)
    # A list that is in pieces, and parts in turns, are no reason to go slow.
    n = 200000
    slow = (key(2, 0) + b'\1' + key(3, 2) + b'\0' + key(5, 5) + b'\0' * 4) * n
    got = export(folder, 'in turns', small(), 'protobuf', [slow])[0]
    check('in turns', got is not None and len(got['list']) == len(got['text'])
          == len(got['fixed']) == n)


def hostile(folder):
    """Descriptions that are wrong, or mean harm."""
    def changed(change, name='p.M'):
        found = descriptor_pb2.FileDescriptorSet.FromString(small().data)
        change(found.file[0])
        return records.Schema(1, name, 'protobuf', found.SerializeToString())

    def deep(file):
        at = file.message_type[0]
        for _ in range(60):
            at = at.nested_type.add(name='x' * 200)

    def chain(file):
        for n in range(100):
            file.message_type.add(name='C%d' % n).field.add(
                name='f', number=1, label=1, type=F.TYPE_MESSAGE,
                type_name='.p.C%d' % (n + 1))
        file.message_type.add(name='C100')
        file.message_type[0].field[3].type_name = '.p.C0'

    def set_field(**what):
        def change(file):
            for name, value in what.items():
                setattr(file.message_type[0].field[0], name, value)
        return change

    cases = {
        'no set': records.Schema(1, 'p.M', 'protobuf', b'\xff' * 50),
        'nothing': records.Schema(1, 'p.M', 'protobuf', b''),
        'no such message': changed(lambda f: None, 'p.Q'),
        'a loop': changed(lambda f: setattr(
            f.message_type[0].field[3], 'type_name', '.p.M')),
        'a type that is missing': changed(lambda f: setattr(
            f.message_type[0].field[3], 'type_name', '.p.Missing')),
        'a type of no package': changed(lambda f: setattr(
            f.message_type[0].field[3], 'type_name', 'I')),
        'messages in messages': changed(deep),
        'messages that need messages': changed(chain),
        'two of one name': changed(lambda f: f.message_type.add(name='I')),
        'a number twice': changed(set_field(number=2)),
        'number 0': changed(set_field(number=0)),
        'a negative number': changed(set_field(number=-1)),
        'a group': changed(set_field(type=F.TYPE_GROUP)),
        'a name that breaks JSON': changed(set_field(name='x"y')),
        'a name twice': changed(set_field(name='list')),
        'many messages': changed(lambda f: [
            f.message_type.add(name='m%d' % n) for n in range(70000)]),
        'a long name': changed(lambda f: f.message_type.add(name='x' * 2000))}
    for name, schema in cases.items():
        got = export(folder, 'hostile, ' + name, schema, 'protobuf',
                     [key(1, 0) + b'\7'])
        check('hostile, %s: stays bytes' % name, got == [None], got)
    dice = random.Random(5)
    for number in range(150):
        raw = bytearray(small().data)
        for _ in range(dice.randrange(1, 4)):
            raw[dice.randrange(len(raw))] = dice.randrange(256)
        export(folder, 'a byte of a description, %d' % number,
               records.Schema(1, 'p.M', 'protobuf', bytes(raw)), 'protobuf',
               [key(1, 0) + b'\7' + key(4, 2) + b'\2' + key(1, 0) + b'\7'])


class Writer:
    """Writes CDR as ROS 2 does, of a kind."""

    def __init__(self, types, dice, kind=1):
        self.types, self.dice, self.out, self.kind = types, dice, b'', kind
        self.order, self.newer = CDR_KINDS[kind]

    def put(self, code, value):
        """A number, aligned."""
        size = struct.calcsize('<' + code)
        self.out += bytes(-len(self.out) % (min(size, 4) if self.newer else size))
        self.out += struct.pack(self.order + code, value)

    def one(self, kind):
        """Some value of a type."""
        if kind in CDR:
            code = CDR[kind]
            raw = self.dice.randbytes(struct.calcsize('<' + code))
            self.put(code, struct.unpack('<' + code, raw)[0] if kind != 'bool'
                     else self.dice.randrange(2))
        elif kind == 'string':
            text = self.dice.choice((b'', b'x', b'\xc3\xa4bc', b'four'))
            self.put('I', len(text) + 1)
            self.out += text + b'\0'
        else:
            if not self.types[kind]:
                self.out += b'\0'
            for _, of, many in self.types[kind]:
                self.value(of, many)

    def value(self, kind, many):
        """A value, or several."""
        n, begun = 1 if many is None else many, None
        if self.newer and many is not None and kind not in CDR:
            self.put('I', 0)
            begun = len(self.out)
        if many == 'n':
            n = self.dice.randrange(4)
            self.put('I', n)
        for _ in range(n):
            self.one(kind)
        if begun is not None:
            self.out = self.out[:begun - 4] + struct.pack(
                self.order + 'I', len(self.out) - begun) + self.out[begun:]

    def message(self, kind):
        """A message, with what some writers append."""
        self.out = b''
        self.one(kind)
        pad = bytes(-len(self.out) % 4) if self.dice.random() < .5 else b''
        return bytes([0, self.kind, 0, 0]) + self.out + pad


LINE = '=' * 80 + '\n'
DEFINITIONS = {
    'all kinds': ('test_msgs/msg/All', ''.join(
        '%s f%d\n%s[] l%d\n%s[3] a%d\n' % (k, n, k, n, k, n)
        for n, k in enumerate((*CDR, 'string')))),
    'messages': (
        'nav/msg/Pose', 'std_msgs/Header header\nPoint[] points # "x"\n'
        'nav/msg/Empty e\nuint8 A=3\nstring S="a=b#c"\nint32[<=5] few 1\n'
        'string<=10 name "a=b"\nstring<=3[<=2] names\nbool b true\n'
        'Empty[2] two\nfloat64 last\n'
        + LINE + 'MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\n'
        'string frame_id\n'
        + LINE + 'MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n'
        + LINE + 'MSG: nav/Point\nfloat64 x\nfloat32 y\nint8 z\n'
        + LINE + 'MSG: nav/msg/Empty\n# nothing\n'),
    'times that are left out': (
        'nav/msg/T', 'builtin_interfaces/Time t\nbyte b\n'
        'builtin_interfaces/Duration[2] d\n'),
    'nothing': ('nav/msg/Empty', '\n# only a comment\nint32 X=1\n')}


def cdr(folder, dice):
    """Messages of ROS 2."""
    for name, (kind, text) in DEFINITIONS.items():
        schema = records.Schema(1, kind, 'ros2msg', text.encode())
        reader = Cdr(None, schema)
        writer = Writer(reader.types, dice)
        payloads = [writer.message(reader.root) for _ in range(40)]
        hold(folder, 'CDR, ' + name, schema, 'cdr', payloads)
        for raw in payloads[:10]:
            hold(folder, 'CDR, %s, changed' % name, schema, 'cdr', [
                raw + b'\0\0\0\0', b'\1\0' + raw[2:], b'\0\3' + raw[2:],
                raw + b'\1', raw[:3], *(b'\0' + bytes([kind]) + raw[2:] for kind
                                          in (2, 4, 5, 8, 9, 10, 11))],
                decoded=False)
        for number in CDR_KINDS:
            writer = Writer(reader.types, dice, number)
            hold(folder, 'CDR of kind %d, %s' % (number, name), schema, 'cdr',
                 [writer.message(reader.root) for _ in range(15)])
    # By hand, as the rules of CDR have it.
    got = export(folder, 'CDR by hand', records.Schema(
        1, 'a/msg/A', 'ros2msg', b'uint8 a\nfloat64 b\nstring c\nint16[] d\n'),
        'cdr', [b'\0\1\0\0' b'\1' + bytes(7) + struct.pack('<d', 2.5)
                + b'\3\0\0\0hi\0' b'\0' b'\2\0\0\0\xff\xff\1\0'])
    for kind, payload in (
            (0, b'\1' + bytes(7) + struct.pack('>d', 2.5)
             + b'\0\0\0\3hi\0' b'\0' b'\0\0\0\2\xff\xff\0\1'),
            (7, b'\1' + bytes(3) + struct.pack('<d', 2.5)
             + b'\3\0\0\0hi\0' b'\0' b'\2\0\0\0\xff\xff\1\0')):
        got += export(folder, 'CDR by hand, %d' % kind, records.Schema(
            1, 'a/msg/A', 'ros2msg', b'uint8 a\nfloat64 b\nstring c\nint16[] d\n'),
            'cdr', [bytes([0, kind, 0, 0]) + payload])
    check('CDR by hand', got == 3 * [{'a': 1, 'b': 2.5, 'c': 'hi', 'd': [-1, 1]}],
          got)
    for name, text in (('wide text', 'wstring w\n'), ('a loop', 'A a\n'),
                       ('a missing type', 'b/Missing b\n'),
                       ('two of one name', 'uint8 x\nuint8 x\n'),
                       ('a bad bound', 'uint8[<=x] x\n'),
                       ('no name', 'uint8\n'), ('of IDL', 'struct X {}')):
        got = export(folder, 'CDR, ' + name, records.Schema(
            1, 'a/msg/A', 'ros2msg', text.encode()), 'cdr',
            [b'\0\1\0\0\0\0\0\0'])
        check('CDR, %s: stays bytes' % name, got == [None], got)


def services(folder):
    """Events of services, of which the log has the definition of the service."""
    info = b'\2\0\0\0' + struct.pack('<iI', 7, 8) + bytes(range(16)) \
        + struct.pack('<4xq', -5)
    both = b'\0\1\0\0' + info + struct.pack('<I4xdI', 1, 2.5, 1) + b'\1'
    neither = b'\0\1\0\0' + info + bytes(8)
    want = {'info': {'event_type': 2, 'stamp': {'sec': 7, 'nanosec': 8},
                     'client_gid': base64.b64encode(bytes(range(16))).decode(),
                     'sequence_number': -5},
            'request': [{'p': {'x': 2.5}}], 'response': [{'ok': True}]}
    line = '=' * 80 + '\n'
    service = 'Point p # "x"\n---\nbool ok\n'
    types = line + 'MSG: nav/Point\nfloat64 x\n'
    for name, kind, text, known in (
            ('event', 'nav/srv/Go_Event', service + types, True),
            ('event with a head', 'nav/srv/Go_Event',
             line + 'SRV: nav/srv/Go\n' + service + types, True),
            ('no type', 'nav/srv/Go_Event', service, False),
            ('no line', 'nav/srv/Go_Event', service.replace('---', '--')
             + types, False),
            ('line in a type', 'nav/srv/Go_Event', 'Point p\n' + types
             + '---\nbool ok\n', False),
            ('no name', 'nav/srv/_Event', service + types, False),
            ('a message', 'nav/msg/Go_Event', service + types, False)):
        got = export(folder, 'service, ' + name, records.Schema(
            1, kind, 'ros2msg', text.encode()), 'cdr',
            [both, neither, both + b'\0' * 9])
        check('service, ' + name, got == ([want, dict(
            want, request=[], response=[]), None] if known else [None] * 3),
              got)


def tables(folder):
    """CSV has the same values."""
    payloads = [key(1, 0) + bytes([n]) + key(2, 2) + b'\2\2\4' for n in (5, 6)]
    log, out = folder / 'log.mcap', folder / 'out.csv'
    log.write_bytes(log_of(small(), records.Channel(1, 1, '/t', 'protobuf'),
                           payloads + [b'']))
    subprocess.run([SALVOR, 'export', '-qq', '-o', out, log], check=True)
    with open(out / 't.csv', encoding='utf-8', newline='') as lines:
        rows = list(csv.DictReader(lines))
    check('tables', [(r['data.n'], r['data.list.0'], r['data.list.1'])
                     for r in rows] == [('5', '1', '2'), ('6', '1', '2'),
                                        ('', '', '')], rows)


def main():
    """All of it."""
    dice = random.Random(23)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        protobuf(folder, dice)
        wire(folder)
        hostile(folder)
        cdr(folder, dice)
        services(folder)
        tables(folder)
    end()


main()

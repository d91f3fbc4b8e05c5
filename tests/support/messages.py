"""What is in messages of protobuf and of ROS 2, read by others than salvor: Google's
protobuf, and the few rules of CDR.

    Proto(channel, schema).read(raw)    the value; None: it is not known
    Cdr(channel, schema).read(raw)
"""
import base64
import re
import struct

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.message import DecodeError
from google.protobuf import message_factory

CDR = {'bool': 'B', 'byte': 'B', 'char': 'B', 'uint8': 'B', 'int8': 'b',
       'uint16': 'H', 'int16': 'h', 'uint32': 'I', 'int32': 'i', 'uint64': 'Q',
       'int64': 'q', 'float32': 'f', 'float64': 'd'}
# By the second byte: the order of bytes, and whether it is XCDR2.
CDR_KINDS = {0: ('>', False), 1: ('<', False), 6: ('>', True), 7: ('<', True)}
TIMES = {'builtin_interfaces/Time', 'builtin_interfaces/Duration'}


class Single(float):
    """A number of 4 bytes."""


def text_of(raw):
    """A text, or what it is if it is none."""
    try:
        return raw.decode('utf-8')
    except UnicodeDecodeError:
        return {'base64': base64.b64encode(raw).decode()}


def short(name):
    """package/msg/Type is package/Type."""
    return name.replace('/msg/', '/')


class Cdr:
    """Messages of ROS 2, by the text of their definition."""

    def __init__(self, _, schema):
        self.types, self.raw, self.at = {}, b'', 0
        self.order, self.newer = '<', False
        self.root = short(schema.name)
        text = bytes(schema.data).decode('utf-8')
        for number, part in enumerate(re.split('(?m)^=+\n', text)):
            name = self.root
            if number:
                first, _, part = part.partition('\n')
                name = short(first.removeprefix('MSG:').strip())
            self.types.setdefault(name, list(self.fields_of(name, part)))
        self.check(self.root, ())

    @staticmethod
    def fields_of(name, text):
        """The fields of a type: name, type, and how many: None, a number, or 'n'."""
        package = name.split('/')[0]
        for line in text.splitlines():
            line = line.split('#')[0].strip()
            found = re.match(r'([\w/]+)(<=\d+)?\s*(\[(?:<=)?\d*\])?\s+(\w+)\s*(.*)',
                             line)
            if not line:
                continue
            if not found:
                raise ValueError(line)
            kind, _, many, field, rest = found.groups()
            if rest.startswith('='):
                continue
            kind = short(kind)
            if kind == 'Header':
                kind = 'std_msgs/Header'
            if kind not in CDR and kind != 'string' and '/' not in kind:
                kind = package + '/' + kind
            if many:
                many = int(many[1:-1]) if many[1:-1].isdigit() else 'n'
            yield field, kind, many

    def check(self, name, above):
        """All types are known, and none is in itself."""
        if name in TIMES and name not in self.types:
            second = 'int32'
            self.types[name] = [('sec', second, None), ('nanosec', 'uint32', None)]
        if name in above:
            raise ValueError(name)
        for _, kind, _ in self.types[name]:
            if kind not in CDR and kind != 'string':
                self.check(kind, above + (name,))

    def take(self, code):
        """A number, aligned."""
        size = struct.calcsize('<' + code)
        self.at += -self.at % (min(size, 4) if self.newer else size)
        value, = struct.unpack_from(self.order + code, self.raw, self.at)
        self.at += size
        return Single(value) if code == 'f' else value

    def one(self, kind):
        """A value of a type."""
        if kind == 'bool':
            number = self.take('B')
            return bool(number) if number < 2 else number
        if kind in CDR:
            return self.take(CDR[kind])
        if kind == 'string':
            length = self.take('I')
            raw = self.raw[self.at:self.at + length]
            self.at += length
            if len(raw) != length or raw[-1:] not in (b'', b'\0'):
                raise struct.error
            return text_of(raw[:-1])
        if not self.types[kind]:
            self.at += 1
        return {field: self.value(of, many)
                for field, of, many in self.types[kind]}

    def value(self, kind, many):
        """A value, or several."""
        if many is None:
            return self.one(kind)
        if self.newer and kind not in CDR:
            size = self.take('I')
            begun, values = self.at, self.several(kind, many)
            if self.at - begun != size:
                raise struct.error
            return values
        return self.several(kind, many)

    def several(self, kind, many):
        """Several values."""
        n = self.take('I') if many == 'n' else many
        if kind in ('uint8', 'byte', 'char'):
            raw = self.raw[self.at:self.at + n]
            self.at += n
            if len(raw) != n:
                raise struct.error
            return base64.b64encode(raw).decode()
        if n > len(self.raw):
            raise struct.error
        return [self.one(kind) for _ in range(n)]

    def read(self, raw):
        """A message."""
        if len(raw) < 4 or raw[:1] != b'\0' or raw[1] not in CDR_KINDS:
            return None
        self.order, self.newer = CDR_KINDS[raw[1]]
        self.raw, self.at = raw[4:], 0
        try:
            value = self.one(self.root)
        except struct.error:
            return None
        left = self.raw[self.at:]
        return value if self.at <= len(self.raw) and len(left) < 4 \
            and not any(left) else None


class Proto:
    """Messages of protobuf, by a FileDescriptorSet."""

    def __init__(self, _, schema):
        pool = descriptor_pool.DescriptorPool()
        wanted = descriptor_pb2.FileDescriptorSet.FromString(bytes(schema.data))
        files = {f.name: f for f in wanted.file}
        while files:
            ready = [f for f in files.values()
                     if not any(d in files for d in f.dependency)]
            if not ready:
                raise ValueError('a loop')
            for file in ready:
                pool.Add(file)
                del files[file.name]
        about = pool.FindMessageTypeByName(schema.name)
        self.check(about, ())
        self.message = message_factory.GetMessageClass(about) \
            if hasattr(message_factory, 'GetMessageClass') \
            else message_factory.MessageFactory(pool).GetPrototype(about)

    def check(self, about, above):
        """No type is in itself."""
        if about.full_name in above or len(above) > 30:
            raise ValueError(about.full_name)
        for field in about.fields:
            if field.type == field.TYPE_GROUP:
                raise ValueError(field.name)
            if field.message_type is not None:
                self.check(field.message_type, above + (about.full_name,))

    def one(self, field, value):
        """A value of a field."""
        if field.message_type is not None:
            return self.object(value)
        if field.type == field.TYPE_BYTES:
            return base64.b64encode(value).decode()
        return Single(value) if field.type == field.TYPE_FLOAT else value

    def object(self, message):
        """The fields that are there."""
        out = {}
        for field, value in message.ListFields():
            entry = field.message_type is not None \
                and field.message_type.GetOptions().map_entry
            if entry:
                raise ValueError('maps lose their order')
            out[field.name] = [self.one(field, v) for v in value] \
                if field.label == field.LABEL_REPEATED else self.one(field, value)
        return out

    def read(self, raw):
        """A message."""
        message = self.message()
        try:
            message.ParseFromString(raw)
        except DecodeError:
            return None
        before = message.ByteSize()
        message.DiscardUnknownFields()
        return self.object(message) if message.ByteSize() == before else None

"""What is in a payload, read by others than salvor: genpy for ROS 1, Google's protobuf,
struct for plain numbers of BDDF and packets of CARLA, and for ULog and CDR the few rules of
these.

    Reader(channel, schema).read(raw)   the value; None: it is not known
    same(got, want)                     is what JSON holds that value?
"""
import base64
import io
import math
import re
import struct

import genpy
import genpy.dynamic
import genpy.generator

import packets
from exported import PODS
from messages import Cdr, DecodeError, Proto, Single, text_of

ULOG = {'int8_t': 'b', 'uint8_t': 'B', 'int16_t': 'h', 'uint16_t': 'H',
        'int32_t': 'i', 'uint32_t': 'I', 'int64_t': 'q', 'uint64_t': 'Q',
        'float': 'f', 'double': 'd', 'bool': 'B', 'char': 'c'}
DATAFLASH = {'a': '32h', 'b': 'b', 'B': 'B', 'M': 'B', 'h': 'h', 'H': 'H',
             'c': 'h', 'C': 'H', 'i': 'i', 'I': 'I', 'e': 'i', 'E': 'I',
             'L': 'i', 'f': 'f', 'd': 'd', 'q': 'q', 'Q': 'Q', 'n': '4s',
             'N': '16s', 'Z': '64s'}
ODD = {'NaN': math.nan, 'Infinity': math.inf, '-Infinity': -math.inf}


def of_ros(value, kind):
    """A value of genpy of a type."""
    array = re.fullmatch(r'(.*)\[\d*\]', kind)
    if array and array.group(1) in ('uint8', 'char'):
        return base64.b64encode(bytes(value)).decode()
    if array:
        return [of_ros(one, array.group(1)) for one in value]
    if kind in ('time', 'duration'):
        return {'sec': value.secs, 'nsec': value.nsecs}
    if kind == 'string':
        return value if isinstance(value, str) else text_of(value)
    if isinstance(value, genpy.Message):
        return {name: of_ros(getattr(value, name), of)
                for name, of in zip(value.__slots__, value._slot_types)}
    return Single(value) if kind == 'float32' else value


class Ros:
    """Messages of ROS 1."""

    def __init__(self, channel, schema):
        self.kind = genpy.dynamic.generate_dynamic(
            schema.name, schema.data.decode())[schema.name]

    def read(self, raw):
        """The fields; None: these are not the bytes of a message."""
        try:
            message = self.kind().deserialize(raw)
            again = io.BytesIO()
            message.serialize(again)
        except (genpy.DeserializationError, genpy.SerializationError,
                struct.error, UnicodeError):
            return None
        if again.getvalue() != raw:
            return None
        return of_ros(message, '')


class Numbers:
    """Plain numbers."""

    def __init__(self, channel, schema):
        self.code = PODS[schema.name[len('salvor.'):-len('Series')]]
        self.each = 1
        for key, value in channel.metadata:
            if key.startswith('dimension.'):
                self.each *= int(value)

    def read(self, raw):
        """A list, or a list of lists."""
        size = struct.calcsize('<' + self.code)
        if self.each == 0 or len(raw) % (size * self.each):
            return None
        got = struct.unpack('<%d%s' % (len(raw) // size, self.code), raw)
        got = [Single(x) if self.code == 'f' else x for x in got]
        return got if self.each == 1 else [
            got[i:i + self.each] for i in range(0, len(got), self.each)]


class Ardupilot:
    """Messages of DataFlash."""

    def __init__(self, _, schema):
        _, self.letters, names = schema.data.decode().split(':')
        self.names = names.split(',') if names else []

    def read(self, raw):
        """The fields."""
        value, at = {}, 0
        for letter, name in zip(self.letters, self.names):
            code = DATAFLASH[letter]
            got = struct.unpack_from('<' + code, raw, at)
            at += struct.calcsize('<' + code)
            if letter in 'nNZ':
                got = [text_of(got[0].split(b'\0')[0])]
            if letter == 'f':
                got = [Single(got[0])]
            value[name] = list(got) if letter == 'a' else got[0]
        return value if at == len(raw) else None


class Flight:
    """Data of ULog."""

    def __init__(self, channel, schema):
        lines = schema.data.decode().splitlines()
        self.formats = dict(line.split(':', 1) for line in lines)
        self.name = lines[0].split(':', 1)[0]

    def struct(self, name, raw, at):
        """The fields of a format, and where they end."""
        value = {}
        for field in filter(None, self.formats[name].split(';')):
            kind, key = field.split(' ', 1)
            kind, many = re.fullmatch(r'([^\[]*)(?:\[(\d+)\])?',
                                      kind).groups()
            if key.startswith('_padding'):
                at = min(at + int(many or 1), len(raw))
                continue
            many, got = int(many or 1), []
            for _ in range(many):
                if kind in ULOG:
                    size = struct.calcsize('<' + ULOG[kind])
                    got += struct.unpack_from('<' + ULOG[kind], raw, at)
                    at += size
                else:
                    inner, at = self.struct(kind, raw, at)
                    got.append(inner)
            if kind == 'float':
                got = [Single(x) for x in got]
            if kind == 'bool':
                got = [bool(x) if x < 2 else x for x in got]
            if kind == 'char':
                got = [text_of(b''.join(got).split(b'\0')[0])]
                many = 1
            value[key] = got[0] if many == 1 else got
        return value, at

    def read(self, raw):
        """The fields."""
        try:
            value, at = self.struct(self.name, raw, 0)
        except (struct.error, KeyError):
            return None
        return value if at == len(raw) else None


class Packet:
    """Packets of CARLA."""

    def __init__(self, channel, schema):
        self.fields = packets.PACKETS[channel.topic]
        self.vector = packets.vector_of(channel)
        self.raw, self.at = b'', 0

    def take(self, code):
        """A number."""
        value, = struct.unpack_from('<' + code, self.raw, self.at)
        self.at += struct.calcsize('<' + code)
        return Single(value) if code == 'f' else value

    def bytes(self, size):
        """So many bytes."""
        if size > len(self.raw) - self.at:
            raise struct.error
        self.at += size
        return self.raw[self.at - size:self.at]

    def value(self, kind):
        """A value."""
        if kind == 'v':
            return {axis: self.take(self.vector) for axis in 'xyz'}
        if kind == 'T':
            return text_of(self.bytes(self.take('H')))
        if kind == '?':
            number = self.take('B')
            return bool(number) if number < 2 else number
        if kind.endswith(']'):
            return [self.struct(kind[2:-1])
                    for _ in range(self.take(kind[0]))]
        return self.take(kind)

    def struct(self, fields):
        """A struct."""
        return {name: self.value(kind) for name, kind in packets.fields_of(
            fields)}

    def read(self, raw):
        """The struct, or the list of them."""
        self.raw, self.at = raw, 0
        try:
            value = self.value(self.fields) if self.fields[:2] == 'H[' \
                else self.struct(self.fields)
        except struct.error:
            return None
        return value if self.at == len(raw) else None


def reader_of(channel, schema):
    """Who reads the payloads of a channel; None: nobody."""
    if channel.topic in packets.PACKETS and schema is not None \
            and schema.name == 'salvor.carla.' + channel.topic:
        return Packet(channel, schema)
    if schema is None:
        return None
    if schema.encoding == 'ros1msg' and channel.encoding == 'ros1':
        kind = Ros
    elif schema.encoding == 'ulog':
        kind = Flight
    elif schema.encoding == 'dataflash':
        kind = Ardupilot
    elif re.fullmatch('salvor[.][A-Z][a-z]+[0-9]+Series', schema.name):
        kind = Numbers
    elif schema.encoding == 'ros2msg' and channel.encoding == 'cdr':
        kind = Cdr
    elif schema.encoding == channel.encoding == 'protobuf':
        kind = Proto
    else:
        return None
    try:
        return kind(channel, schema)
    except (genpy.generator.MsgGenerationException, KeyError,
            TypeError, UnicodeError, ValueError, DecodeError):
        return None


def same(got, want):
    """Is what JSON holds this value, to the last bit?"""
    if isinstance(want, dict):
        return isinstance(got, dict) and list(got) == list(want) \
            and all(same(got[key], want[key]) for key in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) \
            and all(map(same, got, want))
    if isinstance(want, float):
        got = ODD.get(got, got) if isinstance(got, str) else got
        code = '<f' if isinstance(want, Single) else '<d'
        return isinstance(got, float) and (
            (got != got and want != want)
            or struct.pack(code, got) == struct.pack(code, want))
    return type(got) is type(want) and got == want

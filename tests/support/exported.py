"""What was a record before salvor exported it."""
import re
import struct

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import packets
from tally import check

# Plain numbers of BDDF, as Python packs them.
PODS = {'Int8': 'b', 'Int16': 'h', 'Int32': 'i', 'Int64': 'q',
        'Uint8': 'B', 'Uint16': 'H', 'Uint32': 'I', 'Uint64': 'Q',
        'Float32': 'f', 'Float64': 'd'}


CLASSES = {}  # by the bytes of their description


def classes_of(schema):
    """The message class that a schema describes."""
    key = schema.name, schema.data
    if key in CLASSES:
        return CLASSES[key]
    pool = descriptor_pool.DescriptorPool()
    for one in descriptor_pb2.FileDescriptorSet.FromString(schema.data).file:
        pool.Add(one)
    described = pool.FindMessageTypeByName(schema.name)
    if hasattr(message_factory, 'GetMessageClass'):
        CLASSES[key] = message_factory.GetMessageClass(described)
    else:
        CLASSES[key] = message_factory.MessageFactory(pool).GetPrototype(
            described)
    return CLASSES[key]


def numbers_of(schema, data):
    """The bytes that a message of plain numbers was made from.  Protobuf reads the
    same numbers in it that the bytes hold, to the last bit of a NaN."""
    code = PODS[schema.name[len('salvor.'):-len('Series')]]
    message = classes_of(schema).FromString(data)
    size = struct.calcsize('<' + code)
    width, at = max(size, 4), 0
    if message.values:
        at = 1  # a key and a length
        while data[at] >= 0x80:
            at += 1
        at += 1
    packed = data[at:at + len(message.values) * width]
    raw = b''.join(packed[i:i + size] for i in range(0, len(packed), width))
    want = struct.unpack('<%d%s' % (len(raw) // size, code), raw)
    check('%s: numbers' % schema.name, len(message.values) == len(want)
          and all(a == b or (a != a and b != b)
                  for a, b in zip(message.values, want)), (want, data))
    return raw + message.rest


def original(file, message):
    """The payload as the log has it."""
    schema = file.schemas.get(file.channels[message.channel].schema)
    if schema is not None and schema.encoding == 'protobuf' \
            and re.fullmatch('salvor[.][A-Z][a-z]+[0-9]+Series', schema.name):
        return numbers_of(schema, message.data)
    if schema is not None and schema.name.startswith('salvor.carla.'):
        return packets.pack(classes_of(schema).FromString(message.data),
                            file.channels[message.channel])
    return message.data

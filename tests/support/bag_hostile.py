"""bag_hostile.py - ROS 1 bags that want to do harm: texts made to drive a
terminal or to break JSON, numbers that lie about sizes, counts and places,
chunks that decompress to thousands of times their size, and crowds of things
each of which might ask about all others.
"""
import bz2
import random
import struct

import bag_reader
from bag_writer import (FIRST_CHUNK, OP_CHUNK, Connection, Message, Shape,
                        bag_header, chunk_record, connection_record, fields,
                        index_record, message_record, record, sized, u32, u64,
                        write)
from hostile import HUGE, testdata, text

COUNT = 240
MAGIC_HEAD = 13
LZ4_HEAD = bytes.fromhex("04224d18646085")  # of the frames that ROS writes
END_OF_BZ2 = 0x177245385090


def hostile_connection(rng, conn):
    """A connection whose texts are hostile, as it is stored."""
    about = [("type", text(rng)), ("md5sum", rng.choice((b"*", text(rng)))),
             ("message_definition", text(rng) * rng.choice((1, 1, 50))),
             ("callerid", text(rng)), ("latching", text(rng))]
    return record(7, [("conn", u32(conn)), ("topic", text(rng))],
                  fields(about), rng.choice(("cpp", "rospy", "hash")))


def number(rng, size=4):
    """A number that lies."""
    return (rng.choice(HUGE) & (1 << 8 * size) - 1).to_bytes(size, "little")


def some_bag(rng, **shape):
    """A sound bag, small."""
    conns = [Connection(n, "/%d" % n, "t/T", "uint8[] data\n")
             for n in range(3)]
    said = [Message(rng.randrange(3), 1700000000 + n, n, text(rng))
            for n in range(rng.choice((2, 9, 30)))]
    return write(conns, said, Shape(**{
        "threshold": 300, "compression": (rng.choice(
            ("none", "none", "bz2", "lz4")),), **shape}))


def texts(rng):
    """Hostile texts, closed, cut or never closed."""
    raw = bytearray()
    for conn in range(rng.choice((1, 3))):
        raw += hostile_connection(rng, conn)
        for n in range(rng.choice((0, 2, 9))):
            raw += message_record(Message(conn, 1700000000 + n, n, text(rng)),
                                  "cpp")
    made = bytearray(b"#ROSBAG V2.0\n" + bag_header(0, 0, 0))
    made += chunk_record(bytes(raw), rng.choice(("none", "lz4", "bz2")),
                         Shape())
    if rng.random() < .5:
        made += hostile_connection(rng, 0)
    if rng.random() < .3:
        del made[rng.randrange(FIRST_CHUNK, len(made)):]
    return bytes(made)


def liar(rng):
    """Fields of numbers that lie, in any record."""
    raw = bytearray(some_bag(rng, compression=("none",)))
    marks = [at + len(name) for name, size in (
        (b"size=", 4), (b"count=", 4), (b"conn=", 4), (b"ver=", 4),
        (b"time=", 8), (b"chunk_pos=", 8), (b"index_pos=", 8),
        (b"conn_count=", 4), (b"chunk_count=", 4))
             for at in range(len(raw)) if raw[at:at + len(name)] == name]
    for _ in range(rng.choice((1, 2, 6))):
        at = rng.choice(marks)
        size = rng.choice((1, 4, 8))
        raw[at:at + size] = number(rng, size)
    return bytes(raw)


def lengths(rng):
    """Lengths of headers, of data and of fields that lie."""
    raw = bytearray(some_bag(rng))
    bag = bag_reader.read(bytes(raw))
    starts = [c.at for c in bag.chunks] + [
        i[0] for c in bag.chunks for i in c.indexes] + [
            t[0] for t in bag.tail] + [i[0] for i in bag.infos] + [MAGIC_HEAD]
    for _ in range(rng.choice((1, 1, 4))):
        at = rng.choice(starts)
        head, = struct.unpack_from("<I", raw, at)
        at += rng.choice((0, 4, 4 + head if head < 500 else 0))
        raw[at:at + 4] = number(rng)
    return bytes(raw)


def places(rng):
    """An index whose entries overlap, point anywhere or in circles."""
    raw = bytearray(some_bag(rng, compression=("none",)))
    bag = bag_reader.read(bytes(raw))
    for chunk in bag.chunks:
        _, end, _, at = rng.choice(chunk.indexes)
        for entry in range(at, end, 12):
            raw[entry + 8:entry + 12] = rng.choice((
                u32(0), u32(chunk.messages[0].at), number(rng)))
    for start, end in bag.infos:
        at = raw.index(b"chunk_pos=", start) + 10
        raw[at:at + 8] = u64(rng.choice((
            bag.chunks[0].at, start, bag.index_pos, 0, *HUGE)) % (1 << 64))
    return bytes(raw)


def mutated(rng):
    """Any of the others, with bytes changed, moved or doubled."""
    raw = bytearray(rng.choice((some_bag, texts, liar, places))(rng))
    for _ in range(rng.choice((1, 3, 20))):
        at, n = rng.randrange(len(raw)), rng.randrange(1, 40)
        other = rng.randrange(len(raw))
        piece = bytes(raw[other:other + n])
        raw[at:at + rng.choice((0, n))] = rng.choice((
            piece, bytes(n), bytes([rng.randrange(256)]), number(rng)))
    return bytes(raw)


KINDS = (texts, liar, lengths, places, mutated, texts, mutated, lengths)


def files(rng, count=COUNT):
    """The bytes of each file."""
    for n in range(count):
        rng.next_file()
        yield KINDS[n % len(KINDS)](rng)


# ---- chunks that grow -------------------------------------------------------


def unclosed(*records):
    """A bag of these records that was never closed."""
    return b"#ROSBAG V2.0\n" + bag_header(0, 0, 0) + b"".join(records)


def packed_chunk(how, stored, size):
    """A chunk of data that is compressed already."""
    return record(OP_CHUNK, [("compression", how), ("size", u32(size))],
                  stored, "cpp")


def bz2_bomb(blocks):
    """One stream of blocks of zeros; a block is 40 bytes and becomes 46 MB,
    its checksums at the end may be wrong."""
    zeros = bz2.compress(bytes(46 << 20), 9)
    bits = bin(int.from_bytes(zeros, "big"))[2:].zfill(8 * len(zeros))
    end = bits.rindex(bin(END_OF_BZ2)[2:].zfill(48))
    first = bits.index(bin(0x314159265359)[2:].zfill(48), 33) \
        if bits.count(bin(0x314159265359)[2:].zfill(48)) > 1 else end
    block = bits[32:first]
    made = bits[:32] + block * blocks + bits[end:end + 80]
    made += "0" * (-len(made) % 8)
    return int(made, 2).to_bytes(len(made) // 8, "big")


def lz4_bomb(blocks):
    """A frame of blocks of zeros: 4 KB that become 1 MiB each."""
    left = (1 << 20) - 1 - 4 - 5
    block = b"\x1f\0\x01\0" + b"\xff" * ((left - 15) // 255) + bytes(
        [(left - 15) % 255]) + b"\x50" + bytes(5)
    return LZ4_HEAD + sized(block) * blocks + bytes(8)


def bombs():
    """(name, bytes): what they become is said, denied, or not known."""
    for how, stored, big in ((b"bz2", bz2_bomb(200), 200 * 46 << 20),
                             (b"lz4", lz4_bomb(3000), 3000 << 20)):
        for name, size in (("true", big & 0xffffffff), ("small", 1000),
                           ("open", 0), ("most", 0xffffffff)):
            yield "%s %s" % (how.decode(), name), unclosed(
                packed_chunk(how, stored, size))
    yield "none", unclosed(packed_chunk(b"none", b"", 0xffffffff))


def equal_chunks(chunks, messages, size, how="bz2"):
    """One chunk of messages of zeros as often as that: a few hundred bytes for
    megabytes."""
    c = Connection(0, "/a", "t/T", "uint8[] data\n")
    said = message_record(Message(0, 1700000000, 0, bytes(size)), "cpp")
    return unclosed(chunk_record(connection_record(c, "cpp") + said * messages,
                                 how, Shape()) * chunks)


def large_chunk(size):
    """A chunk of one message that does not compress, and takes long."""
    said = Message(0, 1700000000, 0, random.Random(1).randbytes(size))
    c = Connection(0, "/a", "t/T", "uint8[] data\n")
    return unclosed(chunk_record(connection_record(c, "cpp")
                                 + message_record(said, "cpp"), "bz2",
                                 Shape()))


def swollen():
    """(name, bytes): no chunk holds much, and all together hold 1000 to 10000
    bytes for each byte of the file."""
    yield "large messages", equal_chunks(100, 1, 10 << 20)
    yield "messages", equal_chunks(300, 300, 10000)
    yield "small messages", equal_chunks(60, 100000, 0)
    yield "chunks", equal_chunks(1000, 1, 200000)


# ---- many of a kind ---------------------------------------------------------


def anchors(n):
    """What a record's op looks like, and no record."""
    return unclosed((u32(4) + b"op=\x05" + b"garbage") * n)


def lz4_heads(n):
    """Beginnings of frames, each of which goes on to the end."""
    return unclosed((LZ4_HEAD + u32(1 << 20) + b"\xf0" + b"x" * 8) * n)


def magics(n):
    """The magic of bags again and again, with no bag after it."""
    return unclosed(b"#ROSBAG V2.0\n\xff" * n)


def bz2_heads(n):
    """Beginnings of streams."""
    return unclosed((b"BZh91AY&SY" + b"x" * 10) * n)


def open_chunks(n):
    """Chunks of which each says that it is open, and none has anything."""
    return unclosed(packed_chunk(b"none", b"", 0) * n)


def small_chunks(n):
    """Chunks with one message each, with their index."""
    c = Connection(0, "/a", "t/T", "uint8[] data\n")
    out = [chunk_record(connection_record(c, "cpp"), "none", Shape())]
    for k in range(n):
        said = Message(0, 1700000000 + k // 1000, k % 1000, b"")
        out += [chunk_record(message_record(said, "cpp"), "none", Shape()),
                index_record(0, [(said.sec, said.nsec, 0)], "cpp")]
    return unclosed(*out)


def many_connections(n):
    """A connection for every message."""
    out = []
    for k in range(n):
        c = Connection(k, "/%d" % k, "t/T", "uint8[] data\n")
        out += [connection_record(c, "cpp"), message_record(
            Message(k, 1700000000, k, b""), "cpp")]
    return unclosed(chunk_record(b"".join(out), "none", Shape()))


def same_connection(n):
    """One connection again and again, each time another one."""
    return unclosed(chunk_record(b"".join(connection_record(
        Connection(0, "/%d" % k, "t/T", "uint8[] data\n"), "cpp")
                                          for k in range(n)), "none", Shape()))


def empty_chunks(n):
    """As many chunks without anything as connections before them."""
    declared = b"".join(connection_record(
        Connection(k, "/%d" % k, "t/T", "uint8[] data\n"), "cpp")
                        for k in range(n))
    return unclosed(chunk_record(declared, "none", Shape()),
                    packed_chunk(b"none", b"", 0) * n)


def counted_backwards(n):
    """An index that counts messages in another order than connections come."""
    raw = write([Connection(k, "/%d" % k, "t/T", "uint8[] data\n")
                 for k in range(n)],
                [Message(k, 1700000000, k, b"") for k in range(n)],
                Shape(threshold=1 << 30))
    counts = [raw[at:at + 8] for at in range(len(raw) - 8 * n, len(raw), 8)]
    return raw[:-8 * n] + b"".join(reversed(counts))


def same_chunks(n):
    """One chunk again and again, and an index that means others."""
    raw = write([Connection(0, "/a", "t/T", "uint8[] data\n")],
                [Message(0, 1700000000, 5, b"x" * 30)] * n, Shape(threshold=1))
    head, *infos = raw.split(b"chunk_pos=")
    return head + b"".join(b"chunk_pos=" + bytes([i[0] ^ 1]) + i[1:]
                           for i in infos)


def bags_in_payloads(n):
    """Messages that hold a bag each."""
    c = Connection(0, "/a", "t/T", "uint8[] data\n")
    inner = write([c], [Message(0, 1, 1, b"inner")])
    return write([c], [Message(0, 1700000000, k, inner) for k in range(n)])


def repeated(n):
    """One chunk again and again, byte by byte, in a bag that was never closed."""
    return equal_chunks(n, 1, 30, "none")


def repeated_apart(n):
    """The same, with a byte too many after each."""
    chunk = equal_chunks(1, 1, 30, "none")
    head = unclosed()
    return head + (chunk[len(head):] + b"\xff") * n


def false_lengths(n):
    """Messages whose lengths reach to the end of the file."""
    said = bytearray(message_record(Message(0, 1700000000, 1, b""), "cpp"))
    said[-4:] = u32(50 * n)
    return unclosed(chunk_record(bytes(said) * n, "none", Shape()))


def gaps_before_an_index(n, rows=5, long=100):
    """Chunks with something else in each, and the index of none: few are after all
    of them."""
    said = [message_record(Message(0, 1700000000, k, b""), "cpp")
            for k in range(5)]
    broken = record(OP_CHUNK, [("compression", b"none"), ("size", u32(0))],
                    b"", "cpp") + b"".join(said[:4]) + b"\xff" + said[4]
    c = Connection(0, "/a", "t/T", "uint8[] data\n")
    index = index_record(0, [(1600000000, k, k) for k in range(long)], "cpp")
    return unclosed(chunk_record(connection_record(c, "cpp"), "none", Shape()),
                    broken * n, (index + said[0]) * rows)


def gaps_before_long_indexes(n):
    """The same, and as much of the file are indexes, of which 60 are read."""
    return gaps_before_an_index(n, 60, n // 2)


def holes_again(n):
    """Chunks with the same hole again and again."""
    raw = testdata("rosbag/bad-chunk-hole.bag")
    return raw + raw[2697:8091] * n


def one_chunk(n, how="none"):
    """A bag of one chunk, of messages of as many connections."""
    return write([Connection(k, "/%d" % k, "t/T", "uint8[] data\n")
                  for k in range(n)],
                 [Message(k, 1700000000 + k // 1000, k % 1000, b"")
                  for k in range(n)],
                 Shape(threshold=1 << 30, compression=(how,)))


def lost_in_one_chunk(n):
    """The same with a hole in the chunk, and nothing after the index of it."""
    raw, info = one_chunk(n), one_chunk(n).rindex(b"chunk_pos=")
    at = len(raw) // 3
    return raw[:at] + b"\xff" * 200 + raw[at + 200:info - 40]


def decoded_twice(n):
    """A compressed chunk of which the first half is there twice."""
    inner = b"".join(connection_record(
        Connection(0, "/a", "t/T", "uint8[] data\n"), "cpp") if k == 0 else
        message_record(Message(0, 1700000000, k, b"%d" % (k * k)), "cpp")
                     for k in range(n + 1))
    raw = chunk_record(inner, "lz4", Shape())
    half = len(raw) // 2
    return unclosed(raw[:half] + b"\xff" * 64 + raw[60:])


def indexed_otherwise(n):
    """A chunk with an index that has another time for each message."""
    said = [message_record(Message(0, 1700000000 + k, 0, b""), "cpp")
            for k in range(n)]
    first = connection_record(Connection(0, "/a", "t/T", "uint8[] data\n"), "cpp")
    index = index_record(0, [(1700000000 + k, 64, len(first) + k * len(said[0]))
                             for k in range(n)], "cpp")
    return unclosed(chunk_record(first + b"".join(said), "none", Shape()), index)


def unannounced(n):
    """Messages of connections of which nothing declares each second one, and a bag
    that does."""
    out = []
    for k in range(n):
        c = Connection(k, "/%d" % k, "t/T", "uint8[] data\n")
        out += [connection_record(c, "cpp") * (k % 2),
                message_record(Message(k, 1700000000, k, b""), "cpp")]
    return unclosed(chunk_record(b"".join(out), "none", Shape())), \
        many_connections(n)


CROWDS = ((anchors, 30000), (lz4_heads, 20000), (bz2_heads, 20000),
          (magics, 60000),
          (open_chunks, 10000), (small_chunks, 8000),
          (many_connections, 6000), (same_connection, 6000),
          (empty_chunks, 6000), (counted_backwards, 8000),
          (same_chunks, 10000), (repeated, 15000), (repeated_apart, 8000),
          (bags_in_payloads, 100), (holes_again, 30),
          # More than is read at once, as of fewer all is in memory.
          (false_lengths, 24000), (gaps_before_an_index, 1000),
          (gaps_before_long_indexes, 1000),
          (lost_in_one_chunk, 6000), (decoded_twice, 60000),
          (indexed_otherwise, 12000))

# Each with another bag that explains it.
GIVEN = ((unannounced, 6000),)

#!/usr/bin/python3
"""Makes the damaged and odd ROS 1 bags in testdata/rosbag, and their README.

    make_bagdata.py [OUT]

Reads testdata/rosbag: the good-* bags, of which ROS's own library wrote the
good-drive-* ones and bag_writer.py the others, and expect.txt; writes
everything else there, or into the folder OUT.  The same input gives the same
bytes.  Shares nothing with salvor.
"""

import pathlib
import struct

import bag_cipher
import bag_writer as w
import corpus
from corpus import flip, garbage, put
from bag_classes import blank_head
from bag_reader import read

HOME = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "rosbag"
GIVEN = "unclosed-drive"  # a bad one that ROS's library left
FIRST = 4117  # where the first chunk begins
PAGE = 4096


def zero(raw, start, end):
    """Zeros in a range."""
    return put(raw, start, bytes(end - start))


def never_closed(raw, end):
    """What a recorder left that came so far."""
    return put(raw, 13, blank_head())[:end]


class Tiny:
    """A good bag, and where its parts are."""

    def __init__(self, name):
        self.raw = (HOME / f"good-{name}.bag").read_bytes()
        self.bag = read(self.raw)
        self.chunk = self.bag.chunks[2]  # one inside the others
        self.last = self.bag.chunks[-1]
        self.index_pos = self.bag.index_pos
        m = self.chunk.messages[2]
        self.message = self.chunk.data_at + m.at  # of an uncompressed bag
        self.message_end = self.chunk.data_at + m.end

    def end_of(self, chunk):
        """Where the index records of a chunk end."""
        return chunk.indexes[-1][1]

    def field(self, start, name):
        """Where the value of a field is, in the record at an offset."""
        return self.raw.index(name + b"=", start) + len(name) + 1


def cuts(t):
    """Tails that are missing."""
    infos = t.bag.infos
    for name, cut, where in (
            ("magic", 5, "the magic"), ("head", 200, "the bag header"),
            ("header", 13, "front of the bag header"),
            ("no-chunk", FIRST, "front of the first chunk"),
            ("first-chunk", FIRST + 20, "the header of the first chunk"),
            ("message", t.message + 60, "a payload"),
            ("message-header", t.message + 20, "the header of a message"),
            ("between", t.message, "front of a message"),
            ("index", t.chunk.indexes[0][3] + 5, "an index record"),
            ("chunk", t.end_of(t.chunk), "front of a chunk"),
            ("at-index", t.index_pos, "front of the connections"),
            ("connections", t.bag.tail[1][0] + 30, "the last connections"),
            ("infos", infos[1][0] + 50, "the chunk infos"),
            ("last-info", infos[-1][0], "front of the last chunk info"),
            ("last-byte", len(t.raw) - 1, "the last byte")):
        yield f"cut-{name}", f"cut at {cut}, in {where}", t.raw[:cut]


def unclosed(t, name):
    """What a recorder leaves that was killed."""
    head = t.last.at
    size = t.field(head, b"size")
    yield f"unclosed{name}", "never closed", never_closed(t.raw, t.index_pos)
    raw = never_closed(t.raw, t.last.end)
    raw = zero(zero(raw, size, size + 4), t.last.data_at - 4, t.last.data_at)
    yield (f"open{name}", f"never closed; the chunk at {head} says that it "
           "has 0 bytes", raw)
    end = t.last.data_at + (t.last.end - t.last.data_at) // 2
    yield (f"open{name}-cut", f"the same, cut at {end}", raw[:end])
    if name:
        yield (f"open{name}-header", f"the same, cut at {t.last.data_at}, "
               "after the header of that chunk", raw[:t.last.data_at])
        yield (f"open{name}-begun", f"the same, cut at {t.last.data_at + 7}",
               raw[:t.last.data_at + 7])
        return
    yield "open-again", "never closed, and the same again", raw + raw
    end = t.end_of(t.last) - 4
    yield (f"unclosed-cut", f"never closed, cut at {end} in an index record",
           never_closed(t.raw, end))
    raw = t.raw[:FIRST] + t.raw[t.end_of(t.bag.chunks[0]):t.index_pos]
    yield ("unclosed-no-first", "never closed, and the first chunk is "
           "missing: nothing says what its connections are",
           never_closed(raw, len(raw)))


def tails(t):
    """Tails that are something else, and tails too many."""
    end = len(t.raw)
    for name, start, size, where in (
            ("message", t.message + 60, 3000, "a payload"),
            ("between", t.message, 2000, "front of a message"),
            ("index", t.chunk.indexes[0][3] + 5, 2000, "an index record"),
            ("tail", t.bag.tail[1][0] + 30, end - t.bag.tail[1][0] - 30,
             "the connections at the end")):
        yield (f"zeros-{name}", f"zeros from {start} on, in {where}",
               t.raw[:start] + bytes(size))
        yield (f"garbage-{name}", f"garbage from {start} on, in {where}",
               t.raw[:start] + garbage(size))
    yield "junk", f"100 bytes of garbage at {end}", t.raw + garbage(100)
    yield "zeros-behind", f"1000 zeros at {end}", t.raw + bytes(1000)
    yield "bag-behind", f"another bag at {end}", t.raw + w.write([], [])
    yield "bag-again", f"the same bag once more at {end}", t.raw + t.raw
    yield ("bag-again-cut", f"twice more from {end} on, the last one cut",
           t.raw + t.raw + t.raw[:5000])
    yield ("bag-again-behind", f"the same and another bag behind it, at {end}",
           t.raw + t.raw + w.write([], []))


def heads(t):
    """The beginning."""
    for name, at in (("index_pos", 2), ("conn_count", 0),
                     ("chunk_count", 0), ("op", 0)):
        place = t.field(13, name.encode()) + at
        yield (f"head-{name.replace('_', '-')}", f"a bit of byte {place}, "
               f"{name} in the bag header", flip(t.raw, place))
    yield "junk-front", "19 bytes of text in front of it", (
        b"transfer complete\r\n" + t.raw)
    yield "magic", "a bit of byte 4, in the magic", flip(t.raw, 4)
    yield "version", "a bit of byte 9, in the magic", flip(t.raw, 9, 1)
    yield ("head-length", "a bit of byte 14, the length of the bag header",
           flip(t.raw, 14))
    yield "head-padding", "a bit of byte 2000, padding", flip(t.raw, 2000)
    yield "head-zero", "4096 zeros at 0", zero(t.raw, 0, PAGE)
    yield "head-gone", f"the first {FIRST} bytes are missing", t.raw[FIRST:]
    yield ("index-empty", "the bag header names an index without anything at "
           "4117, and all is there",
           put(t.raw[:t.index_pos], 13, w.bag_header(FIRST, 0, 0)))


def chunks(t, name):
    """A chunk inside others."""
    c = t.chunk
    size, how = t.field(c.at, b"size"), t.field(c.at, b"compression")
    for what, place in (("header-length", c.at), ("size", size),
                        ("compression", how), ("op", t.field(c.at, b"op")),
                        ("length", c.data_at - 4)):
        yield (f"chunk{name}-{what}", f"a bit of byte {place} in the header "
               "of a chunk", flip(t.raw, place))
    stale = zero(zero(t.raw, size, size + 4), c.data_at - 4, c.data_at)
    yield (f"chunk{name}-stale", f"the chunk at {c.at} says that it has 0 "
           "bytes", stale)
    yield (f"chunk{name}-zero", f"zeros at {c.at}, the header of a chunk",
           zero(t.raw, c.at, c.data_at))
    yield (f"chunk{name}-gone", f"the chunk at {c.at} is missing",
           t.raw[:c.at] + t.raw[t.end_of(c):])
    cut = c.end - 9
    yield (f"chunk{name}-restarted", f"cut at {cut}, in a chunk, and the whole "
           "bag behind that", t.raw[:cut] + t.raw)
    yield (f"chunk{name}-copies", f"cut at {cut}, in a chunk, and behind that "
           "the bag with 40 bytes of garbage in its first chunk",
           t.raw[:cut] + put(t.raw, FIRST + 150, garbage(40)))
    at = c.data_at + (c.end - c.data_at) // 2
    yield (f"chunk{name}-repeated", f"the 40 bytes in front of {at}, in the "
           "data of a chunk, are there twice", t.raw[:at] + t.raw[at - 40:])
    yield (f"chunk{name}-twice", f"the chunk at {c.at} is there twice",
           t.raw[:t.end_of(c)] + t.raw[c.at:])
    yield (f"chunk{name}-inserted", f"100 bytes of garbage at {c.data_at + 90}"
           ", in a chunk", t.raw[:c.data_at + 90] + garbage(100)
           + t.raw[c.data_at + 90:])
    yield (f"chunk{name}-hole", f"100 bytes at {c.data_at + 90} are missing",
           t.raw[:c.data_at + 90] + t.raw[c.data_at + 190:])
    if name:
        at = (c.data_at + c.end) // 2
        yield (f"chunk{name}-repeated-cut", f"as chunk{name}-repeated, and the "
               "last 2400 bytes are missing",
               (t.raw[:at] + t.raw[at - 40:])[:-2400])
        yield (f"chunk{name}-bit", f"a bit of byte {at}, in the data of a "
               "chunk", flip(t.raw, at))
        yield (f"chunk{name}-end", f"12 bytes of garbage at {c.end - 12}, where "
               "the data of a chunk end", put(t.raw, c.end - 12, garbage(12)))
        at = c.data_at + 4
        yield (f"chunk{name}-first-bit", f"a bit of byte {at}, what the data "
               "of a chunk begins with", flip(t.raw, at))


def indexes(t):
    """What follows the chunks."""
    start, end, _, data = t.chunk.indexes[0]
    for name, place, what in (
            ("op", t.field(start, b"op"), "the op of an index record"),
            ("conn", t.field(start, b"conn"), "its connection"),
            ("count", t.field(start, b"count"), "its count"),
            ("ver", t.field(start, b"ver"), "its version"),
            ("length", data - 4, "its length"),
            ("time", data + 5, "a time in it"),
            ("time-amid", data + 12 + 5, "a time in it, which neither begins "
             "nor ends the chunk"),
            ("offset", data + 8, "an offset in it")):
        yield (f"index-{name}", f"a bit of byte {place}, {what}",
               flip(t.raw, place))
    yield ("index-gone", f"the index record at {start} is missing",
           t.raw[:start] + t.raw[end:])
    yield ("index-twice", f"the index record at {start} is there twice",
           t.raw[:end] + t.raw[start:])
    info = t.bag.infos[2][0]
    for name, place, what in (
            ("pos", t.field(info, b"chunk_pos"), "where its chunk is"),
            ("start", t.field(info, b"start_time"), "its first time"),
            ("count", t.field(info, b"count"), "its count"),
            ("number", t.bag.infos[2][1] - 4, "a number of messages")):
        yield (f"info-{name}", f"a bit of byte {place} in a chunk info: "
               f"{what}", flip(t.raw, place))
    start, end, _ = t.bag.tail[1]
    yield ("tail-connection", f"a bit of byte {start + 40} in a connection at "
           "the end", flip(t.raw, start + 40))
    yield ("tail-connection-gone", f"the connection at {start} is missing",
           t.raw[:start] + t.raw[end:])


def messages(t):
    """A message, a connection."""
    at = t.message
    for name, place in (("conn", t.field(at, b"conn")),
                        ("time", t.field(at, b"time") + 1),
                        ("op", t.field(at, b"op")), ("header-length", at),
                        ("length", at + 42)):
        yield (f"message-{name}", f"a bit of byte {place} in the header of a "
               "message", flip(t.raw, place))
        yield (f"message-{name}-alone", "the same in a bag that was never "
               "closed and has no index of the chunk",
               never_closed(flip(t.raw, place), t.chunk.end))
    start, end = t.message - 50, t.message_end + 40
    yield ("stretch-twice", f"{end - start} bytes at {start} are there twice",
           t.raw[:end] + t.raw[start:])
    start = t.chunk.at - 90
    yield ("stretch-twice-chunk", f"{end - start} bytes at {start}, from one "
           "chunk into another, are there twice", t.raw[:end] + t.raw[start:])
    first = t.bag.chunks[0]
    start, end, _ = first.connections[0]
    for name, place in (("conn", t.field(first.data_at, b"conn")),
                        ("topic", t.field(first.data_at, b"topic") + 2),
                        ("md5", t.field(first.data_at, b"md5sum") + 3)):
        yield (f"connection-{name}", f"a bit of byte {place} in a connection "
               "in a chunk", flip(t.raw, place, 1))
    place = t.raw.index(b"type=salvor_test/Odom") + 19
    yield ("connection-type", f"a bit of byte {place}, in the type of a "
           "connection in a chunk: no other one is of that type",
           flip(t.raw, place, 1))
    place = t.raw.index(b"type=salvor_test/Imu") + 9
    yield ("connection-type-known", f"a bit of byte {place}, in the type of a "
           "connection in a chunk: another one is of that type",
           flip(t.raw, place, 1))
    start, end = first.data_at + start, first.data_at + end
    yield ("connection-zero", f"zeros at {start}, a connection in a chunk",
           zero(t.raw, start, end))


def orders(t):
    """What follows a message, with its fields as Python orders them: the
    message ends there all the same."""
    start = t.chunk.indexes[0][0]
    place = t.field(start, b"op")
    yield ("rospy-index-op", f"a bit of byte {place}, the op of an index "
           "record", flip(t.raw, place, 1))
    yield ("rospy-index-header-length", f"a bit of byte {start + 3}, the "
           "length of its header", flip(t.raw, start + 3))
    at, end = [(c.data_at + start, c.data_at + end) for c in t.bag.chunks
               for start, end, _ in c.connections
               if start in {m.end for m in c.messages}][-1]
    for name, place in (("header-length", at + 2),
                        ("topic-length", t.field(at, b"topic") - 9),
                        ("op", t.field(at, b"op"))):
        yield (f"rospy-connection-{name}", f"a bit of byte {place}, in the "
               "header of a connection behind a message", flip(t.raw, place))
    yield ("rospy-connection-zero", f"zeros at {at}, a connection behind a "
           "message", zero(t.raw, at, end))


def mixtures():
    """A chunk that is not compressed after one that is."""
    conns = [w.Connection(0, "/a", "t/A", "uint8[] data\n")]
    raw = w.write(conns, [w.Message(0, 1700000000 + n, n, b"\x04\0\0\0%04d" % n)
                          for n in range(30)],
                  w.Shape(threshold=300, compression=("lz4", "none")))
    c = read(raw).chunks[1]
    yield ("mixed-header-length", f"a bit of byte {c.at + 3} in the header of "
           "a chunk that is not compressed, behind one that is",
           flip(raw, c.at + 3))
    yield ("mixed-zero", f"zeros at {c.at}, the header of a chunk that is not "
           "compressed, behind one that is", zero(raw, c.at, c.data_at))


def lonely():
    """A chunk of one message, of whose time three parts tell."""
    raw = w.write([w.Connection(0, "/a", "t/A", "uint8[] data\n")],
                  [w.Message(0, 1700000000 + n, 7, b"\x04\0\0\0%04d" % n)
                   for n in range(4)], w.Shape(threshold=1))
    c = read(raw).chunks[1]
    at = c.indexes[0][3] + 5
    yield ("alone-index-time", f"a bit of byte {at}, the time of the only "
           "message in the index of a chunk", flip(raw, at))
    at = c.data_at + c.messages[0].end - 8 - 4 - 3
    yield ("alone-message-time", f"a bit of byte {at}, the time of the only "
           "message in a chunk", flip(raw, at))


def torn():
    """An index record whose end is missing, so that what it claims to hold
    goes far into the next chunk."""
    raw = w.write([w.Connection(0, "/a", "t/A", "uint8[] data\n")],
                  [w.Message(0, 1700000000 + n, n, b"\x04\0\0\0%04d" % n)
                   for n in range(90)],
                  w.Shape(threshold=1500, compression=("bz2",)))
    _, end, _, data = read(raw).chunks[0].indexes[0]
    yield ("index-torn", f"{end - data - 12} bytes at {data + 12} are missing, "
           "all but the first entry of an index record",
           raw[:data + 12] + raw[end:])


def carriers():
    """Messages that carry a bag."""
    conns = [w.Connection(0, "/a", "t/A", "uint8[] data\n")]
    inner = w.write(conns, [w.Message(0, 1600000000, n, b"\x04\0\0\0%04d" % n)
                            for n in range(20)], w.Shape(threshold=300))
    said = [struct.pack("<I", len(x)) + x
            for x in (b"0000", b"0001", inner, b"0003", b"0004")]
    raw = w.write(conns, [w.Message(0, 1700000000 + n, n, x)
                          for n, x in enumerate(said)], w.Shape())
    at = raw.index(said[2])
    place = raw.rindex(b"op=", 0, at) + 3
    yield ("carried-op", f"a bit of byte {place}, in the header of a message "
           "that carries a bag", flip(raw, place))
    yield ("carried-hole", f"50 bytes at {at + 4500} are missing, in a bag "
           "that a message carries", raw[:at + 4500] + raw[at + 4550:])


def from_scratch():
    """Shapes that no recorder of today writes."""
    t = Tiny("tiny")
    conns = [w.Connection(0, "/a", "t/A", "uint8[] data\n"),
             w.Connection(1, "/b", "t/B", "string data\n")]
    some = [w.Message(n % 2, 1700000000 + n, n, b"\x04\0\0\0%04d" % n)
            for n in range(12)]
    shape = w.Shape(threshold=300)
    plain = w.write(conns, some, shape)
    yield ("odd-repeated-connections", "every chunk has its connections again",
           w.write(conns, some, w.Shape(threshold=300, repeat=True)))
    yield ("odd-unused-connection", "a connection at the end without a "
           "message", unused(plain, conns))
    yield ("odd-lz4-frame", "frames of LZ4 without a checksum",
           w.write(conns, some, w.Shape(threshold=300, compression=("lz4",),
                                        lz4_sum=False)))
    raw = w.write(conns, some, w.Shape(
        threshold=300, compression=("lz4", "none", "none"), lz4_sum=False))
    at = raw.index(w.u32(some[0].sec)) + 3
    yield ("bad-lz4-frame-time", f"a bit of byte {at}, the time of a message, "
           "in a frame of LZ4 without a checksum", flip(raw, at))
    yield ("bad-index-length-huge", "the length of an index record is "
           "4294967295, its count is right", put(
               t.raw, t.chunk.indexes[0][3] - 4, w.u32(0xffffffff)))
    yield ("bad-big-count", "an index record claims 4294967295 entries",
           put(t.raw, t.field(t.chunk.indexes[0][0], b"count"),
               w.u32(0xffffffff)))
    yield ("bad-big-size", "a chunk claims 4294967295 bytes",
           put(t.raw, t.field(t.chunk.at, b"size"), w.u32(0xffffffff)))
    alike = [w.Message(n % 2, 1700000000, 0, b"\x04\0\0\0same")
             for n in range(12)]
    raw = w.write(conns, alike, w.Shape())
    only = read(raw).chunks[0]
    size = raw.index(b"size=") + 5
    raw = zero(zero(raw, size, size + 4), only.data_at - 4, only.data_at)
    yield ("bad-open-alike", "never closed, not even its chunk, and its "
           "messages are all alike", never_closed(raw, only.end))
    page = some + [w.Message(0, 1700000020 + n, 0, garbage(3 * PAGE))
                   for n in range(2)]
    raw = w.write(conns, page, shape)
    at = (raw.index(garbage(3 * PAGE)) + PAGE - 1) // PAGE * PAGE
    yield ("odd-zero-page", f"zeros at {at}, a page in a payload",
           zero(raw, at, at + PAGE))
    ends = [w.Message(0, 1700000000 + n, n, b"\x04\0\0\0abc\0") for n in range(4)]
    raw = w.write(conns, ends, w.Shape())
    at = read(raw).chunks[0].end
    yield ("bad-end-unsure", f"zeros from {at}, the end of a message that ends "
           "in a zero", never_closed(raw[:at] + bytes(PAGE), at + PAGE))
    yield ("unsupported-v11", "a bag of an older version", b"#ROSRECORD V1.1\n"
           b"/a\n" + conns[0].md5sum.encode() + b"\nt/A\n" + bytes(40))


def encrypted():
    """What can be seen of an encrypted bag, damaged."""
    conns = [w.Connection(n, f"/{n}", "t/A", "uint8[] data\n")
             for n in range(2)]
    some = [w.Message(n % 2, 1700000000 + n, n, b"\x04\0\0\0%04d" % n)
            for n in range(24)]
    shape = w.Shape(threshold=300, compression=("lz4", "none"),
                    encryptor="rosbag/AesCbcEncryptor")
    raw = w.write(conns, some, shape)
    chunks = places(raw, b"op=\5")
    infos = places(raw, b"op=\6")
    index_pos, = struct.unpack_from("<Q", raw, raw.index(b"index_pos=") + 10)
    yield "odd-encrypted", "nothing, but it is encrypted", raw
    yield "bad-encrypted-head", "no index in the bag header", put(
        raw, raw.index(b"index_pos=") + 10, bytes(8))
    yield ("bad-encrypted-infos", f"cut at {infos[1] + 20}, in the index",
           raw[:infos[1] + 20])
    at = raw.index(b"op=\4", chunks[1]) - 10
    yield ("bad-encrypted-index", f"zeros at {at}, the index of a chunk",
           zero(raw, at, at + 30))
    yield ("bad-encrypted-chunk-header", f"zeros at {chunks[1]}, the header of "
           "a chunk", zero(raw, chunks[1], chunks[1] + 20))
    yield ("bad-encrypted-cut", f"cut at {chunks[2] + 70}, in a chunk",
           raw[:chunks[2] + 70])
    yield ("bad-encrypted-connection", f"zeros at {index_pos + 8}, a "
           "connection", zero(raw, index_pos, index_pos + 8))


def numbers():
    """Two recordings in one bag: each numbers its connections from 0."""
    for name, sorts in (("", ("none", "none")), ("-lz4", ("lz4", "lz4"))):
        raw = w.MAGIC + w.bag_header(0, 0, 0)
        for number, (kind, how) in enumerate(zip(
                ("uint8[] data\n", "uint32 n\n"), sorts)):
            conn = w.Connection(0, "/a", f"t/A{number}", kind)
            chunk, = w.fill_chunks([conn], [w.Message(
                0, 1700000000 + 100 * number + n, n,
                b"\x04\0\0\0%04d" % n if number == 0 else w.u32(n))
                for n in range(12)], w.Shape())
            raw += w.chunk_record(bytes(chunk.raw), how, w.Shape()) \
                + chunk.indexes(w.Shape())
        yield (f"connection-number{name}", "two recordings were joined: "
               "connection 0 has one type in each", raw)


def places(raw, mark):
    """Where records of this op begin in an encrypted bag."""
    at, out = 13, []
    while at < len(raw):
        header, _, end = bag_cipher.record(raw, at)
        if mark in header:
            out.append(at)
        at = end
    return out


def unused(raw, conns):
    """A bag with one connection more at its end."""
    b = read(raw)
    more = w.connection_record(conns[0]._replace(id=7, topic="/c"), "cpp")
    head = w.bag_header(b.index_pos, len(b.tail) + 1, len(b.chunks))
    end = b.tail[-1][1]
    return put(raw[:end] + more + raw[end:], 13, head)


def all_files():
    """Every file to write: (name, what is wrong, how it was made, bytes)."""
    t = {name: Tiny(name) for name in ("tiny", "tiny-lz4", "tiny-bz2")}
    for name, wrong, raw in from_scratch():
        yield name, wrong, "written from scratch", raw
    for name, wrong, raw in encrypted():
        yield name, wrong, "written from scratch", raw
    for family in cuts, tails, heads, indexes, messages:
        for name, wrong, raw in family(t["tiny"]):
            yield f"bad-{name}", wrong, "from good-tiny", raw
    for name, wrong, raw in orders(Tiny("rospy")):
        yield f"bad-{name}", wrong, "from good-rospy", raw
    for family in mixtures, carriers, lonely, torn, numbers:
        for name, wrong, raw in family():
            yield f"bad-{name}", wrong, "written from scratch", raw
    for name, tiny in t.items():
        short = name[4:]
        for family in unclosed, chunks:
            for called, wrong, raw in family(tiny, short):
                yield f"bad-{called}", wrong, f"from good-{name}", raw
    for how in "lz4", "bz2":
        drive = Tiny("drive-" + how)
        at = drive.last.data_at + 3000
        yield (f"bad-cut-drive-{how}", f"cut at {at}, in a chunk",
               f"from good-drive-{how}", drive.raw[:at])


HEAD = """# ROS 1 bags to test with

Sound ones (`good-*`), sound ones with something to note (`odd-*`), damaged
ones (`bad-*`), and kinds that salvor leaves alone (`unsupported-*`).

ROS's own library wrote `good-drive-*` and `bad-unclosed-drive`, and
`tests/support/bag_writer.py` the other good ones;
`tests/support/make_bagdata.py` made the rest, and this page.  `expect.txt` says
what `salvor verify` and `salvor repair` answer, and `tests/checks/verdicts/check_testdata.sh`
asks them.

| file | what is wrong | how it was made | verify | repair | problems |
|---|---|---|---|---|---|
"""


def given(name):
    """What is said of a bag that is not made here."""
    by = "by ROS's library" if "drive" in name else "by bag_writer.py"
    return "never closed" if name == f"bad-{GIVEN}" else "nothing", by


def main():
    """Write all files and the README."""
    corpus.write(HOME, "bag", all_files(), HEAD, given)


if __name__ == "__main__":
    main()

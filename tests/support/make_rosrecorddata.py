#!/usr/bin/python3
"""Makes the ROS 1 bags of version 1.2 in testdata/rosrecord, and their README.

    make_rosrecorddata.py [OUT]

Reads expect.txt there; writes everything else there, or into the folder OUT.
The same input gives the same bytes.  Shares nothing with salvor.
"""

import pathlib
import struct

import corpus
from corpus import flip, put
from bag_writer import Connection, Message
from rosrecord_reader import read
from rosrecord_writer import DATA_START, LINE, Shape, message_record, write

HOME = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "rosrecord"
START = 1250000000  # seconds since 1970: 2009

HEAD = """# ROS 1 bags of version 1.2 to test with

Sound ones (`good-*`) and damaged ones (`bad-*`).  ROS 1.15 writes no bags of
this version: `tests/support/rosrecord_writer.py` writes them as its readers
read them, and `tests/support/make_rosrecorddata.py` damages them and makes this
page.  `expect.txt` says what `salvor verify` and `salvor repair` answer, and
`tests/checks/verdicts/check_testdata.sh` asks them.

| file | what is wrong | how it was made | verify | repair | problems |
|---|---|---|---|---|---|
"""


def recording():
    """What is in all of them."""
    conns = [Connection(0, "/odom", "nav/Odom", "float32 x\n"),
             Connection(1, "/scan", "laser/Scan", "uint8[] data\n"),
             Connection(2, "/base/odom", "nav/Odom", "float32 x\n")]
    return conns, [Message(n % 3, START + n // 4, n % 4 * 250000000,
                           (b"\0\0\x80\x3f", b"\x05\0\0\0%05d" % n,
                            b"\0\0\0\x40")[n % 3]) for n in range(18)]


def in_record(raw, m, name, more=0):
    """Where the value of a field is in a message or definition."""
    return raw.index(b"\0" + name + b"=", m.at) + len(name) + 2 + more


def of_index(raw, t):
    """Damage to what is derived."""
    yield ("bad-padding", "a bit at 3000, in the padding of the bag header",
           flip(raw, 3000))
    yield "bad-line", "a bit of the first line", flip(raw, 4)
    yield ("bad-head", "zeros up to the first record", put(
        raw, 0, bytes(DATA_START)))
    yield ("bad-no-front", f"the first {DATA_START} bytes are missing",
           raw[DATA_START:])
    yield ("bad-cut-index", f"cut at {t.index_pos + 90}, in the index",
           raw[:t.index_pos + 90])
    yield ("bad-no-index", f"cut at {t.index_pos}, before the index",
           raw[:t.index_pos])
    at = raw.index(b"count=", t.index_pos)
    yield ("bad-index-record", f"a bit at {at}, in a header of the index",
           flip(raw, at))
    at = raw.index(b"ver=", t.index_pos) + 12
    yield ("bad-index-time", f"a bit at {at + 17}, in a time of the index",
           flip(raw, at + 17))
    yield ("bad-index-offset", f"a bit at {at + 24}, in an offset of the index",
           flip(raw, at + 24))


def of_headers(raw, t):
    """Damage to what messages and definitions say of themselves."""
    m = t.messages[8]
    for name, more in (b"topic", 2), (b"md5", 5), (b"type", 1), (b"sec", 0):
        at = in_record(raw, m, name, more)
        yield (f"bad-message-{name.decode()}", f"a bit at {at}, in the "
               f"{name.decode()} of a message", flip(raw, at))
    m = t.messages[0]
    at = in_record(raw, m, b"nsec")
    yield ("bad-time-unsure", f"a bit at {at}, in the time of the first message",
           flip(raw, at))
    d = t.definitions[0]
    at = in_record(raw, d, b"md5", 5)
    yield ("bad-definition-type", f"a bit at {at}, in the md5 sum of a "
           "definition", flip(raw, at))
    yield ("bad-definition", f"zeros at {d.at}, a definition; another topic has "
           "the type", put(raw, d.at, bytes(d.end - d.at)))
    d = t.definitions[1]
    yield ("bad-definition-lost", f"zeros at {d.at}, the only definition of a "
           "type", put(raw, d.at, bytes(d.end - d.at)))


def of_records(raw, t):
    """Damage to messages."""
    m = t.messages[7]
    yield ("bad-message", f"a bit at {m.at}, in the length of a header",
           flip(raw, m.at + 2))
    yield ("bad-hole", f"zeros at {m.at}, a message", put(
        raw, m.at, bytes(m.end - m.at)))
    yield ("bad-cut-message", f"cut at {m.at + 60}, in a message",
           raw[:m.at + 60])
    n = t.messages[9]
    yield ("bad-gone", f"the messages at {m.at} to {n.end} are missing",
           raw[:m.at] + raw[n.end:])
    at = t.messages[10].at + 33
    yield ("bad-repeated", f"the bytes at {m.at + 9} to {at} come twice",
           raw[:at] + raw[m.at + 9:])
    yield ("bad-inserted", f"noise at {m.end - 2}, in a payload",
           raw[:m.end - 2] + bytes(range(200, 230)) + raw[m.end - 2:])


def carried(conns, found):
    """A message that carries another one."""
    inner = message_record(conns[0], found[3]._replace(sec=START - 50), Shape())
    big = found[4]._replace(payload=struct.pack("<I", len(inner)) + inner)
    raw = write(conns, found[:4] + [big] + found[5:])
    m = read(raw).messages[4]
    return flip(raw, m.at + 2), m.at


def all_files():
    """All of them."""
    conns, found = recording()
    raw = write(conns, found)
    t = read(raw)
    yield "good-indexed", "nothing", "written from scratch", raw
    plain = write(conns, found, Shape(indexed=False, order="rospy"))
    yield "good-plain", "nothing", "written from scratch", plain
    yield ("good-by-type", "nothing", "written from scratch", write(
        conns, found, Shape(indexed=False, define="type", about=False)))
    yield ("bad-unclosed", "never closed", "written from scratch", write(
        conns, found, Shape(closed=False)))
    for some in of_index, of_headers, of_records:
        for name, what, made in some(raw, t):
            yield name, what, "from good-indexed", made
    made, at = carried(conns, found)
    yield ("bad-carried", f"a bit at {at + 2}, in a message that carries "
           "another one", "written from scratch", made)
    p = read(plain)
    m = p.messages[6]
    yield ("bad-plain-cut", f"cut at {m.at + 60}, in a message",
           "from good-plain", plain[:m.at + 60])
    at = in_record(plain, m, b"topic", 2)
    yield ("bad-plain-topic", f"a bit at {at}, in the topic of a message",
           "from good-plain", flip(plain, at))
    one = write(conns[:1], found[:1], Shape(indexed=False))
    at = in_record(one, read(one).messages[0], b"md5", 5)
    yield ("bad-type-unsure", f"a bit at {at}, in the md5 sum of the only "
           "message", "written from scratch", flip(one, at))
    yield ("bad-nothing", "only the first line", "written from scratch", LINE)


def main():
    """Write all files and the README."""
    corpus.write(HOME, "bag", all_files(), HEAD)


if __name__ == "__main__":
    main()

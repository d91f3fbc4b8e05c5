#!/usr/bin/python3
"""Makes the Cyber records in testdata/cyber, and their README.

    make_cyberdata.py [OUT]

Reads testdata/cyber/expect.txt; writes everything else there, or into the
folder OUT.  The same input gives the same bytes.  Shares nothing with salvor.
"""

import pathlib
import struct

import corpus
from corpus import flip, put
import cyber_writer as w
from cyber_damage import Original
from cyber_proto import CHANNEL, CHUNK_BODY, CHUNK_HEADER, INDEX, START, pb
from google.protobuf.descriptor_pb2 import FileDescriptorProto

HOME = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "cyber"
PAGE = 4096
TINY = dict(seed=11, n_messages=24, n_channels=3, size=120, desc_size=60)
SHAPE = dict(limit=900)


def tiny(lost=0, **shape):
    """A small record; the recorder is killed with some messages lost."""
    return w.write(*w.drive(**TINY), w.Shape(**{**SHAPE, **shape}), lost)


class Parts:
    """Where the parts of a record are."""

    def __init__(self, raw):
        self.raw = raw
        o = Original(raw)
        self.spans = o.spans
        self.of = {kind: [s for s in o.sections if s.type == kind]
                   for kind in (CHUNK_HEADER, CHUNK_BODY, INDEX, CHANNEL)}
        self.head = self.of[CHUNK_HEADER][1]  # of a chunk inside the others
        self.body = self.of[CHUNK_BODY][1]
        inside = [s for s in o.spans if self.body.at < s[0] < self.body.end]
        self.message = inside[2]
        self.last = inside[-1]


def varint(n):
    """As protobuf has it."""
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)


def image(lit, dark=bytes(2 * PAGE + 10)):
    """A record with one message, of a camera: its last rows, or all, are dark,
    and zeros fill pages of the file from 6 bytes before a page on."""
    channels, messages = w.drive(**TINY)

    def make(room):
        return w.write(channels, [messages[0]._replace(
            content=b"\x0a" + varint(room) + b"f" * room + b"\x42"
            + varint(len(lit + dark)) + lit + dark + b"\x50\x01")], w.Shape())
    room = 128
    room += (PAGE - 6 - make(room).index(dark)) % PAGE
    return make(room)


def described():
    """A record whose channel is described; its second message holds a number
    where a text must be, and the third one is longer than it says inside."""
    file = FileDescriptorProto(name="t.proto", package="apollo.test")
    outer = file.message_type.add(name="Outer")
    inner = outer.nested_type.add(name="Inner")
    inner.field.add(name="text", number=1, label=1, type=9)
    inner.field.add(name="values", number=2, label=3, type=1)
    outer.field.add(name="at", number=1, label=1, type=4)
    outer.field.add(name="inner", number=2, label=3, type=11,
                    type_name=".apollo.test.Outer.Inner")
    values = b"\x12\x10" + bytes(16)
    contents = [b"\x08\x05\x12" + varint(len(one)) + one for one in (
        b"\x0a\x02ab" + values, b"\x08\x02" + values,
        b"\x0a\x02ab\x12\x11" + bytes(16), b"\x12\x0f" + bytes(15))]
    # What a description does not know, and numbers that are not packed.
    contents.append(b"\x7a\x01x\x12\x09\x11" + bytes(8))
    tree = pb.ProtoDesc(desc=file.SerializeToString(deterministic=True))
    return w.write([w.Channel("/t", "apollo.test.Outer",
                              tree.SerializeToString())],
                   [w.Message("/t", (1700000000 + n) * 10 ** 9, content)
                    for n, content in enumerate(contents)])


def good():
    """Sound ones of every dialect."""
    yield "good-tiny", "nothing", tiny()
    yield "good-one-chunk", "nothing", tiny(limit=200 << 20)
    yield "good-empty", "nothing, and nothing is in it", w.write([], [])
    yield ("good-garbage-padding", "the heads of its sections are padded with "
           "what was in memory", tiny(padding=b"\xaa\xaa\xaa\xaa"))
    yield "good-lite", "the room of the header is all '0'", tiny(style="lite")
    yield ("good-python", "by the rules of the library for Python, which counts"
           " chunks otherwise", tiny(style="python"))
    yield ("good-map", "the header names a map",
           tiny(map_info="sunnyvale_loop"))
    yield "odd-index-ends", "the index names ends", tiny(style="old")
    yield ("odd-dark", "pages of zeros, from where a field begins",
           image(b""))
    yield ("odd-dark-below", "pages of zeros, up to where a field ends",
           image(b"\x01" * 700))
    yield ("odd-described", "three of five contents are not what their channel "
           "describes, which only --deep sees", described())
    channels, messages = w.drive(**TINY)
    yield ("odd-undeclared", "a channel is not declared",
           w.write(channels[1:], messages, w.Shape(**SHAPE)))
    t = Parts(tiny(closed=False, indexed=False))
    at = t.of[CHUNK_HEADER][1].at
    raw = (t.raw[:at] + struct.pack("<Iiq", 9, 0, 40) + b"d" * 40
           + t.raw[at:])
    yield ("bad-unclosed-unknown", f"never closed; a section of type 9 at {at}",
           raw)


def killed():
    """What recorders leave that were killed."""
    yield ("bad-unclosed", "never closed", tiny(closed=False, indexed=False))
    yield ("bad-unclosed-early", "never closed, with messages in memory",
           tiny(10, closed=False, indexed=False))
    yield ("bad-unclosed-indexed", "killed before the header was written again",
           tiny(closed=False))
    yield ("bad-unclosed-python", "never closed, by the library for Python",
           tiny(closed=False, indexed=False, style="python"))
    yield ("bad-unclosed-empty", "never closed, and nothing is in it",
           w.write([], [], w.Shape(closed=False, indexed=False)))
    raw = tiny(closed=False, indexed=False)
    yield ("bad-unclosed-room", "never closed; 6000 zeros behind it",
           raw + bytes(6000))
    channels, messages = w.drive(**TINY)
    messages[-1] = messages[-1]._replace(content=b"\x19" + bytes(8))
    yield ("bad-unclosed-room-unsure", "never closed; 6000 zeros follow a "
           "message that ends in zeros",
           w.write(channels, messages, w.Shape(closed=False, indexed=False))
           + bytes(6000))
    yield ("bad-unclosed-junk", "never closed; 40 bytes of garbage follow",
           raw + b"\xfe" * 40)
    t = Parts(raw)
    yield ("bad-unclosed-cut", f"never closed, cut at {t.message[0] + 30} in a "
           "message", raw[:t.message[0] + 30])
    yield ("bad-unclosed-body", f"never closed; the body at {t.body.at} is "
           "missing", raw[:t.body.at] + raw[t.body.end:])
    yield ("bad-unclosed-cut-body", f"never closed, cut at {t.body.at}, in front "
           "of a body", raw[:t.body.at])
    c = t.of[CHANNEL][0]
    yield ("bad-unclosed-channel", f"never closed; zeros at {c.at}, a channel",
           put(raw, c.at, bytes(c.end - c.at)))


def stale():
    """What an older record leaves that was longer."""
    old = w.write(*w.drive(**{**TINY, "seed": 12, "n_messages": 60,
                              "start": 1690000000}), w.Shape(**SHAPE))
    new = tiny(closed=False, indexed=False)
    yield ("bad-stale", f"never closed; from {len(new)} on what was left of an "
           "older record", new + old[len(new):])
    new = tiny()
    yield ("bad-stale-closed", f"from {len(new)} on what was left of an older "
           "record", new + old[len(new):])


def behind(t):
    """Another record after it."""
    other = w.write(*w.drive(**{**TINY, "seed": 12, "n_messages": 9}))
    yield ("bad-record-behind", f"another record behind it, at {len(t.raw)}",
           t.raw + other)
    t = Parts(tiny(closed=False, indexed=False))
    yield ("bad-unclosed-behind", f"never closed; another record at "
           f"{len(t.raw)}", t.raw + other)


def cuts(t):
    """Tails that are missing."""
    for name, at, where in (
            ("header", 40, "the header"), ("room", 900, "its room"),
            ("first", START, "front of the first section"),
            ("channel", t.of[CHANNEL][0].at + 40, "a channel"),
            ("claim", t.head.at + 20, "the header of a chunk"),
            ("claim-head", t.head.at + 7, "the head of that section"),
            ("body", t.body.at, "front of a body"),
            ("message", t.message[0] + 25, "the head of a message"),
            ("content", t.message[1] - 4, "a content"),
            ("between", t.message[1], "front of a message"),
            ("index", t.of[INDEX][0].at + 100, "the index"),
            ("at-index", t.of[INDEX][0].at, "front of the index"),
            ("last-byte", len(t.raw) - 1, "the last byte")):
        yield f"bad-cut-{name}", f"cut at {at}, in {where}", t.raw[:at]


def heads(t):
    """The first section."""
    for name, at in (("type", 1), ("size", 8), ("version", 16),
                     ("index-position", 37), ("tag", 42), ("count", 60)):
        yield f"bad-header-{name}", f"a bit of byte {at}", flip(t.raw, at)
    yield "bad-header-room", "a bit of byte 1500", flip(t.raw, 1500)
    yield "bad-header-zero", "zeros at 0, all the header", \
        put(t.raw, 0, bytes(START))
    m = tiny(map_info="sunnyvale_loop")
    yield "bad-header-map", "a bit of byte 20; it names a map", flip(m, 20)


def sections(t):
    """Heads of sections, and what is in them."""
    for name, s in (("claim", t.head), ("body", t.body),
                    ("index", t.of[INDEX][0]),
                    ("channel", t.of[CHANNEL][1])):
        yield (f"bad-{name}-type", f"a bit of byte {s.at}, the type of a "
               "section", flip(t.raw, s.at, 8))
        yield (f"bad-{name}-size", f"a bit of byte {s.at + 9}, its size",
               flip(t.raw, s.at + 9))
        yield (f"bad-{name}-zero", f"zeros at {s.at}, the head of a section",
               put(t.raw, s.at, bytes(16)))
    yield ("bad-claim-count", f"a bit of byte {t.head.end - 4} in the header of"
           " a chunk", flip(t.raw, t.head.end - 4, 1))
    yield ("bad-claim-tag", f"a bit of byte {t.head.at + 16}, what it begins "
           "with", flip(t.raw, t.head.at + 16, 1))
    at = t.of[CHANNEL][1].at + 20
    yield ("bad-channel-name", f"a bit of byte {at} in the name of a channel",
           flip(t.raw, at, 1))
    at = t.of[CHANNEL][1].at + 17
    yield ("bad-channel-length", f"a bit of byte {at}, the length of its name",
           flip(t.raw, at, 1))
    for n in (3, 40):
        at = t.of[INDEX][0].at + 16 + n
        yield (f"bad-index-{n}", f"a bit of byte {at} in the index",
               flip(t.raw, at))


def declarations(t):
    """What a channel is, in its section and in the index."""
    at = t.raw.index(b"apollo.test", t.of[CHANNEL][1].at) + 3
    yield ("bad-channel-text", f"a bit of byte {at}, in the type of a channel "
           "in its section; its description is none", flip(t.raw, at))
    at = t.raw.index(b"/apollo", t.of[INDEX][0].at) + 3
    yield ("bad-channel-name-indexed", f"a bit of byte {at}, in the name of a "
           "channel in the index", flip(t.raw, at))
    raw = described()
    at = raw.index(b"apollo.test.Outer") + 3
    yield ("bad-described-text", f"a bit of byte {at}, in the type of a channel "
           "in its section; its description has the type", flip(raw, at))
    at = raw.index(b"apollo.test", at + 20) + 3
    yield ("bad-described-package", f"a bit of byte {at}, in the description of "
           "a channel in its section", flip(raw, at))


def messages(t):
    """Messages, and what is between them."""
    at, end = t.message
    for name, place in (("key", at), ("length", at + 1), ("name", at + 6)):
        yield (f"bad-message-{name}", f"a bit of byte {place} in the head of a "
               "message", flip(t.raw, place))
    yield ("bad-message-zero", f"20 zeros at {at}, the head of a message",
           put(t.raw, at, bytes(20)))
    yield ("bad-message-torn", f"20 zeros at {end - 5}, over its end",
           put(t.raw, end - 5, bytes(20)))
    yield ("bad-hole", f"200 bytes at {at + 60} are missing",
           t.raw[:at + 60] + t.raw[at + 260:])
    yield ("bad-hole-head", f"the bytes from {t.last[0]} to {t.body.end + 60}, "
           "around the header of a chunk, are missing",
           t.raw[:t.last[0]] + t.raw[t.body.end + 60:])
    yield ("bad-twice", f"the 400 bytes before {end - 20} are there once more",
           t.raw[:end - 20] + t.raw[end - 420:])
    yield ("bad-chunk-gone", f"the chunk at {t.head.at} is missing",
           t.raw[:t.head.at] + t.raw[t.body.end:])
    yield ("bad-junk", f"garbage at {at}, between two messages",
           t.raw[:at] + b"\xfe" * 33 + t.raw[at:])
    yield ("bad-junk-before", "19 bytes of garbage in front of it",
           b"\xfe" * 19 + t.raw)
    yield ("bad-junk-behind", "garbage behind the index", t.raw
           + b"\xfe" * 33)
    channels, found = w.drive(**{**TINY, "n_messages": 6, "size": 12000})
    raw = w.write(channels, found, w.Shape())
    start, end = max(Original(raw).spans, key=lambda s: s[1] - s[0])
    at = (start + PAGE) // PAGE * PAGE
    yield ("bad-page", f"a page of zeros at {at}, in a content",
           put(raw, at, bytes(PAGE)))


def carried():
    """The head of a message that carries a piece of another record is lost."""
    other = w.write(*w.drive(**{**TINY, "seed": 13, "start": 1700000100}),
                    w.Shape(**SHAPE))
    head = Parts(other).head.at
    piece = other[head:head + 600]
    channels, found = w.drive(**TINY)
    carrier = len(found) - 4
    found[carrier] = found[carrier]._replace(content=bytes(90) + piece)
    raw = w.write(channels, found, w.Shape(**SHAPE))
    at = raw.index(piece)
    yield ("bad-unlisted", f"the 200 bytes before {at - 20} are missing, in "
           "front of a piece of another record that a message carries",
           raw[:at - 220] + raw[at - 20:])


def all_files():
    """Every file to write: (name, what is wrong, bytes)."""
    t = Parts(tiny())
    yield from good()
    yield from killed()
    yield from stale()
    yield from carried()
    for family in behind, cuts, heads, sections, declarations, messages:
        yield from family(t)


HEAD = """# Apollo Cyber records to test with

Sound ones (`good-*`), sound ones with something to note (`odd-*`), and damaged
ones (`bad-*`), most of them from `good-tiny`.

`tests/support/make_cyberdata.py` made them all, and this page, with Google's
protobuf; no recorder did.  `expect.txt` says what `salvor verify` and
`salvor repair` answer, and `tests/checks/verdicts/check_testdata.sh` asks them.

| file | what is wrong | verify | repair | problems |
|---|---|---|---|---|
"""


def main():
    """Write all files and the README."""
    corpus.write(HOME, "record", all_files(), HEAD)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Makes the damaged and odd MCAP files in testdata/mcap, and their README.

    make_mcapdata.py [OUT]
    make_mcapdata.py --good

Reads testdata/mcap: the good-* files, which --good writes again (compressed ones
depend on the version of the compressor), what real writers left (*-real-*), and
expect.txt; writes everything else there, or into the folder OUT.  The same input
gives the same bytes.  Shares nothing with salvor.
"""

import dataclasses
import pathlib
import random
import struct
import sys
import zlib

import corpus
from corpus import flip, garbage, put
from mcap import crash, judge, records as r, samples
from mcap.write import STYLES, write

HOME = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "mcap"
PAGE = 4096


def recorded(seed=3, n=13, **more):
    """A short recording."""
    return samples.recording(n, 2, seed, scale=.3, **more)


def with_attachment(made):
    """The same with a small attachment and metadata."""
    made = samples.with_more(made, 1)
    return dataclasses.replace(made, events=[
        event._replace(data=event.data[:60])
        if isinstance(event, r.Attachment) else event
        for event in made.events])


# ---- sound files -------------------------------------------------------------


def of_writers():
    """A file of each writer, in each compression."""
    for name, style in STYLES.items():
        for how, word in samples.COMPRESSIONS.items():
            if how != "none" and name in ("ts", "fastwrite"):
                continue
            bag = name in ("rosbag2", "fastwrite")
            made = recorded(n=26 if word else 13, sequence=not bag,
                            first=0 if name == "ts" else 1, profile={
                                "ts": "", "go": "ros1"}.get(name, "ros2"))
            made = samples.rosbag2(made) if bag else with_attachment(made) \
                if name in ("python", "go", "rust") else made
            yield "%s-%s" % (name, how), write(made, dataclasses.replace(
                style, compression=word, chunk_size=style.chunk_size and (
                    1100 if word else 500)))


def odd_shapes():
    """What few files have."""
    def cpp(made, **change):
        return write(made, samples.style("cpp", **{
            "chunk_size": 500, **change}))
    made = recorded()
    yield "empty", cpp(dataclasses.replace(made, events=[]))
    yield "silent", cpp(recorded(silent=2))
    yield "private", cpp(with_attachment(samples.with_more(
        made, 2, private=True)))
    yield "repeated", cpp(made, declare="always")
    yield "overlap", cpp(samples.overlapping(made, 5))
    yield "no-index", cpp(made, message_index=False)
    yield "no-summary", cpp(made, summary=(), offsets=False)
    yield "no-crc", cpp(made, chunk_crc=False, summary_crc=False)
    yield "data-crc", cpp(made, data_crc=True)
    yield "bare", write(made, samples.style("go", chunk_size=0))
    yield "one-big-chunk", cpp(made, chunk_size=1 << 20)
    yield "empty-chunk", cpp(made, chunk_size=100)
    yield "carrier", cpp(dataclasses.replace(made, events=made.events[:6] + [
        made.events[5]._replace(data=cpp(recorded(4, 6)))] + made.events[6:]))


def good_files():
    """(name, bytes) of all sound ones."""
    yield from of_writers()
    yield from odd_shapes()


# ---- damage ------------------------------------------------------------------


class Tiny:
    """A good file, and where its parts are."""

    def __init__(self, name):
        self.raw = (HOME / f"good-{name}.mcap").read_bytes()
        self.good = judge.original(self.raw)
        self.file = self.good.file
        self.chunks = self.file.chunks
        self.end = self.file.data_end
        if self.chunks:
            self.chunk = self.chunks[len(self.chunks) // 2]
        self.message = next((
            rec.span for rec in self.good.records[5:] if rec.needs and
            rec.span[1] - rec.span[0] > 60), self.good.records[5].span)

    def summary(self, opcode):
        """Where the first record of a kind is in the summary."""
        return next(rec for rec in self.file.summary if rec.opcode == opcode)


def cuts(t):
    """Tails that are missing."""
    last, c = t.file.summary[-1], t.chunk
    for name, cut, where in (
            ("magic", 5, "the magic"), ("header", 20, "the header"),
            ("first-chunk", t.chunks[0].start + 30, "the first chunk's head"),
            ("message", t.message[0] + 50, "a payload"),
            ("message-head", t.message[0] + 20, "the head of a message"),
            ("at-message", t.message[0], "front of a message"),
            ("chunk-end", c.end, "front of message indexes"),
            ("index", c.indexes[0].start + 20, "a message index"),
            ("at-chunk", c.stop, "front of an attachment or chunk"),
            ("at-end", t.end, "front of the end of the data"),
            ("end", t.end + 5, "the end of the data"),
            ("at-summary", t.end + 13, "front of the summary"),
            ("summary", last.start - 40, "the summary"),
            ("footer", len(t.raw) - 20, "the footer"),
            ("last-byte", len(t.raw) - 1, "the last byte")):
        yield f"cut-{name}", f"cut at {cut}, in {where}", t.raw[:cut]


def tails(t):
    """Tails that are something else, and tails too many."""
    end = len(t.raw)
    for name, start, size, where in (
            ("message", t.message[0] + 50, 2000, "a payload"),
            ("at-message", t.message[0], 2000, "front of a message"),
            ("summary", t.end + 13, 600, "front of the summary")):
        yield (f"zeros-{name}", f"zeros from {start} on, in {where}",
               t.raw[:start] + bytes(size))
        yield (f"garbage-{name}", f"garbage from {start} on, in {where}",
               t.raw[:start] + garbage(size))
    yield "junk", f"100 bytes of garbage at {end}", t.raw + garbage(100)
    yield "zeros-after", f"1000 zeros at {end}", t.raw + bytes(1000)
    yield "junk-front", "200 bytes of garbage at 0", garbage(200) + t.raw
    yield "retry", f"cut at {t.chunk.start + 60}, and then all of it", \
        t.raw[:t.chunk.start + 60] + t.raw
    yield "duplicate", f"the same file again at {end}", t.raw + t.raw


def heads(t):
    """The beginning, and the end."""
    first = t.chunks[0].start
    yield "head-gone", f"the first {first} bytes are missing", t.raw[first:]
    yield "head-zero", "the first 60 bytes are zeros", put(t.raw, 0, bytes(60))
    yield "magic-bit", "a bit of byte 3, of the magic", flip(t.raw, 3)
    yield "header-length", "a bit of byte 9, a length", flip(t.raw, 9, 64)
    yield "end-magic-bit", f"a bit of byte {len(t.raw) - 5}, of the magic at " \
        "the end", flip(t.raw, len(t.raw) - 5)
    at = len(t.raw) - 37
    yield "footer-op", f"a bit of byte {at}, the opcode of the footer", flip(
        t.raw, at)
    yield "footer-start", f"a bit of byte {at + 10}, a place in the footer", \
        flip(t.raw, at + 10)
    yield "footer-crc", f"a bit of byte {at + 26}, the sum of the summary", \
        flip(t.raw, at + 26)


def chunks(t, short):
    """A chunk that is damaged."""
    c = t.chunk
    middle = (c.data_at + c.end) // 2
    for name, at, what in (
            ("op", c.start, "the opcode"), ("length", c.start + 2, "a length"),
            ("start", c.start + 10, "a time"),
            ("size", c.start + 25, "the size of what is in it"),
            ("crc", c.start + 34, "the sum"),
            ("compression", c.start + 41, "the compression or a length"),
            ("stored", c.data_at - 8, "the size of what is stored"),
            ("first-bit", c.data_at, "what its data begin with"),
            ("bit", middle, "its data")):
        yield (f"chunk{short}-{name}", f"a bit of byte {at}, {what} of a chunk",
               flip(t.raw, at))
    yield (f"chunk{short}-zero", f"zeros for the head of a chunk at {c.start}",
           put(t.raw, c.start, bytes(c.data_at - c.start)))
    yield (f"chunk{short}-hole", f"100 zeros at {middle}, in its data",
           put(t.raw, middle, bytes(100)))
    yield (f"chunk{short}-removed", f"30 bytes at {middle} are missing",
           t.raw[:middle] + t.raw[middle + 30:])
    yield (f"chunk{short}-inserted", f"30 bytes too many at {middle}",
           t.raw[:middle] + garbage(30) + t.raw[middle:])
    yield (f"chunk{short}-gone", f"the chunk at {c.start} is missing, and its "
           "message indexes", t.raw[:c.start] + t.raw[c.stop:])
    yield (f"chunk{short}-duplicate", f"the chunk at {c.start} is there twice",
           t.raw[:c.stop] + t.raw[c.start:])
    yield (f"chunk{short}-cut", f"cut at {middle}, in a chunk", t.raw[:middle])


def details(t):
    """Message indexes, the summary, and heads of messages."""
    index = t.chunk.indexes[0]
    for name, at, what in (
            ("index-op", index.start, "the opcode of a message index"),
            ("index-channel", index.start + 9, "the channel of one"),
            ("index-time", index.start + 15, "a time in one"),
            ("index-offset", index.start + 23, "an offset in one"),
            ("statistics", t.summary(11).body, "the number of messages"),
            ("chunk-index-time", t.summary(8).body + 1, "a chunk's time"),
            ("chunk-index-place", t.summary(8).body + 17, "a chunk's place"),
            ("summary-channel", t.summary(4).body + 9, "a topic"),
            ("summary-length", t.summary(4).start + 2, "a length"),
            ("summary-offset", t.summary(14).body + 2, "a summary offset"),
            ("message-op", t.message[0], "the opcode of a message"),
            ("message-length", t.message[0] + 1, "the length of one"),
            ("message-channel", t.message[0] + 9, "the channel of one"),
            ("message-time", t.message[0] + 17, "the time of one"),
            ("payload", t.message[0] + 40, "a payload")):
        yield name, f"a bit of byte {at}, {what}", flip(t.raw, at)
    at = t.message[0] + 15
    yield "message-head", f"zeros at {at}, for the time of a message", put(
        t.raw, at, bytes(8))
    yield ("indexes-gone", f"the message indexes at {t.chunk.end} are missing",
           t.raw[:t.chunk.end] + t.raw[t.chunk.stop:])
    w = next(w for w in t.good.declared if not w.chunk)
    at = w.span[0] + 20
    yield "declaration", f"a bit of byte {at}, in a declaration", flip(
        t.raw, at)


def sums():
    """What only a checksum shows, and what is declared elsewhere: of each the
    good file, too."""
    t = Tiny("go-none")
    at = max((x for x in t.file.records if x.opcode == r.ATTACHMENT),
             key=lambda x: x.end - x.start).end - 6
    yield ("attachment", f"two bytes at {at}, in an attachment", "go-none",
           put(t.raw, at, bytes(x ^ 9 for x in t.raw[at:at + 2])))
    lost = [x for x in t.file.records if x.opcode in (r.ATTACHMENT, r.METADATA)]
    raw = t.raw
    for x in lost:
        raw = put(raw, x.start, garbage(x.end - x.start))
    yield ("extras-lost", "garbage for all attachments and metadata", "go-none",
           raw)
    a, b = t.chunks[:2]
    yield ("chunks-swapped", "two chunks are in each other's place", "go-none",
           t.raw[:a.start] + t.raw[b.start:b.stop] + t.raw[a.stop:b.start] +
           t.raw[a.start:a.stop] + t.raw[b.stop:])
    t = Tiny("cpp-none")
    at = t.end
    yield ("data-end-op", f"a bit of byte {at}, the opcode of the end of the "
           "data", "cpp-none", flip(t.raw, at))
    t = Tiny("no-crc")
    w = next(w for w in t.good.declared if not w.chunk)
    yield ("declaration-zero", f"zeros for a declaration at {w.span[0]}",
           "no-crc", put(t.raw, w.span[0], bytes(w.span[1] - w.span[0])))
    t = Tiny("rust-none")
    c = t.chunks[-1]
    head = struct.pack("<QQQQI", r.UNKNOWN, 0, 0, r.UNKNOWN, 0xffffffff)
    raw = put(t.raw, c.start + 1, head)
    raw = put(raw, c.data_at - 8, struct.pack("<Q", r.UNKNOWN))
    yield ("chunk-open", f"the chunk at {c.start} was never completed",
           "rust-none", raw[:c.end])


def crashes():
    """What writers leave that are killed."""
    for name, states in crash.OF.items():
        t = Tiny(name + ("-none" if name in ("ts", "fastwrite") else "-lz4"))
        for state in states:
            if state in crash.ALWAYS:
                continue
            made = crash.STATES[state](t.good, random.Random(
                "%s/%s/testdata" % (name, state))).raw()
            yield (f"crash-{name}-{state.replace('_', '-')}",
                   crash.STATES[state].__doc__.split("\n", maxsplit=1)[0]
                   .rstrip("."), made)


def hostile():
    """Numbers that no writer writes."""
    head = r.MAGIC + r.header("", "hostile")
    tail = r.data_end(0) + r.footer(b"", 0, 0, False) + r.MAGIC
    made = recorded(n=2)
    known = r.schema(made.schemas[0]) + r.channel(made.channels[0])
    one = r.message(made.events[0]._replace(channel=1))
    plain = known + one
    for name, what, middle in (
            ("length", "a record claims 2^64 - 1 bytes",
             known + one + b"\x05" + b"\xff" * 8),
            ("array", "a message index claims 2^32 - 1 bytes", r.chunk(
                (0, 0), len(plain), 0, "", plain) + r.record(
                    r.MESSAGE_INDEX, struct.pack("<HI", 1, 0xffffffff))),
            ("bomb", "a chunk of 30 bytes claims 2^60", known + one + r.chunk(
                (0, 0), 1 << 60, 0, "zstd", garbage(30))),
            ("nested", "a chunk is in a chunk", r.chunk(
                (0, 0), len(plain) * 2 + 49, 0, "", plain + r.chunk(
                    (0, 0), len(plain), 0, "", plain))),
            ("compression", "a chunk with an unknown compression", r.chunk(
                (0, 0), len(plain), zlib.crc32(plain), "brotli", plain)),
            ("schema-0", "a schema with the id 0", r.schema(
                made.schemas[0]._replace(id=0)) + known + one),
            ("no-channel", "a message of a channel that is not declared",
             known + one + r.message(made.events[0]._replace(channel=77))),
            ("two-channels", "one id for two channels: which of them the "
             "messages are of is unsure", known + one +
             r.channel(made.channels[0]._replace(topic="/other")) + one)):
        yield f"hostile-{name}", what, head + middle + tail


COMPRESSED = ("op", "length", "size", "crc", "compression", "stored",
              "first-bit", "bit", "zero", "gone", "cut")


def all_files():
    """Every file to write: (name, what is wrong, how it was made, bytes)."""
    cpp = Tiny("cpp-none")
    for family in cuts, tails, heads, details:
        for name, wrong, raw in family(cpp):
            yield f"bad-{name}", wrong, "from good-cpp-none", raw
    for name, short, only in (
            ("cpp-none", "", None), ("cpp-lz4", "-lz4", COMPRESSED),
            ("cpp-zstd", "-zstd", COMPRESSED),
            ("no-crc", "-no-crc", ("bit", "size", "hole"))):
        for called, wrong, raw in chunks(Tiny(name), short):
            if only is None or called[6 + len(short):] in only:
                yield f"bad-{called}", wrong, f"from good-{name}", raw
    for name, wrong, good, raw in sums():
        yield f"bad-{name}", wrong, f"from good-{good}", raw
    for name, wrong, raw in crashes():
        yield f"bad-{name}", wrong, "from the good one", raw
    for name, wrong, raw in hostile():
        yield f"bad-{name}", wrong, "written from scratch", raw


HEAD = """# MCAP files to test with

Sound ones (`good-*`), sound ones with something to note (`odd-*`) and damaged
ones (`bad-*`).

The libraries of foxglove/mcap wrote `*-real-*`, some of them while they were
killed or had no room left; `tests/support/make_mcapdata.py` made the rest, and this
page.  `expect.txt` says what `salvor verify` and `salvor repair` answer, and
`tests/checks/verdicts/check_testdata.sh` asks them.

| file | what is wrong | how it was made | verify | repair | problems |
|---|---|---|---|---|---|
"""

# What is wrong, and who wrote it.
REAL = {
    "bad-real-cpp-killed": ("killed amid a recording", "C++, lz4"),
    "bad-real-rosbag2-killed": ("killed amid a recording",
                                "C++ as rosbag2 uses it"),
    "bad-real-fastwrite-killed": ("killed amid a recording",
                                  "C++ without chunks"),
    "bad-real-python-killed": ("killed amid a recording", "Python, zstd"),
    "bad-real-ts-killed": ("killed amid a recording", "TypeScript"),
    "bad-real-cpp-no-room": ("killed at a limit of 1900 bytes", "C++, zstd"),
    "odd-real-ts-bare": ("the indexes of attachments and metadata: an error "
                         "of that writer", "TypeScript without chunks"),
}


def given(name):
    """What is said of a file that is not made here."""
    return REAL.get(name, ("nothing", "by make_mcapdata.py --good"))


def main():
    """Write the sound files, or all others and the README."""
    if sys.argv[1:] == ["--good"]:
        for name, raw in good_files():
            judge.strict(raw)
            (HOME / f"good-{name}.mcap").write_bytes(raw)
        return
    corpus.write(HOME, "mcap", all_files(), HEAD, given)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Makes the flight logs in testdata/ulog, and their README.

    make_ulogdata.py [OUT]

Reads expect.txt there; writes everything else there, or into the folder OUT.
The same input gives the same bytes.  Shares nothing with salvor.
"""

import pathlib
import struct

import corpus
from corpus import flip, garbage, put
from ulog import judge, writer

HOME = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "ulog"

HEAD = """# Flight logs of PX4 to test with

Sound ones (`good-*`, `odd-*`), damaged ones (`bad-*`), and ones that salvor leaves
alone (`unsupported-*`).  `tests/support/ulog/writer.py` writes them, and
`tests/support/make_ulogdata.py` damages them and makes this page.  `expect.txt`
says what `salvor verify` and `salvor repair` answer, and
`tests/checks/verdicts/check_testdata.sh` asks them.

| file | what is wrong | how it was made | verify | repair | problems |
|---|---|---|---|---|---|
"""
FROM = "from good-today"


def small(flight=1, seconds=.35, **style):
    """A small log."""
    return writer.log(writer.Style(unused=1, **style), seconds=seconds,
                      params=3, flight=flight)


def sound():
    """What loggers of several generations write."""
    yield "good-today", "nothing", "written from scratch", small()
    for name, style in (("v0", {"version": 0, "sync": False,
                                "defaults": False, "dropouts": True}),
                        ("v1", {"sync": False, "shuffled": True}),
                        ("sitl", {"start": 1_710_000_000_000_000,
                                  "gps": False})):
        yield ("good-" + name, "nothing", "written from scratch",
               small(**style))
    yield ("good-appended", "two crash dumps follow cut messages",
           "written from scratch", writer.appended(small(), dump=600))
    raw, at = small(), None
    at = [m.off for m in judge.split(raw) if m.kind == "D"][40]
    yield ("odd-type", "a message of a type that no reader knows",
           FROM, raw[:at] + writer.message("Z", b"of tomorrow") + raw[at:])


def ends(raw, found):
    """Damage to the ends."""
    data = [m for m in found if m.kind == "D"]
    at = data[90].off + 20
    yield "bad-cut", f"cut at {at}, in a message", FROM, raw[:at]
    at = [m.off for m in found if m.kind == "F"][4] + 9
    yield ("bad-cut-definitions", f"cut at {at}, in a format", FROM,
           raw[:at])
    at = data[90].off + 20
    yield ("bad-zero-tail", f"zeros from {at} on", FROM,
           raw[:at] + bytes(6000))
    yield ("bad-junk-before", "700 bytes precede the log", FROM,
           garbage(700) + raw)
    yield "bad-magic", "a bit of the magic", FROM, flip(raw, 2, 4)
    yield "bad-head-gone", "the first 59 bytes are missing", FROM, raw[59:]
    yield ("bad-header-zero", "the first 40 bytes are zeros", FROM,
           put(raw, 0, bytes(40)))


def data_damage(raw, found):
    """Damage to messages."""
    data = [m for m in found if m.kind == "D"]
    at = data[60].off + 11
    yield ("bad-hole", f"zeros at {at}, over some messages", FROM,
           put(raw, at, bytes(200)))
    yield ("bad-missing", f"200 bytes are missing at {at}", FROM,
           raw[:at] + raw[at + 200:])
    yield ("bad-inserted", f"90 bytes too many at {at}", FROM,
           raw[:at] + garbage(90) + raw[at:])
    at = data[70].off
    yield "bad-size", f"a bit at {at}, in a size", FROM, flip(raw, at, 16)
    yield ("bad-type", f"a bit at {at + 2}, in a type", FROM,
           flip(raw, at + 2, 2))
    yield ("bad-number", f"a bit at {at + 4}, in the number of a topic", FROM,
           flip(raw, at + 4, 8))
    yield ("bad-time", f"a bit at {at + 8}, in a time", FROM,
           flip(raw, at + 8, 16))
    yield ("bad-doubled", f"the bytes at {at} come twice", FROM,
           raw[:at + 900] + raw[at:])
    other = small(flight=0)
    yield ("bad-stale", f"bytes at {at} are of an older log of the vehicle",
           FROM, put(raw, at + 7, other[at:at + 1500]))
    begin = next(m.off for m in found if m.kind == "P")
    yield ("bad-alone", "parameters of an older log are between data", FROM,
           put(raw, at + 7, garbage(9) + raw[begin:begin + 80] + garbage(9)))


def declarations(raw, found):
    """Damage to what explains messages."""
    def of(kind, text):
        return next(m for m in found if m.kind == kind and text in m.body)

    one = of("F", b"vehicle_attitude:")
    yield ("bad-format", f"zeros at {one.off}, a format", FROM,
           put(raw, one.off, bytes(one.end - one.off)))
    at = raw.index(b"float[4] q", one.off) + 6
    yield ("bad-format-size", f"a bit at {at}, in a size of an array", FROM,
           flip(raw, at, 2))
    start = next(m.end for m in found if m.kind == "A")
    yield ("bad-format-late", "a format follows the first subscription", FROM,
           raw[:one.off] + raw[one.end:start] + raw[one.off:one.end]
           + raw[start:])
    at = next(m.off for m in found if m.kind == "D")
    yield ("bad-format-unused", f"a format at {at} that no topic needs", FROM,
           raw[:at] + writer.message("F", b"other:uint64_t timestamp;float x;")
           + raw[at:])
    one = of("A", b"vehicle_attitude")
    yield ("bad-subscription", f"zeros at {one.off}, a subscription", FROM,
           put(raw, one.off, bytes(one.end - one.off)))
    yield ("bad-subscription-twice", "a subscription is repeated", FROM,
           raw[:one.end] + raw[one.off:])
    yield ("bad-subscription-number",
           f"a bit at {one.off + 4}, in a number that another one has", FROM,
           flip(raw, one.off + 4, 1))


def flags():
    """Damage to the flags, and logs that are left alone."""
    raw = writer.appended(small(), dump=600)
    yield ("bad-appended", "a bit at 36, in a place of a crash dump",
           "from good-appended", flip(raw, 36, 8))
    yield ("unsupported-flags", "a flag that no reader knows", FROM,
           flip(small(), 28, 1))
    yield ("unsupported-encrypted", "it is encrypted", "written from scratch",
           b"ULogEnc\x01" + struct.pack("<QBBHH", 5, 4, 1, 256, 24)
           + garbage(900))


def all_files():
    """Everything."""
    raw = small()
    found = judge.split(raw)
    yield from sound()
    yield from ends(raw, found)
    yield from data_damage(raw, found)
    yield from declarations(raw, found)
    yield from flags()


def main():
    """Write all files and the README."""
    corpus.write(HOME, "ulg", all_files(), HEAD)


if __name__ == "__main__":
    main()

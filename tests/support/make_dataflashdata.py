#!/usr/bin/python3
"""Makes the flight logs in testdata/dataflash, and their README.

    make_dataflashdata.py [OUT]

Reads expect.txt there; writes everything else there, or into the folder OUT.
The same input gives the same bytes.  Shares nothing with salvor.
"""

import pathlib

import corpus
from corpus import flip, garbage, put
from dataflash import judge, writer

HOME = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "dataflash"

HEAD = """# Flight logs of ArduPilot to test with

Sound ones (`good-*`) and damaged ones (`bad-*`).  `tests/support/dataflash/writer.py`
writes them, and `tests/support/make_dataflashdata.py` damages them and makes this
page.  `expect.txt` says what `salvor verify` and `salvor repair` answer, and
`tests/checks/verdicts/check_testdata.sh` asks them.

| file | what is wrong | how it was made | verify | repair | problems |
|---|---|---|---|---|---|
"""
FROM = "from good-v45"


def small(style="v45", flight=1, **more):
    """A small log."""
    style = {**vars(writer.STYLES[style]), "unused": 2, **more}
    return writer.log(writer.Style(**style), seconds=.4, params=6,
                      flight=flight)


def sound():
    """What loggers of several generations write."""
    for name in writer.STYLES:
        yield "good-" + name, "nothing", "written from scratch", small(name)


class Base:
    """A log to damage."""

    def __init__(self, raw):
        self.raw = raw
        self.log = judge.strict(raw)
        self.types = {found.name.decode(): number for number, (_, found)
                      in self.log.formats.items()}

    def all(self, name):
        """The messages of a type."""
        return [one for one in self.log.messages
                if one.number == self.types[name]]

    def format(self, name):
        """The FMT of a type."""
        return self.log.formats[self.types[name]][0]


def ends(base):
    """Damage to the ends."""
    raw = base.raw
    at = base.all("IMU")[-3].off + 20
    yield "bad-cut", f"cut at {at}, in a message", FROM, raw[:at]
    at = base.format("ATT").off + 40
    yield "bad-cut-format", f"cut at {at}, in a format", FROM, raw[:at]
    at = base.all("IMU")[-3].off
    yield ("bad-zero-tail", f"zeros from {at} on", FROM,
           raw[:at] + bytes(6000))
    yield ("bad-padding", f"200 bytes FF at {at}, the end", FROM,
           raw[:at] + b"\xff" * 200)
    yield ("bad-junk-before", "700 bytes precede the log", FROM,
           garbage(700) + raw)
    yield "bad-first", "a bit of the first message", FROM, flip(raw, 2, 4)
    at = base.format("GPS").end
    yield ("bad-head-gone", f"the first {at} bytes are missing", FROM,
           raw[at:])


def data_damage(base, other):
    """Damage to messages."""
    raw = base.raw
    imu = base.all("IMU")
    at = imu[9].off + 11
    yield ("bad-hole", f"zeros at {at}, over some messages", FROM,
           put(raw, at, bytes(200)))
    at = (imu[9].off + 20) // 90 * 90 + 90
    yield ("bad-packet", f"zeros at {at}, a packet of a download", FROM,
           put(raw, at, bytes(90)))
    at = imu[9].off + 20
    yield ("bad-missing", f"200 bytes are missing at {at}", FROM,
           raw[:at] + raw[at + 200:])
    yield ("bad-inserted", f"90 bytes too many at {at}", FROM,
           raw[:at] + garbage(90) + raw[at:])
    at = imu[9].off
    yield "bad-magic", f"a bit at {at}, in a head", FROM, flip(raw, at, 2)
    kind = next(n for n in range(1, 255) if n not in base.log.formats)
    yield ("bad-type", f"the type at {at + 2} is one without a format", FROM,
           put(raw, at + 2, bytes([kind])))
    yield ("bad-type-known", f"the type at {at + 2} is another one", FROM,
           put(raw, at + 2, bytes([base.types["ATT"]])))
    yield ("bad-time", f"a bit at {at + 6}, in a time", FROM,
           flip(raw, at + 6, 16))
    begin, end = (base.all("RATE")[k].off for k in (0, 2))
    yield ("bad-doubled", f"the bytes at {begin} come twice", FROM,
           raw[:end] + raw[begin:])
    yield ("bad-stale", f"bytes at {at} are of an older log of the vehicle",
           FROM, put(raw, at + 7, other.raw[at:at + 900]))


def old_damage():
    """Damage to a log with messages without a time."""
    base = Base(small("v33"))
    at = base.all("IMU")[9].off
    params = base.all("PARM")
    yield ("bad-alone", "parameters are between garbage in the data",
           "from good-v33",
           put(base.raw, at + 7, garbage(9) + base.raw[
               params[0].off:params[2].end] + garbage(9)))
    end = max(one.end for one, _ in base.log.formats.values())
    yield ("bad-formats-gone", f"the first {end} bytes, all formats, are "
           "missing", "from good-v33", base.raw[end:])
    yield ("bad-format-wrong", "messages by a format that lacks a letter",
           "from good-v33",
           base.raw[:at] + 2 * writer.message(250, bytes(46))
           + base.raw[at:])


def declarations(base):
    """Damage to formats."""
    raw = base.raw
    one = base.format("ATT")
    yield ("bad-format", f"zeros at {one.off}, a format", FROM,
           put(raw, one.off, bytes(one.end - one.off)))
    yield ("bad-format-length", f"a bit at {one.off + 4}, in a length", FROM,
           flip(raw, one.off + 4, 2))
    yield ("bad-format-letter", f"a bit at {one.off + 12}, in a letter", FROM,
           flip(raw, one.off + 12, 16))
    late = base.all("ATT")[1].end
    yield ("bad-format-late", "a format follows messages of its type", FROM,
           raw[:one.off] + raw[one.end:late] + raw[one.off:one.end]
           + raw[late:])
    yield ("bad-format-twice", "a format is repeated", FROM,
           raw[:late] + raw[one.off:one.end] + raw[late:])
    other = writer.packed(base.types["ATT"], "ATT", "Qff", "TimeUS,A,B")
    yield ("bad-format-two", "a second format of a type", FROM,
           raw[:late] + other + raw[late:])
    yield ("bad-format-rival", "a wrong format of a type precedes", FROM,
           raw[:one.off] + other + raw[one.off:])


def all_files():
    """Everything."""
    base = Base(small())
    yield from sound()
    yield from ends(base)
    yield from data_damage(base, Base(small(flight=0)))
    yield from old_damage()
    yield from declarations(base)
    yield ("unsupported-encrypted", "it is encrypted", "written from scratch",
           b"APLOGE1\0\1\1\1\0\x98\0\0\0" + corpus.garbage(136) + b"".join(
               b"APLF" + k.to_bytes(8, "little") + b"\x59\0\0\0"
               + corpus.garbage(105) for k in range(9)))


def main():
    """Write all files and the README."""
    corpus.write(HOME, "bin", all_files(), HEAD)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Makes the damaged and odd CARLA recorder logs in testdata/carla, and their
README.

    make_carladata.py [OUT]

Reads testdata/carla: the good-* logs, of which carla_writer.py wrote those that
are named after a version, and expect.txt; writes everything else there, or into
the folder OUT.  The same input gives the same bytes.  Shares nothing with
salvor.

    make_carladata.py --good    writes the good-* logs of carla_writer.py anew
"""

import pathlib
import struct
import sys

import carla_writer as w
import corpus
from corpus import flip, put
from carla_reader import physics_counts, read

HOME = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "carla"
GOOD = "0.9.10", "0.9.15", "ue5", "ue4-2026"


class Given:
    """A good log, and where its parts are."""

    def __init__(self, name):
        self.name = name
        self.raw = (HOME / f"good-{name}.log").read_bytes()
        self.frames = read(self.raw, gaps=False).frames

    def packet(self, frame, number):
        """Where the packet of a frame begins, which is counted from 1."""
        return next(at for other, at, _ in self.frames[frame - 1].places()
                    if other == number)

    def start(self, frame):
        """Where a frame begins."""
        return self.frames[frame - 1].at

    def end(self, frame):
        """... and ends."""
        return self.frames[frame - 1].end


def cuts(t):
    """The end is missing."""
    last = len(t.frames)
    for name, at, where in (
            ("header", 20, "the header"),
            ("map", 30, "the name of the map"),
            ("first-frame", t.start(1) + 300, "the first frame"),
            ("frame", t.packet(5, 6) + 30, "frame 5"),
            ("frame-start", t.start(5) + 12, "the FrameStart of frame 5"),
            ("between", t.start(5), "front of frame 5"),
            ("last-byte", t.end(last) - 1, "the last byte")):
        yield f"cut-{name}", f"cut at {at}, in {where}", t.raw[:at]
    at = t.packet(5, 6) + 30
    yield ("cut-zeros", f"zeros from {at} on, and 5,000 more",
           t.raw[:at] + bytes(len(t.raw) - at + 5000))


def tails(t):
    """Something follows it."""
    yield "tail-zeros", "9,000 zeros behind it", t.raw + bytes(9000)
    yield "tail-ff", "5,000 bytes of 255 behind it", t.raw + b"\xff" * 5000
    a, b, c = t.start(3), t.start(5), t.start(7)
    yield "order", "frames 3 and 4 follow frame 6", \
        t.raw[:a] + t.raw[b:c] + t.raw[a:b] + t.raw[c:]
    yield "junk-before", "19 bytes of 254 in front of it", \
        b"\xfe" * 19 + t.raw
    yield "tail-log", "the same log once more behind it", t.raw + t.raw


def crashes(t):
    """What a recorder leaves that was killed."""
    at = t.packet(6, 8)
    raw = put(t.raw, at + 1, bytes(4))[:at + 40]
    yield ("crash", f"a packet at {at} has no size yet and is cut", raw)
    raw = put(raw, t.start(5) + 13, struct.pack("<d", -1))
    yield "crash-duration", "the same, and frame 5 no duration", raw
    yield ("size-zero", f"the packet at {at} never got its size",
           put(t.raw, at + 1, bytes(4)))
    for name, number in ("actors", 2), ("vehicles", 15):
        at = t.packet(1, number)
        yield (f"size-zero-{name}", f"the packet at {at} never got its size",
               put(t.raw, at + 1, bytes(4)))
    yield ("duration-none", "frame 5 never got its duration",
           put(t.raw, t.start(5) + 13, struct.pack("<d", -1)))


def numbers(t):
    """Numbers that are others."""
    start = t.start(4)
    for name, at, mask, what in (
            ("id", start + 5, 64, "the number of frame 4"),
            ("duration", start + 18, 1, "the duration of frame 4"),
            ("elapsed", start + 26, 1, "the time of frame 4"),
            ("start", start + 1, 2, "the size of a FrameStart"),
            ("size", t.packet(4, 6) + 1, 8, "the size of a Position"),
            ("count", t.packet(4, 6) + 5, 1, "the count of a Position"),
            ("type", t.packet(4, 6), 64, "the type of a Position"),
            ("actor", t.packet(1, 2) + 40, 8, "the length of a name"),
            ("version", 0, 2, "the version"),
            ("magic", 9, 32, "the magic word"),
            ("map-length", 26, 1, "the length of the name of the map")):
        yield f"flip-{name}", f"a bit of byte {at}, {what}", flip(
            t.raw, at, mask)


def impossible(t):
    """Values that the recorder cannot have written."""
    at = t.packet(1, 2) + 11
    yield ("actor-type", f"byte {at}, the type of an actor, is 175",
           put(t.raw, at, b"\xaf"))
    at = t.packet(4, 19)
    yield ("type-99", f"byte {at}, the type of a WalkerBones, is 99",
           put(t.raw, at, b"c"))
    yield "map-bit", "a bit of byte 33, in the name of the map", flip(
        t.raw, 33, 32)
    yield ("map-name", "bytes 28 and 29, in the name of the map, are 7",
           put(t.raw, 28, b"\7\7"))
    last = len(t.frames)
    at = t.packet(last, 19)
    yield ("zero-head", f"cut at {at}, in frame {last}, and five zeros",
           t.raw[:at] + bytes(5))


def middles(t):
    """Stretches in the middle."""
    body = dict(t.frames[0].packets)[15]
    at = t.packet(1, 15) + 5 + physics_counts(body)[-1]
    yield ("vehicle", f"a bit of byte {at}, the number of a vehicle's wheels",
           flip(t.raw, at))
    at = t.packet(4, 6) + 20
    yield "hole", f"200 bytes at {at} are missing", \
        t.raw[:at] + t.raw[at + 200:]
    yield ("hole-frames", "frames 4 and 5 are missing",
           t.raw[:t.start(4)] + t.raw[t.start(6):])
    i, k = next((i, k) for i in range(2, 6) for k in range(i + 2, 8)
                if t.packet(i, 7) - t.start(i) == t.packet(k, 7) - t.start(k))
    yield ("hole-inside", f"from inside frame {i} to inside frame {k}",
           t.raw[:t.packet(i, 6) + 20] + t.raw[t.packet(k, 6) + 20:])
    at = (t.start(4) + 511) // 512 * 512
    yield "sector", f"512 zeros at {at}", put(t.raw, at, bytes(512))
    yield "sector-first", "512 zeros at 0", put(t.raw, 0, bytes(512))
    at = t.packet(1, 7)
    yield ("first-frame", f"30 zeros at {at}, in the first frame",
           put(t.raw, at, bytes(30)))
    yield ("twice", "frames 4 and 5 are there twice",
           t.raw[:t.end(5)] + t.raw[t.start(4):])
    yield "head-gone", "the header is missing", t.raw[34:]


def odd():
    """Sound ones that are not what CARLA writes."""
    new = Given("0.9.15").raw
    yield "odd-user", "packets of a program's own behind it", new + w.AFTER
    t = Given("0.9.15")
    a, b = t.frames[2], t.frames[5]
    raw = put(t.raw, a.at + 13, struct.pack("<d", b.elapsed - a.elapsed))
    assert a.elapsed + (b.elapsed - a.elapsed) == b.elapsed
    yield ("odd-gap", "frames 4 and 5 were left out",
           raw[:a.end] + raw[b.at:])
    yield ("odd-dreyevr", "a fork of CARLA has written it",
           w.log("dreyevr", frames=3))
    yield ("odd-mixed", "a development version of UE5 has written it",
           w.log("ue5-mixed", frames=3))
    raw = w.log("ue5-mixed", frames=6, actors=4, still=True)
    last = read(raw, gaps=False).frames[-1]
    at = next(at for number, at, _ in last.places() if number == 8)
    yield ("bad-crash-mixed", f"a packet at {at} has no size yet and is cut",
           put(raw, at + 1, bytes(4))[:at + 40])
    yield ("odd-no-date", "its date is 0",
           put(new, 18, bytes(8)))
    yield "odd-empty", "a header and no frame", w.header()


def all_files():
    """Name, what is wrong, how it was made, bytes; of each file."""
    for name, end in ("0.9.15", ""), ("ue5", "-ue5"):
        t = Given(name)
        for maker in (cuts, tails, crashes, numbers, impossible,
                      middles):
            if end and maker in (tails, numbers, impossible):
                continue
            for what, wrong, raw in maker(t):
                yield f"bad-{what}{end}", wrong, f"from good-{name}", raw
    for name, wrong, raw in odd():
        yield name, wrong, "written from scratch", raw


HEAD = """# CARLA recorder logs to test with

Sound ones (`good-*`), sound ones with something to note (`odd-*`) and damaged
ones (`bad-*`).

`tests/support/carla_writer.py` wrote the good ones that are named after a
version; `good-given-*` come from another program of that kind.
`tests/support/make_carladata.py` made the rest, and this page.  `expect.txt`
says what `salvor verify` and `salvor repair` answer, and
`tests/checks/verdicts/check_testdata.sh` asks them.

| file | what is wrong | how it was made | verify | repair | problems |
|---|---|---|---|---|---|
"""


def write_good():
    """The good logs of the writer."""
    for name in GOOD:
        (HOME / f"good-{name}.log").write_bytes(
            w.log(name, frames=8, actors=4, still=True))


def given(name):
    """What is said of a log that is not damaged."""
    by = "given" if "given" in name else "by carla_writer.py"
    return "nothing", by


def main():
    """Write all files and the README."""
    if sys.argv[1:] == ["--good"]:
        write_good()
        return
    corpus.write(HOME, "log", all_files(), HEAD, given)


if __name__ == "__main__":
    main()

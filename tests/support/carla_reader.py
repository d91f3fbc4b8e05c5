#!/usr/bin/python3
"""A strict reader of CARLA recorder logs.

    read(raw) -> Log, or Bad is raised
    carla_reader.py FILE...: OK or what is wrong, of each

Takes what the recorder writes and nothing else: every packet is as long as its
contents need, frames are counted, and each begins where the one before it ends,
to the last bit.  Shares nothing with salvor.
"""

import struct
import sys
from collections import Counter
from dataclasses import dataclass, field

LISTS = {3: 4, 4: 8, 5: 14, 7: 10, 8: 21, 9: 8, 10: 8, 11: 26, 16: 16}
VECTORS = {6, 12, 13, 17}
FIXED = {0: 24, 1: 0, 14: 8, 20: 8}
ALWAYS = {2, 3, 4, 5, 6, 7, 8, 9, 10}
# Packets that are in every frame of a version that has them.
STEADY = ALWAYS | {13, 14, 19, 20, 21, 22, 23}
# What 21 to 24 stand for in the versions there are.
VERSIONS = ({21: "wheels", 22: "biker"},
            {21: "door", 22: "wheels", 23: "biker"},
            {21: "wheels", 22: "biker", 23: "door", 24: "weather"})
# Of a vehicle in PhysicsControl: bytes of its numbers, and of a record in each
# of its arrays; the last are wheels.
PHYSICS = (53, 8, 12, 8, 36), (53, 8, 12, 8, 48), (111, 8, 4, 4, 8, 208)
VARYING = {"door": 6, "biker": 12, "weather": 56}


class Bad(Exception):
    """It is no log as the recorder writes them."""


def want(good, *what):
    """Refuse what is not good."""
    if not good:
        raise Bad(" ".join(str(w) for w in what))


@dataclass
class Frame:
    """A frame."""
    at: int
    end: int
    id: int
    duration: float
    elapsed: float
    packets: list  # (id, body)

    def places(self):
        """Its packets, each with where it begins and ends: (id, at, end)."""
        at = self.at
        for number, body in self.packets:
            yield number, at, at + 5 + len(body)
            at += 5 + len(body)

    def content(self):
        """All of it but what says which frame it is."""
        return tuple(self.packets[1:])


@dataclass
class Log:
    """A log."""
    raw: bytes
    town: str
    date: int
    frames: list = field(default_factory=list)
    after: list = field(default_factory=list)  # user packets
    vec: int = 12  # bytes of a vector in an EventAdd

    def events(self, frame):
        """What happens in a frame: (where its packet begins, id, record)."""
        for (number, body), (_, at, _) in zip(frame.packets, frame.places()):
            if number == 2:
                for record in read_add(Body(body), self.vec):
                    yield at, number, record
            elif number in (3, 4):
                size = LISTS[number]
                for i in range(2, len(body), size):
                    yield at, number, body[i:i + size]


class Body:
    """Bytes that are read from front to end."""

    def __init__(self, raw):
        self.raw, self.at = raw, 0

    def take(self, n):
        """The next n."""
        want(self.at + n <= len(self.raw), "the body is too short")
        self.at += n
        return self.raw[self.at - n:self.at]

    def number(self, code):
        """A number."""
        return struct.unpack("<" + code, self.take(struct.calcsize(code)))[0]

    def string(self):
        """A string."""
        return self.take(self.number("H"))

    def done(self):
        """Nothing is left."""
        want(self.at == len(self.raw), "the body is too long")


def text(raw):
    """A text that can be read."""
    try:
        want(raw.decode().isprintable(), "no text:", raw)
    except UnicodeDecodeError as fault:
        raise Bad(str(fault)) from fault
    return raw


def read_add(body, vec):
    """EventAdd: its records."""
    actors = []
    for _ in range(body.number("H")):
        start = body.at
        body.take(4)
        want(body.number("B") <= 6, "no actor is of such a type")
        body.take(2 * vec + 4)
        want(text(body.string()), "a blueprint has no name")
        for _ in range(body.number("H")):
            want(body.number("B") <= 4, "no attribute is of such a type")
            want(text(body.string()), "an attribute has no name")
            text(body.string())
        actors.append(body.raw[start:body.at])
    body.done()
    return actors


def read_bones(body, vec):
    """WalkerBones."""
    for _ in range(body.number("H")):
        body.take(4)
        for _ in range(body.number("H")):
            body.string()
            body.take(2 * vec)
    body.done()


def read_physics(body, fixed, *sizes):
    """PhysicsControl: where in it arrays are counted."""
    counts = []
    for _ in range(body.number("H")):
        body.take(fixed)
        for size in sizes:
            counts.append(body.at)
            body.take(body.number("I") * size)
    body.done()
    return counts


def physics_counts(raw):
    """The same of whatever version has written it."""
    for form in PHYSICS:
        if fits(read_physics, Body(raw), *form):
            return read_physics(Body(raw), *form)
    raise Bad("PhysicsControl")


def read_wheels(body):
    """AnimVehicleWheels."""
    for _ in range(body.number("H")):
        body.take(4)
        body.take(body.number("I") * 9)
    body.done()


def fits(reader, *args):
    """Whether a reader takes it."""
    try:
        reader(*args)
    except Bad:
        return False
    return True


def records(body, size, what):
    """A list of records of one length."""
    want(len(body) >= 2, what, "has no count")
    count = struct.unpack_from("<H", body)[0]
    want(len(body) == 2 + count * size, what, "of", len(body), "bytes for",
         count, "records of", size)


class Reader:
    """Reads with one kind of vectors."""

    def __init__(self, raw, vec, mixed, version):
        self.raw, self.vec, self.mixed = raw, vec, mixed
        self.version = version

    def packet(self, at):
        """The packet at an offset: id, body, and where it ends."""
        want(at + 5 <= len(self.raw), "cut at", at)
        number, size = struct.unpack_from("<BI", self.raw, at)
        at += 5
        if self.mixed and number in (12, 13, 17):
            want(at + 2 <= len(self.raw), "cut at", at)
            count = struct.unpack_from("<H", self.raw, at)[0]
            want(size == 2 + 52 * count, "size of", number)
            size = 2 + 28 * count
        want(at + size <= len(self.raw), "packet", number, "is cut")
        return number, self.raw[at:at + size], at + size

    def judge(self, number, body):
        """Is the body of a packet what it must be?"""
        if number in LISTS:
            records(body, LISTS[number], number)
        elif number in VECTORS:
            vec = 24 if self.mixed and number == 6 else self.vec
            records(body, 4 + 2 * vec, number)
        elif number in FIXED:
            want(len(body) == FIXED[number], "size of", number)
        elif number == 2:
            read_add(Body(body), self.vec)
        elif number == 19:
            read_bones(Body(body), self.vec)
        elif number == 15:
            physics_counts(body)
        elif number in self.version:
            what = self.version[number]
            if what == "wheels":
                read_wheels(Body(body))
            else:
                records(body, VARYING[what], what)
        else:
            want(number == 18 or number > 100, "packet", number)

    def frame(self, at):
        """The frame at an offset."""
        packets, start, seen = [], at, set()
        while True:
            number, body, at = self.packet(at)
            self.judge(number, body)
            want((number == 0) == (not packets), "FrameStart amid a frame")
            want(number > 100 or number not in seen, number, "twice")
            seen.add(number)
            packets.append((number, body))
            if number == 1:
                break
        want(ALWAYS <= seen, "missing:", *(ALWAYS - seen))
        number, duration, elapsed = struct.unpack("<Qdd", packets[0][1])
        return Frame(start, at, number, duration, elapsed, packets)

    def log(self, gaps):
        """All of it."""
        town = struct.unpack_from("<H", self.raw, 26)[0]
        log = Log(self.raw, self.raw[28:28 + town].decode(),
                  struct.unpack_from("<q", self.raw, 18)[0], vec=self.vec)
        at = 28 + town
        while at < len(self.raw):
            if self.raw[at] > 100:
                number, body, at = self.packet(at)
                log.after.append((number, body))
                continue
            want(not log.after, "a frame behind user packets")
            log.frames.append(self.frame(at))
            at = log.frames[-1].end
        self.sequence(log, gaps)
        return log

    @staticmethod
    def sequence(log, gaps):
        """Do the frames lead from one to the next?"""
        for a, b in zip(log.frames, log.frames[1:]):
            want(a.elapsed + a.duration == b.elapsed, "frame", a.id, "does "
                 "not end where", b.id, "begins")
            want(b.id > a.id if gaps else b.id == a.id + 1, "frame", b.id,
                 "behind", a.id)
        seen = Counter(p[0] for f in log.frames for p in f.packets)
        for number in STEADY:
            want(seen[number] in (0, len(log.frames))
                 or seen[number] * 4 < len(log.frames) * 3,
                 "a frame lacks", number)
        if log.frames:
            want(log.frames[-1].duration == -1, "the last duration")
            first = log.frames[0]
            want(gaps or first.id == 1, "the first is", first.id)
            want(first.id > 1 or first.elapsed == 0, "the first begins late")


def read(raw, gaps=True):
    """The log, which has all the frames it had unless there may be gaps."""
    want(raw[:18] == b"\x01\0\x0e\0CARLA_RECORDER" and len(raw) >= 28,
         "no header")
    faults = []
    for vec, mixed in (12, False), (24, False), (12, True):
        for version in VERSIONS:
            try:
                return Reader(raw, vec, mixed, version).log(gaps)
            except (Bad, UnicodeDecodeError) as fault:
                faults.append(str(fault))
    raise Bad(faults[0])


def main():
    """Judge files."""
    for name in sys.argv[1:]:
        with open(name, "rb") as file:
            raw = file.read()
        try:
            read(raw)
            print("%s: OK" % name)
        except Bad as fault:
            print("%s: %s" % (name, fault))


if __name__ == "__main__":
    main()

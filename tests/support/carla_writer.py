"""Writes CARLA recorder logs of every dialect, as the recorder does.

    log(dialect, frames=12, seed=1, **recipe) -> bytes
    DIALECTS                                  -> {name: Dialect}

Shares nothing with salvor.
"""

import random
import struct
from dataclasses import dataclass

DATE = 1700000000
NONE = 0xffffffff
AFTER = b"\xfa" + struct.pack("<I", 9) + b"after all"  # user packets after
#   the last frame
AFTER += b"\xfb" + struct.pack("<I", 0)


@dataclass
class Dialect:
    """What a version writes."""
    vec: str = "f"  # of vectors
    mixed: bool = False  # f64 in Position and in sizes only
    wheel: int = 48  # bytes in PhysicsControl; 0: all as in UE5
    visual: bool = True  # VisualTime
    bones: bool = True
    # what is written, and under which id
    door: int = 0
    wheels: int = 0
    biker: int = 0
    weather: int = 0
    extra: bool = True  # additional_data
    fork: bool = False  # DReyeVR: 18 is its weather, and it has its own ids


DIALECTS = {
    "0.9.10": Dialect(wheel=36, visual=False, bones=False),
    "0.9.12-plain": Dialect(visual=False, bones=False, extra=False),
    "0.9.15": Dialect(wheels=21, biker=22),
    "ue4-dev": Dialect(door=21, wheels=22, biker=23),
    "ue4-2025": Dialect(wheels=21, biker=22, door=23),
    "ue4-2026": Dialect(wheels=21, biker=22, door=23, weather=24),
    "ue5": Dialect(vec="d", wheel=0, door=21, wheels=22, biker=23),
    "ue5-mixed": Dialect(mixed=True, wheel=0, door=21, wheels=22, biker=23),
    "dreyevr": Dialect(visual=False, bones=False, fork=True),
}


def packet(number, body):
    """One packet."""
    return struct.pack("<BI", number, len(body)) + body


def noise(rng, n):
    """n bytes that mean nothing."""
    return rng.getrandbits(8 * n).to_bytes(n, "little")


def f32(value):
    """A float that a float32 holds."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def text(value):
    """A string."""
    raw = value.encode()
    return struct.pack("<H", len(raw)) + raw


def header(town="Town01", date=DATE):
    """The beginning of a log."""
    return struct.pack("<H", 1) + text("CARLA_RECORDER") + \
        struct.pack("<q", date) + text(town)


class Recorder:
    """A world that is recorded."""

    def __init__(self, dialect, seed=1, actors=6, still=False, vehicles=2):
        self.d = DIALECTS[dialect]
        self.rng = random.Random("%s %s" % (dialect, seed))
        self.still, self.vehicles = still, vehicles
        self.actors = list(range(20, 20 + actors))
        self.next = 20 + actors
        self.born = list(self.actors)
        self.elapsed, self.number = 0.0, 0

    def vec(self, code=None):
        """A vector."""
        return struct.pack("<3" + (code or self.d.vec), *(
            self.rng.uniform(-1e4, 1e4) for _ in range(3)))

    def listed(self, number, records):
        """A packet with a list."""
        return packet(number, struct.pack("<H", len(records))
                      + b"".join(records))

    def event_add(self, actors):
        """Actors that appear."""
        records = []
        for actor in actors:
            kind = actor % 3 + 1
            what = "vehicle.tesla.model3", "walker.pedestrian.0001", \
                "traffic.traffic_light"
            attributes = [("role_name", "autopilot", 3), ("wheels", "4", 1)]
            record = struct.pack("<IB", actor, kind) + self.vec() + \
                self.vec() + struct.pack("<I", actor) + text(what[actor % 3])
            record += struct.pack("<H", len(attributes))
            for name, value, sort in attributes:
                record += bytes([sort]) + text(name) + text(value)
            records.append(record)
        return self.listed(2, records)

    def pairs(self, number):
        """A packet with two vectors an actor."""
        code = "d" if self.d.mixed and number == 6 else None
        records = [struct.pack("<I", a) + self.vec(code) + self.vec(code)
                   for a in self.actors]
        raw = self.listed(number, records)
        if self.d.mixed and number != 6:
            raw = raw[:1] + struct.pack("<I", 2 + 52 * len(records)) + raw[5:]
        return raw

    def physics(self):
        """PhysicsControl."""
        if self.d.wheel == 0:
            fixed = struct.pack("<6fBfB14f3f2fB", *[1.5] * 6, 1, .5, 1,
                                *[.25] * 14, *[.5] * 3, *[.75] * 2, 1)
            arrays = (3, 8), (5, 4), (1, 4), (2, 8), (4, 208)
        else:
            fixed = struct.pack("<5fB4f3f", *[1.5] * 5, 1, *[.25] * 7)
            arrays = (2, 8), (3, 12), (2, 8), (4, self.d.wheel)
        records = []
        for actor in self.actors[:self.vehicles]:
            record = struct.pack("<I", actor) + fixed
            for count, size in arrays:
                record += struct.pack("<I", count)
                record += noise(self.rng, count * size)
            records.append(record)
        return self.listed(15, records)

    def each(self, number, pattern, *values):
        """A packet with a record for each actor."""
        return self.listed(number, [struct.pack("<I" + pattern, a, *values)
                                    for a in self.actors])

    def varying(self):
        """The ids that are not the same in all versions, except for the door."""
        d, out = self.d, b""
        if d.wheels:
            out += self.listed(d.wheels, [
                struct.pack("<II", a, 4) + b"".join(
                    struct.pack("<Bff", k, .5, 1.5) for k in range(4))
                for a in self.actors[::2]])
        if d.biker:
            out += self.listed(d.biker, [struct.pack("<Iff", a, .5, 1.5)
                                         for a in self.actors[:1]])
        if d.weather and self.number % 5 == 1:
            out += self.listed(d.weather, [struct.pack("<14f", *range(14))])
        return out

    def additional(self):
        """Packets that are written where additional data are wanted."""
        out = b""
        if not self.d.extra:
            return out
        if self.actors:
            out += self.pairs(12)
        out += self.pairs(13)
        if self.number == 1:
            out += self.pairs(17)
        out += packet(14, struct.pack("<d", 5.5 + self.elapsed * 1.01))
        if self.number == 1:
            out += self.physics() + self.each(16, "fff", 5, 3, 2)
        if self.d.bones:
            bones = [text("crl_hips__C") + self.vec() + self.vec(),
                     text("crl_spine__C") + self.vec() + self.vec()]
            out += self.listed(19, [struct.pack("<IH", a, len(bones))
                                    + b"".join(bones)
                                    for a in self.actors[1:3]])
        return out

    def frame(self, last=False):
        """The next frame."""
        d, rng = self.d, self.rng
        self.number += 1
        added, gone = self.born, []
        self.born = []
        if self.number % 4 == 0 and not self.still:
            added = [self.next]
            self.next += 1
            gone = [self.actors.pop(0)]
            self.actors += added
        span = f32(rng.uniform(.01, .06))
        out = packet(0, struct.pack("<Qdd", self.number,
                                    -1.0 if last else span, self.elapsed))
        if d.visual:
            out += packet(20, struct.pack("<d", self.elapsed))
        out += self.event_add(added)
        out += self.listed(3, [struct.pack("<I", a) for a in gone])
        out += self.listed(4, [struct.pack("<II", a, 1) for a in added[:1]])
        out += self.listed(5, [struct.pack("<IIIBB", 0, 20, NONE, 1, 0)]
                           if self.number % 3 == 0 else [])
        if d.door:
            out += self.listed(d.door, [struct.pack("<IBB", 21, 2, 1)]
                               if self.number % 2 else [])
        out += self.pairs(6) + self.each(7, "BfB", 0, 1.5, 2)
        out += self.each(8, "fffBi", 0, .5, 0, 0, 1)
        out += self.each(9, "f", 1.5) + self.each(10, "I", 3)
        if self.number % 4 == 1:
            out += self.each(11, "fffffBB", 1, 1, 1, 1, 1, 1, 0)
        out += self.varying() + self.additional()
        if d.fork:
            out += packet(18, struct.pack("<H", 1) + bytes(52))
            out += packet(139, noise(rng, 90)) + packet(140, b"\0" * 17)
        self.elapsed += span
        return out + packet(1, b"")


def frames_of(dialect, frames=12, **recipe):
    """The frames of a log, one by one."""
    recorder = Recorder(dialect, **recipe)
    return [recorder.frame(i == frames - 1) for i in range(frames)]


def log(dialect, frames=12, **recipe):
    """A log."""
    return header() + b"".join(frames_of(dialect, frames, **recipe))

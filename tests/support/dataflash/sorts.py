"""sorts - awkward flight logs of ArduPilot, as a logger may write them.

    SORTS   {name: make(rng) -> (log, an earlier one of the vehicle)}
"""

import dataclasses
import random
import struct

from . import writer
from .writer import FIRST, HEAD, SIZES

TEXTS = (b"EKF3 IMU%d initialised", b"Mission: %d WP", b"GPS %d: u-blox",
         b"Barometer %d calibration complete", b"Throttle armed %d")
VEHICLES = {"copter": "ArduCopter V4.5.1 (abcdef12)",
            "plane": "ArduPlane V4.4.4 (12345678)",
            "rover": "ArduRover V4.2.3 (87654321)",
            "sub": "ArduSub V4.1.2 (aabbccdd)",
            "blimp": "Blimp V4.6.0-dev (00ff00ff)"}
LETTERS = "BbhHcCiIeELfdqQnNZ"


@dataclasses.dataclass
class Recipe:
    """What a log has."""
    firmware: str = VEHICLES["copter"]
    types: int = 12             # that have messages
    idle: int = 20              # ... and that have none
    seconds: float = 1.2
    texts: float = .01          # of messages that a MSG precedes
    parameters: int = 30
    changed: float = .01
    late: float = 0             # of types that are declared in flight
    instances: int = 3
    late_by: int = 0            # us that a type may be later than others
    wide: float = .2            # of types that have long messages
    timeless: float = 0         # of types that have no time
    equal: float = 0            # of messages that come twice
    cargo: bytes = b""          # pieces of it are in messages
    steps: tuple = ()           # us of silences of the logger


def shapes_of(of, rng):
    """{name: (number, letters, names of fields)}."""
    out = {"PARM": ("QNff", "TimeUS,Name,Value,Default"),
           "MSG": ("QZ", "TimeUS,Message"),
           "FMTU": ("QBNN", "TimeUS,FmtType,UnitIds,MultIds")}
    for k in range(of.types + of.idle):
        count = rng.randint(8, 14) if rng.random() < of.wide \
            else rng.randint(1, 7)
        letters = "".join(rng.choice(LETTERS if rng.random() < .1 else "fHBc")
                          for _ in range(count))
        names = ["F%d" % i for i in range(count)]
        if rng.random() < .4:
            letters, names = "B" + letters, ["I"] + names
        if rng.random() >= of.timeless:
            letters, names = "Q" + letters, ["TimeUS"] + names
        if 3 + sum(SIZES[one] for one in letters) > 255:
            letters, names = "QB", ["TimeUS", "I"]
        out["T%d" % k if k < of.types else "U%d" % k] = (
            letters, ",".join(names)[:64].rstrip(","))
        if len(out["T%d" % k if k < of.types else "U%d" % k][1].split(",")) \
                != len(letters):
            out["T%d" % k if k < of.types else "U%d" % k] = (
                "QB", "TimeUS,I")
    if of.cargo:
        out["FILE"] = "NIBZ", "FileName,Offset,Length,Data"
        out["ISBD"] = "QHHaaa", "TimeUS,N,seqno,x,y,z"
    numbers = [k for k in range(1, 255) if k != writer.FMT]
    return {name: (number, *shape) for number, (name, shape) in zip(
        rng.sample(numbers, len(out)), out.items())}


class Flight:
    """A log that grows."""

    def __init__(self, of, vehicle, flight):
        self.of = of
        rng = random.Random("vehicle %s" % vehicle)
        self.shapes = shapes_of(of, rng)
        self.late = {name for name in self.shapes
                     if name != "FMTU" and rng.random() < of.late}
        self.out, self.declared = [FIRST], set()
        self.rng = random.Random("flight %s %d" % (vehicle, flight))

    def declare(self, name, at):
        """FMT, and FMTU."""
        number, letters, columns = self.shapes[name]
        self.declared.add(name)
        self.out.append(writer.packed(number, name, letters, columns))
        self.put("FMTU", at, struct.pack(
            "<B16s16s", number, (b"s" + b"-" * 15)[:len(letters)],
            (b"F" + b"-" * 15)[:len(letters)]))

    def put(self, name, at, body):
        """A message."""
        if name not in self.declared:
            self.declare(name, at)
        number, letters, columns = self.shapes[name]
        if columns.startswith("TimeUS"):
            body = struct.pack("<Q", at) + body
        assert len(body) == sum(SIZES[one] for one in letters), name
        self.out += [writer.message(number, body)] * (
            1 + (self.rng.random() < self.of.equal and name[0] == "T"))

    def piece(self, size):
        """A piece of what is carried."""
        at = self.rng.randrange(len(self.of.cargo) - size)
        return self.of.cargo[at:at + size]

    def values(self, name, instance):
        """The fields after the time."""
        if name == "FILE":
            size = self.rng.randrange(65)
            return struct.pack("<16sIB64s", b"@ROMFS/a.lua",
                               self.rng.randrange(9999), size, self.piece(size))
        if name == "ISBD":
            return struct.pack("<HH", 1, 2) + self.piece(192)
        _, letters, columns = self.shapes[name]
        out = b""
        for letter, column in zip(letters, columns.split(",")):
            if column == "TimeUS":
                continue
            size = SIZES[letter]
            if column == "I":
                out += bytes([instance])
            elif letter == "f":
                out += struct.pack("<f", self.rng.choice(
                    (0, self.rng.gauss(0, 9))))
            else:
                out += bytes(self.rng.choice((0, 0, 1, 9, 255))
                             for _ in range(size))
        return out

    def between(self, at, waiting):
        """What may come between data."""
        rng = self.rng
        if rng.random() < self.of.texts:
            self.put("MSG", at, struct.pack("<64s", rng.choice(
                TEXTS) % rng.randrange(99)))
        if waiting and rng.random() < .5:
            name, value = waiting.pop(0)
            self.put("PARM", at, struct.pack("<16sff", name.encode(), value, 0))
        if rng.random() < self.of.changed:
            self.put("PARM", at, struct.pack("<16sff", b"PAR_CHANGED",
                                             rng.random(), 0))


def events_of(of, shapes, begin, rng):
    """(arrival, time, name, instance), in order of arrival."""
    out, late = [], {name: rng.randint(0, of.late_by) for name in shapes}
    for name, (_, letters, columns) in shapes.items():
        if name[0] == "U" or name in ("PARM", "MSG", "FMTU"):
            continue
        rate = rng.choice((2, 10, 25, 50))
        count = of.instances if ",I" in columns else 1
        at = begin + rng.randint(0, 1_000_000 // rate)
        while at < begin + of.seconds * 1e6:
            out += [(at, name, k) for k in range(count)]
            at += int(1e6 / rate * rng.uniform(.97, 1.03))
    # Each type is written by one thread.
    return sorted((at, at - late[name], name, k)
                  for at, name, k in out)


def log(of, vehicle, flight):
    """A log."""
    to = Flight(of, vehicle, flight)
    rng, at = to.rng, 3_000_000 + flight * 700_123
    names = [name for name in to.shapes if name not in to.late]
    order = random.Random("order %s" % vehicle)
    order.shuffle(names)
    to.declare("FMTU", at)
    for name in names:
        if name != "FMTU":
            to.declare(name, at)
    to.put("MSG", at, struct.pack("<64s", of.firmware.encode()))
    waiting, step = list(writer.parameters(of.parameters)), 0
    events = events_of(of, to.shapes, at, order)
    silent = [len(events) * (k + 1) // (len(of.steps) + 1)
              for k in range(len(of.steps))]
    for place, (_, when, name, k) in enumerate(events):
        if place in silent:
            step += of.steps[silent.index(place)]
        when += step
        to.between(when, waiting)
        to.put(name, when, to.values(name, k))
    return b"".join(to.out)


def generation(*styles):
    """As a generation of loggers writes it."""
    def make(rng):
        how = {"style": rng.choice(styles), "seconds": rng.choice((1, 2)),
               "vehicle": rng.randrange(1 << 30), "params": 40}
        return writer.log(flight=1, **how), writer.log(flight=0, **how)
    return make


def of_recipe(**change):
    """A log of a recipe; functions of its changes are asked."""
    def make(rng):
        of = Recipe(**{key: what(rng) if callable(what) else what
                       for key, what in change.items()})
        vehicle = rng.random()
        return log(of, vehicle, 1), log(of, vehicle, 0)
    return make


def cargo(rng):
    """Another log, or what looks like messages."""
    other = writer.log("v45", seconds=1, vehicle=rng.randrange(99), params=9)
    return rng.choice((other, HEAD * 4000, rng.randbytes(9000)))


SORTS = {
    "v33": generation("v33"), "v38": generation("v38"),
    "v45": generation("v45"), "silent": generation("silent"),
    **{name: of_recipe(firmware=text, types=lambda rng: rng.randint(5, 25))
       for name, text in list(VEHICLES.items())[1:4]},
    "texts": of_recipe(texts=.7),
    "parameters": of_recipe(parameters=300, changed=.3),
    "formats": of_recipe(types=40, idle=150),
    "late": of_recipe(late=.7, idle=5),
    "threads": of_recipe(late_by=9000),
    "timeless": of_recipe(timeless=.4),
    "equal": of_recipe(equal=.2),
    "steps": of_recipe(steps=(139_000_000, 1_400_000)),
    "carriers": of_recipe(cargo=cargo),
    "short": of_recipe(types=2, idle=2, seconds=.4, parameters=3),
}

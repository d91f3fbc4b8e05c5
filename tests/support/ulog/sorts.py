"""sorts - awkward flight logs of PX4, as a logger may write them.

    SORTS   {name: make(rng) -> (log, an earlier one of the vehicle)}
"""

import dataclasses
import random
import struct

from . import writer
from .writer import BASIC, MAGIC, SYNC, message, pair

TIME = "uint64_t timestamp;"
WORDS = "sensor", "vehicle", "actuator", "estimator", "ekf2", "rate", "esc"
UNKNOWN = "Zhk"  # letters that no reader knows, and no flipped bit makes


@dataclasses.dataclass
class Recipe:
    """What a log has."""
    topics: dict                    # name: (fields, Hz, instances)
    nested: dict = dataclasses.field(default_factory=dict)
    seconds: float = 2.0
    version: int = 1
    start: int = 5_000_000          # us
    parameters: int = 30
    changed: float = .002           # of messages that a P precedes
    texts: float = .003             # ... or a L
    tagged: float = 0               # ... or a C
    dropouts: float = 0             # ... or an O
    unknown: float = 0              # ... or a type that no reader knows
    sync: bool = True
    lag: int = 0                    # us that a topic may be late
    ahead: dict = dataclasses.field(default_factory=dict)  # number: us
    steps: tuple = ()               # us of silences of the logger
    late: float = 0                 # of topics that are named in flight
    equal: float = 0                # of messages that come twice
    cargo: bytes = b""              # pieces of it are in messages


def value(kind, count, rng, cargo):
    """Some values of a type."""
    size = BASIC[kind] * count
    if cargo and kind == "uint8_t" and count > 9:
        at = rng.randrange(len(cargo))
        return (cargo[at:at + size] + bytes(size))[:size]
    if kind == "float":
        return struct.pack("<%df" % count, *(
            rng.choice((0, 1, rng.gauss(0, 9))) for _ in range(count)))
    return bytes(rng.choice((0, 0, 0, 1, 7, 255)) for _ in range(size))


def packed(fields, nested, rng, at, cargo=b"", top=True):
    """The fields of a format; padding at the end is not written."""
    fields = [field for field in fields.split(";") if field]
    while top and fields[-1].split()[1].startswith("_padding"):
        fields.pop()
    out = b""
    for field in fields:
        kind, name = field.split()
        kind, _, count = kind.rstrip("]").partition("[")
        if name == "timestamp":
            out += struct.pack("<Q", at)
        elif name.startswith("_padding"):
            out += bytes(BASIC[kind] * int(count or 1))
        elif kind in nested:
            out += b"".join(packed(nested[kind], nested, rng, 0, cargo, False)
                            for _ in range(int(count or 1)))
        else:
            out += value(kind, int(count or 1), rng, cargo)
    return out


def definitions(of, subs, rng):
    """All that precedes the data."""
    out = [MAGIC + struct.pack("<BQ", of.version, of.start)]
    if of.version:
        out.append(message("B", bytes([rng.randrange(2)]) + bytes(39)))
    out += [message("I", pair("char[3] sys_name", b"PX4")),
            message("I", pair("char[40] ver_sw", b"%040x" % 0xabcdef))]
    names = {**of.nested, **{name: t[0] for name, t in of.topics.items()}}
    for name in rng.sample(sorted(names), len(names)):
        out.append(message("F", ("%s:%s" % (name, names[name])).encode()))
    for text, what in writer.parameters(rng, of.parameters):
        out.append(message("P", pair(text, what)))
        if out[1][3] & 1 and of.version and rng.random() < .3:
            out.append(message("Q", b"\x01" + pair(text, what)))
    if of.cargo and of.version:
        at = rng.randrange(len(of.cargo) - 900)
        out.append(message("M", b"\0" + pair("uint8_t[900] cargo", of.cargo[
            at:at + 900])))
    return out + [named(number, subs) for number in subs
                  if not subs[number][2]]


def named(number, subs):
    """A subscription."""
    name, instance, _ = subs[number]
    return message("A", struct.pack("<BH", instance, number) + name.encode())


def extras(of, rng, at):
    """What may come between data."""
    if rng.random() < of.texts:
        yield message("L", b"6" + struct.pack("<Q", at) + b"[commander] %d %s"
                      % (rng.randrange(99), b"x" * rng.randrange(60)))
    if rng.random() < of.tagged:
        yield message("C", b"4" + struct.pack("<HQ", rng.randrange(5), at)
                      + b"[tag] state %d" % rng.randrange(99))
    if rng.random() < of.changed:
        yield message("P", pair("float PAR_F999",
                                struct.pack("<f", rng.random())))
    if rng.random() < of.dropouts:
        yield message("O", struct.pack("<H", rng.randint(5, 90)))
    if rng.random() < of.unknown:
        yield message(rng.choice(UNKNOWN), rng.randbytes(rng.randint(1, 90)))


def events_of(of, subs, begin, rng):
    """(arrival, time, number), in order of arrival."""
    out = []
    for number, (name, _, _) in subs.items():
        rate = of.topics[name][1]
        at = begin + rng.randint(0, int(1e6 / max(rate, 1)))
        late = rng.randint(0, of.lag)
        while at < begin + of.seconds * 1e6:
            out.append((at + late + rng.randint(0, 900),
                        at + of.ahead.get(number, 0), number))
            at += int(1e6 / rate * rng.uniform(.97, 1.03))
    return sorted(out)


def numbered(of, rng):
    """{number: (name, instance, named in flight?)}."""
    every = [(name, k) for name in of.topics for k in range(of.topics[name][2])]
    numbers = list(range(len(every)))
    if rng.random() < .5:
        rng.shuffle(every)
        numbers = sorted(rng.sample(range(2 * len(every)), len(every)))
    return {number: (*one, rng.random() < of.late)
            for number, one in zip(numbers, every)}


def log(of, vehicle, flight):
    """A log."""
    rng = random.Random("vehicle %s" % vehicle)
    subs = numbered(of, rng)
    out = definitions(of, subs, rng)
    known = {number for number in subs if not subs[number][2]}
    rng = random.Random("flight %s %d" % (vehicle, flight))
    begin, step = of.start + 300_000 + flight * 700_123, 0
    events = events_of(of, subs, begin, rng)
    silent = [len(events) * (k + 1) // (len(of.steps) + 1)
              for k in range(len(of.steps))]
    due = begin + 500_000
    for place, (arrival, at, number) in enumerate(events):
        if place in silent:
            step += of.steps[silent.index(place)]
        at += step
        if of.sync and arrival > due:
            out.append(message("S", SYNC))
            due += 500_000
        out += extras(of, rng, at)
        if number not in known:
            known.add(number)
            out.append(named(number, subs))
        one = message("D", struct.pack("<H", number) + packed(
            of.topics[subs[number][0]][0], of.nested, rng, at, of.cargo))
        out += [one] * (1 + (rng.random() < of.equal))
    if of.version:
        out.append(message("M", b"\0" + pair("char[8] perf_top", b"idle 90%")))
    return b"".join(out)


def topics_of(rng, count, instances=1, rates=(2, 10, 50)):
    """Topics with some fields."""
    out = {}
    for number in range(count):
        fields = "".join("%s f%d;" % (rng.choice((
            "float", "float[3]", "uint8_t", "bool", "int32_t", "uint32_t",
            "uint64_t", "uint8_t[6]", "char[9]")), k)
            for k in range(rng.randint(1, 9)))
        if rng.random() < .5:
            fields += "uint8_t[%d] _padding0;" % rng.randint(1, 7)
        out["%s_%d" % (rng.choice(WORDS), number)] = (
            TIME + fields, rng.choice(rates), rng.randint(1, instances))
    return out


def pair_of(of, rng):
    """The log and an earlier one."""
    vehicle = rng.random()
    return log(of, vehicle, 1), log(of, vehicle, 0)


def generation(*styles):
    """As a generation of loggers writes it."""
    def make(rng):
        how = {"style": rng.choice(styles), "seconds": rng.choice((1, 2)),
               "seed": rng.randrange(1 << 30), "params": 40}
        return writer.log(flight=1, **how), writer.log(flight=0, **how)
    return make


def appended(rng):
    """Crash dumps follow."""
    return tuple(writer.appended(one, rng.choice((300, 3000)),
                                 rng.randrange(4, 60), rng.choice((1, 2, 3)))
                 for one in generation("sync", "today")(rng))


def of_recipe(rates=(2, 10, 50), count=(5, 20), instances=1, **change):
    """A log of a recipe; functions of its changes are asked."""
    def make(rng):
        of = Recipe(topics_of(rng, rng.randint(*count), instances, rates), **{
            key: what(rng) if callable(what) else what
            for key, what in change.items()})
        return pair_of(of, rng)
    return make


def nested(rng):
    """Formats in formats."""
    inner = {"leaf": "float a;uint8_t b;uint8_t[3] _padding0;",
             "twig": "uint64_t timestamp;leaf[2] leaves;uint16_t c;",
             "branch": "twig t;leaf l;uint8_t[2] _padding0;"}
    topics = topics_of(rng, 4)
    for number, name in enumerate(rng.choices(sorted(inner), k=4)):
        topics["tree_%d" % number] = (
            TIME + "%s[%d] x;float y;uint8_t[4] _padding1;" % (
                name, rng.randint(1, 3)), 20, 1)
    return pair_of(Recipe(topics, inner), rng)


def carriers(rng):
    """Messages carry pieces of another log, or what looks like messages."""
    other = writer.log("today", seconds=1, seed=rng.randrange(99), params=9)
    other = rng.choice((other, other[-20000:]))
    topics = topics_of(rng, 6)
    for number in range(3):
        topics["raw_%d" % number] = (
            TIME + "uint8_t[%d] data;" % rng.choice((40, 200, 1500)), 10, 1)
    return pair_of(Recipe(topics, cargo=other), rng)


def latched(rng):
    """Topics that are minutes ahead of others, or late."""
    of = Recipe(topics_of(rng, 12), lag=rng.choice((0, 150_000)),
                late=.3)
    of.ahead = {number: rng.choice((-4_000_000, 1_200_000_000))
                for number in rng.sample(range(12), 4)}
    return pair_of(of, rng)


SORTS = {
    "v0": generation("v0"), "v1": generation("v1"),
    "today": generation("sync", "today"), "sitl": generation("sitl"),
    "many": of_recipe((2, 5), (60, 90), 4, late=.1),
    "appended": appended,
    "texts": of_recipe(texts=.5, tagged=.2),
    "parameters": of_recipe(parameters=300, changed=.3),
    "dropouts": of_recipe(dropouts=.05, sync=False, version=lambda rng:
                          rng.randrange(2)),
    "nested": nested,
    "unknown": of_recipe(unknown=.03),
    "latched": latched,
    "silent": of_recipe(steps=(139_000_000, 700_000)),
    "equal": of_recipe(equal=.2),
    "carriers": carriers,
    "short": of_recipe(count=(1, 3), seconds=.4, parameters=3),
}

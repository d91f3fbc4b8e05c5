"""writer - flight logs as the logger of PX4 writes them, of several generations.

A log follows from its seed alone.
"""

import dataclasses
import random
import struct

MAGIC = b"ULog\x01\x12\x35"
SYNC = bytes.fromhex("2f731320250cbb12")

# name: fields, the rate in Hz, instances
TOPICS = {
    "sensor_combined": ("uint64_t timestamp;float[3] gyro_rad;uint32_t dt;"
                        "float[3] accelerometer;uint8_t clipping;"
                        "uint8_t[7] _padding0;", 250, 1),
    "vehicle_attitude": ("uint64_t timestamp;float[4] q;uint8_t resets;"
                         "uint8_t[3] _padding0;float[4] delta;", 100, 1),
    "actuator_outputs": ("uint64_t timestamp;uint32_t noutputs;"
                         "float[16] output;uint8_t[4] _padding0;", 50, 2),
    "esc_status": ("uint64_t timestamp;uint16_t counter;uint8_t esc_count;"
                   "uint8_t[5] _padding0;esc_report[4] esc;", 10, 1),
    "vehicle_gps_position": ("uint64_t timestamp;uint64_t time_utc_usec;"
                             "int32_t lat;int32_t lon;uint8_t fix_type;"
                             "bool valid;uint8_t[6] _padding0;", 5, 1),
    "battery_status": ("uint64_t timestamp;float voltage_v;float current_a;"
                       "float remaining;uint8_t[4] _padding0;", 2, 2),
    "vehicle_status": ("uint64_t timestamp;uint8_t nav_state;uint8_t armed;"
                       "bool failsafe;char[9] mode;uint8_t[4] _padding0;",
                       2, 1),
    "cpuload": ("uint64_t timestamp;float load;float ram_usage;", 1, 1),
    "mission": ("uint64_t timestamp;int32_t count;int32_t current;", .2, 1),
}
NESTED = {
    "esc_report": "uint64_t timestamp;int32_t esc_rpm;float esc_voltage;"
                  "float esc_current;uint8_t esc_address;"
                  "uint8_t[3] _padding0;",
}
BASIC = {"int8_t": 1, "uint8_t": 1, "bool": 1, "char": 1, "int16_t": 2,
         "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "float": 4,
         "int64_t": 8, "uint64_t": 8, "double": 8}


def message(kind, body):
    """A message."""
    return struct.pack("<HB", len(body), ord(kind)) + body


def pair(text, value):
    """A key and its value."""
    return bytes([len(text)]) + text.encode() + value


@dataclasses.dataclass
class Style:
    """What a generation of loggers does."""
    version: int = 1
    sync: bool = True
    defaults: bool = True
    start: int = 5_000_000         # us: since boot, or since 1970
    shuffled: bool = False         # numbers of topics are not in order
    gps: bool = True
    texts: bool = True
    unused: int = 20               # formats that no topic has
    dropouts: bool = False
    late: bool = True              # a topic that is advertised in flight


STYLES = {
    "v0": Style(version=0, sync=False, defaults=False, dropouts=True),
    "v1": Style(sync=False, defaults=False, shuffled=True),
    "sync": Style(defaults=False),
    "today": Style(),
    "sitl": Style(start=1_710_000_000_000_000, gps=False),
}


def formats(style, rng):
    """All formats, in the order in which they are written."""
    out = {**NESTED, **{name: of[0] for name, of in TOPICS.items()}}
    for number in range(style.unused):
        fields = "".join("float field_%d_%d;" % (number, k)
                         for k in range(rng.randint(3, 30)))
        out["unused_topic_%d" % number] = "uint64_t timestamp;" + fields
    names = sorted(out)
    rng.shuffle(names)
    return {name: out[name] for name in names}


def parameters(rng, count):
    """Names and values of parameters."""
    for number in range(count):
        if rng.random() < .5:
            yield ("int32_t PAR_I%03d" % number,
                   struct.pack("<i", rng.randint(-9, 9)))
        else:
            yield ("float PAR_F%03d" % number,
                   struct.pack("<f", rng.uniform(-5, 5)))


def definitions(style, rng, count):
    """All that precedes the data."""
    out = MAGIC + struct.pack("<BQ", style.version, style.start)
    if style.version:
        out += message("B", bytes([style.defaults]) + bytes(39))
    out += message("I", pair("char[40] ver_sw", b"%040x" % 0xabcdef0123))
    out += message("I", pair("uint32_t ver_sw_release",
                             bytes([0xff, 2, 13, 1])))
    out += message("I", pair("char[10] ver_hw", b"PX4_FMU_V5"))
    out += message("I", pair("char[3] sys_name", b"PX4"))
    out += message("I", pair("char[0] ver_sw_branch", b""))
    for name, fields in formats(style, rng).items():
        out += message("F", ("%s:%s" % (name, fields)).encode())
    for text, value in parameters(rng, count):
        out += message("P", pair(text, value))
        if style.defaults and rng.random() < .1:
            out += message("Q", b"\x01" + pair(text, value))
    for number in range(5):
        text = b"boot line %d\n" % number
        out += message("M", bytes([number > 0])
                       + pair("char[%d] boot_console_output" % len(text),
                              text))
    return out


def fill(fields, rng, values):
    """The fields of a format, packed; values are of those with a name."""
    out = b""
    fields = [field for field in fields.split(";") if field]
    while fields and fields[-1].split()[1].startswith("_padding"):
        fields.pop()
    for field in fields:
        kind, name = field.split()
        kind, _, count = kind.rstrip("]").partition("[")
        for _ in range(int(count or 1)):
            if name in values:
                out += struct.pack("<Q", values[name])
            elif name.startswith("_padding"):
                out += bytes(BASIC[kind])
            elif kind in NESTED:
                body = fill(NESTED[kind], rng, {
                    **values, "timestamp": 0})
                out += body + bytes(-len(body) % 8 and 3)
            elif kind == "float":
                out += struct.pack("<f", rng.gauss(0, 1))
            elif kind in ("int32_t", "uint32_t"):
                out += struct.pack("<I", rng.randint(0, 1 << 31))
            else:
                out += bytes(rng.choice((0, 0, 1, 7))
                             for _ in range(BASIC[kind]))
    return out


def subscriptions(style, rng):
    """(name, instance) of each number."""
    all_ = [(name, k) for name, (_, _, n) in sorted(TOPICS.items())
            for k in range(n)]
    if style.shuffled:
        rng.shuffle(all_)
    return all_


def log(style="today", seconds=10.0, seed=1, params=120, flight=0):
    """A log.

    flight  another one has other data of the same vehicle, at other times
    """
    style = STYLES[style] if isinstance(style, str) else style
    rng = random.Random("vehicle %d" % seed)
    out = [definitions(style, rng, params)]
    subs = subscriptions(style, rng)
    late = [one for one in subs if one[0] == "mission"] if style.late else []
    order = [one for one in subs if one not in late] + late
    rng = random.Random("flight %d %d" % (seed, flight))
    for number, (name, k) in enumerate(order[:len(order) - len(late)]):
        out.append(message("A", struct.pack("<BH", k, number)
                           + name.encode()))
    utc = 1_700_000_000_000_000 + flight * 3_600_000_000
    events = []
    begin = style.start + 300_000 + flight * 37_000_123
    for number, (name, _) in enumerate(order):
        fields, rate, _ = TOPICS[name]
        at = begin + rng.randint(0, int(1e6 / max(rate, 1)))
        if rate < 1:
            at += int(seconds * 4e5)
        while at < begin + seconds * 1e6:
            events.append((at + rng.randint(0, 900), at, number))
            at += int(1e6 / rate * rng.uniform(.97, 1.03))
    step = begin + 500_000
    declared = len(order) - len(late)
    for arrival, at, number in sorted(events):
        if style.sync and arrival > step:
            out.append(message("S", SYNC))
            step += 500_000
        if rng.random() < .002 and style.texts:
            text = b"[commander] state %d" % rng.randint(0, 99)
            out.append(message("L", b"6" + struct.pack("<Q", at) + text))
            out.append(message("P", pair("float PAR_F999", struct.pack(
                "<f", rng.random()))))
        if style.dropouts and rng.random() < .001:
            out.append(message("O", struct.pack("<H", rng.randint(5, 90))))
        name, k = order[number]
        if number >= declared:
            out.append(message("A", struct.pack("<BH", k, number)
                               + name.encode()))
            declared = number + 1
        values = {"timestamp": at}
        if style.gps:
            values["time_utc_usec"] = utc + at - style.start
        out.append(message("D", struct.pack("<H", number) + fill(
            TOPICS[name][0], rng, values)))
    out.append(message("M", b"\x00" + pair("char[8] perf_top_postflight",
                                           b"idle 90%")))
    return b"".join(out)


def appended(raw, dump=3000, torn=25, times=2):
    """The log with crash dumps, each after a message that was cut."""
    offsets = []
    for number in range(times):
        size = struct.pack("<HBH", 78, ord("D"), 0)
        at = raw.rindex(size)
        cut = raw[at:at + torn]
        raw += cut
        offsets.append(len(raw))
        text = (b"hardfault %d " % number) * (dump // 12)
        raw += message("M", b"\x00" + pair(
            "char[%d] hardfault_plain" % len(text), text))
    raw = bytearray(raw)
    raw[16 + 3 + 8] |= 1
    for number, at in enumerate(offsets):
        struct.pack_into("<Q", raw, 16 + 3 + 16 + 8 * number, at)
    return bytes(raw)

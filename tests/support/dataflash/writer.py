"""writer - flight logs as ArduPilot writes them, of several generations.

A log follows from its seed alone.
"""

import dataclasses
import functools
import random
import struct

HEAD = b"\xa3\x95"
FMT, FMT_SIZE = 128, 89
SIZES = {"a": 64, "b": 1, "B": 1, "M": 1, "h": 2, "H": 2, "c": 2, "C": 2,
         "g": 2, "i": 4, "I": 4, "e": 4, "E": 4, "L": 4, "f": 4, "d": 8,
         "q": 8, "Q": 8, "n": 4, "N": 16, "Z": 64}

# name: letters after the time, names of the fields, rate in Hz, instances
TYPES = {
    "IMU": ("BffffffIIf", "I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ,EG,EA,T", 25, 3),
    "ATT": ("ccccCCfBf", "DesRoll,Roll,DesPitch,Pitch,DesYaw,Yaw,ErrRP,AEKF,"
            "ErrYaw", 10, 1),
    "RATE": ("ffffffffffff", "RDes,R,ROut,PDes,P,POut,YDes,Y,YOut,ADes,A,"
             "AOut", 10, 1),
    "XKF1": ("BccCfffffffccce", "C,Roll,Pitch,Yaw,VN,VE,VD,dPD,PN,PE,PD,GX,GY,"
             "GZ,OH", 10, 2),
    "XKQ": ("Bffff", "C,Q1,Q2,Q3,Q4", 10, 2),
    "CTUN": ("ffffff", "ThI,ABst,ThO,ThH,DAlt,Alt", 10, 1),
    "VIBE": ("BfffI", "IMU,VibeX,VibeY,VibeZ,Clip", 10, 3),
    "RCIN": ("HHHHHHHH", "C1,C2,C3,C4,C5,C6,C7,C8", 10, 1),
    "RCOU": ("HHHHHHHH", "C1,C2,C3,C4,C5,C6,C7,C8", 10, 1),
    "BARO": ("BffcfIffB", "I,Alt,Press,Temp,CRt,SMS,Offset,GndTemp,H", 10, 1),
    "MAG": ("BhhhhhhhhhBI", "I,MagX,MagY,MagZ,OfsX,OfsY,OfsZ,MOX,MOY,MOZ,"
            "Health,S", 10, 1),
    "GPS": ("BIHBcLLeffffB", "Status,GMS,GWk,NSats,HDop,Lat,Lng,Alt,Spd,GCrs,"
            "VZ,Yaw,U", 5, 1),
    "BAT": ("Bfffff", "Inst,Volt,VoltR,Curr,CurrTot,Temp", 10, 2),
    "PM": ("HHIIB", "NLon,NLoop,MaxT,Mem,Load", 1, 1),
    "ISBD": ("HHaaa", "N,seqno,x,y,z", 1, 1),
    "FILE": ("", "", 2, 1),
    "EV": ("B", "Id", .3, 1),
}
LATE = ("EV", "ISBD")  # declared before the first message
OWN = {  # letters and names with the time
    "FILE": ("NIBZ", "FileName,Offset,Length,Data"),
}
UTC_WEEK, LEAP = 2200, 18


def packed(number, name, letters, columns, length=None):
    """An FMT."""
    if length is None:
        length = 3 + sum(SIZES[one] for one in letters)
    return HEAD + struct.pack("<BBB4s16s64s", FMT, number, length,
                              name.encode(), letters.encode(),
                              columns.encode())


FIRST = packed(FMT, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns")


def message(number, body):
    """A message."""
    return HEAD + bytes([number]) + body


@dataclasses.dataclass(frozen=True)
class Style:
    """What a generation of loggers does."""
    millis: bool = False           # TimeMS, and types without a time
    units: bool = True             # FMTU, UNIT, MULT
    early: bool = False            # all formats come first
    dribble: bool = True           # parameters come between data
    unused: int = 60               # formats that no message has
    files: bool = True
    vague: bool = False            # a format whose writer forgot a letter
    silences: bool = False         # long steps of time
    firmware: str = "ArduCopter V4.5.1 (abcdef12)"


STYLES = {
    "v33": Style(millis=True, units=False, early=True, dribble=False,
                 files=False, vague=True, firmware="APM:Copter V3.3 (ae31)"),
    "v38": Style(units=False, early=True, files=False, vague=True,
                 firmware="ArduPlane V3.8.2 (8178ab40)"),
    "v45": Style(),
    "silent": Style(silences=True),
}


class Writer:
    """Writes a log."""

    def __init__(self, style, vehicle):
        self.style, self.out = style, []
        rng = random.Random("vehicle %s" % vehicle)
        names = ["UNIT", "FMTU", "MULT", "PARM", "MSG", *TYPES]
        if not style.units:
            names = names[3:]
        self.types = {}
        numbers = rng.sample(range(1, 120), len(names) + style.unused)
        for name, number in zip(names, numbers):
            self.types[name] = (number, *self.fields(name))
        for k in range(style.unused):
            letters = "Q" + "f" * rng.randint(1, 12)
            self.types["U%d" % k] = (numbers[len(names) + k], letters, ",".join(
                ["TimeUS"] + ["F%d" % i for i in range(len(letters) - 1)]))
        self.declared = set()

    def fields(self, name):
        """Letters and names."""
        old = self.style.millis
        stamp = ("I", "TimeMS") if old else ("Q", "TimeUS")
        if name in OWN:
            return OWN[name]
        letters, columns = {
            "UNIT": ("bZ", "Id,Label"), "MULT": ("bd", "Id,Mult"),
            "FMTU": ("BNN", "FmtType,UnitIds,MultIds"),
            "PARM": ("Nf", "Name,Value") if self.style.early
            else ("Nff", "Name,Value,Default"),
            "MSG": ("Z", "Message"),
        }.get(name) or TYPES[name][:2]
        if old and name in ("PARM", "MSG", "EV"):
            return letters, columns
        if old and name == "GPS":
            return ("BIHBcLLeeEefI", "Status,TimeMS,Week,NSats,HDop,Lat,Lng,"
                    "RelAlt,Alt,Spd,GCrs,VZ,T")
        return stamp[0] + letters, stamp[1] + "," + columns

    def declare(self, name, at):
        """FMT, and FMTU."""
        number, letters, columns = self.types[name]
        self.declared.add(name)
        self.out.append(packed(number, name, letters, columns))
        if self.style.units and "FMTU" in self.declared:
            units = ("s" + "-" * 15)[:len(letters)]
            self.put("FMTU", at, struct.pack(
                "<B16s16s", number, units.encode(),
                ("F" + "-" * 15)[:len(letters)].encode()))

    def put(self, name, at, body):
        """A message; the time in us is put before the body."""
        if name not in self.declared:
            self.declare(name, at)
        number, letters, columns = self.types[name]
        if columns.startswith("TimeUS"):
            body = struct.pack("<Q", at) + body
        elif columns.startswith("TimeMS"):
            body = struct.pack("<I", at // 1000) + body
        assert len(body) == sum(SIZES[one] for one in letters), name
        self.out.append(message(number, body))

    def start(self, at, rng):
        """Formats, units."""
        self.out.append(FIRST)
        if self.style.vague:
            self.out.append(packed(250, "CAM", "QIHLLeccC", "TimeUS,GPSTime,"
                            "GPSWeek,Lat,Lng,Alt,Roll,Pitch,Yaw,Foc", 49))
        if self.style.units:
            for name in "UNIT", "FMTU":
                self.declare(name, at)
            self.declare("MULT", at)
            for unit, label in (("s", "s"), ("d", "deg"), ("-", "")):
                self.put("UNIT", at, struct.pack("<b64s", ord(unit),
                                                 label.encode()))
                self.put("MULT", at, struct.pack("<bd", ord(unit), 1e-3))
        names = [name for name in self.types if name not in self.declared
                 and (self.style.early or name not in LATE)]
        rng.shuffle(names)
        for name in names:
            self.declare(name, at)

    def values(self, name, at, instance, rng, flight):
        """The fields of a message after the time."""
        letters, columns = self.types[name][1:]
        out = b""
        for letter, column in zip(letters, columns.split(",")):
            if column in ("TimeUS", "TimeMS") and not out \
                    and letter == letters[0] and letter in "QI":
                continue
            if column in ("I", "C", "IMU", "Inst"):
                out += bytes([instance])
            elif column == "Status":
                out += bytes([3])
            elif column in ("GMS", "TimeMS"):
                out += struct.pack("<I", at // 1000 + 1000 * flight)
            elif column in ("GWk", "Week"):
                out += struct.pack("<H", UTC_WEEK + flight)
            elif column == "T" and letter == "I":
                out += struct.pack("<I", at // 1000)
            elif letter in "fdg":
                size = SIZES[letter]
                out += struct.pack({2: "<e", 4: "<f", 8: "<d"}[size],
                                   rng.gauss(0, 1))
            elif letter == "a":
                out += rng.randbytes(64)
            else:
                out += rng.randint(0, 9).to_bytes(SIZES[letter], "little")
        return out

    def file(self, rng, number):
        """A part of an embedded file, which may be a piece of a log."""
        data = rng.choice((b"# script %d\nreturn update()\n" % number,
                           HEAD + bytes([self.types["ATT"][0]]) + b"\x01" * 30,
                           HEAD + bytes([FMT]) + rng.randbytes(50)))
        return struct.pack("<16sIB64s", b"@ROMFS/a.lua", 64 * number,
                           len(data), data)


def parameters(count):
    """Names and values of parameters."""
    rng = random.Random("parameters")
    for number in range(count):
        yield "PAR_%s%d" % (rng.choice("ABC"), number), rng.uniform(-5, 5)


@functools.lru_cache(maxsize=None)
def log(style="v45", seconds=10.0, vehicle=1, params=150, flight=0):
    """A log.

    flight  another one has other data of the same firmware, at other times
    """
    style = STYLES[style] if isinstance(style, str) else style
    to = Writer(style, vehicle)
    rng = random.Random("flight %s %s" % (vehicle, flight))
    at = 3_000_000 + flight * 1_700_123
    to.start(at, random.Random("order %s" % vehicle))
    to.put("MSG", at, struct.pack("<64s", style.firmware.encode()))
    to.put("MSG", at, struct.pack("<64s", b"Frame: QUAD/PLUS"))
    events, step = [], 0
    for name, (_, _, rate, instances) in TYPES.items():
        if name == "FILE" and not style.files:
            continue
        when = at + rng.randint(0, int(1e6 / max(rate, 1)))
        while when < at + seconds * 1e6:
            events += [(when, name, k) for k in range(instances)]
            when += int(1e6 / rate * rng.uniform(.97, 1.03))
    events.sort(key=lambda event: event[0])
    waiting = list(parameters(params))
    if not style.dribble:
        for name, value in waiting:
            put_parameter(to, at, name, value)
        waiting = []
    for number, (when, name, k) in enumerate(events):
        if style.silences and number in (len(events) // 3,
                                         len(events) // 2):
            step += 139_000_000
        when += step
        if waiting and number % 3 == 0:
            put_parameter(to, when, *waiting.pop(0))
        if rng.random() < .004:
            to.put("MSG", when, struct.pack(
                "<64s", b"EKF3 IMU%d initialised" % rng.randint(0, 99)))
        if rng.random() < .002:
            put_parameter(to, when, "PAR_CHANGED", rng.random())
        if name == "FILE":
            to.put(name, when, to.file(rng, number))
        else:
            to.put(name, when, to.values(name, when, k, rng, flight))
    return b"".join(to.out)


def put_parameter(to, at, name, value):
    """A PARM."""
    body = struct.pack("<16sf", name.encode(), value)
    if "Default" in to.types["PARM"][2]:
        body += struct.pack("<f", 0.)
    to.put("PARM", at, body)

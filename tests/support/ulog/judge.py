"""judge - a strict reader of flight logs, and what a repair must keep.

strict() refuses what any reader of today stumbles over.  A damaged log is told by
the pieces that it was made of, so that it is known which messages are whole in it.
"""

import dataclasses
import re
import struct

from .writer import BASIC, MAGIC, SYNC

NAME = re.compile(rb"[A-Za-z0-9_\-/]+\Z")
FIELD = re.compile(rb"([A-Za-z0-9_\-/]+)(?:\[(\d+)\])? ([A-Za-z0-9_\-/]+)\Z")
KEY = re.compile(rb"([a-z0-9_]+)(?:\[(\d+)\])? ([!-~]+)\Z")
COUNTED = "IPQMFALCD"
KNOWN = "BFIMPQARDLCSO"


class Bad(Exception):
    """A log that a strict reader refuses."""


@dataclasses.dataclass
class Message:
    """A message."""
    off: int
    kind: str
    body: bytes

    @property
    def end(self):
        """Where the next one begins."""
        return self.off + 3 + len(self.body)

    @property
    def number(self):
        """Of the subscription."""
        return struct.unpack_from("<H", self.body,
                                  1 if self.kind == "A" else 0)[0]


@dataclasses.dataclass
class Log:
    """A log that was read."""
    raw: bytes
    messages: list
    formats: dict       # name: (message, fields)
    subs: dict          # number: (message, name)
    times: dict         # number: list of times


def split(raw):
    """The messages of a sound log; what a crash has cut before appended data is
    left out."""
    offsets = []
    if raw[18:19] == b"B" and raw[16 + 3 + 8] & 1:
        offsets = [at for at in struct.unpack_from("<3Q", raw, 35) if at]
    at, out = 16, []
    while at < len(raw):
        if at + 3 > len(raw):
            raise Bad("cut head at %d" % at)
        size, kind = struct.unpack_from("<HB", raw, at)
        one = Message(at, chr(kind), raw[at + 3:at + 3 + size])
        jump = [off for off in offsets if at < off < at + 3 + size]
        if jump:
            at = jump[0]
            continue
        if len(one.body) < size:
            raise Bad("cut message at %d" % at)
        out.append(one)
        at = one.end
    return out


def need(yes, one, what):
    """A rule."""
    if not yes:
        raise Bad("%s at %d: %s" % (what, one.off, one.body[:30]))


def check_pair(one, body):
    """A key and its value."""
    need(len(body) > 1 and len(body) > body[0], one, "key")
    key = KEY.match(body[1:1 + body[0]])
    need(key and key[1].decode() in BASIC, one, "key")
    size = BASIC[key[1].decode()] * int(key[2] or 1)
    need(len(body) == 1 + body[0] + size, one, "value")
    if one.kind in "PQ":
        need(key[1] in (b"int32_t", b"float"), one, "parameter")


def read_format(one):
    """Name and fields."""
    name, colon, rest = one.body.partition(b":")
    need(colon and NAME.match(name), one, "format")
    fields = [FIELD.match(field) for field in rest.split(b";") if field]
    need(fields and all(fields), one, "format")
    return name, [(field[1], int(field[2] or 1), field[3])
                  for field in fields]


def size_of(name, formats, depth=0):
    """Bytes of a format, with and without the padding at its end."""
    if depth > 20 or name not in formats:
        raise Bad("no format %s" % name)
    total = padding = 0
    for kind, count, field in formats[name][1]:
        one = BASIC.get(kind.decode())
        if one is None:
            one = size_of(kind, formats, depth + 1)[0]
        total += one * count
        padding = padding + one * count \
            if field.startswith(b"_padding") else 0
    return total, total - padding


def strict(raw, known=KNOWN):
    """Read a log; Bad if a reader would stumble.  Types are `known` ones."""
    if raw[:7] != MAGIC or len(raw) < 16:
        raise Bad("no magic")
    log = Log(raw, split(raw), {}, {}, {})
    sizes, data = {}, False
    for number, one in enumerate(log.messages):
        kind, body = one.kind, one.body
        need(kind in known, one, "type")
        if kind == "B":
            need(number == 0 and len(body) >= 40, one, "flags")
            need(body[8] in (0, 1) and not any(body[9:16]), one, "flags")
        elif kind == "F":
            need(not data, one, "late format")
            name, fields = read_format(one)
            need(name not in log.formats or log.formats[name][1] == fields,
                 one, "two formats")
            log.formats[name] = one, fields
        elif kind in "IP":
            check_pair(one, body)
        elif kind == "M":
            need(body[0] in (0, 1), one, "multi")
            check_pair(one, body[1:])
        elif kind == "Q":
            need(body[0] in (1, 2, 3), one, "default")
            check_pair(one, body[1:])
        elif kind == "A":
            name = body[3:]
            need(one.number not in log.subs, one, "two subscriptions")
            sizes[one.number] = size_of(name, log.formats)
            log.subs[one.number] = one, name
        elif kind == "D":
            need(len(body) > 2 and one.number in log.subs, one,
                 "no subscription")
            if isinstance(sizes[one.number], tuple):
                need(len(body) - 2 in sizes[one.number], one, "size")
                sizes[one.number] = len(body) - 2
            need(len(body) - 2 == sizes[one.number], one, "size")
            time, = struct.unpack_from("<Q", body, 2)
            times = log.times.setdefault(one.number, [])
            need(not times or times[-1] <= time, one, "time")
            times.append(time)
        elif kind in "LC":
            need(b"0" <= body[:1] <= b"7" and len(body) >= 9, one, "text")
        elif kind == "S":
            need(body == SYNC, one, "sync")
        elif kind in "RO":
            need(len(body) == 2, one, "mark")
        data |= kind in "ADLCSOR"
    return log


@dataclasses.dataclass
class Damaged:
    """A damaged log: pieces are (begin, end) of the original, or other bytes."""
    pieces: list
    original: bytes

    @property
    def raw(self):
        """The bytes."""
        return b"".join(self.original[p[0]:p[1]] if isinstance(p, tuple)
                        else p for p in self.pieces)


def whole(log, damaged):
    """{offset in the original} of all messages that are whole and in one piece,
    each where its first copy begins."""
    out, at = {}, 0
    starts = [one.off for one in log.messages]
    joined = []
    for piece in damaged.pieces:
        n = piece[1] - piece[0] if isinstance(piece, tuple) else len(piece)
        if isinstance(piece, tuple):
            if joined and joined[-1][1] == piece[0] \
                    and joined[-1][2] + joined[-1][1] - joined[-1][0] == at:
                joined[-1][1] = piece[1]
            else:
                joined.append([piece[0], piece[1], at])
        at += n
    by_off = dict(zip(starts, log.messages))
    for begin, end, place in joined:
        for off in starts:
            if begin <= off and by_off[off].end <= end:
                out.setdefault(off, place + off - begin)
    return out


def nested(name, formats):
    """The names of a format and of those in it."""
    out = {name}
    for kind, _, _ in formats[name][1]:
        if kind.decode() not in BASIC:
            out |= nested(kind, formats)
    return out


def keepable(log, damaged, donor=None):
    """Offsets of the messages that a repair must keep."""
    there = whole(log, damaged)
    known = {name for name, (one, _) in log.formats.items()
             if one.off in there}
    known |= set(donor.formats) if donor else set()
    subs = {number for number, (one, name) in log.subs.items()
            if nested(name, log.formats) <= known
            and (one.off in there or donor and donor.subs.get(
                number, (None, None))[1] == name)}
    by_off = {one.off: one for one in log.messages}
    return {off for off in there if by_off[off].kind in COUNTED and (
        by_off[off].kind not in "AD" or by_off[off].number in subs)}


@dataclasses.dataclass
class Verdict:
    """What a repair did."""
    owed: int
    kept: int
    bogus: list         # messages that are in no original
    tainted: int        # damaged where nothing shows it
    refused: str        # by the strict reader


def judge(log, damaged, out, donor=None, other=None):
    """Compare the output of a repair, or None, with the original.

    other  the log of which pieces may be in the damaged one
    """
    owed = keepable(log, damaged, donor)
    if out is None:
        return Verdict(len(owed), 0, [], 0, "" if not owed else "no output")
    try:
        got = strict(out).messages
        refused = ""
    except Bad as fault:
        refused = str(fault)
        try:
            got = split(out)
        except Bad:
            got = []
    left = {}
    for one in log.messages:
        left.setdefault((one.kind, one.body), []).append(one.off)
    kept, strange = set(), []
    for one in got:
        offs = left.get((one.kind, one.body))
        if offs:
            kept.add(offs.pop(0))
        elif one.kind in COUNTED:
            strange.append(one)
    # Equal messages replace each other.
    missed = {off for off in owed - kept}
    spare = {}
    by_off = {one.off: one for one in log.messages}
    for off in kept - owed:
        spare.setdefault((by_off[off].kind, by_off[off].body), []).append(off)
    for off in list(missed):
        same = spare.get((by_off[off].kind, by_off[off].body))
        if same:
            same.pop()
            missed.remove(off)
    tainted, bogus = 0, []
    lent = set()
    for one in donor.messages if donor else ():
        if one.kind in "FA":
            lent.add((one.kind, one.body))
    starts = heads(log, damaged, other) if strange else set()
    for one in strange:
        if (one.kind, one.body) in lent:
            continue
        if fits(one, damaged.raw, starts):
            tainted += 1
        else:
            bogus.append(one)
    return Verdict(len(owed), len(owed) - len(missed), bogus, tainted,
                   refused)


def heads(log, damaged, other):
    """Places in the damaged file where a message with a whole head begins, or with
    one in which a bit is another: its length and type are still there."""
    out, at = set(), 0
    if len(damaged.raw) == len(log.raw):
        for one in log.messages:
            was, now = (int.from_bytes(raw[one.off:one.off + 3], "little")
                        for raw in (log.raw, damaged.raw))
            if (was ^ now).bit_count() == 1:
                out.add(one.off)
    for piece in damaged.pieces:
        if isinstance(piece, tuple):
            out |= {at + one.off - piece[0] for one in log.messages
                    if piece[0] <= one.off and one.off + 3 <= piece[1]}
            out |= {at + one.end - piece[0] for one in log.messages
                    if piece[0] <= one.end and one.end + 3 <= piece[1]}
            at += piece[1] - piece[0]
        else:
            for one in other.messages if other and len(piece) > 512 else ():
                place = piece.find(other.raw[one.off:one.off + 24])
                if place >= 0:
                    out.add(at + place)
            at += len(piece)
    out.add(at)
    return out


def fits(one, raw, starts):
    """Is the message one of wrong inner bytes alone: it begins where one
    was, and ends where another one begins?"""
    text = struct.pack("<HB", len(one.body), ord(one.kind)) + one.body
    at = raw.find(text)
    while at >= 0:
        if at in starts and at + len(text) in starts:
            return True
        at = raw.find(text, at + 1)
    return False

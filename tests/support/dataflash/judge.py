"""judge - a strict reader of ArduPilot's logs, and what a repair must keep.

strict() refuses what any reader of today stumbles over.  A damaged log is told by
the pieces that it was made of, so that it is known which messages are whole in it.
"""

import dataclasses
import re
import struct

from ulog.judge import whole

from .writer import FMT, FMT_SIZE, HEAD, SIZES

NAME = re.compile(rb"[A-Z0-9]{1,4}\0*\Z")
COLUMNS = re.compile(rb"[A-Za-z0-9_.,]*\0*\Z")
SLACK = 1_000_000  # us


class Bad(Exception):
    """A log that a strict reader refuses."""


@dataclasses.dataclass
class Format:
    """An FMT."""
    number: int
    length: int
    name: bytes
    letters: bytes
    columns: list
    body: bytes

    @property
    def sums(self):
        """Do letters, names and length agree?"""
        return all(chr(one) in SIZES for one in self.letters) \
            and len(self.letters) == len(self.columns) \
            and self.length == 3 + sum(SIZES[chr(one)]
                                       for one in self.letters)

    def time(self, body):
        """In us; None: it has none."""
        at = 3
        for letter, column in zip(self.letters, self.columns):
            if at == 3 and (letter, column) == (ord("Q"), b"TimeUS"):
                return struct.unpack_from("<Q", body, 3)[0]
            if at == 3 and (letter, column) == (ord("I"), b"TimeMS"):
                return 1000 * struct.unpack_from("<I", body, 3)[0]
            if (letter, column) == (ord("I"), b"T"):
                return 1000 * struct.unpack_from("<I", body, at)[0]
            at += SIZES[chr(letter)]
        return None


def read_format(body):
    """An FMT; None: it is none."""
    number, length, name, letters, columns = struct.unpack_from(
        "<BB4s16s64s", body, 3)
    if not NAME.match(name) or not COLUMNS.match(columns):
        return None
    columns = columns.rstrip(b"\0")
    return Format(number, length, name.rstrip(b"\0"), letters.rstrip(b"\0"),
                  columns.split(b",") if columns else [], body)


@dataclasses.dataclass
class Message:
    """A message."""
    off: int
    body: bytes
    time: int = None

    @property
    def number(self):
        """Its type."""
        return self.body[2]

    @property
    def end(self):
        """Where the next one begins."""
        return self.off + len(self.body)


@dataclasses.dataclass
class Log:
    """A log that was read."""
    raw: bytes
    messages: list
    formats: dict       # type: (message, format)


def strict(raw):
    """Read a log; Bad if a reader would stumble."""
    log = Log(raw, [], {})
    last, at = {}, 0
    if raw[:3] != HEAD + bytes([FMT]):
        raise Bad("no FMT of FMT")
    while at < len(raw):
        if raw[at:at + 2] != HEAD or at + 3 > len(raw):
            raise Bad("no message at %d" % at)
        number = raw[at + 2]
        if number != FMT and number not in log.formats:
            raise Bad("type %d without a format at %d" % (number, at))
        size = FMT_SIZE if number == FMT else log.formats[number][1].length
        one = Message(at, raw[at:at + size])
        if len(one.body) < size:
            raise Bad("cut at %d" % at)
        if number == FMT:
            found = read_format(one.body)
            if found is None or found.length < 3 or any(
                    chr(letter) not in SIZES for letter in found.letters):
                raise Bad("format at %d" % at)
            old = log.formats.get(found.number)
            if old and old[0].body != one.body:
                raise Bad("two formats of %d at %d" % (found.number, at))
            log.formats.setdefault(found.number, (one, found))
        else:
            found = log.formats[number][1]
            if not found.sums:
                raise Bad("a format that does not fit, at %d" % at)
            one.time = found.time(one.body)
            if one.time is not None:
                if one.time + SLACK < last.get(number, 0):
                    raise Bad("time at %d" % at)
                last[number] = one.time
        log.messages.append(one)
        at = one.end
    for one in log.messages:
        if one.number in log.formats and log.formats[one.number][
                1].name == b"FMTU" and one.body[11] not in {
                    *log.formats, FMT}:
            raise Bad("units of nothing at %d" % one.off)
    return log


def keepable(log, damaged, donor=None):
    """Offsets of the messages that a repair must keep."""
    there = whole(log, damaged)
    known = {number for number, (one, _) in log.formats.items()
             if one.off in there or donor and number in donor.formats
             and donor.formats[number][1] == log.formats[number][1]}
    units = {number for number, (_, found) in log.formats.items()
             if found.name == b"FMTU"}
    by_off = {one.off: one for one in log.messages}
    return {off for off in there
            if by_off[off].number == FMT
            or (by_off[off].number in known
                and (by_off[off].number not in units
                     or by_off[off].body[11] in known))}


@dataclasses.dataclass
class Verdict:
    """What a repair did."""
    owed: int
    kept: int
    bogus: list         # messages that are in no original
    tainted: int        # damaged where nothing shows it
    refused: str        # by the strict reader


def judge(log, damaged, out, donor=None, other=None):
    """Compare the output of a repair, or None, with the original."""
    owed = keepable(log, damaged, donor)
    if out is None:
        return Verdict(len(owed), 0, [], 0, "" if not owed else "no output")
    try:
        got, refused = strict(out).messages, ""
    except Bad as fault:
        got, refused = [], str(fault)
    left = {}
    for one in log.messages:
        left.setdefault(one.body, []).append(one.off)
    free = {one.body for one in donor.messages if one.number == FMT} \
        if donor else set()
    kept, strange = set(), []
    for place, one in enumerate(got):
        if left.get(one.body):
            kept.add(left[one.body].pop(0))
        elif one.body not in free and one.off > 0:
            strange.append(place)
    # Equal messages replace each other.
    by_off = {one.off: one.body for one in log.messages}
    missed, spare = set(owed - kept), {}
    for off in kept - owed:
        spare.setdefault(by_off[off], []).append(off)
    for off in list(missed):
        if spare.get(by_off[off]):
            spare[by_off[off]].pop()
            missed.remove(off)
    starts = heads(log, damaged, other) if strange else {}
    bogus = [got[place] for place in strange
             if not fits(place, got, damaged.raw, starts)]
    return Verdict(len(owed), len(owed) - len(missed), bogus,
                   len(strange) - len(bogus), refused)


def heads(log, damaged, other):
    """Places in the damaged file where a message with a whole head begins."""
    out, at = set(), 0
    for piece in damaged.pieces:
        if isinstance(piece, tuple):
            out |= {at + one.off - piece[0] for one in log.messages
                    if piece[0] <= one.off and one.off + 2 <= piece[1]}
            at += piece[1] - piece[0]
        else:
            begin = other.raw.find(piece) \
                if other and len(piece) > 80 else -1
            if begin >= 0:
                out |= {at + one.off - begin for one in other.messages
                        if begin <= one.off < begin + len(piece) - 2}
            at += len(piece)
    out.add(at)
    return out


def fits(place, got, raw, starts):
    """Is nothing wrong with the message but inner bytes: it begins where one did,
    it ends where another one begins, and its time is between its neighbours'?"""
    one = got[place]
    if one.time is not None:
        before = [x.time for x in got[max(0, place - 9):place]
                  if x.time is not None]
        after = [x.time for x in got[place + 1:place + 10]
                 if x.time is not None]
        if before and one.time + SLACK < before[-1] \
                or after and one.time > after[0] + SLACK:
            return False
    at = raw.find(one.body)
    while at >= 0:
        if at in starts and at + len(one.body) in starts:
            return True
        at = raw.find(one.body, at + 1)
    return False

"""ulog_campaign - flight logs of PX4 for campaign.py."""

import struct

import flight_campaign as flight
from flight_campaign import hidden, keepable, misplaced, recognise
from ulog import judge, sorts

SUFFIX = ".ulg"
OPTIONS = ()
CASES = 1
KINDS = flight.KINDS
ORDERED = True
Bad = judge.Bad
HEAD = 3  # bytes of a message before its body
LETTERS = judge.KNOWN + sorts.UNKNOWN
COUNTED = judge.COUNTED + sorts.UNKNOWN
TIMES = {"L": 1, "C": 3}  # where texts have theirs


def time_of(one):
    """The time of data; None: it is none."""
    return struct.unpack_from("<Q", one.body, 2)[0] if one.kind == "D" else None


def record(one):
    """(head, body) of a message."""
    if one.kind in "AD":
        return (one.kind, one.number, time_of(one)), one.body
    return (one.kind, one.body[:20]), one.body


def read(raw):
    """The records of a whole log."""
    return [record(one) for one in judge.strict(raw, LETTERS).messages
            if one.kind in COUNTED]


def walk(log, raw, at):
    """The end of the message at an offset of a damaged log, if nothing is wrong
    with it; None: there is none."""
    if at + HEAD > len(raw):
        return None
    size, kind = struct.unpack_from("<HB", raw, at)
    end = at + HEAD + size
    if chr(kind) not in judge.KNOWN or end > len(raw):
        return None
    if chr(kind) == "D":
        number = struct.unpack_from("<H", raw, at + HEAD)[0]
        if number not in log.subs or size - 2 not in judge.size_of(
                log.subs[number][1], log.formats):
            return None
    return end


def records_of(log):
    """The records of a good log."""
    needs = {}
    for number, (one, name) in log.subs.items():
        needs[number] = tuple(
            (log.formats[inner][0].off, log.formats[inner][0].end)
            for inner in judge.nested(name, log.formats))
        needs["D", number] = needs[number] + ((one.off, one.end),)
    for one in log.messages:
        if one.kind in COUNTED:
            first = one.off + HEAD
            head, body = record(one)
            key = {"A": one.number, "D": ("D", one.number)}.get(
                one.kind) if one.kind in "AD" else None
            # One of a type that is unknown is nothing next to damage.
            yield flight.Record(
                (one.off, one.end), (first, one.end), head, body,
                needs.get(key, ()), one.number if one.kind == "D" else None,
                time_of(one), one.kind in judge.COUNTED,
                one.kind not in "IMPQF")


def original(raws):
    """A good log and an older one."""
    raw, older = raws
    log, old = (judge.strict(one, LETTERS) for one in raws)
    return flight.Original(
        raw, list(records_of(log)), False,
        {16, len(raw)} | {place for one in log.messages
                          for place in (one.off, one.end)}, older,
        walk=lambda damaged, at: walk(log, damaged, at),
        old=list(records_of(old)))


def unseen(good, damage, one):
    """Is it damaged where nothing tells of it?"""
    return damage.looks_whole(one.span, one.payload, good.ends) \
        or damage.in_pieces(one.span, one.payload)


def resync(raw, at):
    """Where pyulog goes on after what it does not know."""
    sync = raw.find(struct.pack("<HB", 8, ord("S")) + judge.SYNC, at)
    if sync >= 0:
        return sync
    while at + HEAD < len(raw) and chr(raw[at + 2]) not in judge.KNOWN:
        at += 1
    return at


def leads_on(raw, at, times):
    """Do so many messages of known types follow, or the end?"""
    for _ in range(times):
        if at == len(raw):
            return True
        if at + HEAD > len(raw) or chr(raw[at + 2]) not in LETTERS:
            return False
        at += HEAD + struct.unpack_from("<H", raw, at)[0]
    return at <= len(raw)


def vendor(raw):
    """As pyulog reads it: known types are believed, after others it looks for a
    sync message.  Without a format it refuses the log.  Here a message counts if
    messages follow it: one that a hole has hit looks whole, too."""
    if raw[:7] != judge.MAGIC or len(raw) < 16:
        return []
    at, data, formats, sizes, out = 16, False, {}, {}, []
    while at + HEAD <= len(raw):
        size, kind = struct.unpack_from("<HB", raw, at)
        kind, end = chr(kind), at + HEAD + size
        if kind not in LETTERS or size == 0:
            at = resync(raw, at + 1)
            continue
        if end > len(raw):
            break
        one = judge.Message(at, kind, raw[at + HEAD:end])
        at = end
        data |= kind in "ADL"
        try:
            if kind == "F" and not data:
                name, fields = judge.read_format(one)
                formats[name] = one, fields
            elif kind == "A" and size > 3:
                sizes[one.number] = judge.size_of(one.body[3:], formats)
        except Bad:
            return []
        if kind in judge.COUNTED and leads_on(raw, end, 2) and (
                kind not in "AD" or size > 9
                and (kind == "A" or size - 2 in sizes.get(one.number, ()))):
            out.append(record(one))
    return out


def made(make):
    """Of both logs of a sort an original."""
    return lambda rng: original(make(rng))


SORTS = {name: made(make) for name, make in sorts.SORTS.items()}

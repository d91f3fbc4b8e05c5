"""dataflash_campaign - flight logs of ArduPilot for campaign.py."""

import flight_campaign as flight
from dataflash import judge, sorts
from dataflash.writer import FIRST, FMT, FMT_SIZE, HEAD
from flight_campaign import hidden, keepable, misplaced, recognise

SUFFIX = ".bin"
OPTIONS = ()
CASES = 1
KINDS = flight.KINDS
ORDERED = True
Bad = judge.Bad
SHOWN = 30  # bytes of a message without a time that tell it from others


def record(one):
    """(head, body) of a message."""
    return (one.number, one.time if one.time is not None
            else one.body[3:3 + SHOWN]), one.body


def read(raw):
    """The records of a whole log."""
    return [record(one) for one in judge.strict(raw).messages]


def walk(log, raw, at):
    """The end of the message at an offset of a damaged log, if nothing is wrong
    with it; None: there is none."""
    if raw[at:at + 2] != HEAD or at + 3 > len(raw):
        return None
    number = raw[at + 2]
    if number != FMT and number not in log.formats:
        return None
    end = at + (FMT_SIZE if number == FMT else log.formats[number][1].length)
    return end if end <= len(raw) else None


def records_of(log):
    """The records of a good log."""
    spans = {number: ((one.off, one.end),)
             for number, (one, _) in log.formats.items() if number != FMT}
    units = {number for number, (_, found) in log.formats.items()
             if found.name == b"FMTU"}
    for one in log.messages:
        head, body = record(one)
        needs = spans.get(one.number, ())
        if one.number in units:
            needs += spans.get(one.body[11], ())
        # The first message is always the same, and can be rebuilt.
        yield flight.Record(
            (one.off, one.end), (one.off + 2, one.end), head, body, needs,
            None if one.time is None else "all", one.time,
            one.body != FIRST, one.number != FMT)


def original(raws):
    """A good log and an older one."""
    raw, older = raws
    log, old = map(judge.strict, raws)
    return flight.Original(
        raw, list(records_of(log)), False,
        {len(raw)} | {one.off for one in log.messages}, older,
        slack=judge.SLACK, walk=lambda damaged, at: walk(log, damaged, at),
        old=list(records_of(old)))


def unseen(good, damage, one):
    """Is it damaged where nothing tells of it?"""
    return damage.looks_whole(one.span, one.payload, good.ends) \
        or damage.in_pieces(one.span, one.payload)


def vendor(raw):
    """As DFReader reads it: a known type is believed, what is none is skipped byte
    by byte, and a format with a letter that it does not know makes it refuse the
    log.  Here a message counts if another one, or the end, follows it: one that a
    hole has hit looks whole, too.  Units of nothing do not."""
    at, formats, out = 0, {}, []
    while at + 3 <= len(raw):
        number = raw[at + 2]
        size = FMT_SIZE if number == FMT else \
            formats[number].length if number in formats else 0
        if raw[at:at + 2] != HEAD or size < 3:
            at += 1
            continue
        one = judge.Message(at, raw[at:at + size])
        at += size
        if at > len(raw):
            break
        if at < len(raw) and raw[at:at + 2] != HEAD:
            continue
        if number == FMT:
            found = judge.read_format(one.body)
            if found is None or not found.sums:
                continue
            formats[found.number] = found
        else:
            one.time = formats[number].time(one.body)
        out.append(one)
    units = {number for number, one in formats.items() if one.name == b"FMTU"}
    return [record(one) for one in out if one.number not in units
            or one.body[11] in {*formats, FMT}]


def made(make):
    """Of both logs of a sort an original."""
    return lambda rng: original(make(rng))


SORTS = {name: made(make) for name, make in sorts.SORTS.items()}

"""What of a damaged file can be kept, and what must not be in an output.

    original(raw)             a good file, as campaign.py wants it
    keepable(damage, r)       is a record there, and what it needs?
    unseen(good, damage, r)   is it damaged where nothing shows that?
    recognise(found, case)    what of `found` is a recorded record all the same
    sealed(good, raw)         what is altered under a checksum of an output
    unindexed(raw)            how many messages of it indexed readers do not see

Records are messages, attachments, metadata and private records.
"""

import functools
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

import campaign
from mcap import codec, read, rules

Bad = read.Bad
FRAME = 9  # bytes of opcode and length
OF_MESSAGE = 3  # the last parts of a message's head: sequence and two times


class Where(NamedTuple):
    """Where a record is: stored in the file, and if it is compressed in what a
    chunk decodes to."""
    span: tuple
    chunk: Optional[read.Chunk] = None
    end: int = 0  # in what is decoded
    summed: bool = False  # is there a checksum over it?


@dataclass
class Record:
    """A record of a good file; see campaign.Record."""
    where: Where
    head: tuple
    body: bytes
    needs: list = field(default_factory=list)  # of each, one Where has to be
    index: Optional[tuple] = None  # where its message index is

    @property
    def span(self):
        """What is stored of it."""
        return self.where.span


@dataclass
class Original(campaign.Original):
    """A good file."""
    file: Optional[read.File] = None
    declared: list = field(default_factory=list)  # Where


def strict(raw):
    """A file in which nothing is wrong."""
    file = read.read(raw)
    faults = rules.faults(file)
    if faults:
        raise Bad("; ".join(faults[:3]))
    return file


def listing(raw):
    """(head, body) of all that is in a file."""
    file = strict(raw)
    return file.listing() + [one[:2] for one in file.others()]


def where(file, place):
    """Where a record is."""
    if place.chunk is None:
        in_data = place.start < file.data_end
        return Where((place.start, place.end), summed=bool(
            file.data_crc if in_data else file.footer[2]))
    chunk = file.chunks[place.chunk]
    if chunk.compression:
        return Where((chunk.data_at, chunk.end), chunk, place.end,
                     bool(chunk.crc))
    return Where((chunk.data_at + place.start, chunk.data_at + place.end),
                 summed=bool(chunk.crc))


def needs_of(file):
    """{channel: for it and for its schema, where they are declared}."""
    at = defaultdict(list)
    for one, place in file.declared:
        at[type(one), one.id].append(where(file, place))
    out = {}
    for c in file.channels.values():
        out[c.id] = [at[read.Channel, c.id]]
        if c.schema:
            out[c.id].append(at[read.Schema, c.schema])
    return out


def original(raw):
    """A good file."""
    file = strict(raw)
    needs, out = needs_of(file), Original(raw, [], True, file=file)
    for m, (head, body) in zip(file.messages, file.listing()):
        index = None
        if m.place.chunk is not None:
            index = next(((i.start, i.end) for i in
                          file.chunks[m.place.chunk].indexes
                          if i.channel == m.channel), None)
        out.records.append(Record(where(file, m.place), head, body,
                                  needs[m.channel], index))
    for head, body, place in file.others():
        out.records.append(Record(where(file, place), head, body))
    out.records.sort(key=lambda r: (r.where.span[0], r.where.end))
    out.declared = [where(file, place) for _, place in file.declared]
    out.ends = {8, len(raw)} | {
        edge for record in (*file.records, *file.summary)
        for edge in (record.start, record.end)} | {
        edge for r in out.records for edge in r.span} | {
        edge for w in out.declared for edge in w.span}
    return out


@functools.lru_cache(64)
def decoded(compression, stored):
    """How many bytes the beginning of a chunk decodes to."""
    return len(codec.beginning(compression, stored))


def is_there(damage, w):
    """Is a record there?  Where the file was cut in a chunk, what the rest of
    that decodes to is."""
    if damage.whole(w.span):
        return True
    end = damage.up_to_the_end(w.span[0]) if w.chunk else None
    return end is not None and w.end <= decoded(
        w.chunk.compression, damage.good[w.span[0]:end])


def keepable(damage, record):
    """Is it there, and what it needs?"""
    return is_there(damage, record.where) and all(
        any(is_there(damage, w) for w in ways) for ways in record.needs)


def unseen(good, damage, record):
    """Is it damaged where nothing shows that?  A message index repeats channel
    and time.  A checksum shows that something is wrong, not what: see
    sealed()."""
    if record.where.chunk:
        return record.where.chunk.crc == 0
    start, end = record.span
    seen, blind = [(start, start + FRAME)], (start + FRAME, end)
    if record.index and damage.whole(record.index):
        if damage.offsets(record.span, False):
            return not damage.whole(blind)
        seen = [(start, start + 11), (start + 15, start + 23)]
        blind = start + 11, end
    return all(map(damage.whole, seen)) and (
        damage.looks_whole(record.span, blind, good.ends)
        or damage.in_pieces(record.span, blind)
        or damage.in_place(record.span, blind))


def certain(damage, ways):
    """Can it be known what a channel or schema was?  Of copies that differ the
    one is right that has a checksum."""
    whole = [is_there(damage, w) for w in ways]
    return all(whole) or any(
        there and w.summed for there, w in zip(whole, ways))


def recognise(found, case):
    """Messages of a channel of which it cannot be known what it was: what is
    said of it is no matter."""
    kinds = {r.head[:-OF_MESSAGE] for r in case.good.records}
    blurred = defaultdict(list)
    for r in case.good.records:
        if not all(certain(case.damage, ways) for ways in r.needs):
            blurred[r.head[-OF_MESSAGE:], r.body].append(r.head)
    out = []
    for head, body in found:
        left = blurred.get((head[-OF_MESSAGE:], body))
        if left and head[:-OF_MESSAGE] not in kinds:
            head = left.pop()
        out.append((head, body))
    return out


def sealed(good, raw):
    """What was never recorded and is under a checksum all the same, where the
    good file had such checksums: as text.  Its topic and type are not under
    that checksum: what declares them may be elsewhere."""
    file = read.read(raw)
    known = {(r.head[-3:], r.body) for r in good.records}
    had = any(chunk.crc for chunk in good.file.chunks)
    out = []
    for m, one in zip(file.messages, file.listing()):
        if (one[0][-3:], one[1]) in known:
            continue
        chunk = file.chunks[m.place.chunk] if m.place.chunk is not None \
            else None
        if (chunk and chunk.crc and had) or (
                file.data_crc and good.file.data_crc):
            out.append("%s at %d" % (one[0][0], m.log_time))
    return out


def unindexed(raw):
    """Readers that find chunks by their indexes do not look between them."""
    file = read.read(raw)
    if not file.chunks:
        return 0
    return sum(m.place.chunk is None for m in file.messages)

"""What has to agree in an MCAP file: the rules of `mcap doctor`, and what indexed
readers rely on.

    faults(file)   what is wrong, as text
    quirks(file)   what real writers do and `mcap doctor` does not like
"""

from collections import Counter

from mcap.read import Channel, Schema, fields

CHUNK_INDEX, ATTACHMENT_INDEX, STATISTICS, METADATA_INDEX, OFFSET = \
    8, 10, 11, 13, 14
NEVER = (1 << 64) - 1


def _summary(file, opcode):
    """The records of a kind in the summary, as their fields."""
    return [fields(file.raw, record) for record in file.summary
            if record.opcode == opcode]


def _schemas(file):
    """A schema without an encoding is empty."""
    return ["schema %d: data without an encoding" % s.id
            for s, _ in file.declared
            if isinstance(s, Schema) and not s.encoding and s.data]


def _chunks(file):
    """Times and message indexes are those of the messages."""
    for chunk in file.chunks:
        what = "the chunk at %d: " % chunk.start
        times = [m.log_time for m in chunk.messages]
        if times and chunk.times != (min(times), max(times)):
            yield what + "times"
        if not times and chunk.times not in ((0, 0), (NEVER, 0)):
            yield what + "times without a message"
        if not chunk.indexes:
            continue
        want = Counter((m.channel, m.log_time, m.place.start)
                       for m in chunk.messages)
        have = Counter((index.channel, *entry) for index in chunk.indexes
                       for entry in index.entries)
        if have != want:
            yield what + "message indexes"
        ids = [index.channel for index in chunk.indexes]
        if len(set(ids)) < len(ids):
            yield what + "two message indexes of a channel"
        if not all(index.entries for index in chunk.indexes):
            yield what + "an empty message index"


def _all_or_none(file):
    """If one chunk has message indexes, each with messages does: a reader takes
    those without for empty."""
    with_messages = [c for c in file.chunks if c.messages]
    if any(c.indexes for c in with_messages) and \
            not all(c.indexes for c in with_messages):
        yield "a chunk without message indexes"


def _chunk_indexes(file):
    """One for each chunk, with what that says."""
    left = {chunk.start: chunk for chunk in file.chunks}
    all_of = _summary(file, CHUNK_INDEX)
    for f in all_of:
        start, end, at, length = f.numbers(8, 8, 8, 8)
        offsets = [tuple(pair) for pair in f.array(lambda f=f: f.numbers(
            2, 8))]
        index_length, compression, stored, size = (
            f.number(8), f.string(), f.number(8), f.number(8))
        chunk = left.pop(at, None)
        if chunk is None:
            yield "a chunk index of no chunk, or a second one: %d" % at
            continue
        if chunk.times != (start, end) and not (
                chunk.times == (NEVER, 0) and (start, end) == (0, 0)):
            yield "the chunk index of %d: times" % at
        if Counter(offsets) != Counter((i.channel, i.start)
                                       for i in chunk.indexes):
            yield "the chunk index of %d: message indexes" % at
        if (length, index_length, compression, stored, size) != (
                chunk.end - at, chunk.stop - chunk.end, chunk.compression,
                chunk.end - chunk.data_at, len(chunk.plain)):
            yield "the chunk index of %d: sizes" % at
    if all_of and left:
        yield "chunks without a chunk index: %s" % sorted(left)


def _declared(file):
    """What indexed chunks need is in the summary."""
    if not _summary(file, CHUNK_INDEX):
        return
    start = file.data_end
    there = {(type(one), one.id) for one, place in file.declared
             if place.chunk is None and place.start > start}
    for chunk in file.chunks:
        for m in chunk.messages:
            c = file.channels[m.channel]
            if (Channel, c.id) not in there or (
                    c.schema and (Schema, c.schema) not in there):
                yield "channel %d or its schema is not in the summary" % c.id
                return


def _statistics(file):
    """All numbers but those of schemas and channels, which _counted() has."""
    all_of = _summary(file, STATISTICS)
    if len(all_of) > 1:
        yield "two statistics"
    for f in all_of:
        messages, _, _, *others, start, end = f.numbers(
            8, 2, 4, 4, 4, 4, 8, 8)
        counts = [tuple(pair) for pair in f.array(lambda f=f: f.numbers(2, 8))]
        times = [m.log_time for m in file.messages] or [0]
        if messages != len(file.messages) or others != [
                len(file.attachments), len(file.metadata), len(file.chunks)]:
            yield "statistics: counts"
        if (start, end) != (min(times), max(times)) and not (
                min(times) == 0 and file.library.startswith("mcap go")):
            yield "statistics: times"
        want = Counter(m.channel for m in file.messages)
        if {c: n for c, n in counts if n} != want or \
                len(dict(counts)) < len(counts):
            yield "statistics: counts of channels"


def _indexed(file, opcode, there, described):
    """Indexes of attachments or metadata."""
    want = Counter((record.start, record.end - record.start, *described(one))
                   for one, record in there)
    have = Counter()
    for f in _summary(file, opcode):
        have[tuple(f.numbers(8, 8)) + (
            (*f.numbers(8, 8, 8), f.string(), f.string())
            if opcode == ATTACHMENT_INDEX else (f.string(),))] += 1
    if have and have != want:
        yield "indexes of kind %d" % opcode


def _attachments(file):
    """Each has its index."""
    return _indexed(file, ATTACHMENT_INDEX, file.attachments, lambda a: (
        a.log_time, a.create_time, len(a.data), a.name, a.media_type))


def _metadata(file):
    """Each has its index."""
    return _indexed(file, METADATA_INDEX, file.metadata, lambda m: (m.name,))


def _offsets(file):
    """The summary is in groups, and the offsets say where."""
    groups = {}
    last = None
    for record in file.summary:
        opcode = record.opcode
        if opcode == OFFSET:
            continue
        if opcode in groups and opcode != last:
            yield "the summary: kind %d is in two places" % opcode
        start = groups.get(opcode, (record.start,))[0]
        groups[opcode] = start, record.end - start
        last = opcode
    for f in _summary(file, OFFSET):
        opcode, start, length = f.numbers(1, 8, 8)
        if (length or opcode in groups) and \
                groups.pop(opcode, None) != (start, length):
            yield "a summary offset of kind %d" % opcode
    if _summary(file, OFFSET) and groups:
        yield "no summary offset of the kinds %s" % sorted(groups)


RULES = (_schemas, _chunks, _all_or_none, _chunk_indexes, _declared,
         _statistics, _attachments, _metadata, _offsets)


def faults(file):
    """What is wrong, as text."""
    return [text for rule in RULES for text in rule(file)]


def quirks(file):
    """What real writers do all the same."""
    out = set()
    start = file.data_end
    summary = {(type(one), one.id) for one, place in file.declared
               if place.chunk is None and place.start > start}
    known = {(Schema, n) for n in file.schemas} | {
        (Channel, n) for n in file.channels}
    if summary - known:
        out.add("silent")
    if any(c.times == (NEVER, 0) for c in file.chunks):
        out.add("empty-start")
    for f in _summary(file, STATISTICS):
        counted = f.numbers(8, 2, 4, 4, 4, 4, 8, 8)[1:3]
        for part in (summary, known):
            if counted == [sum(kind is which for kind, _ in part)
                           for which in (Schema, Channel)]:
                break
        else:
            out.add("statistics-count")
    return out

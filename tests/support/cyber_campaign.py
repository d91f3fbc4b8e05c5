"""cyber_campaign - Apollo Cyber records for campaign.py."""

import cyber_reader
import cyber_writer as w
from campaign import Original, Record
from cyber_proto import CHUNK_BODY, HEADER, INDEX, START

SUFFIX = '.record'
OPTIONS = ()
Bad = cyber_reader.Bad
LIMITS = 3000, 9000, 60000, 200 << 20  # bytes of a chunk
HOUR = 3600 * 10 ** 9


def _message(m):
    return (m.channel_name, m.time), m.content


def read(raw):
    """The messages of a whole record."""
    return [((name, time), content) for name, time, content
            in cyber_reader.read(raw).messages]


def _sections(raw, at):
    """The sections that a reader gets that stops where one is broken."""
    while at < len(raw):
        try:
            section = cyber_reader.section_at(raw, at)
        except Bad:
            return
        yield section
        at = section.end


def vendor(raw):
    """As `cyber_recorder recover` reads it: section after section, and a chunk
    as a whole or not at all."""
    first = next(_sections(raw, 0), None)
    if raw[:16] != bytes(16) and (first is None or first.type != HEADER):
        return []
    out = []
    for section in _sections(raw, START):
        if section.type == INDEX:
            break
        if section.type == CHUNK_BODY:
            out += map(_message, section.body.messages)
    return out


def unsure(report):
    """Is it said that the last message may be longer or shorter?"""
    return any(p['id'] in ('cyber.end-unsure', 'cyber.last-unsure')
               for p in report['problems'])


def original(raw, closed):
    """A good record."""
    records, ends = [], {len(raw)}
    for section in _sections(raw, START):
        ends |= {section.at, section.end}
        if section.type == CHUNK_BODY:
            for m, span in zip(section.body.messages,
                               cyber_reader.spans_of(raw, section)):
                # Nothing is held against its name and its time, either.
                name = raw.index(m.channel_name.encode(), span[0])
                records.append(Record(span, (name, span[1]), *_message(m)))
    return Original(raw, records, closed, ends)


def _make(rng, change=None, shape=None, lost=0, **drive):
    """A record; `change` makes other messages of those of a drive."""
    recipe = {'seed': rng.randrange(1 << 30), 'size': rng.choice((30, 200, 900)),
              'n_messages': rng.choice((30, 60, 120)), **drive}
    how = {'limit': rng.choice(LIMITS),
           'style': rng.choice(('cpp', 'old', 'lite', 'python')),
           'padding': rng.choice((bytes(4), bytes(4), b'\xaa\xaa\xaa\xaa')),
           **(shape or {})}
    channels, messages = w.drive(**recipe)
    if change:
        messages = change(messages, rng)
    shape = w.Shape(**how)
    return original(w.write(channels, messages, shape, lost), shape.closed)


OPEN = {'closed': False, 'indexed': False}


def plain(rng, **drive):
    """As recorders of any style write them."""
    return _make(rng, **drive)


def unclosed(rng, **drive):
    """The recorder was killed; some messages were in memory."""
    return _make(rng, shape=OPEN, lost=rng.choice((0, 5)), **drive)


def unfinished(rng, **drive):
    """It was killed before it wrote the header once more."""
    return _make(rng, shape={'closed': False}, **drive)


def carriers(rng, **drive):
    """Messages carry pieces of other records; others are equal, or empty; the
    clock is set."""
    return _make(rng, strange=True, **drive)


def open_carriers(rng, **drive):
    """The same, of a recorder that was killed."""
    return _make(rng, strange=True, shape=OPEN, **drive)


def doubles(rng, **drive):
    """Every second message is there twice, as it was recorded."""
    return _make(rng, lambda messages, rng: [
        m for m in messages for _ in range(rng.choice((1, 1, 2)))], **drive)


def clock(rng, **drive):
    """The clock is set back, inside it."""
    return _make(rng, lambda messages, _: [
        m._replace(time=m.time - HOUR * (3 * n > len(messages)))
        for n, m in enumerate(messages)], **drive)


def disorder(rng, **drive):
    """Times are in no order."""
    return _make(rng, lambda messages, rng: rng.sample(
        messages, len(messages)), **drive)


def empty(rng, **drive):
    """Most messages have no content."""
    return _make(rng, lambda messages, rng: [
        m._replace(content=rng.choice((b'', b'', m.content)))
        for m in messages], **drive)


def channels(rng):
    """Many channels, each declared where its first message is."""
    return _make(rng, n_channels=rng.choice((80, 80, 300)))


def small(rng):
    """20,000 short messages."""
    return _make(rng, n_messages=20000, size=8,
                 shape={'limit': rng.choice((20000, 200 << 20))})


SORTS = {'plain': plain, 'unclosed': unclosed, 'unfinished': unfinished,
         'carriers': carriers, 'open-carriers': open_carriers,
         'doubles': doubles, 'clock': clock, 'disorder': disorder,
         'empty': empty, 'channels': channels, 'small': small}

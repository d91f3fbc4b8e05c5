"""bddf_campaign - BDDF logs for campaign.py."""

import os
from dataclasses import dataclass, field

import bddf_reader
from bddf_writer import Log, field as field_of
from campaign import Original, Record, unseen as is_unseen

bddf_reader.load_messages(os.environ.get('BDDF_PB2', 'tests/pb2'))

DAY = 86400  # seconds
CASES = 4  # of each row
HEAD = 12  # bytes of a block up to its DataDescriptor
SUFFIX = '.bddf'
OPTIONS = '--reseal',
Bad = bddf_reader.Bad


@dataclass
class Closed(Original):
    """A log with an index."""
    entries: dict = field(default_factory=dict)  # place of a record: its entry's


def unseen(good, damage, record):
    """Nothing tells of a damaged head either where its index entry is damaged,
    too."""
    return is_unseen(good, damage, record) or (
        good.closed and bool(damage.offsets(record.span, False))
        and not damage.whole(good.entries[record.span[0]]))


def recognise(found, case):
    """A head that the index has is put back, whatever happened to the
    payload, which nobody can see."""
    good, damage = case.good, case.damage
    raw, names = damage.raw(), {}
    for record in good.records if good.closed else ():
        for at in damage.offsets(record.span, False)[:1]:
            start, end = (at + place - record.span[0]
                          for place in record.payload)
            names[record.head, raw[start:end]] = record.head, record.body
    return [names.get(one, one) for one in found]


def _entries(file):
    """Where the index entries are, by the places of their blocks."""
    out = {}
    for index in file.of('index'):
        at = index.offset
        for entry in index.message.block_entries:
            made = field_of(3, entry.SerializeToString())
            at = file.raw.index(made, at)
            out[entry.file_offset] = at, at + len(made)
            at += len(made)
    return out


def _records(file):
    for block in file.of('data'):
        message = block.message
        yield Record((block.offset, block.end),
                     (block.end - len(block.body), block.end),
                     (message.series_index, message.timestamp.seconds,
                      message.timestamp.nanos,
                      tuple(message.additional_indexes)), block.body)


def read(raw):
    """The data blocks of a whole log."""
    file = bddf_reader.read_file(raw)
    bddf_reader.check_file(file)
    return [(r.head, r.body) for r in _records(file)]


def vendor(_):
    """Not asked."""
    return None


def _dups(rng):
    """Blocks that are written three times, with one time."""
    log = Log().declare(0, 'a').declare(1, 'b')
    for i in range(60):
        payload = rng.randbytes(rng.choice((0, 5, 40)))
        for _ in range(rng.choice((1, 1, 3))):
            log.data(i % 2, payload)
            log.count -= 1
        log.count += 1
    return log


def _carriers(rng):
    """A series carries a log with the same series, and perhaps more, in four
    pieces, which end anywhere or where a block does."""
    inner = Log().clock(rng.choice((-400, -3 * DAY)))
    count = rng.choice((3, 3, 5))
    stops = [0]
    for series in range(count):
        inner.declare(series, 's%d' % series)
    for _ in range(120):
        _fill(inner, rng, 1, count)
        stops.append(len(inner.raw))
    whole = rng.randrange(2)
    log = Log()
    for series in range(3):
        log.declare(series, 's%d' % series)
    log.declare(3, 'download')
    for piece in range(4):
        _fill(log, rng, 12, 3)
        log.data(3, bytes(inner.raw[slice(*(
            stops[part * 30] if whole else len(inner.raw) * part // 4
            for part in (piece, piece + 1)))]))
    return _fill(log, rng, 12, 3)


def _clocks(rng):
    """The clock is set twice."""
    log = Log().declare(0, 'a').declare(1, 'b')
    for day in range(3):
        _fill(log.clock(day * 40 * DAY), rng, 40, 2)
    return log


def _jumbled(rng):
    """Times are out of order."""
    log = Log().declare(0, 'a').declare(1, 'b')
    for _ in range(120):
        _fill(log.clock(rng.randrange(-30, 30)), rng, 1, 2)
    return log


def _empty(rng):
    """Most payloads are empty."""
    log = Log().declare(0, 'a').declare(1, 'b')
    return _fill(log, rng, 120, 2, (0, 0, 30))


def _small(rng):
    """4,000 small blocks."""
    log = Log().declare(0, 'a').declare(1, 'b')
    for second in range(5):
        log.clock(second)
        log.count = 0
        _fill(log, rng, 800, 2, (4,))
    return log


def _many(rng):
    """300 series of many keys, some with additional indexes."""
    log = Log()
    for series in range(300):
        log.declare(series, 'series %d' % series, ['x'] * (series % 3))
    for i in range(900):
        series = rng.randrange(300)
        log.data(series, rng.randbytes(rng.choice((0, 20))),
                 [i] * (series % 3))
    return log


def _extras(rng):
    """Two series with additional indexes."""
    log = Log().declare(0, 'a', ['x', 'y']).declare(1, 'b', ['x'] * 5)
    for i in range(120):
        log.data(i % 2, rng.randbytes(rng.choice((0, 3, 90))),
                 [i] * 5 if i % 2 else [i * 7, -i])
    return log


def _plain(rng):
    """Two series."""
    return _fill(Log().declare(0, 'a').declare(1, 'b'), rng, 120, 2)


def _fill(log, rng, count, series, sizes=(3, 30, 90)):
    for _ in range(count):
        log.data(log.count % series, rng.randbytes(rng.choice(sizes)))
    return log


def closed_log(make):
    """The log with its index and digest."""
    def original(rng):
        file = bddf_reader.read_file(make(rng).close())
        return Closed(file.raw, list(_records(file)), True,
                      entries=_entries(file))
    return original


def open_log(make):
    """The log as it is when its recorder was killed.  What a DataDescriptor
    says is nowhere else."""
    def original(rng):
        log = make(rng)
        raw = bytes(log.raw)
        return Original(raw, [
            record._replace(payload=(record.span[0] + HEAD, record.span[1]))
            for record in _records(bddf_reader.read_file(log.close()))], False)
    return original


_LOGS = {'plain': _plain, 'dups': _dups, 'carriers': _carriers,
         'clocks': _clocks, 'jumbled': _jumbled, 'empty': _empty,
         'extras': _extras, 'many': _many, 'small': _small}
SORTS = {name + end: form(make) for name, make in _LOGS.items()
         for end, form in (('', closed_log), ('-open', open_log))}

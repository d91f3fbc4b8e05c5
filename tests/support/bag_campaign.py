"""bag_campaign - ROS 1 bags for campaign.py.

ROS's own readers are asked where SALVOR_LONG is set: Python's of every output and
of the damaged bag, C++'s of every output.
"""

import os
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import bag_reader
import bag_samples as samples
import bag_writer
from bag_writer import Shape
import campaign
from campaign import Original, Record

LONG = bool(os.environ.get('SALVOR_LONG'))
if LONG:
    import bag_judge

SUFFIX = '.bag'
OPTIONS = ()
Bad = bag_reader.Bad
hidden = campaign.hidden
HEAD_END = bag_writer.FIRST_CHUNK


def _kind(connection):
    """Topic, type and sum."""
    about = dict(connection.about)
    return (connection.topic.decode(), about['type'].decode(),
            about['md5sum'].decode())


def read(raw):
    """The messages of a whole bag.  A definition may be damaged where it is
    declared but once: the sum is compared with the one that was recorded."""
    bag = bag_reader.read(raw, sums=False)
    return [((*_kind(bag.connections[m.conn]), m.sec * 10 ** 9 + m.nsec),
             m.payload) for m in bag.messages()]


def vendor(raw):
    """What Python's rosbag gets, up to where it fails."""
    if not LONG:
        return None
    return [(tuple(head), payload)
            for *head, payload in bag_judge.readable(raw)]


def unseen(good, damage, record):
    """Is this message damaged where nothing tells of it?  Its header can be hit,
    too: that is put back.  Where the index of the chunk is hit, nothing repeats
    the header."""
    if record.span not in good.plain:
        return False
    span, payload = record.span, record.payload
    index = good.plain[span]
    if index is None or not damage.whole(index):
        payload = span[0] + 4, span[1]
    return damage.looks_whole(
        span, payload, good.ends) or damage.in_pieces(span, payload) or (
        bool(damage.offsets(span, False)) and not damage.whole(payload))


def confirm(paths):
    """{path: what is wrong}: what C++ finds in outputs."""
    if not LONG:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        judge = bag_judge.CppJudge(folder)
        answers = judge.listings(paths) if judge.program else {}
    return {path: 'C++: %s' % answer for path, answer in answers.items()
            if isinstance(answer, Exception)}


def recognise(found, case):
    """Messages of a connection of which no declaration is whole: what is left of
    its topic and type is no matter."""
    kinds = {r.head[:-1] for r in case.good.records}
    blurred = defaultdict(list)
    for r in case.good.records:
        if not any(map(case.damage.whole, r.needs)):
            blurred[r.head[-1], r.body].append(r.head)
    out = []
    for head, body in found:
        left = blurred.get((head[-1], body))
        if left and head[:-1] not in kinds:
            head = left.pop()
        out.append((head, body))
    return out


@dataclass
class Bag(Original):
    """A good bag.  plain has the messages that are not compressed, by their
    spans: where the record of their index is, or None."""
    plain: dict = field(default_factory=dict)


def original(raw, bag=None, indexed=None):
    """A bag; where it was never closed `bag` is what it would be, closed, and
    the first so many chunks have an index."""
    closed = bag is None
    bag = bag or bag_reader.read(raw)
    known = defaultdict(tuple)
    ends = {HEAD_END, len(raw)}
    for chunk in bag.chunks:
        plain = chunk.compression == 'none'
        for start, end, c in chunk.connections:
            span = (chunk.data_at + start, chunk.data_at + end) if plain \
                else (chunk.data_at, chunk.end)
            known[c.id] += span,
            ends |= set(span)
        ends |= {chunk.at, chunk.end} | {
            place for index in chunk.indexes for place in index[:2]}
    for start, end, c in bag.tail if closed else ():
        known[c.id] += (start, end),
        ends |= {start, end}
    for start, end in bag.infos if closed else ():
        ends |= {start, end}
    out = Bag(raw, [], closed, ends)
    for number, chunk in enumerate(bag.chunks):
        plain = chunk.compression == 'none'
        indexes = {index[2]: index[:2] for index in chunk.indexes} \
            if indexed is None or number < indexed else {}
        for m in chunk.messages:
            span = (chunk.data_at + m.at, chunk.data_at + m.end) if plain \
                else (chunk.data_at, chunk.end)
            if plain:
                out.plain[span] = indexes.get(m.conn)
            out.records.append(Record(
                span, (span[1] - len(m.payload) if plain else span[1],
                       span[1]),
                (*_kind(bag.connections[m.conn]),
                 m.sec * 10 ** 9 + m.nsec), m.payload, known[m.conn]))
    out.ends |= {place for r in out.records for place in r.span}
    return out


def _made(conns, messages, **shape):
    return original(bag_writer.write(conns, messages, Shape(**shape)))


def _unclosed(conns, messages, ending, **shape):
    """A bag whose recorder was killed."""
    bag = bag_reader.read(bag_writer.write(conns, messages, Shape(**shape)))
    raw = bag_writer.write(conns, messages, Shape(ending=ending, **shape))
    return original(raw, bag, len(bag.chunks) - (ending == 'open'))


def plain(*compression):
    """What a robot records."""
    return lambda rng: _made(
        *samples.recording(90, 7, rng.random(), .2), compression=compression,
        threshold=rng.choice((9, 20)) << 10,
        order=rng.choice(('cpp', 'rospy', 'hash')),
        repeat=rng.random() < .3, index_by=rng.choice(('conn', 'seen')))


def strange(*compression):
    """Pieces of bags in payloads, equal messages, clock steps, empty ones."""
    return lambda rng: original(samples.strange(
        150, rng.randrange(10 ** 6), compression=compression,
        threshold=rng.choice((6, 20)) << 10))


def small(rng):
    """Many messages of a few bytes."""
    return _made(*samples.recording(600, 6, rng.random(), .01),
                 threshold=rng.choice((4, 16)) << 10)


def changed(change):
    """What a robot records, except for what change(messages, rng) makes of its
    messages."""
    def make(rng):
        conns, messages = samples.recording(90, 7, rng.random(), .1)
        return _made(conns, change(messages, rng), threshold=rng.choice(
            (4, 16)) << 10, compression=(rng.choice(('none', 'none', 'lz4')),))
    return make


def doubles(messages, rng):
    """Many are there twice, as they were recorded."""
    return [m for m in messages for _ in range(rng.choice((1, 1, 2)))]


def disorder(messages, rng):
    """Times are in no order."""
    return rng.sample(messages, len(messages))


def crowd(rng):
    """120 connections."""
    return _made(*samples.recording(240, 120, rng.random(), .05),
                 compression=(rng.choice(('none', 'none', 'lz4')),),
                 threshold=20 << 10)


def killed(ending, *compression):
    """The recorder was killed, between two chunks or in one."""
    def make(rng):
        if rng.random() < .5:
            recorded = samples.recording(90, 7, rng.random(), .2)
        else:
            recorded = samples.strange_recording(150, rng.randrange(10 ** 6))
        return _unclosed(*recorded, ending, compression=compression,
                         threshold=rng.choice((6, 20)) << 10,
                         order=rng.choice(('cpp', 'rospy')))
    return make


SORTS = {
    'none': plain('none'), 'bz2': plain('bz2'), 'lz4': plain('lz4'),
    'mixed': plain('none', 'lz4', 'bz2'),
    'strange': strange('none'), 'strange_lz4': strange('lz4'),
    'strange_mix': strange('lz4', 'none'), 'small': small, 'crowd': crowd,
    'doubles': changed(doubles), 'disorder': changed(disorder),
    'killed': killed('active', 'none'), 'killed_lz4': killed('active', 'lz4'),
    'open': killed('open', 'none'),
}

"""mcap_campaign - MCAP files for campaign.py.

@mcap/core is asked of every output where it is installed.
"""

import functools
import random

import campaign
from mcap import crash, judge, npm, samples
from mcap.classes import CLASSES
from mcap.write import write

SUFFIX = '.mcap'
OPTIONS = ()
Bad = judge.Bad
read = judge.listing
keepable = judge.keepable
unseen = judge.unseen
recognise = judge.recognise
hidden = campaign.hidden


def vendor(_):
    """No reader takes what is damaged."""
    return None


def examine(verdict, raw):
    """Nothing is altered and sealed again, nothing is hidden from readers, and a
    header that is there stays."""
    good = verdict.case.good
    head = good.raw[:good.file.records[0].start]
    if verdict.case.damage.raw().startswith(head) and not raw.startswith(head):
        verdict.fail('altered', 'the header: %r' % raw[:len(head)])
    found = judge.sealed(good, raw)
    if found:
        verdict.fail('altered', 'under a checksum: %s' % found[:3])
    if judge.unindexed(raw):
        verdict.fail('refused', '%d messages are in no chunk, where others '
                     'are' % judge.unindexed(raw))


def confirm(paths):
    """{path: what is wrong}: what @mcap/core says of outputs."""
    sound = []
    for path in paths:
        try:
            with open(path, 'rb') as file:
                judge.strict(file.read())
            sound.append(path)
        except Bad:
            pass  # which the judge has said
    return npm.complaints(sound) if npm.available() else {}


def robot(name, **change):
    """What a robot records, as a writer writes it."""
    def make(rng):
        recorded = samples.recording(
            100, 6, rng.randrange(10 ** 6), rng.choice(('ros2', 'ros1', '')),
            silent=rng.choice((0, 2)), first=rng.choice((0, 1)),
            sequence=rng.random() < .7)
        if rng.random() < .6:
            recorded = samples.with_more(recorded, rng.randrange(10 ** 6),
                                         rng.random() < .3)
        style = samples.style(name, **{
            'chunk_size': rng.choice((6000, 20000)), **change})
        return judge.original(write(recorded, style))
    return make


def any_style(compression, crc):
    """The same, of any writer that writes chunks."""
    def make(rng):
        name = rng.choice(('cpp', 'python', 'go', 'ts', 'rust'))
        change = {} if crc else {'chunk_crc': False, 'data_crc': False,
                                 'attachment_crc': False}
        return robot(name, compression=compression, **change)(rng)
    return make


def strange(compression):
    """Pieces of files in payloads, equal messages, clock steps, empty ones."""
    return lambda rng: judge.original(write(
        samples.strange(120, rng.randrange(10 ** 6)),
        samples.style(rng.choice(('rosbag2', 'cpp', 'rust')),
                      compression=compression, chunk_size=rng.choice(
                          (3000, 9000)))))


def bare(rng):
    """No chunks, with or without a summary and a checksum of the data."""
    change = {'chunk_size': 0, 'data_crc': rng.random() < .5}
    if rng.random() < .4:
        change.update(summary=(), offsets=False)
    return robot(rng.choice(('cpp', 'go', 'rust')), **change)(rng)


def without(rng):
    """Chunks without message indexes, or without a summary."""
    change = rng.choice(({'message_index': False}, {'summary': ()},
                         {'message_index': False, 'summary': ()}))
    return robot(rng.choice(('cpp', 'python', 'go')), **change,
                 offsets=bool(change.get('summary', True)),
                 compression=rng.choice(('', 'lz4', 'zstd')))(rng)


def repeated(rng):
    """Schemas and channels again in each chunk; chunks overlap in time."""
    recorded = samples.overlapping(
        samples.recording(160, 5, rng.randrange(10 ** 6)), 20)
    return judge.original(write(recorded, samples.style(
        'cpp', declare='always', chunk_size=5000,
        compression=rng.choice(('', 'lz4', 'zstd')))))


def crowd(rng):
    """Many channels, small messages, small chunks."""
    return judge.original(write(
        samples.recording(400, 60, rng.randrange(10 ** 6), scale=.1),
        samples.style(rng.choice(('rosbag2', 'cpp', 'go')), chunk_size=4000,
                      compression=rng.choice(('', 'lz4')))))


SORTS = {
    'rosbag2': robot('rosbag2'), 'fastwrite': robot('fastwrite', chunk_size=0),
    **{'%s_%s' % (how, 'crc' if crc else 'no'): any_style(
        samples.COMPRESSIONS[how], crc)
       for how in samples.COMPRESSIONS for crc in (True, False)},
    'strange': strange(''), 'strange_lz4': strange('lz4'),
    'bare': bare, 'without': without, 'repeated': repeated, 'crowd': crowd,
}
ORIGINALS = 4  # of a sort


@functools.lru_cache(None)
def original(sort, number):
    """A good file of a sort."""
    return SORTS[sort](random.Random('%s/%d' % (sort, number)))


@functools.lru_cache(None)
def recorded(name, number):
    """A good file of a writer."""
    word = '' if name == 'fastwrite' else ('', 'lz4', 'zstd')[number % 3]
    return judge.original(samples.made(name, number, 100, compression=word))


def case(name, good=None):
    """The case of a name: a class, a sort and a number; or `crashes`, a writer
    and a state, and a number."""
    kind, sort, number = name.split('/')
    dice = random.Random(name)
    if kind == 'crashes':
        writer, state = sort.split('-')
        good = recorded(writer, int(number))
        return campaign.Case(name, good, crash.STATES[state](good, dice))
    good = good or original(sort, int(number) % ORIGINALS)
    return campaign.Case(name, good, CLASSES[kind](good, dice))


def cases(kind, sort, numbers, good=None):
    """Cases of a kind and a sort, except for those that change nothing."""
    for number in numbers:
        one = case('%s/%s/%d' % (kind, sort, number), good)
        if one.damage.raw() != one.good.raw:
            yield one

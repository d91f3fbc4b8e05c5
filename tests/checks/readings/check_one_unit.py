#!/usr/bin/python3
"""One whole unit of a log in another place: a message, a block, a frame, a chunk.
Nothing is torn, and the others are where they were, except for the shift.

- moved: nothing is called lost or foreign, and each record is in the output once
- copied: the same, and the output is the log, byte for byte, where an index, the
  counts of chunks or the numbers of frames show what was recorded
- of another recording: the same; without such evidence no record of the log is
  missing
- records that were recorded twice stay so

For each format and dialect, with an index, without one, and compressed.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2 the
messages of proto/bddf.proto.
"""
import collections
import pathlib
import random
import tempfile

from support.start import parts

with parts():
    import bag_reader
    import bag_samples
    import bag_writer
    import bddf_trial
    import carla_writer
    import cyber_reader
    import cyber_writer
    import log_repairs
    import units
    from tally import check, end
    bddf_trial.load()

TRIES = 25  # of each kind

# limit: how much of a log that was closed a test has; proof: something says which
# units were recorded
Sort = collections.namedtuple(
    'Sort', 'name suffix make read units records limit proof')
KINDS = {kind.name: kind for kind in log_repairs.FORMATS}


def blocks(raw):
    """The records of a BDDF log, each as often as it is there."""
    return list(bddf_trial.records(raw).elements())


def index_of(raw):
    """Where the index of a BDDF log begins."""
    return next(at for at, _, kind in bddf_trial.boundaries(raw)
                if kind == 'index')


def tail_of(raw):
    """Where the index at the end of a bag begins."""
    return bag_reader.read(raw).tail[0][0]


def bag_messages(raw):
    """What a bag holds."""
    return bag_reader.read(raw).listing()


def cyber_messages(raw):
    """What a Cyber record holds."""
    return cyber_reader.read(raw).messages


def index_position(raw):
    """Where the index of a Cyber record begins."""
    return cyber_reader.read(raw).header.index_position


def even(seed):
    """A Cyber record of messages that are all as long."""
    channels, messages = cyber_writer.drive(seed=seed, n_messages=60)
    dice = random.Random(seed)
    return cyber_writer.write(
        channels[:1],
        [m._replace(channel=channels[0].name, content=dice.randbytes(200))
         for m in messages], cyber_writer.Shape(limit=3000))


def even_bag(seed):
    """A bag of messages that are all as long."""
    connections, messages = bag_samples.recording(80, 2, seed=seed)
    dice = random.Random(seed)
    return bag_writer.write(
        connections, [m._replace(payload=dice.randbytes(120))
                      for m in messages], bag_writer.Shape(threshold=3000))


def doubled(messages):
    """Messages of which some were recorded twice."""
    return [m for k, m in enumerate(messages) for _ in range(1 + (k % 7 == 3))]


def twins(seed):
    """A Cyber record with such."""
    channels, messages = cyber_writer.drive(seed=seed, n_messages=60)
    return cyber_writer.write(channels, doubled(messages),
                              cyber_writer.Shape(limit=9000))


def bag_twins(seed):
    """A bag with such."""
    connections, messages = bag_samples.recording(80, 2, seed=seed)
    return bag_writer.write(connections, doubled(messages),
                            bag_writer.Shape(threshold=8000))


def sorts():
    """All sorts of logs."""
    bddf = KINDS['bddf'].make, blocks, units.bddf, units.bddf
    yield Sort('bddf', '.bddf', *bddf, None, True)
    yield Sort('bddf open', '.bddf', *bddf, index_of, False)
    bag = bag_messages, units.bag, units.bag_messages
    for how in 'none', 'lz4', 'bz2':
        name, make = 'bag ' + how, KINDS['bag ' + how].make
        yield Sort(name, '.bag', make, *bag, None, True)
        yield Sort(name + ' active', '.bag', make, *bag, tail_of, True)
    yield Sort('bag even', '.bag', even_bag, *bag, None, True)
    yield Sort('bag twins', '.bag', bag_twins, *bag, None, True)
    cyber = cyber_messages, units.cyber, units.cyber_messages
    for name, make in (('cyber', KINDS['cyber'].make), ('cyber even', even),
                       ('cyber twins', twins)):
        yield Sort(name, '.record', make, *cyber, None, True)
        yield Sort(name + ' open', '.record', make, *cyber, index_position,
                   True)
    for name in carla_writer.DIALECTS:
        yield Sort('carla ' + name, '.log', log_repairs.carla(name),
                   log_repairs.frames, units.carla, units.carla, None, True)


def move(raw, _, spans, dice):
    """A unit is in another place."""
    off, upto = dice.choice(spans)
    to = dice.choice([at for at, _ in spans if not off <= at <= upto])
    unit = raw[off:upto]
    if to < off:
        return raw[:to] + unit + raw[to:off] + raw[upto:]
    return raw[:off] + raw[upto:to] + unit + raw[to:]


def copy(raw, _, spans, dice):
    """It is there, too."""
    off, upto = dice.choice(spans)
    to = dice.choice([at for at, _ in spans if not off < at < upto])
    return raw[:to] + raw[off:upto] + raw[to:]


def stranger(raw, other, spans, dice):
    """One of another recording is there."""
    log, theirs = other
    off, upto = dice.choice(theirs)
    to = dice.choice(spans)[0]
    return raw[:to] + log[off:upto] + raw[to:]


def put_in(raw, case):
    """What a case has more than the log."""
    at = next(i for i, byte in enumerate(case) if raw[i:i + 1] != bytes([byte]))
    more = len(case) - len(raw)
    return next((case[i:i + more] for i in range(at, max(-1, at - more), -1)
                 if raw[:i] + case[i:i + more] + raw[i:] == case), None)


def count(sort, raw):
    """The records of a log, counted."""
    return log_repairs.records(sort.read, raw)


def fault(sort, how, good, case, result):
    """What is wrong with a repair, or None."""
    report, output = result
    if report['state'] == 'intact':
        output = case
    got = count(sort, output)
    if good - got:
        return '%d missing' % sum((good - got).values())
    if report['blocks']['lost'] > 0 and how is not stranger:
        return '%d called lost' % report['blocks']['lost']
    if got - good and (how is move or (sort.proof and (
            how is copy or not (sort.limit or 'even' in sort.name)))):
        return '%d too many' % sum((got - good).values())
    if how is not stranger and report['bytes']['foreign'] > 0:
        return 'foreign'
    return None


def one(folder, sort):
    """All that can be out of place in a log."""
    whole, other = sort.make(5), sort.make(6)
    raw, good = whole, count(sort, whole)
    if sort.limit:
        raw, other = raw[:sort.limit(raw)], other
    spans = [span for span in sort.units(whole) if span[1] <= len(raw)]
    theirs = other, list(sort.records(other))
    for how in (move, copy, stranger) if theirs[1] else (move, copy):
        dice = random.Random(sort.name + how.__name__)
        cases = [how(raw, theirs, spans, dice) for _ in range(TRIES)]
        results = log_repairs.repair(folder / how.__name__, sort.suffix, cases,
                                     '--reseal')
        wrong = [(fault(sort, how, good, *pair), k, pair[1][0]['state'],
                  sorted({p['id'] for p in pair[1][0]['problems']}))
                 for k, pair in enumerate(zip(cases, results))
                 if fault(sort, how, good, *pair)]
        if how is copy and sort.proof and not sort.limit:
            records = {raw[at:upto] for at, upto in sort.records(raw)}
            wrong += [('other bytes', k) for k, (case, (_, output)) in
                      enumerate(zip(cases, results))
                      if output != raw and put_in(raw, case) in records]
        check('%s, %s' % (sort.name, how.__name__), not wrong,
              (len(wrong), wrong[:4]))


def few(folder, name):
    """Of a CARLA log a few frames are left, in any order: each is judged."""
    raw = log_repairs.carla(name)(5)
    spans = units.carla(raw)
    picks = [[5], [39], [0], [5, 6], [6, 5], [1, 0], [39, 0], [5, 5], [7, 5, 6]]
    results = log_repairs.repair(folder, '.log', [
        raw[:spans[0][0]] + b''.join(raw[slice(*spans[k])] for k in pick)
        for pick in picks])
    check('carla %s, few' % name, len(results) == len(picks))


def main():
    """All sorts."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, sort in enumerate(sorts()):
            one(pathlib.Path(scratch) / str(number), sort)
        for name in carla_writer.DIALECTS:
            few(pathlib.Path(scratch) / name, name)
    end()


if __name__ == '__main__':
    main()

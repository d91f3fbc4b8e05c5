#!/usr/bin/python3
"""ROS 1 bags that end inside or after a message: one that carries a piece of
another bag, and one that ends in zeros like those that follow.

The recorder was killed, or the bag was cut, and no index of the chunk is left.
What reads like records in the payload was never recorded in this bag.

- nothing is kept that was not recorded, wherever the bag ends: cut, or zeros
- all whole messages in front are kept
- where zeros begin right after a message, that message is kept
- where the length of a message was hit and the messages after it are there, they
  are kept

And closed bags in which a range is in another place, or the beginning of a chunk is
lost with the header of the message that carries a bag:

- messages that an index names are kept where they are, except for those at the edges
- what no index names is not taken for a message of the bag

And closed bags with compressed chunks, of which one is lost with the beginning of the
next one, which is not compressed: its messages after the damage are kept.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; SALVOR_LONG=1
runs more.
"""
import os
import random
import struct
import tempfile
from collections import Counter

from support.start import TOP, parts

with parts():
    import bag_campaign
    import bag_reader
    import bag_samples
    import bag_writer
    from bag_classes import blank_chunk
    from bag_damage import Damaged
    from bag_repair import repair
    from random_damage import Damage, moved, swapped
    from tally import check, end

ROUNDS = 200 if os.environ.get('SALVOR_LONG') else 15
CONNS = [bag_writer.Connection(0, '/carrier', 'salvor_test/Carrier',
                               bag_samples.DEFINITION),
         bag_writer.Connection(1, '/small', 'salvor_test/Small',
                               bag_samples.DEFINITION)]


def carrier(dice, how):
    """A bag of small messages, of which one carries a piece of another bag."""
    inner = bag_samples.bag(60, 3, seed=dice.randrange(99), scale=.1,
                            compression=(how,))
    at = dice.randrange(0, len(inner) // 2)
    piece = inner[at:at + dice.randrange(2000, 12000)]
    messages, now = [], 1700000000
    for n in range(30):
        payload = piece if n == 20 else dice.randbytes(dice.randrange(80))
        messages.append(bag_writer.Message(n == 20 and 0 or 1, now + n, n,
                                           payload))
    return bag_reader.read(bag_writer.write(
        CONNS, messages, bag_writer.Shape(threshold=1 << 20)))


def ends():
    """The bag ends in the payload that carries another."""
    for turn in range(ROUNDS):
        dice = random.Random('ends/%d' % turn)
        bag = carrier(dice, dice.choice(('none', 'none', 'lz4')))
        chunk, = bag.chunks
        big = max(chunk.messages, key=lambda m: len(m.payload))
        made = Damaged(bag.raw)
        if turn % 2:
            blank_chunk(made, bag, chunk)  # its header was never written
        cut = chunk.data_at + dice.randrange(big.at + 50, big.end)
        raw = made.bytes()[:cut] + bytes(turn % 3 // 2 * 4096)
        kept, report = repair(raw)
        recorded = Counter(bag.listing())
        whole = Counter(bag.listing()[:20])
        what = 'ends/%d at %d' % (turn, cut)
        check(what + ': nothing is invented', not kept - recorded,
              [m[:4] for m in kept - recorded])
        check(what + ': all in front are kept', not whole - kept,
              (whole - kept).total())
        check(what + ': the verdict', report['state'] == 'lossy',
              report['state'])


def lengths():
    """The length of a message was hit, and the bag goes on after it."""
    for turn in range(ROUNDS):
        dice = random.Random('lengths/%d' % turn)
        bag = carrier(dice, 'none')
        chunk, = bag.chunks
        number = dice.randrange(1, 12)
        at = chunk.data_at + chunk.messages[number].at + 42
        raw = bytearray(bag.raw)
        # Out of the chunk: its header says how long that is.
        raw[at:at + 4] = struct.pack('<I', 1 << dice.randrange(16, 31))
        raw = bytes(raw[:chunk.data_at + chunk.messages[19].end])
        kept, _ = repair(raw)
        here = Counter(bag.listing()[:19])
        what = 'lengths/%d' % turn
        check(what + ': nothing is invented', not kept - Counter(
            bag.listing()))
        check(what + ': the others are kept', (here - kept).total() <= 1,
              (here - kept).total())


def zeros():
    """Zeros follow a message, which may end in zeros itself."""
    for number, bag in enumerate((
            bag_samples.bag(60, 7, seed=1, scale=.2, threshold=1 << 20),
            bag_samples.strange(60, seed=2, threshold=1 << 20))):
        bag = bag_reader.read(bag)
        chunk, = bag.chunks
        for i, m in enumerate(chunk.messages[9:], 9):
            raw = bag.raw[:chunk.data_at + m.end] + bytes(4500)
            kept, report = repair(raw)
            recorded = Counter(bag.listing()[:i + 1])
            what = 'zeros/%d after %d' % (number, i)
            check(what + ': it is kept', kept == recorded,
                  ((recorded - kept).total(), (kept - recorded).total()))
            doubt = m.payload.endswith(b'\0') and m.payload.strip(b'\0')
            check(what + ': a doubt is reported', report['state'] == 'lossy'
                  or not doubt, report['state'])


def recorded(raw):
    """The messages that are kept, and the report."""
    kept, report = repair(raw)
    return Counter((topic.decode(), sec * 10 ** 9 + nsec, payload)
                   for _, topic, sec, nsec, payload in kept.elements()), report


def places():
    """A range was moved, or two sectors exchanged."""
    missed = possible = 0
    for turn in range(ROUNDS):
        dice = random.Random('places/%d' % turn)
        bag = bag_campaign.small(dice)
        damage = Damage(bag.raw)
        kind = dice.choice((moved, swapped))
        kind(damage, dice)
        kept, _ = recorded(damage.raw())
        there = Counter((r.head[0], r.head[-1], r.body) for r in bag.records)
        owed = Counter((r.head[0], r.head[-1], r.body) for r in bag.records
                       if damage.whole(r.span))
        what = '%s/%d' % (kind.__name__, turn)
        # A payload that two ranges make is unseen, at each of the edges.
        check(what + ': nothing is invented', (kept - there).total() <= 4,
              list(kept - there)[:3])
        missed += (owed - kept).total()
        possible += owed.total()
    check('what indexes name is kept', missed <= possible * .008,
          (missed, possible))


def beginnings():
    """The first chunk begins with messages that carry pieces of bags, and the first
    pages of it are zeros."""
    for turn in range(ROUNDS):
        dice = random.Random('beginnings/%d' % turn)
        bag = bag_reader.read(bag_samples.strange(
            150, turn, threshold=dice.choice((6, 20)) << 10))
        upto = 4096 * dice.choice((2, 2, 3, 4))
        raw = bag.raw[:4096] + bytes(upto - 4096) + bag.raw[upto:]
        kept, _ = repair(raw)
        recorded = Counter(bag.listing())
        check('beginnings/%d: nothing is invented' % turn, not kept - recorded,
              [m[:4] for m in kept - recorded][:3])


def bounds():
    """Random bytes from inside a compressed chunk to a message that carries a piece,
    in the next chunk, which is not compressed."""
    missed = possible = 0
    for turn in range(ROUNDS):
        dice = random.Random('bounds/%d' % turn)
        bag = bag_reader.read(bag_samples.strange(
            150, turn, threshold=6 << 10, compression=('lz4', 'none')))
        for before, chunk in zip(bag.chunks, bag.chunks[1:]):
            if chunk.compression != 'none':
                continue
            big = max(chunk.messages, key=lambda m: len(m.payload))
            start = (before.data_at + before.end) // 2
            stop = chunk.data_at + big.end - dice.randrange(len(big.payload))
            raw = (bag.raw[:start] + dice.randbytes(stop - start)
                   + bag.raw[stop:])
            kept, report = repair(raw)
            invented = kept - Counter(bag.listing())
            check('bounds/%d: nothing is invented' % turn, invented.total()
                  <= report['blocks']['unsure'], list(invented)[:3])
            owed = Counter(
                (m.conn, bag.connections[m.conn].topic, m.sec, m.nsec,
                 m.payload) for m in chunk.messages if m.at > big.at)
            missed += (owed - kept).total()
            possible += owed.total()
    check('messages after pieces are kept', missed <= possible * .01,
          (missed, possible))


def main():
    """Run everything."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        ends()
        lengths()
        zeros()
        places()
        beginnings()
        bounds()
        os.chdir(TOP)
    end()


main()

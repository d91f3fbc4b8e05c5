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
    import bag_reader
    import bag_samples
    import bag_writer
    from bag_classes import blank_chunk
    from bag_damage import Damaged
    from bag_repair import repair
    from tally import check, end

ROUNDS = 200 if os.environ.get('SALVOR_LONG') else 40
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


def main():
    """Run everything."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        ends()
        lengths()
        zeros()
        os.chdir(TOP)
    end()


main()

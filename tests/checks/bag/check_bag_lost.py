#!/usr/bin/python3
"""Is a loss reported where all that was damaged seems to be of indexes and
headers?

Of bags of every compression a range is overwritten, missing or
exchanged with another one. It begins in the index of a chunk, or in the header of
the next one, and ends in that header, in the chunk or in its index; or it is
of the index at the end, of which another range is damaged, too. Then

- a bag that lacks a message which was recorded before another one that is kept is
  not called repaired
- where only headers and indexes were overwritten it is, and no loss is reported

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import os
import random
import tempfile

from support.start import SALVOR, parts

with parts():
    import bag_campaign
    import bag_reader
    import campaign
    from random_damage import Damage
    from tally import check, end

ROUNDS = 200 if os.environ.get('SALVOR_LONG') else 15
SORTS = 'none', 'lz4', 'bz2', 'mixed', 'small'


def places(bag, dice):
    """Where damage begins and ends: (start, end, is only derived data hit?)."""
    number = dice.randrange(len(bag.chunks) - 1)
    chunk, after = bag.chunks[number], bag.chunks[number + 1]
    start = dice.randrange(chunk.indexes[0][0], after.data_at)
    if dice.random() < .3:
        return start, dice.randrange(start, after.data_at) + 1, True
    if dice.random() < .5:
        return start, dice.randrange(after.data_at, after.end), False
    return start, dice.randrange(after.end, after.indexes[-1][1]), False


def in_place(made, start, end, dice):
    """Bytes are overwritten."""
    made.overwrite(start, dice.randbytes(end - start))


def missing(made, start, end, _):
    """Bytes are missing."""
    made.replace(start, end)


def exchanged(made, start, end, dice):
    """They are in the place of others, which are in theirs."""
    there = dice.randrange(start, len(made))
    count = min(end - start, len(made) - there, there - start)
    one = made.between(start, start + count)
    other = made.between(there, there + count)
    made.replace(there, there + count, one)
    made.replace(start, start + count, other)


def spoil_tail(made, bag, derived, dice):
    """The index at the end is damaged, too, so that it does not tell, or tells of
    other chunks."""
    for start, stop in dice.sample(bag.infos, min(2, len(bag.infos))):
        made.overwrite(start if derived or dice.random() < .5 else stop - 40,
                       dice.randbytes(30))


def case(sort, turn, kind):
    """(the case, is only derived data hit?), or None."""
    dice = random.Random('lost/%s/%s/%d' % (sort, kind.__name__, turn))
    good = bag_campaign.SORTS[sort](random.Random('%s/%d' % (
        sort, turn // 10)))
    bag = bag_reader.read(good.raw)
    if len(bag.chunks) < 2:
        return None
    made = Damage(good.raw)
    start, stop, derived = places(bag, dice)
    if dice.random() < .7:
        spoil_tail(made, bag, derived, dice)
    if dice.random() < .2:
        start, stop, derived = bag.index_pos, len(good.raw), False
    kind(made, start, stop, dice)
    return campaign.Case('%s/%s/%d' % (sort, kind.__name__, turn), good,
                         made), derived


def main():
    """All of them."""
    lost = 0
    with tempfile.TemporaryDirectory() as folder:
        for sort in SORTS:
            for kind in in_place, missing, exchanged:
                made = list(filter(None, (case(sort, turn, kind)
                                          for turn in range(ROUNDS))))
                verdicts = campaign.Trial(bag_campaign, SALVOR, os.path.join(
                    folder, 'run')).run([c for c, _ in made])
                for verdict, (_, derived) in zip(verdicts, made):
                    name = verdict.case.name
                    silent = [text for sort, text in verdict.wrong
                              if sort == 'silent']
                    lost += verdict.state == 'lossy'
                    check(name + ': a loss is reported', not silent, silent)
                    if derived and kind is in_place:
                        check(name + ': nothing is lost',
                              verdict.state == 'repaired', verdict.state)
    check('some lose messages', lost > 50, lost)
    end()


main()

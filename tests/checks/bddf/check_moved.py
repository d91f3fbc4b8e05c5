#!/usr/bin/python3
"""BDDF logs of which bytes were put in, taken out or doubled, so that what follows
is no longer where an index has it: in every part of the log, of logs whose
payloads carry blocks, with times out of order, and with equal blocks.  No record of
the output is another one than was recorded, or there more often.  Where whole blocks
are doubled, the index and the digest show which, and all are kept.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import os
import random
import tempfile

from support.start import SALVOR, parts

with parts():
    import bddf_campaign
    from campaign import Case, Trial
    from random_damage import Damage, alien
    from tally import check, end

LOGS = 'carriers', 'jumbled', 'dups'
SEEDS = 1, 2
PLACES = 13  # of damage to a log


def insert(size):
    """Put in random bytes."""
    def damage(log, at):
        log.replace(at, at, [alien(random.Random(at).randbytes(size))])
    return damage


def remove(size):
    """Take out bytes."""
    return lambda log, at: log.replace(at, at + size)


def double(size):
    """Have bytes there twice."""
    return lambda log, at: log.replace(
        at + size, at + size, log.between(at, at + size))


KINDS = {'insert': insert, 'remove': remove, 'double': double}


def cases(good, name):
    """Each kind of damage at each place."""
    for kind, make in KINDS.items():
        for size in 2, 300, 1500:
            for place in range(PLACES):
                damage = Damage(good.raw)
                at = 4 + (good.records[-1].span[1] - 1504) * place // PLACES
                make(size)(damage, at)
                yield Case('%s %s %d at %d' % (name, kind, size, at), good,
                           damage)


def whole_blocks(good, name):
    """Some blocks are there twice, from a place on that is in one or between two, so
    that all that is there reads as whole blocks."""
    places = [r.span[0] for r in good.records]
    for count in 2, 3, 5:
        for shift in -6, 0, 6:
            for place in range(1, len(places) - count, len(places) // 5):
                start, stop = (places[n] + shift
                               for n in (place, place + count))
                damage = Damage(good.raw)
                damage.replace(stop, stop, damage.between(start, stop))
                yield Case('%s: %d from %d' % (name, stop - start, start),
                           good, damage)


def main():
    """All logs, with and without an index."""
    with tempfile.TemporaryDirectory() as folder:
        for log in 'plain', 'many':
            good = bddf_campaign.SORTS[log](random.Random(log))
            verdicts = Trial(
                bddf_campaign, SALVOR, os.path.join(folder, 'x')).run(
                    list(whole_blocks(good, log)))
            # The index and the digest tell the blocks from their copies.
            wrong = ['%s: %s, missed %d, %s' % (
                v.case.name, v.state, v.missed, v.wrong)
                     for v in verdicts if v.wrong or v.missed]
            check('whole blocks of %s' % log, not wrong,
                  (len(wrong), len(verdicts), wrong[:3]))
        for log in LOGS:
            for sort in log, log + '-open':
                verdicts = []
                for seed in SEEDS:
                    good = bddf_campaign.SORTS[sort](random.Random(seed))
                    verdicts += Trial(
                        bddf_campaign, SALVOR, os.path.join(folder, 'x')).run(
                            list(cases(good, '%s %d' % (sort, seed))))
                wrong = ['%s: %s' % (v.case.name, v.wrong[0][1])
                         for v in verdicts if v.wrong]
                check(sort, not wrong, (len(wrong), wrong[:3]))
    end()


if __name__ == '__main__':
    main()

#!/usr/bin/python3
"""Bags whose messages carry pieces of bags, with a range that was destroyed, is
missing, or was moved: records that a payload carried read like those of the bag.

- what is in the output and was not recorded is among what the report calls
  unsure, and then the log is lossy
- the same where the file begins inside such a message, bytes are missing after it,
  and another one is left that shows that messages carry records
- no message of a bag that carries nothing is called unsure after such damage

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; SALVOR_LONG=1
asks for more of the second.
"""
import os
import random
import tempfile

from support.start import SALVOR, parts

with parts():
    import bag_campaign
    import campaign
    import random_damage
    from tally import check, end

# Damage of the campaign that exposes carried records.
EXPOSED = (
    ('sector', 'strange', (53,)), ('sector', 'killed', (23, 24, 51)),
    ('sector', 'open', (59,)), ('patch', 'killed', (20,)),
    ('flip', 'strange', (16,)), ('removed', 'killed', (41, 49, 51)),
    ('removed', 'open', (19,)), ('removed', 'strange', (54,)),
    ('inserted', 'strange', (39,)), ('inserted', 'open', (55, 56)),
    ('doubled', 'strange', (30, 33)),
    ('moved', 'strange', (11, 31, 53, 55)), ('moved', 'strange_mix', (44,)),
    ('moved', 'killed', (21, 22, 29, 31, 34, 54)),
    ('moved', 'open', (10, 14, 16, 55, 56)),
    ('swapped', 'strange', (11, 14, 21, 24, 26, 27, 31, 38, 40, 43, 49, 59)),
    ('swapped', 'killed', (21, 23, 24, 30, 34, 50, 52, 56, 58)),
    ('swapped', 'open', (12, 19, 50, 54, 55, 56, 57, 58, 70009, 1500004)),
    ('several', 'strange', (4, 40)), ('several', 'killed', (25, 32, 53, 70009)),
    ('several', 'open', (15, 18, 57)))
PLAIN = ('sector', 'none'), ('removed', 'none'), ('swapped', 'none'), \
    ('sector', 'small'), ('inserted', 'none')
ROUNDS = 60 if os.environ.get('SALVOR_LONG') else 10


def cases(kind, sort, numbers):
    """Cases as bench/campaign has them."""
    for number in numbers:
        good = bag_campaign.SORTS[sort](random.Random('%s/%d' % (
            sort, number // 10)))
        name = '%s/%s/%d' % (kind, sort, number)
        damage = random_damage.Damage(good.raw)
        getattr(random_damage, kind)(damage, random.Random(name))
        yield campaign.Case(name, good, damage)


class Trial(campaign.Trial):
    """Keeps the number of unsure messages."""

    def judge(self, verdict, number, report):
        super().judge(verdict, number, report)
        verdict.unsure = report['blocks']['unsure']


def begun_inside(sort, number):
    """The file begins at a place in a message that carries records, with other bytes
    in front, and a few are missing further on."""
    dice = random.Random('%s/%d' % (sort, number))
    good = bag_campaign.SORTS[sort](dice)
    large = [r.payload for r in good.records
             if good.raw.count(b'op=', *r.payload) > 1]
    for start, stop in large[:6]:
        damage = random_damage.Damage(good.raw)
        gap = dice.randrange(stop, len(good.raw) - 100)
        damage.replace(gap, gap + dice.choice((30, 90)))
        damage.replace(0, dice.randrange(start, start + 600), [
            random_damage.alien(dice.randbytes(dice.choice((0, 90, 1246))))])
        if any(map(damage.whole, large)):
            yield campaign.Case('begun/%s/%d/%d' % (sort, number, start),
                                good, damage)


def run(folder, kind, sort, numbers):
    """The verdicts of a row."""
    return Trial(bag_campaign, SALVOR, os.path.join(folder, 'run')).run(
        list(cases(kind, sort, numbers)))


def main():
    """Both."""
    unsure = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, sort, numbers in EXPOSED:
            for verdict in run(folder, kind, sort, numbers):
                name = verdict.case.name
                wrong = [text for what, text in verdict.wrong
                         if what in ('invented', 'altered')]
                unsure += verdict.unsure
                check(name + ': what is not recorded is unsure', not wrong,
                      wrong)
                check(name + ': unsure is lossy', not verdict.unsure
                      or verdict.state == 'lossy', verdict.state)
        check('some are unsure', unsure > 0)
        for sort in 'open', 'killed', 'strange':
            for verdict in Trial(
                    bag_campaign, SALVOR, os.path.join(folder, 'run')).run(
                        [one for number in range(6)
                         for one in begun_inside(sort, number)]):
                wrong = [text for what, text in verdict.wrong
                         if what in ('invented', 'altered')]
                check(verdict.case.name, not wrong, wrong)
        for kind, sort in PLAIN:
            for verdict in run(folder, kind, sort, range(ROUNDS)):
                check(verdict.case.name + ': all are sure',
                      verdict.unsure == 0, verdict.unsure)
    end()


main()

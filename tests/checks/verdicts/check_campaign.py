#!/usr/bin/env python3
"""check_campaign.py - do the campaigns know what their damage leaves?

Bytes that never repeat are damaged in every way of random_damage.py.  A range
survives if and only if its bytes are in the damaged file; a record of which only
the payload was hit looks whole; one with another length does not.
"""
import random

from support.start import parts

with parts():
    from random_damage import DOWNLOADS, Damage, KINDS, alien
    from tally import check, end

SIZE = 20000
STEP = 500  # of the records
HEAD = 40  # bytes before a record's payload
ROUNDS = 60
ENDS = set(range(0, SIZE + 1, STEP))


def spans():
    """The records."""
    return [(at, at + STEP) for at in range(0, SIZE, STEP)]


def payload(span):
    """Where damage of a record cannot be seen."""
    return span[0] + HEAD, span[1]


def survives(good, older):
    """What is said to survive does, and nothing else."""
    for kind in KINDS + DOWNLOADS:
        wrong = []
        for number in range(ROUNDS):
            damage = Damage(good, older)
            kind(damage, random.Random('%s/%d' % (kind.__name__, number)))
            raw = damage.raw()
            wrong += [(number, 'length')] * (len(raw) != len(damage))
            wrong += [(number, span) for span in spans()
                      if damage.whole(span) != (good[slice(*span)] in raw)]
            wrong += [(number, span, 'looks') for span in spans()
                      if damage.looks_whole(span, payload(span), ENDS)
                      and good[span[0]:span[0] + HEAD] not in raw]
        check(kind.__name__, not wrong, wrong)


def seen(good):
    """What nothing tells of, and what something tells of."""
    span = 5 * STEP, 6 * STEP
    cases = (
        ('payload overwritten', lambda d: d.overwrite(span[0] + 90, b'x' * 9),
         True),
        ('two bytes exchanged', lambda d: d.replace(
            span[0] + 90, span[0] + 92, d.between(span[0] + 91, span[0] + 92)
            + d.between(span[0] + 90, span[0] + 91)), True),
        ('head overwritten', lambda d: d.overwrite(span[0] + 9, b'x' * 9),
         False),
        ('shorter', lambda d: d.replace(span[0] + 90, span[0] + 95), False),
        ('longer', lambda d: d.replace(span[0] + 90, span[0] + 90,
                                       [alien(b'xxxx')]), False),
        ('next head overwritten', lambda d: d.overwrite(
            span[1] - 9, b'x' * 20), False),
        ('the end of the file', lambda d: d.replace(span[1], SIZE), True),
        ('one whole record fewer', lambda d: d.replace(
            span[0] + 90, span[1] + 90), True))
    for name, harm, want in cases:
        damage = Damage(good)
        harm(damage)
        check(name, damage.looks_whole(span, payload(span), ENDS) == want)


def main():
    """Both."""
    good = random.Random('bytes that never repeat').randbytes(SIZE)
    survives(good, random.Random('nor do these').randbytes(SIZE))
    seen(good)
    end()


main()

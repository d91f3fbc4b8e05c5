#!/usr/bin/python3
"""Repeats ranges of Cyber records, and holds what comes of that against the
original: no message is there twice that was recorded once.

- the range begins and ends in messages of one length, so that nothing is torn, and
  times are in no order
- nearly all of the record is there twice, and one of both copies is damaged

Environment: SALVOR is the program.
"""
import random
import tempfile

from support.start import SALVOR, parts

with parts():
    import cyber_campaign
    from campaign import Case, Trial
    from random_damage import Damage
    from tally import check, end

SORTS = 'plain', 'disorder', 'doubles', 'clock'
LOST = 40  # messages that a patch may cost, at most; and a repeated range one


def smooth(good, rng):
    """Ranges that end as far in a message as they begin in another."""
    spans = [r.span for r in good.records]
    pairs = [(a, b) for n, a in enumerate(spans) for b in spans[n + 1:n + 30]
             if a[1] - a[0] == b[1] - b[0]
             and good.raw[slice(*a)] != good.raw[slice(*b)]]
    for a, b in rng.sample(pairs, min(len(pairs), 12)):
        if b[0] - a[0] > 1 << 20:
            continue
        more = rng.choice((0, 1, 5, 20, (a[1] - a[0]) // 2, a[1] - a[0] - 1))
        damage = Damage(good.raw)
        damage.replace(b[0] + more, b[0] + more,
                       damage.between(a[0] + more, b[0] + more))
        yield damage


def patched(good, rng):
    """All from the header on, and a patch somewhere."""
    size = len(good.raw)
    for _ in range(8):
        start, stop = rng.randrange(100, 2000), size - rng.randrange(1, 300)
        damage = Damage(good.raw)
        damage.replace(stop, stop, damage.between(start, stop))
        at = rng.randrange(3000, len(damage) - 3000)
        damage.overwrite(at, bytes(1000))
        yield damage


def main():
    """Try all."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(cyber_campaign, SALVOR, folder + '/run')
        for kind in smooth, patched:
            for sort in SORTS:
                rng = random.Random(kind.__name__ + sort)
                cases = []
                for _ in range(4):
                    good = cyber_campaign.SORTS[sort](
                        rng, size=rng.choice((30, 200)))
                    cases += [Case(kind.__name__, good, damage)
                              for damage in kind(good, rng)]
                verdicts = trial.run(cases)
                wrong = [(n, v.wrong or v.missed)
                         for n, v in enumerate(verdicts)
                         if v.wrong or v.missed > (LOST if kind is patched
                                                  else 1)]
                check('%s/%s: %d records' % (kind.__name__, sort,
                                             len(verdicts)), not wrong,
                      (len(wrong), wrong[:3]))
    return end()


main()

#!/usr/bin/python3
"""Puts the parts of Cyber records into other places, everywhere, and holds what
comes of that against the original.

- no message is in the output that was never recorded, although messages carry
  pieces of other records, of which parts lie anywhere then
- no message is in it more often than it was recorded, although equal ones follow
  each other
- the last message of a recording is kept, whatever follows it
- what else is whole is kept, wherever it is

Environment: SALVOR is the program.
"""
import random
import tempfile

from support.start import SALVOR, parts

with parts():
    import cyber_campaign
    import cyber_writer
    from campaign import Case, Trial
    from random_damage import Damage, alien
    from tally import check, end

STEPS = 14  # places in a record
ROOM = 2064  # bytes of the header
SORTS = {  # of records, and what part of what is whole must be kept
    'plain': .97, 'unclosed': .97, 'unfinished': .97, 'doubles': .97,
    'clock': .97, 'disorder': .95, 'carriers': .9, 'open_carriers': .75}
# One carrier of several is still whole: it shows what the others were.
MESSAGES = 120
RECORDS = 30  # with many carriers


def places(size, steps=STEPS):
    """Places from one end of so many bytes to the other."""
    return [size * (i + 1) // (steps + 1) for i in range(steps)]


def moved(good):
    """A range is somewhere else."""
    for start in places(len(good.raw)):
        for size in (300, 4000):
            for to in places(len(good.raw), 3):
                damage = Damage(good.raw)
                part = damage.between(start, min(start + size, len(damage)))
                damage.replace(start, min(start + size, len(damage)))
                to = min(to, len(damage))
                damage.replace(to, to, part)
                yield damage


def swapped(good):
    """Two sectors took each other's place."""
    for size in (512, 4096):
        count = len(good.raw) // size
        for first in range(0, count, max(1, count // 6)):
            for second in range(first + 1, count, max(1, count // 4)):
                damage = Damage(good.raw)
                one = damage.between(first * size, first * size + size)
                other = damage.between(second * size, second * size + size)
                damage.replace(second * size, second * size + size, one)
                damage.replace(first * size, first * size + size, other)
                yield damage


def doubled(good):
    """A range is there twice; it begins and ends with messages, or near that."""
    rng = random.Random(len(good.raw))
    edges = sorted(good.ends)
    for _ in range(2 * STEPS):
        start, stop = sorted(rng.sample(edges, 2))
        stop = max(min(stop, start + 5000) + rng.choice((-1, 0, 0, 1)),
                   start + 1)
        damage = Damage(good.raw)
        damage.replace(stop, stop, damage.between(start, stop))
        yield damage


def hollowed(good):
    """From the room of the header on all is gone but a few messages, so that the
    record may be shorter than that room."""
    edges = sorted(good.ends)
    for start in range(90, ROOM, 211):
        for stop in edges[-5:-1]:
            damage = Damage(good.raw)
            damage.replace(start, stop)
            yield damage


def followed(good):
    """Something follows that is no part of a record."""
    for new in (b'\xff', bytes(3), b'ab' * 200, bytes(4096)):
        damage = Damage(good.raw)
        damage.replace(len(damage), len(damage), [alien(new)])
        yield damage


def hidden(good, dice):
    """The head of a long message is overwritten, or its end and what follows.  What
    it carries may end, by chance, where a message begins."""
    for record in good.records:
        start, stop = record.span
        for at in (start - 200, stop - 20) if stop - start > 1000 else ():
            damage = Damage(good.raw)
            damage.overwrite(at, dice.randbytes(260))
            yield damage


def many(trial):
    """That, in many records."""
    dice = random.Random(1)
    verdicts = []
    for n in range(RECORDS):
        good = cyber_campaign.open_carriers(
            random.Random('many/%d' % n), n_messages=MESSAGES)
        verdicts += trial.run([Case('hidden/%d' % n, good, damage)
                               for damage in hidden(good, dice)])
    wrong = [text for v in verdicts for _, text in v.wrong]
    check('carriers without a head or an end: %d records' % len(verdicts),
          len(verdicts) > 5 * RECORDS and not wrong, (len(wrong), wrong[:3]))


def older(trial):
    """The last message of a chunk carries a piece of a record of another day, and all
    messages before it and a part of it are overwritten."""
    dice = random.Random(2)
    piece = cyber_writer.write(*cyber_writer.drive(seed=3, start=1700086400),
                               cyber_writer.Shape(closed=False))[5000:26000]
    cases = []
    for style in 'cpp', 'old', 'python':
        channels, messages = cyber_writer.drive(seed=4, n_messages=40)
        last = messages[-1]._replace(
            time=messages[-1].time + 10 ** 7, content=piece)
        good = cyber_campaign.original(cyber_writer.write(
            channels, messages + [last], cyber_writer.Shape(style=style)), True)
        first = good.records[0].span[0]
        start, stop = good.records[-1].span
        for at in range(start, stop, (stop - start) // 12):
            damage = Damage(good.raw)
            damage.overwrite(first, dice.randbytes(at - first))
            cases.append(Case('%s/%d' % (style, at), good, damage))
    verdicts = trial.run(cases)
    wrong = [text for v in verdicts for _, text in v.wrong]
    check('carriers of another day: %d records' % len(verdicts),
          len(verdicts) > 30 and not wrong, (len(wrong), wrong[:3]))


def one(trial, sort, limit):
    """All that is done to the records of a sort."""
    good = [getattr(cyber_campaign, sort)(
        random.Random('%s/%d' % (sort, n)), n_messages=MESSAGES)
            for n in range(3)]
    owed = missed = 0
    for kind in moved, swapped, doubled, hollowed, followed:
        name = '%s/%s' % (kind.__name__, sort)
        verdicts = trial.run([
            Case(name, g, d) for g in good for d in kind(g)
            if d.raw() != g.raw])
        wrong = [(n, text) for n, v in enumerate(verdicts)
                 for _, text in v.wrong]
        check('%s: %d records' % (name, len(verdicts)),
              not wrong, wrong[:3])
        lost = sum(v.missed for v in verdicts)
        if kind is hollowed:
            check('%s: nothing whole is missed' % name,
                  10 * lost <= sum(v.owed for v in verdicts), lost)
        owed += sum(v.owed for v in verdicts)
        missed += lost
    check('%s: %d of %d are missed' % (sort, missed, owed),
          missed <= (1 - limit) * owed)


def main():
    """Try all."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(cyber_campaign, SALVOR, folder + '/run')
        for sort, limit in SORTS.items():
            one(trial, sort, limit)
        many(trial)
        older(trial)
    return end()


main()

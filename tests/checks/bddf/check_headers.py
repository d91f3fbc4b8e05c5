#!/usr/bin/python3
"""BDDF logs of many small blocks, of which single bytes are gone: one of a header,
alone or with another one shortly before it.  A header that is then read one byte
early has a size that ends where another block does.  No record of the output is
another one than was recorded, and nothing is called complete that is not.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import os
import random
import tempfile

from support.start import SALVOR, parts

with parts():
    import bddf_campaign
    from bddf_writer import Log
    from campaign import Case, Trial
    from random_damage import Damage
    from sample import LONG
    from tally import check, end

BLOCKS = 400  # of a log
PLACES = 23 if LONG else 3  # blocks that are damaged, each in a log of its own
BEFORE = range(98) if LONG else (0, 1, 5, 13, 34, 61, 97)
HEAD = 12  # bytes of a block up to its DataDescriptor


def tempt(raw, places):
    """Let the last byte before each block, with the size of the block, make a size
    that ends where another block does, when a byte of the header is gone."""
    ends = set(places)
    for at in places[1:]:
        size = raw[at] << 8
        for byte in range(256):
            if at + HEAD + size + byte in ends:
                raw[at - 1] = byte
                break


def log(carries):
    """A log of which all blocks tempt, and where a block of a download may follow
    each hundredth."""
    rng = random.Random(5)
    made = Log().declare(0, 'a').declare(1, 'b').declare(2, 'download')
    inner = Log().clock(-400).declare(0, 'a').declare(1, 'b')
    for number in range(90):
        inner.data(number % 2, rng.randbytes(9))
    places = []
    for number in range(BLOCKS):
        places.append(len(made.raw))
        made.data(number % 2, rng.randbytes(rng.choice((1, 3, 7, 20))))
        if carries and number % 100 == 50:
            places.append(len(made.raw))
            piece = number * len(inner.raw) // BLOCKS
            made.data(2, bytes(inner.raw[piece:piece + 1000]))
    tempt(made.raw, places)
    return made


def cases(good, name):
    """One byte of a header is gone, alone or with another one before it."""
    rng = random.Random(name)
    for place in sorted(rng.sample(range(40, BLOCKS // 2), PLACES)):
        at = good.records[place].span[0]
        for byte in range(HEAD):
            for before in BEFORE:
                damage = Damage(good.raw)
                damage.replace(at + byte, at + byte + 1)
                if before > 0:
                    damage.replace(at - before, at - before + 1)
                yield Case('%s: byte %d of the header at %d, and %d before' % (
                    name, byte, at, before), good, damage)


def main():
    """All logs."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(bddf_campaign, SALVOR, os.path.join(folder, 'x'))
        for form in bddf_campaign.closed_log, bddf_campaign.open_log:
            for carries in False, True:
                name = form.__name__ + ' with carriers' * carries
                good = form(lambda _, carries=carries: log(carries))(None)
                verdicts = trial.run(list(cases(good, name)))
                wrong = ['%s: %s' % (v.case.name, v.wrong[0][1])
                         for v in verdicts if v.wrong]
                check(name, not wrong, (len(wrong), len(verdicts), wrong[:3]))
                missed = [v.missed for v in verdicts]
                # The block that ends where the header was may be incomplete.
                check(name + ' keeps', max(missed) <= 2, max(missed))
    end()


if __name__ == '__main__':
    main()

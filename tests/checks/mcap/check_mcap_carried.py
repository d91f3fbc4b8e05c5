#!/usr/bin/python3
"""Are records of a file that an attachment or a message carries ever taken for the log's?

Sectors of the data are in each other's place, so that the inside of what carries another
file is without what encloses it: in the attachment, in chunks, and between them.  The
summary, which names all that is of the log, is there.

Or the log breaks off inside the attachment or the message, and the chunk that declares
its channels is damaged, so that none of its messages is kept.  It is the main log still.
But a recording that begins anywhere else is one of its own.

Or it ends inside a message of a chunk that is not compressed, of which the payload is a
piece of another file: nothing of that is kept, and the message is what is lost.

    check_mcap_carried.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import random
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from support.start import parts

with parts():
    from mcap import judge, records as r, samples
    from mcap.trial import repair
    from mcap.write import STYLES, write
    from tally import check, end

SECTORS = 512, 4096


def carrier(compression, outer):
    """A log with another one in an attachment, and where that is."""
    inner = write(samples.recording(60, 4, 8), replace(
        STYLES['cpp'], chunk_size=700, compression=compression))
    made = samples.recording(90, 4, 5)
    made.events.insert(45, r.Attachment(
        5, 6, 'before.mcap', 'application/x-mcap', inner))
    raw = write(made, replace(STYLES['cpp'], chunk_size=4000,
                              compression=outer))
    return raw, raw.index(inner), len(inner)


def exchanged(raw, size, first, second):
    """Two sectors in each other's place."""
    a, b = sorted((first * size, second * size))
    return raw[:a] + raw[b:b + size] + raw[a + size:b] + raw[a:a + size] \
        + raw[b + size:]


def is_honest(folder, raw, recorded, what):
    """Nothing of the carried file is in the output, and no loss is silent."""
    _, report, out = repair(folder, raw)
    kept = Counter(map(repr, judge.listing(out)))
    invented = (kept - recorded).total()
    check(what + ': nothing is invented',
          invented <= report['blocks']['unsure'],
          (invented, report['blocks'], report['state']))
    check(what + ': no loss in silence', not recorded - kept
          or report['state'] == 'lossy', report['state'])
    return out


def undeclared(dice, compression, bare):
    """(start, inner, where it is) of a log with damaged declarations, and which goes
    on with a log in a payload: an attachment, or a message after CDR and length."""
    inner = write(samples.recording(80, 4, dice.randrange(10 ** 6)), replace(
        STYLES['cpp'], chunk_size=700, compression=''))
    made = samples.recording(90, 1, dice.randrange(10 ** 6))
    made.events.insert(80, r.Message(
        1, 0, 5, 6, bytes((0, 1, 0, 0)) + len(inner).to_bytes(4, 'little')
        + inner) if bare else r.Attachment(
            5, 6, 'before.mcap', 'application/x-mcap', inner))
    raw = write(made, replace(STYLES['cpp'], compression=compression,
                              chunk_size=4000))
    at = raw.index(inner)
    declared = [c.start for c in judge.strict(raw).chunks if c.start < at]
    first = declared[0] + 60
    stop = (declared + [at])[1]
    return raw[:first] + dice.randbytes(stop - first - 400) \
        + raw[stop - 400:at], inner


def written(folder, raw):
    """Payloads of the output."""
    out = repair(folder, raw)[2]
    return Counter() if out is None else \
        Counter(m.data for m in judge.strict(out).messages)


def check_broken_off(folder, dice):
    """A log that keeps nothing, up to a place in what it carries."""
    for compression, bare in ('', False), ('lz4', False), ('', True):
        for _ in range(6):
            start, inner = undeclared(dice, compression, bare)
            what = 'breaks off in %s, %s' % (
                'a message' if bare else 'an attachment', compression)
            upto = dice.randrange(len(inner) // 3, len(inner) - 50)
            carried = Counter(m.data for m in judge.strict(inner).messages)
            got = written(folder, start + inner[:upto])
            check(what + ': nothing of what it carries', not got & carried,
                  (got & carried).total())
            # It broke off a little later, or earlier, and another one follows.
            for joined in (start + inner[:77] + inner, start[:-30] + inner):
                got = written(folder, joined)
                check(what + ': a log after it is one of its own',
                      got == carried, (got.total(), carried.total()))


def check_cut(folder, seed):
    """A log that ends at a place inside a message, one after another."""
    raw = write(samples.strange(120, seed), replace(
        STYLES['cpp'], chunk_size=9000, compression=''))
    recorded = Counter(map(repr, judge.listing(raw)))
    last = judge.strict(raw).data_end
    invented = {}
    for upto in range(last // 3, last, 97):
        _, report, out = repair(folder, raw[:upto])
        count = (Counter(map(repr, judge.listing(out))) - recorded).total()
        if count > report['blocks']['unsure']:
            invented[upto] = count
    check('cut, seed %d: nothing is invented' % seed, not invented, invented)


def main():
    """All places."""
    dice = random.Random(5)
    with tempfile.TemporaryDirectory() as name:
        check_broken_off(Path(name), dice)
        for seed in 1, 2:
            check_cut(Path(name), seed)
        for compression, outer in ('', 'lz4'), ('lz4', 'lz4'), ('', ''):
            raw, at, length = carrier(compression, outer)
            back = []
            stop = judge.strict(raw).data_end
            recorded = Counter(map(repr, judge.listing(raw)))
            for size in SECTORS:
                inside = range(at // size + 1, (at + length) // size)
                others = [n for n in range(1, stop // size)
                          if n not in inside]
                for n in dice.sample(others, min(len(others), 40)):
                    one = dice.choice(inside)
                    back.append(raw == is_honest(
                        Path(name), exchanged(raw, size, one, n), recorded,
                        'carried %s in %s, %d bytes: sectors %d and %d' % (
                            compression, outer, size, one, n)))
            # The attachment's checksum proves most exchanges.
            check('carried %s in %s: put back' % (compression, outer),
                  sum(back) >= .7 * len(back), (sum(back), len(back)))
    end()


main()

#!/usr/bin/python3
"""Are records of a file that an attachment or a message carries ever taken for the log's?

Sectors of the data are in each other's place, so that the inside of what carries another
file is without what encloses it: in the attachment, in chunks, and between them.  The
summary, which names all that is of the log, is there.

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


def main():
    """All places."""
    dice = random.Random(5)
    with tempfile.TemporaryDirectory() as name:
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

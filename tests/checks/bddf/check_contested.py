#!/usr/bin/python3
"""A block of a BDDF log and its entry in the index do not say the same.

A bit of a DataDescriptor or of an index entry is flipped, and no digest helps:
there is none, or a payload is damaged, too.  The index blocks may be damaged
elsewhere, so that none can be parsed, or the header after the block, so that the
block is left out at first.  Of every output

- a record that was never recorded is among those that the report counts as
  unsure, and no more than two records are
- a block whose bit an index entry contradicts is not called certain

but what explains the contradiction otherwise makes no record unsure: a block that
was cut out, so that those after it are elsewhere, or two that changed places.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import collections
import itertools
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from bddf_writer import NONE, SHA1, Log, field
    from tally import check, end
    bddf_trial.load()

BLOCKS = 48
VICTIM = 20  # the block that is hit, or its entry
OTHER = 5  # the one of which the payload is hit, too
SIZE = 40  # of each payload
HEAD = 12  # bytes of a block up to its DataDescriptor


def log(checksum, jumbled, extras):
    """A log, and its blocks in order: (offset, entry)."""
    random_ = random.Random(3)
    names = ['x', 'y'] if extras else []
    made = Log(checksum=checksum).declare(0, 'a', names).declare(1, 'b', names)
    blocks = []
    for number in range(BLOCKS):
        if jumbled:
            made.clock(random_.randrange(-30, 30))
        at, series = len(made.raw), number % 2
        made.data(series, random_.randbytes(SIZE),
                  [number * 3, -number] if extras else [])
        blocks.append((at, field(3, made.entries[series][-1])))
    return made.close(), blocks


def flips(raw, start, size):
    """(bit, the log with it flipped) for each bit of these bytes."""
    for bit in range(8 * size):
        bad = bytearray(raw)
        bad[start + bit // 8] ^= 1 << bit % 8
        yield bit, bytes(bad)


def cases(checksum, jumbled, extras, hit):
    """(name, log) of each damage, and the heads of the good one."""
    raw, blocks = log(checksum, jumbled, extras)
    heads = without_payload(bddf_trial.records(raw))
    bad = bytearray(raw)
    if checksum != NONE:
        bad[blocks[OTHER + 1][0] - 1] ^= 16
    for _, entry in blocks[OTHER:OTHER + 2] if hit == 'index' else ():
        bad[raw.index(entry) + 2] ^= 128
    if hit == 'next':
        bad[blocks[VICTIM + 1][0] + 2] ^= 0x5a
    raw = bytes(bad)
    at, entry = blocks[VICTIM]
    size = int.from_bytes(raw[at + HEAD - 4:at + HEAD], 'little')
    name = '%s%s%s%s-' % ('none' if checksum == NONE else 'sha1',
                          '-jumbled' * jumbled, '-extras' * extras,
                          hit and '-' + hit)
    assert raw.count(entry) == 1
    return [(name + 'block-%d' % bit, bad)
            for bit, bad in flips(raw, at + HEAD, size)] \
        + [(name + 'entry-%d' % bit, bad) for bit, bad in flips(
            raw, raw.index(entry), len(entry))], heads


def without_payload(records):
    """The same, whatever is in the payload."""
    out = collections.Counter()
    for record, n in records.items():
        out[record[:-1]] += n
    return out


def check_flips(folder, *kind):
    """All flips of a log; returns how many made a record unsure."""
    damaged, heads = cases(*kind)
    count = 0
    for result in bddf_trial.repair(folder, damaged, '--reseal'):
        unsure = result.report['blocks']['unsure']
        foreign = without_payload(result.records()) - heads
        count += unsure > 0
        check(result.name, sum(foreign.values()) <= unsure <= 2
              and (not unsure or result.report['state'] == 'lossy'),
              (result.report['state'], unsure, list(foreign)))
    return count


def elsewhere():
    """(name, log) where blocks of one size are not where the index has them."""
    for jumbled in False, True:
        raw, blocks = log(SHA1, jumbled, False)
        places = [at for at, _ in blocks]
        end = places[-1] + places[1] - places[0]
        for number in 1, VICTIM, BLOCKS - 2:
            yield 'cut-%d-%d' % (jumbled, number), \
                raw[:places[number]] + raw[places[number + 1]:]
        for one, two in (VICTIM, VICTIM + 2), (3, 40):
            order = list(range(BLOCKS))
            order[one], order[two] = two, one
            yield 'swapped-%d-%d' % (jumbled, one), raw[:places[0]] + b''.join(
                raw[places[n]:(places + [end])[n + 1]] for n in order) \
                + raw[end:]


def main():
    """All damage."""
    with tempfile.TemporaryDirectory() as folder:
        for checksum, other, hit in itertools.product(
                (SHA1, NONE), (False, True), ('', 'index', 'next')):
            check('some are unsure', check_flips(
                folder, checksum, other, other, hit))
        for result in bddf_trial.repair(folder, elsewhere(), '--reseal'):
            check(result.name, result.report['blocks']['unsure'] <= 1
                  * result.name.startswith('cut'), result.report['blocks'])
    end()


main()

#!/usr/bin/python3
"""Flipped bits in the identifier of a BDDF series, or in its hash.

The log has neither index nor digest.  A bit of the identifier or of the hash of a
declaration is flipped, or one of each.  Then the output has the declarations of the
good log, or they were lost and the report says so; a log that keeps a declaration
which contradicts itself counts the blocks of its series as unsure.

Random bytes over the hash, which nothing can correct, do that; where the hashes of
all series are of another kind, no block is unsure.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from bddf_reader import identifier_hash, read_file
    from bddf_writer import Log, identifier, varint
    from bddf_writer import identifier_hash as hash_of
    from tally import check, end
    bddf_trial.load()

NAMES = 'left', 'front', 'right', 'back'
HIT = 1  # the series that is damaged


def log(other=()):
    """A log that was never closed; of some series the hash is of another kind."""
    made = Log()
    for series, name in enumerate(NAMES):
        made.declare(series, name, made=hash_of(name + '!')
                     if series in other else None)
    for number in range(24):
        made.data(number % len(NAMES), b'payload %d' % number)
    return bytes(made.raw)


def places(raw):
    """(offset, size) of the identifier and of the hash of a series."""
    parts_ = identifier(NAMES[HIT]), varint(hash_of(NAMES[HIT]))
    assert all(raw.count(part) == 1 for part in parts_)
    return [(raw.index(part), len(part)) for part in parts_]


def flipped(raw, *bits):
    """The log with these bits flipped, numbered from its first one on."""
    bad = bytearray(raw)
    for bit in bits:
        bad[bit // 8] ^= 1 << bit % 8
    return bytes(bad)


def cases(raw):
    """(name, log) of each damage."""
    (ident, ident_size), (made, made_size) = places(raw)
    dice = random.Random(5)
    in_hash = range(8 * made, 8 * (made + made_size))
    for bit in range(8 * ident, 8 * (ident + ident_size)):
        yield 'identifier-%d' % bit, flipped(raw, bit)
        yield 'both-%d' % bit, flipped(raw, bit, dice.choice(in_hash))
    for bit in in_hash:
        yield 'hash-%d' % bit, flipped(raw, bit)


def declared(raw):
    """What each series is called, and the hash of it."""
    return {number: (one.series_identifier.series_type,
                     dict(one.series_identifier.spec), one.identifier_hash)
            for number, one in read_file(raw).series.items()}


def check_case(result, good):
    """What must hold of one; whether its declarations are right again."""
    now = declared(result.output)
    report, ids = result.report, {p['id'] for p in result.report['problems']}
    odd = [number for number, one in read_file(result.output).series.items()
           if identifier_hash(one.series_identifier) != one.identifier_hash]
    check(result.name, now == good or (
        'bddf.series-lost' in ids if not odd else odd == [HIT]
        and report['blocks']['unsure'] == 6 and report['state'] == 'lossy'),
          (now, report['state'], report['blocks'], ids))
    return now == good


def closed(folder, raw):
    """The declarations of the log, where nothing is damaged."""
    return next(declared(result.output) for result in bddf_trial.repair(
        folder, [('good', raw)]))


def main():
    """All damage."""
    with tempfile.TemporaryDirectory() as folder:
        raw = log()
        good = closed(folder, raw)
        damaged = list(cases(raw))
        right = sum(check_case(result, good)
                    for result in bddf_trial.repair(folder, damaged))
        check('half are right again', right > len(damaged) // 2,
              (right, len(damaged)))
        for result in bddf_trial.repair(folder, [
                ('one', log([HIT])), ('all', log(range(len(NAMES))))]):
            check(result.name, result.report['blocks']['unsure']
                  == 6 * (result.name == 'one'), result.report['blocks'])
    end()


main()

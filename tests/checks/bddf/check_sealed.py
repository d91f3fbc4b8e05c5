#!/usr/bin/python3
"""No BDDF log gets a digest over bytes that its own digest contradicts, unless
--reseal asks for it, and such a log says so itself.

One bit of a payload is flipped, which only the digest can tell, and the log is
damaged a second time: any bit of its structure, bytes inserted, appended or
missing, a block moved.  The footer with the digest stays as it is.  Then

- what is written is never called repaired
- without --reseal it is written only where a record or declaration is left out,
  and the log has the annotation salvor:digest
- --reseal writes the others, too, with all records and the annotation
- the annotations count the losses as the report does
- with --no-annotate no annotation is written

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import os
import random
import tempfile

from support.start import parts

with parts():
    import bddf_trial
    from bddf_writer import Log
    from tally import check, end
    bddf_trial.load()

BLOCKS = 40
SERIES = 3
FOOTER = 48  # bytes of an end block and of what precedes it in this log
MARK = 'salvor:digest'
SHORT = 7  # bits of the structure, one in so many
LONG = os.environ.get('SALVOR_LONG')


def made():
    """A sound log of a few series, and the bytes that are payload."""
    dice, log = random.Random(1), Log()
    for series in range(SERIES):
        log.declare(series, 'series-%d' % series)
    for number in range(BLOCKS):
        log.data(number % SERIES, dice.randbytes(40 + dice.randrange(200)))
    return log.close()


def payloads(raw):
    """(offset, end) of the payload of each block."""
    file = bddf_trial.bddf_reader.read_file(raw)
    return [(b.end - len(b.body), b.end) for b in file.of('data')]


def structure(raw, places):
    """The offsets that are neither payload nor footer."""
    inside = {at for start, stop in places for at in range(start, stop)}
    return [at for at in range(len(raw) - FOOTER) if at not in inside]


def flip(raw, bit):
    """One bit is another one."""
    out = bytearray(raw)
    out[bit // 8] ^= 1 << bit % 8
    return bytes(out)


def second(raw, places):
    """(name, log) of every second damage."""
    for number, at in enumerate(structure(raw, places)):
        for bit in range(8) if LONG else [(number * 5) % 8]:
            if LONG or number % SHORT == 0:
                yield 'bit-%d-%d' % (at, bit), flip(raw, at * 8 + bit)
    dice = random.Random(2)
    for start, stop in places[::6]:
        strange = dice.randbytes(30)
        yield 'inserted-%d' % stop, raw[:stop] + strange + raw[stop:]
        yield 'missing-%d' % start, raw[:start] + raw[start + 9:]
        yield 'hole-%d' % start, raw[:start - 9] + bytes(20) + raw[start + 11:]
    # Several blocks, of which the index says how many.
    for start, _ in places[2:-9:6]:
        yield 'wide-%d' % start, (
            raw[:start] + dice.randbytes(900) + raw[start + 900:])
    for (start, _), (_, stop) in zip(places[::6], places[1::6]):
        yield 'cut-%d' % start, raw[:start] + raw[stop:]
    yield 'appended', raw + dice.randbytes(50)
    yield 'zeros', raw + bytes(4096)


def cases(raw, places):
    """(name, log) with both damages: a payload's, and another."""
    dice = random.Random(3)
    for name, damaged in second(raw, places):
        # The last payload of all is before nothing that moves.
        start, stop = dice.choice(places)
        at = start + dice.randrange(stop - start)
        if damaged[at:at + 1] == raw[at:at + 1]:
            yield name, flip(damaged, at * 8 + dice.randrange(8))


def content(raw):
    """How many records there are, and the declarations."""
    file = bddf_trial.bddf_reader.read_file(raw)
    return (len(file.of('data')),
            [b.message.SerializeToString() for b in file.of('series')])


def judge(result, whole, asked):
    """What is wrong with one result; None: nothing."""
    report, output = result.report, result.output
    if report['state'] in ('repaired', 'intact'):
        return 'called ' + report['state']
    if output is None:
        if asked:
            return 'not written with --reseal'
        return None if report['needs'] == ['--reseal'] else 'no option helps'
    notes = dict(bddf_trial.bddf_reader.read_file(
        output).blocks[0].message.annotations)
    if notes.get(MARK) != 'contradicted':
        return 'not marked'
    if (notes['salvor:lost-blocks'] != str(report['blocks']['lost'])
            or notes['salvor:lost-bytes'] != str(report['bytes']['lost'])):
        return 'says otherwise than the report: %s' % notes
    if not asked and content(output) == whole:
        return 'sealed with all content'
    return None


def main():
    """All second damages, with --reseal and without."""
    raw = made()
    places = payloads(raw)
    both = list(cases(raw, places))
    check('many cases', len(both) > 100, len(both))
    with tempfile.TemporaryDirectory() as folder:
        refused = []
        for result in bddf_trial.repair(folder, both):
            fault = judge(result, content(raw), False)
            check('%s: %s' % (result.name, fault), not fault, result.report)
            if result.output is None:
                refused.append((result.name, result.damaged))
        check('many are refused', len(refused) * 3 > len(both),
              (len(refused), len(both)))
        for result in bddf_trial.repair(folder, refused, '--reseal'):
            fault = judge(result, content(raw), True)
            check('%s, resealed: %s' % (result.name, fault), not fault,
                  result.report)
        for result in bddf_trial.repair(folder, refused[:20], '--reseal',
                                        '--no-annotate'):
            check('%s: not annotated' % result.name,
                  result.output and MARK.encode() not in result.output, result.report)
    end()


if __name__ == '__main__':
    main()

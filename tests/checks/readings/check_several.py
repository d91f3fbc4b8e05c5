#!/usr/bin/python3
"""Several recordings in one file: logs of all formats, one after the other.

Two to four logs, whole or cut, with or without junk before, between and after
them.  Then

- each whole log is an output, byte for byte, of `repair --split`
- no finding calls a whole log junk
- the report names each log that is not the main one: format, place, length
- the first line says how many there are
- the main log is the one at the start of the file; where none starts there, the
  one that the name speaks for, else the most complete

Where both of two recordings of one format are cut, the output has the records of the
first that a repair of it alone gives back, and none of the second; unless there
are none of the first.

And what a payload carries is no other recording, also where it is lost.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import os
import collections
import itertools
import json
import pathlib
import random
import subprocess
import tempfile

from support.start import SALVOR, parts

with parts():
    import bag_samples
    import bddf_trial
    import bddf_writer
    import carla_writer
    import cyber_writer
    import log_repairs
    import rosrecord_writer
    from bag_writer import Connection, Message
    from tally import check, end
    bddf_trial.load()

os.environ['COLUMNS'] = '999'  # lines as long as they are

DIALECT = list(carla_writer.DIALECTS)[0]
JUNK = 1, 16, 300, 512, 4096, 65536
TRIPLES, QUADS = 60, 40
CUTS = 24  # of each format, where both are cut

Log = collections.namedtuple('Log', 'format suffix raw whole')
Case = collections.namedtuple('Case', 'name suffix pieces')


def rosrecord(seed):
    """A bag of version 1.2."""
    dice = random.Random(seed)
    conns = [Connection(n, '/topic%d' % n, 'a/T%d' % n, 'float32 x\n')
             for n in range(3)]
    return rosrecord_writer.write(conns, [
        Message(n % 3, 1250000000 + seed * 5000 + n, n,
                dice.randbytes(dice.choice((8, 100, 1500))))
        for n in range(40)])


MAKE = {
    'bddf': ('.bddf', lambda seed: bddf_writer.sample(
        random.Random(seed), 60, (0, 30, 900))),
    'rosbag': ('.bag', lambda seed: bag_samples.bag(
        60, 4, seed=seed, scale=.2, threshold=3 << 10,
        compression=(('none', 'lz4', 'bz2')[seed % 3],))),
    'cyber': ('.record', lambda seed: cyber_writer.write(
        *cyber_writer.drive(seed=seed, n_messages=40),
        cyber_writer.Shape(limit=9000))),
    'carla': ('.log', lambda seed: carla_writer.log(
        DIALECT, frames=20, seed=seed, actors=4, still=False)),
    'rosrecord': ('.bag', rosrecord),
}
SEEDS = 5
WHOLE = {(name, seed): Log(name, suffix, make(seed), True)
         for name, (suffix, make) in MAKE.items() for seed in range(1, SEEDS)}


def whole(name, seed):
    """A whole log."""
    return WHOLE[name, seed]


def cut(name, seed, dice):
    """One that was cut somewhere after its first records."""
    log = WHOLE[name, seed]
    upto = dice.randrange(len(log.raw) // 3, len(log.raw) - 200)
    return log._replace(raw=log.raw[:upto], whole=False)


def junk(dice, kind):
    """Bytes that are no log."""
    size = dice.choice(JUNK)
    if kind == 'zeros':
        return bytes(size)
    if kind == 'text':
        return (b'HTTP/1.1 206 Partial Content\r\nX: y\r\n\r\n' * 2000)[:size]
    return dice.randbytes(size)


def pick(dice, n, cuts):
    """n logs, each another; the last ones may be cut."""
    seeds = dice.sample(range(1, SEEDS), n)
    return [cut(name, seed, dice) if dice.random() < cuts
            else whole(name, seed)
            for name, seed in zip(dice.choices(list(MAKE), k=n), seeds)]


def between(dice, logs, often):
    """The logs with junk between them."""
    out = logs[:1]
    for log in logs[1:]:
        if dice.random() < often:
            out.append(junk(dice, dice.choice(('noise', 'zeros', 'text'))))
        out.append(log)
    return out


def label(pieces):
    """What a case is made of."""
    return ' + '.join(
        '%d' % len(p) if isinstance(p, bytes)
        else p.format + ('' if p.whole else ' cut at %d' % len(p.raw))
        for p in pieces)


def cases(dice):
    """All of them, but those with something before the first log."""
    for a, b in itertools.product(MAKE, MAKE):
        yield [whole(a, 1), whole(b, 2)]
        yield [cut(a, 1, dice), whole(b, 2)]
        yield [whole(a, 1), junk(dice, 'noise'), whole(b, 2)]
        yield [cut(a, 1, dice), junk(dice, 'zeros'), whole(b, 2)]
        yield [whole(a, 1), junk(dice, 'text'), cut(b, 2, dice)]
        yield [whole(a, 3), whole(b, 4), junk(dice, 'noise')]
    for n, times in ((3, TRIPLES), (4, QUADS)):
        for _ in range(times):
            yield between(dice, pick(dice, n, dice.choice((0, .3))), .5)


def raw_of(piece):
    """Its bytes."""
    return piece if isinstance(piece, bytes) else piece.raw


def repair(folder, names):
    """path -> report, of files that lie in a folder."""
    run = subprocess.run(
        [SALVOR, 'repair', '--split', '--json', '--no-sidecar', '--reseal',
         '--no-annotate', '-d', str(folder / 'out'), '--',
         *(str(folder / name) for name in names)],
        capture_output=True, check=False)
    return {line['file']: line
            for line in map(json.loads, run.stdout.splitlines())
            if line['type'] == 'file'}


def outputs(report):
    """place in the input -> the bytes of the output."""
    found = {}
    for at, it in [(None, report['output'])] + [
            (s['offset'], s['output']) for s in report['split']]:
        if it is not None:
            found[at] = pathlib.Path(it['path']).read_bytes()
    return found


def judge(name, pieces, report, main=0):
    """All that must hold of one; main: which piece the main log is."""
    at, places = 0, []
    for piece in pieces:
        places.append(at)
        at += len(raw_of(piece))
    out = outputs(report)
    for number, (piece, at) in enumerate(zip(pieces, places)):
        if isinstance(piece, bytes):
            continue
        stop = at + len(piece.raw)
        where = '%s: piece %d at %d' % (name, number, at)
        if number == main:
            check(where + ' is the main log', report['format'] == piece.format,
                  report['format'])
        else:
            named = [o for o in report.get('others', []) if o['offset'] == at]
            check(where + ' is named', len(named) == 1
                  and named[0]['format'] == piece.format
                  and named[0]['records'] > 0
                  and named[0]['length'] <= stop - at + 65536,
                  report.get('others', []))
        if piece.whole:
            mine = out.get(None if number == main else at)
            check(where + ' comes out', mine == piece.raw,
                  (None if mine is None else len(mine), len(piece.raw),
                   sorted((k or 0, len(v)) for k, v in out.items()),
                   [(p['id'], p['offset'], p['length'])
                    for p in report['problems']]))
        check(where + ' is no junk', not any(
            'junk' in p['id'] and p['offset'] < stop - 200
            and p['offset'] + p['length'] > at + 200
            for p in report['problems']), report['problems'])
    others = sum(not isinstance(p, bytes) for p in pieces) - 1
    check(name + ': as many others', len(report.get('others', [])) == others,
          [(o['format'], o['offset'], o['length'], o['records'])
           for o in report.get('others', [])])


def run(folder, files):
    """Judge (name, suffix, pieces, main)."""
    (folder / 'out').mkdir()
    names = []
    for number, (_, suffix, pieces, _) in enumerate(files):
        names.append('%d%s' % (number, suffix))
        (folder / names[-1]).write_bytes(b''.join(map(raw_of, pieces)))
    reports = repair(folder, names)
    for name, (title, _, pieces, main) in zip(names, files):
        judge('%s: %s' % (name, title), pieces, reports[str(folder / name)],
              main)


def concatenated():
    """All formats, in twos, threes and fours."""
    dice = random.Random(20)
    with tempfile.TemporaryDirectory() as scratch:
        run(pathlib.Path(scratch), [
            (label(pieces), pieces[0].suffix, pieces, 0)
            for pieces in cases(dice)])


# Where the record that is cut states an end at which, by chance, a record of the
# other log begins.
CHANCE = {'mcap bare': 1}


def both_cut():
    """Two recordings of one format, neither of which is whole."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, kind in enumerate(log_repairs.FORMATS):
            folder, dice = pathlib.Path(scratch) / str(number), random.Random(23)
            ends = [[dice.randrange(len(raw) // 3, len(raw) - 100)
                     for _ in range(CUTS)]
                    for raw in (kind.make(5), kind.make(6))]
            cuts = [[kind.make(5 + i)[:at] for at in ends[i]] for i in (0, 1)]
            alone = [log_repairs.repair(folder / str(i), kind.suffix, cuts[i])
                     for i in (0, 1)]
            both = log_repairs.repair(folder / 'both', kind.suffix,
                                      [a + b for a, b in zip(*cuts)])
            wrong = []
            for at, (_, one), (_, two), (report, out) in zip(
                    zip(*ends), *alone, both):
                want, more, got = (log_repairs.records(kind.read, raw)
                                   for raw in (one, two, out))
                if want and (want != got or len(report.get('others', []))
                             != bool(more)):
                    wrong.append((at, sum((want - got).values()),
                                  sum((got - want).values())))
            check('both cut, ' + kind.name,
                  len(wrong) <= CHANCE.get(kind.name, 0), (len(wrong), wrong))


def late():
    """No log starts at the beginning of the file."""
    dice, files = random.Random(21), []
    formats = [name for name in MAKE if name != 'rosrecord']
    for a, b in itertools.permutations(formats, 2):
        for size in 7, 512, 70000:
            pieces = [dice.randbytes(size), whole(a, 1), whole(b, 2)]
            for main in 1, 2:
                files.append((label(pieces), pieces[main].suffix, pieces,
                              main))
            most = max((1, 2), key=lambda i: len(pieces[i].raw))
            files.append((label(pieces), '.bin', pieces, most))
    with tempfile.TemporaryDirectory() as scratch:
        run(pathlib.Path(scratch), files)


def carried():
    """A log in a payload, which is lost or kept: no other recording."""
    inner = bddf_writer.sample(random.Random(9), 30, (0, 30, 90))
    dice = random.Random(22)
    conns = [Connection(0, '/carrier', 'a/T', 'uint8[] data\n')]
    bag = bag_samples.write(conns, [
        Message(0, 1700000000 + n, 0, inner if n == 20 else
                dice.randbytes(900)) for n in range(40)],
        bag_samples.Shape(compression=('none',), threshold=20 << 10))
    at = bag.index(inner)
    hit = bytearray(bag)
    hit[at - 60:at] = dice.randbytes(60)
    log = bddf_writer.Log().declare(0, 'a')
    outer = whole('rosbag', 1).raw
    for n in range(30):
        log.data(0, outer if n == 12 else dice.randbytes(500))
    bddf = bytes(log.close())
    at = bddf.index(outer)
    torn = bytearray(bddf)
    torn[at - 40:at] = dice.randbytes(40)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / 'out').mkdir()
        made = {'kept.bag': bag, 'lost.bag': bytes(hit), 'kept.bddf': bddf,
                'lost.bddf': bytes(torn)}
        for name, raw in made.items():
            (folder / name).write_bytes(raw)
        reports = repair(folder, made)
        for name in made:
            report = reports[str(folder / name)]
            check('carried, %s: no other log' % name, not report.get('others', []),
                  report.get('others', []))
            check('carried, %s: lost where it is lost' % name,
                  (report['bytes']['lost'] > 0) == name.startswith('lost'),
                  report['bytes'])


def doubtful():
    """Where not all that begins like a log can be read, nothing is called junk."""
    bag = whole('rosbag', 1).raw
    made = {
        'no-record.bddf': whole('bddf', 1).raw + bag + bag[:4200]
                          + whole('carla', 2).raw,
        'many.bddf': whole('bddf', 1).raw + b''.join(
            whole(name, seed).raw[:-300] for seed in range(2, SEEDS)
            for name in MAKE) * 30,
    }
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / 'out').mkdir()
        for name, raw in made.items():
            (folder / name).write_bytes(raw)
        for path, report in repair(folder, made).items():
            check('doubtful, %s: other logs' % path,
                  len(report.get('others', [])) > 1, report.get('others', []))
            check('doubtful, %s: no junk' % path, report['bytes']['filler'] < 16,
                  report['bytes'])


def first_line():
    """What is printed."""
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / 'two.bag'
        path.write_bytes(whole('rosbag', 1).raw + whole('bddf', 2).raw
                         + whole('carla', 3).raw)
        said = subprocess.run([SALVOR, 'verify', str(path)], check=False,
                              capture_output=True, text=True).stdout
        check('the second line says it', '; 2 other logs in the file (BDDF, '
              'CARLA recorder log)' in said.splitlines()[1], said)


def main():
    """All of it."""
    concatenated()
    both_cut()
    late()
    carried()
    doubtful()
    first_line()
    end()


if __name__ == '__main__':
    main()

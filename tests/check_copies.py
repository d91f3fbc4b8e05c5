#!/usr/bin/python3
"""A log that is in one file several times, each time damaged or cut: what one
copy lacks the others have.

Where every byte of the log is whole in some copy, in the same place of it, the
output has every record once, and nothing is called lost.  Where two copies have
different bytes and the format has no checksum, nobody can tell which are right:
the record is called unsure.  Elsewhere no record is there twice, and none is missing
that a copy alone gives back.  Another recording behind the copies is not taken
for one of them.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import collections
import json
import pathlib
import random
import subprocess
import tempfile

from support.start import SALVOR, parts

with parts():
    import bag_reader
    import bag_samples
    import bddf_trial
    import bddf_writer
    import carla_reader
    import carla_writer
    import cyber_reader
    import cyber_writer
    from tally import check, end
    bddf_trial.load()

PLACES = 8   # of each kind of damage
HOLE = 700   # bytes


def bag(how, seed=5):
    """Chunks that are compressed, or not."""
    return bag_samples.bag(100, 4, seed=seed, scale=.3, compression=(how,),
                           threshold=8 << 10)


def frames(raw):
    """The frames of a CARLA log."""
    return [repr(f.packets) for f in carla_reader.read(raw, gaps=True).frames]


FORMATS = [
    ('bddf', '.bddf', bddf_writer.sample(random.Random(1), 120, (8, 30, 900)),
     bddf_trial.records),
    *(('bag ' + how, '.bag', bag(how), lambda raw: bag_reader.read(raw).listing())
      for how in ('none', 'lz4', 'bz2')),
    ('cyber', '.record', cyber_writer.write(
        *cyber_writer.drive(seed=5, n_messages=60),
        cyber_writer.Shape(limit=9000)),
     lambda raw: cyber_reader.read(raw).messages),
    *(('carla ' + name, '.log', carla_writer.log(
        name, frames=40, seed=5, actors=6, still=False), frames)
      for name in list(carla_writer.DIALECTS)[::4]),
]


def whole_between_them(raw, dice):
    """(name, bytes): each byte of the log is whole in one of the copies."""
    for _ in range(PLACES):
        hole = dice.randrange(len(raw) // 3, len(raw) * 2 // 3)
        cut = dice.randrange(hole + HOLE + 8000, len(raw) + 1) \
            if hole + HOLE + 8000 < len(raw) else len(raw)
        yield 'cut at %d, then a hole at %d' % (cut, hole), \
            raw[:cut] + raw[:hole] + raw[hole + HOLE:]
        yield 'cut at %d, then a hit at %d' % (cut, hole), \
            raw[:cut] + raw[:hole] + dice.randbytes(HOLE) + raw[hole + HOLE:]
        yield 'hit at %d, then whole' % hole, \
            raw[:hole] + dice.randbytes(HOLE) + raw[hole + HOLE:] + raw


def cut_twice(raw, dice):
    """(name, the longer copy, bytes)."""
    for _ in range(PLACES):
        one, two = dice.randrange(len(raw) // 2, len(raw)), \
            dice.randrange(len(raw) // 4, len(raw))
        yield 'cut at %d and at %d' % (one, two), raw[:max(one, two)], \
            raw[:one] + raw[:two]


def repair(folder, suffix, files):
    """(report, output or None) of each."""
    paths = []
    for number, raw in enumerate(files):
        paths.append(folder / ('%d%s' % (number, suffix)))
        paths[-1].write_bytes(raw)
    out = folder / 'out'
    out.mkdir()
    run = subprocess.run(
        [SALVOR, 'repair', '--json', '--no-sidecar', '--no-annotate', '-d',
         str(out), '--', *map(str, paths)], capture_output=True, check=False)
    reports = {line['file']: line
               for line in map(json.loads, run.stdout.splitlines())
               if line['type'] == 'file'}
    return [(reports[str(path)], (out / path.name).read_bytes()
             if (out / path.name).exists() else None) for path in paths]


def records(read, raw):
    """The records, counted."""
    return collections.Counter(map(str, read(raw))) if raw else \
        collections.Counter()


def check_whole(folder, name, suffix, raw, read):
    """Nothing is lost."""
    todo, all_, wrong = list(whole_between_them(raw, random.Random(name))), \
        records(read, raw), []
    folder.mkdir()
    for (what, _), (report, output) in zip(
            todo, repair(folder, suffix, [bytes_ for _, bytes_ in todo])):
        got, blocks = records(read, output), report['blocks']
        unsure = what.find('hit') >= 0 and not suffix == '.bag' \
            and blocks['lost'] == 0 \
            and sum((got - all_).values()) <= blocks['unsure'] > 0
        if not unsure and (report['state'] != 'repaired' or got != all_):
            wrong.append((what, report['state'], report['blocks'],
                          sum((got - all_).values()),
                          sum((all_ - got).values())))
    check(name + ', whole between them', len(wrong) * 24 <= len(todo),
          (len(wrong), len(todo), wrong[:3]))
    check(name + ', nothing twice', all(x[3] == 0 for x in wrong), wrong)


def check_cut(folder, name, suffix, raw, read):
    """Nothing is there twice, nor missing that one copy has."""
    todo, wrong = list(cut_twice(raw, random.Random(name))), []
    for sub in 'alone', 'both':
        (folder / sub).mkdir(parents=True)
    alone = repair(folder / 'alone', suffix, [one for _, one, _ in todo])
    both = repair(folder / 'both', suffix, [bytes_ for _, _, bytes_ in todo])
    for (what, _, _), (_, one), (report, output) in zip(todo, alone, both):
        want, got = records(read, one), records(read, output)
        if got != want:
            wrong.append((what, report['state'], sum((got - want).values()),
                          sum((want - got).values())))
    check(name + ', cut twice', not wrong, (len(wrong), len(todo), wrong[:3]))


def check_other(folder):
    """A log of another recording is no copy."""
    one, other = bag('lz4'), bag('lz4', seed=6)
    hit = one[:9000] + bytes(300) + one[9300:]
    folder.mkdir()
    [(report, output)] = repair(folder, '.bag', [hit + other])
    check('another recording is no copy', report['bytes']['foreign'] > 0
          and not records(lambda raw: bag_reader.read(raw).listing(), output)
          - records(lambda raw: bag_reader.read(raw).listing(), one),
          report['bytes'])


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for number, (name, suffix, raw, read) in enumerate(FORMATS):
            check_whole(folder / ('w%d' % number), name, suffix, raw, read)
            check_cut(folder / ('c%d' % number), name, suffix, raw, read)
        check_other(folder / 'other')
    end()


main()

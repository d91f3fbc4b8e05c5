#!/usr/bin/python3
"""A download that broke off and was started again: the beginning of a log, once
or several times, and then all of it.

Each format is broken off at many places: where a record ends, beside that, and
anywhere.  Then

- the output is the log, byte for byte, and nothing is called lost, also where
  zeros precede the next beginning
- where the whole log is damaged, too, no more is missing than from the damaged
  log alone
- of a log that is whole and goes on with another of the same recording nothing
  is dropped: the beginnings differ

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

PLACES = 24  # at which each log is broken off


def bag(how):
    """Chunks that are compressed, or not."""
    return lambda: bag_samples.bag(100, 4, seed=5, scale=.3,
                                   compression=(how,), threshold=20 << 10)


def cyber():
    """Several chunks."""
    return cyber_writer.write(*cyber_writer.drive(seed=5, n_messages=40),
                              cyber_writer.Shape(limit=9000))


def carla(dialect):
    """Frames with actors."""
    return lambda: carla_writer.log(dialect, frames=30, seed=5, actors=6,
                                    still=False)


def frames(raw):
    """The frames of a CARLA log."""
    return [repr(f.packets) for f in carla_reader.read(raw, gaps=True).frames]


FORMATS = [
    ('bddf', '.bddf', lambda: bddf_writer.sample(
        random.Random(1), 100, (0, 30, 900)), bddf_trial.records),
    *(('bag ' + how, '.bag', bag(how),
       lambda raw: bag_reader.read(raw).listing())
      for how in ('none', 'lz4', 'bz2')),
    ('cyber', '.record', cyber, lambda raw: cyber_reader.read(raw).messages),
    *(('carla ' + name, '.log', carla(name), frames)
      for name in list(carla_writer.DIALECTS)[::4]),
]


def places(raw, dice):
    """Where downloads break off: anywhere, also within the first bytes."""
    return [1, 3, 5, 8, 13, 16, 17, 20, 63, 64, 200] + [dice.randrange(16, len(raw))
                                   for _ in range(PLACES)]


def cases(raw, dice):
    """(name, bytes, the log that is in them)."""
    for at in places(raw, dice):
        yield 'once at %d' % at, raw[:at] + raw, raw
    for _ in range(PLACES // 2):
        cuts = [dice.randrange(1, len(raw)) for _ in range(dice.choice((2, 3)))]
        yield 'at %s' % cuts, b''.join(raw[:at] for at in cuts) + raw, raw
        gap = bytes(dice.choice((1, 40, 512, 5000)))
        yield 'at %s, zeros' % cuts, b''.join(
            raw[:at] + gap for at in cuts) + raw, raw
    for _ in range(PLACES // 2):
        at, hit = dice.randrange(len(raw) // 4, len(raw)), dice.randrange(
            len(raw) // 3, len(raw) - 40)
        bad = raw[:hit] + dice.randbytes(40) + raw[hit + 40:]
        yield 'at %d, hit at %d' % (at, hit), raw[:min(at, hit)] + bad, bad


def repair(folder, suffix, files):
    """The report and the output, or None, of each."""
    paths = []
    for number, raw in enumerate(files):
        paths.append(folder / ('%d%s' % (number, suffix)))
        paths[-1].write_bytes(raw)
    out = folder / 'out'
    out.mkdir()
    run = subprocess.run(
        [SALVOR, 'repair', '--json', '--no-sidecar', '--reseal',
         '--no-annotate', '-d', str(out), '--', *map(str, paths)],
        capture_output=True, check=False)
    reports = {line['file']: line
               for line in map(json.loads, run.stdout.splitlines())
               if line['type'] == 'file'}
    return [(reports[str(path)], (out / path.name).read_bytes()
             if (out / path.name).exists() else None) for path in paths]


def one(folder, name, suffix, made, read):
    """All cases of a format."""
    raw, dice = made(), random.Random(name)
    todo = list(cases(raw, dice))
    (folder / 'alone').mkdir(parents=True)
    alone = repair(folder / 'alone', suffix, [bad for _, _, bad in todo])
    wrong = []
    for (what, _, bad), (_, plain), (report, output) in zip(
            todo, alone, repair(folder, suffix, [bytes_ for _, bytes_, _ in todo])):
        if bad == raw:
            good = output == raw and report['state'] == 'repaired' \
                and report['blocks']['lost'] == 0
        else:
            have = collections.Counter(read(output) if output else ())
            good = not collections.Counter(read(plain) if plain else ()) - have
        if not good:
            wrong.append((what, len(collections.Counter(read(plain) if plain else ()) - have) if bad != raw else 0, report['state'], report['blocks'],
                          [p['id'] for p in report['problems']][:4]))
    check(name, not wrong, (len(wrong), wrong[-3:]))


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, suffix, made, read) in enumerate(FORMATS):
            one(pathlib.Path(scratch) / str(number), name, suffix, made, read)
    end()


main()

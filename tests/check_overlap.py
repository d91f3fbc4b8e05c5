#!/usr/bin/python3
"""A copy that was resumed before the place at which it broke off: some bytes
are there twice.

Stretches longer than a record are repeated at many
places.  Then the output is the log, byte for byte, and nothing is called lost.
Formats in which two records can be equal have less to go by.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
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
    from tally import check, end
    bddf_trial.load()

PLACES = 12  # of each length
LENGTHS = 16, 100, 512, 3000, 4096, 20000


def bag(how):
    """Chunks that are compressed, or not."""
    return bag_samples.bag(100, 4, seed=5, scale=.3, compression=(how,),
                           threshold=20 << 10)


FORMATS = [
    ('bddf', '.bddf', bddf_writer.sample(random.Random(1), 120, (8, 30, 900))),
    *(('bag ' + how, '.bag', bag(how)) for how in ('none', 'lz4', 'bz2')),
    ('cyber', '.record', cyber_writer.write(
        *cyber_writer.drive(seed=5, n_messages=40),
        cyber_writer.Shape(limit=9000))),
    *(('carla ' + name, '.log', carla_writer.log(
        name, frames=40, seed=5, actors=6, still=False))
      for name in list(carla_writer.DIALECTS)[::4]),
]


def cases(raw, dice):
    """(where the copy broke off, how many bytes are there twice)."""
    for length in LENGTHS:
        for _ in range(PLACES):
            if length + 100 < len(raw):
                yield dice.randrange(length + 100, len(raw)), length


def main():
    """All formats."""
    for name, suffix, raw in FORMATS:
        with tempfile.TemporaryDirectory() as scratch:
            folder, paths = pathlib.Path(scratch), {}
            (folder / 'out').mkdir()
            for at, length in cases(raw, random.Random(name)):
                path = folder / ('%d-%d%s' % (at, length, suffix))
                path.write_bytes(raw[:at] + raw[at - length:])
                paths[str(path)] = folder / 'out' / path.name
            run = subprocess.run(
                [SALVOR, 'repair', '--json', '--no-sidecar', '-d',
                 str(folder / 'out'), '--', *paths], capture_output=True,
                check=False)
            wrong = []
            for report in map(json.loads, run.stdout.splitlines()):
                if report['type'] != 'file':
                    continue
                out = paths[report['file']]
                if report['state'] != 'repaired' or out.read_bytes() != raw:
                    wrong.append((out.name, report['state'],
                                  report['blocks'], report['bytes'],
                                  [p['id'] for p in report['problems']][:4]))
        check(name, not wrong, (len(wrong), len(paths), [w[0] for w in wrong]))
    end()


main()

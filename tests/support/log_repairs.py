"""A log of each format and dialect, how its records are read, and repairs of many
damaged ones at once.

For tests in which bytes are in the wrong place.  Environment: SALVOR is the
program, BDDF_PB2 the messages of proto/bddf.proto.
"""
import collections
import json
import os
import random
import subprocess

import bag_reader
import bag_samples
import bddf_trial
import bddf_writer
import carla_reader
import carla_writer
import cyber_reader
import cyber_writer
from mcap import judge as mcap_judge
from mcap import samples as mcap_samples

# make: the bytes of a log, by a seed; read: its records
Format = collections.namedtuple('Format', 'name suffix make read')


def bag(how):
    """Bags of several chunks that are compressed, or not."""
    return lambda seed: bag_samples.bag(
        100, 4, seed=seed, scale=.3, compression=(how,), threshold=8 << 10)


def cyber(seed):
    """A record of several chunks."""
    return cyber_writer.write(*cyber_writer.drive(seed=seed, n_messages=60),
                              cyber_writer.Shape(limit=9000))


def carla(dialect):
    """Logs of frames with actors."""
    return lambda seed: carla_writer.log(dialect, frames=40, seed=seed,
                                         actors=6, still=False)


def mcap(how, name="cpp", size=6000):
    """MCAP files of several chunks, or of none."""
    return lambda seed: mcap_samples.made(
        name, seed, n_messages=100, n_channels=4, chunk_size=size,
        compression=how)


def of_mcap(raw):
    """What an MCAP file has."""
    return [(*head, body) for head, body in mcap_judge.listing(raw)]


def frames(raw):
    """The frames of a CARLA log."""
    return [repr(f.packets) for f in carla_reader.read(raw, gaps=True).frames]


FORMATS = [
    Format('bddf', '.bddf', lambda seed: bddf_writer.sample(
        random.Random(seed), 120, (8, 30, 900)), bddf_trial.records),
    *(Format('bag ' + how, '.bag', bag(how),
             lambda raw: bag_reader.read(raw).listing())
      for how in ('none', 'lz4', 'bz2')),
    Format('cyber', '.record', cyber,
           lambda raw: cyber_reader.read(raw).messages),
    *(Format('mcap ' + name, '.mcap', make, of_mcap) for name, make in (
        ('none', mcap('')), ('lz4', mcap('lz4')), ('zstd', mcap('zstd', 'go')),
        ('bare', mcap('', 'fastwrite', 0)))),
    *(Format('carla ' + name, '.log', carla(name), frames)
      for name in list(carla_writer.DIALECTS)[::4]),
]


def records(read, raw):
    """The records of an output, counted; None has none."""
    return collections.Counter(map(str, read(raw)) if raw else ())


def repair(folder, suffix, files, *options):
    """(report, output or None) of a repair of each of these bytes."""
    folder.mkdir(parents=True)
    paths, out = [], folder / 'out'
    for number, raw in enumerate(files):
        paths.append(folder / ('%d%s' % (number, suffix)))
        paths[-1].write_bytes(raw)
    out.mkdir()
    run = subprocess.run(
        [os.environ['SALVOR'], 'repair', '--json', '--no-sidecar',
         '--no-annotate', *options, '-d', str(out), '--', *map(str, paths)],
        capture_output=True, check=False)
    reports = {line['file']: line
               for line in map(json.loads, run.stdout.splitlines())
               if line['type'] == 'file'}
    return [(reports[str(path)], (out / path.name).read_bytes()
             if (out / path.name).exists() else None) for path in paths]

#!/usr/bin/python3
"""A record that may not be what was recorded is counted as unsure, and what is
written says so.

Where zeros that were never written follow a record that ends in zeros, some of
them may be its own.  The last record of a log of each format is cut by up to 18
bytes, recorded with and without zeros at its end, and zeros follow.  Then

- a record of the output that was never recorded is among those that the report
  calls unsure
- with an unsure one the log is lossy, and the totals of the run count it
- `verify` of the output says how many there were: by the report beside it, and
  where that is missing by the annotation in a BDDF log
- --no-annotate writes no annotation, and warns

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import collections
import json
import os
import pathlib
import subprocess
import tempfile

from support.start import SALVOR, parts

with parts():
    import bag_reader
    import bag_samples
    import bag_writer
    import bddf_trial
    import cyber_reader
    import cyber_writer
    from bddf_writer import Log
    from tally import check, end
    bddf_trial.load()

LACKS = 0, 1, 2, 3, 7, 14, 15, 16, 18  # bytes of the last record
OWN = 0, 3, 15, 18  # zeros that it ends in
TAILS = 40, 200, 700, 4096  # zeros after it
PAD = 0, 7  # so that it ends in other places of a sector
UNSURE = 'salvor:unsure-blocks'


def body(own, pad):
    """The last payload."""
    return b'\x5a' * (60 + pad) + bytes(own)


def bddf(own, pad):
    """A log without an index."""
    log = Log().declare(0, 'a')
    for number in range(4):
        log.data(0, b'payload %d' % number)
    return bytes(log.data(0, body(own, pad)).raw)


def bag(own, pad):
    """A bag that ends in its last chunk."""
    connections, messages = bag_samples.recording(12, 2, 3, .1)
    messages[-1] = messages[-1]._replace(payload=body(own, pad))
    return bag_writer.write(connections, messages,
                            bag_writer.Shape(ending='open'))


def cyber(own, pad):
    """A record of two chunks that was never closed."""
    channels, messages = cyber_writer.drive(seed=12, n_messages=12)
    messages[-1] = messages[-1]._replace(content=body(own, pad))
    return cyber_writer.write(channels, messages, cyber_writer.Shape(
        limit=5000, closed=False, indexed=False))


FORMATS = {'bddf': (bddf, bddf_trial.records),
           'bag': (bag, lambda raw: bag_reader.read(raw).listing()),
           'record': (cyber, lambda raw: cyber_reader.read(raw).messages)}


def call(*args):
    """Run salvor; the files of its report by path, and the totals."""
    run = subprocess.run([SALVOR, *map(str, args)], capture_output=True,
                         check=False)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return ({line['file']: line for line in lines if line['type'] == 'file'},
            next((line for line in lines if line['type'] == 'totals'), None))


def closed(folder, name, raw):
    """What was recorded: the log, repaired by hand where nothing is wrong."""
    path = folder / ('good.' + name)
    path.write_bytes(raw)
    report = call('repair', '--json', '--no-sidecar', '-d', folder / 'whole',
                  path)[0][str(path)]
    assert report['blocks']['unsure'] == 0 and report['state'] == 'repaired', \
        report
    return collections.Counter(FORMATS[name][1](
        (folder / 'whole' / path.name).read_bytes()))


def damaged(raw):
    """(name, bytes): the log with fewer bytes, and zeros after them."""
    for lack in LACKS:
        for tail in TAILS:
            yield '%d-%d' % (lack, tail), raw[:len(raw) - lack] + bytes(tail)


def judge(what, recorded, report, output, read):
    """What must hold of one; the number of unsure records."""
    unsure = report['blocks']['unsure']
    if output is not None:
        foreign = sum((collections.Counter(read(output))
                       - recorded).values())
        check(what + ': what is foreign is unsure', foreign <= unsure,
              (foreign, unsure, report['state']))
    check(what + ': unsure is lossy',
          unsure == 0 or report['state'] == 'lossy', report['state'])
    return unsure


def judge_again(folder, paths, counts, key):
    """`verify` knows how many there were."""
    reports = call('verify', '--json', '--', *paths)[0]
    for path in paths:
        history = reports[str(path)]['history'] or {'unsure_blocks': 0}
        check('%s, %s: told later' % (path.name, key),
              history['unsure_blocks'] == counts[path],
              (reports[str(path)]['history'], counts[path]))


def one_log(folder, name, own, pad):
    """All damages of one log; how many had unsure records."""
    make, read = FORMATS[name]
    raw = make(own, pad)
    for each in '', 'whole', 'out', 'plain':
        (folder / each).mkdir()
    recorded = closed(folder, name, raw)
    paths = []
    for number, (case, bad) in enumerate(damaged(raw)):
        paths.append(folder / ('%d-%s.%s' % (number, case, name)))
        paths[-1].write_bytes(bad)
    reports, totals = call('repair', '--json', '-d', folder / 'out', '--',
                           *paths)
    counts = {}
    for path in paths:
        out = folder / 'out' / path.name
        output = out.read_bytes() if out.exists() else None
        counts[out] = judge('%s, own %d, pad %d, %s' % (
            name, own, pad, path.name), recorded, reports[str(path)], output,
            read)
    check('%s, own %d: the totals' % (name, own),
          totals['unsure'] == sum(counts.values()), totals)
    outs = [out for out in counts if out.exists()]
    judge_again(folder, outs, counts, 'by the report')
    for out in outs:
        sidecar = pathlib.Path(str(out) + '.salvor.json')
        if sidecar.exists():
            sidecar.unlink()
    if name == 'bddf':
        judge_again(folder, outs, counts, 'by the log itself')
        run = subprocess.run([SALVOR, 'repair', '--no-annotate', '-d',
                              str(folder / 'plain'), '--', *map(str, paths)],
                             capture_output=True, text=True, check=False)
        check('%s, own %d: a warning for each' % (name, own),
              run.stdout.count('warning: not annotated')
              == sum(map(bool, counts.values())), run.stdout)
        check('%s, own %d: --no-annotate' % (name, own), not any(
            UNSURE.encode() in path.read_bytes()
            for path in (folder / 'plain').iterdir()))
    return sum(map(bool, counts.values()))


def main():
    """Of each format, logs that end in zeros and others."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in FORMATS:
            found = sum(one_log(
                pathlib.Path(scratch) / ('%s-%d-%d' % (name, own, pad)), name,
                own, pad) for own in OWN for pad in PAD)
            check(name + ': some are unsure', found > 0)
    end()


main()

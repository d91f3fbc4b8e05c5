#!/usr/bin/python3
"""A repair is the last one: whatever was wrong with a log, another run of salvor
finds nothing wrong with the output.

Logs of each format are damaged at random: cut, overwritten, with ranges removed,
inserted, doubled and moved, single bits, and several of these; and where it hurts
most, in the heads of records, of many records at once.  Of each output

- `verify` says that it is intact
- `repair` leaves it as it is, byte for byte

A sample of cases, or many with SALVOR_LONG=1.  For others: check_again.py FORMAT
CASES [SORT], where CASES is how many logs of each sort there are.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto, SALVOR_KEEP a folder for logs that fail.
"""
import importlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from support.start import SALVOR, parts

with parts():
    import random_damage
    from tally import check, end
    MODULES = {name: importlib.import_module(name + '_campaign')
               for name in ('bddf', 'bag', 'cyber', 'carla')}

# Logs of thousands of records take too long, and lack no more than others.
LARGE = {'small', 'small-open', 'many', 'many-open', 'channels', 'crowd'}
HURTS = 4  # times of each log in which it hurts most
SAMPLE = 1  # of each sort of log
# Numbers of logs of which the output of a repair was damaged once.
FOUND = {('carla', 'long'): (2, 12, 27), ('carla', 'nobody'): (109, 117),
         ('carla', 'short'): (108,)}
LONG = 40
PATIENCE = 600  # seconds for the logs of a row


def run(*args):
    """The reports of a run, by the names of the files."""
    done = subprocess.run([SALVOR, *args], capture_output=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=PATIENCE)
    reports = map(json.loads, done.stdout.splitlines())
    return done.returncode, {
        pathlib.Path(report['file']).name: report for report in reports
        if report.get('type') == 'file'}


def alike(parts_, rng):
    """Some of the parts, or many that have the same first byte."""
    if rng.random() < .7:
        return rng.choices(parts_, k=rng.choice((1, 2, 3, 5, 8, 15)))
    one, share = rng.choice(parts_)[2], rng.choice((.2, .3, .5, .8))
    return [p for p in parts_ if p[2] == one and rng.random() < share]


def heads(raw, parts_, rng):
    """Parts begin with other bytes: what the first one says is a type in some
    formats, and a length in others, or the first of one."""
    raw = bytearray(raw)
    for start, end, first in alike(parts_, rng):
        other = rng.choice(parts_)[0]
        raw[start:min(end, start + 5)] = rng.choice((
            bytes([first ^ 1 << rng.randrange(8)]) + raw[start + 1:start + 5],
            bytes([rng.randrange(256)]) + raw[start + 1:start + 5],
            raw[start:start + 1] + bytes([rng.randrange(256)])
            + raw[start + 2:start + 5],
            raw[start:start + 1] + bytes(4), raw[other:other + 5]))[
                :min(5, end - start)]
    return bytes(raw)


def pieces(raw, parts_, rng):
    """Whole parts are gone, or there twice, and heads are wrong."""
    if rng.random() < .7:
        raw = heads(raw, parts_, rng)
    for start, end, _ in sorted(alike(parts_, rng), reverse=True):
        raw = raw[:start] + raw[end:] if rng.random() < .7 \
            else raw[:end] + raw[start:]
    return raw


def parts_of(good, module):
    """(start, end, first byte) of what a log is made of."""
    spans = module.parts(good) if hasattr(module, 'parts') else [
        r.span for r in good.records]
    return [(*span, good.raw[span[0]]) for span in sorted(set(spans))]


def damaged_logs(sort, module, numbers):
    """{name: bytes}: logs of one sort, with every kind of damage."""
    for number in numbers:
        rng = random.Random('again/%s/%d' % (sort, number))
        good = module.SORTS[sort](rng)
        for kind in random_damage.KINDS:
            damage = random_damage.Damage(good.raw)
            kind(damage, rng)
            yield '%s-%s-%d%s' % (sort, kind.__name__, number,
                                  module.SUFFIX), damage.raw()
        for kind in (heads, pieces) * HURTS:
            yield '%s-%s-%d-%d%s' % (
                sort, kind.__name__, number, rng.randrange(10 ** 6),
                module.SUFFIX), kind(good.raw, parts_of(good, module), rng)


def judge(folder, name, reports):
    """What is wrong with an output, after two more runs; '': nothing."""
    first, again = (r.get(name) for r in reports)
    if first is None or again is None:
        return 'no report'
    if first['state'] != 'intact':
        return 'verify: %s %s' % (first['state'], [
            p['id'] for p in first['problems']])
    if again['state'] != 'intact':
        return 'repair: %s' % again['state']
    copy = folder / 'again' / name
    if copy.exists() and copy.read_bytes() != (folder / 'out'
                                               / name).read_bytes():
        return 'the second repair changed it'
    return ''


def keep(name, raw):
    """Save a log that failed, where wanted."""
    where = os.environ.get('SALVOR_KEEP')
    if where:
        os.makedirs(where, exist_ok=True)
        (pathlib.Path(where) / name).write_bytes(raw)


def check_sort(folder, name, sort, count):
    """All kinds of damage to one sort of logs."""
    module = MODULES[name]
    numbers = {*range(count), *FOUND.get((name, sort), ())}
    logs = dict(damaged_logs(sort, module, sorted(numbers)))
    for place in 'in', 'out', 'again':
        (folder / place).mkdir(parents=True)
    for log, raw in logs.items():
        (folder / 'in' / log).write_bytes(raw)
    options = '--json', '--no-sidecar', *module.OPTIONS
    _, done = run('repair', *options, '-d', folder / 'out', '--',
                  *(folder / 'in' / log for log in logs))
    outs = [log for log in logs if (folder / 'out' / log).exists()]
    paths = [folder / 'out' / log for log in outs]
    code, seen = run('verify', '--json', '--', *paths)
    _, again = run('repair', *options, '-d', folder / 'again', '--', *paths)
    wrong = [(log, 'no output: %s' % done.get(log, {}).get('error'))
             for log in logs if done.get(log, {'error': 'no report'})['error']]
    wrong += [(log, text) for log in outs
              for text in [judge(folder, log, (seen, again))] if text]
    for log, _ in wrong:
        keep(log, logs[log])
    check('%s: %s: %d outputs are clean' % (name, sort, len(outs)),
          not wrong and code == 0 and outs, (code, wrong))
    return len(logs), len(outs)


def main():
    """All formats, or the one that is named."""
    count = LONG if os.environ.get('SALVOR_LONG') else SAMPLE
    names = sys.argv[1:2] or list(MODULES)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else count
    sums = [0, 0]
    with tempfile.TemporaryDirectory() as top:
        for name in names:
            for sort in sys.argv[3:] or sorted(
                    set(MODULES[name].SORTS) - LARGE):
                folder = pathlib.Path(top) / name / sort
                for i, n in enumerate(check_sort(folder, name, sort, count)):
                    sums[i] += n
    check('logs were repaired', sums[1] * 2 > sums[0], sums)
    print('%d logs, %d outputs' % tuple(sums))
    end()


main()

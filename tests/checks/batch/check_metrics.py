#!/usr/bin/python3
"""Metrics for Prometheus say what the reports say, and replace only metrics.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import os
import re
import shutil

from support.start import TOP, parts

with parts():
    import shell
    from tally import check, end

STATES = '''intact indexed repaired lossy damaged unrecoverable unrecognised
    unsupported active cancelled failed'''.split()
VALUE = re.compile(r'salvor_([a-z_]+)(?:\{(.*)\})? (\d+)')
LOGS = 'bddf/bad-cut-patrol.bddf', 'bddf/good-patrol.bddf', \
    'rosbag/bad-chunk-lz4-bit.bag', 'cyber/good-lite.record'
TROUBLE, USAGE = 8, 16


def run(*args):
    """Run it, on a day that is known."""
    return shell.run(*args, env=dict(os.environ, SOURCE_DATE_EPOCH='1234567'))


def read(path):
    """The values of a file, by name and labels; each line has its form."""
    values, name, of_name = {}, None, set()
    with open(path, encoding='ascii') as f:
        text = f.read()
    check('the last line is complete', text.endswith('\n'))
    for line in text.splitlines():
        if line.startswith('# HELP '):
            name = line.split()[2]
            check(name + ' is there once', name not in of_name)
            of_name.add(name)
            continue
        if line.startswith('#'):
            check('type of ' + name, line == '# TYPE %s gauge' % name, line)
            continue
        match = VALUE.fullmatch(line)
        check('a value of its metric', match
              and 'salvor_' + match.group(1) == name, line)
        labels = dict(re.findall(r'(\w+)="([^"]*)"', match.group(2) or ''))
        key = match.group(1), labels.get('format'), labels.get('state')
        check('a value once', key not in values, key)
        values[key] = int(match.group(3))
    return values


def compare(what, values, reports, given):
    """The values are the sums over the reports."""
    want = {}
    for one in reports:
        of = one.get('format') or ''
        for state in STATES:
            want.setdefault(('logs', of, state), 0)
        want['logs', of, one.get('state') or 'failed'] += 1
        for name, number in (('lost_bytes', one['bytes']['lost']),
                             ('read_bytes', one['size']),
                             ('findings', one['problems_total'])):
            want[name, of, None] = want.get((name, of, None), 0) + number
    check(what + ': sums', {key: value for key, value in values.items()
                            if key in want} == want, (values, want))
    check(what + ': no other logs', {key for key in values if key[0] == 'logs'}
          == {key for key in want if key[0] == 'logs'}, values)
    check(what + ': undone', values['undone_logs', None, None] == given - len(
        reports), values)
    check(what + ': when', values['run_timestamp_seconds', None, None]
          == 1234567, values)


def main():
    """Runs of each kind."""
    for log in LOGS:
        os.makedirs('in', exist_ok=True)
        shutil.copy(os.path.join(TOP, 'testdata', log), 'in')
    with open('in/none.bag', 'wb') as f:
        f.write(b'no log at all')
    names = sorted('in/' + name for name in os.listdir('in'))
    for args in (['verify', *names], ['verify', '-r', 'in'], ['info', *names],
                 ['verify', '-r', '-j', '2', 'in'],
                 ['verify', '-r', '--journal=j', 'in'],
                 ['verify', '-r', '--journal=j', 'in'],
                 ['repair', '-n', *names], ['verify', '-q', names[0]]):
        done = run(*args, '--metrics=m', '--report=r')
        with open('r', encoding='utf-8') as f:
            reports = [one for one in map(json.loads, f)
                       if one['type'] == 'file']
        check('%s: there are reports' % args, reports, done)
        compare(' '.join(args[:3]), read('m'), reports, len(reports))
    once = open('m', 'rb').read()
    run('verify', '-q', names[0], '--metrics=m')
    check('the same again', open('m', 'rb').read() == once)
    os.mkdir('empty')
    run('verify', '-r', 'empty', '--allow-empty', '--metrics=m')
    check('no log at all', read('m')['logs', '', 'damaged'] == 0)
    with open('mine', 'w', encoding='ascii') as f:
        f.write('# HELP node_load Mine.\n')
    done = run('verify', '--metrics=mine', names[0])
    check('another file stays', done.returncode == TROUBLE
          and open('mine', encoding='ascii').read().startswith('# HELP node_'),
          done)
    done = run('verify', '--metrics=r', '--report=r', names[0])
    check('not two in one', done.returncode == USAGE, done)
    check('nothing is left', not [name for name in os.listdir('.')
                                  if name.startswith('.salvor-')])
    end()


shell.in_empty_folder(main)

#!/usr/bin/python3
"""How a result looks on the terminal, over all of testdata.

- A line is wider than the terminal only where it is one word, or a command that
  somebody copies; COLUMNS counts, then what the terminal says, then 80.
- Without -v a file takes at most eight lines of 80 columns, the next command
  included, the first two say what it is and how much is kept, and what is left
  out is counted.
- The costliest findings come first: by the bytes that are lost, then by what is
  in doubt, then by severity.
- With -v nothing is left out.  Numbers have their digits in groups.
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

TOP = pathlib.Path(os.environ.get('SALVOR_SRCDIR', '.')).resolve()
SALVOR = os.path.abspath(os.environ.get('SALVOR', './salvor'))
LINES = 8
FINDINGS = 6
RISKS = ('none', 'description', 'unproven', 'lost')
SEVERITIES = ('note', 'warning', 'error')

sys.path.insert(0, str(TOP / 'tests' / 'support'))
from tally import check, end  # noqa: E402


def run(*args, columns=80):
    """What people see."""
    env = {**os.environ, 'LC_ALL': 'C', 'COLUMNS': str(columns)}
    done = subprocess.run([SALVOR, *args], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return done.stdout.decode(errors='replace')


def objects(*args):
    """What programs see."""
    done = subprocess.run([SALVOR, *args, '--json'], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def logs():
    """Links with short names to all logs: a long name takes lines of its own."""
    for number, path in enumerate(sorted((TOP / 'testdata').glob('*/*-*.*'))):
        name = '%d%s' % (number, path.suffix)
        os.symlink(path, name)
        yield name


def parts(text):
    """The lines of each file."""
    found = {}
    name = None
    for line in text.splitlines():
        begin = re.match(r'([0-9]+\.[a-z]+)(: |$)', line)
        if begin:
            name = begin.group(1)
        elif line.startswith(('next: ', 'salvor: ')):
            name = None
        if name is not None:
            found.setdefault(name, []).append(line)
    return found


def is_command(line):
    """A command is never broken, so that it can be copied."""
    return line.startswith(('next: salvor', 'salvor repair', 'salvor undo',
                            'salvor explain'))


def widths(names):
    """No line is too wide."""
    for width in (40, 80, 132):
        for args in (['verify'], ['verify', '-v'], ['info'], ['repair', '-n'],
                     ['repair', '-n', '-v']):
            wide = [line for line in run(*args, *names,
                                         columns=width).splitlines()
                    if len(line) > width and len(line.split()) > 1
                    and not is_command(line)]
            check('%d columns: %s' % (width, ' '.join(args)), not wide,
                  wide[:3])


def cost(problem, risks):
    """Larger is costlier."""
    risk = risks[problem['id']]
    lost = 0
    if problem['remedy'] in ('refuse', 'reseal'):
        lost = float('inf')
    elif risk == 'lost':
        lost = max(problem['length'], 1)
    return (lost, RISKS.index(risk), SEVERITIES.index(problem['severity']),
            -problem['offset'])


def shown(lines):
    """The findings' ids, in order, and how many more there are."""
    ids = re.findall(r' \[([a-z0-9]+\.[a-z0-9-]+)\]$', '\n'.join(lines), re.M)
    more = re.search(r'^  and ([0-9,]+) more findings?: -v$', '\n'.join(lines),
                     re.M)
    return ids, int(more.group(1).replace(',', '')) if more else 0


def brief(names, risks):
    """Eight lines, and what is in them."""
    for args in (['verify'], ['repair', '-n']):
        page = parts(run(*args, *names))
        for report in objects(*args, *names):
            if report['type'] != 'file':
                continue
            name, lines = report['file'], page[report['file']]
            what = '%s %s: ' % (args[0], name)
            next_one = args[0] == 'verify' and report['state'] == 'damaged'
            check(what + 'lines', len(lines) + next_one <= LINES, lines)
            if report['format'] and report['blocks']['lost'] > 0:
                check(what + 'the share is in line two',
                      lines[1].startswith('  keeps '), lines)
            ids, more = shown(lines)
            want = sorted(report['problems'], reverse=True,
                          key=lambda p: cost(p, risks))
            check(what + 'the costliest first', len(ids) <= FINDINGS
                  and ids == [p['id'] for p in want[:len(ids)]],
                  (ids, [p['id'] for p in want]))
            check(what + 'all are counted',
                  len(ids) + more == report['problems_total'], lines)


def details(names):
    """Everything, each offset once, and no long number without groups."""
    text = run('verify', '-v', *names, columns=400)
    page = parts(text)
    for report in objects('verify', *names):
        if report['type'] != 'file':
            continue
        lines = page[report['file']]
        ids, more = shown(lines)
        check(report['file'] + ': -v shows all', more == 0
              and ids == [p['id'] for p in report['problems']], ids)
    text = re.sub(r'ask for \d+-\d*', '', text)
    check('digits have groups', not re.search(r'(?<![\w.,])\d{5,}\b', text),
          re.findall(r'.*(?<![\w.,])\d{5,}\b.*', text)[:3])


def on_terminal(width, columns, log):
    """The longest line on a terminal that is so wide."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('4H', 24, width, 0, 0))
    env = {**os.environ, 'LC_ALL': 'C', 'TERM': 'dumb'}
    env.pop('COLUMNS', None)
    if columns is not None:
        env['COLUMNS'] = columns
    with subprocess.Popen([SALVOR, 'info', log], env=env, stdout=slave,
                          stderr=slave, stdin=subprocess.DEVNULL) as process:
        os.close(slave)
        text = b''
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
        process.wait()
    os.close(master)
    return max(len(line) for line in text.decode().splitlines())


def terminals():
    """Who says how wide it is."""
    log = str(TOP / 'testdata' / 'rosbag' / 'good-drive-lz4.bag')
    os.symlink(log, 'drive.bag')
    wide = on_terminal(1000, None, 'drive.bag')
    check('the table is wide', 80 < wide < 132, wide)
    for width, columns, most in ((60, None, 60), (60, '90', 90), (0, None, 80),
                                 (60, 'many', 60), (60, '-1', 60),
                                 (0, '5', 80), (0, '99999999', 80)):
        got = on_terminal(width, columns, 'drive.bag')
        check('%s, COLUMNS=%s' % (width, columns), most - 20 < got <= most,
              got)


def main():
    """All of it."""
    risks = {row['id']: row['risk'] for row in objects('explain')}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        names = list(logs())
        check('there are logs', len(names) > 300, len(names))
        widths(names)
        brief(names, risks)
        details(names)
        terminals()
        os.chdir(TOP)


main()
end()

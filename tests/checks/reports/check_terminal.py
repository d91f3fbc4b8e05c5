#!/usr/bin/python3
"""What salvor does on a terminal: colour, progress, and what it refuses.

The terminal is a pty; what arrives there is also run through a small model of
a terminal, so that a line that is redrawn must be gone from the screen in the
end.
"""
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOP = os.environ.get('SALVOR_SRCDIR', '.')
SALVOR = os.environ.get('SALVOR', './salvor')
DATA = os.path.join(TOP, 'testdata', 'bddf')
TINY = os.path.join(DATA, 'good-tiny.bddf')
PATROL = os.path.join(DATA, 'good-patrol.bddf')
BATCH = 120      # logs in a run that is stopped on its way
PATIENCE = 1.25  # seconds that it stands still: longer than ours
STRIDE = 3.3    # ... and between two lines that stay

sys.path.insert(0, os.path.join(TOP, 'tests', 'support'))
from tally import check, end  # noqa: E402


def environment(**changes):
    env = {**os.environ, 'TERM': 'xterm', 'LC_ALL': 'C', 'COLUMNS': '400',
           **changes}
    return {k: v for k, v in env.items() if v is not None}


def read_all(fd):
    """Everything up to the end, which a pty reports as an error."""
    parts = []
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    return b''.join(parts)


def on_pty(args, env, during=None, streams='both', cwd=None):
    """Run salvor with standard output or error or both on a terminal; returns
    (exit code, what came there, what came to the other stream)."""
    master, slave = pty.openpty()
    other_read, other_write = os.pipe()
    process = subprocess.Popen(
        [os.path.abspath(SALVOR)] + args, env=env, cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=slave if streams in ('both', 'out') else other_write,
        stderr=slave if streams in ('both', 'err') else other_write)
    os.close(slave)
    os.close(other_write)
    head = during(process, master, other_read) if during else b''
    if streams == 'err':
        # The terminal holds few lines; what is long is on the other side.
        other = head + read_all(other_read)
        seen = read_all(master)
    else:
        seen = head + read_all(master)
        other = read_all(other_read)
    os.close(master)
    os.close(other_read)
    return process.wait(), seen.decode(), other.decode(errors='replace')


def screen(text):
    """The lines that are left on a terminal that is wide enough."""
    lines, row, column = [''], 0, 0
    for part in re.findall(r'\x1b\[[?0-9;]*[a-zA-Z]|.', text, re.S):
        if part == '\r':
            column = 0
        elif part == '\n':
            row += 1
            lines.append('')
        elif part == '\x1b[K':
            lines[row] = lines[row][:column]
        elif part[0] != '\x1b':
            line = lines[row].ljust(column)
            lines[row] = line[:column] + part + line[column + 1:]
            column += 1
    return lines


def stop_on_the_way(*signals, seconds=PATIENCE):
    """Let the program stand still once it has printed something; meanwhile
    the signals arrive."""
    def during(process, master, other):
        head = os.read(master, 65536)
        process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        for number in signals:
            process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        return head
    return during


def colour():
    green = '\x1b[32mintact\x1b[0m'
    plain = environment(NO_COLOR=None)
    code, seen, _ = on_pty(['verify', TINY], plain)
    check('coloured on a terminal', code == 0 and green in seen, seen)
    for what, env in (('NO_COLOR', environment(NO_COLOR='1')),
                      ('TERM=dumb', dict(plain, TERM='dumb')),
                      ('no TERM', environment(NO_COLOR=None, TERM=None))):
        seen = on_pty(['verify', TINY], env)[1]
        check('plain with ' + what, '\x1b' not in seen, seen)
    seen = on_pty(['verify', TINY], environment(NO_COLOR=''))[1]
    check('coloured with NO_COLOR empty', green in seen, seen)
    seen = on_pty(['verify', '--color=never', TINY], plain)[1]
    check('plain with --color=never', '\x1b' not in seen, seen)
    _, seen, other = on_pty(['verify', TINY], plain, streams='err')
    check('a pipe is not coloured', '\x1b' not in seen + other, seen + other)


def refusal():
    args = ['repair', '-o', '-', os.path.join(DATA, 'bad-cut-patrol.bddf')]
    code, seen, _ = on_pty(args, environment())
    check('a log is not written to a terminal',
          code == 8 and 'terminal' in seen and len(seen) < 200, seen)
    code, seen, other = on_pty(args[:-1] + [TINY], environment(),
                               streams='err')
    check('but to a pipe', code == 0 and other.startswith('BDDF'), seen)


def progress():
    line = re.compile(r'\[\d+ of %d\] \d+ %%, .* of 351 KB, ' % BATCH)
    args = ['verify', '--color=never'] + [PATROL] * BATCH
    code, seen, _ = on_pty(args, environment(), stop_on_the_way())
    left = screen(seen)
    check('progress is shown', code == 0 and line.search(seen), seen)
    check('and gone in the end',
          len(left) == 2 * BATCH + 1 and left[-1] == ''
          and all(l.startswith(PATROL) and l.endswith('confirms every byte')
                  for l in left[:-1:2])
          and all(l.startswith('  holds ') for l in left[1::2]),
          '\n'.join(left))

    code, seen, _ = on_pty(args[:1] + ['-j2', '--max-read-rate=300K']
                           + args[1:6], environment())
    check('of many files, too, with what is worked on', code == 0
          and re.search(r'\d of 4 files, .*, 0 damaged, .*good-patrol\.bddf'
                        r'( \(\d s\))?, good-patrol\.bddf', seen), seen)
    check('in one line, which is gone in the end', not any(
        'damaged' in l for l in screen(seen)), screen(seen))

    with tempfile.TemporaryDirectory() as folder:
        for name in 'b.bddf', 'c.bddf':
            shutil.copy(PATROL, os.path.join(folder, name))
        with open(os.path.join(folder, 'a.bin'), 'wb') as f:
            f.write(b'no log\n')
        code, seen, _ = on_pty(['verify', '-r', '-j1',
                                '--max-read-rate=200K', folder],
                               environment())
    check('what is no log is not damaged', code == 0
          and 'of 3 files' in seen and ' 1 damaged' not in seen, seen)

    code, seen, _ = on_pty(args, dict(environment(), TERM='dumb'),
                           stop_on_the_way())
    check('nothing is redrawn on a dumb terminal', '\x1b' not in seen, seen)

    code, seen, _ = on_pty(args, environment(),
                           stop_on_the_way(signal.SIGUSR1))
    left = [l for l in screen(seen) if not l.startswith((PATROL, '  holds '))]
    check('SIGUSR1 on a terminal leaves one line',
          code == 0 and len(left) == 2 and left[0].startswith('salvor: [')
          and left[1] == '', '\n'.join(left))


def asked():
    """SIGUSR1, standard error being a pipe."""
    args = ['verify', '--color=never'] + [PATROL] * BATCH
    code, _, other = on_pty(args, environment(),
                            stop_on_the_way(signal.SIGUSR1), streams='out')
    check('SIGUSR1 prints one line',
          code == 0 and re.fullmatch(
              r'salvor: \[\d+ of %d\] .*reading .*good-patrol\.bddf\n'
              % BATCH, other), other)
    for batch in [], ['-j2']:
        code, _, other = on_pty(
            args[:1] + ['--progress'] + batch + args[1:], environment(),
            stop_on_the_way(seconds=STRIDE), streams='out')
        told = [l for l in other.splitlines() if l.startswith('salvor: ')]
        check('--progress prints lines %s' % batch, code == 0
              and 1 <= len(told) <= 2 and '\x1b' not in other
              and re.search(r'351 KB|of %d files' % BATCH, told[0]), other)
    code, _, other = on_pty(args, environment(), stop_on_the_way(),
                            streams='out')
    check('nobody asked, no terminal, no line', other == '', other)


# Whatever this was started with: what is ignored at the start stays so.
signal.signal(signal.SIGUSR1, signal.SIG_DFL)
for test in colour, refusal, progress, asked:
    test()
end()

#!/usr/bin/python3
"""The command on the line `next:` works when it is typed.

For every log of the testdata, with the output free or taken, in a folder that
cannot be written to and on a disk that is full.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import os
import re
import shutil
import subprocess
import tempfile

from support.start import SALVOR, parts

with parts():
    from archive import samples
    from tally import check, end

LOGS = samples(('.bddf', '.bag', '.record', '.log'))
FEW = LOGS[::9]
DONE = 4 | 8 | 16 | 32  # bits of an exit code that say that it did not work
CODERS = {'.gz': ['gzip', '-c'], '.xz': ['xz', '-c'], '.bz2': ['bzip2', '-c'],
          '.zst': ['zstd', '-qc'], '.lz4': ['lz4', '-qc']}


def as_nobody():
    """In the child: root can write everywhere."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def shell(command, cwd, user=None):
    """Run a command line of a shell that knows `salvor`."""
    env = {'PATH': os.environ['PATH'], 'LC_ALL': 'C',
           'TMPDIR': os.path.join(cwd, 'other')}
    return subprocess.run(
        ['bash', '-c', 'salvor() { "%s" "$@"; }\n%s' % (SALVOR, command)],
        env=env, cwd=cwd, check=False,
        stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=user)


def proposed(done):
    """The command that the output ends with; '': none."""
    lines = done.stdout.decode('utf-8', 'surrogateescape').splitlines()
    # What is said about it may go on in the next line.
    said = [line for line in lines if line.startswith('next: ')]
    return said[-1][len('next: '):].split('    (')[0] if said else ''


def follow(what, files, cwd, user=None, wanted=None):
    """Look at the files, do what is proposed: the command."""
    done = shell('salvor ' + files, cwd, user)
    command = proposed(done)
    check(what + ': salvor lives', done.returncode >= 0, done)
    if not command:
        check(what + ': something is proposed', wanted is None, done)
        return command
    text = command.replace('--map-name NAME', '--map-name Town03')
    before = set(names(cwd))
    done = shell(text, cwd, user)
    new = set(names(cwd)) - before
    good = done.returncode >= 0 and done.returncode & DONE == 0
    check('%s: %s' % (what, command), good, done)
    if ' repair ' in ' ' + command:
        check(what + ': an output is there', len(new) > 0, command)
    if wanted is not None:
        check(what + ': as wanted', re.search(wanted, command), command)
    return command


def names(cwd):
    """All files below a folder."""
    return [os.path.join(at, name) for at, _, found in os.walk(cwd)
            for name in found]


def fresh(cwd, log, where='in'):
    """A folder with one log, and another folder beside it."""
    for name in 'in', 'other', where:
        path = os.path.join(cwd, name)
        if os.path.isdir(path):
            os.chmod(path, 0o755)
            shutil.rmtree(path)
        os.mkdir(path)
        os.chmod(path, 0o777)
    name = os.path.join(where, os.path.basename(log))
    shutil.copy(log, os.path.join(cwd, name))
    os.chmod(os.path.join(cwd, name), 0o644)
    return name


def free(cwd):
    """Nothing is in the way."""
    for log in LOGS:
        name = fresh(cwd, log)
        follow('free, ' + name, name, cwd)


def taken(cwd):
    """The output's name is taken, by something else or by the repair."""
    for log in FEW:
        name = fresh(cwd, log)
        stem, ext = os.path.splitext(os.path.join(cwd, name))
        with open(stem + '.repaired' + ext, 'w', encoding='ascii') as f:
            f.write('mine')
        follow('taken, ' + name, name, cwd)
        follow('taken twice, ' + name, name, cwd)
        with open(stem + '.repaired' + ext, encoding='ascii') as f:
            check(name + ': what was there stays', f.read() == 'mine')
    name = fresh(cwd, next(x for x in LOGS if x.endswith('bad-hole.bddf')))
    follow('once', name, cwd, wanted=r'^salvor repair in/\S+$')
    follow('again', name, cwd, wanted=r' -o in/bad-hole.repaired.2.bddf ')


def read_only(cwd):
    """The folder cannot be written to; another one can."""
    for log in FEW:
        name = fresh(cwd, log)
        os.chmod(os.path.join(cwd, 'in'), 0o555)
        command = follow('read-only, ' + name, name, cwd, as_nobody)
        check(name + ': goes elsewhere', 'repair ' not in command
              or ' -d ' in command or '--map-name' in command, command)
    logs = [x for x in LOGS if '/bad-cut' in x and not x.endswith('.log')]
    fresh(cwd, logs[0])
    for log in logs[1:4]:
        shutil.copy(log, os.path.join(cwd, 'in'))
    os.chmod(os.path.join(cwd, 'in'), 0o555)
    follow('read-only, many', 'in/*', cwd, as_nobody, r' -d \S*other ')


def full(cwd):
    """The disk is full; another one is not."""
    disk = os.path.join(cwd, 'disk')
    os.makedirs(disk, exist_ok=True)
    mount = ['mount', '-t', 'tmpfs', '-o', 'size=600k', 'none', disk]
    if subprocess.run(mount, check=False).returncode != 0:
        print('full disk: cannot be tried here')
        return
    try:
        log = next(x for x in LOGS if x.endswith('bad-cut-patrol.bddf'))
        fresh(cwd, log)
        os.chmod(disk, 0o777)
        shutil.copy(log, disk)
        follow('full', 'disk/bad-cut-patrol.bddf', cwd,
               wanted=r'^salvor repair -d \. disk/bad-cut-patrol.bddf$')
        follow('one of two', 'in/bad-cut-patrol.bddf disk/*', cwd,
               wanted=r'^salvor repair in/bad-cut-patrol.bddf$')
    finally:
        subprocess.run(['umount', disk], check=True)


def split(cwd):
    """A whole log of another recording is in it."""
    for log in LOGS:
        if 'bag-behind' in log or 'bad-two-logs' in log:
            name = fresh(cwd, log)
            follow('split', name, cwd, wanted='^salvor repair --split ')


def packed(cwd):
    """The log is compressed."""
    for log in FEW:
        for ext, coder in CODERS.items():
            if shutil.which(coder[0]) is None or log.endswith('.log'):
                continue
            name = fresh(cwd, log)
            if not proposed(shell('salvor ' + name, cwd)).startswith(
                    'salvor repair in/'):
                continue
            with open(os.path.join(cwd, name + ext), 'wb') as out:
                subprocess.run([*coder, log], stdout=out, check=True)
            follow('packed, ' + name + ext, name + ext, cwd,
                   wanted=coder[0] + r' -dc <in/\S+ \| salvor repair -o ')


def main():
    """All situations."""
    with tempfile.TemporaryDirectory() as cwd:
        os.chmod(cwd, 0o755)
        for part in free, taken, read_only, full, split, packed:
            part(cwd)
    end()


main()

"""stuck - run a command that must end, and say what it waits for if it does not."""

import pathlib
import subprocess

ABOUT = 'comm', 'wchan', 'syscall'  # of a thread, in /proc


def _read(path):
    try:
        return path.read_text(encoding='utf-8', errors='replace').strip()
    except OSError:
        return '?'


def _family(pid):
    """A process and all that it started."""
    children = pathlib.Path('/proc/%d/task/%d/children' % (pid, pid))
    yield pid
    for child in _read(children).replace('?', '').split():
        yield from _family(int(child))


def waiting(pid):
    """What each thread of a process, and of those that it started, waits for."""
    return '; '.join(
        '%d: %s' % (one, ', '.join(_read(thread / name) for name in ABOUT))
        for one in _family(pid)
        for thread in pathlib.Path('/proc/%d/task' % one).glob('*'))


def run(args, patience):
    """Run a command without input, at most so many seconds.  AssertionError: it does
    not end."""
    with subprocess.Popen(args, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            out, errors = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            found = waiting(process.pid)
            process.kill()
            process.communicate()
            raise AssertionError('did not end in %d s: %s' % (
                patience, found)) from None
    return subprocess.CompletedProcess(args, process.returncode, out, errors)

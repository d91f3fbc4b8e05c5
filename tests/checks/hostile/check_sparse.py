#!/usr/bin/python3
"""Sparse files of as many bytes as the file system allows, 1 EB at most: what was
never written is not read, and a signal ends what does take long.

- a log and a hole to the end of the file
- a log, a hole, and the log again
- a hole alone, which is no log
- a hole in the undo record beside a log

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import hashlib
import os
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time

from support.start import SALVOR, TOP, parts

with parts():
    from tally import check, end

SIZES = [1 << n for n in range(60, 37, -1)]  # bytes; 1 EB to 256 GB
WORK = 20  # seconds of the processor; a sanitizer's build takes one or two
GRACE = 60  # seconds until a signal must have had its effect, however busy
LOGS = ('bddf/good-empty-payload.bddf', 'rosbag/good-drive-none.bag',
        'cyber/good-empty.record', 'carla/good-0.9.10.log')
MANY = 32 << 30  # bytes of a file of many holes
EACH = 1 << 20  # and so many between their ends
COMMANDS = (['verify', '-q'], ['verify', '-q', '--quick'], ['info'],
            ['info', '--scan'], ['list', '-q'], ['repair', '-n', '-q'])


def limit_work():
    """Let the kernel end what works for too long."""
    resource.setrlimit(resource.RLIMIT_CPU, (WORK, WORK))


def has_holes(folder):
    """Whether the file system tells where holes are."""
    with open(os.path.join(folder, 'hole'), 'wb') as out:
        out.truncate(1 << 20)
        out.seek(1 << 20)
        out.write(b'x')
    with open(os.path.join(folder, 'hole'), 'rb') as there:
        return os.lseek(there.fileno(), 0, os.SEEK_DATA) > 0


def widen(path, size):
    """Give the file a hole up to size, or as far as it can be."""
    for size in (s for s in SIZES if s <= size):
        try:
            os.truncate(path, size)
            return size
        except OSError:
            pass
    return 0


def run(what, *arguments):
    """What it printed; it must end by itself."""
    done = subprocess.run([SALVOR, *arguments], preexec_fn=limit_work,
                          capture_output=True, check=False)
    check(what + ': ends', done.returncode in (0, 1, 3, 4),
          (done.returncode, done.stderr[-300:]))
    return done.stdout


def check_log(log, folder):
    """A log before a hole, and one on either side of it."""
    path = os.path.join(folder, os.path.basename(log))
    with open(os.path.join(TOP, 'testdata', log), 'rb') as there:
        raw = there.read()
    with open(path, 'wb') as out:
        out.write(raw)
    size = widen(path, SIZES[0])
    check(log + ': can be widened', size > 0, size)
    for command in COMMANDS:
        run('%s: %s' % (log, command[0]), *command, path)
    check_written(log, path, size)
    with open(path, 'ab') as out:
        try:
            out.write(raw)
            out.flush()
        except OSError:  # as long as a file can be
            return
    for command in COMMANDS:
        run('%s twice: %s' % (log, command[0]), *command, path)


def check_written(log, path, size):
    """A copy has what was written, and no file is changed in place whose digest
    would take years."""
    out = path + '.copy'
    run(log + ': repair', 'repair', '-q', '-o', out, path)
    check(log + ': the copy is short',
          os.path.getsize(out) < os.path.getsize(path) // 1000)
    run(log + ': merge', 'merge', '-q', '-o', out + '.merged', out, path)
    if size > 1 << 41:
        done = subprocess.run([SALVOR, 'repair', '-q', '--in-place', path],
                              preexec_fn=limit_work, capture_output=True,
                              check=False)
        check(log + ': in place is refused', done.returncode == 8
              and b'holes' in done.stderr + done.stdout,
              (done.returncode, done.stderr[-300:]))
        check(log + ': nothing is left', not os.path.exists(
            path + '.salvor-undo') and os.path.getsize(path) == size)


def check_copies(log, folder):
    """Two damaged copies with a hole each, in two files and in one."""
    with open(os.path.join(TOP, 'testdata', log), 'rb') as there:
        raw = there.read()
    both, paths = os.path.join(folder, 'both'), []
    with open(both, 'wb'):
        pass
    half = widen(both, SIZES[0]) // 2
    for n in 1, 2:
        at = len(raw) * n // 3
        damaged = raw[:at] + bytes(300) + raw[at + 300:]
        paths.append(os.path.join(folder, 'copy%d' % n))
        with open(paths[-1], 'wb') as out:
            out.write(damaged)
        os.truncate(paths[-1], half)
        with open(both, 'r+b') as out:
            out.seek((n - 1) * half)
            out.write(damaged)
    run(log + ': merge of copies', 'merge', '-q', '-n', '-o',
        os.path.join(folder, 'merged'), *paths)
    for command in COMMANDS:
        run('%s: copies in one file: %s' % (log, command[0]), *command, both)


def check_signal(folder):
    """The digest in the end of a log covers the hole in it, too, which takes
    years: the signal ends it."""
    path = os.path.join(folder, 'signal.bddf')
    with open(os.path.join(TOP, 'testdata', LOGS[0]), 'rb') as there:
        raw = there.read()
    with open(path, 'wb') as out:
        out.write(raw[:len(raw) // 2])
    widen(path, SIZES[0] // 2)
    with open(path, 'ab') as out:
        out.write(raw[len(raw) // 2:])
    end_by_signal('digest', 'verify', '-q', path)


def end_by_signal(what, *command):
    """A job that takes long, and ends when a signal asks for it."""
    with subprocess.Popen([SALVOR, *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as job:
        time.sleep(0.5)
        check(what + ': it takes long', job.poll() is None)
        job.send_signal(signal.SIGTERM)
        try:
            job.wait(GRACE)
            check(what + ': SIGTERM ends it', True)
        except subprocess.TimeoutExpired:
            job.kill()
            check(what + ': SIGTERM ends it', False)


def sealed(head):
    """The head of an undo record, with its seal (docs/undo-record.md)."""
    return head + hashlib.sha1(head).digest() + bytes(512)


def check_record(folder):
    """An undo record is as long as its sender wants."""
    log = os.path.join(folder, 'undone.bddf')
    shutil.copy(os.path.join(TOP, 'testdata', LOGS[0]), log)
    with open(log + '.salvor-undo', 'wb'):
        pass
    size = widen(log + '.salvor-undo', SIZES[0])
    head = b'salvor-undo\n\1\0\0\0' + struct.pack(
        '<QQQQQ', size, os.path.getsize(log), size - 1024, 1, 0)
    with open(log + '.salvor-undo', 'r+b') as out:
        out.write(sealed(head + bytes(492 - len(head))))
    for command in (['undo'], ['undo', '-n'], ['undo', '--discard-undo'],
                    ['repair', '--in-place']):
        end_by_signal('record: ' + ' '.join(command), *command, '-q', log)
    for command in COMMANDS:
        run('record: ' + command[0], *command, log)


def check_named(folder):
    """Files that are read line by line: of one long hole nothing is read, and a
    signal ends the reading of many short ones."""
    log = os.path.join(TOP, 'testdata', LOGS[0])
    path = os.path.join(folder, 'lines')
    for what in '--journal', '--baseline', 'collect', '--html':
        command = {
            'collect': ('collect', path),
            '--html': ('report', path, '-o', path + '.html'),
        }.get(what, ('verify', '-q', what + '=' + path, log))
        with open(path, 'wb'):
            pass
        widen(path, SIZES[0])
        if what == '--html':
            end_by_signal(what, *command)
            break
        done = subprocess.run([SALVOR, *command], preexec_fn=limit_work,
                              capture_output=True, check=False)
        check(what + ': a hole is no journal', done.returncode > 4
              and b'is not the journal' in done.stderr,
              (done.returncode, done.stderr[-300:]))
        with open(path, 'r+b') as out:
            os.truncate(path, MANY)
            for at in range(0, MANY, EACH):
                out.seek(at)
                out.write(b'x')
        end_by_signal(what, *command)
        os.remove(path)


def check_journal(folder):
    """A journal that a hole follows, and lines after that: they are read."""
    path, log = os.path.join(folder, 'journal'), os.path.join(folder, 'a.bddf')
    shutil.copy(os.path.join(TOP, 'testdata', LOGS[0]), log)
    run('journal', 'verify', '-q', '--journal=' + path, log)
    with open(path, 'rb') as there:
        line = there.read()
    os.truncate(path, 0)
    widen(path, 1 << 40)
    with open(path, 'ab') as out:
        out.write(b'\n' + line)
    said = run('journal after a hole', 'verify', '--journal=' + path, log)
    check('the line after the hole is read', b'done before' in said, said)


def main():
    """Where the longest files can be: in memory, or where tests write."""
    for parent in ('/dev/shm', os.getcwd()):
        if not os.access(parent, os.W_OK):
            continue
        with tempfile.TemporaryDirectory(dir=parent) as folder:
            if not has_holes(folder):
                continue
            path = os.path.join(folder, 'nothing.bag')
            with open(path, 'wb'):
                pass
            widen(path, SIZES[0])
            for command in COMMANDS:
                run('nothing: ' + command[0], *command, path)
            for log in LOGS:
                check_log(log, folder)
                check_copies(log, folder)
            check_signal(folder)
            check_record(folder)
            check_named(folder)
            check_journal(folder)
    end()


main()

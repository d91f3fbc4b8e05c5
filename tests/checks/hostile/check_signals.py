#!/usr/bin/python3
"""What salvor does when it is told to stop: once, twice in no time as
timeout(1) does it, and twice because somebody waits no longer."""
import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from support.start import SALVOR, TOP, parts

with parts():
    from tally import check, end

PATROL = os.path.join(TOP, 'testdata', 'bddf', 'good-patrol.bddf')
PIPE = 4096   # bytes, the least that a pipe can have
BATCH = 120   # logs in a run that is stopped on its way
APART = 0.4   # seconds between two signals that are not one
F_SETPIPE_SZ = 1031


def start(*args):
    """Run salvor with a pipe that holds little; it stands still as soon as
    that is full."""
    read, write = os.pipe()
    fcntl.fcntl(write, F_SETPIPE_SZ, 4096)
    process = subprocess.Popen([SALVOR, *args], stdout=write,
                               stdin=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    os.close(write)
    return process, read


def drain(fd):
    while os.read(fd, 65536):
        pass
    os.close(fd)


def at_once(*signals):
    """Signals that arrive together; the report that the run leaves."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, 'r.json')
        process, out = start('verify', '--report=' + report,
                             *[PATROL] * BATCH)
        os.read(out, 1)
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        for number in signals:
            process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        drain(out)
        code = process.wait()
        left = os.listdir(folder)
        lines = []
        if left == ['r.json']:
            with open(report) as f:
                lines = [json.loads(line) for line in f]
    return code, left, lines


def together():
    for signals in ((signal.SIGINT,), (signal.SIGINT, signal.SIGTERM),
                    (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)):
        code, left, lines = at_once(*signals)
        what = ' and '.join(s.name for s in signals)
        check(what + ' ends it by a signal', -code in signals, code)
        check(what + ' leaves a report and nothing else', left == ['r.json'],
              left)
        check(what + ' stops it on its way', 0 < len(lines) < BATCH,
              len(lines))


def apart():
    process, out = start('list', '--json', PATROL)
    os.read(out, 1)
    process.send_signal(signal.SIGINT)
    time.sleep(APART)
    check('one signal waits for the job', process.poll() is None)
    process.send_signal(signal.SIGTERM)
    try:
        code = process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    os.close(out)
    check('a second one does not', -code == signal.SIGTERM, code)


def ignored():
    """What was ignored at the start stays so, whatever else arrives."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    process, out = start('list', '--json', PATROL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.read(out, 1)
    process.send_signal(signal.SIGINT)
    time.sleep(APART)
    process.send_signal(signal.SIGHUP)
    time.sleep(APART / 4)
    check('an ignored signal does nothing', process.poll() is None)
    drain(out)
    check('and the first one ends it', process.wait() == -signal.SIGINT)


def unread(*args, ignored=False, cwd):
    """Somebody reads a byte of standard output, and goes.  The pipe is so small
    that not all of it fits: nobody is done before."""
    process = subprocess.Popen(
        [SALVOR, *args], cwd=cwd, stdin=subprocess.DEVNULL, bufsize=0,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, pipesize=PIPE,
        restore_signals=not ignored)
    process.stdout.read(1)
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    return process.wait(60), said


def nobody_reads():
    """As `salvor ... | head` does it: the end is by SIGPIPE, without a word of
    that (what -v says of a log may come before), and nothing half-done
    stays."""
    with tempfile.TemporaryDirectory() as folder:
        logs = os.path.join(folder, 'in')
        os.mkdir(logs)
        for i in range(BATCH):
            shutil.copy(PATROL, os.path.join(logs, '%d.bddf' % i))
        cut = os.path.join(folder, 'cut.bddf')
        with open(PATROL, 'rb') as f:
            data = f.read()
        with open(cut, 'wb') as f:
            f.write(data[:-50000])
        for args in (['verify', '-r', '-j2', '--report=r', 'in'],
                     ['verify', '-v', '--json', '--report=r', '--html=h']
                     + [PATROL] * BATCH,
                     ['list', '--report=r', 'cut.bddf'],
                     ['repair', '-q', '-o', '-', '--report=r', 'cut.bddf']):
            what = 'nobody reads: ' + ' '.join(args[:4])
            code, said = unread(*args, cwd=folder)
            check(what, code == -signal.SIGPIPE
                  and (said == b'' or '-v' in args and b'intact' in said
                       and b'cannot' not in said), (code, said))
            left = sorted(os.listdir(folder))
            check(what + ': nothing half-done', not any(
                '.salvor-' in name for name in left), left)
            check(what + ': a report', 'r' in left, left)
        code, said = unread('verify', '-r', 'in', ignored=True, cwd=folder)
        check('SIGPIPE is ignored: that is said', code & 8
              and b'cannot write to standard output: Broken pipe' in said,
              (code, said))
        # The reader of a report alone: the work goes on.
        fifo = os.path.join(folder, 'fifo')
        os.mkfifo(fifo)
        process = subprocess.Popen(
            [SALVOR, 'verify', '-r', '--report=fifo', 'in'], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        with open(fifo, 'rb') as f:
            f.read(1)
        out, said = process.communicate(timeout=60)
        check('nobody reads the report: that is said, and all is done',
              process.returncode == 8 and said
              == b'salvor: fifo: cannot write: Broken pipe\n'
              and b'%d files' % BATCH in out, (process.returncode, said))


# Whoever runs this in the background may have these ignored.
for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    signal.signal(number, signal.SIG_DFL)
for test in together, apart, ignored, nobody_reads:
    test()
end()

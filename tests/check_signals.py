#!/usr/bin/python3
"""What salvor does when it is told to stop: once, twice in no time as
timeout(1) does it, and twice because somebody waits no longer."""
import fcntl
import json
import os
import signal
import subprocess
import tempfile
import time

from support.start import SALVOR, TOP, parts

with parts():
    from tally import check, end

PATROL = os.path.join(TOP, 'testdata', 'bddf', 'good-patrol.bddf')
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


# Whoever runs this in the background may have these ignored.
for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    signal.signal(number, signal.SIG_DFL)
for test in together, apart, ignored:
    test()
end()

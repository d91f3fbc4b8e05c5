#!/usr/bin/python3
"""Does the package for Python do what docs/python.md says, in a fresh environment?

    check_python.py

Builds the wheel from what is built here, installs it, runs the session of the page, and
compares the package with the command line over testdata, with numpy and without.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, SALVOR_BUILDDIR the
build folder.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from support.start import SALVOR, SKIPPED, TOP, parts

with parts():
    from bddf_writer import Log, field
    from mcap.records import Channel, Message
    from mcap.write import STYLES, Recording, write
    from tally import check, end

PYTHON = '/usr/bin/python3'
BUILD = Path(os.environ.get('SALVOR_BUILDDIR', '.')).resolve()
WANTED = ('import setuptools, wheel, venv, ensurepip, sysconfig, os; assert '
          'os.path.exists(sysconfig.get_path("include") + "/Python.h")')
LOGS = ('bddf/good-patrol.bddf', 'bddf/bad-hole.bddf', 'rosbag/good-drive-lz4.bag',
        'rosbag/bad-chunk-hole.bag', 'cyber/bad-described-package.record',
        'mcap/good-cpp-zstd.mcap')

# Prints all that is read of a log, as the reader in C is asked for it, too.
READ = r'''
import hashlib, json, sys, salvor
for path in sys.argv[1:]:
    with salvor.open(path) as log:
        for r in log.read():
            print(json.dumps([path, r.topic, r.log_time, len(r.data),
                              hashlib.sha1(r.data).hexdigest(), r.offset,
                              r.sureness]))
'''

BEHAVES = r'''
import gzip, io, os, signal, sys, threading, time, salvor
path = sys.argv[1]
data = open(path, "rb").read()

def raises(kind, call, *args, **how):
    try:
        call(*args, **how)
    except kind as error:
        return kind is KeyboardInterrupt or str(error) != ""
    return False

def said(what, good):
    print(("ok " if good else "BAD ") + what)

with salvor.open(path) as log:
    n = sum(1 for _ in log.read())
    said("a choice that makes no sense is a ValueError",
         raises(ValueError, log.read, start="soon"))
    said("and the log can be read afterwards", sum(1 for _ in log.read()) == n)
    half = list(log.read(start="+1s", end="+2s"))
    said("a time span is a part", 0 < len(half) < n)
    first = half[0].log_time
    said("nanoseconds are times, too",
         list(log.read(start=first, end=half[-1].log_time + 1))[0].log_time == first)
    said("names are matched whole", not list(log.read("battery")))
    said("records live on", half[0].data and half[0].channel.name)
said("a closed log says so", raises(ValueError, log.read))
with salvor.open(path) as log:
    records = log.read()
    next(iter(records))
    child = os.fork()
    if child == 0:
        os._exit(not raises(RuntimeError, list, records))
    said("only the process that opened it reads a log", os.waitpid(child, 0)[1] == 0)
said("bytes are read as the file is",
     sum(1 for _ in salvor.open(data).read()) == n)
class Plain(io.BytesIO):
    """A file that gives few bytes at a time."""
    def read(self, n=-1):
        return super().read(n if n < 0 else min(n, 50000))
def read_at(off, n):
    return data[off:off + n]
def sectors(off, n):
    if off < 200000 < off + n:
        raise OSError(5, "bad sector")
    return read_at(off, n)
def sums(source):
    with salvor.open(source) as log:
        return [(r.topic, r.offset, bytes(r.data)) for r in log.read()]
whole = sums(path)
file = open(path, "rb")
file.seek(77)
said("a file is read, wherever it is", sums(file) == whole)
said("and one without a buffer", sums(open(path, "rb", 0)) == whole)
said("and one that is no file", sums(Plain(data)) == whole
     and sums(io.BytesIO(data)) == whole)
gzip.open("packed.gz", "wb").write(data)
said("and one in another", sums(gzip.open("packed.gz")) == whole)
said("and a function", sums(salvor.Source(read_at, len(data))) == whole)
bad = salvor.verify(salvor.Source(sectors, len(data), "disk"))
said("bad sectors are damage", bad.state == "damaged" and bad.lost > 1
     and "disk" in str(bad))
def broken(off, n):
    if off + n > 100000:
        raise KeyError("broken")
    return read_at(off, n)
said("what a function raises comes out", raises(
    KeyError, salvor.open, salvor.Source(broken, len(data)))
     and raises(KeyError, salvor.verify, salvor.Source(broken, len(data))))
for wrong in (lambda off, n: b"", lambda off, n: None,
              lambda off, n: b"x" * (n + 1)):
    said("what is no answer is an exception", raises(
        (TypeError, ValueError), salvor.verify, salvor.Source(wrong, len(data))))
later, large = [], open("large.bddf", "rb").read()
def changes(off, n):
    if later:
        raise KeyError("later")
    return large[off:off + n]
log = salvor.open(salvor.Source(changes, len(large)))
later.append(1)
said("also while records are read", raises(KeyError, lambda: list(log.read())))
log.close()
salvor.repair(path, output="by-name.bddf")
out = io.BytesIO()
said("a repair writes to a file", salvor.repair(data, output=out).state == "lossy"
     and out.getvalue() == open("by-name.bddf", "rb").read())
class Full(io.BytesIO):
    def write(self, data):
        raise OSError(28, "full")
said("which may be full", raises(OSError, salvor.repair, data, output=Full()))
for wrong in (3, io.StringIO("x"), None):
    said("text is no log", raises(TypeError, salvor.verify, wrong))
said("several are paths", raises(TypeError, salvor.merge, [data, data]))
said("an option that is none is a ValueError",
     raises(ValueError, salvor.verify, path, no_such=True))
said("a value of another type is a TypeError",
     raises(TypeError, salvor.verify, path, effort={}))
said("a file that is not there is an OSError",
     raises(FileNotFoundError, salvor.verify, "/no/such"))
said("what is no log is judged", salvor.verify("notes.txt").state == "unrecognised")
said("but has no records", raises(salvor.Error, salvor.open("notes.txt").read))
said("limits are exceptions",
     raises(salvor.LimitError, salvor.verify, path, max_memory="1K"))

def stop(*_):
    raise RuntimeError("enough")
said("progress stops a job",
     raises(RuntimeError, salvor.repair, path, output="stopped", progress=stop))
said("and nothing is left", not os.path.exists("stopped"))

# A shell in the background has its programs ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt(*_):
    os.kill(os.getpid(), signal.SIGINT)
said("Ctrl-C stops a job",
     raises(KeyboardInterrupt, salvor.repair, path, output="stopped",
            progress=interrupt))
# A path or a value that is not UTF-8 is as good as any other.
raw = os.fsdecode(b"\xffname")
os.mkdir(raw)
said("a value has any bytes", salvor.repair(
    path, output=os.path.join(raw, raw)).output is not None
     and b"\xffname" in os.listdir(os.fsencode(raw)))
said("and a reason", raises(FileNotFoundError, salvor.verify, raw + "/none"))
said("and what is refused", raises(ValueError, salvor.verify, path, no=raw)
     and raises(ValueError, salvor.verify, path, effort=raw))
said("but no zero", raises(ValueError, salvor.verify, path, output="a\0b")
     and raises(ValueError, salvor.verify, "a\0b"))

# What is called while a log is read can do no harm to it.
class Meddler:
    log = None
    def __call__(self, *_):
        if self.log is not None:
            self.seen = [raises(RuntimeError, call) for call in (
                self.log.close, self.log.read, self.log._log.channels,
                lambda: self.log._log.__init__(b"x", [], None, None))]
meddler = Meddler()
log = salvor.open(path, progress=meddler)
for order in "file", "time":
    meddler.log, meddler.seen = log, []
    read = sum(1 for _ in log.read(order=order))
    said("progress cannot close what is read by " + order, read == n
         and all(meddler.seen))
meddler.log = None
records = log.read()
one = next(records)
log.channels.all.clear()
said("a channel that was taken away is an IndexError",
     raises(IndexError, lambda: list(records)))
log.close()
said("a record outlives the log", one.topic == one.channel.name and one.data)
said("and one of no log has no topic",
     raises(AttributeError, lambda: salvor.Record().topic))

# What goes with a log may close it, or open another one in its place, as it goes.
class Last:
    log = again = None
    def __call__(self, *_): pass
    def __del__(self):
        self.log.close()
        if self.again is not None:
            self.log.__init__(b"bytes", [], None, b"x")
            self.again.append(self.log.status())
for again in None, []:
    for how in "close", "init":
        last = Last()
        inner = salvor._salvor.Log(os.fsencode(path), [], last, None)
        last.log, last.again = inner, again
        del last
        if how == "close":
            inner.close()
        else:
            inner.__init__(os.fsencode(path), [], None, None)
        inner.close()
        said("a progress function that goes cannot close a log twice",
             raises(ValueError, inner.status))

def shared(log, counts):
    try:
        counts.append(sum(1 for _ in log.read()))
    except (RuntimeError, ValueError):
        counts.append(None)
for _ in range(20):
    log, done = salvor.open(data), []
    threads = [threading.Thread(target=shared, args=(log, done))
               for _ in range(3)]
    for one in threads: one.start()
    try:
        log.close()
    except RuntimeError:
        pass
    for one in threads: one.join()
said("threads that share a log, and close it, are told", len(done) == 3)

counts = []
threads = [threading.Thread(target=lambda: counts.append(
    sum(1 for _ in salvor.open(path).read()))) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
said("threads read alike", counts == [n] * 4)
'''


# What a log may say of its channels: it can be opened all the same.
STRANGE = (
    {'pod_type': '\u00b2'}, {'pod_type': '5' * 5000},
    {'pod_type': '5', 'dimension.0': '\u0663'},
    {'pod_type': '5', 'dimension.0': '7' * 5000},
    {'pod_type': '5', **{'dimension.%d' % i: '1' for i in range(100)}},
    {'pod_type': '5', **{'dimension.%d' % i: '9' * 9 for i in range(20000)}})

OPENS = r'''
import sys, salvor
for path in sys.argv[1:]:
    with salvor.open(path) as log:
        for r in log.read():
            r.values
        print(*map(list, (c.metadata for c in log.channels.values())))
'''


def run(*command, **how):
    """The output of a command that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          **how)
    check('%s succeeds' % Path(str(command[0])).name, done.returncode == 0,
          (done.stdout + done.stderr)[-1000:])
    return done.stdout


def install(folder):
    """A fresh environment with the package in it; its Python."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ('CFLAGS', 'LDFLAGS', 'PYTHONPATH')}
    run('make', '-s', 'wheel', 'PYTHON=' + PYTHON, cwd=BUILD, env=environment)
    wheel, = (BUILD / 'dist').glob('salvor-*.whl')
    run(PYTHON, '-m', 'venv', folder / 'env')
    run(folder / 'env/bin/pip', 'install', '-q', '--no-index', wheel)
    return folder / 'env/bin/python'


def session(page):
    """The code of the page, and what it prints after each part."""
    blocks = re.findall(r'^```(\w*)\n(.*?)^```', page, re.M | re.S)
    for (kind, code), (then, expected) in zip(blocks, blocks[1:]):
        if kind == 'python':
            yield code, expected if then == '' else ''


def walk_through(python, folder):
    """The page says what happens."""
    log = (TOP / 'testdata/bddf/good-patrol.bddf').read_bytes()
    (folder / 'patrol.bddf').write_bytes(log[:300000])
    (folder / 'notes.txt').write_text('not to be replaced')
    parts_of = list(session((TOP / 'docs/python.md').read_text()))
    marked = '\nprint("-- next")\n'.join(code for code, _ in parts_of)
    out = run(python, '-c', marked, cwd=folder).split('-- next\n')
    check('the page has a session', len(parts_of) > 4)
    for (code, expected), printed in zip(parts_of, out):
        check('the page is true: ' + code.splitlines()[0],
              printed == expected, printed)


def as_the_command_line(python, folder):
    """Reports and records are those of the program."""
    logs = [str(TOP / 'testdata' / name) for name in LOGS]
    for log in logs:
        told = json.loads(subprocess.run(
            [SALVOR, 'verify', '--json', log], capture_output=True,
            check=False).stdout.splitlines()[0])
        mine = json.loads(run(
            python, '-c', 'import json, sys, salvor; print(json.dumps('
            'salvor.verify(sys.argv[1]).json))', log))
        told.pop('made_by'), mine.pop('made_by')
        check('the same report of ' + log, told == mine)
    read = run(python, '-c', READ, *logs)
    check('records are read', read.count('\n') > 500, read[-200:])
    for log in logs:
        listed = subprocess.run([SALVOR, 'export', '--to=ndjson', '-o', '-', log],
                                capture_output=True, text=True,
                                check=False).stdout
        lines = [json.loads(line) for line in listed.splitlines()]
        n = sum('log_time' in line for line in lines)
        check('as many records as an export has of ' + log,
              sum(log in line for line in read.splitlines()) == n, n)
    large = Log().declare(0, 'a')
    for _ in range(12):
        large.data(0, bytes(1 << 20))
    (folder / 'large.bddf').write_bytes(large.close())
    said = run(python, '-c', BEHAVES, str(folder / 'patrol.bddf'), cwd=folder)
    for line in said.splitlines():
        check(line, line.startswith('ok '))
    check('it was tried', said.count('ok ') > 15, said)


def pod_file(metadata):
    """An MCAP file with a message whose channel says this of its numbers."""
    return write(Recording('', [], [Channel(1, 0, 'a', 'pod', tuple(
        metadata.items()))], [Message(1, 0, 1, 1, b'12345678')]), STYLES['cpp'])


def strange(python, folder):
    """Whatever channels are called, and say of their numbers."""
    logs = []
    for number, meta in enumerate(STRANGE):
        logs.append(folder / ('strange-%d.mcap' % number))
        logs[-1].write_bytes(pod_file(meta))
    logs.append(folder / 'strange.bddf')
    logs[-1].write_bytes(Log().declare(0, 'a', more=field(
        7, field(1, b'\xff') + field(2, b'\xfe'))).data(0, b'x').close())
    said = run(python, '-c', OPENS, *logs, cwd=folder)
    check('each is opened', said.count('\n') == len(logs), said[-300:])


def numbers(python, folder):
    """With numpy the numbers are the same."""
    code = ('import salvor\nwith salvor.open("patrol.bddf") as log:\n'
            '  all = list(log.read("battery.*"))\n'
            'print([float(v) for r in all for v in r.values],'
            ' type(all[0].values).__name__)')
    bare = run(python, '-c', code, cwd=folder).split('] ')
    have = subprocess.run([PYTHON, '-c', 'import numpy'], capture_output=True,
                          check=False).returncode == 0
    if not have and not os.environ.get('CI'):
        return
    site = next((folder / 'env/lib').glob('python*/site-packages'))
    full = run(PYTHON, '-c', code, cwd=folder,
               env={**os.environ, 'PYTHONPATH': str(site)}).split('] ')
    check('numpy gives the same', bare[0] == full[0])
    check('lists and arrays', (bare[1].strip(), full[1].strip())
          == ('list', 'ndarray'), (bare[1], full[1]))


def types():
    """The types of the package hold."""
    mypy = shutil.which('mypy', path='/usr/bin:/bin')
    if mypy is None and not os.environ.get('CI'):
        return
    with tempfile.TemporaryDirectory() as cache:
        run(mypy or 'mypy', '--strict', '--cache-dir', cache,
            '--ignore-missing-imports', TOP / 'python/salvor', cwd=cache)


def main():
    """All of it."""
    ready = subprocess.run([PYTHON, '-c', WANTED], capture_output=True,
                           check=False).returncode == 0
    if not ready or not (BUILD / '.libs/libsalvor.so').exists():
        print('check_python.py: skipped: no headers of Python, no setuptools, '
              'or no shared library')
        sys.exit(1 if os.environ.get('CI') and not ready else SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = install(folder)
        walk_through(python, folder)
        as_the_command_line(python, folder)
        numbers(python, folder)
        strange(python, folder)
        check('python -m salvor is the command line', 'salvor 0.' in run(
            python, '-m', 'salvor', '--version'))
    types()
    end()


main()

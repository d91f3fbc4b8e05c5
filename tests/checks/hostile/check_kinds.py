#!/usr/bin/python3
"""What is named where a file of a command's own should be (a journal, a list, a
report) and is none: a FIFO at whose other end nobody is, a socket, a device, a
directory.  None of them keeps salvor waiting where no signal ends it, what
cannot do is refused in one line, and a pipe does where one can.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from support.start import SALVOR, TOP, parts

with parts():
    from tally import check, end

os.environ['COLUMNS'] = '999'  # lines as long as they are

DATA = os.path.join(TOP, 'testdata', 'bddf')
SOON = 20  # seconds; a time after which something hangs

# What names a file: the command line, where "@" is the file; what is read
# more than once, or changed, must be a regular one.
REGULAR = {
    'journal': 'verify --journal=@ log.bddf',
    'journal of a dry run': 'repair -n --journal=@ log.bddf',
    'baseline': 'verify --baseline=@ log.bddf',
    'collect': 'collect @',
    'collect -o': 'collect one -o @'}
STREAMS = {
    'policy': ('verify --policy=@ log.bddf', b'max-lost=100%\n'),
    'files0-from': ('verify --files0-from=@', b'log.bddf\0'),
    'files0-from of list': ('list --files0-from=@', b'log.bddf\0'),
    'files0-from of collect': ('collect --files0-from=@ one', b'log.bddf\0'),
    'report': ('report -o page.html @', None),
    'domain-mapfile': ('verify --domain-mapfile=@ log.bddf',
                       b'0x0 +\n0x0 0x100000000 +\n')}
OUTPUTS = {
    'report': 'verify -q --report=@ log.bddf',
    'sums': 'verify -q --sums=@ log.bddf',
    'html': 'verify -q --html=@ log.bddf',
    'junit': 'verify -q --junit=@ log.bddf',
    'mapfile': 'verify -q --mapfile=@ log.bddf',
    'output': 'repair -q -f -o @ cut.bddf'}
# The other reports may do.
CODES = {'report': 8}
# Of the page it is said that there is none, and of a log what is wrong with it.
MORE = {'report -o page.html @': 1, OUTPUTS['output']: 3}


def command(text, name):
    """The words of a command line."""
    return [SALVOR, *(word.replace('@', name) for word in text.split())]


def run(text, name, cwd, **more):
    """It ends by itself."""
    try:
        return subprocess.run(command(text, name), cwd=cwd, timeout=SOON,
                              capture_output=True, check=False,
                              **{'stdin': subprocess.DEVNULL, **more})
    except subprocess.TimeoutExpired as hung:
        return subprocess.CompletedProcess(hung.cmd, None, hung.stdout,
                                           hung.stderr)


def temporaries(cwd):
    """What was left of something half-done."""
    return [name for name in os.listdir(cwd) if '.salvor-' in name]


def is_refused(what, done, code, kind, more=0):
    """One line says what it is."""
    check('%s: %s is refused' % (what, kind), done.returncode == code
          and done.stderr is not None
          and done.stderr.count(b'\n') == 1 + more
          and done.stderr.count(b': is ' + kind.encode()) == 1
          and done.stdout == b'', done)


def kinds(cwd):
    """What is there, and what it is called."""
    os.mkfifo(os.path.join(cwd, 'fifo'))
    os.mkdir(os.path.join(cwd, 'folder'))
    with socket.socket(socket.AF_UNIX) as s:
        here = os.getcwd()
        os.chdir(cwd)
        s.bind('socket')
        os.chdir(here)
    return {'socket': 'a socket', 'folder': 'a directory',
            '/dev/zero': 'a character device'}


def refuses(cwd, names):
    """What cannot do is refused, and at once."""
    for what, text in REGULAR.items():
        # What is read through is written through.
        odd = {**names, 'fifo': 'a FIFO'} if 'collect -o' != what else {
            'socket': 'a socket', 'folder': 'a directory'}
        for name, kind in odd.items():
            is_refused(what, run(text, name, cwd), 16, kind)
    for what, (text, _) in STREAMS.items():
        for name, kind in names.items():
            is_refused(what, run(text, name, cwd), CODES.get(what, 16), kind,
                       MORE.get(text, 0))
    for what, text in OUTPUTS.items():
        for name in 'socket', 'folder':
            is_refused(what, run(text, name, cwd), 16, names[name],
                       MORE.get(text, 0))
    fd = os.open(os.path.join(cwd, 'folder'), os.O_RDONLY)
    is_refused('standard input', run('verify --policy=@ log.bddf', '-', cwd,
                                     stdin=fd), 16, 'a directory')
    os.close(fd)
    check('nothing half-done is left', temporaries(cwd) == [],
          temporaries(cwd))


def stops(what, text, name, cwd, **more):
    """It waits, and one signal ends it, which leaves nothing."""
    process = subprocess.Popen(command(text, name), cwd=cwd,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               **{'stdin': subprocess.DEVNULL, **more})
    time.sleep(0.3)
    waits = process.poll() is None
    process.send_signal(signal.SIGTERM)
    try:
        code = process.wait(SOON)
    except subprocess.TimeoutExpired:
        code = None
        process.kill()
        process.wait()
    check('%s: waits' % what, waits, code)
    check('%s: SIGTERM ends that' % what, code == -signal.SIGTERM, code)
    check('%s: with nothing left' % what, temporaries(cwd) == [],
          temporaries(cwd))


def waits(cwd):
    """At the other end of a FIFO or a pipe nobody does anything."""
    held, silent = os.pipe()
    for what, (text, _) in STREAMS.items():
        stops(what, text, 'fifo', cwd)
        stops(what + ', standard input', text, '-' if what != 'domain-mapfile'
              else '/dev/stdin', cwd, stdin=held)
    for what, text in OUTPUTS.items():
        stops(what, text, 'fifo', cwd)
        stops(what + ', after another', text + ' --report=other'
              if what not in ('report', 'output') else text, 'fifo', cwd)
    os.close(held)
    os.close(silent)
    # A reader who does not read: the pipe is full before all is written.
    reader = os.open(os.path.join(cwd, 'fifo'), os.O_RDONLY | os.O_NONBLOCK)
    stops('a reader who sleeps', 'repair -q -f -o @ long.bddf', 'fifo', cwd)
    stops('a reader of a page', 'verify -q --html=@ log.bddf', 'fifo', cwd)
    os.close(reader)


def reads(cwd):
    """What can be a pipe may be one, by whatever name."""
    said = run('verify --json @', 'log.bddf', cwd).stdout
    for what, (text, data) in STREAMS.items():
        data = said if data is None else data
        with open(os.path.join(cwd, 'plain'), 'wb') as f:
            f.write(data)
        want = run(text, 'plain', cwd)
        check('%s: of a file' % what, want.returncode == 0, want)
        for name in '-', '/dev/stdin', '/dev/fd/0':
            if (what, name) == ('domain-mapfile', '-'):
                continue
            got = run(text, name, cwd, stdin=None, input=data)
            check('%s: %s' % (what, name), (got.returncode, got.stdout)
                  == (want.returncode, want.stdout), got)
        writer = subprocess.Popen(['sh', '-c', 'sleep 0.5; cat plain >fifo'],
                                  cwd=cwd)
        got = run(text, 'fifo', cwd)
        check('%s: of a FIFO' % what, (got.returncode, got.stdout)
              == (want.returncode, want.stdout), got)
        writer.wait()
    for name in '/dev/null', '-':
        got = run('verify --policy=@ log.bddf', name, cwd)
        check('no rules from ' + name, got.returncode == 0, got)


def writes(cwd):
    """Who reads late still reads all."""
    # The command is in the report: names of the same length.
    for what, text in OUTPUTS.items():
        reader = subprocess.Popen(['sh', '-c', 'sleep 0.5; cat fifo >seen'],
                                  cwd=cwd)
        got = run(text, 'fifo', cwd)
        reader.wait()
        with open(os.path.join(cwd, 'seen'), 'rb') as f:
            seen = f.read()
        want = run(text, 'file', cwd)
        with open(os.path.join(cwd, 'file'), 'rb') as f:
            whole = f.read()
        check('%s: through a FIFO' % what, len(seen) == len(whole) > 0
              and got.returncode == want.returncode,
              (len(seen), len(whole), got))
        os.unlink(os.path.join(cwd, 'file'))
    # More than a pipe holds, and a reader who takes breath.
    reader = subprocess.Popen(
        ['sh', '-c', 'exec <fifo; head -c 100000; sleep 0.5; cat'], cwd=cwd,
        stdout=subprocess.PIPE)
    process = subprocess.Popen(
        command('repair -q -f -o @ long.bddf', 'fifo'), cwd=cwd)
    seen, _ = reader.communicate()
    with open(os.path.join(cwd, 'long.bddf'), 'rb') as f:
        check('a slow reader', seen == f.read() and process.wait() == 0,
              len(seen))


def links(cwd):
    """A symbolic link to nothing is called one."""
    os.symlink('gone', os.path.join(cwd, 'dangling'))
    for text in ('verify @', 'verify --policy=@ log.bddf',
                 'verify --files0-from=@', 'collect @',
                 'verify --baseline=@ log.bddf', 'report -o page.html @'):
        done = run(text, 'dangling', cwd)
        said = done.stdout + done.stderr
        check('a link to nothing: ' + text, b'symbolic link' in said
              and b'"gone"' in said, done)


with tempfile.TemporaryDirectory() as home:
    shutil.copy(os.path.join(DATA, 'good-patrol.bddf'),
                os.path.join(home, 'log.bddf'))
    shutil.copy(os.path.join(DATA, 'bad-cut-patrol.bddf'),
                os.path.join(home, 'cut.bddf'))
    shutil.copy(os.path.join(DATA, 'good-patrol.bddf'),
                os.path.join(home, 'long.bddf'))
    run('verify -qq --journal=@ log.bddf', 'one', home)
    there = kinds(home)
    for test in (lambda cwd: refuses(cwd, there), waits, reads, writes, links):
        test(home)
end()

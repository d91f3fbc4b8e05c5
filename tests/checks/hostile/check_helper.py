#!/usr/bin/python3
"""A command that reads the log for salvor, and one that does not.

- what is read so is judged and repaired like the file itself
- scripts of docs/read-helper.md, over HTTP from a server here; check_s3.py tries
  those for stores
- few ranges of a long log are enough for its index
- whatever a helper does: no wrong output, a sentence that says why, and an end

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import os
import random
import re
import shutil
import sys
import time

from support.start import TOP, parts

with parts():
    import bag_writer
    import range_server
    from built import sanitized
    from shell import content, in_empty_folder, put, run
    from tally import check, end

TROUBLE, USAGE = 8, 16
PER_FORMAT = 3
CONN = bag_writer.Connection(0, '/a', 'std_msgs/String', 'string data')
LONG = 40 << 20  # bytes of a long bag

# A helper that misbehaves, as its first argument says.
HELPER = r'''
import os, sys, time
way, path = sys.argv[1:]
data = open(path, 'rb').read()
out = sys.stdout.buffer

def say(b):
    out.write(b)
    out.flush()

sizes = {'no-size': b'', 'late-size': b'', 'words': b'large\n',
         'negative': b'-1\n', 'empty-line': b'\n', 'no-newline': b'77',
         'padded': b'    %d\n' % len(data),
         'huge': b'99999999999999999999999999\n',
         'vast': b'%d\n' % ((1 << 63) - 1), 'claims': b'%d\n' % (1 << 49),
         'longer': b'%d\n' % (len(data) + 200000),
         'shorter': b'%d\n' % (len(data) // 2), 'zero': b'0\n'}
if way == 'late-size':
    time.sleep(60)
while way == 'spaces':
    say(b' ' * 4096)
say(sizes.get(way, b'%d\n' % len(data)))
if way == 'no-size':
    sys.exit()
n = 0
for line in sys.stdin:
    off, length = map(int, line.split())
    part = data[off:off + length]
    n += 1
    if way == 'dies' and n > 1:
        os._exit(0)
    if way == 'killed':
        os.kill(os.getpid(), 9)
    if way == 'hangs':
        time.sleep(60)
    if way == 'hangs-within':
        say(b'%d\n' % len(part) + part[:100])
        time.sleep(60)
    if way in ('drips', 'drips-spaces'):
        say(b'%d\n' % len(part) if way == 'drips' else b'')
        while True:
            say(b' ')
            time.sleep(.2)
    if way == 'too-much':
        part += b'x' * (length + 1 - len(part))
    if way == 'no-count':
        say(part)
        continue
    if way == 'none':
        part = b''
    if way == 'hole':
        part = part[:max(0, 1000 - off)] if off < 65536 else part
    if way == 'other-bytes':
        part = bytes([part[0] ^ n % 3]) + part[1:]
    if way == 'more-behind':
        say(b'%d\n' % len(part) + part + b'junk')
        continue
    if way == 'closes':
        os.close(1)
        time.sleep(60)
    say(b'%d\n' % len(part) + part)
'''
FAILS = '''no-size late-size words negative empty-line huge vast claims no-newline spaces dies
    killed hangs hangs-within drips drips-spaces too-much no-count more-behind closes'''.split()
READS = 'honest padded longer shorter zero none hole other-bytes'.split()


def report(done):
    """What JSON says of the log."""
    said = json.loads(done.stdout.splitlines()[0])
    return {key: value for key, value in said.items()
            if key not in ('made_by', 'history')}


def clean():
    """Remove what a repair wrote."""
    for name in 'out', 'out.salvor.json', 'file-out', 'file-out.salvor.json':
        if os.path.exists(name):
            os.unlink(name)


def scripts():
    """The helpers of the page, as files."""
    text = content(os.path.join(TOP, 'docs', 'read-helper.md')).decode()
    for name, body in ((re.search(r'# (\S+-helper\.\w+) ', body).group(1), body)
                       for body in re.findall(r'```(?:sh|python)\n(.*?)```',
                                              text, re.DOTALL)):
        put(name, body, 0o755)
        yield name


def as_the_file(helper, name, log='log'):
    """Each job says and writes the same with a helper."""
    clean()
    for job in 'verify', 'info':
        of_file = run(job, '--json', 'log')
        done = run(job, '--json', '--read-helper=' + helper, log)
        same = dict(report(of_file), file=log)
        check('%s: %s: the same code' % (name, job),
              done.returncode == of_file.returncode, done)
        for key, value in report(done).items():
            check('%s: %s: the same %s' % (name, job, key),
                  value == same[key] or key in ('output', 'backup'),
                  (value, same[key]))
    of_file = run('repair', '-qq', '-o', 'file-out', 'log')
    done = run('repair', '-qq', '--read-helper=' + helper, '-o', 'out', log)
    check(name + ': repair: the same code',
          done.returncode == of_file.returncode, (of_file, done))
    check(name + ': the same output', content('out') == content('file-out'))


def recipes(have):
    """Each script of the page reads a log."""
    shutil.copy(os.path.join(TOP, 'testdata/bddf/bad-cut-patrol.bddf'), 'log')
    check('there are recipes', have == [
        'http-helper.sh', 's3-helper.sh', 'rclone-helper.sh',
        'file-helper.py'], have)
    as_the_file('./file-helper.py log; :', 'with other words', 'x y')
    if shutil.which('curl') is None:
        check('there is curl', not os.environ.get('CI'))
        return
    url = range_server.start()
    as_the_file('./http-helper.sh', 'HTTP', url + 'log')
    done = run('verify', '--read-helper=./http-helper.sh', url + 'missing')
    check('missing', done.returncode == TROUBLE
          and b'before it said a size' in done.stderr, done)


def formats():
    """Some logs of each format."""
    rng = random.Random(3)
    for folder in sorted(os.listdir(os.path.join(TOP, 'testdata'))):
        folder = os.path.join(TOP, 'testdata', folder)
        names = sorted(name for name in os.listdir(folder) if os.path.isfile(
            os.path.join(folder, name)) and not name.endswith(('.md', '.txt')))
        for name in rng.sample(names, min(PER_FORMAT, len(names))):
            shutil.copy(os.path.join(folder, name), 'log')
            as_the_file('./file-helper.py', name)


def long_log():
    """The index of a long bag takes few bytes of it."""
    body = bytes(range(256)) * 400
    with open('log', 'wb') as f:
        f.write(bag_writer.write([CONN], [
            bag_writer.Message(0, 1 + i, 0, body)
            for i in range(LONG // len(body))]))
    size = os.path.getsize('log')
    for job, least, most in ('info', 0, 4 << 20), ('verify', size, 2 * size):
        del range_server.Handler.asked[:]
        done = run(job, '--read-helper=tee -a asked | python3 file-helper.py',
                   'log')
        asked = [int(line.split()[1]) for line in
                 content('asked').decode().split('\n')[:-1]]
        os.unlink('asked')
        check(job + ' of a long log', done.returncode == 0, done)
        check(job + ': how much is read', least <= sum(asked) <= most,
              (sum(asked), size))
        check(job + ': in how many ranges', len(asked) <= 100, asked)


def misbehave(way):
    """A helper that does not do what it should."""
    clean()
    began = time.monotonic()
    done = run('repair', '--read-timeout=1', '-o', 'out', '--read-helper=%s '
               'helper.py %s' % (sys.executable, way), 'log', timeout=50)
    check(way + ': ends in time', time.monotonic() - began < 20)
    check(way + ': no signal', 0 <= done.returncode < 128, done)
    check(way + ': nothing left', not [
        name for name in os.listdir('.') if name.startswith('.salvor-')])
    if way in FAILS:
        check(way + ': fails', done.returncode == TROUBLE, done)
        check(way + ': says why', b'--read-helper: ' in done.stderr, done)
        check(way + ': for the time', not way.startswith('drips')
              or b'--read-timeout' in done.stderr, done)
        check(way + ': no output', content('out') is None)
    elif content('out') is None:
        check(way + ': why there is no output', done.returncode != 0, done)
    else:
        again = run('verify', '-qq', 'out')
        check(way + ': the output is sound', again.returncode == 0, again)
        # Its records are those of the log: a repair invents nothing.
        check(way + ': the output is of the log', way in ('honest', 'padded')
              or done.returncode & 3, done)
    if way in ('honest', 'padded'):
        check(way + ': as the file', done.returncode == 0
              and content('out') == content('log'), done)
    if way == 'hole':
        done = run('verify', '--json', '--read-helper=%s helper.py hole' %
                   sys.executable, 'log')
        check('hole: unreadable', b'"core.unreadable"' in done.stdout, done)


def little_memory():
    """What is kept of the log may be more than the limit: that is said."""
    if sanitized():
        return
    with open('log', 'wb') as f:
        f.write(bag_writer.write([CONN], [bag_writer.Message(0, 1, 0, bytes(LONG))]))
    done = run('verify', '--max-memory=16M', '--read-helper=./file-helper.py',
               'log')
    check('little memory: the limit', done.returncode == 32, done)
    check('little memory: why', b'--read-helper: no memory' in done.stderr, done)


def usage():
    """What does not go together."""
    for args in (['verify', 'log', 'log'], ['verify', '-r', '.'],
                 ['repair', '--in-place', 'log'], ['verify', '-j', '2', 'log']):
        done = run(*args, '--read-helper=./file-helper.py')
        check('%s' % args, done.returncode == USAGE, done)
    done = run('list', '--read-helper=x', 'log')
    check('not for list', done.returncode == USAGE, done)


def main():
    """All of it, in an empty folder."""
    recipes(list(scripts()))
    formats()
    long_log()
    put('helper.py', HELPER)
    for way in FAILS + READS:
        misbehave(way)
    little_memory()
    usage()
    end()


in_empty_folder(main)

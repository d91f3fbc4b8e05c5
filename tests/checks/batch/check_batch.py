#!/usr/bin/python3
"""Many files: which ones are found, that it does not matter how many processes
work on them nor how often the run is killed, and that one bad file costs the
others nothing.

SALVOR_LONG=1: 5,000 files in place of some hundred.
"""
import collections
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

from support.start import parts

with parts():
    import archive
    from archive import (
        DATA, SALVOR, fill, lines, run, settled, tree, unsigned)
    from schema import BY_TYPE
    from tally import check, end

FILES = 5000 if os.environ.get('SALVOR_LONG') else 700
KILLS = 10
ROW = 1500   # files, more than may wait for one to be told of


def repair(out, *args, cwd):
    """Always to the same name, so that the reports can be compared."""
    shutil.rmtree(os.path.join(cwd, 'out'), ignore_errors=True)
    os.mkdir(os.path.join(cwd, 'out'))
    done = run('repair', '-r', '-d', 'out', '--json', *args, 'in', cwd=cwd)
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(os.path.join(cwd, 'out'), out)
    return done


def same_for_all(cwd):
    """Whatever -j: the same outputs, reports and texts."""
    one = repair(os.path.join(cwd, 'one'), '-j1', cwd=cwd)
    want = tree(os.path.join(cwd, 'one'))
    check('a batch repairs', len(want) > FILES / 4, len(want))
    for jobs in '2', '5':
        other = repair(os.path.join(cwd, 'other'), '-j' + jobs, cwd=cwd)
        check('-j%s: the same code' % jobs,
              other.returncode == one.returncode, other.returncode)
        check('-j%s: the same report' % jobs, other.stdout == one.stdout)
        check('-j%s: the same text' % jobs, other.stderr == one.stderr)
        check('-j%s: the same outputs' % jobs,
              tree(os.path.join(cwd, 'other')) == want)
    totals = lines(one.stdout)[-1]
    states = collections.Counter(
        r['state'] for r in lines(one.stdout)[:-1])
    check('the totals add up', all(
        states.get(state, 0) == n for state, n in totals['states'].items()))
    check('no file that is none of ours is called a log',
          not any(r['file'].endswith('.bin') for r in lines(one.stdout)[:-1]))
    single = run('verify', '--json', *sorted(
        os.path.join(where, name)
        for where, _, names in os.walk(os.path.join(cwd, 'in'))
        for name in names))
    alone = {os.path.basename(r['file']): r['bytes']
             for r in lines(single.stdout)[:-1]}
    check('a file is judged as it is alone', all(
        alone[os.path.basename(r['file'])] == r['bytes']
        for r in lines(run('verify', '-r', '-j3', '--json', 'in',
                           cwd=cwd).stdout)[:-1]))
    return one, want


def reports(data):
    """Those of a run, in which it is not told who wrote an output first."""
    told = lines(data)
    for r in told:
        if r.get('output'):
            r['output'].pop('outcome')
    return told


def killed(cwd):
    """A run that is killed and begun again does what one does at once."""
    repair(os.path.join(cwd, 'one'), '-j2', '--journal=at-once', cwd=cwd)
    want = tree(os.path.join(cwd, 'one'))
    shutil.rmtree(os.path.join(cwd, 'out'))
    os.mkdir(os.path.join(cwd, 'out'))
    # The report of a whole run with the digests that a journal asks for.
    whole = run('repair', '-r', '-d', 'out', '--json', '--hash=sha256', 'in',
                cwd=cwd)
    shutil.rmtree(os.path.join(cwd, 'out'))
    os.mkdir(os.path.join(cwd, 'out'))
    command = [SALVOR, 'repair', '-r', '-j2', '-d', 'out', '--json',
               '--journal=killed', 'in']
    rng = random.Random(1)
    cut_short = 0
    began = time.monotonic()
    run(*command[1:-2], '--journal=timed', 'in', cwd=cwd)
    takes = time.monotonic() - began
    shutil.rmtree(os.path.join(cwd, 'out'))
    os.mkdir(os.path.join(cwd, 'out'))
    for _ in range(KILLS):
        process = subprocess.Popen(command, cwd=cwd,
                                   stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, takes / KILLS * 1.5))
        process.kill()
        cut_short += process.wait() == -signal.SIGKILL
    check('runs were killed', cut_short > KILLS / 2, cut_short)
    # Workers may be about to end.
    time.sleep(0.3)
    last = run(*command[1:], cwd=cwd)
    check('the last run ends as one at once', last.returncode
          == whole.returncode, last.returncode)
    check('and reports the same', reports(last.stdout)
          == reports(whole.stdout))
    got = {name: data for name, data in
           tree(os.path.join(cwd, 'out')).items() if '.salvor-' not in name}
    check('and leaves the same outputs', {
        n: d for n, d in got.items() if not n.endswith('.json')} == {
        n: d for n, d in want.items() if not n.endswith('.json')},
        set(got) ^ set(want))
    check('and the same journal', settled(os.path.join(cwd, 'killed'))
          == settled(os.path.join(cwd, 'at-once')))
    with open(os.path.join(cwd, 'at-once'), 'rb') as f:
        faults = [e.message for line in f for e in
                  BY_TYPE['journal'].iter_errors(json.loads(line))]
    check('journals fit the schema', not faults, faults[:1])
    again = run(*command[1:], cwd=cwd)
    check('nothing is done twice', b' of these were done before' in
          again.stderr and again.stdout == last.stdout)


def changes(cwd):
    """What is no longer what it was is done again."""
    command = ['repair', '-r', '-d', 'out', '--journal=killed', '--json', 'in']
    journal = os.path.join(cwd, 'killed')

    def grown(*more):
        before = os.path.getsize(journal)
        run(*command[:-1], *more, 'in', cwd=cwd)
        with open(journal, 'rb') as f:
            f.seek(before)
            return [entry['path'] for entry in lines(f.read())]

    check('nothing to do', grown() == [])
    entry = next(e for e in settled(journal) if e['output'])
    os.utime(os.path.join(cwd, entry['path']))
    check('a changed input', grown() == [entry['path']])
    os.unlink(os.path.join(cwd, entry['output']['path']))
    check('a lost output', grown() == [entry['path']])
    check('and it is there again', os.path.exists(
        os.path.join(cwd, entry['output']['path'])))
    check('nothing is old', grown('--recheck-after=1h') == [])
    with open(journal, 'ab') as f:
        f.write(b'{"journal":1,"command":"repair","path":"torn')
    check('a torn line counts for nothing', grown() == [])
    os.utime(os.path.join(cwd, entry['path']))
    grown()
    check('and the next line is one of its own',
          [e['path'] for e in settled(journal)].count(entry['path']) == 1
          and grown() == [])
    done = run('verify', '-r', '--journal=killed', 'in', cwd=cwd)
    check('a journal is of one command', done.returncode & 8
          and b'is not the journal' in done.stderr, done)
    for other in b'Dear\nSir\n', b'Sir', b'{}', b'{"a": 1}', b'[1, 2]', b'7':
        with open(os.path.join(cwd, 'letter'), 'wb') as f:
            f.write(other)
        done = run('repair', '-r', '-d', 'out', '--journal=letter', 'in',
                   cwd=cwd)
        with open(os.path.join(cwd, 'letter'), 'rb') as f:
            check('%s is no journal and stays what it is' % other,
                  done.returncode & 8 and f.read() == other, done.returncode)
    done = run('verify', '-r', '-j2', '--journal=/dev/full', 'in', cwd=cwd)
    check('a device is no journal', done.returncode == 16
          and b'regular file' in done.stderr, done.stderr[-300:])
    full(cwd)


def full(cwd):
    """A journal that cannot grow stops the run; with room it goes on."""
    def most():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

    command = ['verify', '-r', '-j2', '--json', '--journal=full', 'in']
    done = run(*command, cwd=cwd, preexec_fn=most)
    told = lines(done.stdout)[-1]
    check('a full disk under a journal stops it', done.returncode & 8
          and b'cannot be written to' in done.stderr
          and told['done'] < told['files'], done.stderr[-300:])
    said = [line for line in done.stderr.splitlines()
            if b'written to' in line]
    with open(os.path.join(cwd, 'full'), 'rb') as f:
        whole = f.read().count(b'\n')
    counts = re.search(rb'; of the files of this run (\d+) are in it, '
                       rb'(\d+) were done and are not, (\d+) are not done yet; ',
                       said[0])
    numbers = [int(n) for n in counts.groups()] if counts else [0, 0, 0]
    check('one line says how far it came', len(said) == 1
          and said[0].startswith(b'salvor: full: ') and b'make room' in said[0]
          and numbers[0] == whole and numbers[1] > 0
          and sum(numbers) == len(tree(os.path.join(cwd, 'in'))), (
              said, whole))
    done = run(*command, cwd=cwd)
    check('and with room it goes on', b'were done before' in done.stderr
          and not done.returncode & 8
          and lines(done.stdout)[-1] == lines(
              run('verify', '-r', '--json', 'in', cwd=cwd).stdout)[-1])


def workers_of(process):
    with open('/proc/%d/task/%d/children' % (process.pid, process.pid),
              encoding='ascii') as f:
        return [int(pid) for pid in f.read().split()]


def stands_still(pid):
    """Wait until a process waits for something."""
    before = None
    while True:
        with open('/proc/%d/stat' % pid, encoding='ascii') as f:
            now = f.read().rpartition(')')[2].split()
        if now[0] == 'S' and now == before:
            return
        before = now
        time.sleep(0.1)


def idle(cwd):
    """A worker that dies when it has nothing to do costs nothing."""
    process = subprocess.Popen(
        [SALVOR, 'verify', '-r', '-j2', '--json', 'in'], cwd=cwd,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
        stdin=subprocess.DEVNULL)
    # It has begun, and stands still until its output is read.
    head = process.stdout.read(1000)
    workers = workers_of(process)
    for pid in workers:
        stands_still(pid)
        os.kill(pid, signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    check('workers were there', len(workers) == 2, workers)
    check('idle ones cost no file', unsigned(head + out) == run(
        'verify', '-r', '-j2', '--json', 'in', cwd=cwd).stdout, err[-300:])


def accidents(cwd):
    """A worker that dies or hangs costs the file it held."""
    names = {'crash': ('ended by signal 11', 8),
             'kill': ('ended by signal 9', 8),
             'hang': ('took longer than 1 s', 32),
             'unreadable': ('Input/output error', 8)}
    env = archive.accidents(cwd)
    for name in names:
        shutil.copy(os.path.join(DATA, 'bddf', 'good-patrol.bddf'),
                    os.path.join(cwd, 'in', 'robot-0', name + '.bddf'))
    for name, (text, stands) in names.items():
        done = run('verify', '-r', '-j2', '--json', '--timeout=1',
                   *('--exclude=' + other + '.*' for other in names
                     if other != name), 'in', cwd=cwd, env=env)
        told = lines(done.stdout)
        failed = [r for r in told if r['type'] == 'error'
                  or r.get('state') == 'failed']
        check('%s: one file failed' % name, len(failed) == 1
              and text in json.dumps(failed[0])
              and name in failed[0]['file'], failed)
        check('%s: that is told' % name, done.returncode & stands and
              text.encode() in done.stderr, done.stderr[-300:])
        check('%s: all others are judged' % name,
              told[-1]['done'] == told[-1]['files']
              and told[-1]['states']['failed'] == 1, told[-1])
    run('verify', '-r', '-j2', '--timeout=1', '--journal=hung', 'in', cwd=cwd,
        env=env)
    command = 'verify', '-r', '--json', '--journal=hung', 'in'
    told = lines(run(*command, cwd=cwd).stdout)
    check('a failure is not done again', told[-1]['states']['failed'] == 4)
    told = lines(run(*command, '--retry', cwd=cwd).stdout)
    check('but with --retry it is', told[-1]['states']['failed'] == 0)
    done = run('verify', '-r', '-j2', '--max-memory=1K', 'in', cwd=cwd)
    check('without memory all fail and nothing hangs', done.returncode & 32,
          done.returncode)
    check('and the limit is named', b'--max-memory' in done.stderr,
          done.stderr[-300:])
    for name in names:
        os.unlink(os.path.join(cwd, 'in', 'robot-0', name + '.bddf'))


def orphans(cwd):
    """When a run is killed, nobody keeps the next one from its journal, and
    a worker that hangs ends by itself."""
    hangs = os.path.join(cwd, 'in', 'hang.bddf')
    shutil.copy(os.path.join(DATA, 'bddf', 'good-patrol.bddf'), hangs)
    command = [SALVOR, 'verify', '-r', '-j2', '-qq', '--journal=orphans']
    process = subprocess.Popen([*command, 'in'], cwd=cwd,
                               env=archive.accidents(cwd),
                               stdin=subprocess.DEVNULL)
    workers = []
    while len(workers) < 2 or not os.path.getsize(
            os.path.join(cwd, 'orphans')):
        time.sleep(0.05)
        workers = workers_of(process)
    process.kill()
    process.wait()
    done = run(*command[1:], '-q', 'in', cwd=cwd)
    check('a killed run leaves its journal free', not done.returncode & 8,
          done.stderr)
    left = workers
    for _ in range(100):
        left = [pid for pid in left if os.path.exists('/proc/%d/exe' % pid)]
        if left:
            time.sleep(0.1)
    check('and no process', not left, left)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    os.unlink(hangs)


def together(cwd):
    """Two runs write to one tree: none takes the folders from the other."""
    log = os.path.join(DATA, 'bddf', 'good-patrol.bddf')
    with open(log, 'rb') as f:
        cut = f.read()[:-1000]
    for name in 'one/x', 'two/x/deep', 'both':
        os.makedirs(os.path.join(cwd, name))
    for name in 'one/x/a.bddf', 'one/x/hang.bddf', 'two/x/deep/b.bddf':
        shutil.copy(log, os.path.join(cwd, name))
    with open(os.path.join(cwd, 'one/x/z.bddf'), 'wb') as f:
        f.write(cut)
    with subprocess.Popen(
            [SALVOR, 'repair', '-r', '-j1', '-qq', '--timeout=2',
             '--journal=first', '-d', 'both', 'one'], cwd=cwd,
            env=archive.accidents(cwd), stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL) as first:
        while not os.path.exists(os.path.join(cwd, 'first')) \
                or not os.path.getsize(os.path.join(cwd, 'first')):
            time.sleep(0.02)
        second = run('repair', '-r', '-d', 'both', 'two', cwd=cwd)
        check('together: nothing to write', second.returncode == 0
              and not os.path.exists(os.path.join(cwd, 'both/x/deep')),
              second.stderr)
        first.wait()
    check('together: what was to be written is', sorted(
        tree(os.path.join(cwd, 'both'))) == [
            'x/z.bddf', 'x/z.bddf.salvor.json'],
          tree(os.path.join(cwd, 'both')).keys())
    check('together: and nothing failed but what hung',
          first.returncode & ~3 == 32, first.returncode)


def behind(cwd):
    """Files that are done wait for an earlier one, and only so many: then the
    others wait, and go on when it is told of."""
    os.mkdir(os.path.join(cwd, 'row'))
    log = os.path.join(DATA, 'bddf', 'good-tiny.bddf')
    for i in range(ROW):
        shutil.copy(log, os.path.join(cwd, 'row', 'log-%04d.bddf' % i))
    os.rename(os.path.join(cwd, 'row', 'log-0000.bddf'),
              os.path.join(cwd, 'row', 'hang.bddf'))
    for jobs in '1', '3':
        done = run('verify', '-j' + jobs, '--timeout=2', '--json', '-r',
                   'row', cwd=cwd, env=archive.accidents(cwd))
        told = lines(done.stdout)
        check('-j%s: all behind one that hangs' % jobs,
              [r.get('file') for r in told[:-1]] == ['row/hang.bddf'] + [
                  'row/log-%04d.bddf' % i for i in range(1, ROW)]
              and told[-1]['states']['failed'] == 1
              and told[-1]['done'] == ROW, told[-1])
    shutil.rmtree(os.path.join(cwd, 'row'))


def stopped(cwd):
    """One SIGINT ends it with a summary and leaves no temporary."""
    shutil.rmtree(os.path.join(cwd, 'out'))
    os.mkdir(os.path.join(cwd, 'out'))
    process = subprocess.Popen(
        [SALVOR, 'repair', '-r', '-j2', '-d', 'out', '--json', 'in'], cwd=cwd,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
        stdin=subprocess.DEVNULL)
    head = process.stdout.read(1000)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    told = lines(head + out)
    check('SIGINT ends a batch', process.returncode == -signal.SIGINT,
          process.returncode)
    check('with a summary', told[-1]['type'] == 'totals'
          and told[-1]['done'] < told[-1]['files'] and re.search(rb' files? of ', err),
          told[-1])
    check('and leaves nothing half-done', not any(
        '.salvor-' in name for name in tree(os.path.join(cwd, 'out'))))


def found(cwd, *args):
    """Which files a run takes."""
    done = run('verify', '--json', *args, cwd=cwd)
    return [r['file'] for r in lines(done.stdout) if r['type'] == 'file']


def searches():
    with tempfile.TemporaryDirectory() as cwd:
        good = os.path.join(DATA, 'bddf', 'good-patrol.bddf')
        os.makedirs(os.path.join(cwd, 'in', 'b', 'old'))
        os.makedirs(os.path.join(cwd, 'in', 'out'))
        for name in ('b/two', 'b/old/one.bddf', 'a.bag', 'c.repaired.bddf',
                     'c.bddf.salvor-undo', 'd\n.bddf', 'out/z.bddf'):
            shutil.copy(good, os.path.join(cwd, 'in', name))
        os.symlink('b', os.path.join(cwd, 'in', 'link'))
        os.symlink('a.bag', os.path.join(cwd, 'in', 'link.bddf'))
        os.mkfifo(os.path.join(cwd, 'in', 'fifo'))
        every = ['in/a.bag', 'in/b/old/one.bddf', 'in/b/two', 'in/d\n.bddf',
                 'in/out/z.bddf']
        check('all logs, in order', found(cwd, '-r', 'in') == every)
        check('with a slash', found(cwd, '-r', 'in/') == every)
        check('--include', found(cwd, '-r', '--include=*.bag',
                                 '--include=t*', 'in')
              == ['in/a.bag', 'in/b/two'])
        check('--exclude', found(cwd, '-r', '--exclude=old', '--exclude=out',
                                 'in')
              == ['in/a.bag', 'in/b/two', 'in/d\n.bddf'])
        check('--min-age', found(cwd, '-r', '--min-age=1h', 'in') == [])
        os.utime(os.path.join(cwd, 'in', 'a.bag'), (1e9, 1e9))
        check('what is older', found(cwd, '-r', '--min-age=1h', 'in')
              == ['in/a.bag'])
        with open(os.path.join(cwd, 'list'), 'wb') as f:
            f.write(b'in/a.bag\0in/d\n.bddf')
        check('--files0-from', found(cwd, '--files0-from=list')
              == ['in/a.bag', 'in/d\n.bddf'])
        with open(os.path.join(cwd, 'list'), 'wb') as f:
            f.write(b'in/a.bag.salvor.json\0in/a.bag\0in/b/two.salvor-undo\0'
                    b'in/a.bag.salvor-undo')
        check('--files0-from: no reports of logs in the list',
              found(cwd, '--files0-from=list')
              == ['in/a.bag', 'in/b/two.salvor-undo'])
        with open(os.path.join(cwd, 'list'), 'wb') as f:
            f.write(b'in/a.bag\0in/d\n.bddf')
        check('with operands', found(cwd, '-j2', '--files0-from=list',
                                     'in/b/two')
              == ['in/b/two', 'in/a.bag', 'in/d\n.bddf'])
        done = run('verify', 'in', '-j2', cwd=cwd)
        check('a folder needs -r', done.returncode == 16
              and b'-r takes' in done.stderr, done)
        os.mkdir(os.path.join(cwd, 'in2'))
        shutil.copy(good, os.path.join(cwd, 'in2', 'a.bag'))
        done = run('repair', '-r', '-d', 'in/out', 'in', 'in2', cwd=cwd)
        check('two outputs of one name', done.returncode == 16
              and b'would be written' in done.stderr, done)
        shards = [found(cwd, '-r', '--shard=%d/3' % i, 'in')
                  for i in (1, 2, 3)]
        check('shards are the whole', sorted(sum(shards, [])) == sorted(every))
        for names in ({'SLURM_ARRAY_TASK_ID': '8', 'SLURM_ARRAY_TASK_MIN':
                       '4', 'SLURM_ARRAY_TASK_STEP': '2',
                       'SLURM_ARRAY_TASK_COUNT': '3'},
                      {'AWS_BATCH_JOB_ARRAY_INDEX': '2',
                       'AWS_BATCH_JOB_ARRAY_SIZE': '3'}):
            done = run('verify', '-r', '--shard=auto', '--json', 'in', cwd=cwd,
                       env={**os.environ, **names})
            check('a task of %s' % min(names), [
                r['file'] for r in lines(done.stdout) if r['type'] == 'file']
                == shards[2])
        done = run('verify', '-r', '--shard=auto/3', '--json', 'in', cwd=cwd,
                   env={**os.environ, 'JOB_COMPLETION_INDEX': '2'})
        check('a task of Kubernetes', [
            r['file'] for r in lines(done.stdout) if r['type'] == 'file']
            == shards[2])
        for bad in '0/3', '4/3', '1/0', '1', 'auto', 'auto/', '/3', '1/2/3':
            check('--shard=%s is none' % bad, run(
                'verify', '-r', '--shard=' + bad, 'in', cwd=cwd,
                env={'PATH': os.environ['PATH']}).returncode == 16)


for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    signal.signal(number, signal.SIG_DFL)
with tempfile.TemporaryDirectory() as home:
    fill(os.path.join(home, 'in'), FILES)
    for test in (same_for_all, killed, changes, idle, accidents,
                 orphans, behind, stopped, together):
        test(home)
searches()
end()

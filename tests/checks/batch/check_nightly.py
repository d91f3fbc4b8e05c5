#!/usr/bin/python3
"""What a night has time for: a share of the archive, another one each time
(--subset), no more than so long (--max-duration), and outputs that are read
again (--revalidate)."""
import os
import shutil
import tempfile
import time

from support.start import parts

with parts():
    import archive
    from archive import DATA, fill, lines, run
    from tally import check, end

FILES = 120


def told(done):
    """The files that a run tells of."""
    return [r['file'] for r in lines(done.stdout) if r['type'] == 'file']


def verify(cwd, *args):
    """An audit."""
    return run('verify', '-r', '--json', *args, 'in', cwd=cwd)


def shares(cwd, every):
    """I/N, and a share by the day."""
    some = [told(verify(cwd, '--subset=%d/7' % i)) for i in range(1, 8)]
    check('parts are the whole', sorted(sum(some, [])) == sorted(every))
    check('and none is all', all(0 < len(part) < len(every) / 2
                                 for part in some), [len(p) for p in some])
    while True:
        day = int(time.time() // 86400)
        today = told(verify(cwd, '--subset=25%'))
        if day == int(time.time() // 86400):
            break
    check('a share is one', 0 < len(today) < len(every) / 2
          and set(today) <= set(every))
    check('what is left is counted', b'left for other turns' in
          verify(cwd, '--subset=25%').stderr)
    shards = [told(verify(cwd, '--subset=2/7', '--shard=%d/3' % i))
              for i in (1, 2, 3)]
    check('shards of a part are the part',
          sorted(sum(shards, [])) == sorted(some[1]))
    check('nonsense is refused', run('verify', '-r', '--subset=5', 'in',
                                     cwd=cwd).returncode == 16)


def turns(cwd, every):
    """With a journal those that have waited longest."""
    command = '--subset=25%', '--journal=turns'
    seen = []
    for night in range(4):
        if night == 2:
            # A log that is new has waited longest of all.
            shutil.copy(os.path.join(DATA, 'bddf', 'good-patrol.bddf'),
                        os.path.join(cwd, 'in', 'new.bddf'))
        done = verify(cwd, *command)
        night_s = told(done)
        if night == 2:
            check('what is new comes first', 'in/new.bddf' in night_s)
            night_s.remove('in/new.bddf')
        check('night %d has a quarter' % night,
              len(every) / 5 < len(night_s) < len(every) / 3.5, len(night_s))
        # The last one has room for one more: 121 files are not four times 30.
        check('and nothing twice', len(set(night_s) & set(seen)) <= night // 3)
        seen += night_s
        # The journal counts in seconds.
        time.sleep(1.1)
    check('together they are the whole', set(seen) == set(every),
          set(every) - set(seen))
    again = told(verify(cwd, *command))
    check('then it begins again', len(set(again) & set(seen[:30]))
          >= len(again) - 2, again)
    again = verify(cwd, *command, '--recheck-after=30d')
    check('unless it is too early', b'of these were done before'
          in again.stderr, again.stderr[-300:])
    os.unlink(os.path.join(cwd, 'in', 'new.bddf'))


def durations(cwd, every):
    """No file is begun after the time, and those begun are ended."""
    hangs = os.path.join(cwd, 'in', 'hang.bddf')
    shutil.copy(os.path.join(DATA, 'bddf', 'good-patrol.bddf'), hangs)
    began = time.monotonic()
    done = run('verify', '-r', '-j1', '--json', '--max-duration=1',
               '--timeout=2', '--journal=short', 'in', cwd=cwd,
               env=archive.accidents(cwd))
    took = time.monotonic() - began
    files = told(done)
    left = len(every) - len(files)
    check('what was begun is ended', any(
        r['type'] == 'error' and 'took longer' in r['text']
        for r in lines(done.stdout)), done.stderr[-500:])
    check('and then it stops', took < 20 and done.returncode & 32
          and left > 0, (took, left))
    totals = lines(done.stdout)[-1]
    check('with totals', totals['files'] > totals['done'] == len(files) + 1,
          totals)
    check('and how many are left', b'left to do: the time is over'
          in done.stderr, done.stderr[-500:])
    os.unlink(hangs)
    whole = verify(cwd)
    done = verify(cwd, '--journal=short', '--max-duration=1h')
    check('the next run does the others', done.stdout == whole.stdout
          and b'left to do' not in done.stderr
          and done.returncode == whole.returncode, done.stderr[-500:])
    done = run('verify', '-r', '--max-duration=1h', '--journal=short',
               '--json', 'in', cwd=cwd)
    check('with nothing left there is no code', not done.returncode & 32)


def revalidates(cwd):
    """An output that rots is noticed."""
    out = os.path.join(cwd, 'out')
    os.mkdir(out)
    command = ['repair', '-r', '-j2', '-d', 'out', '--journal=out.journal',
               '--json']
    first = run(*command, 'in', cwd=cwd)
    with open(os.path.join(cwd, 'out.journal'), 'rb') as f:
        entry = [e for e in lines(f.read()) if e['output']][3]
    path = os.path.join(cwd, entry['output']['path'])
    now = os.stat(path)
    with open(path, 'r+b') as f:
        f.seek(now.st_size // 2)
        old = f.read(1)
        f.seek(now.st_size // 2)
        f.write(bytes([old[0] ^ 1]))
    os.utime(path, ns=(now.st_atime_ns, now.st_mtime_ns))
    done = run(*command, 'in', cwd=cwd)
    check('rot is not seen without reading', done.stdout == first.stdout)
    done = run(*command, '--revalidate', 'in', cwd=cwd)
    failed = [r['file'] for r in lines(done.stdout)
              if r['type'] == 'file' and r['error']]
    check('it is with --revalidate', failed == [entry['path']]
          and done.returncode & 8, failed)
    n = len([r for r in lines(done.stdout) if r['type'] == 'file'])
    before = [line for line in done.stderr.splitlines()
              if b'done before' in line]
    check('the others are left as they are', before and n - 20 < int(
        before[0].split()[0]) , before)
    done = run(*command, '--revalidate', '--retry', '-f', 'in', cwd=cwd)
    with open(path, 'rb') as f:
        f.seek(now.st_size // 2)
        check('-f puts it right', f.read(1) == old)
    done = run(*command, '--revalidate', 'in', cwd=cwd)
    check('and then all is well', [r['state'] for r in lines(done.stdout)[:-1]]
          == [r['state'] for r in lines(first.stdout)[:-1]])
    check('it needs a journal', run('repair', '-r', '--revalidate', 'in',
                                    cwd=cwd).returncode == 16)


with tempfile.TemporaryDirectory() as home:
    fill(os.path.join(home, 'in'), FILES)
    logs = told(verify(home))
    shares(home, logs)
    turns(home, logs)
    durations(home, logs)
    revalidates(home)
end()

#!/usr/bin/python3
"""salvor collect: the journals of many machines say together what one run over
all of it says, what nobody did, and where two machines do not agree."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile

from support.start import parts

with parts():
    from archive import DATA, SALVOR, fill, lines, run, settled, tree, unsigned
    from built import sanitized
    from schema import fault_of
    from tally import check, end

FILES = 200
SHORT = not os.environ.get('SALVOR_LONG')
SHARDS = 3


def shard(cwd, i, journal, *args):
    """The run of one machine."""
    return run('verify', '-r', '-j1', '-qq', '--shard=%d/%d' % (i, SHARDS),
               '--journal=' + journal, *args, 'in', cwd=cwd)


def missing(done):
    """What nobody did, and why."""
    return {r['file']: r['reason'] for r in lines(done.stdout)
            if r['type'] == 'missing'}


def agrees(cwd, whole):
    """The collected report is that of one run."""
    journals = ['part-%d' % i for i in range(1, SHARDS + 1)]
    for i, name in enumerate(journals):
        shard(cwd, i + 1, name)
    done = run('collect', '-r', 'in', '--json', '-o', 'merged',
               '--report=report', *journals, cwd=cwd)
    check('the same report', done.stdout == whole.stdout)
    check('in a file, too', unsigned(open(
        os.path.join(cwd, 'report'), 'rb').read()) == whole.stdout)
    check('the same code', done.returncode == whole.returncode,
          done.returncode)
    summary = run('verify', '-r', '-q', '--journal=whole', 'in', cwd=cwd)
    want = [line for line in summary.stdout.splitlines()
            if b'done before' not in line]
    got = run('collect', *journals, '-r', 'in', cwd=cwd).stdout.splitlines()
    check('the same summary', got == want, got)
    check('without the archive, too', run('collect', '--json', *journals,
                                          cwd=cwd).stdout == whole.stdout)
    check('in whatever order', run('collect', '--json', *journals[::-1],
                                   cwd=cwd).stdout == whole.stdout)
    check('the same journal', settled(os.path.join(cwd, 'merged'))
          == settled(os.path.join(cwd, 'whole')))
    with open(os.path.join(cwd, 'merged'), encoding='ascii') as f:
        paths = [json.loads(line)['path'] for line in f]
    check('a line for each file, in order', paths == sorted(
        paths, key=lambda path: path.split('/')) and len(paths) == FILES)
    done = run('verify', '-r', '--journal=merged', 'in', cwd=cwd)
    check('which a run goes on with', b'%d  of these were done' % FILES
          in done.stdout, done.stdout[-300:])
    return journals


def repairs(cwd):
    """The same of repairs."""
    os.mkdir(os.path.join(cwd, 'out'))
    whole = run('repair', '-r', '-d', 'out', '--json', '--journal=mended',
                'in', cwd=cwd)
    shutil.rmtree(os.path.join(cwd, 'out'))
    os.mkdir(os.path.join(cwd, 'out'))
    for i in range(1, SHARDS + 1):
        run('repair', '-r', '-d', 'out', '--shard=%d/%d' % (i, SHARDS),
            '--journal=mended-%d' % i, 'in', cwd=cwd)
    done = run('collect', '-r', 'in', '--json', '--html=page.html',
               *('mended-%d' % i for i in range(1, SHARDS + 1)), cwd=cwd)
    check('repairs are reported the same', done.stdout == whole.stdout
          and done.returncode == whole.returncode, done.stderr[-300:])
    with open(os.path.join(cwd, 'page.html'), 'rb') as f:
        check('and make a page', f.read().count(b'id="log-')
              == len(lines(whole.stdout)) - 1)


def at_once(cwd):
    """Two machines that do the same part do each other no harm."""
    want = tree(os.path.join(cwd, 'out'))
    shutil.rmtree(os.path.join(cwd, 'out'))
    os.mkdir(os.path.join(cwd, 'out'))
    both = [subprocess.Popen(
        [SALVOR, 'repair', '-r', '-j1', '-qq', '-d', 'out', '--journal=' + name,
         'in'], cwd=cwd, stdin=subprocess.DEVNULL) for name in ('x1', 'x2')]
    codes = [process.wait(timeout=120) for process in both]
    check('both come to their end', not any(code & 56 for code in codes),
          codes)
    got = tree(os.path.join(cwd, 'out'))
    check('with the same outputs', {
        n: d for n, d in got.items() if not n.endswith('.json')} == {
        n: d for n, d in want.items() if not n.endswith('.json')},
        set(got) ^ set(want))
    done = run('collect', '-r', 'in', '--json', 'x1', 'x2', cwd=cwd)
    check('and do not differ', not done.returncode & 8, done.stderr[-300:])


def many(cwd, whole):
    """More journals than a process may have open."""
    def most():
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    names = ['many-%d' % i for i in range(1, 31)]
    for i, name in enumerate(names):
        run('verify', '-r', '-j1', '-qq', '--shard=%d/30' % (i + 1),
            '--journal=' + name, 'in', cwd=cwd)
    done = run('collect', '--json', *names, cwd=cwd, preexec_fn=most)
    check('many journals', done.stdout == whole.stdout, done.stderr[-300:])


def stopped(cwd, journals):
    """SIGINT ends it, and no journal is half of one."""
    process = subprocess.Popen(
        [SALVOR, 'collect', '--json', '-o', 'half', *journals], cwd=cwd,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, bufsize=0)
    # It has begun, and stands still until its output is read.
    head = process.stdout.read(1000)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    told = lines(head + out)[-1]
    check('SIGINT ends it', process.returncode == -signal.SIGINT
          and told['done'] < told['files'], (process.returncode, told))
    check('without a journal', not os.path.exists(os.path.join(cwd, 'half')))


def lacks(cwd, journals):
    """What nobody did is told."""
    done = run('collect', '-r', 'in', '--json', *journals[:-1], cwd=cwd)
    theirs = {e['path'] for e in settled(os.path.join(cwd, journals[-1]))}
    check('what nobody did', missing(done) == dict.fromkeys(theirs, 'never'))
    check('makes code 8', done.returncode & 8, done.returncode)
    told = lines(done.stdout)
    check('and the totals count it', told[-1]['files'] - told[-1]['done']
          == len(theirs))
    faults = [fault for fault in (fault_of(line)[1] for line in
                                  done.stdout.decode().splitlines()) if fault]
    check('such objects fit the schema', not faults, faults)
    done = run('collect', '-r', 'in', *journals[:-1], cwd=cwd)
    check('people see some', b'nobody did %d:' % len(theirs) in done.stdout
          and b'and %d more' % (len(theirs) - 10) in done.stdout, done.stdout)
    done = run('collect', '-r', './in', *journals, cwd=cwd)
    check('another name of the folder is noticed',
          b'named as it was' in done.stdout, done.stdout[-300:])
    with open(os.path.join(cwd, 'list'), 'wb') as f:
        f.write(b'\0'.join(path.encode() for path in theirs))
    done = run('collect', '--files0-from=list', '--json', *journals[:-1],
               cwd=cwd)
    check('of a list', set(missing(done)) == theirs)
    path = sorted(theirs)[0]
    os.utime(os.path.join(cwd, path), (1, 1))
    done = run('collect', '-r', 'in', '--json', *journals, cwd=cwd)
    check('what was changed since', missing(done) == {path: 'changed'}
          and done.returncode & 8, missing(done))
    # As a task does that is killed in the middle and submitted again.
    name = os.path.join(cwd, journals[-1])
    with open(name, 'rb') as f:
        whole = f.read()
    with open(name, 'wb') as f:
        f.write(whole[:len(whole) // 2])
    done = run('collect', '-r', 'in', '--json', *journals, cwd=cwd)
    check('a torn journal lacks some', 0 < len(missing(done)) < len(theirs))
    shard(cwd, SHARDS, journals[-1])
    done = run('collect', '-r', 'in', '--json', *journals, cwd=cwd)
    check('which are done when it goes on', missing(done) == {}
          and not done.returncode & 8, missing(done))


def differs(cwd, journals):
    """What was done twice must have the same result."""
    rng = random.Random(8)
    shard(cwd, 1, 'again')
    done = run('collect', '--json', *journals, 'again', cwd=cwd)
    check('twice the same is no conflict', not done.returncode & 8)
    with open(os.path.join(cwd, 'again'), encoding='ascii') as f:
        entries = [json.loads(line) for line in f]
    odd = rng.choice([e for e in entries if e['result']['state'] == 'intact'])
    odd['result'] = {'state': 'damaged', 'exit': 4}
    odd['report']['state'] = 'damaged'
    odd['when'] += 100
    failed = rng.choice([e for e in entries if e is not odd
                         and e['result']['state'] == 'damaged'])
    failed['result'] = {'state': 'failed', 'exit': 8}
    failed['report']['state'] = 'failed'
    failed['when'] += 100
    with open(os.path.join(cwd, 'again'), 'w', encoding='ascii') as f:
        for entry in entries:
            f.write(json.dumps(entry, separators=(',', ':')) + '\n')
    done = run('collect', '--json', *journals, 'again', cwd=cwd)
    found = [r for r in lines(done.stdout) if r['type'] == 'conflict']
    check('another result is one', [r['file'] for r in found]
          == [odd['path']] and done.returncode & 8, found)
    check('with both', [(r['journal'], r['state'], r['exit'])
                        for r in found[0]['results']]
          == [('again', 'damaged', 4), (journals[0], 'intact', 0)], found)
    fault = fault_of(json.dumps(found[0]))[1]
    check('which fits the schema', fault is None, fault)
    states = {r['file']: r['state'] for r in lines(done.stdout)
              if r['type'] == 'file'}
    check('the later one counts', states[odd['path']] == 'damaged')
    check('but one that failed does not',
          states[failed['path']] == 'damaged')
    done = run('collect', *journals, 'again', cwd=cwd)
    check('people see it', b'differing results: 1:\n  %s: damaged in again, '
          b'intact in part-1' % odd['path'].encode() in done.stdout,
          done.stdout[-300:])


def costly(cwd, journals):
    """A line that would cost a parser much memory is no line of a journal."""
    name = os.path.join(cwd, 'costly')
    with open(os.path.join(cwd, journals[0]), 'rb') as f:
        whole = f.readlines()
    clean = lines(run('collect', '--json', journals[0], cwd=cwd).stdout)
    n_files = len([r for r in clean if r['type'] == 'file'])
    begin = b'{"journal":1,"command":"verify","path":"x","result":'
    for kind, line in (
            ('many values', begin + b'[' + b'[],' * 3000000 + b'0]}\n'),
            ('deep', begin + b'[' * 1000000 + b']' * 1000000 + b'}\n'),
            ('long', begin + b'"' + b'x' * (65 << 20) + b'"}\n')):
        with open(name, 'wb') as f:
            f.writelines([*whole[:2], line, *whole[2:]])
        with open(os.path.join(cwd, 'said'), 'wb') as said:
            # Not the parent's memory, which the child begins with.
            process = subprocess.Popen(
                [SALVOR, 'collect', '--json', name], cwd=cwd, stdout=said,
                stderr=subprocess.DEVNULL)
            usage = os.wait4(process.pid, 0)[2]
        with open(os.path.join(cwd, 'said'), 'rb') as said:
            found = lines(said.read())
        unread = [r for r in found if r['type'] == 'unread']
        check('%s: told as garbled' % kind, len(unread) == 1
              and unread[0]['line'] == 3 and unread[0]['reason'] == 'garbled',
              unread)
        check('%s: the others are read' % kind, len(
            [r for r in found if r['type'] == 'file']) == n_files, len(found))
        check('%s: within 220 MB' % kind,
              sanitized() or usage.ru_maxrss < 220000, usage.ru_maxrss)
    os.unlink(name)


def garbled(cwd, journals):
    """A line that a disk has changed is told of, wherever it is; one that
    was torn is what a killed run leaves."""
    name = os.path.join(cwd, journals[0])
    with open(name, 'rb') as f:
        whole = f.readlines()
    others = journals[1:]

    def collected(*args, told):
        with open(name, 'wb') as f:
            f.writelines(told)
        return run('collect', *args, journals[0], *others, cwd=cwd)

    path = json.loads(whole[2])['path']
    flipped = whole[2].replace(b'"path"', b'"pa\x00h"', 1)
    foreign = whole[2].replace(b'"command":"verify"', b'"command":"repair"')
    nameless = whole[2].replace(b'"path":', b'"parh":', 1)
    for kind, line, text in (
            ('garbled', flipped, b': line 3 is no line of a journal'),
            ('garbled', b'rubbish\n', b': line 3 is no line of a journal'),
            ('garbled', nameless, b': line 3 is no line of a journal'),
            ('foreign', foreign, b': line 3 is of "salvor repair"')):
        done = collected('--json', told=[*whole[:2], line, *whole[3:]])
        found = [r for r in lines(done.stdout) if r['type'] == 'unread']
        check('%s: told with its number' % kind, found == [{
            'type': 'unread', 'schema': 1, 'journal': journals[0], 'line': 3,
            'reason': kind}] and journals[0].encode() + text in done.stderr
            and done.stderr.count(b' line 3 ') == 1, (line[:80], done.stderr))
        check('%s: makes code 8' % kind, done.returncode & 8, done.returncode)
        check('%s: fits the schema' % kind, found and fault_of(
            json.dumps(found[0]))[1] is None, found)
        done = collected(told=[*whole[:2], line, *whole[3:]])
        check('%s: people see how many' % kind, b'lines that could not be '
              b'used: 1\n' in done.stdout, done.stdout[-300:])
        done = collected('-r', 'in', '--json',
                         told=[*whole[:2], line, *whole[3:]])
        check('%s: what it was about was not done' % kind,
              missing(done) == {path: 'never'}, missing(done))
    done = collected(told=whole + [b'rubbish\n'] * 30)
    check('many: the first ones are told of', done.stderr.count(b': line ')
          == 10 and b'and 20 more lines that could not be used' in
          done.stderr and done.returncode & 8, done.stderr[-300:])
    silent = collected('--json', told=whole)
    for cut in range(1, len(whole[2]) - 1):
        if not SHORT or cut < 40 or cut % 97 == 0 or cut > len(whole[2]) - 9:
            done = collected('--json', told=[
                *whole[:2], whole[2][:cut], b'\n', whole[2], *whole[3:]])
            check('torn after %d bytes: resumed' % cut, done.stdout
                  == silent.stdout and done.returncode == silent.returncode
                  and b'torn' in done.stderr, done.stderr)
    for end in whole[-1][:100], whole[-1][:100] + bytes(500), bytes(500):
        done = collected('--json', told=[*whole, end])
        check('torn at the end: a note', done.stdout == silent.stdout
              and b': line %d is torn' % (len(whole) + 1) in done.stderr
              and done.returncode == silent.returncode, done)
    # A run that goes on does again what it cannot read.
    with open(name, 'wb') as f:
        f.writelines([*whole[:2], b'rubbish\n', *whole[3:]])
    done = shard(cwd, 1, journals[0])
    check('a run says so, too', b': line 3 is no line of a journal'
          in done.stderr and not done.returncode & 8, done)
    done = run('collect', '-r', 'in', '--json', *journals, cwd=cwd)
    check('and does it again', missing(done) == {} and done.returncode & 8,
          missing(done))
    done = run('verify', '-r', '-qq', '--digests', '--journal=kept', 'in',
               cwd=cwd)
    with open(os.path.join(cwd, 'kept'), 'ab') as f:
        f.write(b'rubbish\n')
    done = run('verify', '-r', '-qq', '--baseline=kept', 'in', cwd=cwd)
    check('of a baseline as well', b'kept: line %d is no line' % (FILES + 1)
          in done.stderr, done)
    with open(name, 'wb') as f:
        f.writelines(whole)


def names(cwd):
    """Files that were named count as such, and any name is one."""
    os.mkdir(os.path.join(cwd, 'odd'))
    good = os.path.join(DATA, 'bddf', 'good-patrol.bddf')
    for name in b'a', b'a.b', b'a b', b'\xff', b'\xfe\n', b'{"path":"a"}':
        shutil.copy(good, os.path.join(cwd.encode(), b'odd', name))
    os.mkdir(os.path.join(cwd, 'odd', 'c'))
    shutil.copy(good, os.path.join(cwd, 'odd', 'c', 'd'))
    shutil.copy(good, os.path.join(cwd, 'odd', 'c.d'))
    with open(os.path.join(cwd, 'odd', 'junk'), 'wb') as f:
        f.write(b'no log')
    whole = run('verify', '-r', '--json', '--journal=o1', 'odd', cwd=cwd)
    done = run('collect', '--json', 'o1', cwd=cwd)
    check('whatever names', done.stdout == whole.stdout, done.stdout[-300:])
    check('and with the folder', run('collect', '--json', 'o1', '-r', 'odd',
                                     cwd=cwd).stdout == whole.stdout)
    whole = run('verify', '--json', '--journal=o2', 'odd/a', 'odd/junk',
                cwd=cwd)
    done = run('collect', '--json', 'o2', cwd=cwd)
    check('what is no log and was named', done.stdout == whole.stdout
          and done.returncode == whole.returncode, done.stdout[-300:])


def sets(cwd):
    """Segments that several machines have had are held against each other
    where they are all there."""
    os.mkdir(os.path.join(cwd, 's'))
    for name in 's/x_0.bddf', 's/x_1.bddf', 's/x_3.bddf', 's/y_1.bddf':
        shutil.copy(os.path.join(DATA, 'bddf', 'good-patrol.bddf'),
                    os.path.join(cwd, name))
    journals = ['set-%d' % i for i in (1, 2)]
    for i, name in enumerate(journals):
        run('verify', '-r', '-qq', '--shard=%d/2' % (i + 1),
            '--journal=' + name, 's', cwd=cwd)
    whole = run('verify', '-r', '--set', '--json', 's', cwd=cwd)
    done = run('collect', '-r', 's', '--set', '--json', '--html=set.html',
               *journals, cwd=cwd)
    check('sets: as of one run', done.stdout == whole.stdout
          and b'set.missing' in done.stdout and done.returncode
          == whole.returncode == 4, done)
    with open(os.path.join(cwd, 'set.html'), 'rb') as f:
        check('sets: on the page', b'"set":"s/x_*.bddf"' in f.read())
    shutil.copy(os.path.join(cwd, 's/x_0.bddf'),
                os.path.join(cwd, 's/x_2.bddf'))
    done = run('collect', '-r', 's', '--set', *journals, cwd=cwd)
    check('sets: not of some', b'[set.' not in done.stdout
          and b'nothing is said of sets' in done.stdout
          and done.returncode == 8, done)
    done = run('collect', '--set', *journals, cwd=cwd)
    check('sets: not of who knows which', done.returncode == 16
          and b'-r DIR' in done.stderr, done)


def refuses(cwd, journals):
    """What makes no sense is refused; what a killed run has left is none."""
    for name, data in ('word', b'hello'), ('zeros', bytes(5000)), (
            'torn', b'{"journal":1,"pa\n{"jour'):
        with open(os.path.join(cwd, name), 'wb') as f:
            f.write(data)
    for args, code, text in (
            ((), 16, b'no JOURNAL given'),
            (('nowhere',), 8, b'No such file'),
            ((journals[0], 'mended'), 8, b'not the journal of "salvor verify"'),
            (('letter',), 8, b'is not the journal'),
            (('word',), 8, b'is not the journal'),
            (('zeros',), 8, b'is not the journal'),
            ((journals[0], '-o', journals[0]), 16, b'is one of the journals'),
            ((journals[0], '-o', 'letter'), 8, b'no journal of salvor'),
            ((journals[0], '-r', 'nowhere'), 8, b'nobody did 1')):
        done = run('collect', *args, cwd=cwd)
        check('collect %s' % ' '.join(args), done.returncode & code
              and text in done.stderr + done.stdout, done)
    done = run('collect', 'torn', cwd=cwd)
    check('torn lines alone are a journal of nothing', done.returncode == 0
          and done.stdout == b'0 files, 0 bytes\n', done)
    with open(os.path.join(cwd, 'letter'), encoding='ascii') as f:
        check('a letter is left alone', f.read() == 'Dear\nSir\n')


signal.signal(signal.SIGINT, signal.SIG_DFL)
with tempfile.TemporaryDirectory() as home:
    fill(os.path.join(home, 'in'), FILES)
    with open(os.path.join(home, 'letter'), 'w', encoding='ascii') as letter:
        letter.write('Dear\nSir\n')
    by_one = run('verify', '-r', '--json', '--journal=whole', 'in',
                 cwd=home)
    parts = agrees(home, by_one)
    many(home, by_one)
    stopped(home, parts)
    repairs(home)
    at_once(home)
    refuses(home, parts)
    differs(home, parts)
    costly(home, parts)
    garbled(home, parts)
    lacks(home, parts)
    names(home)
    sets(home)
end()

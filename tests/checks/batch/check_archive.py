#!/usr/bin/python3
"""An archive with everything in it that archives have: logs of all formats, a
third of them cut, junk, files that cannot be read, one that crashes the process
that reads it, one that gets it killed, one over which it hangs.

Each file is judged as it is alone; and a run that is killed ten times and begun
again leaves what one does that is not.

SALVOR_LONG=1: 5,000 files in place of some hundred.
"""
import collections
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time

from support.start import parts

with parts():
    import archive
    from archive import DATA, SALVOR, fill, lines, run, settled, tree
    from tally import check, end

FILES = 5000 if os.environ.get('SALVOR_LONG') else 400
KILLS = 10
UNREADABLE = 4
TIMEOUT = 4  # seconds

ACCIDENTS = {'crash.bddf': 8, 'kill.bddf': 8, 'hang.bddf': 32,
             **{'unreadable-%d.bddf' % i: 8 for i in range(UNREADABLE)}}
COMMAND = ['repair', '-r', '-j2', '-d', 'out', '--json',
           '--timeout=%d' % TIMEOUT]


def plain(data):
    """The objects of a run, without who wrote an output first."""
    told = lines(data)
    for r in told:
        if r.get('output'):
            r['output'].pop('outcome')
    return told


def outputs(cwd):
    """The outputs; not what a killed run left of one, nor the reports beside
    them, which say who wrote one first."""
    return {name: data for name, data in tree(os.path.join(cwd, 'out')).items()
            if '.salvor' not in name}


def start_over(cwd):
    """No output is there."""
    shutil.rmtree(os.path.join(cwd, 'out'), ignore_errors=True)
    os.mkdir(os.path.join(cwd, 'out'))


def right(cwd, done):
    """States, codes and totals are those of the files one by one."""
    told = lines(done.stdout)
    totals = told.pop()
    names = [os.path.relpath(os.path.join(where, name), cwd)
             for where, _, files in os.walk(os.path.join(cwd, 'in'))
             for name in files]
    healthy = [name for name in names
               if os.path.basename(name) not in ACCIDENTS]
    start_over(cwd)
    with open(os.path.join(cwd, 'names'), 'w', encoding='ascii') as f:
        f.write('\0'.join(healthy))
    # One process, by the way of a few files: no batch.
    alone = subprocess.run(
        ['xargs', '-0', '-n', '500', '-a', 'names', SALVOR, 'repair', '--json',
         '-n'], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        check=False)
    want = {r['file']: r for r in lines(alone.stdout) if r['type'] == 'file'}
    check('each was judged alone', len(want) == len(healthy) == FILES)
    # Nothing is left of some, and their names say that they were logs.
    logs = {name: r for name, r in want.items()
            if r['state'] != 'unrecognised' or name.endswith(
                ('.bag', '.bddf', '.record'))}
    got = {r['file']: r for r in told}
    check('all logs are told of', set(got) == set(logs) | {
        name for name in names if os.path.basename(name) in ACCIDENTS},
        set(got) ^ set(logs))
    for key in 'state', 'bytes', 'blocks', 'problems_total', 'size':
        odd = [name for name, r in logs.items() if got[name][key] != r[key]]
        check('%s as alone' % key, not odd, odd)
    good = {name: got[name]['state'] for name in good_ones(cwd)
            if name in logs}
    check('good logs are intact', len(good) > FILES / 40
          and set(good.values()) == {'intact'}, (len(good), [
              name for name in good if good[name] != 'intact']))
    states = collections.Counter(r['state'] for r in logs.values())
    states['failed'] += len(ACCIDENTS)
    check('totals: states', {state: n for state, n in
                             totals['states'].items() if n} == dict(states),
          totals['states'])
    check('totals: files', totals['files'] == totals['done'] == len(got)
          and totals['failures'] == len(ACCIDENTS), totals)
    for fate in 'kept', 'rebuilt', 'lost', 'filler', 'foreign':
        check('totals: %s' % fate, totals['bytes'][fate] == sum(
            r['bytes'][fate] for r in logs.values()))
    check('what is no log is counted', b'%d  left out: no logs' % (
        FILES - len(logs)) in done.stderr, done.stderr[:1000])
    check('the code has all bits', done.returncode == 1 | 2 | 4 | 8 | 32,
          done.returncode)


def good_ones(cwd):
    """The files that are good logs of the testdata, byte for byte."""
    good = set()
    for path in archive.samples(('.bddf', '.bag', '.record', '.log')):
        if os.path.basename(path).startswith('good-'):
            with open(path, 'rb') as f:
                good.add(f.read())
    return {os.path.join('in', name) for name, data in
            tree(os.path.join(cwd, 'in')).items() if data in good}


def count_lines(path):
    """How many lines a file has; 0: there is none."""
    try:
        with open(path, 'rb') as f:
            return f.read().count(b'\n')
    except OSError:
        return 0


def interrupted(cwd, env):
    """Killed ten times, and begun again; the last run."""
    rng = random.Random(10)
    journal = os.path.join(cwd, 'again')
    killed = 0
    for most in sorted(rng.sample(range(1, FILES - 20), KILLS)):
        process = subprocess.Popen(
            [SALVOR, *COMMAND, '--journal=again', 'in'], cwd=cwd, env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        while count_lines(journal) < most and process.poll() is None:
            time.sleep(0.002)
        process.kill()
        killed += process.wait() == -signal.SIGKILL
    check('it was killed ten times', killed == KILLS, killed)
    check('in the middle', 0 < count_lines(journal) < FILES)
    return run(*COMMAND, '--journal=again', 'in', cwd=cwd, env=env)


def main(cwd):
    """All of it."""
    fill(os.path.join(cwd, 'in'), FILES)
    good = os.path.join(DATA, 'bddf', 'good-patrol.bddf')
    for i, name in enumerate(ACCIDENTS):
        shutil.copy(good, os.path.join(cwd, 'in', 'robot-%d' % i, name))
    env = archive.accidents(cwd)
    start_over(cwd)
    began = time.monotonic()
    whole = run(*COMMAND, '--journal=whole', 'in', cwd=cwd, env=env)
    took = time.monotonic() - began
    want = outputs(cwd)
    check('there are outputs', len(want) > FILES / 4, len(want))
    right(cwd, whole)
    start_over(cwd)
    last = interrupted(cwd, env)
    check('the report is that of a run at once',
          plain(last.stdout) == plain(whole.stdout)
          and last.returncode == whole.returncode, last.stderr[-500:])
    got = outputs(cwd)
    check('so are the outputs', got == want, set(got) ^ set(want))
    check('so is the journal', settled(os.path.join(cwd, 'again'))
          == settled(os.path.join(cwd, 'whole')))
    done = run('collect', '-r', 'in', '--json', '--html=page.html', '-o',
               'merged', 'again', cwd=cwd)
    check('so is what is collected', plain(done.stdout)
          == plain(whole.stdout) and done.returncode == whole.returncode)
    run('collect', 'whole', '-o', 'merged-whole', cwd=cwd)
    check('and the merged journal, line by line', settled(
        os.path.join(cwd, 'merged')) == settled(
            os.path.join(cwd, 'merged-whole'))
          and count_lines(os.path.join(cwd, 'merged'))
          == FILES + len(ACCIDENTS))
    print('%d files: %.1f s at once' % (FILES + len(ACCIDENTS), took))


for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
    signal.signal(number, signal.SIG_DFL)
with tempfile.TemporaryDirectory() as home:
    main(home)
end()

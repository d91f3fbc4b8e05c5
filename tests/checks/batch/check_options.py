#!/usr/bin/python3
"""Which options make a line of a journal one of another job, and what of a
result is that of each run.

Every option of the commands that keep a journal is here: who adds one must
say whether it changes what becomes of a log, or what is told of it, and then
a file that was done without it is done again.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import os
import re
import shutil
import sys
import tempfile

TOP = os.environ.get('SALVOR_SRCDIR', '.')

sys.path.insert(0, os.path.join(TOP, 'tests', 'support'))
from archive import DATA, lines, run  # noqa: E402
from tally import check, end  # noqa: E402

LOGS = 'bddf/bad-cut-patrol.bddf', 'bddf/good-patrol.bddf', \
    'cyber/good-lite.record'
DONOR = os.path.join(DATA, 'bddf', 'good-patrol.bddf')

# Which files, how many at a time, how fast; what is shown or written besides;
# what is for one file alone; and what has a test of its own: rules in
# check_policy.py, a baseline in check_baseline.py, sets in check_sets.py.
OTHERS = {
    'repair verify info': '''recursive files0-from include exclude min-age
        allow-empty jobs
        read-helper read-timeout metrics
        timeout max-memory shard journal retry recheck-after subset
        max-duration max-read-rate progress json report color no-sandbox
        require-sandbox help
        version html mapfile domain-mapfile''',
    'repair verify': 'verbose quiet',
    'repair': '''output undo-file dry-run force verify-written revalidate
        save-dropped plan-out ok sums hash''',
    'verify': '''max-gap min-rate require max-lost policy digests baseline set
        junit'''}

# Each with a value, and with what it needs to be given at all.
CHANGES = {
    'repair verify info': [['--time-window=1h'], ['--max-chunk=100M'],
                           ['--max-decoded=1G'],
                           ['--timeline']],
    'repair verify': [['--effort=2'], ['--effort=0']],
    'verify info': [['--hash=sha256'], ['--sums=sums']],
    'verify': [['--quick'], ['--deep'], ['--require-end']],
    'info': [['--scan']],
    'repair': [['--keep=suspect'], ['--keep=suspect,samples'],
               ['--donor=' + DONOR], ['--map-name=Town01'], ['--renumber'],
               ['--rechunk'], ['--reseal'], ['--split'], ['--no-sidecar'],
               ['--annotate'], ['--no-annotate'], ['--output-dir=there'],
               ['--copy-intact', '--output-dir=out'], ['--in-place'],
               ['--discard-undo', '--in-place'], ['--quick', '--in-place']]}
ADDS = '--timeline', '--hash', '--sums'  # more than enough where not asked for


def of(table, command):
    """What a table has for a command."""
    return [row for commands, rows in table.items()
            if command in commands.split()
            for row in (rows.split() if isinstance(rows, str) else rows)]


def all_known(command):
    """No option was forgotten."""
    told = run(command, '--help=all').stdout.decode()
    have = set(re.findall(r'^  (?:-\w, |    )--([a-z0-9-]+)', told, re.M))
    known = of(OTHERS, command) + [row[0].split('=')[0][2:]
                                   for row in of(CHANGES, command)]
    check(command + ': options are known', have and have == set(known),
          have ^ set(known))


def start():
    """An archive, and no journal."""
    for name in 'in', 'out', 'there', 'sums', 'j':
        if os.path.isdir(name):
            shutil.rmtree(name)
        elif os.path.exists(name):
            os.unlink(name)
    for name in 'in', 'out', 'there':
        os.mkdir(name)
    for name in LOGS:
        shutil.copy(os.path.join(DATA, name), 'in')


def grown(*args):
    """How many lines a run adds, and whether it says why."""
    before = os.path.getsize('j') if os.path.exists('j') else 0
    # Outputs change with the options; but with a donor that helps none of the
    # logs all fail, as for a wrong command line, and would be done again and
    # again.
    donor = any(arg.startswith('--donor') for arg in args)
    force = ['-f'] if args[0] == 'repair' and not donor else []
    done = run(args[0], '-r', *force, '--journal=j', *args[1:], 'in')
    check('%s: it could be done' % (args,),
          done.returncode & (32 if donor else 48) == 0, done)
    with open('j', 'rb') as f:
        f.seek(before)
        return len(lines(f.read())), b'with other options' in done.stderr


def changes(command, option, needs):
    """Without, with, with, and without an option."""
    name = '%s %s' % (command, option)
    start()
    # In place, the logs are others after the first time.
    for _ in range(3):
        first = grown(command, *needs)
    check(name + ': without it, again', first == (0, False), first)
    check(name + ': with it', grown(command, option, *needs)
          == (len(LOGS), True))
    if option != '--in-place':
        check(name + ': with it, again', grown(command, option, *needs)
              == (0, False))
    back = grown(command, *needs)
    check(name + ': without it, once more', back == (
        (0, False) if option.split('=')[0] in ADDS else (len(LOGS), True)),
        back)


def as_before():
    """What is another spelling, or told by an earlier salvor, is no other
    job."""
    start()
    grown('repair', '-d', 'out')
    check('a slash behind a folder', grown('repair', '-d', 'out/')
          == (0, False))
    check('other processes', grown('repair', '-d', 'out', '-j2',
                                   '--timeout=5m', '--html=page')
          == (0, False))
    with open('j', 'rb') as f:
        told = lines(f.read())
    check('they are told', all(r['options'] == ['output-dir=out', '+sha256']
                               for r in told), told[0]['options'])
    with open('j', 'w', encoding='ascii') as f:
        for r in told:
            del r['options']
            f.write(json.dumps(r) + '\n')
    check('lines without any', grown('repair', '-d', 'out', '--keep=suspect')
          == (0, False))
    done = run('repair', '-rqq', '--journal=j', '-d', 'there', '--keep=suspect',
               '--retry', 'in')
    check('said twice to be quiet', done.stderr == b'', done.stderr)


def dry():
    """What was only shown is still to be done, and nothing is written."""
    start()
    done = run('repair', '-rn', '--journal=j', '-d', 'out', 'in')
    check('dry: no journal', not os.path.exists('j') and done.returncode == 3,
          done)
    check('dry: all are done after it', grown('repair', '-d', 'out')
          == (len(LOGS), False) and len(os.listdir('out')) == 2)
    before = os.stat('j')
    done = run('repair', '-rn', '--journal=j', '-d', 'out', 'in')
    check('dry: what is done is known', b'3  of these were done before'
          in done.stdout and os.stat('j').st_mtime_ns == before.st_mtime_ns,
          done)
    done = run('verify', '-r', '--journal=j', 'in')
    check('dry: of another command', run(
        'repair', '-rn', '--journal=j', 'in').returncode & 56 == 0
        and done.returncode & 8)


def forced():
    """-f helps where the lack of it was what a file failed of."""
    start()
    with open('out/bad-cut-patrol.bddf', 'wb') as f:
        f.write(b'a letter')
    command = 'repair', '-rq', '--journal=j', '-d', 'out', 'in'
    done = run(*command)
    check('forced: it failed', done.returncode == 8
          and b'-f replaces it' in done.stderr, done)
    check('forced: and is not tried again', run(*command).returncode == 8)
    done = run(*command, '-f')
    check('forced: with -f it is', done.returncode == 3
          and b'2  of these were done before' in done.stdout, done)
    check('forced: once', run(*command, '-f').stdout.count(
        b'3  of these were done before') == 1)


def sums():
    """--sums tells of what was done before, too, whatever it is called."""
    start()
    for name in b'in/back\\slash.bddf', b'in/a\nline.bddf', b'in/\xff.bddf':
        shutil.copy(os.path.join(DATA, LOGS[0]), name)
    for command in ('repair', '-rqq', '-d', 'out'), ('verify', '-rqq'):
        told = []
        for name in 'first', 'again':
            run(*command, '--journal=' + command[0], '--sums=' + name, 'in')
            with open(name, 'rb') as f:
                told.append(f.read())
        want = 6 + 4 * (command[0] == 'repair')
        check(command[0] + ': the same sums', told[0] == told[1]
              and told[0].count(b'\n') == want, told)


def forged():
    """A report in a journal, which a worker has made, names no other file."""
    start()
    run('repair', '-rqq', '-d', 'out', '--journal=j', '--sums=first', 'in')
    with open('first', 'rb') as f:
        want = f.read()
    with open('j', encoding='ascii') as f:
        was = f.read()
    for what, other in (
            ('"path": "etc/passwd", "path_base64": null', 'path'),
            ('"path_base64": "ZXRjL3Bhc3N3ZA=="', 'base64')):
        now = []
        for line in was.splitlines():
            report = json.loads(line)['report']
            if report.get('output'):
                report['output'].update(json.loads('{%s}' % what))
                report['file'] = 'etc/shadow'
            head = line[:line.index('"report":')]
            now.append(head + '"report":' + json.dumps(
                report, separators=(',', ':')) + '}')
        with open('j', 'w', encoding='ascii') as f:
            f.write('\n'.join(now) + '\n')
        run('repair', '-rqq', '-d', 'out', '--journal=j', '--sums=again', 'in')
        with open('again', 'rb') as f:
            told = f.read()
        check('forged %s: no other file' % other, b'etc/' not in told, told)
        check('forged %s: those of this run' % other, set(
            told.splitlines()) < set(want.splitlines()), (told, want))


def successes():
    """What counts as a success is a matter of each run."""
    start()
    codes = [run('repair', '-rqq', '--journal=j', *ok, 'in').returncode
             for ok in (['--ok=lossy'], [], ['--ok=repaired,lossy'],
                        ['--ok=repaired'])]
    check('--ok is of its run', codes == [0, 3, 0, 3], codes)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for subject in 'repair', 'verify', 'info':
        all_known(subject)
        for row in of(CHANGES, subject):
            changes(subject, row[0], row[1:])
    for test in as_before, dry, forced, sums, forged, successes:
        test()
    os.chdir(TOP)
end()

#!/usr/bin/python3
"""Recordings of which nothing is left, and runs that find no log.

A file below a folder that is no log is left out.  One that must have been a log
is damage: an archive with dead recordings in it is not sound.  Nor is one whose
disk is not mounted.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import os
import random
import shutil
import tempfile
import xml.etree.ElementTree

from support.start import parts

with parts():
    from archive import DATA, lines, run, unsigned
    from schema import BY_TYPE
    from tally import check, end

RNG = random.Random(19)
DEAD = {'empty': b'', 'one zero': b'\0', 'zeros': bytes(70000),
        'random': RNG.randbytes(4000), 'FF': b'\xff' * 5000,
        'text': b'404: no such object\n'}
LOGS = ('x.bag', 'x.bag.active', 'x.bddf', 'x.record', 'x.record.00000', 'x.mcap',
        'y.mcap.zst', 'z.mcap.zstd', 'x.ulg', '2026-01-01-10-00-00_12.bag')
OTHERS = ('README', 'x.bin', 'x.bag.txt', 'x.record.1', 'x.log', 'bag', 'bddf',
          'x.repaired.bag', 'x.bag.salvor.json')


def put(folder, names, data):
    """A folder of files of these names, all with the same bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, 'sub'))
    for i, name in enumerate(names):
        where = os.path.join(folder, 'sub') if i % 2 else folder
        with open(os.path.join(where, name), 'wb') as f:
            f.write(data)


def files(done):
    """The files that a run reports: name -> state."""
    return {os.path.basename(r['file']): r['state']
            for r in lines(done.stdout) if r['type'] in ('file', 'summary')}


def dead(cwd):
    """Every name that promises a log, with every content that is none."""
    for what, data in DEAD.items():
        put(os.path.join(cwd, 'in'), LOGS, data)
        os.makedirs(os.path.join(cwd, 'out'), exist_ok=True)
        for command in ['verify'], ['verify', '--quick'], ['repair'], \
                ['repair', '-n'], ['repair', '-d', 'out'], ['info'], \
                ['list'], ['verify', '-j3'], []:
            done = run(*command, '-r', '--json', 'in', cwd=cwd)
            name = 'salvor %s of %s' % (' '.join(command), what)
            check(name, files(done) == dict.fromkeys(LOGS, 'unrecognised'),
                  done)
            check(name + ': exit code', done.returncode == 4, done)
            check(name + ': text', done.stderr.count(b'UNRECOGNISED')
                  == len(LOGS), done)
        check('nothing was written', sum(
            len(names) for _, _, names in os.walk(cwd)) == len(LOGS))


def others(cwd):
    """What promises nothing is left out, unless it is asked for."""
    log = 'bddf/good-patrol.bddf'
    for what, data in DEAD.items():
        put(os.path.join(cwd, 'in'), OTHERS, data)
        shutil.copy(os.path.join(DATA, log), os.path.join(cwd, 'in'))
        found = files(run('verify', '-r', '--json', 'in', cwd=cwd))
        zeros = {'x.log': 'unrecognised'} if 'zero' in what else {}
        check('%s: others are left out' % what, found == {
            'good-patrol.bddf': 'intact', **zeros}, found)
        done = run('verify', '-r', '--json', '--include=*.log',
                   '--include=R*', 'in', cwd=cwd)
        check('%s: what --include names is not' % what, files(done)
              == dict.fromkeys(['README', 'x.log'], 'unrecognised')
              and done.returncode == 4, done)


def records(cwd):
    """JUnit, page, report and journal have them, and a later run has."""
    put(os.path.join(cwd, 'in'), LOGS, bytes(999))
    command = ['verify', '-r', '--json', '--journal=journal', '--html=page',
               '--junit=junit', '--report=report', 'in']
    first = run(*command, cwd=cwd)
    cases = xml.etree.ElementTree.parse(os.path.join(cwd, 'junit'))
    check('JUnit', len(cases.findall('.//failure')) == len(LOGS))
    with open(os.path.join(cwd, 'report'), 'rb') as f:
        check('--report', unsigned(f.read()) == first.stdout)
    with open(os.path.join(cwd, 'page'), 'rb') as f:
        page = f.read()
    check('page', page.count(b'"type":"file"') == len(LOGS), page[-900:])
    with open(os.path.join(cwd, 'journal'), 'rb') as f:
        journal = [json.loads(line) for line in f]
    check('journal', [r['result'] for r in journal]
          == [{'state': 'unrecognised', 'exit': 4}] * len(LOGS), journal)
    again = run(*command, cwd=cwd)
    check('a later run says the same', again.stdout == first.stdout
          and again.returncode == 4 and b'done before' in again.stderr, again)
    for args in ['-r', 'in'], []:
        done = run('collect', '--json', 'journal', *args, cwd=cwd)
        check('so does collect', files(done) == files(first)
              and done.returncode == 4, done)
    with open(os.path.join(cwd, 'included'), 'wb') as f:
        f.write(b'\0')
    done = run('verify', '-r', '--include=incl*', '--journal=j', '.', cwd=cwd)
    check('--include', done.returncode == 4, done)
    done = run('collect', '--json', 'j', cwd=cwd)
    check('collect knows what --include named', list(files(done))
          == ['included'] and done.returncode == 4, done)


def none(cwd):
    """No log at all is no success, but where that is expected."""
    folder = os.path.join(cwd, 'in')
    with open(os.path.join(cwd, 'names'), 'wb'):
        pass
    with open(os.path.join(cwd, 'j'), 'wb'):
        pass
    for names in [], ['README', 'x.bin']:
        put(folder, names, b'nothing')
        for command in ['verify'], ['repair'], ['info'], ['list'], [], \
                ['repair', '--in-place'], ['collect', 'j']:
            # A file that no journal has is another failure.
            if command == ['collect', 'j'] and names:
                continue
            args = [*command, '-r', 'in']
            done = run(*args, cwd=cwd)
            check('%s of %s' % (args, names), done.returncode == 16
                  and b'--allow-empty' in done.stderr, done)
            done = run(*args, '--allow-empty', cwd=cwd)
            check('%s of %s is allowed' % (args, names),
                  done.returncode == 0, done)
        done = run('undo', '-r', 'in', cwd=cwd)
        check('there may be nothing to undo', done.returncode == 0, done)
        done = run('verify', '-r', '--json', '--report=report', 'in', cwd=cwd)
        told = lines(done.stdout)
        check('it is an object, too', [r['code'] for r in told] == ['usage']
              and not list(BY_TYPE['error'].iter_errors(told[0])), done)
        with open(os.path.join(cwd, 'report'), 'rb') as f:
            check('and in the report', unsigned(f.read()) == done.stdout)
    done = run('verify', '--files0-from=names', cwd=cwd)
    check('a list of nothing', done.returncode == 16, done)
    put(folder, ['x.bag'], b'')
    for args in ['--shard=1/9', '--shard=2/9'], ['--subset=1/9'], \
            ['--min-age=1h'], ['--subset=1/9', '--subset=2/9']:
        codes = {run('verify', '-r', 'in', one, cwd=cwd).returncode
                 for one in args}
        check('a part may be empty: %s' % args, codes <= {0, 4}, codes)
    done = run('verify', '-r', 'in', '--include=*.bddf', cwd=cwd)
    check('a pattern that nothing fits', done.returncode == 16, done)


def main():
    """All of it."""
    with tempfile.TemporaryDirectory() as cwd:
        dead(cwd)
        others(cwd)
        records(cwd)
        none(cwd)
    end()


if __name__ == '__main__':
    main()

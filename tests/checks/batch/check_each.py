#!/usr/bin/python3
"""list and undo, which have no workers: the files that they find, in which
order, and what they say of those that they cannot read.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, CC a C
compiler.
"""
import os
import shutil
import tempfile

from support.start import parts

with parts():
    import archive
    from archive import DATA, lines, run, tree
    from tally import check, end

# Below the folder "in": one log of each format, in order, and what is none.
LOGS = {'in/a/cut.bddf': 'bddf/bad-cut-patrol.bddf',
        'in/a/d\n.bag': 'rosbag/bad-open-lz4-cut.bag',
        'in/b/drive.log': 'carla/bad-crash.log',
        'in/b/no-name': 'cyber/bad-cut-body.record'}


def fill(cwd):
    """Make the folder anew."""
    top = os.path.join(cwd, 'in')
    shutil.rmtree(top, ignore_errors=True)
    for name, sample in LOGS.items():
        path = os.path.join(cwd, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(os.path.join(DATA, sample), path)
    for name in 'a/junk', 'b/junk', 'a/x.repaired.bddf':
        with open(os.path.join(top, name), 'wb') as f:
            f.write(b'nothing to see here\n' * 9)
    os.symlink('cut.bddf', os.path.join(top, 'a', 'link.bddf'))


def told(command, *args, cwd, **how):
    """The files that a run tells of, in order, and its exit code."""
    done = run(command, '--json', *args, cwd=cwd, **how)
    return [r['file'] for r in lines(done.stdout)
            if r['type'] in ('summary', 'file')], done


def names_file(cwd, *names):
    """A list for --files0-from."""
    with open(os.path.join(cwd, 'names'), 'wb') as f:
        f.write(b''.join(os.fsencode(name) + b'\0' for name in names))


def finds(cwd):
    """What list takes."""
    every = list(LOGS)
    found, done = told('list', '-r', 'in', cwd=cwd)
    check('list -r finds all logs, in order', found == every, found)
    check('junk is counted', b'no logs: 2' in done.stderr, done.stderr)
    check('junk is no damage of its own', done.returncode == 4, done)
    kinds = [r['type'] for r in lines(done.stdout)]
    check('blocks stand before their file', kinds[0] == 'block'
          and kinds[-2:] == ['summary', 'totals'], kinds[-3:])
    check('the totals are of logs', lines(done.stdout)[-1]['files'] == 4,
          lines(done.stdout)[-1])
    for args, want in (
            (['--include=*.b*', 'in'], every[:2]),
            (['--exclude=a', '--exclude=no-*', 'in'], every[2:3]),
            (['in/b', 'in/a/cut.bddf'], every[2:] + every[:1])):
        found, _ = told('list', '-r', *args, cwd=cwd)
        check('list -r %s' % args, found == want, found)
    names_file(cwd, every[1], every[0])
    found, _ = told('list', '--files0-from=names', every[2], cwd=cwd)
    check('list --files0-from', found == [every[2], every[1], every[0]], found)
    names_file(cwd, 'in/b')
    found, _ = told('list', '-r', '--files0-from', 'names', cwd=cwd)
    check('a list of folders', found == every[2:], found)
    found, done = told('list', 'in/b/junk', every[0], cwd=cwd)
    check('junk that was named is told of', found == ['in/b/junk', every[0]],
          done)


def shows(cwd):
    """Each file has its heading, in the order of the files."""
    alone = [run('list', name, cwd=cwd).stdout for name in LOGS]
    names = [name.replace('\n', '\\x0A').encode() for name in LOGS]
    want = b'\n'.join(b'==> %s <==\n%s' % pair for pair in zip(names, alone))
    for args in ['-r', 'in'], list(LOGS):
        done = run('list', *args, cwd=cwd)
        check('headings of list %s' % args[0], done.stdout == want,
              done.stdout[:300])
    os.mkdir(os.path.join(cwd, 'empty'))
    done = run('list', '-r', 'empty', cwd=cwd)
    check('list -r of nothing', done.returncode == 16 and done.stdout == b''
          and b'--allow-empty' in done.stderr, done)


def refuses(cwd):
    """What makes no sense, and a folder without -r."""
    for args in (['list', '-r', '--mapfile=map', 'in'],
                 ['undo', '-r', '--undo-file=record', 'in'],
                 ['list', '-r', '-', 'in'],
                 ['list', '--files0-from=names', 'in'],
                 ['merge', '-r', '-o', 'out', 'in']):
        done = run(*args, cwd=cwd)
        check('%s is refused' % args, done.returncode == 16, done)
    for args in ['verify'], ['info'], ['list'], ['repair'], \
            ['repair', '--in-place'], ['undo'], []:
        done = run(*args, 'in', cwd=cwd)
        check('%s of a folder names -r' % args, done.returncode == 8
              and b'directory' in done.stderr and b'-r' in done.stderr, done)
    done = run('merge', '-o', 'out', 'in/a/cut.bddf', 'in', cwd=cwd)
    check('merge of a folder says why', done.returncode == 8
          and b'one by one' in done.stderr and b'-r' not in done.stderr, done)


def unreadable(cwd):
    """It is said, and the others go on."""
    env = archive.accidents(cwd)
    shutil.copy(os.path.join(DATA, LOGS['in/a/cut.bddf']),
                os.path.join(cwd, 'in', 'a', 'unreadable.bddf'))
    found, done = told('list', '-r', 'in', cwd=cwd, env=env)
    check('an unreadable file is told of', 'in/a/unreadable.bddf' in found
          and len(found) == 5 and done.returncode == 8 | 4, done.stderr)
    names_file(cwd, 'in/gone.bddf', 'in/a/cut.bddf')
    found, done = told('list', '--files0-from=names', cwd=cwd)
    check('so is one that is not there', found[0] == 'in/gone.bddf'
          and found[1:] == ['in/a/cut.bddf'] and done.returncode & 8, done)
    shutil.rmtree(os.path.join(cwd, 'in'))
    done = run('undo', '--files0-from', 'gone', cwd=cwd)
    check('so is a list', done.returncode == 8, done)


def undoes(cwd):
    """undo -r is the end of repair -r --in-place."""
    top = os.path.join(cwd, 'in')
    fill(cwd)
    before = tree(top)
    repair = ['repair', '-r', '--in-place', '--no-sidecar', 'in']
    run(*repair, cwd=cwd)
    after = tree(top)
    repaired = [name for name in LOGS
                if os.path.exists(os.path.join(cwd, name + '.salvor-undo'))]
    check('some were repaired', len(repaired) > 1, repaired)
    found, done = told('undo', '-r', '-n', 'in', cwd=cwd)
    check('undo -r -n changes nothing', found == repaired
          and done.returncode == 0 and tree(top) == after, done)
    found, done = told('undo', '-r', '--exclude=b', 'in', cwd=cwd)
    check('undo -r --exclude', found == [name for name in repaired
                                         if '/b/' not in name], done)
    found, done = told('undo', '-r', 'in', cwd=cwd)
    check('undo -r of the others', found == [name for name in repaired
                                             if '/b/' in name], done)
    check('and nothing else is said', done.returncode == 0
          and b'junk' not in done.stderr, done)
    check('all bytes are back', tree(top) == before)
    done = run('undo', '-r', 'in', cwd=cwd)
    check('nothing to undo', done.returncode == 0 and done.stdout == b''
          and done.stderr.count(b'\n') == 1
          and b'nothing to undo' in done.stderr, done)
    check('which -q keeps quiet of',
          run('undo', '-q', '-r', 'in', cwd=cwd).stderr == b'')
    run(*repair, cwd=cwd)
    names_file(cwd, *repaired)
    found, done = told('undo', '--files0-from=names', cwd=cwd)
    check('undo --files0-from', found == repaired and tree(top) == before,
          done)
    names_file(cwd, 'in/a/cut.bddf')
    done = run('undo', '--files0-from=names', cwd=cwd)
    check('one that was named needs a record', done.returncode != 0, done)


def orphan(cwd):
    """A record whose log is gone can give nothing back, and that is said."""
    fill(cwd)
    run('repair', '-r', '--in-place', '--no-sidecar', 'in', cwd=cwd)
    os.rename(os.path.join(cwd, 'in/a/cut.bddf'), os.path.join(cwd, 'moved'))
    record = os.path.join(cwd, 'in/a/cut.bddf.salvor-undo')
    done = run('undo', '-r', '--exclude=cut.*', '-n', 'in', cwd=cwd)
    check('nothing is said of a log that is not wanted', done.returncode == 0
          and b'cut.bddf' not in done.stderr, done)
    found, done = told('undo', '-r', 'in', cwd=cwd)
    check('undo -r names a record whose log is gone', done.returncode == 8
          and done.stderr.count(b'cut.bddf.salvor-undo: ') == 1
          and b'in/a/cut.bddf is not there' in done.stderr, done)
    check('keeps it, and does the others', os.path.exists(record)
          and found and not any(name.endswith('cut.bddf') for name in found),
          found)
    done = run('undo', '-q', '-r', 'in', cwd=cwd)
    check('and says nothing else where it is alone', done.returncode == 8
          and done.stderr.count(b'\n') == 1, done)
    os.rename(os.path.join(cwd, 'moved'), os.path.join(cwd, 'in/a/cut.bddf'))
    check('undo -r takes it back when the log is there again',
          run('undo', '-r', 'in', cwd=cwd).returncode == 0
          and not os.path.exists(record))


def apart(cwd):
    """A record on another disk is found by the link to it."""
    top = os.path.join(cwd, 'in')
    before = tree(top)
    os.mkdir(os.path.join(cwd, 'other'))
    run('repair', '--in-place', '--no-sidecar', '--undo-file=other/record',
        'in/a/cut.bddf', cwd=cwd)
    check('a repair with a record elsewhere', tree(top) != before)
    done = run('undo', '-r', 'in', cwd=cwd)
    check('is taken back', done.returncode == 0 and tree(top) == before
          and os.listdir(os.path.join(cwd, 'other')) == [], done)


with tempfile.TemporaryDirectory() as scratch:
    fill(scratch)
    finds(scratch)
    shows(scratch)
    refuses(scratch)
    undoes(scratch)
    orphan(scratch)
    apart(scratch)
    unreadable(scratch)
end()

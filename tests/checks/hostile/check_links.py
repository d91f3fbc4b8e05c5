#!/usr/bin/python3
"""Links that another user has put where the caller writes: none is followed to
where the caller may write and that user may not.

Run as root, which takes the parts of three users: a victim, root as a victim, and
whoever plants links; otherwise skipped.  Each link leads to nothing, or to a file
of the victim, in a directory where everybody can make files (sticky, as /tmp) and
in one of the other user.  The victim's own links are followed; and so is, with
--force, a link to a file that is there, in a directory of its owner: as cp(1) does.
What is written through, such as a FIFO or a device, is never reached by a link of
another user.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import json
import os
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import threading

from support.start import SALVOR, TOP, parts

with parts():
    from tally import check, end

VICTIM, OTHER = 65001, 65002  # users that need no name
LOG = os.path.join(TOP, 'testdata', 'bddf', 'bad-cut-patrol.bddf')
KEPT = b'a file of the victim'

# What is written, the name that a link has, and the words: {} is that name.
WRITTEN = [
    ('output', 'out.bddf', ['repair', '-qq', '-o', '{}', 'log']),
    ('forced output', 'out.bddf',
     ['repair', '-qq', '--force', '-o', '{}', 'log']),
    ('export', 'out.mcap', ['export', '-qq', '-o', '{}', 'log']),
    ('extract', 'out.bddf', ['extract', '-qq', '-o', '{}', 'log']),
    ('sidecar', 'out.bddf.salvor.json',
     ['repair', '-qq', '-o', 'out.bddf', 'log']),
    ('report', 'report.json', ['verify', '-qq', '--report={}', 'log']),
    ('sums', 'sums', ['verify', '-qq', '--sums={}', 'log']),
    ('page', 'page.html', ['verify', '-qq', '--html={}', 'log']),
    ('junit', 'junit.xml', ['verify', '-qq', '--junit={}', 'log']),
    ('journal', 'journal', ['verify', '-qq', '--journal={}', 'log']),
    ('mapfile', 'map', ['verify', '-qq', '--mapfile={}', 'log']),
    ('undo record', 'log.salvor-undo', ['repair', '-qq', '--in-place', 'log']),
    ('undo', 'log.salvor-undo', ['undo', '-qq', 'log']),
    ('applied', 'out.bddf', ['apply', '-q', 'plan', 'log', '{}']),
    ('forced applied', 'out.bddf', ['apply', '-qf', 'plan', 'log', '{}']),
    ('report of a plan', 'out.bddf.salvor.json',
     ['apply', '-q', 'plan', 'log', 'out.bddf']),
    ('plan', 'new-plan', ['repair', '-nqq', '--plan-out={}', 'log']),
    ('metrics', 'metrics', ['verify', '-qq', '--metrics={}', 'log']),
    ('tables', 'out', ['export', '-qq', '--to=csv', '-o', '{}', 'log']),
    ('table', 'out/_log.csv', ['export', '-qq', '--to=csv', '-o', 'out', 'log']),
    ('list of what is dropped', 'log.dropped.json',
     ['repair', '-qq', '--save-dropped=.', '-o', 'out.bddf', 'log']),
    ('what is dropped', 'log.0000298158-1179.lost',
     ['repair', '-qq', '--save-dropped=.', '-o', 'out.bddf', 'log']),
    ('collected', 'collected', ['collect', '-qq', 'done', '-o', '{}']),
    ('page of reports', 'page.html', ['report', '-o', '{}', 'said']),
    ('metadata', 'metadata.yaml', ['repair', '-qq', '-d', '.', 'bag']),
    ('metadata in place', 'metadata.yaml', ['repair', '-qq', '--in-place', '.']),
    ('record of metadata', 'metadata.yaml.salvor-undo',
     ['repair', '-qq', '--in-place', '.']),
]
# What is read: by option or command.
READ = {'plan': ['repair', '-nqq', '--plan-out=plan', 'log'],
        'done': ['verify', '-qq', '--journal=done', 'log'],
        'said': ['verify', '-qq', '--report=said', 'log']}
BAG = os.path.join(TOP, 'testdata', 'ros2', 'jazzy')


def as_user(user, words, cwd):
    """The exit code of the program, run by a user."""
    def become():
        if user:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
    return subprocess.run(words, cwd=cwd, preexec_fn=become, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def prepare(top):
    """What the commands read, in top/read."""
    place = os.path.join(top, 'read')
    os.mkdir(place)
    shutil.copy(LOG, os.path.join(place, 'log'))
    for words in READ.values():
        as_user(0, [os.path.join(top, 'salvor')] + words, place)
    for folder in place, os.path.join(place, 'bag'):
        shutil.copytree(BAG, folder, dirs_exist_ok=True)
        with open(os.path.join(folder, 'metadata.yaml'), 'r+b') as to:
            to.truncate(500)


def stage(top, user, shared):
    """Fresh folders: where the work is, and the victim's own."""
    place, home = os.path.join(top, 'place'), os.path.join(top, 'home')
    for folder in place, home:
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
    os.chown(home, user, user)
    os.chmod(home, 0o755)
    shutil.copytree(os.path.join(top, 'read'), place, dirs_exist_ok=True,
                    copy_function=shutil.copy)
    for folder, _, names in os.walk(place):
        for name in names:
            os.chown(os.path.join(folder, name), user, user)
    if not shared:
        os.chown(place, OTHER, OTHER)
    os.chmod(place, 0o1777 if shared else 0o777)
    with open(os.path.join(home, 'kept'), 'wb') as to:
        to.write(KEPT)
    os.chown(os.path.join(home, 'kept'), user, user)
    return place, home


def plant(place, name, to, owner):
    """A link of this user."""
    path = os.path.join(place, name)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.mkdir(folder)
        os.chown(folder, owner, owner)
    if os.path.lexists(path):
        os.unlink(path)
    os.symlink(to, path)
    os.lchown(path, owner, owner)


def content(path):
    """The bytes of a file."""
    with open(path, 'rb') as of:
        return of.read()


def try_planted(program, top, user):
    """Every file that is written, through links of another user."""
    for what, name, words in WRITTEN:
        for shared in True, False:
            for target in 'new', 'kept':
                if what[:6] == 'forced' and not shared and target == 'kept':
                    continue
                place, home = stage(top, user, shared)
                plant(place, name, os.path.join(home, target), OTHER)
                done = as_user(user, [program] + [w.format(name)
                                                  for w in words], place)
                case = '%s of %d, %s, to %s' % (
                    what, user, 'shared' if shared else 'of another', target)
                check(case + ': nothing new',
                      os.listdir(home) == ['kept'], done.stdout)
                check(case + ': kept',
                      content(os.path.join(home, 'kept')) == KEPT,
                      done.stdout)
                check(case + ': ended', done.returncode >= 0,
                      str(done.returncode))


def drain(reader, ended, into):
    """Read a FIFO until nobody writes to it any more."""
    while True:
        last = ended.is_set()
        if select.select([reader], [], [], 0.01)[0]:
            got = os.read(reader, 1 << 20)
            into.append(got)
            if got:
                continue
        if last:
            return


def read_fifo(path, act):
    """What comes out of a FIFO while act() runs, and what that returns."""
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    came, ended = [], threading.Event()
    thread = threading.Thread(target=drain, args=(reader, ended, came))
    thread.start()
    try:
        done = act()
    finally:
        ended.set()
        thread.join()
        os.close(reader)
    return b''.join(came), done


def make_through(home, user):
    """What is written through: a FIFO of the victim, and a device."""
    fifo, device = os.path.join(home, 'fifo'), os.path.join(home, 'device')
    os.mkfifo(fifo, 0o600)
    os.chown(fifo, user, user)
    try:
        os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        os.chown(device, user, user)
    except PermissionError:
        device = '/dev/null'
    return fifo, device


def try_through(program, top, user):
    """Links to what is no regular file: those of others and the victim's own."""
    for what, name, words in WRITTEN:
        for owner, shared in (OTHER, True), (OTHER, False), (user, True):
            for kind in 0, 1:
                place, home = stage(top, user, shared)
                target = make_through(home, user)[kind]
                plant(place, name, target, owner)
                came, done = read_fifo(
                    os.path.join(home, 'fifo'),
                    lambda w=words, n=name, p=place: as_user(
                        user, [program] + [x.format(n) for x in w], p))
                case = '%s of %d, %s, link of %d to %s' % (
                    what, user, 'shared' if shared else 'of another', owner,
                    target)
                says = b'link of another user' in done.stdout
                check(case + ': ended', done.returncode >= 0,
                      str(done.returncode))
                if owner == OTHER:
                    check(case + ': nothing came', came == b'',
                          repr(came[:40]))
                    # What the log itself comes to is 4 or less.
                    check(case + ': refused', '{}' not in ' '.join(words)
                          or done.returncode > 4, str(done.returncode))
                else:
                    check(case + ': followed', not says, done.stdout)


def try_own(program, top, user):
    """The caller's own link leads where it says."""
    place, home = stage(top, user, True)
    plant(place, 'out.bddf', os.path.join(home, 'new'), user)
    done = as_user(user, [program, 'repair', '-qq', '--no-sidecar', '-o',
                          'out.bddf', 'log'], place)
    check('own link of %d' % user, done.returncode == 3
          and sorted(os.listdir(home)) == ['kept', 'new'], done.stdout)


def try_same(program, top, user):
    """What another user has put there is not taken for the output, as he can change it
    later."""
    for words, name in ((['repair', '-qq', '--no-sidecar', '-o', 'out', 'log'], 'out'),
                        (['export', '-qq', '--to=csv', '-o', 'out', 'log'], 'out'),
                        (['extract', '-qq', '-o', 'out', 'log'], 'out')):
        place, _ = stage(top, user, True)
        case = '%s of %d over the same of another user' % (words[0], user)
        made = as_user(user, [program, *words], place)
        check(case + ': made', made.returncode in (0, 3), made.stdout)
        path = os.path.join(place, name)
        for at in [path, *(os.path.join(path, one) for one in (
                os.listdir(path) if os.path.isdir(path) else ()))]:
            os.chown(at, OTHER, OTHER)
            os.chmod(at, 0o777)
        done = as_user(user, [program, *words], place)
        check(case, done.returncode not in (0, 3), (done.returncode, done.stdout))
        if words[0] == 'repair':
            # Where files are their owner's to remove, only root can replace it.
            done = as_user(user, [program, *words, '--force'], place)
            check(case + ': by force', done.returncode == 3 and os.stat(
                path).st_uid == 0 if user == 0 else done.returncode != 3,
                  (done.returncode, done.stdout))


def try_report(program, top):
    """What root takes back leaves the report the victim's: another's would not be
    believed, and what was lost would be forgotten."""
    place, _ = stage(top, VICTIM, False)
    os.chmod(os.path.join(place, 'log'), 0o640)
    report = os.path.join(place, 'log.salvor.json')
    done = as_user(VICTIM, [program, 'repair', '-qq', '--in-place', 'log'],
                   place)
    check('in place', done.returncode == 3, done.stdout)
    about = json.loads(content(report))
    about['output']['sha1'] = about['output']['sha1'][::-1]
    other = json.dumps(about).encode() + b'\n'
    with open(report, 'ab') as to:
        to.write(other)
    done = as_user(0, [program, 'undo', '-qq', 'log'], place)
    check('undo by root', done.returncode in (0, 4), done.stdout)
    check('what is about another log stays', content(report) == other)
    now = os.stat(report)
    check('the report is the victim\'s', now.st_uid == now.st_gid == VICTIM,
          (now.st_uid, now.st_gid))
    check('and has its mode', now.st_mode & 0o777 == 0o640, oct(now.st_mode))


def main():
    if os.geteuid() != 0:
        print('not root: no other users')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        program = os.path.join(top, 'salvor')
        shutil.copy(SALVOR, program)
        os.chmod(program, 0o755)
        prepare(top)
        for user in VICTIM, 0:
            try_planted(program, top, user)
            try_through(program, top, user)
            try_own(program, top, user)
            try_same(program, top, user)
        try_report(program, top)


main()
end()

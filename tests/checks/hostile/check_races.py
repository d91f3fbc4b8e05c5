#!/usr/bin/python3
"""Another user exchanges links and files for as long as jobs run, as fast as he can.

Run as root, which takes the parts of a victim and of the other user; otherwise
skipped.  The log of the victim is in a folder where everybody can make files: a
sticky one, as /tmp, or one of the other user, who may rename the victim's files
as well.  In a loop of his own he makes each name beside the log, and each temporary
he sees, a link to a file of the victim, another name of that file, a FIFO, or a
record or report that he wrote, and removes it again.

However these meet, nothing in the victim's home changes, no file of the victim
gets a byte that the other user chose, and every job ends.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; SALVOR_RACES is
how many jobs are run (60).
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from support.start import SALVOR, TOP, parts

with parts():
    from tally import check, end

RUNS = int(os.environ.get('SALVOR_RACES', 60))
PATIENCE = 120  # seconds until a job must have ended, however busy
VICTIM, OTHER = 65001, 65002  # users that need no name
LOG = os.path.join(TOP, 'testdata', 'bddf', 'bad-cut-patrol.bddf')
STATE = 512  # where an undo record says whether it is open
KEPT = b'a file of the victim'
JOBS = (['undo'], ['undo', '--discard-undo'], ['repair', '--in-place'],
        ['repair', '-o', 'out'], ['repair', '--force', '-o', 'out'], ['verify'],
        ['export', '--to=mcap', '-o', 'out'], ['extract', '-o', 'out'])
NAMES = ('log.salvor-undo', 'log.salvor.json', 'out', 'out.salvor.json')


def become(user):
    """From now on this process is the user's."""
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


def run(user, words, cwd):
    """The exit code of the program, run by a user, and what it said."""
    done = subprocess.run(words, cwd=cwd, check=False, timeout=PATIENCE,
                          preexec_fn=lambda: become(user),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def content(path):
    """The bytes of a file."""
    with open(path, 'rb') as of:
        return of.read()


def put(path, raw, user):
    """A file of this user, as a whole."""
    with open(path + '~', 'wb') as out:
        out.write(raw)
    os.chown(path + '~', user, user)
    os.chmod(path + '~', 0o644)
    os.rename(path + '~', path)


class Stage:
    """What both have, and the folders."""

    def __init__(self, top):
        self.top = top
        self.place = os.path.join(top, 'place')
        self.home = os.path.join(top, 'home')
        self.theirs = os.path.join(top, 'theirs')
        self.program = os.path.join(top, 'salvor')
        shutil.copy(SALVOR, self.program)
        os.chmod(self.program, 0o755)
        for folder, user in (self.home, VICTIM), (self.theirs, OTHER):
            os.mkdir(folder)
            os.chown(folder, user, user)
        self.cut = content(LOG)
        self.chosen = self.cut[:-1]  # the same log when it is repaired
        self.repaired, self.record, self.report = self.repair(
            self.home, self.cut, VICTIM)
        again, self.hostile, _ = self.repair(self.theirs, self.chosen, OTHER)
        check('both come to the same log', again == self.repaired)
        put(os.path.join(self.home, 'kept'), KEPT, VICTIM)
        put(os.path.join(self.home, 'record'), self.record, VICTIM)
        self.kept = self.look(self.home)

    def repair(self, folder, raw, user):
        """A log repaired in place, its record and its report."""
        log = os.path.join(folder, 'log')
        put(log, raw, user)
        code, said = run(user, [self.program, 'repair', '-qq', '--in-place',
                                'log'], folder)
        check('repaired', code == 3, said)
        made = [log, log + '.salvor-undo', log + '.salvor.json']
        found = [content(path) for path in made]
        for path in made:
            os.unlink(path)
        return found

    @staticmethod
    def look(folder):
        """All that can be seen of the files of a folder."""
        found = {}
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            at = os.lstat(path)
            found[name] = (at.st_ino, at.st_mode, at.st_uid, at.st_size,
                           content(path))
        return found

    def lay_out(self, sticky, job, bare):
        """The log, and what there is beside it; bare: nothing."""
        shutil.rmtree(self.place, ignore_errors=True)
        os.mkdir(self.place)
        if not sticky:
            os.chown(self.place, OTHER, OTHER)
        os.chmod(self.place, 0o1777 if sticky else 0o777)
        log = os.path.join(self.place, 'log')
        if job[0] != 'undo':
            put(log, self.cut, VICTIM)
            return
        put(log, self.repaired, VICTIM)
        if bare:
            return
        put(log + '.salvor-undo', self.record, VICTIM)
        put(log + '.salvor.json', self.report, VICTIM)


class Attacker:
    """What the other user does, until he is killed."""

    def __init__(self, stage, seed):
        self.stage = stage
        self.dice = random.Random(seed)
        opened = bytearray(stage.hostile)
        opened[STATE] = ord('-')
        self.files = [bytes(opened), stage.hostile,
                      stage.report.replace(b'"file":"log"', b'"file":"lie"')]

    def names(self):
        """Those beside the log, and temporaries."""
        try:
            there = os.listdir(self.stage.place)
        except OSError:
            there = []
        return [*NAMES, *(n for n in there if n.startswith('.salvor-'))]

    def make(self, path):
        """Something of his under a name."""
        kept = os.path.join(self.stage.home,
                            self.dice.choice(('kept', 'record', 'new')))
        kind = self.dice.randrange(6)
        if kind < 2:
            os.symlink(kept, path)
        elif kind == 2:
            os.link(kept, path)
        elif kind == 3:
            os.mkfifo(path, 0o666)
        else:
            beside = os.path.join(self.stage.theirs, 'x')
            with open(beside, 'wb') as out:
                out.write(self.dice.choice(self.files))
            os.chmod(beside, self.dice.choice((0o644, 0o666)))
            os.rename(beside, path)

    def turn(self, name):
        """Exchange what has a name."""
        path = os.path.join(self.stage.place, name)
        wait = self.dice.choice((0, 0, 0.001, 0.004))
        for act in (lambda: os.rename(path, path + '.aside'),
                    lambda: self.make(path), lambda: time.sleep(wait),
                    lambda: os.unlink(path),
                    lambda: os.rename(path + '.aside', path)):
            try:
                act()
            except OSError:
                pass

    def start(self):
        """The process, which ends only by a signal."""
        child = os.fork()
        if child:
            return child
        try:
            become(OTHER)
            os.umask(0)
            while True:
                for name in self.names():
                    self.turn(name)
        finally:
            os._exit(1)


def judge(stage, job, case, said):
    """Nothing of the victim's is other than it may be.  What a report tells of a
    log of the other user that is to be replaced is kept until it is."""
    now = stage.look(stage.home)
    check(case + ': home', now == stage.kept, (said, sorted(
        name for name in {**stage.kept, **now}
        if stage.kept.get(name) != now.get(name))))
    for name in os.listdir(stage.place):
        path = os.path.join(stage.place, name)
        at = os.lstat(path)
        if at.st_uid != VICTIM or not os.path.isfile(path) or os.path.islink(
                path):
            continue
        raw = content(path)
        check('%s: %s is not what another user chose' % (case, name),
              raw != stage.chosen and (
                  '--force' in job or b'"file":"lie"' not in raw), said)


def race(stage, turn):
    """One job, with the other user at work."""
    job = JOBS[turn % len(JOBS)]
    # With --force a link is followed in a folder of its owner, as cp(1) does.
    sticky = '--force' in job or turn // len(JOBS) % 2 == 0
    case = '%d: %s, %s' % (turn, ' '.join(job),
                           'sticky' if sticky else 'of another user')
    stage.lay_out(sticky, job, turn % 5 < 2)
    other = Attacker(stage, turn).start()
    try:
        code, said = run(VICTIM, [stage.program, *job, '-qq', 'log'],
                         stage.place)
    except subprocess.TimeoutExpired:
        code, said = None, b'does not end'
    finally:
        os.kill(other, signal.SIGKILL)
        os.waitpid(other, 0)
    check(case + ': ends', code is not None and code >= 0, (code, said))
    judge(stage, job, case, said)


def main():
    """All jobs, in turn."""
    if os.geteuid() != 0:
        print('not root: no other users')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        stage = Stage(top)
        for turn in range(RUNS):
            race(stage, turn)


main()
end()

#!/usr/bin/python3
"""An archive by a job array of the real Slurm, started here for the purpose:
a task is killed in the middle and submitted again, and what is collected is
what one machine reports.

Skipped where Slurm is not installed; in CI that is a failure.  Skipped in a
machine without control groups as well, where Slurm's daemon ends at once.
"""
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from support.start import TOP, parts

with parts():
    import archive
    from archive import DATA, SALVOR, fill, lines, run, settled
    from tally import check, end

FILES = 300
SHARDS = 4
PATIENCE = 60  # seconds for anything that takes a moment

os.environ['PATH'] += ':/usr/sbin:/sbin'
SCRIPT = os.path.join(TOP, 'contrib', 'slurm', 'salvor-array.sh')
CONF = """ClusterName=salvor
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={home}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={home}/jobs
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
ReturnToService=2
KillWait=5
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmctldPidFile={home}/slurmctld.pid
SlurmdPidFile={home}/slurmd.pid
SlurmctldLogFile={home}/slurmctld.log
SlurmdLogFile={home}/slurmd.log
StateSaveLocation={home}/state
SlurmdSpoolDir={home}/spool
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
"""


def free_ports(n):
    """Ports that nobody listens at."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(n)]
        for each in sockets:
            each.bind(('127.0.0.1', 0))
        return [each.getsockname()[1] for each in sockets]


def until(what):
    """Wait for something; whether it came."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        if what():
            return True
        time.sleep(0.1)
    return False


def out_of(*command):
    """What a command prints."""
    return subprocess.run(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False, text=True).stdout.strip()


def start(home):
    """munged, slurmctld and slurmd, all in one folder."""
    with open(os.path.join(home, 'munge.key'), 'wb') as f:
        f.write(os.urandom(1024))
    os.chmod(f.name, 0o400)
    for folder in 'state', 'spool':
        os.mkdir(os.path.join(home, folder))
    conf = os.path.join(home, 'slurm.conf')
    with open(conf, 'w', encoding='ascii') as f:
        f.write(CONF.format(home=home, user=out_of('id', '-un'),
                            host=out_of('hostname', '-s'),
                            cpus=os.cpu_count(), ports=free_ports(2)))
    os.environ['SLURM_CONF'] = conf
    for command in (
            ['munged', '--force', '--key-file', home + '/munge.key',
             '--socket', home + '/munge.socket',
             '--pid-file', home + '/munged.pid',
             '--log-file', home + '/munged.log',
             '--seed-file', home + '/munge.seed'],
            ['slurmctld', '-c', '-f', conf], ['slurmd', '-f', conf]):
        subprocess.run(command, stdin=subprocess.DEVNULL, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return until(lambda: out_of('sinfo', '-h', '-o', '%t') == 'idle')


def is_running(pid):
    """Whether it is there and no zombie that nobody waits for."""
    try:
        with open('/proc/%d/stat' % pid, encoding='ascii') as f:
            return f.read().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


def stop(home):
    """End each by its number; whether none is left."""
    good = True
    for name in 'slurmd', 'slurmctld', 'munged':
        try:
            with open(os.path.join(home, name + '.pid'),
                      encoding='ascii') as f:
                pid = int(f.read())
        except (OSError, ValueError):
            continue
        for number in signal.SIGTERM, signal.SIGKILL:
            if is_running(pid):
                os.kill(pid, number)
                until(lambda: not is_running(pid))
        good = good and not is_running(pid)
    return good


def submit(cwd, indexes, env):
    """Submit an array; its number."""
    done = subprocess.run(
        ['sbatch', '--parsable', '--array=' + indexes, SCRIPT, str(SHARDS),
         'repair', 'in', 'journals', '-d', 'out'],
        cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        check=True, text=True)
    return done.stdout.strip()


def running(job):
    """Indexes of its tasks that have not ended."""
    return out_of('squeue', '-h', '-r', '-j', job, '-o', '%K').split()


def lines_of(path):
    """How many lines a file has; 0: there is none."""
    try:
        with open(path, 'rb') as f:
            return f.read().count(b'\n')
    except OSError:
        return 0


def collected(cwd):
    """What is collected, without who wrote an output first."""
    folder = os.path.join(cwd, 'journals')
    done = run('collect', '-r', 'in', '--json', '-o', 'merged', *sorted(
        os.path.join('journals', name) for name in os.listdir(folder)),
        cwd=cwd)
    told = lines(done.stdout)
    for each in told:
        if each.get('output'):
            each['output'].pop('outcome')
    return done, told


def interrupt(cwd, env):
    """Run the array, in which one task hangs over a file; kill that."""
    job = submit(cwd, '0-%d' % (SHARDS - 1), {
        **env, 'LD_PRELOAD': archive.accidents(cwd)['LD_PRELOAD']})
    check('all tasks but one end', until(
        lambda: len(running(job)) == 1), running(job))
    index = running(job)[0]
    journal = os.path.join(cwd, 'journals',
                           'part-%s-of-%d.ndjson' % (index, SHARDS))
    until(lambda: lines_of(journal) > 0)
    out_of('scancel', '--full', '--signal=KILL', job + '_' + index)
    check('the one that hangs is killed', until(lambda: not running(job)))
    done, told = collected(cwd)
    left = [each for each in told if each['type'] == 'missing']
    check('it was in the middle', lines_of(journal) > 0 and left
          and done.returncode & 8, (lines_of(journal), len(left)))
    return index


def main(cwd):
    """All of it."""
    fill(os.path.join(cwd, 'in'), FILES)
    # Among those that are found neither first nor last.
    shutil.copy(os.path.join(DATA, 'bddf', 'good-patrol.bddf'),
                os.path.join(cwd, 'in', 'robot-3', 'hang.bddf'))
    os.mkdir(os.path.join(cwd, 'bin'))
    os.symlink(SALVOR, os.path.join(cwd, 'bin', 'salvor'))
    os.mkdir(os.path.join(cwd, 'out'))
    whole = run('repair', '-r', '-d', 'out', '--json', '--journal=whole',
                'in', cwd=cwd)
    os.rename(os.path.join(cwd, 'out'), os.path.join(cwd, 'alone'))
    os.mkdir(os.path.join(cwd, 'out'))
    env = {**os.environ, 'PATH': cwd + '/bin:' + os.environ['PATH']}
    index = interrupt(cwd, env)
    job = submit(cwd, index, env)
    check('its index is submitted again', until(lambda: not running(job)))
    with open(os.path.join(cwd, 'salvor-%s_%s.out' % (job, index)),
              encoding='utf-8') as f:
        said = f.read()
    check('and ends without a word', said == '', said)
    done, told = collected(cwd)
    want = lines(whole.stdout)
    for each in want:
        if each.get('output'):
            each['output'].pop('outcome')
    check('the collected report is that of one machine', told == want
          and done.returncode == whole.returncode,
          (len(told), len(want), done.returncode, done.stderr[-300:]))
    check('and so is the journal', settled(os.path.join(cwd, 'merged'))
          == settled(os.path.join(cwd, 'whole')))
    check('and so are the outputs', subprocess.run(
        ['diff', '-rq', '--exclude=*.salvor.json', 'alone', 'out'], cwd=cwd,
        check=False).returncode == 0)


if shutil.which('slurmctld') is None or shutil.which('munged') is None:
    print('check_slurm.py: skipped, needs slurm-wlm and munge')
    sys.exit(1 if os.environ.get('CI') else 77)
if not os.path.ismount('/sys/fs/cgroup'):
    print('check_slurm.py: skipped, no slurmd runs without /sys/fs/cgroup')
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix='salvor-') as place:
    os.chmod(place, 0o755)
    try:
        up = start(place)
        check('Slurm is up', up, out_of('sinfo'))
        if up:
            work = os.path.join(place, 'work')
            os.mkdir(work)
            main(work)
    finally:
        check('no daemon is left', stop(place))
        if os.environ.get('SALVOR_LOGS'):
            shutil.copytree(place, os.environ['SALVOR_LOGS'],
                            symlinks=True, ignore_dangling_symlinks=True)
end()

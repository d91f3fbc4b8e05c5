#!/usr/bin/python3
"""What is in contrib/ can be read, and its command lines do what they say.

Files of YAML are parsed, scripts in them are taken out and run here, with the
folders of this test; the unit of systemd is run by hand on what a power cut
leaves.  Slurm has a test of its own.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import time

from support.start import SALVOR, TOP, parts

with parts():
    import yaml
    from shell import content, in_empty_folder, run
    from tally import check, end

CONTRIB = os.path.join(TOP, 'contrib')
GOOD = os.path.join(TOP, 'testdata/bddf/good-patrol.bddf')
CUT = os.path.join(TOP, 'testdata/bddf/bad-cut-patrol.bddf')
BAG = os.path.join(TOP, 'testdata/rosbag/bad-open-lz4.bag')
OLD = time.time() - 86400


def text(*path):
    """A file of contrib/."""
    return content(os.path.join(CONTRIB, *path)).decode()


def clean():
    """An archive, and nothing else."""
    for name in os.listdir('.'):
        shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)
    os.makedirs('logs/a')
    for path, name in (GOOD, 'good.bddf'), (CUT, 'a/cut.bddf'), \
            (BAG, 'open.bag'):
        shutil.copy(path, 'logs/' + name)
        os.utime('logs/' + name, (OLD, OLD))


def shell(script, shell_name='sh', **env):
    """Run a script with salvor on its path."""
    os.makedirs('bin', exist_ok=True)
    if not os.path.exists('bin/salvor'):
        os.symlink(SALVOR, 'bin/salvor')
    env = dict(os.environ, PATH=os.path.abspath('bin') + ':'
               + os.environ['PATH'], **env)
    return subprocess.run([shell_name, '-e', '-c', script], check=False,
                          capture_output=True, stdin=subprocess.DEVNULL,
                          env=env)


def here(script):
    """The script with the folders of this test."""
    return re.sub(r'(?<![\w.])/logs', os.path.abspath('logs'), script.replace(
        '/logs-out', os.path.abspath('out')))


def all_collected(what, folder):
    """Each log is in exactly one of the journals."""
    names = [json.loads(line).get('path') for name in os.listdir(folder)
             for line in content(os.path.join(folder, name)).splitlines()]
    names = sorted(os.path.basename(name) for name in names if name)
    check(what + ': each log once', names == [
        'cut.bddf', 'good.bddf', 'open.bag'], names)


def kubernetes():
    """All pods of the job."""
    clean()
    job = yaml.safe_load(text('kubernetes', 'salvor-job.yaml'))
    spec = job['spec']
    box = spec['template']['spec']['containers'][0]
    check('job: indexed', job['kind'] == 'Job'
          and spec['completionMode'] == 'Indexed')
    check('job: as many pods as parts', 'auto/%d ' % spec['completions']
          in box['args'][0], box)
    check('job: volumes', {v['name'] for v in box['volumeMounts']} == {
        v['name'] for v in spec['template']['spec']['volumes']})
    for index in range(spec['completions']):
        done = shell(here(box['args'][0]), JOB_COMPLETION_INDEX=str(index))
        check('job: pod %d' % index, done.returncode == 0, done)
    all_collected('job', 'out/journals')
    check('job: repaired', os.path.exists('out/repaired/a/cut.bddf')
          and not os.path.exists('out/repaired/good.bddf'))


def argo():
    """The steps of the workflow."""
    clean()
    flow = yaml.safe_load(text('argo', 'salvor-audit.yaml'))['spec']
    of = {one['name']: one for one in flow['templates']}
    steps = [step for group in of[flow['entrypoint']]['steps']
             for step in group]
    check('argo: templates', all(step['template'] in of for step in steps))
    parts_of = steps[0]['withSequence']
    for index in range(int(parts_of['start']), int(parts_of['end']) + 1):
        script = of['part']['script']['source'].replace(
            '{{inputs.parameters.index}}', str(index))
        check('argo: as many parts', '%d/%s ' % (index, parts_of['end'])
              in script)
        done = shell(here(script))
        check('argo: part %d' % index, done.returncode == 0, done)
    all_collected('argo', 'out/journals')
    done = shell(here(of['collect']['script']['source']))
    check('argo: collect', done.returncode == 0
          and b'3 files' in done.stdout, done)
    check('argo: page', b'<!doctype html>' in content('out/report.html'))


def airflow():
    """The commands of the tasks."""
    clean()
    tree = ast.parse(text('airflow', 'salvor_nightly.py'))
    values = {node.targets[0].id: ast.literal_eval(node.value)
              for node in tree.body if isinstance(node, ast.Assign)}
    where = {'state': os.path.abspath('out'), 'archive': os.path.abspath('logs')}
    for index in range(1, values['SHARDS'] + 1):
        done = shell(values['AUDIT'].format(
            index=index, shards=values['SHARDS'], **where))
        check('airflow: shard %d' % index, done.returncode == 0, done)
    all_collected('airflow', 'out')
    done = shell(values['COLLECT'].format(**where))
    check('airflow: collect', done.returncode == 0
          and os.path.exists('out/report.html'), done)


def github():
    """The step of the action, and that it fails as it should."""
    clean()
    action = yaml.safe_load(text('github', 'action.yml'))
    step = action['runs']['steps'][0]
    check('action: composite', action['runs']['using'] == 'composite')
    for value in step['env'].values():
        name = re.fullmatch(r'\$\{\{ inputs\.(\w+) \}\}', value).group(1)
        check('action: input ' + name, name in action['inputs'])
    env = {'LOGS': 'logs', 'PAGE': 'p.html', 'JUNIT': 'j.xml'}
    check('action: variables', set(env) == set(step['env']))
    done = shell(step['run'], 'bash', **env)
    check('action: damage fails', done.returncode == 4
          and os.path.exists('p.html') and os.path.exists('j.xml'), done)
    os.unlink('logs/a/cut.bddf')
    os.unlink('logs/open.bag')
    done = shell(step['run'], 'bash', **env)
    check('action: sound logs pass', done.returncode == 0, done)


def pre_commit():
    """The entry of the hook, with the names that it takes."""
    clean()
    hook = yaml.safe_load(text('pre-commit', 'pre-commit-config.yaml'))[
        'repos'][0]['hooks'][0]
    names = ['logs/good.bddf', 'logs/a/cut.bddf', 'logs/open.bag', 'x.txt']
    taken = [name for name in names if re.search(hook['files'], name)]
    check('hook: names', taken == names[:3], taken)
    for some, code in (taken, 4), (taken[:1], 0):
        done = shell(hook['entry'] + ' ' + shlex.join(some))
        check('hook: %s' % some, done.returncode == code, done)


def container():
    """The image is the program alone."""
    lines = [line.split(None, 1) for line in
             text('container', 'Containerfile').splitlines()
             if line and not line.startswith('#')]
    words = dict(lines)
    check('image: from nothing', lines[:2] == [
        ['ARG', 'BASE=scratch'], ['FROM', '${BASE}']], lines)
    check('image: one file', words['COPY'].split() == [
        '${%s}' % words['ARG'], '/bin/salvor'], lines)
    check('image: starts it', json.loads(words['ENTRYPOINT']) == ['/bin/salvor'])
    done = subprocess.run([SALVOR, *json.loads(words['CMD'])], check=False,
                          capture_output=True)
    check('image: and that says what it is', done.returncode == 0
          and done.stdout.startswith(b'salvor - '), done)


def unit(name):
    """The settings of a unit, and the sections that it has."""
    settings, section = {}, None
    for line in text('systemd', name).splitlines():
        if line.startswith('['):
            section = line.strip('[]')
        elif line and not line.startswith('#'):
            key, value = line.split('=', 1)
            settings.setdefault((section, key), []).append(value)
    return settings


def start_unit(settings, **more):
    """Run what a unit starts, with its variables: the exit code."""
    env = dict(word.split('=', 1) for line in
               settings['Service', 'Environment'] for word in line.split())
    env.update(LOGS=os.path.abspath('logs'), STATE_DIRECTORY=os.path.abspath(
        'state'), **more)
    words = [re.sub(r'\$\{(\w+)\}', lambda m: env[m.group(1)], word)
             for word in settings['Service', 'ExecStart'][0].split()]
    check('unit: the program', words[0] == '/usr/bin/salvor')
    os.makedirs('state', exist_ok=True)
    return run(*words[1:])


def systemd():
    """After a power cut: repaired in place, and what is written left alone."""
    clean()
    settings = unit('salvor-repair.service')
    good = {0} | {int(word) for word in
                  settings['Service', 'SuccessExitStatus'][0].split()}
    check('timer: at the start', ('Timer', 'OnBootSec') in unit(
        'salvor-repair.timer'))
    cut, other = content('logs/a/cut.bddf'), content('logs/open.bag')
    shutil.copy(CUT, 'logs/young.bddf')
    os.utime('logs/young.bddf')
    done = start_unit(settings)
    check('unit: is a success', done.returncode in good, done)
    check('unit: says what it did', b'cut.bddf: REPAIRED' in done.stdout, done)
    check('unit: repaired', content('logs/a/cut.bddf') != cut
          and content('logs/open.bag') != other)
    check('unit: others are as they were', content('logs/good.bddf')
          == content(GOOD) and content('logs/young.bddf') == cut)
    check('unit: metrics', b'salvor_run_timestamp_seconds'
          in content('state/salvor.prom'))
    again = start_unit(settings)
    check('unit: again', again.returncode in good
          and content('logs/young.bddf') == cut, again)
    done = run('undo', '-r', 'logs')
    check('unit: can be taken back', content('logs/a/cut.bddf') == cut
          and content('logs/open.bag') == other, done)
    # A recorder that has not written for long has its log open.
    os.utime('logs/young.bddf', (OLD, OLD))
    with open('logs/young.bddf', 'ab'):
        done = start_unit(settings)
        check('unit: open log', content('logs/young.bddf') == cut, done)
        check('unit: and that shows', done.returncode & 8, done)
    if shutil.which('systemd-analyze') is not None:
        for name in 'salvor-repair.service', 'salvor-repair.timer':
            with open(name, 'w', encoding='utf-8') as f:
                f.write(text('systemd', name).replace(
                    '/usr/bin/salvor', SALVOR))
        done = subprocess.run(
            ['systemd-analyze', 'verify', '--man=no',
             './salvor-repair.service', './salvor-repair.timer'],
            check=False, capture_output=True)
        check('unit: systemd reads it', b'salvor-repair' not in done.stderr,
              done)


def main():
    """Each of them."""
    for one in kubernetes, argo, airflow, github, pre_commit, container, \
            systemd:
        one()
    end()


in_empty_folder(main)

#!/usr/bin/python3
"""Bags of ROS 2 that somebody made to do harm.

- a metadata.yaml that is a link, a FIFO or a folder is not followed, not
  written through and stops nothing; names in it lead nowhere
- YAML that grows when it is read, or is deep, is a finding
- time and memory go with the sizes of the folder and of metadata.yaml, and not
  with their product
- what is repaired is sound, also where a topic is listed twice

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time

from support.start import SALVOR, TOP, parts

with parts():
    import make_ros2data
    import ros2_bag
    from built import sanitized
    from tally import check, end

NOTE = 'metadata.yaml'
ROOT = 'rosbag2_bagfile_information'
SLOPE = 1.3  # as many times the size to this may it take
BASE = 0.1  # seconds of work that any small bag may take
PATIENCE = 60  # seconds of work for a run
AFTER = 2  # seconds until a signal ends it
PROFILES = 400  # of the topic that has many
TWICE = 4000  # times that it is listed
GROWN = 4  # times as long as it was may a metadata.yaml become


def limit_work():
    """Let the kernel end what works for too long."""
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))


def run(*args):
    """Run it."""
    return subprocess.run([SALVOR, *map(str, args)], stdin=subprocess.DEVNULL,
                          capture_output=True, check=False,
                          preexec_fn=limit_work)


def bag(*args):
    """The exit code, and what is said of the only bag."""
    done = run(*args, '--json', '-qq')
    lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
    found = [o for o in lines if o['type'] == 'bag']
    check('it ends: %s' % (args[:2],), 0 <= done.returncode < 64
          and len(found) == 1, (done.returncode, done.stderr[-300:]))
    return done.returncode, found[0] if found else {'problems': []}


def ids(one):
    """Its findings."""
    return [p['id'] for p in one['problems']]


def fresh(name):
    """An empty folder."""
    shutil.rmtree(name, ignore_errors=True)
    pathlib.Path(name).mkdir()
    return pathlib.Path(name)


def made(name, files=1):
    """A fresh folder with a bag."""
    folder = pathlib.Path(name)
    shutil.rmtree(folder, ignore_errors=True)
    ros2_bag.write(folder, make_ros2data.bag(9, files))
    return folder


def planted(folder, way):
    """Something else is there under the name of metadata.yaml."""
    text = (folder / NOTE).read_bytes()
    (folder / NOTE).unlink()
    if way == 'FIFO':
        os.mkfifo(folder / NOTE)
    elif way == 'folder':
        (folder / NOTE).mkdir()
    else:
        home = folder / 'home'  # the sandbox lets it write there
        home.mkdir()
        (home / 'precious').write_bytes(b'precious: 1\n' if way == 'link'
                                        else text)
        (folder / NOTE).symlink_to('home/precious' if way != 'dangling'
                                   else 'home/new')


def not_followed():
    """What is no file is not read, and nothing is written through it."""
    for way in 'link', 'link to one that agrees', 'dangling', 'FIFO', 'folder':
        folder = made('planted')
        planted(folder, way)
        home = {p.name: p.read_bytes() for p in folder.glob('home/*')}
        code, one = bag('verify', folder)
        check('%s: a finding' % way, (code, ids(one))
              == (4, ['ros2.no-metadata']), one)
        for more in [], ['-f']:
            code, one = bag('repair', '--in-place', *more, folder)
            check('%s: not written' % way, code == 8
                  and one['output'] is None, (code, one))
            done = run('repair', '--in-place', *more, folder)
            check('%s: it is said' % way, b'is no regular file' in done.stderr
                  and b'wrote' not in done.stdout, done)
        code, one = bag('repair', '-d', fresh('out'), folder)
        check('%s: repaired elsewhere' % way, code == 1
              and not ros2_bag.faults('out'), (code, one))
        check('%s: nothing else changed' % way, home == {
            p.name: p.read_bytes() for p in folder.glob('home/*')})


def is_confined(pid):
    """Is its sandbox up, or nothing to wait for?"""
    status = pathlib.Path('/proc/%d/status' % pid).read_text()
    return 'Seccomp:\t2' in status or 'Seccomp:' not in status or sanitized()


def swapped():
    """A file of the bag becomes a link after its folder was read."""
    folder = made('swapped', 2)
    shutil.copy(folder / 'bag_1.mcap', 'secret.mcap')
    with subprocess.Popen(
            [SALVOR, 'verify', '--json', '-', 'secret.mcap', folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE) as job:
        # All operands are found before the first one is read to its end.
        job.stdin.write((folder / 'bag_0.mcap').read_bytes())
        job.stdin.flush()
        while not is_confined(job.pid):
            time.sleep(.02)
        time.sleep(.2)
        (folder / 'bag_1.mcap').unlink()
        (folder / 'bag_1.mcap').symlink_to('../secret.mcap')
        out, _ = job.communicate()
    reports = {o.get('file'): o for o in map(json.loads, out.splitlines())}
    check('swapped: the log that was named is read',
          reports['secret.mcap'].get('state') == 'intact', reports)
    link = reports['swapped/bag_1.mcap']
    check('swapped: the link is not followed', link.get('state', 'failed')
          == 'failed', link)


def names_that_leave():
    """Names of other folders are not opened."""
    for name in ('../secret_0.mcap', '/etc/passwd', '../../x.mcap', '.', '..',
                 'sub/bag_0.mcap', '"\\x1b[2J_0.mcap"', '~', '""'):
        folder = made('names')
        (folder / 'sub').mkdir()
        shutil.copy(folder / 'bag_0.mcap', folder / 'sub')
        shutil.copy(folder / 'bag_0.mcap', 'secret_0.mcap')
        before = (folder / NOTE).read_text()
        (folder / NOTE).write_text(before.replace(
            '    - bag_0.mcap', '    - bag_0.mcap\n    - ' + name))
        code, one = bag('verify', folder)
        check('%s: a finding' % name, code == 4 and one['messages'] == 20, one)
        check('%s: its file alone' % name, [f['file'] for f in one['files']]
              == ['names/bag_0.mcap'], one)
        done = run('verify', folder)
        check('%s: nothing for a terminal' % name, b'\x1b' not in done.stdout)
        code, one = bag('repair', '-d', fresh('out'), folder)
        check('%s: repaired' % name, not ros2_bag.faults('out')
              and sorted(os.listdir('out')) == ['bag_0.mcap', NOTE], one)


def laughs():
    """Each alias stands for ten of the one before."""
    out = ['a: &a0 [x,x,x,x,x,x,x,x,x,x]']
    out += ['b%d: &a%d [%s]' % (i, i, ','.join(['*a%d' % (i - 1)] * 10))
            for i in range(1, 30)]
    return '\n'.join(out)


TEXTS = {
    'laughs': laughs(),
    'deep lists': '[' * 1000000,
    'deep maps': '{a: ' * 300000,
    'deep blocks': '\n'.join(' ' * i + 'a:' for i in range(3000)),
    'a long text': '%s: "%s"' % (ROOT, 'x' * (15 << 20)),
    'a long key': 'x' * (15 << 20) + ': 1',
    'many keys': '\n'.join('k%d: 1' % i for i in range(500000)),
    'many items': '- 1\n' * (4 << 20),
    'many documents': '--- a\n' * (1 << 20),
    'a tag': '%s: !!python/object/apply:os.system ["touch hit"]' % ROOT,
    'merged': 'a: &a {b: 1}\n%s:\n  <<: *a' % ROOT,
    'comments': '# x\n' * (4 << 20),
    'blank': '\n' * (15 << 20),
    'too long': ' ' * (17 << 20),
    'zeros': '\0' * (1 << 20),
}


def texts():
    """Texts that are meant to grow, or to go deep."""
    for name, text in TEXTS.items():
        folder = made('text')
        (folder / NOTE).write_text(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code, one = bag('verify', folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime - before.ru_utime
        check('%s: a finding' % name, code == 4
              and {'ros2.yaml', 'ros2.field'} & set(ids(one)), (code, ids(one)))
        check('%s: soon' % name, sanitized() or spent < 10, spent)
        code, one = bag('repair', '-d', fresh('out'), folder)
        check('%s: repaired' % name, code == 1 and not ros2_bag.faults('out'),
              (code, one))
    check('no tag did anything', not os.path.exists('hit'))


def twice():
    """A topic that is listed many times has one entry in the end, however long
    its profiles are."""
    plain = ros2_bag.profile
    ros2_bag.profile = lambda topic, version, indent: ('\n' + indent).join(
        [plain(topic, version, indent)] * PROFILES)
    folder = made('twice')
    ros2_bag.profile = plain
    head, rest = (folder / NOTE).read_text().split('    - topic_metadata:', 1)
    item = ('    - topic_metadata:\n        name: /odom\n'
            '        offered_qos_profiles: []\n')
    (folder / NOTE).write_text(
        head + item * TWICE + '    - topic_metadata:' + rest)
    size = (folder / NOTE).stat().st_size
    code, one = bag('verify', folder)
    check('twice: findings', code == 4
          and one['problems_total'] > TWICE, one['problems_total'])
    code, one = bag('repair', '-d', fresh('out'), folder)
    check('twice: repaired', code == 1 and one['state'] == 'repaired'
          and not ros2_bag.faults('out'), (code, one['state']))
    check('twice: not longer', pathlib.Path('out', NOTE).stat().st_size
          < GROWN * size, size)
    check('twice: sound', run('verify', 'out').returncode == 0)


def files_and_text(n):
    """n empty files beside a long text that has none of their names."""
    folder = fresh('grown')
    for i in range(n):
        (folder / ('x_%d.mcap' % i)).touch()
    (folder / NOTE).write_text('a: "%s"' % ('_9.mcap' * (n * 500)))


def files_and_names(n):
    """n empty files, and as many other names."""
    folder = fresh('grown')
    for i in range(n):
        (folder / ('x_%d.mcap' % i)).touch()
    rows = ''.join('\n    - y_%d.mcap' % i for i in range(20 * n))
    (folder / NOTE).write_text('%s:\n  relative_file_paths:%s' % (ROOT, rows))


def topics(n):
    """n topics in a file, and as many others in metadata.yaml."""
    many = [ros2_bag.Topic('/t%d' % i, 'a/msg/B') for i in range(n)]
    shutil.rmtree('grown', ignore_errors=True)
    ros2_bag.write('grown', ros2_bag.Bag(9, many, [
        [(t.name, make_ros2data.START + i) for i, t in enumerate(many)]]))
    path = pathlib.Path('grown', NOTE)
    path.write_text(path.read_text().replace('name: /t', 'name: /u'))


def cost(*args):
    """Seconds of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*args)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime
            - before.ru_utime - before.ru_stime)


def growth():
    """Four times as much takes four times as long, and a bit."""
    for kind, n in (files_and_text, 400), (files_and_names, 1000), \
            (topics, 400):
        for args in ['verify', '-qq'], ['repair', '-n', '-qq', '--in-place']:
            spent = []
            for many in n, 4 * n:
                kind(many)
                spent.append(min(cost(*args, 'grown') for _ in range(2)))
            check('%s, %s: time goes with the size' % (kind.__name__, args[0]),
                  spent[1] <= 4 ** SLOPE * (spent[0] + BASE), spent)


def little():
    """A small bag costs little, also where there is much to say."""
    folder = made('little', 2)
    path = folder / NOTE
    text = path.read_text()
    for what in 'message_count: ', 'name: /', 'nanoseconds: ', '- bag_':
        text = text.replace(what, what + '1')
    path.write_text(text)
    spent = min(cost('verify', '-qq', 'little') for _ in range(3))
    check('a small bag', sanitized() or spent < BASE, spent)


def signals():
    """A signal ends it soon, whatever it does."""
    folder = fresh('slow')
    for i in range(100):
        (folder / ('%s_%d.mcap' % ('mcap' * 50, i))).touch()
    (folder / NOTE).write_text('.mcap' * (3 << 20))
    for wait in 0.2, 0.6, 1.2:
        with subprocess.Popen([SALVOR, 'verify', '-qq', folder],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as job:
            time.sleep(wait)
            job.send_signal(signal.SIGTERM)
            before = time.monotonic()
            job.wait()
            spent = time.monotonic() - before
        check('ended after %.1f s' % wait, sanitized() or spent < AFTER, spent)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for test in (not_followed, swapped, names_that_leave, texts, twice, growth, little,
                 signals):
        test()
    os.chdir(TOP)
end()

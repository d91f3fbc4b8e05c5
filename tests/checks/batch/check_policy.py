#!/usr/bin/python3
"""Rules for pipelines: which logs keep them, in all formats and in a batch.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_writer
    from schema import BY_TYPE
    from tally import check, end

DATA = TOP / 'testdata'

BEGIN = 1700000000
BROKEN = 64  # what a broken rule adds to the exit code


def run(*args, **how):
    """Run it."""
    how.setdefault('stdin', subprocess.DEVNULL)
    return subprocess.run([SALVOR, *map(str, args)], capture_output=True,
                          check=False, **how)


def verify(*args):
    """The exit code and the report of one file."""
    done = run('verify', '--json', *args)
    report = json.loads(done.stdout.splitlines()[0])
    faults = [e.message for e in BY_TYPE['file'].iter_errors(report)]
    check('the schema: %s' % (args,), not faults, faults[:1])
    return done.returncode, report


def broken(*args):
    """(id, channel, times) of the rules that are broken; the code fits."""
    code, report = verify(*args)
    found = report['violations']
    check('policy: %s' % (args,), report['policy']
          == ('fail' if found else 'pass'), report['policy'])
    check('exit code: %s' % (args,), bool(code & BROKEN) == bool(found), code)
    return [(v['id'].replace('policy.', ''), v['channel'], v['times'])
            for v in found]


def bag(path, channels, **shape):
    """channels: (topic, seconds at which it says something); two of one topic
    are two connections."""
    about = [bag_writer.Connection(i, topic, 'std_msgs/Header', 'uint32 x')
             for i, (topic, _) in enumerate(channels)]
    messages = sorted(
        (bag_writer.Message(i, BEGIN + int(at), round(at % 1 * 1e9),
                            b'\1\0\0\0')
         for i, (_, times) in enumerate(channels) for at in times),
        key=lambda m: (m.sec, m.nsec))
    pathlib.Path(path).write_bytes(bag_writer.write(
        about, messages, bag_writer.Shape(**shape)))


def every(step, first, last):
    """Times from first to last."""
    return [first + i * step for i in range(round((last - first) / step) + 1)]


def gaps():
    """Between messages, at both ends, of what says something once."""
    bag('a.bag', [('/imu', every(0.1, 0, 20)),
                  ('/gps', every(1, 0, 6) + every(1, 11, 20)),
                  ('/late', every(1, 4, 20)), ('/dead', every(1, 0, 15)),
                  ('/once', [3]), ('/two', every(2, 0, 20)),
                  ('/two', every(2, 1, 19))])
    check('the longest gap', broken('--max-gap=4.5s', 'a.bag')
          == [('max-gap', '/dead', 1), ('max-gap', '/gps', 1)])
    check('all that are late', broken('--max-gap=3s', 'a.bag')
          == [('max-gap', '/dead', 1), ('max-gap', '/gps', 1),
              ('max-gap', '/late', 1)])
    check('as long as allowed', broken('--max-gap=5s', 'a.bag') == [])
    check('how often', ('max-gap', '/late', 17)
          in broken('--max-gap=500ms', 'a.bag'))
    check('connections of a topic are one',
          broken('--max-gap=/two=1s', 'a.bag') == [])
    check('a single message has no gap', '/once' not in
          [c for _, c, _ in broken('--max-gap=1s', 'a.bag')])
    check('unless it is meant', broken('--max-gap=/once=5s', 'a.bag')
          == [('max-gap', '/once', 1)])
    check('a channel that is not there', broken('--max-gap=/no=5s', 'a.bag')
          == [('max-gap', '/no', 1)])
    check('a pattern without a channel', broken('--max-gap=/no*=5s', 'a.bag')
          == [])
    check('exceptions', broken('--max-gap=/[gd]*=10s', '--max-gap=3s',
                               '--max-gap=/late=none', 'a.bag') == [])
    gap = verify('--max-gap=4.5s', 'a.bag')[1]['violations'][1]
    check('when', (gap['from'], gap['to'], gap['found'], gap['asked'],
                   gap['unit'])
          == ('2023-11-14T22:13:26.000000000Z',
              '2023-11-14T22:13:31.000000000Z', 5, 4.5, 's'), gap)
    where = next(b for b in map(json.loads, run(
        'list', '--json', 'a.bag').stdout.splitlines())
        if b.get('name') == '/gps' and b['time'] == gap['from'])
    check('where', gap['offset'] == where['offset'], (gap, where))
    bag('packed.bag', [('/imu', every(0.1, 0, 5) + every(0.1, 8, 12))],
        compression=('bz2',), threshold=500)
    check('in compressed chunks', broken('--max-gap=2s', 'packed.bag')
          == [('max-gap', '/imu', 1)])


def rates():
    """Over the whole log, and never for want of a last step."""
    bag('r.bag', [('/ten', every(0.1, 0.05, 9.95)), ('/all', [0, 10]),
                  ('/half', every(0.1, 0, 5))])
    check('it keeps its rate', broken('--min-rate=/ten=10', 'r.bag') == [])
    check('and no higher one', broken('--min-rate=/ten=10.2', 'r.bag')
          == [('min-rate', '/ten', 1)])
    check('what stops halfway', broken('--min-rate=/half=6', 'r.bag')
          == [('min-rate', '/half', 1)])
    check('has half the rate', broken('--min-rate=/half=5', 'r.bag') == [])
    check('a pattern', broken('--min-rate=/*=6', 'r.bag')
          == [('min-rate', n, 1) for n in ('/all', '/half')])
    check('what is not there', broken('--min-rate=/imu=0.1', 'r.bag')
          == [('min-rate', '/imu', 1)])
    bag('one.bag', [('/imu', [0])])
    check('one moment has no rate', broken('--min-rate=/imu=100', 'one.bag')
          == [])


def others():
    """Channels and losses."""
    bag('o.bag', [('/cam/left', every(0.1, 0, 3))])
    check('required', broken('--require=/cam/left', '--require=/cam/*',
                             '--require=*', 'o.bag') == [])
    check('not there', broken('--require=/cam/right', '--require=/none',
                              '--require=/x*', 'o.bag')
          == [('require', n, 1) for n in ('/cam/right', '/none', '/x*')])
    code, report = verify('--quick', '--require=/cam/left', 'o.bag')
    check('the index is enough for that', (code, report['depth'],
                                           report['policy'])
          == (0, 'index', 'pass'), report)
    code, report = verify('--quick', '--max-gap=1s', 'o.bag')
    check('but not for gaps', report['depth'] == 'all', report['depth'])
    cut = DATA / 'bddf' / 'bad-cut-descriptor.bddf'
    code, report = verify(cut)
    lost = report['bytes']['lost']
    check('it lost something', lost > 0 and code == 4
          and 'policy' not in report)
    check('so many bytes may be', broken('--max-lost=%d' % lost, cut) == [])
    check('no more', [b[0] for b in broken('--max-lost=%d' % (lost - 1), cut)]
          == ['max-lost'])
    part = 100 * max(lost / report['size'], report['blocks']['lost']
                     / sum(report['blocks'][k] for k in ('kept', 'lost')))
    check('so large a part may be',
          broken('--max-lost=%.5f%%' % (part + 1e-4), cut) == [])
    check('no larger one', [b[0] for b in broken(
        '--max-lost=%.5f%%' % (part - 1e-4), cut)] == ['max-lost'])
    check('nothing', [b[0] for b in broken('--max-lost=0', cut)]
          == ['max-lost'])
    check('the state is what it is', verify('--max-lost=0', cut)[1]['state']
          == 'damaged')
    shutil.copy(cut, 'cut.bddf')
    run('repair', 'cut.bddf')
    check('an earlier repair has lost it', [b[0] for b in broken(
        '--max-lost=%d' % (lost - 1), 'cut.repaired.bddf')] == ['max-lost']
        and broken('--max-lost=%d' % lost, 'cut.repaired.bddf') == [])


def formats():
    """What a channel is in each of them."""
    for name, channel, blind in (
            ('bddf/good-patrol.bddf', 'camera/front', None),
            ('rosbag/good-drive-lz4.bag', '/imu/data', None),
            ('cyber/good-lite.record', '/apollo/sensor/1', None),
            ('carla/good-0.9.15.log', 'FrameStart', 'Position')):
        path = DATA / name
        check(name + ': pass', broken(
            '--max-gap=1h', '--min-rate=%s=0.001' % channel,
            '--require=' + channel, '--max-lost=0', path) == [])
        found = broken('--max-gap=1ms', '--min-rate=%s=1000000' % channel,
                       '--require=nobody', path)
        check(name + ': fail', {i for i, _, _ in found}
              == {'max-gap', 'min-rate', 'require'}
              and channel in [c for _, c, _ in found], found)
        check(name + ': sound still', verify('--max-gap=1ms', path)[1]['state']
              == 'intact')
        if blind:
            gap = verify('--max-gap=%s=1h' % blind, path)[1]['violations'][0]
            check(name + ': no times', gap['found'] is None
                  and 'no times' in gap['text'], gap)


def damaged():
    """What damage has lost is a gap, and nothing is repaired for a rule."""
    bag('d.bag', [('/imu', every(0.05, 0, 20))], threshold=2000)
    data = bytearray(pathlib.Path('d.bag').read_bytes())
    half = len(data) // 3
    data[half:half + 8000] = bytes(8000)
    pathlib.Path('d.bag').write_bytes(data)
    code, report = verify('--max-gap=200ms', 'd.bag')
    gap = report['violations']
    check('a hole is a gap', code == 4 + BROKEN and len(gap) == 1
          and gap[0]['found'] > 1, gap)
    done = run('verify', '--max-gap=1ms', DATA / 'bddf' / 'good-patrol.bddf')
    check('a rule calls for no repair', done.returncode == BROKEN
          and b'repair' not in done.stdout and b'policy: fail' in done.stdout,
          done.stdout)
    done = run('verify', '-q', '--max-gap=1ms',
               DATA / 'bddf' / 'good-patrol.bddf')
    check('-q tells of it', b'policy: fail' in done.stdout, done.stdout)
    for path, code in (('none', 8), (DATA / 'README', 8)):
        done = run('verify', '--json', '--require=x', path)
        check('not judged: %s' % path, done.returncode == code
              and json.loads(done.stdout)['policy'] is None, done.stdout)
    pathlib.Path('text').write_text('no log')
    code, report = verify('--require=x', 'text')
    check('no log is not judged', code == 4 and report['policy'] is None
          and report['violations'] == [], report)


def files():
    """Rules in a file."""
    rules = pathlib.Path('rules')
    rules.write_text('# of our robots\n\n  max-gap=4.5s  # all\n'
                     'max-gap /dead=none\nmin-rate = /imu=9\r\n'
                     'require=/odd#name\n')
    check('as options', broken('--policy=rules', 'a.bag')
          == [('require', '/odd#name', 1), ('max-gap', '/gps', 1)])
    check('options beside it', broken(
        '--policy=rules', '--max-gap=/gps=6s', '--require=/imu', 'a.bag')
        == [('require', '/odd#name', 1)])
    with open(rules, 'rb') as f:
        done = run('verify', '--json', '--policy=-', 'a.bag', stdin=f)
    check('from standard input', done.returncode == BROKEN)
    for text, says in (('require=a\nmax-gap 2x\n', b'rules:2: '),
                       ('\0', b'no text'), ('mingap=2s', b'rules:1: '),
                       ('require', b'rules:1: ')):
        rules.write_text(text)
        done = run('verify', '--policy=rules', 'a.bag')
        check('no rule: %s' % text[:20], done.returncode == 16
              and says in done.stderr and done.stdout == b'', done.stderr)
    done = run('verify', '--policy=nowhere', 'a.bag')
    check('no file', done.returncode == 16 and b'nowhere' in done.stderr,
          done.stderr)


def batches():
    """Summary, totals and journal; other rules, done again."""
    os.mkdir('in')
    for name in 'a.bag', 'r.bag', 'o.bag', 'text':
        shutil.copy(name, 'in')
    command = 'verify', '-r', '-j2', '--json', '--journal=j', '--max-gap=3s'
    done = run(*command, 'in')
    told = [json.loads(line) for line in done.stdout.splitlines()]
    check('batch: the code', done.returncode & BROKEN, done.returncode)
    check('batch: the totals', told[-1]['policy_failed'] == sum(
        r.get('policy') == 'fail' for r in told[:-1]) == 2, told[-1])
    check('batch: the summary', b'2  break the rules' in done.stderr,
          done.stderr)
    lines = [json.loads(line) for line in open('j', encoding='ascii')]
    faults = [e.message for line in lines
              for e in BY_TYPE['journal'].iter_errors(line)]
    check('batch: the journal fits', not faults, faults[:1])
    check('batch: the journal tells', {
        (os.path.basename(line['path']), line['result']['policy'])
        for line in lines} == {('a.bag', 'fail'), ('r.bag', 'fail'),
                               ('o.bag', 'pass'), ('text', None)}, lines)
    again = run(*command, 'in')
    check('batch: nothing is done again', again.returncode == done.returncode
          and again.stdout == done.stdout and b'done before' in again.stderr,
          again.stderr)
    other = run(*command, '--require=/imu', 'in')
    check('batch: other rules are', b'done before' not in other.stderr
          and json.loads(other.stdout.splitlines()[-1])['policy_failed'] == 3)
    none = run('verify', '-r', '--json', '--journal=j', 'in')
    check('batch: and so are none', b'done before' not in none.stderr
          and not none.returncode & BROKEN, none.stderr)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    for test in (gaps, rates, others, formats, damaged, files, batches):
        test()
    os.chdir(TOP)
end()

#!/usr/bin/python3
"""The report beside a lossy log stays one that the next run believes, however much
there is to list: for many channels with long names, for many damaged places, and
for both, repaired once, again after more damage, and in place.

Environment: SALVOR is the program.
"""
import json
import os
import subprocess
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_writer
    import bddf_writer
    from bddf_writer import field
    from tally import check, end

MOST = 1 << 20  # bytes of a report that is believed
NAME = 'name/' * 40


def bag(channels, messages):
    """A bag with so many of each, its chunks not compressed."""
    made = [bag_writer.Connection(i, '/%s%d' % (NAME, i), 'std_msgs/Byte',
                                  'byte data') for i in range(channels)]
    said = [bag_writer.Message(i % channels, 1000 + i // 1000, i % 1000,
                               bytes([i % 256])) for i in range(messages)]
    return bytearray(bag_writer.write(
        made, said, bag_writer.Shape(threshold=2000)))


def damage(log, step):
    """Zeros now and then."""
    for at in range(9000, len(log) - 9000, step):
        log[at:at + 150] = bytes(150)


def run(*words):
    """Its exit code and the object that it prints."""
    done = subprocess.run([SALVOR, *words, '--json'], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, {'error': done.stderr}


def judge(what, path, large):
    """Whether the report beside a log is believed."""
    beside = path + '.salvor.json'
    check(what + ': there', os.path.exists(beside))
    if not os.path.exists(beside):
        return
    with open(beside, encoding='ascii') as lines:
        text = lines.read()
    told = json.loads(text.splitlines()[0])
    check(what + ': size', len(text) <= MOST, str(len(text)))
    if large is not None:
        check(what + ': trimmed', ('trimmed' in told) == large, text)
    check(what + ': counts', told['state'] == 'lossy'
          and len(told['problems']) <= told['problems_total'], text)
    code, seen = run('verify', path)
    ids = [p['id'] for p in seen.get('problems', [])]
    check(what + ': believed', seen.get('history') is not None
          and 'core.sidecar-ignored' not in ids, (code, seen))


def carried(folder):
    """An extract, one of that, and exports say what the repair of their log lost."""
    for form, name in (('rosbag', 'bad-chunk-hole.bag'),
                       ('cyber', 'bad-hole.record'),
                       ('carla', 'bad-hole-frames.log'),
                       ('mcap', 'bad-chunk-gone.mcap'),
                       ('bddf', 'bad-cut-payload.bddf'),
                       ('ulog', 'bad-hole.ulg'),
                       ('dataflash', 'bad-hole.bin')):
        log = os.path.join(folder, name)
        code, _ = run('repair', '-o', log, str(TOP / 'testdata' / form / name))
        before = run('verify', log)[1].get('history') or {}
        if code & 3 == 0 or before.get('state') != 'lossy':
            check('%s: lossy' % name, False, (code, before))
            continue
        for number, (job, source, made) in enumerate((
                ('extract', '', '-some'), ('extract', '-some', '-again'),
                ('export', '-again', '.mcap'), ('export', '', '.ndjson'))):
            code, told = run(job, '-o', log + made, log + source)
            check('%s: %s %d' % (name, job, number), code in (0, 3),
                  (code, told['error']))
            if made == '.ndjson':
                with open(log + made, encoding='utf-8') as lines:
                    last = json.loads(lines.read().splitlines()[-1])['salvor']
                seen = {'state': last['state'],
                        'lost_bytes': int(last['lost-bytes']),
                        'lost_blocks': int(last['lost-blocks'])}
            else:
                seen = run('verify', log + made)[1].get('history') or {}
            for key in ('state', 'lost_bytes', 'lost_blocks'):
                check('%s: %s %d: %s' % (name, job, number, key),
                      seen.get(key) == before[key], (seen, before))


def too_much(folder):
    """No log makes a sum negative with what it says an earlier repair lost."""
    key = 'salvor:lost-bytes', 'salvor:lost-blocks', 'salvor:foreign-bytes'
    for number in 2 ** 63 - 1, 2 ** 63, 2 ** 64 - 1, 10 ** 30:
        notes = {'salvor:state': 'lossy', **dict.fromkeys(key, str(number))}
        log = os.path.join(folder, 'large.bddf')
        more = b''.join(field(2, field(1, k.encode()) + field(2, v.encode()))
                        for k, v in notes.items())
        with open(log, 'wb') as out:
            out.write(bddf_writer.Log(more=more).declare(0, 'a')
                      .data(0, b'first').close())
        for job in ('verify', log), ('extract', '-f', '-o', log + '.x', log):
            said = run(*job)[1].get('history') or {}
            for name in 'lost_bytes', 'lost_blocks', 'foreign_bytes':
                check('%s of %d: %s' % (job[0], number, name),
                      said.get(name) == 2 ** 63 - 1, said)


def main():
    with tempfile.TemporaryDirectory() as folder:
        carried(folder)
        too_much(folder)
    for what, channels, messages, step, large in (
            ('small', 3, 3000, 20000, False),
            ('many channels', 4000, 5000, 100000, True),
            ('many places', 3, 60000, 2500, True)):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'in.bag')
            out = os.path.join(folder, 'out.bag')
            again = os.path.join(folder, 'again.bag')
            log = bag(channels, messages)
            damage(log, step)
            with open(path, 'wb') as to:
                to.write(log)
            code, told = run('repair', '-o', out, path)
            check(what + ': repaired', code == 3, (code, told))
            judge(what, out, large)
            os.truncate(out, os.path.getsize(out) // 3)
            code, told = run('repair', '-o', again, out)
            check(what + ': again', code == 3, (code, told))
            judge(what + ', again', again, None)
            code, told = run('repair', '--in-place', out)
            check(what + ': in place', code == 3, (code, told))
            judge(what + ', in place', out, None)


main()
end()

#!/usr/bin/python3
"""A plan that is carried out gives what a repair writes, or nothing.

- of each log in testdata: the bytes, and the report next to them
- on another file, or by a damaged plan: nothing, and a sentence that says why

Environment: SALVOR is the program.
"""
import base64
import hashlib
import os
import random
import shutil
import subprocess

from support.start import SALVOR, TOP, parts

with parts():
    from archive import unsigned
    from shell import content, in_empty_folder, put, run
    from tally import check, end

TROUBLE, USAGE = 8, 16


def clean():
    """Remove all files here."""
    for name in os.listdir('.'):
        os.unlink(name)


def remove_outputs():
    """Remove what a repair or a plan wrote."""
    for name in 'out', 'out.salvor.json':
        if os.path.exists(name):
            os.unlink(name)


def by_hand(plan, data):
    """The output as docs/plan.md describes it."""
    out = b''
    for line in plan.decode().split('\n')[3:]:
        word, *rest = line.split(' ')
        if word == 'copy':
            off, n = map(int, rest)
            out += data[off:off + n]
        elif word == 'bytes':
            out += base64.b64decode(rest[1])
            check('bytes say how many', len(base64.b64decode(rest[1]))
                  == int(rest[0]), line)
        elif word == 'fill':
            out += bytes([int(rest[1])]) * int(rest[0])
    return out


def as_repaired(path):
    """One log: the plan gives what the repair wrote."""
    name = os.path.relpath(path, TOP)
    clean()
    shutil.copy(path, 'log')
    data = content('log')
    planned = run('repair', '-nqq', '--plan-out=plan', '-o', 'out', 'log')
    repaired = run('repair', '-qq', '-o', 'out', 'log')
    check(name + ': the same verdict', planned.returncode
          == repaired.returncode, (planned, repaired))
    check(name + ': a plan where there is an output',
          os.path.exists('plan') == os.path.exists('out'), repaired)
    if not os.path.exists('out'):
        return False
    want, told = content('out'), content('out.salvor.json')
    remove_outputs()
    done = run('apply', 'plan', 'log', 'out')
    check(name + ': is carried out', done.returncode == 0, done)
    check(name + ': as repaired', content('out') == want, done)
    check(name + ': as described', by_hand(content('plan'), data) == want)
    check(name + ': with its report', (told is None) == (
        content('out.salvor.json') is None), (told, done))
    if told is not None:
        check(name + ': and that is the same', unsigned(told) == unsigned(
            content('out.salvor.json')), (told, content('out.salvor.json')))
    check(name + ': the log is as it was', content('log') == data)
    return want != data


def start(name):
    """A log, its plan, and what that gives."""
    clean()
    shutil.copy(os.path.join(TOP, 'testdata', name), 'log')
    run('repair', '-nqq', '--plan-out=plan', 'log')
    check('there is a plan', os.path.exists('plan'))
    run('apply', 'plan', 'log', 'want')
    return content('log'), content('plan'), content('want')


def refused(what, code, *args, says=b''):
    """A call that writes nothing, and says why in one line."""
    before = {name: content(name) for name in os.listdir('.')}
    done = run('apply', *args)
    after = {name: content(name) for name in os.listdir('.')}
    check(what + ': exit code', done.returncode == code, done)
    check(what + ': one line', done.stderr.count(b'\n') == 1
          and done.stdout == b'' and says in done.stderr, done)
    check(what + ': nothing changed', before == after, set(after) ^ set(before))


def other_files(data, plan):
    """What is not the log of the plan."""
    put('longer', data + b'x')
    put('flipped', bytes([data[0] ^ 1]) + data[1:])
    put('late', data[:-1] + bytes([data[-1] ^ 128]))
    put('empty', b'')
    for name in 'longer', 'empty':
        refused(name, TROUBLE, 'plan', name, 'out', says=b'bytes')
    for name in 'flipped', 'late':
        refused(name, TROUBLE, 'plan', name, 'out', says=b'SHA-256 differs')
    refused('dry run', TROUBLE, '-n', 'plan', 'late', 'out')
    refused('no file', TROUBLE, 'plan', 'none', 'out')
    refused('no plan', TROUBLE, 'none', 'log', 'out')
    refused('a folder', TROUBLE, 'plan', '.', 'out')
    refused('the log is no plan', TROUBLE, 'log', 'log', 'out')
    refused('standard input', USAGE, 'plan', '-', 'out')
    refused('onto itself', USAGE, 'plan', 'log', 'log')
    refused('onto itself, by force', USAGE, '-f', 'plan', 'log', './log')
    refused('no folder there', TROUBLE, 'plan', 'log', 'none/out')
    put('out', b'something else')
    refused('output exists', TROUBLE, 'plan', 'log', 'out', says=b'exists')
    done = run('apply', '-f', 'plan', 'log', 'out')
    check('force', done.returncode == 0 and content('out') == content('want'),
          done)
    done = run('apply', 'plan', 'log', 'out')
    check('the same again', done.returncode == 0 and b'already' in done.stdout,
          done)
    remove_outputs()
    with open('log', 'ab'):
        refused('being written', TROUBLE, 'plan', 'log', 'out')
    os.rename('plan', 'kept')
    put('plan', b'my own notes\n')
    done = run('repair', '-nqq', '--plan-out=plan', 'log')
    check('another file is no plan to replace', done.returncode == TROUBLE
          and content('plan') == b'my own notes\n', done)
    os.rename('kept', 'plan')
    check('the plan is as it was', content('plan') == plan)


def other_plans(plan):
    """Damaged plans, and plans of somebody who means harm."""
    text = plan.decode()
    lines = text.split('\n')
    first = next(i for i, line in enumerate(lines) if line.startswith('copy'))
    size = int(lines[1].split()[1])
    huge = '18446744073709551615'
    costly = dict.fromkeys(('a full disk', 'the log often'), b'is far more')
    rows = {
        'empty': '',
        'later version': text.replace('salvor-plan 1', 'salvor-plan 2'),
        'huge version': text.replace('salvor-plan 1', 'salvor-plan ' + huge),
        'no end': text.replace('\nend\n', '\n'),
        'more after the end': text + 'x\n',
        'no newline': text[:-1],
        'nul': text.replace('\ncopy', '\n\0copy', 1),
        'crlf': text.replace('\n', '\r\n'),
        'signed': text.replace('copy ', 'copy +', 1),
        'negative': text.replace('copy ', 'copy -', 1),
        'spaces': text.replace('copy ', 'copy  ', 1),
        'a full disk': '\n'.join([
            *lines[:2], 'output %d %s' % (1 << 40, '0' * 64),
            'fill %d 0' % (1 << 40), 'end', '']),
        'the log often': '\n'.join([
            *lines[:2], 'output %d %s' % (size * 1000 << 10, '0' * 64),
            *['copy 0 %d' % size] * (1000 << 10), 'end', '']),
        'other output': text.replace(lines[2][-64:], '0' * 64),
        'short digest': text.replace(lines[2][-64:], '0' * 63),
        'long digest': text.replace(lines[2][-64:], '0' * 65)}
    for line in 'copy 0 0', 'copy %s 1' % huge, 'copy 1 ' + huge, \
            'copy %d 1' % size, 'copy %d 2' % (size - 1), \
            'copy 0 1' + '0' * 30, 'copy 0', 'copy', 'copy 0 1 2', \
            'bytes 0 ', 'bytes 1 ', 'bytes 2 eA==', 'bytes 1 eHg=', \
            'bytes 1 e===', 'bytes %s eA==' % huge, 'bytes 1 e\u20ac==', \
            'fill 1 256', 'fill 0 0', 'fill %s 0' % huge, 'fill 1', \
            'report ' + '0' * 40 + ' e30=', 'report x', 'skip 1 1':
        for at in first, first + 1:
            rows['%d: %s' % (at, line)] = '\n'.join(
                lines[:at] + [line] + lines[at:])
    for what, damaged in rows.items():
        put('damaged', damaged.encode())
        refused(what, TROUBLE, 'damaged', 'log', 'out', says=costly.get(
            what, b'damaged: '))
    rng = random.Random(1)
    for i in range(60):
        at = rng.randrange(len(plan))
        put('damaged', plan[:at] + bytes([plan[at] ^ 1 << rng.randrange(8)])
            + plan[at + 1:])
        done = run('apply', 'damaged', 'log', 'out')
        check('bit %d of a plan' % i, done.returncode == TROUBLE
              or content('out') == content('want'), done)
        remove_outputs()


def only_log(data, plan):
    """Plans are of one log."""
    for args in (['log', 'want'], ['-r', '.']):
        done = run('repair', '-nqq', '--plan-out=plan2', *args)
        check('%s: one file' % args, done.returncode == USAGE
              and not os.path.exists('plan2'), done)
    done = subprocess.run(
        [SALVOR, 'repair', '-nqq', '--plan-out=plan2', '-o', 'out', '-'],
        input=data, capture_output=True, check=False)
    check('of standard input', by_hand(content('plan2'), data)
          == content('want'), done)
    done = run('repair', '-nqq', '--plan-out=plan3', '--no-sidecar', 'log')
    check('without the report', content('plan3') == b'\n'.join(
        line for line in plan.split(b'\n')
        if not line.startswith(b'report ')), done)
    run('apply', '--no-sidecar', 'plan', 'log', 'out')
    check('no report wanted', not os.path.exists('out.salvor.json')
          and content('out') == content('want'))


def main():
    """Each log, then what must not be done."""
    changed = {}
    for folder, _, names in sorted(os.walk(os.path.join(TOP, 'testdata'))):
        for name in sorted(names):
            if name.endswith(('.md', '.txt', '.yaml')):
                continue
            good = as_repaired(os.path.join(folder, name))
            key = os.path.relpath(folder, os.path.join(TOP, 'testdata'))
            changed[key] = changed.get(key, 0) + good
    check('logs of each format are repaired so', len(changed) >= 8 and all(
        n > 0 for key, n in changed.items() if 'ros2' not in key), changed)
    for name in 'bddf/bad-cut-patrol.bddf', 'rosbag/bad-chunk-lz4-bit.bag':
        data, plan, want = start(name)
        other_files(data, plan)
        other_plans(plan)
        only_log(data, plan)
    end()


in_empty_folder(main)

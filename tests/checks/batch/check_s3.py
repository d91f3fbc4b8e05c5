#!/usr/bin/python3
"""Logs in a store that speaks S3, which is started here: the recipes of the docs.

- docs/read-helper.md: the helpers for the clients of AWS and rclone read an object
- docs/plan.md: an object is repaired in the store by a plan, with large parts as a
  real store wants them, and with small ones, so that each rule of parts counts

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess

from support.start import TOP, parts

with parts():
    import bag_writer
    from shell import content, in_empty_folder, put, run
    from tally import check, end

STORE = os.path.join(TOP, 'tests/support/s3')
DATA = os.path.join(TOP, 'testdata')
LEAST = 5 << 20  # bytes of a part, for a real store


def recipe(page, name):
    """Write a script of a page of the docs."""
    script = re.search(r'```sh\n(#!/bin/sh\n# %s .*?)```' % re.escape(name),
                       content(os.path.join(TOP, 'docs', page)).decode(), re.DOTALL)
    put(name, script.group(1).encode(), 0o755)


def started():
    """The store: a process, and where it is."""
    os.mkdir('objects')
    server = subprocess.Popen(
        ['node', os.path.join(STORE, 'server.mjs'), 'objects'],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    return server, 'http://127.0.0.1:%d' % int(server.stdout.readline())


def clients(where):
    """Both clients talk to the store that is here."""
    os.mkdir('bin')
    put('bin/aws', b'#!/bin/sh\nexec %s --endpoint-url %s "$@"\n' % (
        shutil.which('aws').encode(), where.encode()), 0o755)
    os.environ['PATH'] = os.path.abspath('bin') + ':' + os.environ['PATH']
    os.environ.pop('AWS_CA_BUNDLE', None)
    rclone = 'RCLONE_CONFIG_STORE_'
    os.environ.update({
        'AWS_ACCESS_KEY_ID': 'S3RVER', 'AWS_SECRET_ACCESS_KEY': 'S3RVER',
        'AWS_DEFAULT_REGION': 'us-east-1', 'no_proxy': '127.0.0.1',
        rclone + 'TYPE': 's3', rclone + 'PROVIDER': 'Other',
        rclone + 'ENDPOINT': where, rclone + 'ACCESS_KEY_ID': 'S3RVER',
        rclone + 'SECRET_ACCESS_KEY': 'S3RVER'})


def upload(name, key):
    """Put a file into the store."""
    subprocess.run(['aws', 's3', 'cp', '--quiet', name, 's3://logs/' + key],
                   check=True)


def by_helper(helper, log):
    """A helper reads the object: the verdict of the file, and its repair."""
    want = json.loads(run('verify', '--json', 'log').stdout)
    done = run('verify', '--json', '--read-helper=./' + helper, log)
    said = json.loads(done.stdout or '{}')
    check(helper + ': verdict', said.get('state') == want['state']
          and said.get('problems') == want['problems'], done)
    done = run('repair', '-qq', '--read-helper=./' + helper, '-o', helper + '.out', log)
    check(helper + ': repair', content(helper + '.out') == content('log.out'), done)
    done = run('verify', '--read-helper=./' + helper, log + '-missing')
    check(helper + ': no such object', done.returncode == 8
          and b'before it said a size' in done.stderr, done)


def helpers():
    """The helpers of both clients."""
    shutil.copy(os.path.join(DATA, 'bddf/bad-cut-patrol.bddf'), 'log')
    run('repair', '-qq', '-o', 'log.out', 'log')
    upload('log', 'a/log.bddf')
    recipe('read-helper.md', 's3-helper.sh')
    recipe('read-helper.md', 'rclone-helper.sh')
    by_helper('s3-helper.sh', 's3://logs/a/log.bddf')
    by_helper('rclone-helper.sh', 'STORE:logs/a/log.bddf')


def in_the_store(name, data, least, most_bytes):
    """A plan repairs the object where it is, and moves few bytes."""
    put('log', data)
    run('repair', '-qq', '-n', '--plan-out=plan', 'log')
    upload('log', 'log')
    done = subprocess.run(['sh', '-x', './s3-apply.sh', 'plan', 'logs', 'log', 'out',
                           str(least)], check=False, capture_output=True)
    check(name + ': repaired', done.returncode == 0, done)
    subprocess.run(['aws', 's3', 'cp', '--quiet', 's3://logs/out', 'got'], check=False)
    got = content('got') or b''
    size, digest = re.search(rb'^output (\d+) (\w+)', content('plan'), re.M).groups()
    check(name + ': by its digest', len(got) == int(size)
          and hashlib.sha256(got).hexdigest().encode() == digest, done.stderr)
    check(name + ': parts of both kinds', b'upload-part-copy' in done.stderr
          and b'upload-part ' in done.stderr)
    moved = [int(last) - int(first) + 1 for first, last in re.findall(
        rb'get-object .*bytes=(\d+)-(\d+)', done.stderr)]
    check(name + ': few bytes are read', sum(moved) <= most_bytes, moved)


def holed():
    """A bag of 24 MiB with a hole in its middle and no end."""
    conn = bag_writer.Connection(0, '/a', 'std_msgs/String', 'string data')
    body = bytes(range(256)) * 4096
    data = bytearray(bag_writer.write([conn], [
        bag_writer.Message(0, 1 + i, 0, body) for i in range(24)]))
    data[13 << 20:(13 << 20) + 4096] = bytes(4096)
    return bytes(data[:-1000])


def replaced():
    """A log that is another one by now is not used, and nothing is left."""
    upload('plan', 'log')
    done = subprocess.run(['sh', './s3-apply.sh', 'plan', 'logs', 'log', 'never', '100'],
                          check=False, capture_output=True)
    check('another log: refused', done.returncode != 0, done)
    done = subprocess.run(['aws', 's3', 'ls', 's3://logs/never'], check=False,
                          capture_output=True)
    check('another log: nothing is written', not done.stdout, done)


def main():
    """All of it, in an empty folder."""
    have = all(map(shutil.which, ('aws', 'rclone', 'node'))) and os.path.exists(
        os.path.join(STORE, 'node_modules'))
    check('clients and store are there', have or not os.environ.get('CI'))
    if have:
        server, where = started()
        clients(where)
        helpers()
        recipe('plan.md', 's3-apply.sh')
        in_the_store('large parts', holed(), LEAST, 3 * LEAST)
        small = content(os.path.join(DATA, 'rosbag/bad-chunk-lz4-bit.bag'))
        in_the_store('small parts', small, 100, len(small))
        replaced()
        server.stdin.close()
        server.wait()
    end()


in_empty_folder(main)

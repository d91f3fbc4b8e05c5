#!/usr/bin/python3
"""A release is the same bytes, wherever and whenever it is made.

The list of what is in it is checked here.  With SALVOR_LONG tarball, static
program, wheel, npm package and page are built twice, in folders of other names, and compared.

Environment: SALVOR_SRCDIR is the source tree, SALVOR_LONG not empty: all of it.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

from support.start import TOP, parts

with parts():
    from shell import content, in_empty_folder
    from tally import check, end

SCRIPT = os.path.join(TOP, 'scripts', 'release.sh')
LIST = os.path.join(TOP, 'scripts', 'release-sbom.py')
WHEN = '1700000000'
PLACES = 'a', 'other/place'


def listed(folder):
    """What the list of a release prints."""
    return subprocess.run([sys.executable, LIST, '1.2.3', folder], check=True,
                          stdout=subprocess.PIPE,
                          env=dict(os.environ, SOURCE_DATE_EPOCH=WHEN)).stdout


def contents():
    """The list of a release: files with their digests, and nothing else."""
    os.mkdir('made')
    data = {'x.tar.gz': b'1', 'y.whl': b'22', 'NOTES.md': b''}
    for name, some in data.items():
        with open(os.path.join('made', name), 'wb') as f:
            f.write(some)
    text = listed('made')
    told = json.loads(text)
    check('of that version', told['spdxVersion'] == 'SPDX-2.3')
    check('at that time', told['creationInfo']['created']
          == '2023-11-14T22:13:20Z', told['creationInfo'])
    sums = {one['fileName'][2:]: {
        c['algorithm']: c['checksumValue'] for c in one['checksums']}
        for one in told['files']}
    check('digests', sums == {name: {
        'SHA1': hashlib.sha1(some).hexdigest(),
        'SHA256': hashlib.sha256(some).hexdigest()}
        for name, some in data.items()}, sums)
    ids = [one['SPDXID'] for one in told['files'] + told['packages']]
    check('names', len(set(ids)) == len(ids) and all(re.fullmatch(
        r'SPDXRef-[A-Za-z0-9.-]+', name) for name in ids), ids)
    known = set(ids) | {'SPDXRef-DOCUMENT'}
    check('relations', all({one['spdxElementId'], one['relatedSpdxElement']}
                           <= known for one in told['relationships']))
    check('salvor first', told['packages'][0]['name'] == 'salvor'
          and told['packages'][0]['versionInfo'] == '1.2.3')
    for name in 'salvor.spdx.json', 'SHA256SUMS':
        with open(os.path.join('made', name), 'wb') as f:
            f.write(b'earlier')
    check('the same again', listed('made') == text)


def build(place):
    """A release from a copy of the sources there: {name: bytes}."""
    tree = os.path.join(place, 'salvor')
    shutil.copytree(TOP, tree, symlinks=True, ignore=shutil.ignore_patterns(
        '.git', 'build*', '*.o', '*.lo', '*.la', '.libs'))
    work = os.path.join(tree, 'build')
    os.mkdir(work)
    subprocess.run(['../configure', '-q'], cwd=work, check=True)
    subprocess.run(['make', '-s', 'release',
                    'RELEASE=tarball static wheel web'], cwd=work, check=True,
                   stdout=sys.stderr, env=dict(os.environ,
                                               SOURCE_DATE_EPOCH=WHEN))
    made = os.path.join(work, 'release')
    return {name: content(os.path.join(made, name))
            for name in os.listdir(made)}


def twice():
    """Two builds are one."""
    first, second = map(build, PLACES)
    check('the same files', set(first) == set(second), (
        sorted(first), sorted(second)))
    check('all of it', len(first) == 9, sorted(first))
    for name, data in first.items():
        check(name + ': the same bytes', data == second.get(name))
        check(name + ': names no folder', os.getcwd().encode() not in data)
    for line in first['SHA256SUMS'].decode().splitlines():
        digest, name = line.split('  ')
        check(name + ': its sum', hashlib.sha256(first[name]).hexdigest()
              == digest)


def main():
    """The quick part, and the long one."""
    done = subprocess.run(['sh', SCRIPT, 'nothing'], check=False,
                          capture_output=True, env=dict(
                              os.environ, SALVOR_SRCDIR=str(TOP),
                              SOURCE_DATE_EPOCH=WHEN))
    check('no such part', done.returncode == 16
          and b'unknown part' in done.stderr, done)
    contents()
    if os.environ.get('SALVOR_LONG'):
        twice()
    end()


in_empty_folder(main)

#!/usr/bin/python3
"""release-sbom.py VERSION FOLDER - what is in a release, as SPDX 2.3 in JSON.

Prints salvor, each file in FOLDER with its digests, and the libraries that its
programs hold, with the versions that this machine has.  The same release gives the
same bytes.

Environment: SOURCE_DATE_EPOCH is when it was made.
"""
import hashlib
import json
import os
import subprocess
import sys
import time

# What is linked into static programs: Debian's package, licence.
LIBRARIES = {
    'libbearssl-dev': 'MIT', 'libbz2-dev': 'bzip2-1.0.6',
    'libdeflate-dev': 'MIT', 'libjansson-dev': 'MIT',
    'liblz4-dev': 'BSD-2-Clause', 'libnanopb-dev': 'Zlib',
    'libyaml-dev': 'MIT', 'libzstd-dev': 'BSD-3-Clause', 'libc6-dev':
    'LGPL-2.1-or-later'}
MADE_HERE = 'salvor.spdx.json', 'salvor.spdx.json.new', 'SHA256SUMS'


def version_of(package):
    """The version of a package of this machine; empty: it is not there."""
    done = subprocess.run(['dpkg-query', '-W', '-f', '${Version}', package],
                          check=False, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ''


def file_of(folder, name):
    """A file of the release."""
    with open(os.path.join(folder, name), 'rb') as f:
        data = f.read()
    return {
        'SPDXID': 'SPDXRef-File-' + hashlib.sha1(name.encode()).hexdigest(),
        'fileName': './' + name,
        'checksums': [
            {'algorithm': kind.upper(), 'checksumValue':
             hashlib.new(kind, data).hexdigest()}
            for kind in ('sha1', 'sha256')],
        'licenseConcluded': 'NOASSERTION', 'copyrightText': 'NOASSERTION'}


def package_of(name, version, licence):
    """A package of the list."""
    return {
        'SPDXID': 'SPDXRef-' + name, 'name': name,
        'versionInfo': version, 'downloadLocation': 'NOASSERTION',
        'filesAnalyzed': False, 'licenseConcluded': licence,
        'licenseDeclared': licence, 'copyrightText': 'NOASSERTION'}


def main(version, folder):
    """Print it."""
    files = [file_of(folder, name) for name in sorted(os.listdir(folder))
             if name not in MADE_HERE]
    packages = [package_of('salvor', version, 'NOASSERTION')] + [
        package_of(name, version_of(name), licence)
        for name, licence in sorted(LIBRARIES.items()) if version_of(name)]
    digest = hashlib.sha256(json.dumps(files).encode()).hexdigest()
    when = time.gmtime(int(os.environ['SOURCE_DATE_EPOCH']))
    print(json.dumps({
        'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0',
        'SPDXID': 'SPDXRef-DOCUMENT', 'name': 'salvor-' + version,
        'documentNamespace': 'urn:salvor:%s:%s' % (version, digest),
        'creationInfo': {'created': time.strftime('%Y-%m-%dT%H:%M:%SZ', when),
                         'creators': ['Tool: release-sbom.py']},
        'packages': packages, 'files': files,
        'relationships': [
            {'spdxElementId': 'SPDXRef-DOCUMENT', 'relationshipType':
             'DESCRIBES', 'relatedSpdxElement': 'SPDXRef-salvor'}] + [
            {'spdxElementId': 'SPDXRef-salvor', 'relationshipType':
             'CONTAINS', 'relatedSpdxElement': one['SPDXID']}
            for one in files] + [
            {'spdxElementId': one['SPDXID'], 'relationshipType':
             'STATIC_LINK', 'relatedSpdxElement': 'SPDXRef-salvor'}
            for one in packages[1:]]}, indent=1, sort_keys=True))


main(*sys.argv[1:])

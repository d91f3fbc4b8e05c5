"""An archive of many logs, what a run over it leaves, and accidents.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, CC a C
compiler.
"""
import json
import os
import random
import re
import shlex
import subprocess

from support.start import SALVOR, TOP

DATA = os.path.join(TOP, 'testdata')

# What differs between two runs that did the same.
VOLATILE = 'when', 'inode', 'mtime_ns'


def unsigned(text):
    """JSON without what it says of the run that made it, each another."""
    return re.sub(rb'"made_by":{[^}]*},', b'', text)


def run(*args, **how):
    """Run salvor to its end; what it printed is unsigned."""
    done = subprocess.run([SALVOR, *args], stdin=subprocess.DEVNULL,
                          capture_output=True, check=False, **how)
    done.stdout = unsigned(done.stdout)
    return done


def samples(suffixes):
    """Paths of the logs of the testdata."""
    return sorted(os.path.join(folder, name)
                  for folder, _, names in os.walk(DATA) for name in names
                  if name.endswith(suffixes))


def fill(folder, n):
    """An archive: logs of all formats as they are and cut, and junk."""
    rng = random.Random(8)
    logs = samples(('.bddf', '.bag', '.record', '.log'))
    for i in range(n):
        path = os.path.join(folder, 'robot-%d' % (i % 7), 'day-%d' % (i % 3))
        os.makedirs(path, exist_ok=True)
        with open(rng.choice(logs), 'rb') as f:
            data = f.read()
        ext = os.path.splitext(f.name)[1]
        if i % 3 == 0:
            data = data[:rng.randrange(len(data) + 1)]
        if i % 20 == 19:
            data, ext = rng.randbytes(rng.randrange(5000)), '.bin'
        with open(os.path.join(path, 'log-%04d%s' % (i, ext)), 'wb') as f:
            f.write(data)


def accidents(folder):
    """The environment in which opening certain files ends badly, as
    accident.c says, made in a folder."""
    library = os.path.join(folder, 'accident.so')
    subprocess.run([*shlex.split(os.environ.get('CC', 'cc')), '-D_GNU_SOURCE',
                    '-shared', '-fPIC', '-o', library,
                    os.path.join(TOP, 'tests', 'support', 'accident.c')],
                   check=True)
    # With a sanitizer, which would else end the process in its own way.
    return {**os.environ, 'LD_PRELOAD': library,
            'ASAN_OPTIONS': 'handle_segv=0'}


def lines(data):
    """The objects in lines of JSON."""
    return [json.loads(line) for line in data.splitlines() if line]


def tree(folder):
    """path -> bytes of all files below a folder, reports unsigned."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, 'rb') as f:
                found[os.path.relpath(path, folder)] = unsigned(f.read())
    return found


def settled(journal):
    """The last whole line of each file, without what differs."""
    last = {}
    with open(journal, 'rb') as f:
        for line in f:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            for part in entry, entry['output'] or {}:
                for key in VOLATILE:
                    part.pop(key, None)
            entry['report'].pop('made_by', None)
            if entry['report'].get('output'):
                entry['report']['output'].pop('outcome')
            last[entry['path']] = entry
    return [last[path] for path in sorted(last)]

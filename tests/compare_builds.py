#!/usr/bin/python3
"""Do several builds of salvor report the same of every file?

    compare_builds.py PROGRAM PROGRAM... [-- FILE...]

Runs each PROGRAM on each FILE, all of testdata without any, and compares with
the first PROGRAM: exit codes, the JSON of verify, info and list, the JSON of
repair, and the SHA-256 of what repair writes.  Values that depend on the day
or on the machine are left out (VOLATILE).

Environment: SALVOR_SRCDIR is the source tree.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(os.environ.get('SALVOR_SRCDIR')
                   or pathlib.Path(__file__).resolve().parent.parent)

# Keys of JSON objects, at any depth: which program, where, when, how long, and
# how much room there is.
VOLATILE = {'salvor', 'program', 'program_version', 'tool', 'host', 'hostname',
            'made_by', 'started', 'finished', 'created', 'when', 'elapsed',
            'duration', 'free', 'free_bytes', 'space', 'sandbox', 'run'}

COMMANDS = {
    'verify': ['verify', '--json'],
    'info': ['info', '--json'],
    'list': ['list', '--json'],
    'repair': ['repair', '--json', '-q', '-o', 'out'],
}


def steady(value):
    """The value without what is volatile."""
    if isinstance(value, dict):
        return {k: steady(v) for k, v in value.items() if k not in VOLATILE}
    if isinstance(value, list):
        return [steady(v) for v in value]
    return value


def lines(text):
    """The objects in it, one string each; what is none is left as it is."""
    out = []
    for line in text.decode('utf-8', 'replace').splitlines():
        try:
            out.append(json.dumps(steady(json.loads(line))))
        except ValueError:
            out.append(line)
    return out


def digest(path):
    """The SHA-256 of a file; none if there is no file."""
    if not path.exists():
        return 'no output'
    return hashlib.sha256(path.read_bytes()).hexdigest()


def told(program, command, file):
    """All that a program reports of a file: lines."""
    with tempfile.TemporaryDirectory() as cwd:
        done = subprocess.run([program, *COMMANDS[command], file], cwd=cwd,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        return [f'exit {done.returncode}', *lines(done.stdout),
                digest(pathlib.Path(cwd) / 'out')]


def difference(one, other):
    """The first line that differs, of both, from where it does."""
    for i in range(max(len(one), len(other))):
        a = one[i] if i < len(one) else '(no such line)'
        b = other[i] if i < len(other) else '(no such line)'
        if a != b:
            at = len(os.path.commonprefix([a, b]))
            at = max(0, at - 40)
            return a[at:at + 200], b[at:at + 200]
    return None


def compare(job):
    """How the builds differ about a file: sentences."""
    programs, command, file = job
    want = told(programs[0], command, file)
    bad = []
    for program in programs[1:]:
        found = difference(want, told(program, command, file))
        if found is not None:
            bad.append(f'{command} {file}:\n  {programs[0]}: {found[0]}\n'
                       f'  {program}: {found[1]}')
    return bad


def corpus():
    """The files of testdata; what describes them is no log."""
    return sorted(str(p) for p in (TOP / 'testdata').rglob('*')
                  if p.is_file() and p.suffix not in ('.md', '.txt'))


def main():
    words = sys.argv[1:]
    files = []
    if '--' in words:
        at = words.index('--')
        words, files = words[:at], words[at + 1:]
    if len(words) < 2:
        sys.exit(__doc__)
    programs = [str(pathlib.Path(p).resolve()) for p in words]
    jobs = [(programs, command, os.path.abspath(file))
            for file in files or corpus() for command in COMMANDS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [why for found in pool.map(compare, jobs) for why in found]
    for why in bad:
        print(why)
    passed = len(jobs) * (len(programs) - 1) - len(bad)
    print(f'{passed} passed, {len(bad)} failed')
    return 1 if bad or not jobs else 0


if __name__ == '__main__':
    sys.exit(main())

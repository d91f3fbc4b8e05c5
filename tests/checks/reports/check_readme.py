#!/usr/bin/python3
"""Does what the README and docs/pipelines.md show happen as it is printed?

Every fenced block that begins with `$ ` is a session: its commands are run in
order, all blocks of a page in one folder, and must print what is below
them.  A block that begins with `# NAME.py` is that file, and one that begins
with `#!` and `# NAME` is that program.  Free space differs from one machine to
the next and is not shown there.  `aws` is a stand-in that keeps objects in a
folder.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(os.environ.get('SALVOR_SRCDIR',
                                  pathlib.Path(__file__).parents[3])).resolve()
SALVOR = pathlib.Path(os.environ.get('SALVOR', './salvor')).resolve()

# cp, ls and rm of `aws s3`, for files, objects and "-".
AWS = """#!/bin/sh
top=$(dirname "$0")/../s3
mkdir -p "$top"
at() { case $1 in s3://*) echo "$top/${1#s3://}" ;; *) echo "$1" ;; esac; }
case $2 in
ls) ls "$(at "$3")" ;;
rm) rm -f "$(at "$3")" ;;
cp)
	from=$(at "$3") to=$(at "$4")
	[ "$from" = - ] && from=/dev/stdin
	[ "$to" = - ] && { cat "$from" 2>/dev/null; exit; }
	mkdir -p "$(dirname "$to")" && cat "$from" >"$to"
	;;
esac
"""

passed = failed = 0


def run(command, env):
    """What a command of a session prints, and what follows it."""
    done = subprocess.run(['sh', '-c', command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=env, check=False, text=True)
    return done.stdout.rstrip('\n')


def check(block, env):
    """Run a session."""
    global passed, failed
    for part in re.split(r'^\$ ', block, flags=re.M)[1:]:
        command, _, want = part.partition('\n')
        got = run(command, env)
        good = got == want.rstrip('\n')
        passed += good
        failed += not good
        if not good:
            print('$ %s\nwanted:\n%s\ngot:\n%s' % (command, want, got))


def program(name, text):
    """Write a file that can be run."""
    path = pathlib.Path(name)
    path.write_text(text, encoding='utf-8')
    path.chmod(0o755)


def run_page(name):
    """Run all sessions of a page."""
    page = (TOP / name).read_text(encoding='utf-8')
    blocks = re.findall(r'^```[a-z]*\n(.*?)^```$', page, re.M | re.S)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.makedirs('build/demo')
        os.symlink(SALVOR, 'build/salvor')
        program('build/aws', AWS)
        shutil.copytree(TOP / 'testdata', 'testdata')
        for path in pathlib.Path('testdata').rglob('*'):
            os.utime(path, (1700000000, 1700000000))
        env = {**os.environ, 'LC_ALL': 'C', 'HOME': folder,
               'PATH': folder + '/build:' + os.environ['PATH']}
        for block in blocks:
            name = re.match(r'# ([a-z]+\.py)\n', block)
            script = re.match(r'#!.*\n# ([a-z0-9-]+\.sh) ', block)
            if name:
                pathlib.Path(name.group(1)).write_text(block,
                                                       encoding='utf-8')
            elif script:
                program(script.group(1), block)
            elif block.startswith('$ '):
                check(block, env)
        os.chdir(TOP)


def main():
    """Run all pages."""
    pages = ['README.md', 'docs/pipelines.md']
    if shutil.which('jq') is None:
        print('check_readme.py: skipped, needs jq')
        sys.exit(1 if os.environ.get('CI') else 77)
    if shutil.which('parallel') is None:
        print('no GNU parallel here: %s was not tried' % pages.pop())
        if os.environ.get('CI'):
            sys.exit(1)
    for page in pages:
        before = passed
        run_page(page)
        if passed < before + 3:
            print('%s: hardly anything to try' % page)
            sys.exit(1)
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed != 0)


main()

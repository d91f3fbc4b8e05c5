#!/usr/bin/python3
"""Does what the README shows happen as it is printed?

Every fenced block that begins with `$ ` is a session: its commands are run in
order, all blocks in one folder, and must print what stands below them.  A
block that begins with `# NAME.py` is that file.  Free space differs from one
machine to the next and is not shown there.

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
                                  pathlib.Path(__file__).parents[1])).resolve()
SALVOR = pathlib.Path(os.environ.get('SALVOR', './salvor')).resolve()

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


def main():
    """Run all sessions of the page."""
    if shutil.which('jq') is None:
        print('check_readme.py: skipped, needs jq')
        sys.exit(1 if os.environ.get('CI') else 77)
    page = (TOP / 'README.md').read_text(encoding='utf-8')
    blocks = re.findall(r'^```[a-z]*\n(.*?)^```$', page, re.M | re.S)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.makedirs('build/demo')
        os.symlink(SALVOR, 'build/salvor')
        shutil.copytree(TOP / 'testdata', 'testdata')
        env = {**os.environ, 'LC_ALL': 'C',
               'PATH': folder + '/build:' + os.environ['PATH']}
        for block in blocks:
            name = re.match(r'# ([a-z]+\.py)\n', block)
            if name:
                pathlib.Path(name.group(1)).write_text(block,
                                                       encoding='utf-8')
            elif block.startswith('$ '):
                check(block, env)
        os.chdir(TOP)
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed != 0 or passed < 5)


main()

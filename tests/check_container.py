#!/usr/bin/python3
"""The image of contrib/container is built and run: does it do what the program does?

    check_container.py STATIC PROGRAM

STATIC is the static program that goes into the image, PROGRAM the native one.  Needs
buildah, and root; storage of images is in a folder of the test, and nothing is
pulled.  The last line has the totals.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / 'tests/support'))

# pylint: disable=wrong-import-position
from tally import check, end  # noqa: E402

STATIC, PROGRAM = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
# A damaged log of each format.
LOGS = [sorted((TOP / 'testdata' / name).glob('bad-*'))[0] for name in
        ('bddf', 'carla', 'cyber', 'dataflash', 'mcap', 'rosbag', 'ulog')]


class Images:
    """Images and containers that end with the test."""

    def __init__(self, folder):
        self.words = ['buildah', '--storage-driver', 'vfs',
                      '--root', folder / 'images', '--runroot', folder / 'run']

    def call(self, *words):
        """A command of buildah: what it prints; or an exception with what it says."""
        done = subprocess.run([*self.words, *words], check=False, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode(errors='replace'))
        return done.stdout.decode().strip()

    def built(self, folder):
        """A container of the image that the Containerfile describes."""
        shutil.copy(STATIC, folder / 'program')
        image = self.call('bud', '--quiet', '--isolation', 'chroot',
                          '--file', TOP / 'contrib/container/Containerfile',
                          '--build-arg', 'PROGRAM=program', folder)
        return image, self.call('from', '--pull-never', image)

    def run(self, container, logs, *words):
        """The program in a container that has logs at /logs: exit code, output."""
        done = subprocess.run(
            [*self.words, 'run', '--isolation', 'chroot', '--volume', f'{logs}:/logs',
             container, '--', *words], check=False, capture_output=True)
        return done.returncode, done.stdout.decode()


def filled(folder):
    """A folder with the damaged logs."""
    (folder / 'repaired').mkdir(parents=True)
    for log in LOGS:
        shutil.copy(log, folder)
    return folder


def natively(folder, *words):
    """What the program does there: exit code, output."""
    done = subprocess.run([PROGRAM, *words], cwd=folder, check=False,
                          capture_output=True)
    return done.returncode, done.stdout.decode()


def contents(folder):
    """What is in a folder, but not reports: they name the command and the time."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob('*')
            if path.is_file() and '.salvor' not in path.name}


def one_file(images, container):
    """The image has the program and nothing else."""
    root = pathlib.Path(images.call('mount', container))
    files = [path for path in root.rglob('*') if path.is_file()]
    check('one file', [str(path.relative_to(root)) for path in files]
          == ['bin/salvor'], files)
    check('the program', (root / 'bin/salvor').read_bytes() == STATIC.read_bytes())
    images.call('umount', container)


def as_described(images, image):
    """What the image starts, and where."""
    config = json.loads(images.call('inspect', '--type', 'image', image))
    said = config['OCIv1']['config']
    check('entry', said['Entrypoint'] == ['/bin/salvor'], said)
    check('folder', said['WorkingDir'] == '/logs', said)
    return said['Entrypoint']


def same_work(images, container, entry, folder):
    """Reports and repairs are those of the native program."""
    inside, outside = filled(folder / 'inside'), filled(folder / 'outside')
    for words in (['verify', '-r', '.'], ['list', LOGS[-1].name],
                  ['repair', '-r', '-q', '--output-dir', 'repaired', '.']):
        got = images.run(container, inside, *entry, *words)
        want = natively(outside, *words)
        # buildah has exit codes of its own.
        check(words[0] + ': succeeds or not', (got[0] == 0) == (want[0] == 0), got)
        check(words[0] + ': output', got[1] == want[1], got[1])
    got, want = contents(inside), contents(outside)
    check('repaired', len(want) > len(LOGS), sorted(want))
    check('the same files', got == want, (sorted(got), sorted(want)))


def main():
    """All of it, in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'context').mkdir()
        images = Images(folder)
        image, container = images.built(folder / 'context')
        entry = as_described(images, image)
        one_file(images, container)
        same_work(images, container, entry, folder)
        images.call('rm', '--all')
        images.call('rmi', '--all', '--force')
    end()


if os.geteuid() != 0:
    sys.exit('check_container.py: needs root')
main()

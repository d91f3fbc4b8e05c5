"""shell.py - what a person does by hand: in an empty folder, with the program."""
import os
import subprocess
import tempfile

from support.start import SALVOR


def run(*args, **how):
    """Run salvor to its end."""
    return subprocess.run([SALVOR, *map(str, args)], check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, **how)


def content(path):
    """The bytes of a file; None: there is none."""
    if not os.path.exists(path):
        return None
    with open(path, 'rb') as f:
        return f.read()


def put(path, data, mode=0o644):
    """Write a file of bytes or of text."""
    with open(path, 'wb') as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    os.chmod(path, mode)


def in_empty_folder(main):
    """Call it there; the folder is removed."""
    with tempfile.TemporaryDirectory() as temp:
        os.chdir(temp)
        try:
            main()
        finally:
            os.chdir('/')

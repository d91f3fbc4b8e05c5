#!/usr/bin/python3
"""--require-sandbox reads and writes nothing where the kernel gives less than the whole
sandbox: no Landlock, as in an old kernel, or one that begins and then fails.

The kernel is made to refuse by a filter that salvor inherits.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import ctypes
import errno
import os
import platform
import struct
import subprocess
import sys
import tempfile

from support.start import SALVOR, SKIPPED, TOP, parts

with parts():
    from tally import check, end

LOG = os.path.join(TOP, 'testdata', 'bddf', 'bad-cut-end-magic.bddf')
USAGE = 16
CREATE_RULESET, RESTRICT_SELF = 444, 446  # on every kind of machine
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06  # of BPF
ALLOW, FAIL = 0x7fff0000, 0x00050000


def refuse(call, error):
    """Let a system call of this process fail, and of all that it starts."""
    rows = ((LOAD, 0, 0, 0), (EQUAL, 0, 1, call), (RETURN, 0, 0, FAIL | error),
            (RETURN, 0, 0, ALLOW))
    code = ctypes.create_string_buffer(
        b''.join(struct.pack('=HBBI', *row) for row in rows))
    program = ctypes.create_string_buffer(
        struct.pack('@HP', len(rows), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    for args in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
                 (PR_SET_SECCOMP, FILTER, ctypes.addressof(program), 0, 0)):
        if libc.prctl(*map(ctypes.c_ulong, args)) != 0:
            os._exit(SKIPPED)


def run(refused, *args):
    """Exit code, output, and what is in the folder then."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [SALVOR, *args, LOG], cwd=folder, check=False,
            preexec_fn=lambda: refuse(*refused) if refused else None,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout, os.listdir(folder)


def main():
    """Each way, in each kind of job."""
    version = subprocess.run([SALVOR, '--version'], check=True,
                             stdout=subprocess.PIPE).stdout
    if platform.system() != 'Linux' or b'Landlock' not in version:
        print('check_required.py: skipped: there is no sandbox here')
        sys.exit(SKIPPED)
    ways = {'no Landlock': (CREATE_RULESET, errno.ENOSYS),
            'a wall that fails': (RESTRICT_SELF, errno.EPERM)}
    for args in (['verify'], ['verify', '-j2'], ['verify', '--journal=j'],
                 ['repair', '-o', 'out']):
        whole = run(None, *args, '--require-sandbox')
        check('%s: with all of it' % args, whole[0] < USAGE, whole)
        for name, refused in ways.items():
            code, out, files = run(refused, *args, '--require-sandbox')
            # A journal may have been begun before a wall fails.
            may = [[], ['j']] if refused[0] == RESTRICT_SELF else [[]]
            check('%s, %s: refused' % (args, name),
                  (code, out) == (USAGE, b'') and files in may,
                  (code, out, files))
            code, out, files = run(refused, *args)
            check('%s, %s: works where it is not required' % (args, name),
                  (code, out) == whole[:2], (code, out, whole))
    end()


main()

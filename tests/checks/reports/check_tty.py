"""check_tty.py - no log goes to a terminal, and none is read from one."""
import os
import pty
import subprocess
import sys
import tempfile

SALVOR = os.environ["SALVOR"]
GOOD = os.path.join(os.environ["SALVOR_SRCDIR"], "testdata/bddf/good-tiny.bddf")
TROUBLE = 8

sys.path.insert(0, os.path.join(os.environ["SALVOR_SRCDIR"], "tests/support"))
from tally import check, end  # noqa: E402


def shown(fd):
    """What the terminal has been sent so far."""
    os.set_blocking(fd, False)
    try:
        return os.read(fd, 65536)
    except BlockingIOError:
        return b""


def run(*args, **streams):
    return subprocess.run([SALVOR, *args], stderr=subprocess.PIPE, timeout=60,
                          **streams)


with tempfile.TemporaryDirectory() as folder:
    cut = os.path.join(folder, "cut.bddf")
    with open(GOOD, "rb") as log, open(cut, "wb") as out:
        out.write(log.read()[:2143])
    master, slave = pty.openpty()
    name = os.ttyname(slave)

    r = run("repair", "-o", "-", cut, stdout=slave)
    check("-o - is refused", r.returncode == TROUBLE)
    check("-o - says why", b"terminal" in r.stderr)
    r = run("repair", "-f", "-o", name, cut, stdout=subprocess.PIPE)
    check("-o TERMINAL is refused", r.returncode == TROUBLE)
    check("-o TERMINAL says why", b"terminal" in r.stderr)
    check("nothing was shown", shown(master) == b"")
    r = run("verify", "-", stdin=slave, stdout=subprocess.PIPE)
    check("FILE - is refused", r.returncode == TROUBLE)
    check("FILE - says why", b"terminal" in r.stderr)
    r = run("verify", name, stdout=subprocess.PIPE)
    check("FILE TERMINAL is refused", r.returncode == TROUBLE)
    check("FILE TERMINAL says why", b"is a terminal" in r.stderr)

    check("nothing is left", os.listdir(folder) == ["cut.bddf"])

end()

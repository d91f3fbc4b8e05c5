"""Writes what is in a folder of testdata, and its README.

    write(home, ext, files, head, given) in the folder that the command line
    names, or in home

expect.txt in home says what salvor finds in each file.  garbage(), put() and flip()
make the damage.
"""

import hashlib
import pathlib
import sys


def garbage(n):
    """n bytes that mean nothing, always the same."""
    out = b""
    while len(out) < n:
        out += hashlib.sha1(b"salvor%d" % len(out)).digest()
    return out[:n]


def put(raw, at, *pieces):
    """Bytes laid over others."""
    new = b"".join(pieces)
    return raw[:at] + new + raw[at + len(new):]


def flip(raw, at, mask=4):
    """A bit that is another."""
    return put(raw, at, bytes([raw[at] ^ mask]))


def expectations(home):
    """{name: (exit code of verify, that of repair, what is found)}."""
    expect = {}
    for line in (home / "expect.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, verify, repair, _, ids = line.split()
            expect[name] = verify, repair, ids.replace(",", ", ")
    return expect


def write(home, ext, files, head, given=None):
    """Write all files, each of which is (name, words..., bytes), and a table:
    head, and a row for each that is expected, with its words; given(name) has
    those of files that are not made."""
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else home
    made = {}
    for name, *words, raw in files:
        if name in made:
            raise SystemExit(f"{name} twice")
        (out / f"{name}.{ext}").write_bytes(raw)
        made[name] = words
    readme = head
    for name, found in sorted(expectations(home).items()):
        words = made[name] if name in made else given(name)
        readme += "| " + " | ".join([f"{name}.{ext}", *words, *found]) + " |\n"
    (out / "README.md").write_text(readme)

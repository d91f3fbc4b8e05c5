"""The command line: python -m salvor."""

import os
import sys
from pathlib import Path


def main() -> int:
    """Become the program: that in the package, which has its libraries, too, or the
    system's."""
    here = Path(__file__).resolve().parent
    program = here / "bin" / "salvor"
    if not program.exists():
        program = Path("/usr/bin/salvor")
    if not program.exists():
        print("salvor: this package has no program in it", file=sys.stderr)
        return 16
    known = os.environ.get("LD_LIBRARY_PATH")
    folders = [str(here / "lib")] + ([known] if known else [])
    os.execve(program, ["salvor", *sys.argv[1:]],
              dict(os.environ, LD_LIBRARY_PATH=":".join(folders)))
    return 8


if __name__ == "__main__":
    sys.exit(main())

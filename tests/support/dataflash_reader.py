#!/usr/bin/env python3
"""dataflash_reader.py LOG... - is each a log in which a strict reader finds nothing
wrong?  A line says so of each."""

import sys

from dataflash import judge


def main():
    """The command line."""
    bad = 0
    for path in sys.argv[1:]:
        with open(path, "rb") as there:
            raw = there.read()
        try:
            print("%s: OK %d messages" % (
                path, len(judge.strict(raw).messages)))
        except judge.Bad as fault:
            print("%s: BAD %s" % (path, fault))
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())

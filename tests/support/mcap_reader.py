#!/usr/bin/env python3
"""mcap_reader.py MCAP... - is each a file in which a strict reader finds nothing
wrong?  A line says so of each."""

import sys

from mcap import judge


def main():
    """The command line."""
    bad = 0
    for path in sys.argv[1:]:
        with open(path, "rb") as there:
            raw = there.read()
        try:
            print("%s: OK %d records" % (path, len(judge.listing(raw))))
        except judge.Bad as fault:
            print("%s: BAD %s" % (path, fault))
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())

"""Counts the checks of a test program.

Each that does not hold is printed; end() prints the line that the totals are
made of, and ends the program.
"""
import sys

SEEN = 600  # characters shown of what was seen instead, the last ones

passed = failed = 0


def check(what, good, seen=''):
    """Count one check; `seen` is what should have been otherwise."""
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print('FAIL %s: %s' % (what, ascii(seen)[-SEEN:]))


def end():
    """The end of the program."""
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed > 0)

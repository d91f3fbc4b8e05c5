"""What the checks of a format begin with.

    from support.start import SALVOR, TOP, parts

    with parts():
        import ...

TOP is the source tree and SALVOR the program under test.  Modules of this
folder can be imported after that; a check of which parts() finds something
missing is skipped, but where CI is set, in which nothing may be.

Environment: SALVOR, SALVOR_SRCDIR, CI.
"""
import contextlib
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).absolute().parent
TOP = pathlib.Path(os.environ.get('SALVOR_SRCDIR', HERE.parents[1])).resolve()
SALVOR = str(pathlib.Path(os.environ.get('SALVOR', './salvor')).resolve())
SKIPPED = 77

sys.path.insert(0, str(TOP / 'tests' / 'support'))


@contextlib.contextmanager
def parts():
    """Import what the check needs, or skip it."""
    try:
        yield
    except ImportError as missing:
        print('%s: skipped: %s' % (pathlib.Path(sys.argv[0]).name, missing))
        sys.exit(1 if os.environ.get('CI') else SKIPPED)

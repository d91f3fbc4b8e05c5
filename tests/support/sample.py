"""sample.py - a share of the cases of a test, or all of them with SALVOR_LONG.

CI has little time, and cases beside one another have much in common.  A share is the
same in every run.
"""
import os

LONG = bool(os.environ.get('SALVOR_LONG'))


def share(cases, one_in):
    """One in so many of a list; a prime number goes with no size of a record."""
    return cases[::1 if LONG else one_in]

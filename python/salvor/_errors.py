"""What goes wrong: exceptions with the reason as text."""

from typing import Dict, Optional, Type

from ._report import Report


class Error(Exception):
    """A call failed.  `report` says what is known of the file, if anything is."""

    report: Optional[Report] = None


class LimitError(Error):
    """A limit was reached (max_memory, max_chunk ...); the file may be fine."""


class Cancelled(Error):
    """The caller stopped it.  Nothing was written."""


class ExistsError(Error, FileExistsError):
    """The output exists with other content, and force was not set."""


class RefusedError(Error):
    """The request would do harm, or is not possible."""


class ActiveError(Error):
    """Another process is writing the file."""


class Bug(Error):
    """A bug in salvor.  Nothing was written."""


class UnrelatedError(Error):
    """The files are not copies of one recording."""


class UsageError(Error, ValueError):
    """The request makes no sense."""


# By the numbers of enum slv_status.
_LIMIT = 3
_KINDS: Dict[int, Type[Error]] = {
    _LIMIT: LimitError, 4: Cancelled, 5: ExistsError, 6: RefusedError,
    7: ActiveError, 8: Bug, 9: UnrelatedError, 10: UsageError,
}


def raise_for(status: int, errno: int, reason: str,
              report: Optional[Report]) -> None:
    """Raise the exception for a status; 0 is success."""
    if status == 0:
        return
    if status == 2:
        raise MemoryError(reason)
    if status == 1:
        raise OSError(errno, reason)
    error = _KINDS.get(status, Error)(reason)
    error.report = report
    raise error

"""Repair damaged robot logs, and read what is left of them.

    import salvor

    report = salvor.verify("patrol.bddf")
    salvor.repair("drive.bag", output="fixed.bag")
    with salvor.open("broken.bag") as log:
        for record in log.read(topics="/imu/*", start="+10s"):
            print(record.topic, record.log_time, len(record.data))

Damage in a log is no error: a report says what was found, and what is lost.  A
failure is an exception, see salvor.Error.
"""

from ._errors import (ActiveError, Bug, Cancelled, Error, ExistsError,
                      LimitError, RefusedError, UnrelatedError, UsageError)
from ._jobs import export, extract, info, join, merge, repair, undo, verify
from ._log import Channel, Log, Record, open  # pylint: disable=redefined-builtin
from ._report import Finding, Gap, Report, ReportChannel
from ._salvor import version as __version__
from ._source import Source

__all__ = [
    "ActiveError", "Bug", "Cancelled", "Channel", "Error", "ExistsError",
    "Finding", "Gap", "LimitError", "Log", "Record", "RefusedError", "Report",
    "ReportChannel", "Source", "UnrelatedError", "UsageError", "__version__", "export",
    "extract", "info", "join", "merge", "open", "repair", "undo", "verify",
]

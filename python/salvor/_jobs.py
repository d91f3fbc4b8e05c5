"""Jobs about one file.

Each takes the options of the command line as keywords (output="x", dry_run=True; see
salvor(1)), and `progress`, a function that is called with a phase, the bytes done and
the bytes in all.  An exception that it raises stops the job, and so does Ctrl-C;
nothing is written then.  The report is returned.

A file is a path, bytes, a binary file that can seek, or a salvor.Source; `output` is a
path or a file to write to.
"""

from typing import Any, Iterable, Optional

from . import _salvor
from ._errors import raise_for
from ._options import Path, Progress, pairs
from ._report import Report, report_of
from ._source import Readable, output_of, sources_of


def _run(job: str, files: Iterable[Readable], progress: Optional[Progress],
         options: "dict[str, Any]") -> Report:
    names, source = sources_of(list(files))
    output = output_of(options)
    raw = _salvor.run(job, names, pairs(options), progress, source, output)
    report = report_of(raw)
    raise_for(*raw[:3], report)
    return report


def verify(file: Readable, *, progress: Optional[Progress] = None,
           **options: Any) -> Report:
    """Read all of a file and judge it; nothing is written."""
    return _run("verify", [file], progress, options)


def info(file: Readable, *, progress: Optional[Progress] = None,
         **options: Any) -> Report:
    """Describe a log; of a sound one little more than the index is read."""
    return _run("info", [file], progress, options)


def repair(file: Readable, *, progress: Optional[Progress] = None,
           **options: Any) -> Report:
    """Write a sound log with all that can be kept: to `output`, to `output_dir`, next
    to the file, or with `in_place` into it."""
    return _run("repair", [file], progress, options)


def merge(files: Iterable[Path], *, progress: Optional[Progress] = None,
          **options: Any) -> Report:
    """Repair what several damaged copies of one recording hold together."""
    return _run("merge", files, progress, options)


def undo(file: Path, *, progress: Optional[Progress] = None,
         **options: Any) -> Report:
    """Undo a repair in place: the file is what it was, byte for byte."""
    return _run("undo", [file], progress, options)


def export(file: Readable, *, progress: Optional[Progress] = None,
           **options: Any) -> Report:
    """Write the records in another format, by the ending of `output`, or `to`."""
    return _run("export", [file], progress, options)


def extract(file: Readable, *, progress: Optional[Progress] = None,
            **options: Any) -> Report:
    """Write a sound log of the same format with some of the records: `include`,
    `exclude`, `start`, `end`."""
    return _run("extract", [file], progress, options)


def join(files: Iterable[Path], *, progress: Optional[Progress] = None,
         **options: Any) -> Report:
    """Write one sound log of several segments of a recording, to `output`; the options
    are those of extract()."""
    return _run("join", files, progress, options)

"""What is read and written, as Python has it, into what the inner module takes."""

import io
import os
from typing import IO, Any, Callable, List, Optional, Tuple, Union

from ._options import Path, path

Readable = Union[Path, bytes, bytearray, memoryview, IO[bytes], "Source"]
Writable = Union[Path, IO[bytes], None]


class Source:
    """Bytes that a function supplies: read_at(offset, n) returns the n bytes at an
    offset, which are inside the size.  OSError with EIO is a bad sector: what it held
    is lost, and the rest is read.  Any other exception ends the job."""

    def __init__(self, read_at: Callable[[int, int], bytes], size: int,
                 name: str = "(input)") -> None:
        self.read_at = read_at
        self.size = size
        self.name = name


def _reading(file: Any) -> Callable[[int, int], bytes]:
    """Reads from any place of a file object."""
    def read_at(offset: int, n: int) -> bytes:
        file.seek(offset)
        out = file.read(n)
        while len(out) < n:
            more = file.read(n - len(out))
            if not more:
                break
            out += more
        return bytes(out)
    return read_at


def _descriptor(file: Any) -> Optional[int]:
    """The descriptor of a file of the system.  Others may have one that is not of what
    they read: gzip."""
    raw = getattr(file, "raw", file) if isinstance(
        file, (io.BufferedReader, io.BufferedRandom)) else file
    return raw.fileno() if type(raw) is io.FileIO else None


def source_of(source: Any) -> Tuple[bytes, Any]:
    """The path, or a name for messages, and what is read if it is no path."""
    if isinstance(source, (str, os.PathLike)):
        return path(source), None
    if isinstance(source, (bytes, bytearray, memoryview)):
        return b"(memory)", bytes(source)
    if isinstance(source, Source):
        return os.fsencode(source.name), (source.read_at, source.size)
    if isinstance(source, io.TextIOBase) or not hasattr(source, "seek") \
            or not hasattr(source, "read"):
        raise TypeError("a path, bytes, a binary file with seek(), or a "
                        "salvor.Source, not %s" % type(source).__name__)
    name = getattr(source, "name", None)
    name = os.fsencode(name) if isinstance(name, str) else b"(file)"
    fd = _descriptor(source)
    if fd is not None:
        return name, fd
    return name, (_reading(source), source.seek(0, io.SEEK_END))


def _named(source: Any) -> Path:
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError("of several files each is a path, not %s"
                        % type(source).__name__)
    return source


def sources_of(sources: List[Any]) -> Tuple[List[bytes], Any]:
    """The same of several files, or of one of any kind."""
    if len(sources) != 1:
        return [path(_named(one)) for one in sources], None
    name, source = source_of(sources[0])
    return [name], source


def output_of(options: "dict[str, Any]") -> Any:
    """The function that takes the output, if the option is a file object, which is
    then no option any more."""
    output = options.get("output")
    if not hasattr(output, "write"):
        return None
    del options["output"]
    return _writing(output)


def _writing(file: Any) -> Callable[[bytes], None]:
    """Writes all of it: a raw file may take less."""
    def write(data: bytes) -> None:
        view = memoryview(data)
        while view:
            done = file.write(view)
            view = view[len(view) if done is None else done:]
    return write

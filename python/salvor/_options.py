"""Options, as Python has them, into those of the library."""

import os
from datetime import datetime, timezone
from typing import Any, Callable, Iterable, List, Optional, Tuple, Union

Path = Union[str, "os.PathLike[str]"]
Progress = Callable[[str, int, int], None]
Pairs = List[Tuple[str, bytes]]
Time = Union[str, int, float, datetime]

_SPECIAL = frozenset("\\.[](){}*+?^$|")


def path(file: Path) -> bytes:
    """A path as the system has it."""
    return os.fsencode(file)


def pairs(options: "dict[str, Any]") -> Pairs:
    """(name, value) for each option; an underscore is a dash, None is not given, and
    a list gives the option several times."""
    out: Pairs = []
    for name, value in options.items():
        name = name.replace("_", "-")
        if value is None:
            continue
        if isinstance(value, bool):
            out.append((name, b"yes" if value else b"no"))
        elif isinstance(value, (list, tuple, set, frozenset)):
            out += [(name, os.fsencode(one)) for one in value]
        elif isinstance(value, (int, float)):
            out.append((name, repr(value).encode()))
        elif isinstance(value, (str, os.PathLike)):
            out.append((name, os.fsencode(value)))
        else:
            raise TypeError("%s: a %s is no value of an option"
                            % (name, type(value).__name__))
    return out


def time(value: Time) -> str:
    """A time for "start" and "end": text as on the command line, nanoseconds since
    1970 as an int, seconds as a float, or a datetime, which is UTC if it names no
    zone."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        if value.tzinfo is None:
            value = value.replace(tzinfo=timezone.utc)
        value = value.astimezone(timezone.utc)
        return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, float):
        return "%.9f" % value
    return "%d.%09d" % divmod(value, 10 ** 9)


def glob(pattern: str) -> str:
    """A pattern with * and ? as an extended regular expression."""
    return "".join(".*" if c == "*" else "." if c == "?" else
                   "\\" + c if c in _SPECIAL else c for c in pattern)


def choice(topics: Union[str, Iterable[str], None],
           include: Union[str, Iterable[str], None],
           exclude: Union[str, Iterable[str], None],
           start: Optional[Time], end: Optional[Time],
           order: Optional[str]) -> Pairs:
    """Which records are wanted."""
    out = [("include", glob(one)) for one in _each(topics)]
    out += [("include", one) for one in _each(include)]
    out += [("exclude", one) for one in _each(exclude)]
    out += [(name, time(value)) for name, value in (("start", start),
                                                    ("end", end))
            if value is not None]
    if order is not None:
        out.append(("order", order))
    return [(name, os.fsencode(value)) for name, value in out]


def _each(words: Union[str, Iterable[str], None]) -> Iterable[str]:
    if words is None:
        return ()
    return (words,) if isinstance(words, str) else words

"""Plain data: numbers in the payloads of BDDF series."""

import struct
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

try:
    import numpy
except ImportError:  # it is optional
    numpy = None  # type: ignore[assignment]

# By the numbers of PodTypeEnum in bosdyn/api/bddf.proto: for struct, for numpy.
_TYPES = {1: ("b", "i1"), 2: ("h", "<i2"), 3: ("i", "<i4"), 4: ("q", "<i8"),
          5: ("B", "u1"), 6: ("H", "<u2"), 7: ("I", "<u4"), 8: ("Q", "<u8"),
          9: ("f", "<f4"), 10: ("d", "<f8")}
_MAX = 1 << 20  # numbers in a sample; more are no plain data
_DEEP = 32  # dimensions, as many as every numpy has; more are no plain data


class Layout(NamedTuple):
    """How numbers are in a payload: samples one after the other."""

    letter: str
    name: str
    shape: Tuple[int, ...]  # of a sample; (): a number

    def values(self, data: bytes) -> Any:
        """The samples; what is left of a last one is not among them."""
        each = 1
        for n in self.shape:
            each *= n
        size = struct.calcsize("<" + self.letter)
        samples = len(data) // (size * each) if each else 0
        if numpy is not None:
            return numpy.frombuffer(data, self.name, samples * each).reshape(
                (samples,) + self.shape)
        flat: List[Any] = list(struct.unpack_from(
            "<%d%s" % (samples * each, self.letter), data))
        for n in reversed(self.shape):
            flat = [flat[i:i + n] for i in range(0, len(flat), n)]
        return flat


def layout_of(encoding: str, metadata: Dict[str, str]) -> Optional[Layout]:
    """The layout of a channel; None: it has no plain data."""
    kind = _TYPES.get(_number(metadata.get("pod_type")))
    if encoding != "pod" or kind is None:
        return None
    shape: List[int] = []
    each = 1
    while "dimension.%d" % len(shape) in metadata and each <= _MAX:
        shape.append(_number(metadata["dimension.%d" % len(shape)]))
        each *= shape[-1]
    if not 0 < each <= _MAX or len(shape) >= _DEEP:
        return None
    return Layout(kind[0], kind[1], tuple(shape))


def _number(text: Optional[str]) -> int:
    good = text is not None and text.isascii() and text.isdigit()
    return int(text[:20]) if text is not None and good else 0


def table(topic: str, times: List[Optional[int]], rows: List[Any]) -> Any:
    """A DataFrame."""
    import pandas  # pylint: disable=import-outside-toplevel

    index = pandas.to_datetime(times, unit="ns", utc=True)
    first = rows[0] if rows else 0.0
    if not hasattr(first, "__len__"):
        return pandas.DataFrame({topic: rows}, index=index)
    flat = [_flat(row) for row in rows]
    names = ["%s[%d]" % (topic, i) for i in range(len(flat[0]))]
    return pandas.DataFrame(flat, index=index, columns=names)


def _flat(row: Any) -> List[Any]:
    if not hasattr(row, "__len__"):
        return [row]
    return [number for part in row for number in _flat(part)]

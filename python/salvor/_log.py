"""The records of a log, damaged or not."""

from typing import (Any, Dict, Iterable, Iterator, List, Mapping, Optional,
                    Tuple, Union)

from . import _salvor
from ._errors import raise_for
from ._options import Progress, Time, choice, pairs
from ._report import Report, report_of
from ._source import Readable, source_of
from ._values import Layout, layout_of, table

Words = Union[str, Iterable[str], None]


class Channel:
    """A channel: what the format calls a connection, a series, or a topic."""

    def __init__(self, number: int, raw: Tuple[Any, ...]) -> None:
        self.number = number
        self.name: str = raw[0]
        self.type: str = raw[1]
        self.encoding: str = raw[2]
        self.schema_encoding: str = raw[3]
        self.schema: bytes = raw[4]
        self.metadata: Dict[str, str] = raw[5]
        self.records: int = raw[6]
        self.layout: Optional[Layout] = layout_of(self.encoding, self.metadata)

    def __repr__(self) -> str:
        return "<salvor.Channel %s: %d records of %s (%s)>" % (
            self.name, self.records, self.type or "?", self.encoding)


class Record(_salvor.Record):
    """A record: topic, channel, log_time and publish_time (nanoseconds since 1970, or
    None), sequence, data, offset, inner, sureness, after_gap; and values."""

    __slots__ = ()

    @property
    def values(self) -> Any:
        """Numbers, of plain data: an array of numpy, or a list without it, with a row
        for each sample.  None: it is no plain data."""
        layout = self.channel.layout
        return None if layout is None else layout.values(self.data)

    def __repr__(self) -> str:
        return "<salvor.Record of %s at %s: %d bytes>" % (
            self.topic, self.log_time, len(self.data))


class Channels(Mapping[str, Channel]):
    """Channels by name; the first of that name.  `all` has those of one name, too."""

    def __init__(self, channels: List[Channel]) -> None:
        self.all = channels
        self._by_name: Dict[str, Channel] = {}
        for one in channels:
            self._by_name.setdefault(one.name, one)

    def __getitem__(self, name: str) -> Channel:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


class Log:
    """A log that is open; see salvor.open()."""

    def __init__(self, source: Readable, *,
                 progress: Optional[Progress] = None, **options: Any) -> None:
        name, what = source_of(source)
        self._log = _salvor.Log(name, pairs(options), progress, what)
        raw = self._log.report()
        self.report: Report = report_of(raw)
        raise_for(*raw[:3], self.report)
        self.channels = Channels([Channel(i, one) for i, one
                                  in enumerate(self._log.channels())])

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it; records that were read stay."""
        self._log.close()

    def read(self, topics: Words = None, *, include: Words = None,
             exclude: Words = None, start: Optional[Time] = None,
             end: Optional[Time] = None,
             order: Optional[str] = None) -> Iterator[Record]:
        """The records, as a repair would keep them.

        topics   names; * and ? match any characters, as in a shell
        include, exclude
                 regular expressions that match whole names
        start, end
                 "+10s" from the first record, "-5s" from the last, UTC as text or
                 datetime, nanoseconds since 1970, or seconds as a float
        order    "file" (default) or "time"

        One pass at a time: another call ends the one before.
        """
        self._check(self._log.read(
            choice(topics, include, exclude, start, end, order),
            self.channels.all, Record))
        return _salvor.Pass(self._log,
                            lambda: self._check(self._log.status()))

    def to_dataframe(self, topic: str, **which: Any) -> Any:
        """The numbers of a channel of plain data, a row for each sample, with the log
        time as the index.  Needs pandas."""
        channel = self.channels[topic]
        if channel.layout is None:
            raise TypeError("%s: no plain data, but %s" % (
                topic, channel.encoding))
        times: List[Optional[int]] = []
        rows: List[Any] = []
        for record in self.read([topic], **which):
            values = record.values
            times += [record.log_time] * len(values)
            rows += list(values)
        return table(topic, times, rows)

    def _check(self, status: Tuple[int, str]) -> None:
        raise_for(status[0], 0, status[1], self.report)


def open(source: Readable, *,  # pylint: disable=redefined-builtin
         progress: Optional[Progress] = None, **options: Any) -> Log:
    """Open a log, damaged or not, from a path, bytes, a binary file that can
    seek, or a salvor.Source; "-" is standard input.

    It is audited first: `log.report` says what of it is lost.  Nothing is written.
    """
    return Log(source, progress=progress, **options)

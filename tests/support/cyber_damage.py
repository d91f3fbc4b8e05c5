"""What happens to Cyber records, and what of them is still there then.

CLASSES lists the kinds.  A damage is a function of an Original, a source of
chance and the number of the case, which says where; it gives a Damaged.
"""

import struct
from collections import Counter
from dataclasses import dataclass
from typing import Callable, NamedTuple

import cyber_writer as w
from cyber_proto import CHUNK_BODY, START
from cyber_reader import section_at, spans_of

SECTOR = 4096


class Original:
    """A record as it was, closed or not."""

    def __init__(self, raw):
        self.raw = raw
        self.sections = []
        self.messages = []  # (name, time, content)
        self.spans = []  # of each
        at = START
        while at < len(raw):
            s = section_at(raw, at)
            self.sections.append(s)
            at = s.end
            if s.type == CHUNK_BODY:
                self.messages += [(m.channel_name, m.time, m.content)
                                  for m in s.body.messages]
                self.spans += spans_of(raw, s)
        self.counts = Counter(self.messages)


class Damaged(NamedTuple):
    """A damaged record, and which stretch of the original is gone or other."""
    raw: bytes
    start: int
    end: int


def there(original, damaged):
    """The messages whose bytes are all there."""
    same = damaged.raw[damaged.start:damaged.end]
    if len(damaged.raw) != len(original.raw):
        same = b""
    for m, (start, end) in zip(original.messages, original.spans):
        low, high = max(start, damaged.start), min(end, damaged.end)
        if damaged.start == damaged.end and start < damaged.start < end:
            continue  # something is in it
        if low >= high or (same and same[low - damaged.start:
                                         high - damaged.start]
                           == original.raw[low:high]):
            yield m


def put(raw, at, new):
    """Bytes laid over others."""
    return raw[:at] + new + raw[at + len(new):]


def cut(o, rng, _):
    """The end is missing."""
    at = rng.randrange(START, len(o.raw))
    return Damaged(o.raw[:at], at, len(o.raw))


def cut_message(o, rng, number):
    """... from the beginning of a message on, or near it."""
    at = rng.choice(o.spans)[0] + (number % 3) * rng.randrange(40)
    return Damaged(o.raw[:at], at, len(o.raw))


def zero_tail(o, rng, number):
    """... and room for more was made."""
    d = cut(o, rng, number)
    return Damaged(d.raw + bytes(rng.randrange(20000)), d.start, d.end)


def sector(o, rng, _):
    """A sector of zeros."""
    at = rng.randrange(len(o.raw) // SECTOR) * SECTOR
    return Damaged(put(o.raw, at, bytes(SECTOR)), at, at + SECTOR)


def sector_moved(o, rng, number):
    """... and something before it, after which it looks like nothing:
    what is repaired has a page of zeros then, and says so."""
    d = sector(o, rng, number)
    return d._replace(raw=d.raw[:START] + b"\xfe" * 33 + d.raw[START:])


def middle(o, rng, _):
    """1 to 5 % are missing inside it."""
    n = int(len(o.raw) * rng.uniform(.01, .05))
    at = rng.randrange(START, len(o.raw) - n)
    return Damaged(o.raw[:at] + o.raw[at + n:], at, at + n)


def splice(o, rng, number):
    """Bytes are missing from inside a message up to near where another one or a
    section begins, so that it ends there and seems to be whole; or up to where
    one begins that cannot follow it."""
    sections = [s.at for s in o.sections]
    messages = [at for at, _ in o.spans]
    bodies = [s.end for s in o.sections if s.type == CHUNK_BODY]
    near = (0, -4, -3, -2, -1, 1, 2, 3, 4)[number % 9]
    end = rng.choice([end for _, end in o.spans
                      if end + 40 < min(sections[-1], messages[-1])])
    at = end - 1 - rng.randrange(8)
    starts = sections + messages
    if near == 0:
        starts = messages if end in bodies else sections
    n = rng.choice([b for b in starts if b > end + 4]) + near - end
    return Damaged(o.raw[:at] + o.raw[at + n:], at, at + n)


def garbage(o, rng, _):
    """Something was put in."""
    at = rng.randrange(START, len(o.raw))
    n = rng.randrange(1, 300)
    return Damaged(o.raw[:at] + rng.getrandbits(8 * n).to_bytes(n, "little")
                   + o.raw[at:], at, at)


def repeat(o, rng, number):
    """A range is there once more, right after itself; one in four begins and
    ends where something does, or near it."""
    n = int(2 ** rng.uniform(0, 20)) % (len(o.raw) - START - 1) + 1
    at = rng.randrange(START, len(o.raw) - n)
    if number % 4 == 0:
        edges = sorted({e for span in o.spans for e in span})
        at, end = sorted(rng.sample(edges, 2))
        at += rng.randrange(3) - 1
        n = end - at + rng.randrange(3) - 1
    return Damaged(o.raw[:at + n] + o.raw[at:], at + n, at + n)


def junk(rng, number):
    """Bytes that are no part of a record."""
    n = rng.choice((1, 7, 19, 512, 4096, rng.randrange(1, 9000)))
    return (rng.getrandbits(8 * n).to_bytes(n, "little"), bytes(n),
            (b"HTTP/1.1 200 OK\r\n" * n)[:n])[number % 3]


def junk_front(o, rng, number):
    """Something is before it, and the end of one in four is missing."""
    new = junk(rng, number)
    at = rng.randrange(START, len(o.raw)) if number % 4 == 3 else len(o.raw)
    if at == len(o.raw):
        return Damaged(new + o.raw, 0, 0)
    return Damaged(new + o.raw[:at], at, len(o.raw))


def header_byte(o, rng, number):
    """A byte of the first 2,064 is another."""
    at = number % START
    new = bytes([o.raw[at] ^ rng.randrange(1, 256)])
    return Damaged(put(o.raw, at, new), at, at + 1)


def header_gone(o, rng, number):
    """The room of the header is zeros, or anything."""
    new = rng.getrandbits(8 * START).to_bytes(START, "little")
    return Damaged(put(o.raw, 0, (bytes(START), new)[number % 2]), 0, START)


def head_byte(o, rng, number):
    """A byte of a section's head is another."""
    at = o.sections[number // 16 % len(o.sections)].at + number % 16
    new = bytes([o.raw[at] ^ rng.randrange(1, 256)])
    return Damaged(put(o.raw, at, new), at, at + 1)


def head_number(o, rng, number):
    """A section's head has another type or size."""
    at = o.sections[rng.randrange(len(o.sections))].at
    kind, _, size = struct.unpack_from("<IIq", o.raw, at)
    what = ((0, 0), (7, 0), (3, 0), (0, -1), (0, 1), (0, 1 << 40),
            (0, -size), (0, -size - 1), (4, 0))[number % 9]
    new = struct.pack("<Iiq", (kind + what[0]) % 9, 0, size + what[1])
    return Damaged(put(o.raw, at, new), at, at + 16)


def head_zero(o, rng, _):
    """A section's head is zeros."""
    at = o.sections[rng.randrange(len(o.sections))].at
    return Damaged(put(o.raw, at, bytes(16)), at, at + 16)


def flip(o, rng, _):
    """Any byte is another."""
    at = rng.randrange(START, len(o.raw))
    new = bytes([o.raw[at] ^ 1 << rng.randrange(8)])
    return Damaged(put(o.raw, at, new), at, at + 1)


def stale(o, rng, number):
    """It was written over an older and longer record."""
    start = (1690000000, 1800000000)[number % 2]
    old = w.write(*w.drive(seed=number, n_messages=1200, start=start),
                  w.Shape(limit=60000, closed=number % 3 > 0,
                          indexed=number % 2 or number % 3 > 0))
    return Damaged(o.raw + old[len(o.raw):], len(o.raw), len(o.raw))


def joined(o, rng, number):
    """Another record follows it, or what is left of it: one chunk at least, as
    without any the other record is the log."""
    other = w.write(*w.drive(seed=number, n_messages=60, start=1690000000),
                    w.Shape(limit=20000, style=("cpp", "lite", "python")[
                        number % 3], closed=number % 4 > 0))
    if number % 2 == 0:
        return Damaged(o.raw + other, len(o.raw), len(o.raw))
    first = next(s.end for s in o.sections if s.type == CHUNK_BODY)
    at = rng.choice([s.at for s in o.sections if s.at >= first] or [first])
    return Damaged(o.raw[:at] + other, at, len(o.raw))


def index_gone(o, rng, number):
    """Any stretch of what follows the chunks."""
    last = [s for s in o.sections if s.type == CHUNK_BODY][-1].end
    if last == len(o.raw):
        return Damaged(o.raw + b"\3", last, last)
    if number % 2:
        at = rng.randrange(last, len(o.raw))
        return Damaged(o.raw[:at], at, len(o.raw))
    at = rng.randrange(last, len(o.raw))
    n = rng.randrange(1, len(o.raw) - at + 1)
    return Damaged(put(o.raw, at, bytes(n)), at, at + n)


@dataclass
class Kind:
    """A kind of damage.

    limit: what part of the messages that are there may be missed, on average.
    blind: a content may be hit, which nobody can see.
    hidden: a byte may be hit that says nothing, or that nothing is held
    against.
    exact: of a C++ record all is as it was.
    again: the output may be found damaged, by these findings.
    """
    damage: Callable
    limit: float
    blind: bool = False
    hidden: bool = False
    exact: bool = False
    again: tuple = ()
    all_of: Callable = None


CLASSES = [
    Kind(cut, .003, hidden=True), Kind(cut_message, .003, hidden=True),
    Kind(zero_tail, .003, hidden=True), Kind(sector, .003, hidden=True),
    Kind(sector_moved, 1, blind=True, again=("cyber.hole",)),
    Kind(middle, .003), Kind(splice, .003), Kind(garbage, .003),
    Kind(repeat, .01), Kind(junk_front, .003, exact=True),
    Kind(header_byte, 0, hidden=True, exact=True,
         all_of=lambda o: range(START)),
    Kind(header_gone, 0),
    Kind(head_byte, 0, hidden=True, exact=True,
         all_of=lambda o: range(16 * len(o.sections))),
    Kind(head_number, 0, hidden=True, exact=True),
    Kind(head_zero, .003, exact=True),
    Kind(flip, .003, blind=True, hidden=True),
    Kind(stale, 0), Kind(joined, 0),
    Kind(index_gone, 0, hidden=True, exact=True),
]

"""What the writers of each language leave in a file when they are killed.

STATES[name](good, dice) is a Damage of a good file (judge.Original): what was
written before it, as it is known to be written.  OF says which states a writer's
files are found in.
"""

import struct

from mcap import records as r
from random_damage import Damage, alien

BUFFER = 4096  # of C's stdio
PAGE = 4096


def _cut(good, at):
    """What is before a place."""
    out = Damage(good.raw)
    out.replace(max(at, 0), len(good.raw))
    return out


def _chunk(good, dice):
    """A chunk, or where there is none None."""
    return dice.choice(good.file.chunks) if good.file.chunks else None


def after_chunk(good, dice):
    """C++ flushes its buffer after a chunk and not after its message indexes;
    Python's buffer is smaller than a chunk."""
    chunk = _chunk(good, dice)
    return buffered(good, dice) if chunk is None else _cut(good, chunk.end)


def buffered(good, dice):
    """C's stdio writes a buffer when it is full: a chunk's end, and so many of
    them, as far as no chunk follows."""
    starts = [8] + [chunk.end for chunk in good.file.chunks]
    stops = [chunk.end for chunk in good.file.chunks] + [good.file.data_end]
    n = dice.randrange(len(starts))
    start, stop = starts[n] if n else 0, stops[n]
    return _cut(good, max(9, dice.randrange(start, stop) // BUFFER * BUFFER
                          if n == 0 else start + (dice.randrange(
                              start, stop) - start) // BUFFER * BUFFER))


def between(good, dice):
    """Python, Go and TypeScript write records whole."""
    return _cut(good, dice.choice(
        [record.end for record in good.file.records[:-1]]
        or [good.file.data_end]))


def in_chunk(good, dice):
    """Go and Rust write the head of a chunk first."""
    chunk = _chunk(good, dice)
    return between(good, dice) if chunk is None else _cut(
        good, dice.choice((chunk.start + 9, chunk.data_at, dice.randrange(
            chunk.start + 1, chunk.end))))


def open_chunk(good, dice):
    """Rust writes a chunk's head again when it is complete; before that sizes
    and checksum are all ones, and times are 0."""
    chunk = _chunk(good, dice)
    if chunk is None:
        return between(good, dice)
    out = _cut(good, dice.randrange(chunk.data_at, chunk.end + 1))
    out.overwrite(chunk.start + 1, struct.pack(
        "<QQQQI", r.UNKNOWN, 0, 0, r.UNKNOWN, 0xffffffff))
    out.overwrite(chunk.data_at - 8, struct.pack("<Q", r.UNKNOWN))
    return out


def unended(good, _):
    """Who appends removes what follows the data first."""
    return _cut(good, good.file.data_end)


def in_summary(good, dice):
    """The disk was full, or the power failed."""
    return _cut(good, dice.randrange(good.file.data_end + 1, len(good.raw)))


def at_summary(good, dice):
    """The same, between two records of the summary."""
    return _cut(good, dice.choice(
        [good.file.data_end + 13] + [
            record.end for record in good.file.summary]))


def power(good, dice):
    """The file system has written what it has room for as zeros."""
    out = _cut(good, dice.randrange(9, len(good.raw)))
    room = -len(out) % dice.choice((512, PAGE, 65536))
    out.replace(len(out), len(out), [alien(bytes(room))])
    return out


def page_lost(good, dice):
    """... and a page that was written late, too."""
    out = power(good, dice)
    if len(out) > PAGE:
        out.overwrite(dice.randrange(len(out)) // PAGE * PAGE, bytes(PAGE))
    return out


STATES = {state.__name__: state for state in (
    after_chunk, buffered, between, in_chunk, open_chunk, unended,
    in_summary, at_summary, power, page_lost)}
ALWAYS = "in_summary", "at_summary", "power", "page_lost"
OF = {"rosbag2": ("after_chunk", "buffered", *ALWAYS),
      "fastwrite": ("buffered", *ALWAYS),
      "cpp": ("after_chunk", "buffered", *ALWAYS),
      "python": ("after_chunk", "between", *ALWAYS),
      "go": ("between", "in_chunk", *ALWAYS),
      "ts": ("between", "unended", *ALWAYS),
      "rust": ("open_chunk", "in_chunk", "between", *ALWAYS)}

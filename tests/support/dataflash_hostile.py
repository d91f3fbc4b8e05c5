"""dataflash_hostile.py - flight logs with as many of a kind as fit, each of which could
make a driver look at all others.

Each function of CROWDS gives a log of n of them.
"""
import struct

from dataflash.writer import FIRST, HEAD, message, packed

TICK = packed(1, "TICK", "QI", "TimeUS,N")
BEGIN = 10_000_000  # us


def tick(n, us=None):
    """A message with a time."""
    return message(1, struct.pack("<QI", BEGIN + (1000 * n if us is None else us), n))


def begun():
    """The beginning of a log: enough of it to be taken for one."""
    return FIRST + TICK + b"".join(tick(k) for k in range(50))


def between(what, n):
    """Messages, with something after each."""
    return begun() + b"".join(tick(50 + k) + what(k) for k in range(n))


def messages(n):
    """Nothing but messages."""
    return between(lambda k: b"", n)


def losses(n):
    """Bytes that are no message, and could begin one."""
    return between(lambda k: (HEAD + b"\xff") * 3, n)


def formats_again(n):
    """A format, again and again."""
    return between(lambda k: TICK, n)


def formats_anew(n):
    """Formats of one number, each another one."""
    return between(lambda k: packed(2 + k % 90, "F%d" % (k % 999), "Q" + "B" * (
        1 + k % 15), "TimeUS" + ",a" * (1 + k % 15)), n)


def undeclared(n):
    """Messages of types without a format."""
    return between(lambda k: message(2 + k % 100, b"%09d" % k), n)


def backwards(n):
    """Times that go back at each message."""
    return begun() + b"".join(tick(k, 1000 * (n - k)) for k in range(n))


def restarts(n):
    """Logs of flights one after the other, each of a few messages."""
    return b"".join(FIRST + TICK + b"".join(tick(k) for k in range(5))
                    for _ in range(n))


def pages(n):
    """A page of messages that is there again and again."""
    page = b"".join(tick(k) for k in range(200))
    return begun() + page * (n // 200)


def heads(n):
    """What could begin a message at every other byte, and is none."""
    return begun() + HEAD * n + tick(60)


def texts(n):
    """Parameters, each with another name."""
    return FIRST + packed(2, "PARM", "QNf", "TimeUS,Name,Value") + between(
        lambda k: message(2, struct.pack("<Q16sf", BEGIN + 1000 * k,
                                         b"P%d" % k, 1)), n)[len(FIRST):]


def unannounced(n):
    """Messages of types with lost formats, and a log that has them."""
    formats = b"".join(packed(2 + k, "F%d" % k, "QI", "TimeUS,N")
                       for k in range(90))
    said = b"".join(message(2 + k % 90, struct.pack("<QI", BEGIN + k, k))
                    for k in range(n))
    return begun() + said, begun() + formats + said


CROWDS = ((messages, 30000), (losses, 8000), (formats_again, 4000),
          (formats_anew, 4000), (undeclared, 8000), (backwards, 20000),
          (restarts, 2000), (pages, 30000), (heads, 60000), (texts, 12000))

# Each with another log that explains it.
GIVEN = ((unannounced, 12000),)

"""ulog_hostile.py - flight logs with as many of a kind as fit, each of which could
make a driver look at all others.

Each function of CROWDS gives a log of n of them.
"""
import struct

from ulog import writer
from ulog.writer import message

TIME = "uint64_t timestamp;"
NUMBERS = 65536  # that subscriptions can have
FORMATS = 4000  # as many as salvor remembers
BEGIN = 10_000_000  # us
HOUR = 3_600_000_000  # us


def begun(*formats):
    """The beginning of a log, with formats of these texts."""
    return (writer.MAGIC + struct.pack("<BQ", 1, BEGIN)
            + message("B", bytes(40))
            + b"".join(message("F", text.encode()) for text in formats))


def named(n, topic="t"):
    """Subscription n."""
    return message("A", struct.pack("<BH", n % 9, n % NUMBERS)
                   + topic.encode())


def said(n, us):
    """A message of it."""
    return message("D", struct.pack("<HQ", n % NUMBERS, BEGIN + us))


def subscriptions(n):
    """Subscriptions, and messages of all of them."""
    return begun("t:" + TIME) + b"".join(
        named(k) for k in range(n)) + b"".join(said(k, k) for k in range(n))


def formats_late(n):
    """Subscriptions of a format that never comes, and then formats."""
    return begun() + b"".join(
        named(k, "none") for k in range(n)) + b"".join(
            message("F", b"f%d:char a;" % k)
            for k in range(min(n // 16, FORMATS))) + said(1, 1)


def formats_waiting(n):
    """Formats each of which waits for all that follow it."""
    last = min(n, FORMATS)
    return begun(*("f%d:%s" % (k, "".join(
        "f%d a;" % other for other in range(k + 1, min(k + 8, last))) or TIME)
                   for k in range(last))) + b"".join(
                       named(k, "f%d" % (k % last)) for k in range(n))


def shared_formats(n):
    """Topics, each of which has the same formats with long names in it."""
    inner = ["i%d:uint8_t %s;" % (k, "a" * 59000) for k in range(5)]
    inner[:4] = [text + "i%d b;" % (k + 1) for k, text in enumerate(inner[:4])]
    return begun(*inner, *("t%d:%si0 a;" % (k, TIME) for k in range(n))) + b"".join(
        named(k, "t%d" % k) for k in range(n)) + b"".join(
            message("D", struct.pack("<HQ5x", k, BEGIN + k)) for k in range(n))


def padding(n):
    """Messages with a list of structs that are padding without bytes."""
    inner = "".join("uint8_t[0] _padding%d;" % k for k in range(2400))
    return begun("i:" + inner, "t:%si[60000] a;" % TIME) + named(0) + b"".join(
        said(0, k) for k in range(n))


def one_schema(n):
    """Subscriptions of one long format."""
    return begun("t:" + TIME + "float a;" * min(n, 4000)) + b"".join(
        named(k) for k in range(min(n, NUMBERS)))


def empty_fields(n):
    """Subscriptions of a format with many fields, none of which has a byte."""
    return begun("t:" + TIME + "".join(
        "uint8_t[0] %d;" % k for k in range(3500))) + b"".join(
            named(k) + said(k, k) for k in range(n))


def schemas(n):
    """Subscriptions of formats that differ at their ends."""
    return begun(*("t%d:%s%s b%d;" % (k, TIME, "float a;" * 20, k % 10)
                   for k in range(min(n, FORMATS)))) + b"".join(
                       named(k, "t%d" % (k % FORMATS)) for k in range(n))


def losses(n):
    """Subscriptions, and losses between their messages."""
    return begun("t:" + TIME) + b"".join(
        named(k) for k in range(n)) + b"".join(
            said(k, k) + said(k, k + 1) + b"\xff" for k in range(n))


def long_losses(n):
    """Losses that took hours."""
    return begun("t:" + TIME) + named(1) + b"".join(
        said(1, HOUR * k) + said(1, HOUR * k + 1) + b"\xff" for k in range(n))


def backwards(n):
    """Times that go back and forth."""
    return begun("t:" + TIME) + b"".join(
        named(k) for k in range(n)) + b"".join(
            said(1, k ^ 1) for k in range(n)) + b"\xff"


def texts_between(n):
    """Messages and texts in turn."""
    return begun("t:" + TIME) + b"".join(
        named(k) for k in range(n)) + b"".join(
            said(1, k) + message("L", b"1" + bytes(8) + b"x")
            for k in range(n))


def named_again(n):
    """Declarations of one number that differ."""
    return begun(*("g%d:float a;" % k for k in range(min(n, FORMATS)))
                 ) + b"".join(named(9, "g%d" % (k % 3)) for k in range(n))


def undeclared(n):
    """Messages without a subscription."""
    return begun("t:" + TIME) + named(1) + b"".join(
        said(2 + k % 60000, k) for k in range(n))


def letters(n):
    """What could begin a format at every byte, and is none."""
    return begun("t:" + TIME) + named(1) + said(1, 1) + b"\xff\xfe" + (
        b"F" * 9000 + b":" + b"float a;" * 1125) * (n // 100) + said(1, 2)


def clocks(n):
    """What could be a format of GPS positions."""
    return begun() + (b"\xff\xffFvehicle_gps_position:" * n
                      + b"\xff\xffFsensor_gps:" * n)


def unannounced(n):
    """Messages of subscriptions that are lost, and a log that has them."""
    raw = subscriptions(n)
    first = len(begun("t:" + TIME))
    cut = first + sum(len(named(k)) for k in range(n))
    return raw[:first] + b"\xff" * 20 + raw[cut:], raw


CROWDS = ((subscriptions, 16000), (formats_late, 16000),
          (formats_waiting, 4000), (one_schema, 4000), (schemas, 4000),
          (losses, 12000), (long_losses, 8000), (backwards, 16000),
          (texts_between, 8000), (named_again, 16000), (undeclared, 16000),
          (letters, 4000), (clocks, 8000))

# Each with another log that explains it.
GIVEN = ((unannounced, 16000),)

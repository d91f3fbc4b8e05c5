"""copies_hostile.py - two copies of one log that differ in as many places as fit,
each of which could make a merge look at all others.

Each function of CROWDS gives (a copy, another one, "copy") of a log of n parts.
"""
import bag_hostile
import dataflash_hostile
import drive_hostile
import hostile
import mcap_hostile
import rosrecord_hostile
import ulog_hostile

EVERY = 1000  # bytes from one difference to the next
SPARED = 200  # bytes at both ends


def places(raw, first):
    """Where the copies differ."""
    return range(SPARED + first, len(raw) - SPARED, EVERY)


def with_holes(raw, first):
    """Zeros over a few bytes at each place."""
    out = bytearray(raw)
    for at in places(raw, first):
        out[at:at + 16] = bytes(16)
    return bytes(out)


def with_flips(raw, first):
    """A byte is another one at each place."""
    out = bytearray(raw)
    for at in places(raw, first):
        out[at] ^= 0x55
    return bytes(out)


def with_gaps(raw, first):
    """Bytes are missing at each place."""
    ends = [0, *places(raw, first), len(raw)]
    return b"".join(raw[a + 3 * (a > 0):b] for a, b in zip(ends, ends[1:]))


def crowd(log, damage):
    """A generator of two copies of a log with such damage, in turn."""
    def make(n):
        raw = log(n)
        return damage(raw, 0), damage(raw, EVERY // 2), "copy"
    make.__name__ = "%s_%s" % (log.__name__, damage.__name__)
    make.__module__ = log.__module__.partition("_")[0] + "_copies"
    return make


LOGS = ((hostile.plain_blocks, 8000), (bag_hostile.small_chunks, 1500),
        (rosrecord_hostile.many_topics, 1000), (mcap_hostile.small_chunks, 2000),
        (ulog_hostile.subscriptions, 6000), (dataflash_hostile.messages, 12000),
        (drive_hostile.many_channels, 400), (drive_hostile.plain_frames, 400))
CROWDS = [(crowd(log, damage), n) for log, n in LOGS
          for damage in (with_holes, with_flips, with_gaps)]

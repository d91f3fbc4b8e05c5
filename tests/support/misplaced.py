"""Damage that leaves every byte of a log in the file, or nearly: some are in the wrong
place, or in it twice.

    for kind in KINDS:
        case = kind(raw, other, dice)

raw is the log, other one of another recording.  A case has the file's bytes, and
`like`: what a repair of it owes at least is what one of these bytes gives.
"""

import collections

Case = collections.namedtuple("Case", "raw like")
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: x\r\nContent-Length: 9999\r\n\r\n"
PAGES = 512, 4096, 32768


def inside(raw, dice, low=.1, high=.95):
    """A place in the log."""
    return dice.randrange(int(len(raw) * low), int(len(raw) * high))


def front(raw, _, dice):
    """Junk precedes the log."""
    size = dice.choice((1, 40, 512, 4096, 65536))
    junk = dice.choice((bytes(size), dice.randbytes(size), HTTP))
    return Case(junk + raw, raw)


def retry(raw, _, dice):
    """Downloads that broke off precede it."""
    cuts = [inside(raw, dice) for _ in range(dice.choice((1, 1, 2, 3)))]
    return Case(b"".join(raw[:at] for at in cuts) + raw, raw)


def overlap(raw, _, dice):
    """A download was resumed at the wrong offset."""
    at = inside(raw, dice)
    size = dice.choice((32, 512, 4096, dice.randrange(16, 20000)))
    return Case(raw[:at] + raw[max(0, at - size):], raw)


def resumed(raw, _, dice):
    """Such a download, which broke off, and then all of the log."""
    part = overlap(raw, None, dice).raw
    return Case(part[:inside(part, dice, .5)] + raw, raw)


def skipped(raw, _, dice):
    """Bytes are missing: no less than if they were overwritten."""
    at = inside(raw, dice)
    size = min(dice.choice((512, 4096, 32768)), len(raw) - at)
    return Case(raw[:at] + raw[at + size:],
                raw[:at] + dice.randbytes(size) + raw[at + size:])


def page_of(raw, dice):
    """(size, two different places) of aligned pages."""
    size = dice.choice([n for n in PAGES if n * 4 < len(raw)])
    return size, sorted(n * size for n in dice.sample(
        range(1, len(raw) // size), 2))


def exchanged(raw, _, dice):
    """Two pages have changed places."""
    size, (a, b) = page_of(raw, dice)
    over = bytearray(raw)
    for at in a, b:
        over[at:at + size] = dice.randbytes(size)
    return Case(raw[:a] + raw[b:b + size] + raw[a + size:b] + raw[a:a + size]
                + raw[b + size:], bytes(over))


def misplaced(raw, _, dice):
    """A page is in the place of another, too."""
    size, (a, b) = page_of(raw, dice)
    if dice.random() < .5:
        a, b = b, a
    over = raw[:b] + dice.randbytes(size) + raw[b + size:]
    return Case(raw[:b] + raw[a:a + size] + raw[b + size:], over)


def joined(raw, other, dice):
    """Another recording follows, whole or cut."""
    return Case(raw + other[:dice.choice((len(other), inside(other, dice)))],
                raw)


def both_cut(raw, other, dice):
    """Another recording follows what is left of the log."""
    at = inside(raw, dice, .4)
    return Case(raw[:at] + other[:inside(other, dice)], raw[:at])


KINDS = (front, retry, overlap, resumed, skipped, exchanged, misplaced, joined,
         both_cut)

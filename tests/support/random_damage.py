"""random_damage - damages a log at random, and knows which bytes survive.

    KINDS                          the ways: each kind(damage, rng)
    DOWNLOADS                      those of logs on a card, and of downloads
    Damage(good, older).raw()      the damaged bytes
    damage.whole(span)             does this range of the good log survive?
    damage.looks_whole(span, payload, ends)
                                   or is damage in it that nothing tells of?

A span is (start, end).  Bytes that are overwritten by the same value are not
damaged.
"""

import bisect
from typing import NamedTuple, Optional

SECTORS = 512, 512, 4096
LONG = 1 << 16  # bytes in which newlines are looked for


class Part(NamedTuple):
    """A part of a damaged log."""
    place: Optional[int]  # where it is in the good log; None: it never was
    size: int
    new: Optional[bytes] = None  # what is there now, if it is not the same

    def split(self, at):
        """The parts before `at` and after it."""
        new, place = self.new, self.place
        return (Part(place, at, new if new is None else new[:at]),
                Part(place if place is None else place + at, self.size - at,
                     new if new is None else new[at:]))


def alien(data):
    """A part that never was in the good log."""
    return Part(None, len(data), data)


class Damage:
    """A log that is damaged step by step."""

    def __init__(self, good, older=b''):
        self.good, self.older = good, older
        self.parts = [Part(0, len(good))]
        self.runs = {}  # what _runs() found

    def __len__(self):
        return sum(part.size for part in self.parts)

    def _bytes(self, part):
        return self.good[part.place:part.place + part.size] \
            if part.new is None else part.new

    def raw(self):
        """The damaged bytes."""
        return b''.join(map(self._bytes, self.parts))

    def _split(self, at):
        """The number of the part that begins at `at`."""
        for i, part in enumerate(self.parts):
            if at == 0:
                return i
            if at < part.size:
                self.parts[i:i + 1] = part.split(at)
                return i + 1
            at -= part.size
        return len(self.parts)

    def between(self, start, end):
        """The parts from `start` to `end` of the damaged log."""
        first = self._split(start)
        return self.parts[first:self._split(end)]

    def replace(self, start, end, parts=()):
        """Put `parts` where `start` to `end` of the damaged log is."""
        first = self._split(start)
        self.parts[first:self._split(end)] = parts
        self.runs = {}

    def overwrite(self, start, new):
        """Write `new` over what is at `start`, at most to the end."""
        new = new[:len(self) - start]
        out, at = [], 0
        for part in self.between(start, start + len(new)):
            over = new[at:at + part.size]
            out += [alien(over)] if part.place is None \
                else self._over(part.place, over)
            at += part.size
        self.replace(start, start + len(new), out)

    def _over(self, place, new):
        """The parts when `new` is written over the good bytes at `place`."""
        old = self.good[place:place + len(new)]
        out, start = [], 0
        while start < len(new):
            end, same = start, old[start] == new[start]
            while end < len(new) and (old[end] == new[end]) == same:
                end += 1
            out.append(Part(place + start, end - start,
                            None if same else new[start:end]))
            start = end
        return out

    def _runs(self, clean):
        """(start, end, offset) of the spans of the good log that are there in
        one piece, and where.  Unless `clean`, bytes may be overwritten."""
        if clean not in self.runs:
            self.runs[clean] = sorted(_runs(self.parts, clean))
        return self.runs[clean]

    def runs_in_order(self):
        """The same of those without damage, in the order of the damaged log."""
        return sorted(self._runs(True), key=lambda run: run[2])

    def offsets(self, span, clean):
        """Where this range is, in one piece."""
        runs = self._runs(clean)
        near = runs[:bisect.bisect_right(runs, (span[0], len(self.good) + 1))]
        return [offset + span[0] - start for start, end, offset in near
                if span[1] <= end]

    def whole(self, span):
        """Is this range of the good log there, as it was?"""
        return bool(self.offsets(span, True))

    def up_to_the_end(self, start):
        """Up to where the good bytes from `start` on are there in one piece, if
        the damaged log ends with them; or None."""
        return next((end for begins, end, offset in self._runs(True)
                     if begins <= start < end
                     and offset + end - begins == len(self)), None)

    def looks_whole(self, span, payload, ends):
        """Is all of `span` there except for something in `payload`, and does what
        is there end where it should: where the file ends, or where something
        begins that began at one of `ends` in the good log?"""
        for offset in self.offsets((span[0], payload[0]), True):
            tail = offset + payload[1] - span[0]
            if payload[1] < span[1] and tail not in self.offsets(
                    (payload[1], span[1]), True):
                continue
            end = offset + span[1] - span[0]
            if end == len(self) or any(
                    begins + end - at in ends
                    for begins, stops, at in self._runs(True)
                    if at <= end < at + stops - begins):
                return True
        return False

    def in_pieces(self, span, payload):
        """Is all of this range there, if not in one piece, except for something in
        `payload` that was overwritten?  Who puts the pieces together again
        cannot see that."""
        def is_there(start, end, clean):
            for begins, stops, _ in sorted(self._runs(clean)):
                if begins <= start < stops:
                    start = stops
            return start >= end
        return is_there(*span, False) and is_there(
            span[0], payload[0], True) and is_there(payload[1], span[1], True)

    def in_place(self, span, payload):
        """Was nothing of this range but something in `payload` overwritten?"""
        return bool(self.offsets(span, False)) and all(
            bool(self.offsets(part, True))
            for part in ((span[0], payload[0]), (payload[1], span[1])))


def _runs(parts, clean):
    """(start, end, offset) of what of the good log is there in one piece."""
    out, last, offset = [], None, 0
    for part in parts:
        if part.place is None or (clean and part.new is not None):
            last = None
        elif last is not None and last == part.place:
            last += part.size
            out[-1] = out[-1][0], last, out[-1][2]
        elif part.size > 0:
            last = part.place + part.size
            out.append((part.place, last, offset))
        offset += part.size
    return out


def _range(d, rng):
    """A range of any size up to 16 KiB, short ones as often as long ones."""
    size = max(1, min(len(d) - 1, int(2 ** rng.uniform(0, 14))))
    start = rng.randrange(len(d) - size)
    return start, start + size


def _filled(rng, size):
    return rng.choice((bytes(size), rng.randbytes(size)))


def cut(d, rng):
    """The rest was never written."""
    d.replace(rng.randrange(1, len(d)), len(d))


def zero_tail(d, rng):
    """The file has its size, or more; the rest was never written."""
    at = rng.randrange(1, len(d))
    d.overwrite(at, bytes(len(d) - at))
    d.replace(len(d), len(d), [alien(bytes(rng.choice((0, 3, 600, 4096))))])
    if rng.randrange(2):
        d.replace(min(len(d), at + rng.choice((1, 20, 512, 5000))), len(d))


def after(d, rng):
    """Something that is no log follows."""
    d.replace(len(d), len(d),
              [alien(_filled(rng, rng.choice((1, 3, 100, 512, 4096))))])


def before(d, rng):
    """Something that is no log is in front."""
    d.replace(0, 0, [alien(_filled(rng, rng.choice((1, 19, 512, 3000))))])


def sector(d, rng):
    """Sectors read as zeros or as something else."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        size = rng.choice(SECTORS)
        start = rng.randrange(len(d)) // size * size
        d.overwrite(start, _filled(rng, size))


def patch(d, rng):
    """A range that begins anywhere is overwritten."""
    start, end = _range(d, rng)
    d.overwrite(start, rng.choice((bytes(end - start), b'\xff' * (end - start),
                                   rng.randbytes(end - start))))


def flip(d, rng):
    """Single bits."""
    for _ in range(rng.choice((1, 1, 1, 2, 5, 30))):
        at = rng.randrange(len(d))
        d.overwrite(at, bytes([d.raw()[at] ^ 1 << rng.randrange(8)]))


def removed(d, rng):
    """A range is gone."""
    d.replace(*_range(d, rng))


def inserted(d, rng):
    """Something that is no log is in between."""
    at = rng.randrange(len(d))
    d.replace(at, at, [alien(_filled(rng, rng.choice((1, 4, 30, 300, 3000))))])


def doubled(d, rng):
    """A range is there twice, one after the other."""
    start, end = _range(d, rng)
    d.replace(end, end, d.between(start, end))


def moved(d, rng):
    """A range is in another place."""
    start, end = _range(d, rng)
    parts = d.between(start, end)
    d.replace(start, end)
    at = rng.randrange(len(d) + 1)
    d.replace(at, at, parts)


def swapped(d, rng):
    """Two sectors took each other's place."""
    size = rng.choice(SECTORS)
    count = len(d) // size
    if count < 2:
        cut(d, rng)
        return
    first, second = sorted(rng.sample(range(count), 2))
    one = d.between(first * size, first * size + size)
    other = d.between(second * size, second * size + size)
    d.replace(second * size, second * size + size, one)
    d.replace(first * size, first * size + size, other)


def several(d, rng):
    """Two damages of those before this one."""
    for kind in rng.choices(ONCE, k=2):
        if len(d) > 1:
            kind(d, rng)


def dropped(d, rng):
    """Single bytes near each other are gone."""
    near = rng.randrange(len(d))
    for _ in range(rng.choice((1, 2, 2, 3))):
        at = near + rng.randrange(100)
        if at < len(d) > 1:
            d.replace(at, at + 1)


def thinned(d, rng):
    """Of a stretch every 97th byte is gone."""
    start = rng.randrange(len(d))
    for at in range(start, min(start + 3000, len(d) - 1), 96):
        d.replace(at, at + 1)


def nibbles(d, rng):
    """In a stretch the halves of each byte took each other's place."""
    start = rng.randrange(len(d))
    d.overwrite(start, bytes(byte >> 4 | byte << 4 & 0xf0
                             for byte in d.raw()[start:start + 1000]))


def newlines(d, rng):
    """A carriage return is before each newline, in a part or everywhere."""
    raw, start, end = d.raw(), 0, len(d)
    if end > LONG or rng.randrange(2):
        start = rng.randrange(end)
        end = rng.randrange(start, min(start + LONG, end)) + 1
    for at in reversed(range(start, end)):
        if raw[at] == 0x0a:
            d.replace(at, at, [alien(b'\r')])


ONCE = (cut, zero_tail, after, before, sector, patch, flip, removed,
        inserted, doubled, moved, swapped)
KINDS = *ONCE, several, dropped, thinned, nibbles, newlines


def stale(d, rng):
    """A cluster of an earlier log, of the same place or of another one."""
    size = 4096 if len(d) > 16000 else 512
    start = rng.randrange(len(d)) // size * size
    at = rng.choice((start, rng.randrange(len(d.older)) // size * size))
    d.overwrite(start, d.older[at:at + size * rng.choice((1, 1, 2))])


def packets(d, rng):
    """Packets of a download are missing: as zeros, or what follows is shifted."""
    size, gone = rng.choice((90, 90, 249)), rng.randrange(2)
    for _ in range(rng.choice((1, 2, 4))):
        start = rng.randrange(len(d)) // size * size
        end = min(start + size * rng.choice((1, 1, 3)), len(d))
        if not gone:
            d.overwrite(start, bytes(end - start))
        elif end - start < len(d):
            d.replace(start, end)


def retry(d, rng):
    """A download went on at an earlier place."""
    end = rng.randrange(1, len(d))
    start = max(0, end - int(2 ** rng.uniform(6, 14)))
    d.replace(end, end, d.between(start, end))


DOWNLOADS = stale, packets, retry

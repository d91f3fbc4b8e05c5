"""Ways in which a CARLA recorder log gets damaged.

    damage(raw, rng) -> Damaged, of which safe(start, end) tells what is left
"""

import struct
from dataclasses import dataclass, field

import carla_reader
import carla_writer


@dataclass
class Damaged:
    """A damaged log."""
    raw: bytes
    lost: list = field(default_factory=list)  # (start, end) in the original,
    #   bytes that are gone or others
    mended: bool = False  # the whole log can be had again
    blind: bool = False  # payload may have been hit, which nobody can see

    wild: bool = False  # nobody can say what should come back

    def safe(self, start, end):
        """Whether bytes of the original are there, in a row."""
        return not any(a < end and start < max(b, a + 1)
                       for a, b in self.lost)


def cut(raw, rng):
    """The file ends early."""
    at = rng.randrange(30, len(raw))
    return Damaged(raw[:at], [(at, len(raw))])


def zero_tail(raw, rng):
    """... and was made longer before the data landed."""
    at = rng.randrange(30, len(raw))
    rest = bytes(rng.choice((1, 7, 100, 4096, 100000)))
    n = len(raw[:at].rstrip(b"\0"))
    new = raw[:at] + rest
    same = n
    while same < min(len(raw), len(new)) and raw[same] == new[same]:
        same += 1
    return Damaged(new, [(same, len(raw))] if same < len(raw) else [],
                   same == len(raw))


def cut_between(raw, rng):
    """The file ends where a frame does, or in zeros from there on."""
    at = rng.choice(carla_reader.read(raw, gaps=False).frames[:-1]).end
    zeros = rng.choice((0, 0, 512 - at % 512, 4096, len(raw) - at))
    return Damaged(raw[:at] + bytes(zeros), [(at, len(raw))])


def zeros_behind(raw, rng):
    """All is there, and zeros."""
    return Damaged(raw + bytes(rng.randrange(1, 9000)), [], True)


def garbage_behind(raw, rng):
    """All is there, and bytes that mean nothing."""
    tail = rng.choice((b"\xff" * 5000, carla_writer.noise(rng, 777),
                       b"\x07" * 3))
    return Damaged(raw + tail, [], True)


def garbage_tail(raw, rng):
    """The end is overwritten."""
    at = rng.randrange(30, len(raw))
    return Damaged(raw[:at] + carla_writer.noise(rng, len(raw) - at),
                   [(at, len(raw))])


def junk_front(raw, rng):
    """Something is before it, and the end of one in four is missing."""
    n = rng.choice((1, 7, 19, 512, 4096, rng.randrange(1, 9000)))
    new = rng.choice((carla_writer.noise(rng, n), bytes(n),
                      (b"HTTP/1.1 200 OK\r\n" * n)[:n]))
    if rng.random() < .75:
        return Damaged(new + raw, [], True)
    out = cut(raw, rng)
    out.raw = new + out.raw
    return out


def over(raw, at, new):
    """Bytes laid over others: where they differ."""
    hits = [at + i for i, byte in enumerate(new) if raw[at + i] != byte]
    out = Damaged(raw[:at] + new + raw[at + len(new):])
    if hits:
        out.lost = [(hits[0], hits[-1] + 1)]
    else:
        out.mended = True
    return out


def sector(raw, rng):
    """Zeros over a sector or a page."""
    size = rng.choice((512, 512, 1024, 4096))
    at = rng.randrange(0, len(raw)) // size * size
    return over(raw, at, bytes(min(size, len(raw) - at)))


def births(raw, rng):
    """Zeros or noise over a few of the actors that appear in a frame."""
    at, _, size = rng.choice([p for p in packets(raw) if p[1] == 2
                              and p[2] > 200])
    n = rng.randrange(1, size // 2)
    at += rng.randrange(size - n)
    out = over(raw, at, rng.choice((bytes(n), carla_writer.noise(rng, n))))
    out.blind = True
    return out


def actor(raw, rng):
    """Noise over 30 bytes of an actor that appears."""
    at, _, size = rng.choice([p for p in packets(raw) if p[1] == 2
                              and p[2] > 60])
    at += 7 + rng.randrange(size - 2 - 30)
    out = over(raw, at, carla_writer.noise(rng, 30))
    out.blind = True
    return out


def renamed(raw, rng):
    """The type of a packet that all frames have."""
    at, number, _ = rng.choice([p for p in packets(raw)
                                if p[1] in carla_reader.STEADY])
    wrong = rng.choice([i for i in (99, 26, 100, 0, 1, 250, 12, 19, 24,
                                    rng.randrange(256)) if i != number])
    return over(raw, at, bytes([wrong]))


def zero_head(raw, rng):
    """Zeros over the head of a packet; or the file ends in them."""
    at, _, size = rng.choice([p for p in packets(raw) if p[0] > 900])
    if rng.random() < .6:
        out = over(raw[:at + 5], at, bytes(5))
        out.lost = [(min([a for a, _ in out.lost] + [at + 5]), len(raw))]
        out.mended = False
        return out
    out = over(raw, at, bytes(5))
    out.blind = size == 0
    return out


def emptied(raw, rng):
    """Zeros over the count of a list and all or the first of its records."""
    at, _, size = rng.choice([p for p in packets(raw) if p[2] > 5
                              and p[1] in (3, 4, 5, 6, 7, 8, 9, 10, 11)])
    out = over(raw, at + 5, bytes(rng.choice((size, size // 2 + 2))))
    out.blind = out.mended  # they were zeros, except for the count
    return out


def noise(raw, rng):
    """Bytes that mean nothing over a stretch, and not over the header."""
    size = rng.randrange(40, 900)
    at = rng.randrange(34, len(raw))
    out = over(raw, at, carla_writer.noise(rng, min(size, len(raw) - at)))
    out.blind = True
    return out


def hole(raw, rng):
    """1 to 5 % cut out of the middle."""
    size = max(1, len(raw) * rng.randrange(10, 50) // 1000)
    at = rng.randrange(34, len(raw) - size)
    return Damaged(raw[:at] + raw[at + size:], [(at, at + size)])


def flip(raw, rng):
    """A bit that is another."""
    at = rng.randrange(34, len(raw))
    out = over(raw, at, bytes([raw[at] ^ 1 << rng.randrange(8)]))
    out.blind = True
    return out


def twice(raw, rng):
    """A stretch that is there twice."""
    size = rng.randrange(1, len(raw) // 10)
    at = rng.randrange(34, len(raw) - size)
    return Damaged(raw[:at + size] + raw[at:], [(at + size, at + size)])


def swapped(raw, rng):
    """Two stretches that are in each other's place."""
    a, b, c, d = sorted(rng.sample(range(34, len(raw)), 4))
    return Damaged(raw[:a] + raw[c:d] + raw[b:c] + raw[a:b] + raw[d:],
                   [(a, d)])


def born_twice(raw, rng):
    """A stretch inside the actors of the first frame that is there twice."""
    at, _, size = next(p for p in packets(raw) if p[1] == 2)
    start = at + 7 + rng.randrange(size - 2)
    n = rng.randrange(2, at + 7 + size - start)
    if rng.random() < .3:
        start, n = start // 512 * 512 or 34, 512
    return Damaged(raw[:start + n] + raw[start:], [(start + n, start + n)])


def packets(raw):
    """Where packets of a sound log are: (offset, id, bytes of its body)."""
    for frame in carla_reader.read(raw, gaps=False).frames:
        for number, at, after in frame.places():
            yield at, number, after - at - 5


def never_sized(raw, rng):
    """A list packet whose size was never filled in, inside the log."""
    all_ = [p for p in packets(raw) if p[1] not in (0, 1, 14, 18, 20)
            and p[1] <= 100 and p[2] > 2]
    kind = rng.choice(sorted({number for _, number, _ in all_}))
    at = rng.choice([at for at, number, _ in all_ if number == kind])
    return Damaged(raw[:at + 1] + bytes(4) + raw[at + 5:], [], True)


def vehicles(raw, rng):
    """A count of the parts of a vehicle."""
    for at, number, size in packets(raw):
        if number == 15:
            body = raw[at + 5:at + 5 + size]
            at += 5 + rng.choice(carla_reader.physics_counts(body))
            at += rng.choice((0, 0, 0, 1, 2, 3))
            return over(raw, at, bytes([raw[at] ^ 1 << rng.randrange(8)]))
    return cut(raw, rng)


def never_timed(raw, rng):
    """A frame whose duration was never filled in."""
    at = rng.choice([at for at, number, _ in packets(raw) if number == 0])
    return Damaged(raw[:at + 13] + struct.pack("<d", -1) + raw[at + 21:], [],
                   True)


def crash(raw, rng):
    """What a killed recorder leaves: the last frame without a duration, and a
    packet that has no size yet."""
    all_ = list(packets(raw))
    at, number, size = rng.choice([p for p in all_ if p[1] in (2, 3, 4, 8)
                                   and p[0] > all_[len(all_) // 3][0]])
    end = rng.randrange(at + 5, at + 6 + size)
    new = bytearray(raw[:at + 1] + bytes(4) + raw[at + 5:end])
    start = max(p for p, n, _ in all_ if n == 0 and p < at)
    last = max((p for p, n, _ in all_ if n == 0 and p < start), default=None)
    if last is not None and rng.random() < .5:
        new[last + 13:last + 21] = struct.pack("<d", -1)
    return Damaged(bytes(new), [(start, len(raw))])


def hit_start(raw, rng):
    """A byte of a FrameStart."""
    at = raw.find(b"\0\x18\0\0\0", rng.randrange(len(raw)))
    if at < 0 or at + 29 > len(raw):
        return Damaged(raw)
    at += 5 + rng.choice((0, 7, 8, 12, 15, 16, 20, 23))
    return Damaged(raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1:])


def several(raw, rng):
    """Many of these at once."""
    for _ in range(rng.randrange(2, 6)):
        damage = rng.choice((cut, zero_tail, garbage_behind, sector, noise,
                             hole, flip, twice, hit_start, hit_start))
        if len(raw) > 400:
            raw = damage(raw, rng).raw
    return Damaged(raw, [(0, len(raw))], wild=True)


CLASSES = (several, cut, cut_between, zero_tail, zeros_behind, garbage_behind,
           junk_front, garbage_tail, sector, births, actor, renamed,
           zero_head, emptied, noise, hole, flip, twice, swapped,
           never_sized, never_timed, vehicles, crash)

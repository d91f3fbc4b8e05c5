"""hostile.py - logs that want to do harm, and names that do.

    hostile.py OUT [COUNT]

Writes COUNT files (1,000) into the folder OUT, the same ones every time.
Their names, and the strings in them, are made to drive a terminal, to break
JSON, to leave a folder or to be taken for options; their numbers lie about
sizes, counts and places.  Every text that would begin a line of its own if it
were printed as it is begins that line with FORGED.
"""
import hashlib
import os
import pathlib
import random
import sys

from bddf_writer import Log, field, packed, reseal, stamp, varint
from make_testdata import garbage

SEED = 20261120
COUNT = 1000
NAME_MAX = 255  # bytes, as most file systems have it
FORGED = b"FORGED"
HUGE = (0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**56 - 1, 2**63 - 1,
        2**63, 2**64 - 41, 2**64 - 1)

TEXTS = (
    b"\n" + FORGED + b": BDDF 1.0.0  intact: 1 block",
    b"\r" + FORGED + b"\r\n" + FORGED,
    b"\x1b[2J\x1b[H", b"\x1b]0;title\x07", b"\x1b]52;c;cm0gLXJm\x07",
    b"\x1bP$q q\x1b\\", b"\x1b[6n", b"\x1b(0", b"\x9b31m", b"\xc2\x9b31m",
    b"\xc2\x85" + FORGED, b"\xe2\x80\xa8" + FORGED, b"\x0b\x0c" + FORGED,
    b"\x7f\x08\x08\x08", b"\x0e\x0f", b"\x00after a NUL",
    b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    b"\xf8\x88\x80\x80\x80", b"\xe2\x82", b"caf\xe9",
    b"\xe2\x80\xaefdbb.gol", b"\xe2\x81\xa6a\xe2\x81\xa9", b"\xd8\x9ca",
    b"\xe2\x80\x8fa\xe2\x80\x8e", b"\xef\xbb\xbfa\xe2\x80\x8b",
    b"\xf3\xa0\x81\x81", b"\xef\xbf\xb9a\xef\xbf\xbbb",
    b"\"},{\"type\":\"file\",\"state\":\"intact\"", b"\\", b"\\\"", b"\\u0000",
    b"'; touch pwned; '", b"$(touch pwned)", b"`touch pwned`", b"|touch pwned",
    b"%s%n%n%n", b"%99999999d", b"../../pwned", b"/pwned", b"..", b"~root",
    b"-rf", b"--force", b"--output=pwned", b"-o", b"--", b"-d", b"*", b"?[a]",
    b"<script>alert(1)</script>", b"nul\tnul", b" ", b"", b"a" * 5000,
    "\N{PILE OF POO}".encode() * 40, "e\N{COMBINING ACUTE ACCENT}".encode() * 99,
)




class Dice(random.Random):
    """Chance, and the texts of the file at hand: what is no UTF-8 would make
    most of it unreadable."""
    texts = TEXTS

    def next_file(self):
        """Choose them."""
        self.texts = TEXTS if self.random() < 0.2 else PROPER


def testdata(name):
    """A file of testdata/."""
    top = pathlib.Path(__file__).resolve().parent.parent.parent
    return (top / "testdata" / name).read_bytes()


def is_proper(some):
    """Whether it is UTF-8."""
    try:
        return some.decode() is not None
    except UnicodeDecodeError:
        return False


PROPER = tuple(filter(is_proper, TEXTS))


def text(rng):
    """A hostile text, or several in a row."""
    return b"".join(rng.choice(rng.texts)
                    for _ in range(rng.choice((1, 1, 2, 3))))


def name(rng, n):
    """A hostile name that no other file has; a NUL or a slash cannot be."""
    stem = text(rng).replace(b"\0", b"").replace(b"/", b"\\")
    tail = rng.choice((b".bddf", b".bddf", b"", b".", b".bag.active", b".part",
                       b".bddf\n", b" .bddf", b".\x1b[31mbddf", b".salvor"))
    # The number makes it single; hashed, so that no place is the same.
    mark = b"%03d" % n
    room = NAME_MAX - len(mark) - len(tail)
    # Half of them leave room for the names of outputs.
    room -= rng.choice((0, 40))
    return stem[:room] + mark + tail


def annotations(number, rng, n):
    """A map of hostile keys and values."""
    return b"".join(field(number, field(1, text(rng)) + field(2, text(rng)))
                    for _ in range(n))


def identifier(rng):
    """A SeriesIdentifier with hostile keys."""
    return field(1, text(rng)) + annotations(2, rng, rng.choice((0, 1, 2, 9)))


def nested(rng, depth):
    """Messages in messages, or groups in groups, in fields nobody knows."""
    if rng.random() < 0.5:
        return varint(15 << 3 | 3) * depth + varint(15 << 3 | 4) * depth
    out = b""
    for _ in range(depth):
        out = field(15, out)
    return out


def data_type(rng):
    """What a series holds, or says so."""
    return rng.choice((
        lambda: field(4, field(1, text(rng)) + field(2, text(rng))),
        lambda: field(5, field(1, rng.choice((0, 3, 10, 11, 2**31, 2**64 - 1)))
                      + packed(2, [rng.choice(HUGE) for _ in range(9)])),
        lambda: field(6, b"".join(
            field(1, field(1, text(rng)) + field(2, rng.choice(HUGE)))
            for _ in range(5))),
        lambda: b"",
        lambda: field(4, field(1, text(rng))) + field(5, field(1, 3)),
    ))()


class Hostile(Log):
    """A log whose texts are hostile."""

    def __init__(self, rng):
        kind = rng.random()
        super().__init__(grammar=kind < 0.1, type_last=kind > 0.05)
        self.rng = rng
        body = field(1, field(1, 1)) + annotations(2, rng, rng.choice((0, 2, 5)))
        del self.raw[4:]
        self.describe(1, body + field(3, self.checksum) + field(4, 20))

    def series_of(self, index):
        """Declare a series with hostile names."""
        rng, ident = self.rng, identifier(self.rng)
        made = rng.choice((rng.choice(HUGE), rng.getrandbits(64)))
        at = len(self.raw)
        self.describe(2, field(1, index) + field(2, ident) + field(3, made)
                      + data_type(rng) + annotations(7, rng, rng.choice((0, 1)))
                      + b"".join(field(8, text(rng))
                                 for _ in range(rng.choice((0, 0, 2))))
                      + field(9, text(rng)))
        self.series.setdefault(index, (ident, made, at))
        return self

    def fill(self, n, blocks):
        """n series and some blocks."""
        for index in range(n):
            self.series_of(index)
        for _ in range(blocks):
            self.data(self.rng.randrange(n), text(self.rng))
        return self


def plain(rng):
    """Hostile texts, sound or cut."""
    raw = Hostile(rng).fill(rng.choice((1, 2, 6)), rng.choice((0, 3, 20)))
    raw = raw.close(index=rng.random() < 0.8)
    return raw if rng.random() < 0.5 else raw[:rng.randrange(1, len(raw))]


def liar(rng):
    """Sizes and types that lie, in any block."""
    log, at = Hostile(rng).fill(2, 6), []
    for _ in range(rng.choice((1, 2, 5))):
        at.append(len(log.raw))
        kind, size = rng.choice(range(256)), rng.choice(HUGE) & 2**56 - 1
        sizes = rng.choice(HUGE) & 2**32 - 1
        log.block(rng.choice((0, 1, 2, kind)), size,
                  sizes.to_bytes(4, "little") + garbage(rng.randrange(60)))
        log.data(0, text(rng))
    return log.close(index=rng.random() < 0.5)


def index_liar(rng):
    """An index, or an end, whose numbers lie."""
    log = Hostile(rng).fill(2, 4)
    for entries in log.entries.values():
        entries += [field(1, field(1, rng.choice(HUGE)) + field(2, rng.choice(
            HUGE))) + field(2, rng.choice(HUGE)) + packed(3, HUGE[:3])
            for _ in range(rng.choice((1, 200)))]
    log.total = {0: rng.choice(HUGE), 1: rng.choice(HUGE)}
    if rng.random() < 0.3:
        log.series[1] = *log.series[1][:2], rng.choice(HUGE)
    raw = bytearray(log.close())
    if rng.random() < 0.5:
        raw[-32:-24] = rng.choice(HUGE).to_bytes(8, "little")
    return reseal(raw)


def deep(rng):
    """Deep nesting in the first block, a series or a DataDescriptor."""
    log, depth = Hostile(rng), rng.choice((100, 1000, 3000))
    more = nested(rng, depth)
    log.declare(0, "deep", more=more if rng.random() < 0.5 else b"")
    log.data(0, b"x", descriptor=field(2, stamp(1)) + nested(rng, depth))
    return log.data(0, b"y").close(index=rng.random() < 0.7)


def counts(rng):
    """A great many of something, or numbers that say so."""
    log = Hostile(rng)
    kind = rng.randrange(5)
    if kind == 0:
        log.declare(0, "many", more=annotations(7, rng, 3000))
    elif kind == 1:
        for index in range(900):
            log.declare(index, f"s{index}")
    elif kind == 2:
        log.declare(0, "far").declare(rng.choice(HUGE), "far", listed=False)
    elif kind == 3:
        log.declare(0, "names", ["i"] * 2000)
    else:
        log.declare(0, "wide", more=field(5, field(1, 3) + packed(
            2, [2**32 - 1] * 4000)))
    log.data(0, b"x", [rng.choice(HUGE) for _ in range(2000)])
    log.data(rng.choice(HUGE), text(rng)).data(0, b"y")
    log.entries = {0: log.entries[0]}
    return log.close(index=rng.random() < 0.7)


def times(rng):
    """Times that no calendar has."""
    log = Hostile(rng).fill(1, 1)
    for _ in range(5):
        log.data(0, b"x", descriptor=field(2, field(1, rng.choice(HUGE))
                                           + field(2, rng.choice(HUGE))))
    return log.close()


def mutated(rng):
    """Any of the others, with bytes changed, moved or doubled."""
    raw = bytearray(rng.choice((plain, liar, index_liar, times))(rng))
    for _ in range(rng.choice((1, 3, 20))):
        at, n = rng.randrange(len(raw)), rng.randrange(1, 40)
        other = rng.randrange(len(raw))
        piece = bytes(raw[other:other + n])
        what = rng.randrange(4)
        if what == 0:
            raw[at] = rng.randrange(256)
        elif what == 1:
            raw[at:at + len(piece)] = piece
        elif what == 2:
            raw[at:at] = piece
        else:
            raw[at:at + n] = rng.choice(HUGE).to_bytes(8, "little")
    return bytes(raw)


def alien(rng):
    """No log at all."""
    return rng.choice((b"", text(rng), b"BDDF" + text(rng), garbage(99),
                       text(rng) * 20, b"BDDF", bytes(600)))


# ---- many of a kind, each of which asks about all others -------------------


def tick(n):
    """The Timestamp of block n, a millisecond from the next."""
    return field(1, 1700001000 + n // 1000) + field(2, n % 1000 * 10**6 + 1)


class Crowd(Log):
    """A log of many small blocks, whose digest says nothing."""

    def names(self, n):
        """Declare n series."""
        for index in range(n):
            self.declare(index, f"s{index}")
        return self

    def put(self, index, n, payload=b"x", extras=()):
        """Append block n."""
        at, time = len(self.raw), tick(n)
        self.data(index, payload, descriptor=field(1, index) + field(2, time)
                  + packed(3, extras))
        self.entries[index][-1] = (field(1, time) + field(2, at)
                                   + packed(3, extras))
        return self

    def done(self):
        """The log; a bit of its digest is wrong, and so are others."""
        raw = bytearray(self.close())
        raw[-20:-4] = bytes(16)
        return bytes(raw)


def unnamed(n):
    """Blocks of two series in turn, of which no index knows."""
    log = Crowd().names(2)
    for k in range(n):
        log.put(k % 2, k)
    log.entries = {}
    return log.done()


def indexed_often(n):
    """An index after every block."""
    log = Crowd().names(1)
    for k in range(n):
        log.put(0, k).describe(3, field(2, log.series[0][2]))
    return log.done()


def inside(n):
    """A block in the one block of each series, and an index of both."""
    log = Crowd().names(n)
    for k in range(n):
        inner = Crowd().put(k, 2 * k + 1, b"yy").raw[len(Crowd().raw):]
        log.put(k, 2 * k, b"x" + inner)
        log.entries[k].append(field(1, tick(2 * k + 1))
                              + field(2, len(log.raw) - len(inner)))
    return log.done()


def plain_blocks(n):
    """Blocks of one series, of a log that was never closed."""
    log = Crowd().names(1)
    for k in range(n):
        log.put(0, k)
    return bytes(log.raw)


def many_series(n):
    """Series of which few have a block, in a log that was never closed."""
    log = Crowd().names(n)
    for k in range(0, n, 50):
        log.put(k, k)
    return bytes(log.raw)


def junk_between(n):
    """A byte too many after every third block."""
    log = Crowd().names(2)
    for k in range(n):
        log.put(k % 2, k)
        log.raw += b"\x55" * (k % 3 == 2)
    return bytes(log.close())


def swallowing(n):
    """Heads after a byte too many, of sizes that end where some of the blocks after
    them do."""
    log, tail = Crowd().names(1), Crowd()
    ends = []
    for k in range(n):
        ends.append(len(tail.put(0, n + k).raw) - len(Crowd().raw))
    heads = [field(1, 0) + field(2, tick(k)) for k in range(n)]
    left = sum(13 + len(head) for head in heads)
    for head, end in zip(heads, reversed(ends)):
        log.raw += b"\x55"
        left -= 13 + len(head)
        log.block(0, len(head) + left + end,
                  len(head).to_bytes(4, "little") + head)
    return bytes(log.raw) + bytes(tail.raw[len(Crowd().raw):])


def torn_index(n):
    """Blocks with an additional index, and an index of which one byte is wrong."""
    log = Crowd().declare(0, "s", ["i"])
    for k in range(n):
        log.put(0, k, extras=(k,))
    at = len(log.raw) + 20
    raw = bytearray(log.done())
    raw[at] ^= 0x55
    return bytes(raw)


def long_identifier(n):
    """A series of which an identifier has so many names, which are not in order."""
    names = b"".join(field(2, field(1, "k%d" % (k * 7919 % n)) + field(2, "v"))
                     for k in range(n))
    log = Crowd().names(1)
    log.describe(2, field(1, 1) + field(2, field(1, "v") + names) + field(3, 77))
    return bytes(log.put(0, 1).raw)


def many_fields(n):
    """A series with so many fields in its blocks."""
    fields = b"".join(field(1, field(1, "f%d" % k) + field(2, 4 * k))
                      for k in range(n))
    log = Crowd().declare(0, "s", kind=field(6, fields))
    return bytes(log.put(0, 1, bytes(4 * n)).raw)


def logs_in_turn(n):
    """In a log, so often the beginnings of two other ones, of which the first is torn,
    with a declaration of the log between them."""
    raw = testdata("bddf/bad-end-offset.bddf")
    first, declared = raw[:70], raw[369:453]
    torn = first[:21] + bytes(4) + first[25:]
    return raw[:453] + first[4:] + (torn + declared + first) * n


def ordered_keys(n):
    """Series with two keys; the index is lost, and orders of the keys are tried."""
    log = Crowd()
    for k in range(n):
        words = ["%s%d" % (key, k) for key in "ab"]
        made = hashlib.sha1("va{}b{}".format(*words).encode()).digest()[:8]
        idents = [field(1, "v") + b"".join(
            field(2, field(1, word[0]) + field(2, word)) for word in order)
                  for order in (words, words[::-1])]
        log.series[k] = idents[0], int.from_bytes(made, "big"), len(log.raw)
        log.describe(2, field(1, k) + field(2, idents[1])
                     + field(3, log.series[k][1])
                     + field(4, field(1, "text/plain") + field(2, "note")))
        log.put(k, k)
    raw = bytearray(log.close())
    index = int.from_bytes(raw[-32:-24], "little") + 8
    raw[index:index + 32] = bytes(32)
    return bytes(raw)


def unknown_descriptors(n):
    """As many series as descriptors of a kind that is not known, and no end."""
    log = Crowd().names(n)
    for k in range(n):
        log.block(1, 12, field(9, b"x" * 10)).put(k, k)
    return bytes(log.raw)


def odd_hashes(n):
    """Declarations with long identifiers of which no bit makes the hash right."""
    log = Crowd().names(2)
    for k in range(2, n + 2):
        log.put(0, k).declare(k, "x" * 700, made=12345)
    return bytes(log.raw)


def values_again(n):
    """Declarations with an annotation that has a long key, and a value often."""
    log = Crowd()
    for k in range(n):
        entry = field(1, b"k" * 65536) + field(2, b"v") * 4000
        log.declare(k, f"s{k}", more=field(7, entry)).put(k, k)
    return log.close()


def series_to_fill(n):
    """Two recordings that declare all series alike; what the first one has ends early."""
    log = Crowd().names(n).put(0, 0)
    more = Crowd().names(n).put(0, 0).put(n - 1, 1)
    return bytes(log.raw), more.done(), "fill"


def gaps_to_fill(n):
    """A byte too many after every third block, seconds apart, and a log without them."""
    log, more = Crowd().names(2), Crowd().names(2)
    for k in range(n):
        if k % 3 == 2:
            log.raw += b"\x55"
        else:
            log.put(k % 2, 2000 * k)
        more.put(k % 2, 2000 * k)
    return bytes(log.close()), more.done(), "fill"


CROWDS = ((unnamed, 25000), (indexed_often, 5000), (inside, 2000),
          (plain_blocks, 30000), (many_series, 8000), (junk_between, 20000),
          (swallowing, 4000), (torn_index, 12000), (long_identifier, 20000),
          (many_fields, 20000), (ordered_keys, 6000), (logs_in_turn, 1000),
          (unknown_descriptors, 5000), (odd_hashes, 100), (values_again, 1))

# Each with another recording of the same time.
FILLED = ((series_to_fill, 12000), (gaps_to_fill, 12000))

KINDS = (plain, plain, liar, index_liar, deep, counts, times, mutated, mutated,
         alien)


def files(count=COUNT):
    """Every file: (name, bytes)."""
    rng = Dice(SEED)
    for n in range(count):
        rng.texts = TEXTS
        called = name(rng, n)
        rng.next_file()
        yield called, KINDS[n % len(KINDS)](rng)


def main():
    """Write the files."""
    out = os.fsencode(sys.argv[1])
    for called, raw in files(*map(int, sys.argv[2:3])):
        pathlib.Path(os.fsdecode(os.path.join(out, called))).write_bytes(raw)


if __name__ == "__main__":
    main()

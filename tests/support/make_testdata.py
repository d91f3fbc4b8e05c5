#!/usr/bin/python3
"""Makes the damaged and odd BDDF logs in testdata/bddf, and their README.

    make_testdata.py [OUT]

Reads testdata/bddf: the good-* logs that the vendor's own SDK wrote, and
expect.txt; writes everything else there, or into the folder OUT.  The same
input gives the same bytes.  Shares nothing with salvor or bddf_reader.py.
"""

import hashlib
import pathlib

import corpus
from aliens import aliens
from bddf_writer import (NONE, Log, field, listed_oddly, paged, reseal, small,
                         stamp)

HOME = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "bddf"
SECTOR = 512

# ---- damage ---------------------------------------------------------------


def flip(raw, *places):
    """The same with bits changed, each place an offset and a mask."""
    raw = bytearray(raw)
    for at, mask in places:
        raw[at] ^= mask
    return bytes(raw)


def zero(raw, at, size):
    """The same with zeros at an offset."""
    return raw[:at] + bytes(size) + raw[at + size:]


def garbage(n):
    """n bytes that mean nothing."""
    made = (hashlib.sha1(b"%d" % i).digest() for i in range(n // 20 + 1))
    return b"".join(made)[:n]


def blocks(raw):
    """The offsets of all blocks of a good sdk+last log."""
    at, out = 4, []
    while at < len(raw):
        out.append(at)
        size, kind = int.from_bytes(raw[at:at + 7], "little"), raw[at + 7]
        at += size + (12, 8, 16)[kind]
    return out


# ---- the table ------------------------------------------------------------

# Each row: what file, what is wrong, the bytes.  In what is wrong, {n} is
# for the offset of block n of the file.


def torn(size):
    """A log whose last block ends with the file, its second sector zeros."""
    log = small()
    head = len(log.raw) + 12 + len(field(2, stamp(3)))
    return log.data(0, b"x" * (SECTOR - head) + bytes(size - SECTOR)).raw


def zeros_end(n):
    """A log without index whose last payload ends in n zeros, and filler."""
    return small().data(0, b"third" + bytes(n)).raw + bytes(200)


def false_marks(n):
    """A log without index, then n headers of blocks with no time that is one:
    each has all that follows it for an unknown field."""
    log = small()
    head = field(2, field(2, 10**9)) + b"\x7a"
    step = 12 + len(head) + 2
    for left in range(step * n - 12, 0, -step):
        inner = left - len(head) - 2
        log.block(0, left, left.to_bytes(4, "little") + head
                  + bytes([inner & 0x7f | 0x80, inner >> 7]))
    return log.raw


def notes(log, *texts):
    """The log with these blocks in turn of series 0 and 1."""
    for n, text in enumerate(texts):
        log.data(n % 2, text.encode())
    return log


def clocks(*shifts):
    """A log of two series, with four blocks at each of these shifts."""
    log = Log().declare(0, "a").declare(1, "b")
    for n, shift in enumerate(shifts):
        notes(log.clock(shift), *(f"{n} {word}" for word in (
            "north", "east", "south", "west")))
    return log


def both(log):
    """The log without index, and closed."""
    return bytes(log.raw), log.close()


def bent(raw, at, size=3):
    """The same with some bytes of garbage."""
    return raw[:at] + garbage(size) + raw[at + size:]


def times():
    """Clocks that are set, and blocks of another time."""
    year, week = 365 * 86400, 7 * 86400
    own = Log().declare(0, "a").declare(1, "uptime")
    for n in range(6):
        own.clock(0).data(0, b"a%d" % n).clock(-1700000000).data(1, b"u%d" % n)
    plain, whole = both(own)
    yield "odd-two-clocks", "nothing: series 1 counts from its start", whole
    yield "bad-two-clocks", "as odd-two-clocks, no index", plain
    plain, whole = both(clocks(0, year))
    at = blocks(whole)
    yield "odd-clock-step", f"the clock is set at {at[7]}", whole
    yield ("bad-clock-step", f"no index; garbage at {at[6] + 9}, and the clock "
           f"is set at {at[7]}", bent(plain, at[6] + 9))
    plain, whole = both(clocks(0, -week))
    yield ("bad-clock-back", f"no index; the clock is set back at "
           f"{blocks(whole)[7]}", plain)
    plain, whole = both(clocks(0, -1000))
    at = blocks(whole)
    yield ("bad-time-leap", f"no index; garbage at {at[6] + 9}, and from "
           f"{at[7]} on the time is 1000 seconds earlier",
           bent(plain, at[6] + 9))
    odd = clocks(0, 0).clock(-week).data(0, b"of last week")
    plain, whole = both(notes(odd.clock(0), "and", "of", "today"))
    at = blocks(whole)
    yield ("bad-time-far", f"no index; the time at {at[11]} is a week off",
           plain)
    yield ("odd-time-far", f"nothing: the time at {at[11]} is a week off, and "
           "the index has it", whole)
    at = blocks(clocks(0, 0).close())
    yield ("bad-time-bit", f"a bit of the time at {at[6]}; no end block",
           flip(clocks(0, 0).close()[:-40], (at[6] + 19, 8)))
    plain, whole = both(clocks(0, -week, 0))
    at = blocks(whole)
    yield ("bad-time-stale", f"no index; garbage at {at[6] + 9}; from {at[7]} "
           f"to {at[11]} blocks of the week before", bent(plain, at[6] + 9))
    whole, other = clocks(0, 0, 0).close(), Log().declare(0, "a").clock(-100)
    for word in "not", "of", "this", "log":
        other.data(0, word.encode())
    at, stale = blocks(whole), bytes(other.raw)[83:-5]
    yield ("bad-not-indexed", f"from {at[6] + 9} on {len(stale)} bytes of "
           "another log, 100 seconds older", whole[:at[6] + 9] + stale
           + whole[at[6] + 9 + len(stale):])
    newer, older = bytes(clocks(0, 0).raw), clocks().clock(-week)
    for n in range(20):
        older.data(0, b"%d of an older log" % n)
    seam = len(newer) - 9
    yield ("bad-written-over", f"written over an older log, which goes on at "
           f"{seam}", newer[:seam] + older.close()[seam:])
    plain, whole = both(clocks(0, 0, -week))
    at = blocks(whole)
    yield ("bad-time-tail", f"no index; garbage at {at[10] + 9}, then blocks "
           "of the week before", bent(plain, at[10] + 9))


def copies():
    """What is in a file twice."""
    plain, whole = both(clocks(0, 0, 0))
    at = blocks(whole)
    seam, back = at[9] + 20, at[5] + 7
    yield ("bad-repeated", f"the bytes from {back} to {seam} twice, the second "
           f"time at {seam}", whole[:seam] + whole[back:])
    yield ("bad-repeated-alone", "as bad-repeated, no index",
           plain[:seam] + plain[back:])
    yield ("bad-repeated-end", f"no index; from {seam} on the bytes from {back} "
           "again, to the end of the file",
           plain[:seam] + plain[back:at[8] + 9])
    twin = small()
    for _ in range(3):
        twin.count = 2
        twin.data(0, b"said again")
    yield ("bad-said-again", "no index; the last three blocks are alike, and "
           "the writer has written them so", bytes(twin.raw))
    older = notes(clocks(-7 * 86400), "and", "more", "of", "it").close()
    tail = older[blocks(older)[11]:]
    yield ("bad-end-amid", f"at {at[7]} the index and the end block of another "
           "log stand amid the blocks", whole[:at[7]] + tail + whole[at[7]:])


def carried():
    """A block that carries blocks of an older log, and its head is lost."""
    inner = notes(clocks(-400), *(f"{n} of another log" for n in range(6)))
    inner = bytes(inner.raw)
    log = notes(clocks(0), "one", "two", "three").declare(2, "download")
    for half in inner[200:330], inner[330:480]:
        at = len(log.raw)
        notes(log.data(2, half), "four", "five", "six")
    raw = bytes(log.raw)
    yield ("bad-carried", f"no index; 20 bytes at {at} overwritten, the head of "
           "a block that carries blocks of another log",
           raw[:at] + b"x" * 20 + raw[at + 20:])


def gap():
    """A log that declares series 1, and series 0 only in its index."""
    return Log().declare(0, "a", written=False).declare(1, "b")


def other_dialects():
    """Each dialect that the vendor's logs are not in, good and cut."""
    for name, grammar, type_last in (("sdk-first", False, False),
                                     ("grammar-last", True, True),
                                     ("grammar-first", True, False)):
        log = small(grammar=grammar, type_last=type_last)
        cut = len(log.raw) - 3
        raw = log.close()
        yield f"good-{name}", f"nothing; its dialect is {name}", raw
        yield f"bad-{name}-cut", f"cut at {cut}, in a payload", raw[:cut]


def from_scratch():
    """The logs that need no good one."""
    none = small(checksum=NONE).close()
    inner = Log().declare(0, "inner").data(0, b"x").close()
    outer = small().data(0, inner).data(0, b"third").close()
    moved = small().declare(0, "a").data(0, b"third").close()
    odd_hash = Log().declare(0, "a", made=5).data(0, b"first")
    no_time = field(2, field(1, 5) + field(2, 10**9))
    strange = field(2, stamp(3)) + field(15, 1)
    plain = bytes(small().raw)
    second, third = blocks(small().close())[1:3]
    lenient = (field(1, 6) + field(2, stamp(3)) + field(1, 0, True)
               + field(3, 9, True))
    return (
        ("bad-magic-part", "only 3 bytes of the magic", b"BDD"),
        ("bad-magic-only", "only the magic", b"BDDF"),
        ("bad-zeros-torn-eof", "no index; zeros from 512 on in the last "
         "block, which ends with the file at 1500", torn(1500)),
        ("bad-zeros-own-eof", "as bad-zeros-torn-eof, to 900", torn(900)),
        ("bad-end-unsure", "no index; a payload that ends in 5 zeros, and 200 "
         "more", zeros_end(5)),
        ("bad-zeros-16", "as bad-end-unsure, with 16", zeros_end(16)),
        ("bad-false-marks", "no index; from 137 on 500 headers of no blocks",
         false_marks(500)),
        ("bad-index-none", "no index; the end block at {4} says so",
         small().close(index=False)),
        ("bad-index-unwritten", "the index at {4} lists a third block",
         small().data(0, b"third", written=False).close()),
        ("bad-series-again", "series 0 declared again at {4}, word for word",
         small().declare(0, "a").data(0, b"third").close()),
        ("bad-series-other", "series 0 declared again at {4}, as another",
         small().declare(0, "b").data(0, b"third").close()),
        ("bad-series-moved", "a bit of the series at {1}, which is declared "
         "again at {4}, behind data", moved, (blocks(moved)[1] + 8, 4)),
        ("bad-series-moved-alone", "as bad-series-moved, no index",
         moved[:blocks(moved)[5]], (blocks(moved)[1] + 8, 4)),
        ("bad-series-gap", "series 0 has a block at {3}, but no descriptor",
         gap().data(1, b"one").data(0, b"zero").close()),
        ("bad-series-gap-unused", "series 0 has neither block nor descriptor",
         gap().data(1, b"one").close()),
        ("bad-series-far", "series 70000 declared at {4} where 1 comes next",
         small().declare(70000, "far", listed=False).data(0, b"x").close()),
        ("bad-undeclared", "a block of series 5 of 1 at {4}",
         small().data(5, b"whose").data(0, b"third").close()),
        ("bad-no-descriptor", "the block at {4} has an empty descriptor",
         small().data(0, b"when", timed=False).data(0, b"third").close()),
        ("bad-nanos", "the block at {4} has nanos 1000000000",
         small().data(0, b"when", [], no_time).data(0, b"third").close()),
        ("bad-utf8", "the description of the series at {1} is not UTF-8",
         small(more=field(9, b"caf\xe9")).close()),
        ("bad-embedded-alone", "as bad-embedded, no index",
         outer[:blocks(outer)[6]], (blocks(outer)[4], 8)),
        ("bad-embedded", "a bit of the size of the block at {4}, whose "
         "payload is a log", outer, (blocks(outer)[4], 8)),
        ("bad-hash-odd-cut", "no index; the series at 22 has a wrong hash",
         bytes(odd_hash.raw)),
        ("bad-checksum-none-cut", "checksum NONE; cut 3 bytes into the index",
         none[:blocks(none)[4] + 3]),
        ("bad-digest-none", "checksum NONE; a bit of the digest, which is "
         "not zero then", none[:-24] + b"\x01" + none[-23:]),
        ("bad-first-late", "no index; the first two blocks changed places",
         plain[:4] + plain[second:third] + plain[4:second] + plain[third:]),
        ("odd-checksum-none", "checksum NONE", none),
        ("odd-zero-page", "checksum NONE; the block at {4} holds zeros, a "
         "page of them", paged(checksum=NONE).close()),
        ("odd-zero-page-sealed", "as odd-zero-page, with a digest",
         paged().close()),
        ("bad-zero-page-cut", "as odd-zero-page, cut behind its blocks",
         bytes(paged().raw)),
        ("odd-version", "version 1.2.3", small(version=(1, 2, 3)).close()),
        ("odd-identifier-hash", "as bad-hash-odd-cut, with an index",
         odd_hash.close()),
        ("odd-unknown-field", "the series at {1} has a field 15",
         small(more=field(15, 1)).close()),
        ("odd-unknown-field-data", "the block at {4} has a field 15",
         small().data(0, b"third", [], strange).close()),
        ("odd-unknown-field-first", "the first block has a field 15",
         Log(more=field(15, 1)).declare(0, "a").data(0, b"first").close()),
        ("odd-unknown-field-index", "the identifier in the FileIndex, at {5}, "
         "has a field 15", listed_oddly()),
        ("odd-unknown-member", "the descriptor block at {4} holds a member 9",
         small().describe(9, b"new").data(0, b"third").close()),
        ("odd-series-late", "series 0 declared at {3}, after series 1",
         Log().declare(1, "b").data(1, b"one").declare(0, "a")
         .data(0, b"zero").close()),
        ("odd-no-time", "the block at {5} has no timestamp",
         small().declare(1, "b").data(1, b"one", timed=False).close()),
        ("odd-extra-count", "the block at {4} has 2 additional indexes, not 1",
         small(["id"]).data(0, b"third", [1, 2]).close()),
        ("odd-lenient", "nothing: the block at {4} says its series twice and "
         "its additional indexes unpacked",
         small(["id"]).data(0, b"third", [9], lenient).close()),
        ("unsupported-major", "version 2.0.0", small(version=(2,)).close()),
        ("unsupported-checksum", "checksum type 7", small(checksum=7).close()),
        ("unsupported-size", "checksum of 16 bytes",
         small(checksum_size=16).close()),
        *other_dialects())


def cuts(tiny, at):
    """Tails that are missing."""
    index, end = at[15], at[19]
    for name, cut, where in (
            ("first-block", 40, "the first block"),
            ("series", 100, "the first series descriptor"),
            ("payload", at[11] + 62, "a payload"),
            ("header", at[11] + 4, "a block header"),
            ("descriptor", at[11] + 16, "a DataDescriptor"),
            ("between", at[12], "front of a block"),
            ("series-index", index + 56, "an index block"),
            ("file-index", at[18] + 93, "the FileIndex"),
            ("before-end", end, "front of the end block"),
            ("end-header", end + 4, "the header of the end block"),
            ("end-offset", end + 12, "the index offset"),
            ("digest-5", end + 21, "the digest: 5 bytes left"),
            ("digest-12", end + 28, "the digest: 12 bytes left"),
            ("end-magic", end + 38, "the end magic")):
        yield f"cut-{name}", f"cut at {cut}, in {where}", tiny[:cut]


def tails(tiny, at):
    """Tails that are something else, and tails too many."""
    index, end = at[15], at[19]
    for name, start, size, where in (
            ("between", at[12], 2028, "front of a block"),
            ("torn", at[11] + 62, 2000, "a payload"),
            ("sector", SECTOR, len(tiny), "a payload"),
            ("index", index + 56, 2048, "an index block"),
            ("end", end + 22, 3000, "the digest: 6 bytes left")):
        yield (f"zeros-{name}", f"zeros from {start} on, in {where}",
               tiny[:start] + bytes(size - start))
        if name in ("between", "torn", "index"):
            yield (f"garbage-{name}", f"garbage from {start} on, in {where}",
                   tiny[:start] + garbage(600))
    whole = Log().declare(0, "other").data(0, b"not ours").close()
    yield "junk", f"100 bytes of garbage at {end + 40}", tiny + garbage(100)
    yield "zeros-behind", f"1000 zeros at {end + 40}", tiny + bytes(1000)
    yield "log-behind", f"another log at {end + 40}", tiny + whole
    yield "log-behind-cut", f"a cut log at {end + 40}", tiny + whole[:60]
    yield "log-again", f"the same log once more at {end + 40}", tiny + tiny
    yield ("chain-behind", f"four blocks like those before at {end + 40}",
           tiny + tiny[at[4]:at[8]])
    yield "log-joined", f"a log at {at[14]}", tiny[:at[14]] + whole
    yield ("data-behind-index", f"a data block at {end}, behind the FileIndex",
           reseal(tiny[:end] + tiny[at[5]:at[6]] + tiny[end:]))


def flips(tiny, at):
    """Single wrong bits, and a few more."""
    body, index, end = at[10], at[15], at[19]
    marks = {"hash": tiny.index(b"\x18\xc1\xf4", at[2]) + 2,
             "name": tiny.index(b"camera", at[2]),
             "entry": tiny.index(b"\x10\xec\x07", index) + 1,
             "own": tiny.index(b"\xc1\xf4\xb0", at[18]) + 1}
    for name, what, place, mask in (
            ("magic", "the magic", 0, 4),
            ("first-block", "a tag in the first block", 12, 4),
            ("series-hash", "a series' identifier_hash", marks["hash"], 1),
            ("identifier", "a series' identifier", marks["name"], 2),
            ("data-size", "a data block's size", body, 16),
            ("data-size-huge", "a data block's size", body + 5, 16),
            ("data-type", "a data block's type", body + 7, 64),
            ("descriptor-size", "a data block's descriptor-size", body + 9, 1),
            ("descriptor", "a DataDescriptor's first tag", body + 12, 4),
            ("payload", "a payload", body + 100, 1),
            ("index-series", "an entry of an index block", marks["entry"], 1),
            ("index-tag", "the tag of an index block", index + 8, 4),
            ("index-size", "the size of an index block", index, 1),
            ("index-type", "the type of an index block", index + 7, 64),
            ("index-odd", "spare, in a long number of an index", index + 54, 2),
            ("index-member", "the tag of an index block", index + 8, 32),
            ("index-file", "a hash in the FileIndex", marks["own"], 1),
            ("end-size", "the size of the end block", end, 1),
            ("end-type", "the type of the end block", end + 7, 1),
            ("end-offset", "the index offset", end + 8, 1),
            ("digest-bit", "the digest", end + 20, 1),
            ("end-magic-bit", "the end magic", end + 37, 1)):
        yield name, f"a bit of byte {place}, {what}", flip(tiny, (place, mask))
    for name, what, place, mask in (
            ("first-block", "a tag in the first block", 12, 4),
            ("first-bit", "the bytes of a checksum in the first block", 69, 2),
            ("data-size", "a data block's size", body, 16),
            ("data-type", "a data block's type", body + 7, 64),
            ("descriptor", "a DataDescriptor's first tag", body + 12, 4)):
        yield (f"{name}-alone", f"no index; a bit of byte {place}, {what}",
               flip(tiny[:at[14]], (place, mask)))
    yield ("series-type", f"a bit of byte {at[2] + 100}, in a series "
           "descriptor", flip(tiny, (at[2] + 100, 8)))
    yield ("index-and-payload", f"a bit of byte {marks['entry']}, an entry of "
           f"an index block, and of {body + 100}, a payload",
           flip(tiny, (marks["entry"], 1), (body + 100, 1)))
    yield ("index-nowhere", f"the index offset at {end + 8} is 0, the digest "
           "is right", reseal(zero(tiny, end + 8, 8)))
    for name, start, size, where in (
            ("digest-gone", end + 16, 20, "the digest"),
            ("hole", body - 10, 60, "where two blocks meet"),
            ("series-lost", at[1], at[2] - at[1], "a series descriptor")):
        yield name, f"{size} zeros at {start}, {where}", zero(tiny, start, size)


def all_files():
    """Every file to write: (name, what is wrong, how it was made, bytes)."""
    tiny, patrol, lonely = ((HOME / f"good-{name}.bddf").read_bytes()
                            for name in ("tiny", "patrol", "no-series"))
    for name, wrong, raw, *bits in from_scratch():
        if "{" in wrong:
            wrong = wrong.format(*blocks(raw))
        yield name, wrong, "written from scratch", flip(raw, *bits)
    for family in times, copies, carried:
        for name, wrong, raw in family():
            if "{" in wrong:
                wrong = wrong.format(*blocks(raw))
            yield name, wrong, "written from scratch", raw
    for family in cuts, tails, flips:
        for name, wrong, raw in family(tiny, blocks(tiny)):
            yield f"bad-{name}", wrong, "from good-tiny", raw
    for name, what, raw in aliens(tiny):
        yield f"alien-{name}", what, "written from scratch", raw
    at = next(n for n in blocks(patrol) if n > 300000) - 1000
    yield ("bad-cut-patrol", f"cut at {at}, in a payload", "from good-patrol",
           patrol[:at])
    yield ("bad-cut-no-series", "cut at 22; no series was declared",
           "from good-no-series", lonely[:22])


HEAD = """# BDDF logs to test with

Sound ones (`good-*`), sound ones with something to note (`odd-*`), damaged
ones (`bad-*`), one kind that salvor leaves alone (`unsupported-*`), and files
that are no BDDF at all (`alien-*`).

`tests/support/make_testdata.py` made all but those that it is made from, and
this page.  `expect.txt` says what `salvor verify` and `salvor repair` answer,
and `tests/checks/verdicts/check_testdata.sh` asks them.

| file | what is wrong | how it was made | verify | repair | problems |
|---|---|---|---|---|---|
"""


def main():
    """Write all files and the README."""
    corpus.write(HOME, "bddf", all_files(), HEAD,
                 lambda name: ("nothing", "by the vendor's SDK"))


if __name__ == "__main__":
    main()

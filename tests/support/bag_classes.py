"""The ways in which bags are damaged, each by a function of the original (as
the strict reader has it) and dice.  Three kinds of them: what an interruption
leaves, a hit somewhere, and a hit in a place that matters.
"""

import struct

from bag_damage import HEAD_END, Damaged

MAGIC_LEN = 13
PAGE = 4096


def blank_head():
    """The bag header of a bag that was never closed."""
    out = b""
    for name, value in (("chunk_count", bytes(4)), ("conn_count", bytes(4)),
                        ("index_pos", bytes(8)), ("op", b"\x03")):
        text = name.encode() + b"=" + value
        out += struct.pack("<I", len(text)) + text
    pad = PAGE - len(out)
    return (struct.pack("<I", len(out)) + out + struct.pack("<I", pad)
            + b" " * pad)


def active(bag, end=None):
    """The bag as its recorder had it on the disk before it closed it."""
    made = Damaged(bag.raw).cut(bag.index_pos if end is None else end)
    return made.overwrite(MAGIC_LEN, blank_head()[:max(
        0, len(made) - MAGIC_LEN)])


def blank_chunk(made, bag, chunk):
    """Let both lengths of a chunk be what they are until it is closed."""
    head = bag.raw[chunk.at:chunk.data_at]
    at = head.find(b"size=")
    for place in chunk.at + at + 5, chunk.data_at - 4:
        if place < len(made):
            made.overwrite(place, bytes(min(4, len(made) - place)))
    return made


def some(dice, bag):
    """A chunk between the others, where there are so many."""
    chunks = bag.chunks[1:-1] or bag.chunks
    return dice.choice(chunks)


def indexes_end(chunk):
    """Where the index records of a chunk end."""
    return chunk.indexes[-1][1]


def flip(made, dice, start, end):
    """One byte of a range becomes another."""
    at = dice.randrange(start, end)
    was = made.part(at, at + 1)[0].raw[0]
    return made.overwrite(at, bytes([was ^ dice.randrange(1, 256)]))


# ---- what an interruption leaves -------------------------------------------


def trunc(bag, dice):
    """A copy that broke off."""
    return Damaged(bag.raw).cut(dice.randrange(len(bag.raw)))


def active_cut(bag, dice):
    """Never closed, and cut anywhere."""
    return active(bag, dice.randrange(HEAD_END, bag.index_pos))


def open_chunk(bag, dice):
    """Never closed, and the chunk that the cut is in does not know its
    lengths."""
    end = dice.randrange(HEAD_END, bag.index_pos)
    made = active(bag, end)
    for chunk in bag.chunks:
        if chunk.data_at <= end < chunk.end:
            blank_chunk(made, bag, chunk)
    return made


def unclosed(bag, _):
    """Never closed: all data is there, the index of the last chunk is not."""
    last = bag.chunks[-1]
    return blank_chunk(active(bag, last.end), bag, last)


def unindexed(bag, _):
    """Never closed, between two chunks."""
    return active(bag)


def tail_length(bag, dice, end):
    """Bytes that follow a cut: up to the old size, or a few."""
    if dice.random() < .5:
        return len(bag.raw) - end
    return dice.randrange(1, 1 << dice.randrange(4, 17))


def zero_tail(bag, dice):
    """Cut, and zeros after."""
    end = dice.randrange(HEAD_END, len(bag.raw))
    return Damaged(bag.raw).cut(end).insert(
        end, bytes(tail_length(bag, dice, end)))


def garbage_tail(bag, dice):
    """Cut, and anything after."""
    end = dice.randrange(HEAD_END, len(bag.raw))
    return Damaged(bag.raw).cut(end).insert(
        end, dice.randbytes(tail_length(bag, dice, end)))


def cut_in_index(bag, dice):
    """Never closed, cut in the last index records."""
    last = bag.chunks[-1]
    return active(bag, dice.randrange(last.end, indexes_end(last)))


def cut_in_connections(bag, dice):
    """Cut in the connections after the chunks."""
    return Damaged(bag.raw).cut(
        dice.randrange(bag.index_pos + 1, bag.tail[-1][1]))


def cut_in_infos(bag, dice):
    """Cut in the chunk infos."""
    return Damaged(bag.raw).cut(
        dice.randrange(bag.infos[0][0], len(bag.raw)))


def cut_at_index(bag, _):
    """Cut where the connections begin."""
    return Damaged(bag.raw).cut(bag.index_pos)


# ---- a hit somewhere --------------------------------------------------------


def flip_any(bag, dice):
    """One byte is another."""
    return flip(Damaged(bag.raw), dice, 0, len(bag.raw))


def window(bag, dice):
    """Where a page is hit: any place, or where a page of a disk begins."""
    at = dice.randrange(max(1, len(bag.raw) - PAGE))
    return at - at % PAGE if dice.random() < .5 else at


def zero_page(bag, dice):
    """4 KiB of zeros."""
    return Damaged(bag.raw).overwrite(window(bag, dice), bytes(PAGE))


def random_page(bag, dice):
    """4 KiB of anything."""
    return Damaged(bag.raw).overwrite(window(bag, dice), dice.randbytes(PAGE))


def cut_out(bag, dice):
    """One part in a hundred is missing."""
    size = len(bag.raw) // 100
    at = dice.randrange(len(bag.raw) - size)
    return Damaged(bag.raw).remove(at, at + size)


def inserted(bag, dice):
    """1000 bytes too many."""
    return Damaged(bag.raw).insert(dice.randrange(len(bag.raw)),
                                   dice.randbytes(1000))


def doubled(bag, dice):
    """A stretch is there twice."""
    start = dice.randrange(HEAD_END, bag.index_pos - 1)
    size = 1 << dice.randrange(6, max(7, len(bag.raw).bit_length() - 2))
    return Damaged(bag.raw).repeat(start, min(start + size, bag.index_pos))


def doubled_chunk(bag, dice):
    """A chunk and its index stand there twice."""
    chunk = some(dice, bag)
    return Damaged(bag.raw).repeat(chunk.at, indexes_end(chunk))


def some_range(dice, length):
    """1 byte to 1 MiB; of a disk or a transfer it is a number of sectors, and
    begins with one."""
    unit = dice.choice((1, 1, 512, PAGE))
    size = max(1, (1 << dice.randrange(21)) * dice.randrange(64, 128) // 127
               // unit) * unit
    start = dice.randrange(MAGIC_LEN, length - 1) // unit * unit
    return start, min(start + size, length)


def repeated(bag, dice):
    """A range is followed by itself."""
    return Damaged(bag.raw).repeat(*some_range(dice, len(bag.raw)))


def boundaries(bag):
    """Where records begin in the file."""
    out = []
    for chunk in bag.chunks:
        out.append(chunk.at)
        if chunk.compression == "none":
            out.extend(chunk.data_at + m.at for m in chunk.messages)
        out.extend(start for start, *_ in chunk.indexes)
    return out + [r[0] for r in bag.tail] + [r[0] for r in bag.infos]


def whole_records(bag, dice):
    """Where some records begin, in chunks and between them, and the next one.
    Not of one: a single message may have been recorded twice."""
    places = boundaries(bag)
    first = dice.randrange(len(places) - 2)
    last = min(len(places) - 1, first + (1 << dice.randrange(1, 9)))
    return places[first], places[last]


def repeated_records(bag, dice):
    """Whole records are followed by themselves."""
    return Damaged(bag.raw).repeat(*whole_records(bag, dice))


def repeated_unclosed(bag, dice):
    """The same of a bag that was never closed, and may be cut, too."""
    made = active(bag)
    start, end = whole_records(bag, dice) if dice.random() < .5 else \
        some_range(dice, len(made))
    made.repeat(start, min(end, len(made)))
    return made.cut(dice.randrange(HEAD_END, len(made))) \
        if dice.random() < .3 else made


# ---- a hit in a place that matters ------------------------------------------


def flip_magic(bag, dice):
    """One byte of the magic or the bag header's own record."""
    return flip(Damaged(bag.raw), dice, 0, MAGIC_LEN + 77)


def zero_head(bag, _):
    """The page of the bag header is zero."""
    return Damaged(bag.raw).overwrite(0, bytes(PAGE))


def no_head(bag, _):
    """All before the first chunk is missing."""
    return Damaged(bag.raw).remove(0, HEAD_END)


def flip_chunk_header(bag, dice):
    """One byte of a chunk's header."""
    chunk = some(dice, bag)
    return flip(Damaged(bag.raw), dice, chunk.at, chunk.data_at)


def zero_chunk_header(bag, dice):
    """A chunk's header is zero."""
    chunk = some(dice, bag)
    return Damaged(bag.raw).overwrite(chunk.at,
                                      bytes(chunk.data_at - chunk.at))


def zero_chunk_page(bag, dice):
    """The page that a chunk begins in is zero."""
    at = some(dice, bag).at
    return Damaged(bag.raw).overwrite(at - at % PAGE, bytes(PAGE))


def stale_chunk_header(bag, dice):
    """A chunk's header still is what it was while the chunk was open."""
    return blank_chunk(Damaged(bag.raw), bag, some(dice, bag))


def flip_index_header(bag, dice):
    """One byte of the header of an index record."""
    start, _, _, data_at = dice.choice(some(dice, bag).indexes)
    return flip(Damaged(bag.raw), dice, start, data_at)


def flip_index(bag, dice):
    """One byte of what an index record says."""
    _, end, _, data_at = dice.choice(some(dice, bag).indexes)
    return flip(Damaged(bag.raw), dice, data_at, end)


def flip_times(bag, dice):
    """A byte of the time of several messages, each in its header or in the
    index of the chunk."""
    chunk, made = some(dice, bag), Damaged(bag.raw)
    places = {}
    for _, end, conn, data_at in chunk.indexes:
        for at in range(data_at, end, 12):
            places[struct.unpack_from("<I", bag.raw, at + 8)[0]] = at
    for m in dice.sample(chunk.messages, min(len(chunk.messages),
                                             dice.randrange(1, 6))):
        at = places[m.at]
        if dice.random() < .5:
            start = chunk.data_at + m.at
            at = bag.raw.index(b"time=", start) + 5
        flip(made, dice, at, at + 8)
    return made


def flip_tail(bag, dice):
    """One byte after the chunks."""
    return flip(Damaged(bag.raw), dice, bag.index_pos, len(bag.raw))


def flip_message_header(bag, dice):
    """One byte of the header of a message."""
    chunk = some(dice, bag)
    m = dice.choice(chunk.messages)
    start, end = chunk.data_at + m.at, chunk.data_at + m.end
    return flip(Damaged(bag.raw), dice, start, end - len(m.payload))


def flip_connection(bag, dice):
    """One byte of a connection in a chunk."""
    chunk = dice.choice([c for c in bag.chunks if c.connections])
    start, end, _ = dice.choice(chunk.connections)
    return flip(Damaged(bag.raw), dice, chunk.data_at + start,
                chunk.data_at + end)


def torn_connection(bag, dice):
    """Some bytes of a connection in a chunk are missing, or its length is
    another: the record seems to hold what follows it."""
    chunk = dice.choice([c for c in bag.chunks if c.connections])
    start, end, _ = dice.choice(chunk.connections)
    start, end = chunk.data_at + start, chunk.data_at + end
    if dice.random() < .5:
        at = dice.randrange(start, end)
        return Damaged(bag.raw).remove(
            at, min(end, at + (1 << dice.randrange(8))))
    head, = struct.unpack_from("<I", bag.raw, start)
    return flip(Damaged(bag.raw), dice, start + 4 + head, start + 7 + head)


def chunk_cut_out(bag, dice):
    """A chunk with its index is missing."""
    chunk = dice.choice(bag.chunks)
    end = indexes_end(chunk) if dice.random() < .7 else chunk.end
    return Damaged(bag.raw).remove(chunk.at, end)


def swapped_chunks(bag, dice):
    """Two chunks, with their indexes, stand in each other's place."""
    if len(bag.chunks) < 2:
        return unindexed(bag, dice)
    a, b = sorted(dice.sample(range(len(bag.chunks)), 2))
    a, b = bag.chunks[a], bag.chunks[b]
    made = Damaged(bag.raw)
    made.set(made.part(0, a.at) + made.part(b.at, indexes_end(b))
             + made.part(indexes_end(a), b.at)
             + made.part(a.at, indexes_end(a))
             + made.part(indexes_end(b), len(bag.raw)))
    return made


PLAIN = ("none",)
ALL = ("none", "bz2", "lz4")

# What part of all messages a repair may miss of what could be had.
TAIL, PLACE, HIT, FLIP = .002, .001, .005, .001

# (how much may be missed, the damage, compressions)
CLASSES = [
    (TAIL, trunc, ALL), (TAIL, active_cut, ALL), (TAIL, open_chunk, ALL),
    (TAIL, unclosed, ALL), (TAIL, unindexed, ALL), (TAIL, zero_tail, ALL),
    (TAIL, garbage_tail, ALL), (TAIL, cut_in_index, ALL),
    (FLIP, flip_any, ALL), (HIT, zero_page, ALL), (HIT, random_page, ALL),
    (HIT, cut_out, ALL), (HIT, inserted, ALL), (HIT, doubled, ALL),
    (HIT, doubled_chunk, ALL), (HIT, repeated, ALL),
    (HIT, repeated_records, ALL), (HIT, repeated_unclosed, ALL), (HIT, chunk_cut_out, ALL),
    (PLACE, swapped_chunks, ALL),
    (PLACE, cut_in_connections, ALL), (PLACE, cut_in_infos, ALL),
    (PLACE, cut_at_index, ALL), (PLACE, flip_magic, ALL),
    (PLACE, zero_head, ALL), (PLACE, no_head, ALL),
    (PLACE, flip_chunk_header, ALL), (PLACE, zero_chunk_header, ALL),
    (HIT, zero_chunk_page, ALL), (PLACE, stale_chunk_header, ALL),
    (PLACE, flip_index_header, ALL), (PLACE, flip_index, ALL),
    (PLACE, flip_tail, ALL), (HIT, flip_message_header, PLAIN),
    (PLACE, flip_times, PLAIN),
    (PLACE, flip_connection, PLAIN), (PLACE, torn_connection, PLAIN),
]

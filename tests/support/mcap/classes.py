"""The ways in which MCAP files are damaged: damage(good, dice) is a Damage of a
good file (judge.Original).  Three kinds of them: what an interruption leaves, a
hit somewhere, and a hit in a place that matters.
"""

import random_damage
from mcap import crash
from random_damage import Damage, alien

PAGE = 4096


def any_way(kind):
    """A way of random_damage.py."""
    def damage(good, dice):
        out = Damage(good.raw)
        kind(out, dice)
        return out
    damage.__name__ = kind.__name__
    return damage


def some_chunk(good, dice):
    """A chunk between the others, where there are so many; None: no chunks."""
    chunks = good.file.chunks
    return dice.choice(chunks[1:-1] or chunks) if chunks else None


def hit(good, dice, start, end):
    """One byte of a range becomes another."""
    at = dice.randrange(start, end)
    out = Damage(good.raw)
    out.overwrite(at, bytes([good.raw[at] ^ dice.randrange(1, 256)]))
    return out


def removed(good, start, end):
    """A range is gone."""
    out = Damage(good.raw)
    out.replace(start, end)
    return out


# ---- what an interruption leaves -------------------------------------------


def crashed(good, dice):
    """The writer was killed; see crash.py."""
    return crash.STATES[dice.choice(sorted(crash.STATES))](good, dice)


def garbage_tail(good, dice):
    """Cut, and anything follows."""
    at = dice.randrange(8, len(good.raw))
    out = removed(good, at, len(good.raw))
    out.replace(at, at, [alien(dice.randbytes(
        dice.choice((1, 30, 512, len(good.raw) - at))))])
    return out


def retried(good, dice):
    """A download that broke off, and all of the file after it."""
    out = Damage(good.raw)
    at = dice.randrange(9, len(good.raw))
    out.replace(0, 0, out.between(0, at))
    return out


def retried_all(good, _):
    """A whole file, and the same once more."""
    out = Damage(good.raw)
    out.replace(0, 0, out.between(0, len(good.raw)))
    return out


def summary_lost(good, dice):
    """All after the data, or any stretch of it."""
    end = good.file.data_end
    if dice.random() < .5:
        return removed(good, end + dice.choice((0, 13)), len(good.raw))
    out = Damage(good.raw)
    start = dice.randrange(end, len(good.raw))
    size = dice.randrange(1, len(good.raw) - start + 1)
    out.overwrite(start, dice.choice((bytes(size), dice.randbytes(size))))
    return out


# ---- a hit somewhere --------------------------------------------------------


def flip(good, dice):
    """One bit."""
    at = dice.randrange(len(good.raw))
    out = Damage(good.raw)
    out.overwrite(at, bytes([good.raw[at] ^ 1 << dice.randrange(8)]))
    return out


def zero_sector(good, dice):
    """A sector of zeros."""
    size = dice.choice((512, PAGE))
    at = dice.randrange(max(1, len(good.raw) - size)) // size * size
    out = Damage(good.raw)
    out.overwrite(at, bytes(size))
    return out


def written_over(good, dice):
    """1 to 4096 bytes are others."""
    size = int(2 ** dice.uniform(0, 12))
    out = Damage(good.raw)
    out.overwrite(dice.randrange(len(good.raw)), dice.choice(
        (bytes(size), b"\xff" * size, dice.randbytes(size))))
    return out


def cut_out(good, dice):
    """One part in a hundred is missing."""
    size = max(1, len(good.raw) // 100)
    at = dice.randrange(len(good.raw) - size)
    return removed(good, at, at + size)


# ---- a hit in a place that matters ------------------------------------------


def head_lost(good, dice):
    """The beginning is missing or zeros, up to the first chunk or into it."""
    first = good.file.records[0]
    at = dice.choice((8, first.start, dice.randrange(1, min(
        first.end, first.start + PAGE))))
    if dice.random() < .5:
        return removed(good, 0, at)
    out = Damage(good.raw)
    out.overwrite(0, bytes(at))
    return out


def in_header(good, dice):
    """One byte of the magic or of the header."""
    return hit(good, dice, 0, good.file.records[0].start)


def after_header(good, dice):
    """The first bytes after the header are overwritten."""
    at = good.file.records[0].start
    out = Damage(good.raw)
    out.overwrite(at, dice.randbytes(dice.randrange(9, 300)))
    return out


def in_chunk_head(good, dice):
    """One byte of a chunk before its data."""
    chunk = some_chunk(good, dice)
    return flip(good, dice) if chunk is None else hit(
        good, dice, chunk.start, chunk.data_at)


def chunk_head_lost(good, dice):
    """A chunk's head is zeros."""
    chunk = some_chunk(good, dice)
    if chunk is None:
        return flip(good, dice)
    out = Damage(good.raw)
    out.overwrite(chunk.start, bytes(chunk.data_at - chunk.start))
    return out


def in_index(good, dice):
    """One byte of a message index."""
    chunk = some_chunk(good, dice)
    if chunk is None or not chunk.indexes:
        return flip(good, dice)
    index = dice.choice(chunk.indexes)
    return hit(good, dice, index.start, index.end)


def indexes_lost(good, dice):
    """The message indexes of a chunk are missing."""
    chunk = some_chunk(good, dice)
    return flip(good, dice) if chunk is None else removed(
        good, chunk.end, chunk.stop)


def in_summary(good, dice):
    """One byte after the data."""
    return hit(good, dice, good.file.data_end, len(good.raw))


def in_message_head(good, dice):
    """One byte of the head of a message that is not compressed."""
    plain = [r for r in good.records if not r.where.chunk and r.needs]
    if not plain:
        return flip(good, dice)
    start, _ = dice.choice(plain).span
    return hit(good, dice, start, start + 31)


def in_declaration(good, dice):
    """One byte of a schema or a channel that is not compressed."""
    spans = [w.span for w in good.declared if not w.chunk]
    return hit(good, dice, *dice.choice(spans)) if spans else flip(good, dice)


def chunk_gone(good, dice):
    """A chunk is missing, with its indexes or without."""
    chunk = some_chunk(good, dice)
    return cut_out(good, dice) if chunk is None else removed(
        good, chunk.start, dice.choice((chunk.end, chunk.stop)))


def chunk_doubled(good, dice):
    """A chunk and its indexes are there twice."""
    chunk = some_chunk(good, dice)
    if chunk is None:
        return flip(good, dice)
    out = Damage(good.raw)
    out.replace(chunk.stop, chunk.stop, out.between(chunk.start, chunk.stop))
    return out


def chunks_swapped(good, dice):
    """Two chunks, with their indexes, are in each other's place."""
    if len(good.file.chunks) < 2:
        return flip(good, dice)
    a, b = sorted(dice.sample(good.file.chunks, 2), key=lambda c: c.start)
    out = Damage(good.raw)
    first, second = out.between(a.start, a.stop), out.between(b.start, b.stop)
    out.replace(b.start, b.stop, first)
    out.replace(a.start, a.stop, second)
    return out


CLASSES = {damage.__name__: damage for damage in (
    any_way(random_damage.cut), crashed, any_way(random_damage.zero_tail),
    garbage_tail, any_way(random_damage.after),
    any_way(random_damage.before), retried, retried_all, summary_lost,
    flip, zero_sector, written_over, cut_out,
    any_way(random_damage.inserted), any_way(random_damage.doubled),
    head_lost, in_header, after_header, in_chunk_head, chunk_head_lost, in_index,
    indexes_lost, in_summary, in_message_head, in_declaration, chunk_gone,
    chunk_doubled, chunks_swapped)}

#!/usr/bin/python3
"""Damages frames of CARLA logs where each is held by those around it, and holds
what comes of that against the original.

- a wrong number of a frame costs no other frame, although the next one is lost
- a frame in the wrong place costs no more than itself
- frames that were moved cost no others where a seam makes a FrameStart
- a frame with the number of one that is lost is kept, with its own number
- a frame with a damaged FrameEnd is kept, and one after which a frame begins that
  is none
- frames, and actors, that begin as one and end as another are not kept
- so are those that swallowed the beginning of the next one
- the only frame that is left begins when the first one does

Environment: SALVOR is the program.
"""
import random
import tempfile

from support.start import SALVOR, parts

with parts():
    import carla_campaign
    import carla_reader
    from campaign import Case, Trial
    from random_damage import Damage
    from tally import check, end

DIALECTS = '0.9.10', '0.9.15', 'ue4-2026', 'ue5'
FRAMES = 30
MOVED = 8  # before earlier ones
START = 5  # bytes before a FrameStart's number


def frames_of(good):
    """Where the frames are."""
    return [r.span for r in good.records if r.head[0] == 'frame']


def flip(damage, at, bit):
    """One bit of the byte there."""
    damage.overwrite(at, bytes([damage.good[at] ^ 1 << bit]))


def numbered(good):
    """A number is wrong, and the next frame is damaged."""
    frames = frames_of(good)
    for k in range(3, FRAMES - 2, 5):
        for at, bit in ((0, 3), (1, 4), (2, 0), (3, 6)):
            damage = Damage(good.raw)
            flip(damage, frames[k][0] + START + at, bit)
            damage.overwrite(frames[k + 1][0] + 2, bytes(58))
            yield damage, True


def misplaced(good):
    """A frame and the edges of its neighbours are where they do not belong."""
    frames = frames_of(good)
    for k in (5, 14, 25):
        for to in (2, 9, 20):
            start, stop = frames[k][0] - 30, frames[k][1] + 30
            damage = Damage(good.raw)
            part = damage.between(start, stop)
            damage.replace(start, stop)
            at = frames[to][0] + 70
            at -= (stop - start) * (at > start)
            damage.replace(at, at, part)
            yield damage, False


def seamed(good):
    """Frames are before earlier ones, and what follows them begins as the number
    of a frame and goes on as something else."""
    frames = frames_of(good)
    start, stop = frames[18][0] + 50, frames[18 + MOVED][0] + START + 9
    for to in (4, 9):
        for at in range(frames[to][0] + 40, frames[to][1] - 9, 7):
            damage = Damage(good.raw)
            part = damage.between(start, stop)
            damage.replace(start, stop)
            damage.replace(at, at, part)
            yield damage, False


def torn(good):
    """A frame begins with the number of an earlier one: all between is missing."""
    frames = frames_of(good)
    for k in range(3, FRAMES - 4, 3):
        for other in (2, 5, 9):
            for at in (START + 1, START + 4, START + 8):
                damage = Damage(good.raw)
                damage.replace(frames[k][0] + at,
                               frames[min(k + other, FRAMES - 2)][0] + at)
                yield damage, True


def ended(good):
    """The end of a frame and what follows it are overwritten."""
    for start, stop in frames_of(good)[4:-3:6]:
        for first in range(1, 5):
            for byte in b'\xff', b'\x31':
                damage = Damage(good.raw)
                damage.overwrite(stop - first, byte * (first + 24))
                yield damage, True


def followed(good):
    """From inside a frame to inside the next FrameStart all is there twice."""
    for start, stop in frames_of(good)[4:-3:6]:
        for more in (5, 6, 9, 17, 25):
            damage = Damage(good.raw)
            damage.replace(stop + more, stop + more, damage.between(
                (start + stop) // 2, stop + more))
            yield damage, True


def joined(good):
    """Bytes are missing in a frame, or from one to the next."""
    for start, stop in frames_of(good)[4:-3:6]:
        for at in range(start + 40, stop, max(9, (stop - start) // 20)):
            for size in (6, 34, 290, 407):
                damage = Damage(good.raw)
                damage.replace(at, min(at + size, len(damage)))
                yield damage, False


def swallowed(good):
    """Bytes are missing from inside the last packet of a frame to the next
    FrameStart, as many as leave a byte of the next frame where the end was."""
    frames = frames_of(good)
    lasts = [list(frame.places())[-2]
             for frame in carla_reader.read(good.raw).frames]
    for k in range(1, FRAMES - 1):
        end, start = frames[k][1] - START, frames[k + 1][0]
        head = good.raw[start:start + 120]
        for at in (n for n in range(START + 24, 120) if head[n] == 1):
            missing = start + at - end
            for kept in 24, 16:  # bytes of the FrameStart
                stop = start + START + 24 - kept
                if stop - missing > lasts[k][1] + 2 * START:
                    damage = Damage(good.raw)
                    damage.replace(stop - missing, stop)
                    yield damage, False


def lonely(good):
    """Of the frames only the first one is left, and its time is wrong."""
    start, stop = frames_of(good)[0]
    for bit in range(7):
        damage = Damage(good.raw)
        flip(damage, start + START + 23, bit)
        damage.replace(stop, len(damage))
        yield damage, False


def main():
    """Try all."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(carla_campaign, SALVOR, folder + '/run')
        for kind in (numbered, misplaced, seamed, torn, ended, followed,
                     joined, swallowed, lonely):
            for dialect in DIALECTS:
                good = carla_campaign.made(
                    random.Random(dialect), dialect, frames=FRAMES, actors=4)
                harms = list(kind(good))
                verdicts = trial.run([Case(kind.__name__, good, damage)
                                      for damage, _ in harms])
                wrong = [(n, v.wrong or v.missed)
                         for n, (v, (_, all_kept))
                         in enumerate(zip(verdicts, harms))
                         if v.wrong or (all_kept and v.missed)]
                check('%s/%s: %d logs' % (kind.__name__, dialect,
                                          len(verdicts)), not wrong, wrong[:3])
                lost = sum(v.missed for v in verdicts)
                check('%s/%s: %d frames are missed' % (
                    kind.__name__, dialect, lost),
                    lost <= (MOVED + 2 if kind is seamed else 2)
                    * len(verdicts))
    return end()


main()

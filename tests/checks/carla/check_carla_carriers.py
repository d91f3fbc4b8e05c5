#!/usr/bin/python3
"""Damages CARLA logs whose frames carry pieces of another log, in packets of a
program's own, where such a packet begins, and holds what comes of that against
the original: no frame and no event of the pieces becomes one of the log.

Environment: SALVOR is the program; with SALVOR_LONG each such packet is damaged,
otherwise a share.
"""
import random
import struct
import tempfile

from support.start import SALVOR, parts

with parts():
    import carla_campaign
    import carla_writer
    from campaign import Case, Trial
    from random_damage import Damage
    from sample import share
    from tally import check, end

DIALECTS = '0.9.10', '0.9.15', 'ue4-2026', 'ue5'
HEAD = 5  # bytes of a packet before its body
FRAMES = 24
ONE_IN = 3  # packets is damaged
LOST = 3  # frames that one damage may cost, at most


def carrying(dialect, number):
    """A log of which some frames carry pieces of another, and where the packets
    with these begin: [(start of the frame, packet, end of the frame)].  The other
    log has the same numbers of frames, or later ones."""
    rng = random.Random('%s/%d' % (dialect, number))
    other = carla_writer.frames_of(
        rng.choice((dialect, dialect, '0.9.15')), frames=60, seed=number + 100)
    raw = carla_writer.header()
    packets = []
    for k, frame in enumerate(carla_writer.frames_of(
            dialect, frames=FRAMES, seed=number, actors=4)):
        first = rng.choice((k, k + 1, k + 20))
        piece = b''.join(other[first:first + rng.choice((1, 3, 6))])
        piece = piece[rng.randrange(len(piece) // 2):]
        piece = piece[:len(piece) - rng.choice((0, HEAD, 400))]
        if k % 3 == 0:
            piece = b''
        start = len(raw)
        raw += frame[:-HEAD]
        packet = len(raw)
        raw += struct.pack('<BI', carla_campaign.CARRIER, len(piece)) + piece \
            + frame[-HEAD:]
        if piece:
            packets.append((start, packet, len(raw)))
    return carla_campaign.original(raw), packets


def beheaded(good, start, packet, stop):
    """The packet's head is overwritten, or its size is wrong."""
    del start, stop
    for new in bytes(HEAD), b'\xff' * HEAD:
        damage = Damage(good.raw)
        damage.overwrite(packet, new)
        yield damage
    for bit in range(0, 16, 3):
        damage = Damage(good.raw)
        size, = struct.unpack_from('<I', good.raw, packet + 1)
        damage.overwrite(packet + 1, struct.pack('<I', size ^ 1 << bit))
        yield damage


def torn(good, start, packet, stop):
    """Bytes around its beginning are overwritten, or missing, or there twice, or
    the log ends soon after."""
    for before, after in (1, 5), (40, 90), (packet - start, 40):
        damage = Damage(good.raw)
        damage.overwrite(packet - before, bytes(before + after))
        yield damage
        damage = Damage(good.raw)
        damage.replace(packet - before, packet + after)
        yield damage
        damage = Damage(good.raw)
        damage.replace(packet, packet, damage.between(
            packet - before, packet + after))
        yield damage
    damage = Damage(good.raw)
    damage.overwrite(packet, bytes(HEAD))
    damage.replace(stop - 30, len(damage))
    yield damage


def both(good, start, packet, stop):
    """And the frame's own beginning is lost, or its end."""
    for harm in beheaded, torn:
        for n, damage in enumerate(harm(good, start, packet, stop)):
            if n % 2 == 0:
                damage.overwrite(start, bytes(40))
            else:
                damage.overwrite(stop - 3, bytes(30))
            yield damage


def main():
    """Try all."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(carla_campaign, SALVOR, folder + '/run')
        for kind in beheaded, torn, both:
            for dialect in DIALECTS:
                for number in range(3):
                    good, packets = carrying(dialect, number)
                    verdicts = trial.run([
                        Case(kind.__name__, good, damage)
                        for place in share(packets[2:], ONE_IN)
                        for damage in kind(good, *place)])
                    name = '%s/%s/%d: %d logs' % (
                        kind.__name__, dialect, number, len(verdicts))
                    wrong = [(n, v.wrong) for n, v in enumerate(verdicts)
                             if v.wrong]
                    check(name, not wrong, (len(wrong), wrong[:3]))
                    missed = [(n, v.missed) for n, v in enumerate(verdicts)
                              if v.missed > LOST]
                    check(name + ': frames are missed', not missed,
                          (len(missed), missed[:3]))
    return end()


main()

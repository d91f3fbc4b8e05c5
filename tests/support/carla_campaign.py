"""carla_campaign - CARLA recorder logs for campaign.py.

A record is a frame except for its events, an event, or a packet of a program's own
after the last frame: events of lost frames are carried into others.
"""

import struct
from collections import Counter

import carla_reader
import carla_writer
from campaign import Original, Record

SUFFIX = '.log'
OPTIONS = '--map-name=Town01',
Bad = carla_reader.Bad
ORDERED = True
HEAD = 5  # bytes of a packet before its body
CARRIER = 200  # the type of a packet of a program's own
START = HEAD + 24  # of the packet that says which frame it is
EVENTS = 2, 3, 4
TOWNS = 'Town01', 'Town10HD_Opt', '/Game/Carla/Maps/Town03'
UE4 = '0.9.10', '0.9.12-plain', '0.9.15', 'ue4-dev', 'ue4-2025', 'ue4-2026'


def _frame(frame):
    return (('frame', frame.id, frame.elapsed),
            tuple(p for p in frame.packets[1:] if p[0] not in EVENTS))


def _event(number, record):
    return ('event', number, record[:4]), record


def _of_log(log):
    """(head, body) of all records."""
    out = [_frame(frame) for frame in log.frames]
    out += [_event(number, record) for frame in log.frames
            for _, number, record in log.events(frame)]
    return out + [(('user', number), body) for number, body in log.after]


def read(raw):
    """The records of a whole log."""
    return _of_log(carla_reader.read(raw))


def _packet(raw, at):
    """(id, body, end) of the packet at `at`, as the replayer reads it: a list is
    as long as its count says, whatever its size."""
    number, size = struct.unpack_from('<BI', raw, at)
    body = at + HEAD
    if number in carla_reader.LISTS:
        count = struct.unpack_from('<H', raw, body)[0]
        size = 2 + count * carla_reader.LISTS[number]
    if number in carla_reader.FIXED:
        size = carla_reader.FIXED[number]
    if body + size > len(raw):
        raise struct.error
    return number, raw[body:body + size], body + size


def _is_sane(packets):
    """Can the actors be that appear, and does a packet tell of each actor once?
    Where an EventAdd is damaged the replayer makes something else of it."""
    for number, body in packets:
        if number == 2 and not any(
                carla_reader.fits(carla_reader.read_add,
                                  carla_reader.Body(body), vec)
                for vec in (12, 24)):
            return False
    return True


def vendor(raw):
    """The frames that the replayer gets, packet after packet, up to where the
    file ends; it knows no way on after a frame that is none."""
    frames, packets, at = [], [], 0
    try:
        at = 28 + struct.unpack_from('<H', raw, 26)[0]
        while at < len(raw):
            number, body, at = _packet(raw, at)
            if number == 0:
                packets = []
            packets.append((number, body))
            if number == 1 and packets[0][0] == 0 and _is_sane(packets):
                start = struct.unpack('<Qdd', packets[0][1])
                frames.append(_frame(carla_reader.Frame(
                    0, at, start[0], *start[1:], packets)))
                packets = []
    except struct.error:
        pass
    return frames


def unseen(good, damage, record):
    """Is this record damaged where nothing tells of it?  Nothing confirms the
    numbers that it is made of; where one says how long it is, the contents tell
    that it is wrong.  So all must be in place, or end as it should; or the pieces of
    it are put together again."""
    return bool(damage.offsets(record.span, False)) or damage.looks_whole(
        record.span, record.payload, good.ends) or damage.in_pieces(
            record.span, record.span)


def hidden(found, case):
    """How many frames are lost before the last one that is kept?"""
    have = Counter(head for head, _ in found)
    lost = at_end = 0
    for r in case.good.records:
        if r.head[0] != 'frame':
            continue
        if have[r.head] > 0:
            lost, at_end = lost + at_end, 0
        else:
            at_end += 1
    return lost


def original(raw):
    log = carla_reader.read(raw, gaps=False)
    out = Original(raw, [], False, {28 + len(log.town), len(raw)})
    for frame in log.frames:
        span = frame.at, frame.end
        out.records.append(Record(span, (frame.at + START, frame.end - HEAD),
                                  *_frame(frame)))
        out.ends |= set(span)
        at = None
        for packet, number, record in log.events(frame):
            # It is owed where the frame is: otherwise it may not be known.
            if at is None or packet > at:
                at = packet + HEAD + 2
            own = at, at + len(record)
            at += len(record)
            out.records.append(Record(own, own, *_event(number, record),
                                      (span,)))
    at = log.frames[-1].end if log.frames else len(raw)
    last = log.frames[-1].at if log.frames else at
    for number, body in log.after:
        end = at + HEAD + len(body)
        # Nothing but the last frame shows that they are packets.
        out.records.append(Record((at, end), (at + HEAD, end),
                                  ('user', number), body, ((last, end),)))
        at = end
    out.ends |= {place for r in out.records for place in r.span}
    return out


def parts(good):
    """Where the packets of the frames of a good log are."""
    return [place[1:] for frame in carla_reader.read(good.raw).frames
            for place in frame.places()]


def made(rng, *dialects, after=b'', **recipe):
    how = {'frames': rng.choice((10, 20, 40)), 'seed': rng.random(),
           'actors': rng.choice((3, 6, 12)), **recipe}
    return original(carla_writer.header(rng.choice(TOWNS)) + b''.join(
        carla_writer.frames_of(rng.choice(dialects), **how)) + after)


def ue4(rng):
    """As the recorders before UE5 write them."""
    return made(rng, *UE4)


def ue5(rng):
    """With vectors of f64."""
    return made(rng, 'ue5')


def mixed(rng):
    """With sizes that lie."""
    return made(rng, 'ue5-mixed')


def dreyevr(rng):
    """With packets of a program's own in all frames."""
    return made(rng, 'dreyevr')


def user(rng):
    """And after the last frame."""
    return made(rng, *UE4, 'ue5', after=carla_writer.AFTER)


def short(rng):
    """A few frames."""
    return made(rng, *UE4, 'ue5', 'dreyevr', frames=rng.randrange(1, 6))


def nobody(rng):
    """An empty street: lists have no record."""
    return made(rng, *UE4, 'ue5', actors=rng.randrange(3), still=True,
                 vehicles=rng.randrange(2))


def crowd(rng):
    """Frames of 40 KiB, as of a city."""
    return made(rng, *UE4, 'ue5', actors=120, frames=8)


def long(rng):
    """More frames than the first ones, by which a log is known."""
    return made(rng, *UE4, 'ue5', frames=rng.choice((70, 150)), actors=2)


def _carrying(rng, frame, other):
    """The frame with a packet of a program's own, of which some carry a piece of
    another log, and others nothing."""
    start = rng.randrange(len(other) - 3000)
    body = rng.choice((b'', b'', other[start:start + rng.randrange(9, 3000)]))
    return frame[:-HEAD] + struct.pack('<BI', CARRIER, len(body)) + body \
        + frame[-HEAD:]


def carriers(rng):
    """Packets of a program's own carry pieces of another log."""
    dialect = rng.choice(UE4 + ('ue5',))
    other = b''.join(carla_writer.frames_of(
        rng.choice((dialect, '0.9.15')), frames=12, seed=rng.random()))
    frames = carla_writer.frames_of(dialect, frames=rng.choice((10, 30)),
                                    seed=rng.random(), actors=4)
    return original(carla_writer.header(rng.choice(TOWNS)) + b''.join(
        _carrying(rng, frame, other) for frame in frames))


def many(rng):
    """1,000 short frames."""
    return made(rng, *UE4, frames=1000, actors=1, still=True, vehicles=0)


FEW = {'many': 10}  # so many times fewer cases, as they take long
SORTS = {'ue4': ue4, 'ue5': ue5, 'mixed': mixed, 'dreyevr': dreyevr,
         'user': user, 'short': short, 'nobody': nobody, 'crowd': crowd,
         'long': long, 'carriers': carriers, 'many': many}

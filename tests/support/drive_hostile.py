"""drive_hostile.py - Cyber records and CARLA logs that want to do harm: texts
made to drive a terminal or to break JSON, numbers that lie about sizes and
counts, and crowds of things each of which might ask about all others.
"""
import struct

import carla_reader
import carla_writer
import cyber_writer
from cyber_damage import Original
from cyber_proto import CHANNEL, CHUNK_BODY, CHUNK_HEADER, INDEX, START
from hostile import HUGE, testdata, text

COUNT = 160
START_LEN, EVENT_HEAD = 29, 5  # bytes of a FrameStart, and of the head of a list
HOPS = 120  # bytes, which are lengths of names


def number(rng, size):
    """A number that lies."""
    return (rng.choice(HUGE) & (1 << 8 * size) - 1).to_bytes(size, "little")


def laid_over(raw, at, new):
    """Bytes laid over others."""
    return raw[:at] + new + raw[at + len(new):]


def renamed(raw, old, rng):
    """A hostile text wherever that one is, as long as it."""
    return raw.replace(old, (text(rng) + b"x" * len(old))[:len(old)])


def record(rng):
    """A Cyber record, small."""
    return cyber_writer.write(
        *cyber_writer.drive(seed=rng.randrange(99), n_messages=20,
                            n_channels=3, size=60, desc_size=40),
        cyber_writer.Shape(limit=rng.choice((400, 10 ** 6)),
                           closed=rng.random() < .5))


def record_texts(rng):
    """Channels and types with hostile names."""
    raw = renamed(record(rng), b"/apollo/canbus/chassis", rng)
    return renamed(renamed(raw, b"/apollo/sensor/0", rng),
                   b"apollo.test.T1", rng)


def record_liar(rng):
    """Types, sizes, or what follows them, that lie."""
    raw = record(rng)
    for section in rng.sample(Original(raw).sections, 2):
        at, size = rng.choice(((0, 4), (8, 8), (16, 4), (17, 8)))
        raw = laid_over(raw, section.at + at, number(rng, size))
    if rng.random() < .3:
        raw = laid_over(raw, rng.randrange(START), number(rng, 8))
    return raw


def log(rng):
    """A log of CARLA, small."""
    return carla_writer.log(rng.choice(list(carla_writer.DIALECTS)), frames=5,
                            seed=rng.randrange(99), actors=3)


def log_texts(rng):
    """A map and blueprints with hostile names."""
    raw = renamed(log(rng), b"Town01", rng)
    return renamed(renamed(raw, b"vehicle.", rng), b"role_name", rng)


def log_liar(rng):
    """Sizes and counts of packets that lie."""
    raw = log(rng)
    for frame in rng.sample(carla_reader.read(raw, gaps=False).frames, 2):
        at = frame.at
        for _, body in frame.packets[:rng.randrange(9)]:
            at += 5 + len(body)
        where, size = rng.choice(((0, 1), (1, 4), (5, 2), (5, 8)))
        raw = laid_over(raw, at + where, number(rng, size))
    return raw


def mutated(rng):
    """Any of the others, with bytes changed, moved or doubled."""
    raw = bytearray(rng.choice((record, record_texts, log, log_texts))(rng))
    for _ in range(rng.choice((1, 3, 20))):
        at, n = rng.randrange(len(raw)), rng.randrange(1, 40)
        other = rng.randrange(len(raw))
        piece = bytes(raw[other:other + n])
        raw[at:at + rng.choice((0, n))] = rng.choice((
            piece, bytes(n), bytes([rng.randrange(256)]), number(rng, 8)))
    return bytes(raw)


KINDS = (record_texts, record_liar, log_texts, log_liar, mutated, mutated)


def files(rng, count=COUNT):
    """The bytes of each file."""
    for n in range(count):
        rng.next_file()
        yield KINDS[n % len(KINDS)](rng)


# ---- crowds -----------------------------------------------------------------


def strange_sections(n):
    """A record of sections that nobody knows."""
    raw = cyber_writer.write(*cyber_writer.drive(n_messages=3),
                             cyber_writer.Shape(closed=False, indexed=False))
    return raw + (struct.pack("<IIq", 9, 0, 1) + b"x") * n + b"y"


def many_channels(n):
    """As many channels as messages, in a record without an index."""
    return cyber_writer.write(
        *cyber_writer.drive(n_messages=n, n_channels=n, size=10, desc_size=9),
        cyber_writer.Shape(closed=False, indexed=False))


def torn_messages(n):
    """Messages each of which lacks its last byte."""
    raw = cyber_writer.write(*cyber_writer.drive(n_messages=n, size=30),
                             cyber_writer.Shape(closed=False, indexed=False))
    made = Original(raw)
    body = next(s for s in made.sections if s.type == CHUNK_BODY)
    return raw[:body.at + 16] + b"".join(
        raw[start:end - 1] for start, end in made.spans)


def torn_carriers(n):
    """Messages that carry pieces of a record, each of which lacks a byte of the
    piece."""
    inner = cyber_writer.write(*cyber_writer.drive(seed=5, n_messages=40,
                                                   size=30))[3000:4500]
    channels, messages = cyber_writer.drive(n_messages=n, size=30)
    raw = cyber_writer.write(
        channels, [m._replace(content=inner) for m in messages],
        cyber_writer.Shape(limit=200000, closed=False, indexed=False))
    out, at = [], 0
    for start, end in Original(raw).spans:
        out.append(raw[at:(start + end) // 2])
        at = (start + end) // 2 + 1
    return b"".join(out) + raw[at:]


def cut_again(n):
    """A record that is cut in a chunk, again and again."""
    return testdata("cyber/bad-cut-between.record") * n


def messages_again(n):
    """The same messages again and again, after a record with chunks that lack none."""
    raw = testdata("cyber/bad-index-3.record")
    return raw + raw[2259:2682] * n


def torn_frames(n):
    """Frames each of which lacks its last byte."""
    made = carla_reader.read(carla_writer.log(
        "0.9.15", frames=n, actors=2, still=True), gaps=False)
    return made.raw[:made.frames[0].at] + b"".join(
        made.raw[f.at:f.end - 1] for f in made.frames)


def two_names(n):
    """Channels each of which has another name in the index."""
    raw = cyber_writer.write(
        *cyber_writer.drive(n_messages=n, n_channels=n, size=10, desc_size=9),
        cyber_writer.Shape())
    index = next(s for s in Original(raw).sections if s.type == INDEX).at + 16
    return raw[:index] + raw[index:].replace(b"/apollo/sensor/",
                                             b"/apolln/sensor/")


def lost_sections(n):
    """Channels that only the index declares, all in one place."""
    raw = cyber_writer.write(
        *cyber_writer.drive(n_messages=n, n_channels=n, size=10, desc_size=9),
        cyber_writer.Shape())
    made = Original(raw)
    lost = bytearray(raw)
    for section in made.sections:
        if section.type == CHANNEL:
            lost[section.at:section.end] = b"\xff" * (section.end - section.at)
    return bytes(lost)


def undeclared(n):
    """Channels that nothing declares, and another record that does."""
    raw = cyber_writer.write(
        *cyber_writer.drive(n_messages=n, n_channels=n, size=10, desc_size=9),
        cyber_writer.Shape(closed=False, indexed=False))
    return raw[:START] + b"".join(
        raw[s.at:s.end] for s in Original(raw).sections
        if s.type != CHANNEL), raw


def chunks_apart(n):
    """Chunks with something else between them, without a header in front."""
    raw = cyber_writer.write(
        *cyber_writer.drive(n_messages=n, n_channels=2, size=10, desc_size=9),
        cyber_writer.Shape(limit=1))
    return bytes(START) + b"".join(
        b"\xff" * 20 * (s.type == CHUNK_HEADER) + raw[s.at:s.end]
        for s in Original(raw).sections)


def one_actor(n):
    """One actor again and again, in a packet without a head."""
    made = carla_reader.read(carla_writer.log("0.9.15", frames=6), gaps=False)
    add = carla_writer.Recorder("0.9.15").event_add([7])
    return made.raw[:made.frames[2].at] + bytes([255]) * 40 + \
        add[7:] * n + made.raw[made.frames[2].at:]


def two_types(n):
    """Channels each of which has another type in the index, and a record that
    knows."""
    raw = cyber_writer.write(
        *cyber_writer.drive(n_messages=n, n_channels=n, size=10, desc_size=9),
        cyber_writer.Shape())
    index = next(s for s in Original(raw).sections if s.type == INDEX).at + 16
    return raw[:index] + raw[index:].replace(b"apollo.test.",
                                             b"apolln.test."), raw


def schema(n):
    """A channel with so many messages in its description."""
    types = b"".join(b"\x22" + bytes([len(name) + 2, 0x0a, len(name)]) + name
                     for name in (b"T%07d" % (k * 7919 % n) for k in range(n)))
    file = b"\x0a\x07a.proto\x12\x0bapollo.test" + types
    made = cyber_writer.pb.ProtoDesc(desc=file).SerializeToString()
    channel = cyber_writer.Channel("/a", "apollo.test.T%07d" % (n // 2), made)
    return cyber_writer.write(
        [channel], [cyber_writer.Message("/a", 10**18 + k, b"\x08\x01")
                    for k in range(9)],
        cyber_writer.Shape(closed=False, indexed=False))


def imports(n):
    """A channel with a description that imports as many files."""
    pb = cyber_writer.pb
    made = pb.ProtoDesc(
        desc=b"\x0a\x06main.p\x12\x01a\x22\x03\x0a\x01T",
        dependencies=[pb.ProtoDesc(desc=b"\x0a\x08f%07d" % k)
                      for k in range(n)])
    channel = cyber_writer.Channel("/a", "a.T", made.SerializeToString())
    return cyber_writer.write(
        [channel], [cyber_writer.Message("/a", 10**18 + k, b"\x08\x01")
                    for k in range(9)],
        cyber_writer.Shape(closed=False, indexed=False))


def small_frames(dialect, n):
    """The header of a log, and frames as small as can be."""
    made = carla_reader.read(carla_writer.log(
        dialect, frames=n, actors=1, still=True, vehicles=0), gaps=False)
    return made.raw[:made.frames[0].at], [
        made.raw[f.at:f.end] for f in made.frames]


def far_lists(n):
    """Between two sound frames one with actors up to the end of the log. Their names are
    longer than what is read at once."""
    head, frames = small_frames("0.9.15", 2 * n)
    size = sum(map(len, frames[1::2])) + n * (START_LEN + EVENT_HEAD + HOPS)
    out = [head]
    for torn, sound in zip(frames[::2], frames[1::2]):
        size -= START_LEN + EVENT_HEAD
        out += [torn[:START_LEN], struct.pack("<BI", 2, size), b"\x14" * HOPS, sound]
        size -= HOPS + len(sound)
    return b"".join(out)


def plain_frames(n):
    """Nothing but frames."""
    head, frames = small_frames("0.9.15", n)
    return head + b"".join(frames)


def frames_backwards(n):
    """Frames in groups, the last group first."""
    head, frames = small_frames("0.9.15", n)
    return head + b"".join(b"".join(frames[k:k + 4])
                           for k in range(n - n % 4, -1, -4))


def frames_in_pairs(n):
    """Frames of which each second one is before the one before it."""
    head, frames = small_frames("0.9.15", n)
    return head + b"".join(frames[k ^ 1] for k in range(n - n % 2))


def frames_again(n):
    """Frames of which each is there twice."""
    head, frames = small_frames("0.9.15", n)
    return head + b"".join(f + f for f in frames)


def mistyped(n):
    """Frames in each of which a packet has another type, and one has a wrong size."""
    head, frames = small_frames("0.9.15", n)
    out = []
    for k, frame in enumerate(frames):
        other = bytearray(frame)
        other[START_LEN + k % 2] ^= 1 + 3 * (k % 2)
        out.append(bytes(other) if k > 9 else frame)
    return head + b"".join(out)


def many_actors(n):
    """As many actors as frames: in each one appears, and one goes."""
    recorder = carla_writer.Recorder("0.9.15", actors=1, still=True, vehicles=0)
    out = [carla_writer.header()]
    for k in range(n):
        recorder.born = recorder.actors = [20 + k]
        out.append(recorder.frame(k == n - 1))
    return b"".join(out)


def second_segment(n):
    """The second file of a record: its channels are in the first one."""
    raw, whole = undeclared(n)
    return raw, whole, "segment"


CROWDS = ((strange_sections, 4000), (many_channels, 400), (two_names, 4000),
          (lost_sections, 6000), (chunks_apart, 6000), (torn_messages, 1000),
          (torn_carriers, 200), (cut_again, 60),
          (messages_again, 600),
          (torn_frames, 200), (one_actor, 16000), (schema, 20000),
          (imports, 4000), (far_lists, 4000), (plain_frames, 1000), (frames_backwards, 600),
          (frames_in_pairs, 600), (frames_again, 600), (mistyped, 1000), (many_actors, 1000))

# Each with another log that explains it.
GIVEN = ((undeclared, 6000), (two_types, 2000), (second_segment, 6000))

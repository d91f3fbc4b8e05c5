"""Recordings to write files of: the same seed, the same events.

recording() is what a robot records: some topics often and small, some rare and
large.  strange() is what recorders record as well, and what a search for records
can mistake: pieces of other files in payloads, equal messages, clocks that are
set, messages without payload.  SORTS has those that tests write.
"""

import dataclasses
import random
import struct

from mcap import records as r
from mcap.write import STYLES, Recording, Style, write

START = 1700000000 * 10 ** 9
# topic, type, weight, bytes of a payload at least and at most, noise in 256
KINDS = (("imu", "test_msgs/msg/Imu", 40, 60, 90, 120),
         ("odom", "test_msgs/msg/Odom", 20, 200, 300, 90),
         ("scan", "test_msgs/msg/Scan", 12, 700, 2200, 130),
         ("text", "test_msgs/msg/Text", 8, 10, 120, 0),
         ("image", "test_msgs/msg/Image", 5, 3000, 7000, 190),
         ("empty", "test_msgs/msg/Empty", 4, 0, 0, 0))
WORDS = ("battery low", "goal reached", "arm folded", "stairs ahead")
ENCODINGS = {"ros2": ("cdr", "ros2msg"), "ros1": ("ros1", "ros1msg"),
             "": ("json", "jsonschema")}
QOS = "- reliability: 1\n  durability: 2\n"


def payload(dice, kind, number, profile):
    """The bytes of one message."""
    _, _, _, least, most, noise = kind
    size = dice.randint(least, most)
    if profile == "":
        return b'{"n": %d, "text": "%s"}' % (
            number, " ".join(dice.choices(WORDS, k=size // 12)).encode())
    head = b"\0\1\0\0" if profile == "ros2" else b""
    if not size:
        return head
    head += struct.pack("<I", number)
    if not noise:
        return head + " ".join(dice.choices(WORDS, k=1 + size // 14)).encode()
    body = bytearray()
    while len(body) < size:
        body += dice.randbytes(24) if dice.randrange(256) < noise \
            else struct.pack("<3d", number / 8, len(body) / 4, 1.5)
    return head + bytes(body[:size])


def declared(n, profile, silent=0, first=1):
    """(schemas, channels): n that have messages and some that have none.  The
    last one of the n has the topic of the first, where there are three."""
    encoding, of_schema = ENCODINGS[profile]
    schemas = [r.Schema(i + 1, kind[1], of_schema,
                        b"# %s\nuint32 number\n%s" % (
                            kind[1].encode(), b"float64[9] pose\n" * (i + 1)))
               for i, kind in enumerate(KINDS[:n + silent])]
    channels = []
    for i in range(n + silent):
        topic = "/robot%d/%s" % (i // len(KINDS), KINDS[i % len(KINDS)][0])
        if i == n - 1 and n > 2:
            topic = channels[0].topic
        channels.append(r.Channel(
            first + i, 0 if profile == "" and i % 5 == 4
            else i % len(KINDS) + 1, topic, encoding,
            (("offered_qos_profiles", QOS),) if profile == "ros2" else ()))
    return schemas, channels


def recording(n_messages, n_channels, seed, profile="ros2", scale=1.0,
              silent=0, first=1, sequence=False):
    """What a robot records."""
    dice = random.Random(seed)
    schemas, channels = declared(n_channels, profile, silent, first)
    kinds = [(*KINDS[i % len(KINDS)][:3],
              *(int(n * scale) for n in KINDS[i % len(KINDS)][3:5]),
              KINDS[i % len(KINDS)][5]) for i in range(n_channels)]
    late = n_channels - 1 if n_channels > 3 else n_channels
    events, now = [], START + seed * 10 ** 12
    for number in range(n_messages):
        now += dice.randrange(10 ** 5, 10 ** 7)
        some = late if number < n_messages // 2 else n_channels
        i, = dice.choices(range(some), [k[2] for k in kinds[:some]])
        at = now - (dice.randrange(10 ** 7) if dice.random() < .05 else 0)
        events.append(r.Message(
            channels[i].id, number if sequence else 0, at,
            at - dice.randrange(10 ** 6),
            payload(dice, kinds[i], number, profile)))
    return Recording(profile, schemas, channels, events)


def with_more(made, seed, private=False):
    """The same with attachments, metadata and private records."""
    dice = random.Random(seed)
    out = dataclasses.replace(made, events=list(made.events))

    def put(event):
        out.events.insert(dice.randrange(len(out.events) + 1), event)
    put(r.Attachment(START, START, "map.pgm", "image/x-portable-graymap",
                     dice.randbytes(900)))
    put(r.Attachment(START + 9, 0, "", "", b""))
    for n in range(2):
        put(r.Metadata("calibration", (("camera", "left"), ("n", str(n)))))
    if private:
        put(r.Private(0x81, dice.randbytes(40)))
        put((r.Private(0x90, b"in a chunk" * 3),))
    return out


def rosbag2(made):
    """The same as Jazzy's recorder has it: metadata in front and at the end."""
    text = "rosbag2_bagfile_information:\n  version: 9\n  duration: %d\n"
    return dataclasses.replace(made, events=[
        r.Metadata("rosbag2", (("serialized_metadata", text % 0),)),
        *made.events,
        r.Metadata("rosbag2", (("serialized_metadata", text % 7),))])


def strange(n_messages, seed):
    """What a search for records can mistake."""
    dice = random.Random(seed)
    inner = write(with_more(recording(14, 4, seed + 1), seed),
                  dataclasses.replace(STYLES["cpp"], chunk_size=700))
    schemas, channels = declared(4, "ros2")
    events, now = [], 1000 * seed
    while len(events) < n_messages:
        now = max(0, now + dice.choice((1, 1000, 10 ** 6, 10 ** 6, -10 ** 9)))
        start = dice.randrange(len(inner))
        data = dice.choice((
            b"", b"\0", inner[start:start + dice.randrange(1, 900)],
            dice.randbytes(dice.randrange(60)), bytes(dice.randrange(300))))
        m = r.Message(dice.choice(channels).id, 0, now, dice.choice((now, 0)),
                      data)
        events += [m] * dice.choice((1, 1, 1, 2))
    events.insert(n_messages // 2, r.Attachment(
        5, 6, "before.mcap", "application/x-mcap", inner))
    events.insert(n_messages // 3, r.Message(channels[0].id, 0, now, now,
                                             inner))
    return Recording("ros2", schemas, channels, events)


def overlapping(made, gap):
    """The same, but every second event comes `gap` places later."""
    events = list(made.events)
    for i in range(0, len(events) - gap, gap * 2):
        events[i:i + 2 * gap] = events[i + gap:i + 2 * gap] + events[i:i + gap]
    return dataclasses.replace(made, events=events)


def style(name, **change):
    """A style that is like another one."""
    return dataclasses.replace(STYLES[name], **change)


def made(name, seed=1, n_messages=240, n_channels=6, **change):
    """A file of a style."""
    profile = {"go": "ros1", "ts": ""}.get(name, "ros2")
    out = recording(n_messages, n_channels, seed, profile,
                    silent=2 if STYLES[name].silent else 0,
                    first=0 if name == "ts" else 1,
                    sequence=name not in ("rosbag2", "fastwrite"))
    out = with_more(out, seed) if name not in ("rosbag2", "fastwrite") \
        else rosbag2(out)
    return write(out, style(name, **change))


COMPRESSIONS = {"none": "", "lz4": "lz4", "zstd": "zstd"}

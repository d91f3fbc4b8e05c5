"""Bags of ROS 2: writes them, and judges what salvor made of them.

    write(folder, bag)         a folder as rosbag2 of that version leaves it
    faults(folder)             what rosbag2 would refuse, or show wrongly

The rules are those of rosbag2's reader: which fields each version must have,
what they are, and that they agree with the files.  Shares nothing with salvor:
the text of metadata.yaml is put together here, and read with PyYAML.
"""

import dataclasses
import pathlib

import yaml

from mcap import read, records as r
from mcap.write import STYLES, Recording, write as write_mcap

NEVER = (1 << 63) - 1
WORDS = {"history": ("system_default", "keep_last", "keep_all", "unknown"),
         "reliability": ("system_default", "reliable", "best_effort",
                         "unknown"),
         "durability": ("system_default", "transient_local", "volatile",
                        "unknown"),
         "liveliness": ("system_default", "automatic", "", "manual_by_topic",
                        "unknown")}


@dataclasses.dataclass
class Topic:
    """A topic with one profile."""
    name: str
    type: str
    depth: int = 10
    reliability: int = 1


@dataclasses.dataclass
class Bag:
    """A recording: of each file the messages as (topic, time)."""
    version: int
    topics: list
    files: list
    distro: str = ""
    custom: tuple = ()  # pairs
    name: str = "bag"
    mode: str = ""


def profile(topic, version, indent):
    """The profile of a topic, as an item of a list."""
    def value(key, number):
        return WORDS[key][number] if version >= 9 else number

    forever = "\n    sec: 9223372036\n    nsec: 854775807"
    text = ("- history: %s\n  depth: %d\n  reliability: %s\n"
            "  durability: %s\n  deadline:%s\n  lifespan:%s\n"
            "  liveliness: %s\n  liveliness_lease_duration:%s\n"
            "  avoid_ros_namespace_conventions: false" % (
                value("history", 1), topic.depth,
                value("reliability", topic.reliability),
                value("durability", 2), forever, forever,
                value("liveliness", 1), forever))
    return text.replace("\n", "\n" + indent)


def quoted(text):
    """As yaml-cpp writes it in double quotes."""
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"').replace(
        "\n", "\\n")


def hash_of(topic):
    """The hash of its type."""
    return "RIHS01_" + "".join("%02x" % (b ^ 0x5a) for b in
                               (topic.type * 4).encode()[:32])


def span(times):
    """(start, duration, count) of some messages."""
    return (min(times), max(times) - min(times), len(times)) if times \
        else (NEVER, 0, 0)


def file_names(bag):
    """What its files are called."""
    return ["%s_%d.mcap" % (bag.name, i) for i in range(len(bag.files))]


def lines_of_topic(bag, topic, counts):
    """The lines of an item."""
    out = ["    - topic_metadata:",
           "        name: " + topic.name,
           "        type: " + topic.type,
           "        serialization_format: cdr"]
    if bag.version >= 9:
        out += ["        offered_qos_profiles:",
                "          " + profile(topic, 9, " " * 10)]
    else:
        out.append("        offered_qos_profiles: " + quoted(
            profile(topic, bag.version, "")))
    if bag.version >= 7:
        out.append("        type_description_hash: " + hash_of(topic))
    return out + ["      message_count: %d" % counts[topic.name]]


def metadata(bag, counted=True):
    """The text of metadata.yaml; not counted: as a file notes it."""
    files = bag.files if counted else [[]]
    events = [e for f in files for e in f]
    counts = {t.name: sum(e[0] == t.name for e in events) for t in bag.topics}
    start, duration, count = span([at for _, at in events])
    names = file_names(bag)[:len(files)]
    paths = ["  relative_file_paths:"] + ["    - " + n for n in names]
    out = ["rosbag2_bagfile_information:", "  version: %d" % bag.version,
           "  storage_identifier: mcap"]
    if bag.version == 4:
        out += paths
    out += ["  duration:", "    nanoseconds: %d" % duration,
            "  starting_time:", "    nanoseconds_since_epoch: %d" % start,
            "  message_count: %d" % count, "  topics_with_message_count:"]
    for topic in bag.topics:
        out += lines_of_topic(bag, topic, counts)
    out += ['  compression_format: ' + ("zstd" if bag.mode else '""'),
            '  compression_mode: ' + (bag.mode or '""')]
    if bag.version > 4:
        out += paths + ["  files:"]
        for name, file in zip(names, files):
            start, duration, count = span([at for _, at in file])
            out += ["    - path: " + name, "      starting_time:",
                    "        nanoseconds_since_epoch: %d" % start,
                    "      duration:", "        nanoseconds: %d" % duration,
                    "      message_count: %d" % count]
    if bag.version >= 6:
        out += ["  custom_data:" if bag.custom else "  custom_data: ~"]
        out += ["    %s: %s" % pair for pair in bag.custom]
    if bag.version >= 8:
        out.append("  ros_distro: " + (bag.distro or '""'))
    return "\n".join(out)


def recording(bag, nth):
    """What the recorder writes into a file."""
    channels = []
    for i, topic in enumerate(bag.topics):
        notes = [("offered_qos_profiles", profile(topic, bag.version, ""))]
        if bag.version >= 7:
            notes.append(("topic_type_hash", hash_of(topic)))
        channels.append(r.Channel(i + 1, i + 1, topic.name, "cdr",
                                  tuple(notes)))
    schemas = [r.Schema(i + 1, t.type, "ros2msg", b"uint32 number\n")
               for i, t in enumerate(bag.topics)]
    ids = {t.name: i + 1 for i, t in enumerate(bag.topics)}
    events = [r.Message(ids[topic], 0, at, at - 1000,
                        b"\0\1\0\0" + at.to_bytes(8, "little"))
              for topic, at in bag.files[nth]]
    if bag.version >= 9:
        inner = yaml_of(metadata(bag, False))
        note = r.Metadata("rosbag2", (("serialized_metadata", inner),))
        events = [note] + events + [note]
    return Recording("ros2", schemas, channels, events)


def yaml_of(text):
    """The same without its first line."""
    return "\n".join(line[2:] for line in text.split("\n")[1:])


def write(folder, bag):
    """Write it."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    style = dataclasses.replace(STYLES["rosbag2"], chunk_size=1500)
    for i, name in enumerate(file_names(bag)):
        (folder / name).write_bytes(write_mcap(recording(bag, i), style))
    (folder / "metadata.yaml").write_text(metadata(bag), encoding="utf-8")


NUMBER, TEXT = (int,), (str,)
FIELDS = {
    "version": (NUMBER, 0), "storage_identifier": (TEXT, 0),
    "duration": ({"nanoseconds": (NUMBER, 0)}, 0),
    "starting_time": ({"nanoseconds_since_epoch": (NUMBER, 0)}, 0),
    "message_count": (NUMBER, 0), "relative_file_paths": ([TEXT], 0),
    "topics_with_message_count": ([{
        "message_count": (NUMBER, 0),
        "topic_metadata": ({
            "name": (TEXT, 0), "type": (TEXT, 0),
            "serialization_format": (TEXT, 0),
            "offered_qos_profiles": ((str, list), 4),
            "type_description_hash": (TEXT, 7)}, 0)}], 0),
    "compression_format": (TEXT, 3), "compression_mode": (TEXT, 3),
    "files": ([{"path": (TEXT, 0),
                "starting_time": ({"nanoseconds_since_epoch": (NUMBER, 0)}, 0),
                "duration": ({"nanoseconds": (NUMBER, 0)}, 0),
                "message_count": (NUMBER, 0)}], 5),
    "custom_data": ((dict, type(None)), 6), "ros_distro": (TEXT, 8)}


def form(value, wanted, version, where):
    """What is not as a version has it."""
    if isinstance(wanted, tuple):
        return [] if isinstance(value, wanted) else ["%s: %r" % (where, value)]
    if isinstance(wanted, list):
        if not isinstance(value, list):
            return ["%s is no list" % where]
        return [f for i, item in enumerate(value)
                for f in form(item, wanted[0], version, where + str(i))]
    if not isinstance(value, dict):
        return ["%s is no map" % where]
    out = ["%s: no field %s" % (where, k) for k in value
           if k not in wanted or wanted[k][1] > version]
    for key, (kind, since) in wanted.items():
        if since <= version:
            out += form(value[key], kind, version, where + "." + key) \
                if key in value else ["%s.%s is missing" % (where, key)]
    return out


def time_faults(says, times, where, others=()):
    """Whether a start and a duration are those of these messages."""
    start, duration, _ = span(times)
    out = []
    if says["starting_time"]["nanoseconds_since_epoch"] != start:
        out.append(where + ": start")
    if says["duration"]["nanoseconds"] not in (duration, *others):
        out.append(where + ": duration")
    return out


def read_files(folder, names):
    """{name: (its messages as (topic, time), its channels)}."""
    out = {}
    for name in names:
        file = read.read((folder / name).read_bytes())
        topics = {c.id: c for c in file.channels.values()}
        out[name] = [(topics[m.channel].topic, m.log_time)
                     for m in file.messages], list(topics.values()), file
    return out


def disagreements(info, files):
    """What the files say otherwise."""
    events = [e for events, *_ in files.values() for e in events]
    out = time_faults(info, [at for _, at in events], "bag")
    if info["message_count"] != len(events):
        out.append("bag: count")
    seen = {}
    for item in info["topics_with_message_count"]:
        about = item["topic_metadata"]
        if about["name"] in seen:
            out.append(about["name"] + " is there twice")
        seen[about["name"]] = about
        if item["message_count"] != sum(t == about["name"]
                                        for t, _ in events):
            out.append(about["name"] + ": count")
    out += [t + " is not there" for t in {t for t, _ in events} - set(seen)]
    for _, channels, file in files.values():
        for c in channels:
            about = seen.get(c.topic)
            if about and about["type"] != file.schemas[c.schema].name:
                out.append(c.topic + ": type")
            qos = about and about["offered_qos_profiles"]
            notes = dict(c.metadata)
            if about and (yaml.safe_load(qos) if isinstance(qos, str)
                          else qos) != yaml.safe_load(
                              notes["offered_qos_profiles"]):
                out.append(c.topic + ": qos")
            if about and "topic_type_hash" in notes and about.get(
                    "type_description_hash",
                    notes["topic_type_hash"]) != notes["topic_type_hash"]:
                out.append(c.topic + ": hash")
    return out


def faults(folder):
    """What is wrong with a bag."""
    folder = pathlib.Path(folder)
    try:
        info = yaml.safe_load((folder / "metadata.yaml").read_text(
            encoding="utf-8"))["rosbag2_bagfile_information"]
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError) as why:
        return ["metadata.yaml: %s" % why]
    version = info.get("version") if isinstance(info, dict) else None
    if version not in range(4, 10):
        return ["version %s" % version]
    out = form(info, FIELDS, version, "bag")
    if out:
        return out
    names = info["relative_file_paths"]
    there = sorted(p.name for p in folder.glob("*.mcap*")
                   if ".salvor" not in p.name)
    if sorted(names) != there or info["storage_identifier"] != "mcap":
        return ["files: %s, and there are %s" % (names, there)]
    files = read_files(folder, names)
    out = disagreements(info, files)
    if version >= 5:
        if [f["path"] for f in info["files"]] != names:
            return out + ["files: others than relative_file_paths"]
        for entry in info["files"]:
            events = files[entry["path"]][0]
            out += time_faults(entry, [at for _, at in events], entry["path"])
            if entry["message_count"] != len(events):
                out.append(entry["path"] + ": count")
    return out

#!/usr/bin/python3
"""What salvor makes of Cyber records in which a channel's section and the index
do not say the same of the channel, because a bit of one of them was flipped.

- whatever bit it is (of a description, one in a few, or all with
  SALVOR_LONG=1), a finding names the channel and says what each of the two
  places has, unless the section or the index cannot be read any more
- what is decided is decided right: the record is what it was, byte for byte
- a type is always decided where a description has it, a name where messages
  do; of a description those bits are not that make one good name of another
- what is not decided becomes what the index says, where readers look
- two declarations outvote one, and another record of the robot decides, be it a
  segment beside it or --donor
- in place the same comes about, and can be undone

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import json
import os
import shutil
import subprocess
import tempfile

from support.start import SALVOR, parts

with parts():
    import cyber_reader
    import cyber_writer as w
    from cyber_damage import Original
    from cyber_proto import CHANNEL, INDEX, pb
    from google.protobuf.descriptor_pb2 import FileDescriptorProto
    from tally import check, end

NAME = "/apollo/canbus/chassis"
OWN = ("cyber.channel-wrong", "cyber.channel-undecided")
# What else tells of a declaration that cannot be read, or of its name.
ELSE = ("cyber.channel-rescued", "cyber.index", "cyber.section-broken")
LONG = bool(os.environ.get("SALVOR_LONG"))
UNDECIDED = .25  # of the bits of a description, at most


def tree():
    """A description as those of Apollo's messages are, with an import."""
    common = FileDescriptorProto(name="modules/common/header.proto",
                                 package="apollo.common")
    head = common.message_type.add(name="Header")
    head.field.add(name="stamp", number=1, label=1, type=1)
    head.field.add(name="module", number=2, label=1, type=9)
    file = FileDescriptorProto(name="modules/canbus/chassis.proto",
                               package="apollo.canbus",
                               dependency=[common.name])
    outer = file.message_type.add(name="Chassis")
    mode = outer.enum_type.add(name="Mode")
    mode.value.add(name="MANUAL", number=0)
    inner = outer.nested_type.add(name="Wheel")
    inner.field.add(name="speed", number=1, label=1, type=2)
    outer.field.add(name="header", number=1, label=1, type=11,
                    type_name=".apollo.common.Header")
    outer.field.add(name="wheels", number=2, label=3, type=11,
                    type_name=".apollo.canbus.Chassis.Wheel")
    outer.field.add(name="mode", number=3, label=1, type=14,
                    type_name=".apollo.canbus.Chassis.Mode")
    return pb.ProtoDesc(
        desc=file.SerializeToString(deterministic=True),
        dependencies=[pb.ProtoDesc(desc=common.SerializeToString(
            deterministic=True))]).SerializeToString(deterministic=True)


def recording(desc=None, start=1700000000, messages=True, **shape):
    """A record of two channels; the second one is of the description."""
    channels = [w.Channel("/other", "apollo.test.T", w.desc("/other", 60)),
                w.Channel(NAME, "apollo.canbus.Chassis",
                          tree() if desc is None else desc)]
    now = start * 10 ** 9
    all_ = [w.Message(channels[n % 2].name, now + n * 10 ** 8, b"\x12\x00" * n)
            for n in range(9)]
    if not messages:
        all_ = [m._replace(channel="/other") for m in all_]
    writer = w.Writer(channels, w.Shape(**shape))
    writer.declare(channels[0])
    writer.declare(channels[1])
    for m in all_:
        writer.add(m)
    return Original(writer.close())


def places(o):
    """Where name, type and description stand: {part: (in the section, in the
    index, bytes)}."""
    section = [s for s in o.sections if s.type == CHANNEL][1]
    index = [s for s in o.sections if s.type == INDEX][0]
    c = section.body
    for part, text in (("name", c.name), ("type", c.message_type),
                       ("desc", c.proto_desc)):
        text = text if isinstance(text, bytes) else text.encode()
        at = o.raw.index(text, section.at)
        yield part, at, o.raw.index(text, o.raw.index(
            c.name.encode(), index.at) if part != "name" else index.at), text


def flipped(raw, at, bit):
    """One bit is another."""
    return raw[:at] + bytes([raw[at] ^ 1 << bit]) + raw[at + 1:]


def run(*args):
    """Reports by the names of files, without their endings."""
    done = subprocess.run([SALVOR, *args], capture_output=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode & 0xd8 or done.returncode < 0:
        raise AssertionError("code %d: %s" % (done.returncode, done.stderr))
    reports = map(json.loads, done.stdout.splitlines())
    return {os.path.basename(r["file"]).split(".")[0]: r for r in reports
            if r.get("type") == "file"}


class Trial:
    """Damaged records in a folder, and what becomes of them."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(os.path.join(folder, "out"))
        self.raws = {}

    def add(self, name, raw):
        """One more."""
        self.raws[name] = raw
        with open(os.path.join(self.folder, name + ".record"), "wb") as f:
            f.write(raw)

    def repair(self):
        """(name, report, output, report of verifying that) of each."""
        out = os.path.join(self.folder, "out")
        names = [os.path.join(self.folder, n + ".record") for n in self.raws]
        reports = run("repair", "--json", "-d", out, "--", *names)
        outs = [os.path.join(out, n + ".record") for n in self.raws]
        after = run("verify", "--json", "--",
                    *[o for o in outs if os.path.exists(o)])
        for name, path in zip(self.raws, outs):
            raw = b""
            if os.path.exists(path):
                with open(path, "rb") as f:
                    raw = f.read()
            yield name, reports[name], raw, after.get(name)


def said(report):
    """Our own findings, and the ids of all."""
    ids = {p["id"] for p in report["problems"]}
    return [p for p in report["problems"] if p["id"] in OWN], ids


def every_bit(folder, o, what):
    """Every bit of name, type and description, here and there."""
    trial = Trial(os.path.join(folder, what))
    of = {}
    for part, section, index, text in places(o):
        for place, at in (("section", section), ("index", index)):
            step = 1 if LONG or part != "desc" else 3 if (
                place == "section") else 7
            for n in range(0, 8 * len(text), step):
                name = "%s-%s-%d" % (part, place, n)
                trial.add(name, flipped(o.raw, at + n // 8, n % 8))
                of[name] = part, place, n
    undecided = dict.fromkeys(("name", "type", "desc"), 0)
    for name, report, out, after in trial.repair():
        part, place, n = of[name]
        own, ids = said(report)
        case = "%s/%s" % (what, name)
        undecided[part] += "cyber.channel-undecided" in ids
        if name == "desc-index-0" or n % 97 == 0 or not own:
            check("%s: %s" % (case, ids), own or ids & set(ELSE), ids)
        if own and (own[0]["name"] != NAME and part != "name"
                    or own[0]["here"] == own[0]["there"]
                    or report["state"] != "repaired" or len(ids) > 1):
            check("%s: what is said" % case, False, [ids, own])
        if (not own or own[0]["id"] == "cyber.channel-wrong") \
                and out != o.raw:
            check("%s: as it was" % case, False, ids)
        if after is None or after["state"] != "intact":
            check("%s: what comes out is sound" % case, False, after)
        elif own:
            compare(case, trial.raws[name], out, o)
    return undecided, {part: sum(p == part for p, _, _ in of.values())
                       for part in undecided}


def compare(case, bad, out, o):
    """Section and index say the same now; where it was not decided, what the
    index said."""
    try:
        record = cyber_reader.read(out)
    except cyber_reader.Bad as error:
        check("%s: a strict reader" % case, False, error)
        return
    if out == o.raw:
        return
    index = pb.Index.FromString(bad[o.sections[-1].at + 16:])
    told = [e.channel_cache for e in index.indexes if e.type == CHANNEL][1]
    check("%s: as the index has it" % case, record.channels.get(told.name)
          == (told.message_type, told.proto_desc)
          and len(record.channels) == 2, list(record.channels))


def bits(folder):
    """A bit, in records whose description can be read, and others."""
    for what, o, blind in (
            ("described", recording(), ("desc",)),
            ("ends", recording(style="old"), None),
            ("python", recording(style="python", padding=b""), None),
            ("silent", recording(messages=False), ("name", "desc")),
            ("opaque", recording(w.desc(NAME, 60)), ("type", "desc"))):
        if blind is None:
            # What is made anew is made as C++ does.
            ends(folder, o, what)
            continue
        undecided, total = every_bit(folder, o, what)
        for part in ("name", "type", "desc"):
            check("%s: %d of %d bits of the %s are not decided" % (
                what, undecided[part], total[part], part),
                  undecided[part] == 0 or part in blind)
        if what == "described":
            check("of a description few bits are not decided: %.3f" % (
                undecided["desc"] / total["desc"]),
                  undecided["desc"] < UNDECIDED * total["desc"],
                  undecided["desc"] / total["desc"])


def ends(folder, o, what):
    """Other writers: a type in the section, and in the index."""
    trial = Trial(os.path.join(folder, what))
    _, section, index, _ = list(places(o))[1]
    trial.add("section", flipped(o.raw, section + 4, 2))
    trial.add("index", flipped(o.raw, index + 4, 2))
    for name, report, out, _ in trial.repair():
        own, ids = said(report)
        check("%s: %s" % (what, name), [p["id"] for p in own]
              == ["cyber.channel-wrong"], ids)
        check("%s: %s: its channels" % (what, name), cyber_reader.read(
            out).channels == {s.body.name: (
                s.body.message_type, s.body.proto_desc)
                for s in o.sections if s.type == CHANNEL})


def votes(folder):
    """A channel that is declared twice in its sections, and in the index."""
    channels = [w.Channel(NAME, "apollo.canbus.Chassis", w.desc(NAME, 60))] * 2
    writer = w.Writer(channels, w.Shape())
    for c in channels:
        writer.declare(c)
    writer.add(w.Message(NAME, 1700000000 * 10 ** 9, b"x"))
    good = writer.close()
    trial = Trial(os.path.join(folder, "votes"))
    trial.add("good", good)  # but that its header counts one channel
    at = 0
    for n in range(4):
        at = good.index(b"apollo.canbus.Chassis", at + 1)
        trial.add("vote-%d" % n, flipped(good, at + 3, 1))
    for name, report, out, _ in trial.repair():
        own, ids = said(report)
        if name == "good":
            good = out
            continue
        check("%s: one of four" % name, len(own) == 1 and "most" in
              own[0]["text"] and out == good, ids)


def kin(folder):
    """A segment of the recording decides, and so does a donor."""
    folder = os.path.join(folder, "kin")
    desc = w.desc(NAME, 60)
    good = recording(desc)
    other = recording(desc, start=1700000050).raw
    at = list(places(good))
    for part, section, _, text in at[1:]:
        for beside in True, False:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            bad = os.path.join(folder, "run.record.00003")
            with open(bad, "wb") as f:
                f.write(flipped(good.raw, section + len(text) - 3, 1))
            donor = os.path.join(folder, "run.record.00004" if beside
                                 else "donor.record")
            with open(donor, "wb") as f:
                f.write(other)
            report = run("repair", "--json", "-o", bad + ".out", bad, *(
                [] if beside else ["--donor", donor]))["run"]
            own, ids = said(report)
            with open(bad + ".out", "rb") as f:
                out = f.read()
            what = "%s, beside it: %s" % (part, beside)
            check("%s: is decided" % what, [p["id"] for p in own]
                  == ["cyber.channel-wrong"], ids)
            check("%s: is right" % what, out == good.raw)
            check("%s: who is named" % what, (
                report["siblings"] == [{"file": donor, "taken": 1}])
                if beside else report["donor"]["taken"] == 1,
                  [report["siblings"], report["donor"]])


def kin_of_two(folder):
    """A donor decides two channels, whose sections are both damaged: none of
    them is held against it before."""
    good = recording(w.desc(NAME, 60))
    bad, donor = (os.path.join(folder, name) for name in ("two", "donor"))
    raw = good.raw
    for text in b"apollo.test.T", b"apollo.canbus.Chassis":
        raw = flipped(raw, raw.index(text) + len(text) - 3, 1)
    with open(bad, "wb") as f:
        f.write(raw)
    with open(donor, "wb") as f:
        f.write(recording(w.desc(NAME, 60), start=1700000050).raw)
    own, ids = said(run("repair", "--json", "-o", bad + ".out", bad,
                        "--donor", donor)["two"])
    check("two of one donor: are decided", [p["id"] for p in own]
          == ["cyber.channel-wrong"] * 2, ids)
    with open(bad + ".out", "rb") as f:
        check("two of one donor: are right", f.read() == good.raw)


def kin_corrected(folder):
    """What another record declares is taken as it is corrected there, be it a
    segment or a donor, and of whatever record what is corrected comes from."""
    good = recording(w.desc(NAME, 3000))
    other = recording(w.desc(NAME, 3000), start=1700000050).raw
    section = list(places(good))[2][1]
    head = good.sections[[s.type for s in good.sections].index(CHANNEL) + 1]
    # The declaration and the index are lost.
    lost = bytearray(good.raw[:good.sections[-1].at])
    lost[head.at:section + 3000] = bytes(section + 3000 - head.at)
    for beside in True, False:
        place = os.path.join(folder, "corrected-%d" % beside)
        os.makedirs(place)
        bad = os.path.join(place, "run.record.00003")
        with open(bad, "wb") as f:
            f.write(lost)
        donor = os.path.join(place, "run.record.00004" if beside
                             else "donor.record")
        with open(donor, "wb") as f:
            f.write(flipped(other, section + 1000, 1))
        report = run("repair", "--json", "-o", bad + ".out", bad, *(
            [] if beside else ["--donor", donor]))["run"]
        case = "of a corrected record, beside it: %s" % beside
        _, ids = said(report)
        check("%s: is given" % case, "cyber.channel-donated" in ids, ids)
        with open(bad + ".out", "rb") as f:
            out = f.read()
        check("%s: is right" % case, cyber_reader.read(out).channels.get(NAME)
              == ("apollo.canbus.Chassis", w.desc(NAME, 3000)))


def in_place(folder):
    """A type and a description, in the section."""
    good = recording()
    for part, section, index, text in list(places(good))[1:]:
        for place, at in (("section", section), ("index", index)):
            path = os.path.join(folder, "in-place.record")
            bad = flipped(good.raw, at + len(text) - 3, 7)
            with open(path, "wb") as f:
                f.write(bad)
            run("repair", "--json", "--in-place", path)
            with open(path, "rb") as f:
                check("%s in the %s: in place" % (part, place),
                      f.read() == good.raw)
            run("undo", "--json", path)
            with open(path, "rb") as f:
                check("%s in the %s: undone" % (part, place), f.read() == bad)


def main():
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        #bits(folder)
        votes(folder)
        kin(folder)
        kin_corrected(folder)
        kin_of_two(folder)
        in_place(folder)
    end()


main()

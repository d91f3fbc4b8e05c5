#!/usr/bin/python3
"""Damages Cyber records in every way, has them repaired, and holds what comes
out against the original.

- every output is a record that a strict reader, with Google's protobuf, takes
- no message is in it that was never recorded; where a content was hit, which
  has no checksum, nobody can see that, and it is not held against salvor
- nearly all messages whose bytes are still there are in it
- what is damaged is not called intact, and the output is
- header and index come back byte for byte
- records that are joined come apart again, with --split
- --deep finds contents that protobuf refuses
- channels are taken from segments of the same recording only

A few cases of each kind, or many with SALVOR_LONG=1.  A case is named by what
makes it again:

    check_cyber.py [-n CASES] [-o FOLDER] [CLASS[/SORT[/NUMBER]]]

runs those only and leaves damaged records, originals and outputs in FOLDER.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree,
SALVOR_RECORDS a folder of other records to damage; CI is set where nothing may
be skipped.
"""
import argparse
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import warnings

from support.start import SALVOR, parts

with parts():
    import cyber_writer as w
    from cyber_damage import CLASSES, Damaged, Kind, Original
    from cyber_proto import CHANNEL, CHUNK_HEADER, INDEX, pb
    from cyber_samples import SORTS, original
    from cyber_trial import Case, Trial
    from google.protobuf.message import DecodeError
    from tally import check, end

CASES = 150 if os.environ.get('SALVOR_LONG') else 4  # of each kind and sort
SHOWN = 3  # of the same kind and sort

def leave(folder, verdicts, trial):
    """Put files where somebody can look at them."""
    os.makedirs(folder, exist_ok=True)
    for v in verdicts:
        stem = os.path.join(folder, v.case.name.replace('/', '-'))
        with open(stem + '.good', 'wb') as out:
            out.write(v.case.original.raw)
        for path, ext in ((trial.path(v.number), '.bad'),
                          (trial.output(v.number), '.out')):
            if os.path.exists(path):
                shutil.copy(path, stem + ext)
        print(v.case.name, 'state', v.state, 'missed', v.missed, 'of', v.total,
              'lost', v.lost, *v.wrong())


def one_kind(trial, kind, sort, numbers, folder):
    """All cases of a kind and a sort."""
    what = '%s/%s' % (kind.damage.__name__, os.path.basename(sort))
    cases = []
    for number in numbers(kind, original(sort)):
        name = '%s/%d' % (what, number)
        cases.append(Case(name, original(sort), kind, kind.damage(
            original(sort), random.Random(name), number)))
    verdicts = trial.run(cases)
    if not verdicts:
        return
    shown = 0
    for v in verdicts:
        wrong = v.wrong()
        shown += bool(wrong)
        if shown <= SHOWN or not wrong:
            check(v.case.name, not wrong, wrong)
    part = sum(v.missed for v in verdicts) / len(verdicts) / len(
        original(sort).messages)
    worst = max(verdicts, key=lambda v: v.missed)
    check('%s: %.4f of all are missed' % (what, part),
          part <= kind.limit + 1e-9, '%s, %d of %d; state %s' % (
              worst.case.name, worst.missed, worst.total, worst.state))
    if folder:
        leave(folder, verdicts, trial)


def segment(folder, number, start, hurt=False, seed=9):
    """A segment of a recording; a hurt one has lost its first channel, and
    the index."""
    raw = w.write(*w.drive(seed=seed, n_messages=40, start=start),
                  w.Shape(limit=9000, closed=not hurt, indexed=not hurt))
    if hurt:
        lost = Original(raw).sections[0]
        raw = raw[:lost.at] + bytes(lost.end - lost.at) + raw[lost.end:]
    path = os.path.join(folder, "run.record.%05d" % number)
    with open(path, "wb") as out:
        out.write(raw)
    return path


def siblings(folder):
    """Segments of the same recording are asked, others are not."""
    now = 1700000000
    hurt = segment(folder, 5, now, hurt=True)
    for number, start, good in (
            (4, now - 50, True), (6, now + 50, True), (3, now - 100, True),
            (9, now + 200, True), (4, now + 50, False), (6, now - 50, False),
            (4, now - 500, False), (6, now + 86400 * 300, False),
            (8, now + 200, False), (10, now + 50, False)):
        other = segment(folder, number, start)
        run = subprocess.run([SALVOR, "repair", "--json", "-n", hurt],
                             capture_output=True, check=False)
        report = json.loads(run.stdout.splitlines()[0])
        check("segment %d, %d s away" % (number, start - now),
              report["siblings"] == ([{"file": other, "taken": 1}] if good
                                     else []), report["siblings"])
        os.unlink(other)


def described(folder):
    """--deep finds what Google's protobuf refuses, and nothing in what is as it
    was written."""
    index = pb.Index()
    for number in range(4):
        cache = index.indexes.add(type=1, position=number * 1000)
        cache.chunk_header_cache.raw_size = number << 30
        cache = index.indexes.add(type=4, position=number).channel_cache
        cache.proto_desc = b"%d" % number * 40
    content = index.SerializeToString()
    tree = pb.ProtoDesc(
        desc=b"\x0a\x05other",
        dependencies=[pb.ProtoDesc(desc=pb.DESCRIPTOR.serialized_pb)])
    warnings.simplefilter("ignore", RuntimeWarning)  # of odd contents
    contents = [content] + [
        content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1:]
        for at in range(len(content)) for bit in range(8)]
    for desc, expect in ((tree.SerializeToString(), "cyber.payload-odd"),
                         (b"\x0a\x03", "cyber.payload-unchecked")):
        raw = w.write([w.Channel("/index", "apollo.cyber.proto.Index", desc)],
                      [w.Message("/index", 1700000000 * 10 ** 9 + n, content)
                       for n, content in enumerate(contents)])
        path = os.path.join(folder, "deep.record")
        with open(path, "wb") as out:
            out.write(raw)
        run = subprocess.run([SALVOR, "verify", "--json", "--deep", "-v",
                              path], capture_output=True, check=False)
        report = json.loads(run.stdout.splitlines()[0])
        check("the state with %s" % expect, report["state"] == (
            "damaged" if expect == "cyber.payload-odd" else "intact"))
        check("what is found", {p["id"] for p in report["problems"]}
              == {expect}, report["problems"][:3])
        if expect == "cyber.payload-unchecked":
            continue
        odd = {p["offset"] for p in report["problems"]}
        check("as it was written", Original(raw).spans[0][0] not in odd)
        missed = 0
        for (at, _), one in zip(Original(raw).spans, contents):
            try:
                pb.Index.FromString(one)
            except DecodeError:
                missed += at not in odd
        check("all that protobuf refuses is found", missed == 0, missed)
        check("more than half of the bits are not seen",
              len(odd) < len(contents) / 2, len(odd))


def header_numbers(trial):
    """A byte of a number that all recorders put alike: what nobody would have
    put there is seen, and is what it was again."""
    o = Original(w.write(*w.drive(seed=9, n_messages=20), w.Shape()))
    size = int.from_bytes(o.raw[8:16], "little")
    kind, cases, could_be = Kind(None, 0, hidden=True, exact=True), [], []
    for at, bit in itertools.product(range(16, 16 + size), range(8)):
        raw = o.raw[:at] + bytes([o.raw[at] ^ 1 << bit]) + o.raw[at + 1:]
        try:
            h = pb.Header.FromString(raw[16:16 + size])
            limits = h.chunk_raw_size, h.segment_raw_size
            could_be.append(h.compress != 0 or (
                limits != (200 << 20, 2 << 30)
                and not any(n % (1 << 20) for n in limits)))
        except DecodeError:
            could_be.append(False)
        cases.append(Case("header_numbers/one/%d" % len(cases), o, kind,
                          Damaged(raw, at, at + 1)))
    for v, blind in zip(trial.run(cases), could_be):
        check("%s: byte %d" % (v.case.name, v.case.damaged.start),
              not v.wrong() and v.missed == 0 and (
                  blind or v.state != "intact"), [v.state, v.wrong()])


def half_head(trial):
    """A message ends as another, and the two bytes after it, which are of a
    content, tell how long what follows is, as the head of a message does."""
    channels, messages = w.drive(seed=8, n_messages=40)
    name, time, _ = messages[20]
    small = w.Message(name, time, b"\x01" * 30)
    inner = len(pb.SingleMessage(channel_name=name, time=time,
                                   content=small.content)
                .SerializeToString())
    messages[19:22] = [w.Message(name, time, b"\x77" * 500), w.Message(
        name, time, b"\x55" * 40 + bytes([0x89, inner + 2])), small]
    o = Original(w.write(channels, messages, w.Shape()))
    at, end = o.spans[19][1] - 1, o.spans[20][1] - 3
    verdict = trial.run([Case("half_head/one/0", o, Kind(None, .003), Damaged(
        o.raw[:at] + o.raw[end:], at, end))])[0]
    check("half a head vouches for nothing", not verdict.wrong(),
          verdict.wrong())


def room(trial):
    """A recorder that preallocates was killed after a whole chunk.  Its last
    message ends in zeros: up to 15 are kept and reported, as the chunk's header
    says how long the message is, unless a sector begins with them; where the
    message lacks more it is left out."""
    channels, messages = w.drive(seed=12, n_messages=40)
    for zeros, pad in itertools.product((1, 2, 3, 7, 14, 15, 16, 40),
                                        (0, 1, 200, 511)):
        last = messages[-1]._replace(content=b"\x5a" * (60 + pad)
                                     + bytes(zeros))
        o = Original(w.write(channels, messages[:-1] + [last], w.Shape(
            limit=9000, closed=False, indexed=False)))
        kept = zeros < 16 and (len(o.raw) - zeros) // 512 == (
            len(o.raw) - 1) // 512 and (len(o.raw) - zeros) % 512
        raw = o.raw + bytes(100000)
        ends = len(o.raw) - zeros
        v = trial.run([Case("room/open/%d" % zeros, o, Kind(None, 1), Damaged(
            raw, len(o.raw) if kept else ends, len(raw)))])[0]
        want = (0, "cyber.end-unsure") if kept else (0, "cyber.suspect")
        check("%d zeros, %d more bytes" % (zeros, pad), not v.wrong() and (
            v.missed, want[1] in v.problems) == (want[0], True),
              [v.wrong(), v.missed, v.problems])
        short = len(o.raw) - zeros - 20
        v = trial.run([Case("room/torn/%d" % zeros, o, Kind(None, 1), Damaged(
            o.raw[:short] + bytes(100000), short, len(raw)))])[0]
        check("%d zeros, torn" % zeros, not v.wrong() and v.missed == 0
              and "cyber.suspect" in v.problems, [v.wrong(), v.problems])


def chunk_head(trial):
    """The head of a section is anything: the message before it ends where the
    section is, which its content shows."""
    for sort in 'chunks', 'open', 'large', 'python':
        o = original(sort)
        for n, s in enumerate(o.sections):
            for new in (b"\x55" * 16, b"\xff" * 16, bytes(16)):
                if s.type not in (CHUNK_HEADER, CHANNEL) or n > 30:
                    continue
                v = trial.run([Case("chunk_head/%s/%d" % (sort, n), o, Kind(
                    None, 0), Damaged(o.raw[:s.at] + new + o.raw[s.at + 16:],
                                      s.at, s.at + 16))])[0]
                check("%s: 16 bytes %#x at %d" % (sort, new[0], s.at),
                      not v.wrong() and v.missed == 0, [v.wrong(), v.missed])


def clock_set(folder):
    """A record in which the clock was set is sound, whoever wrote it."""
    path = os.path.join(folder, "clock.record")
    for style in "cpp", "old", "lite", "python":
        channels, messages = w.drive(seed=11, n_messages=60)
        messages[30:] = [m._replace(time=m.time - 3600 * 10 ** 9)
                         for m in messages[30:]]
        pathlib.Path(path).write_bytes(w.write(
            channels, messages, w.Shape(style=style, limit=200000)))
        run = subprocess.run([SALVOR, "verify", "--json", path],
                             capture_output=True, check=False)
        report = json.loads(run.stdout.splitlines()[0])
        check("%s: the clock was set" % style, report["state"] == "intact",
              [p["id"] for p in report["problems"]])


def start_gone(folder):
    """The file starts with any section after the header: every declaration
    and every message from there on is kept, and the loss is reported."""
    path = os.path.join(folder, "start.record")
    for sort in SORTS:
        o = original(sort)
        for section in [s for s in o.sections if s.type != INDEX][:8]:
            raw = o.raw[section.at:]
            pathlib.Path(path).write_bytes(raw)
            run = subprocess.run(
                [SALVOR, "repair", "--json", "-f", "-o", path + ".out", path],
                capture_output=True, check=False)
            out = Original(pathlib.Path(path + ".out").read_bytes())
            name = "%s from %d on" % (os.path.basename(sort), section.at)
            want = [m for m, (at, _) in zip(o.messages, o.spans)
                    if at >= section.at]
            declared = [o.raw[s.at:s.end] for s in o.sections
                        if s.type == CHANNEL and s.at >= section.at]
            kept = [out.raw[s.at:s.end] for s in out.sections
                    if s.type == CHANNEL]
            check(name + ": messages", out.messages == want,
                  "%d of %d" % (len(out.messages), len(want)))
            check(name + ": channels", all(d in kept for d in declared),
                  "%d of %d" % (len(kept), len(declared)))
            check(name + ": reported", b"cyber.header-missing" in run.stdout)
            # The index knows how many there were; nothing else does.
            blocks = json.loads(run.stdout.splitlines()[0])["blocks"]
            known = o.sections[-1].type == INDEX
            check(name + ": lost", blocks["lost_exact"] == known and (
                not known or blocks["lost"] == len(o.messages) - len(want)),
                  blocks)
            os.unlink(path + ".out")


def split(folder):
    """Records that are joined come apart again."""
    whole = [original(sort).raw for sort in ("one", "python", "old", "open")]
    path = os.path.join(folder, "joined.record")
    for first, second in itertools.permutations(whole, 2):
        with open(path, "wb") as out:
            out.write(first + second)
        subprocess.run([SALVOR, "repair", "-f", "--split", "-o", path + ".out",
                        path], capture_output=True, check=False)
        off = len(first)
        behind = os.path.join(folder, "joined.foreign-%d.record" % off)
        for name, raw in ((path + ".out", first), (behind, second)):
            there = os.path.exists(name) and pathlib.Path(name).read_bytes()
            check("%d bytes behind %d: %s" % (len(second), off, name[-12:]),
                  there and Original(there).messages == Original(raw).messages
                  and (raw in whole[2:] or raw == there))  # mended
            if there:
                os.unlink(name)


def main():
    """Run what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument('-n', '--cases', type=int, default=CASES)
    parser.add_argument('-o', '--output')
    parser.add_argument('only', nargs='?', default='')
    options = parser.parse_args()
    want, sort_, number = (options.only.split('/') + ['', ''])[:3]

    def numbers(kind, record):
        if number:
            return [int(number)]
        return kind.all_of(record) if kind.all_of and (
            options.cases >= 100 or want) else range(options.cases)

    others = sorted(map(str, pathlib.Path(os.environ['SALVOR_RECORDS'])
                        .iterdir())) if 'SALVOR_RECORDS' in os.environ else []
    with tempfile.TemporaryDirectory() as folder:
        if want in ('', 'siblings'):
            siblings(folder)
        if want in ('', 'start_gone'):
            start_gone(folder)
        if want in ('', 'clock_set'):
            clock_set(folder)
        if want in ('', 'split'):
            split(folder)
        if want in ('', 'deep'):
            described(folder)
        trial = Trial(SALVOR, os.path.join(folder, 'run'))
        if want in ('', 'header_numbers'):
            header_numbers(trial)
        if want in ('', 'room'):
            room(trial)
        if want in ('', 'chunk_head'):
            chunk_head(trial)
        if want in ('', 'half_head'):
            half_head(trial)
        for kind in CLASSES:
            for sort in [*SORTS, 'strange', *others]:
                if want in ('', kind.damage.__name__) and \
                        sort_ in ('', os.path.basename(sort)):
                    one_kind(trial, kind, sort, numbers, options.output)
    end()


main()

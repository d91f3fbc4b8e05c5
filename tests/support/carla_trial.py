"""Has salvor repair damaged CARLA recorder logs, and judges by the original
what it wrote.

    Trial(salvor, folder).run(cases) -> a Verdict for each Case
"""

import json
import os
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field

import carla_reader
from carla_damage import Damaged

PATIENCE = 120  # seconds for a batch
BATCH = 100  # files
EVENTS = {2, 3, 4}
HEADER = 34  # bytes, of a log in which nothing was recorded yet


@dataclass
class Case:
    """A damaged log."""
    name: str
    log: carla_reader.Log  # the original
    damaged: Damaged


@dataclass
class Verdict:
    """What became of one, in frames."""
    case: Case
    state: str = ""
    ideal: int = 0  # whose bytes are all there
    kept: int = 0  # of those
    events: int = 0  # that have to be there
    blurred: int = 0  # hit, and nobody can see it
    broken: list = field(default_factory=list)  # what is wrong


def content(frame):
    """What is recorded in a frame, except for events, which may be moved."""
    return [p for p in frame.packets[1:] if p[0] not in EVENTS]


def compare(verdict, found):
    """Hold the frames of an output against those of the original."""
    case, there = verdict.case, {f.id: f for f in found.frames}
    damaged = case.damaged
    known = {f.id: f for f in case.log.frames}
    if len(there) != len(found.frames):
        verdict.broken.append("a frame is there twice")
    for frame in case.log.frames:
        if not damaged.safe(frame.at, frame.end):
            continue
        verdict.ideal += 1
        mine = there.get(frame.id)
        verdict.kept += mine is not None and content(mine) == content(frame) \
            and mine.elapsed == frame.elapsed
    last = case.log.frames[-1]
    for number, frame in there.items():
        one = known.get(number)
        if damaged.blind and frame is found.frames[-1] and \
                content(frame) == content(last) and number >= last.id:
            continue  # no frame after it tells its number and time
        if one is None or one.elapsed != frame.elapsed:
            verdict.broken.append("frame %d was never recorded" % number)
        elif content(one) != content(frame):
            if damaged.blind:
                verdict.blurred += 1
            else:
                verdict.broken.append("frame %d is another" % number)
    # Whose last bytes are there was recorded whole; and where a frame is kept
    # its duration shows that the next one began.
    missing = [f.id for f in case.log.frames if f.id not in there
               and (damaged.safe(f.end - 1, f.end) or f.id - 1 in there)]
    if verdict.state == "repaired" and missing and not damaged.blind:
        verdict.broken.append("none lost, and frame %d is" % missing[0])
    if damaged.mended and found.raw != case.log.raw:
        verdict.broken.append("the original does not come back")


def compare_events(verdict, found):
    """Are the events there whose frames are, and those of lost frames whose
    packets are, with the one after them?  Of actors that appear each record
    that is still there; of others what befalls actors that the output has."""
    log, damaged = verdict.case.log, verdict.case.damaged
    there = Counter(e[1:] for f in found.frames for e in found.events(f))
    known = Counter(e[1:] for f in log.frames for e in log.events(f))
    if not damaged.blind and there - known:
        verdict.broken.append("events that never were: %s" % (there - known))
    born = {record[:4] for number, record in there if number == 2}
    last = found.frames[-1].id if found.frames else 0
    for frame in log.frames:
        if frame.id >= last:
            continue
        heads = {number: at for number, at, _ in frame.places()}
        whole = damaged.safe(heads[2], heads[6])
        at = heads[2] + 7
        for event in log.events(frame):
            there_still = whole or (
                event[1] == 2 and damaged.safe(at, at + len(event[2])))
            at += len(event[2])
            if not there_still or (event[1] > 2 and event[2][:4] not in born):
                continue
            verdict.events += 1
            if there[event[1:]] == 0:
                verdict.broken.append("an event of frame %d is lost"
                                      % frame.id)


class Trial:
    """Runs salvor in a folder."""

    def __init__(self, salvor, folder):
        self.salvor, self.folder = salvor, folder

    def call(self, args, paths):
        """Run salvor on files: {path: its report}."""
        reports = {}
        for i in range(0, len(paths), BATCH):
            run = subprocess.run(
                [self.salvor, *args, "--json", "--", *paths[i:i + BATCH]],
                capture_output=True, stdin=subprocess.DEVNULL,
                timeout=PATIENCE, check=False)
            for line in run.stdout.decode("utf-8", "replace").splitlines():
                report = json.loads(line)
                if report.get("type") == "file":
                    reports[report["file"]] = report
            if run.returncode < 0:
                raise RuntimeError("signal %d" % -run.returncode)
        return reports

    @staticmethod
    def output(verdict, path, report):
        """What salvor made of a file: where it is, or None."""
        verdict.state = report["state"]
        if report.get("error"):
            verdict.broken.append("error: " + report["error"]["text"])
        if sum(report["bytes"].values()) != report["size"]:
            verdict.broken.append("the books do not add up")
        made = report.get("output")
        if made and made["outcome"] in ("written", "already"):
            return made["path"]
        return path if verdict.state == "intact" else None

    def judge(self, verdict, path):
        """Read an output."""
        damaged = verdict.case.damaged
        found = carla_reader.Log(b"", "", 0)
        if path is not None:
            with open(path, "rb") as file:
                raw = file.read()
            try:
                found = carla_reader.read(raw)
            except carla_reader.Bad as fault:
                verdict.broken.append("strict: %s" % fault)
        if not damaged.wild:
            compare(verdict, found)
            compare_events(verdict, found)
        # Of a log without a frame nothing can be saved.
        if path is None and verdict.ideal > 0 and damaged.safe(0, HEADER):
            verdict.broken.append("nothing is written")
        changed = damaged.raw != verdict.case.log.raw
        blind = damaged.blind or damaged.wild
        if verdict.state == "intact" and changed and not blind \
                and len(damaged.raw) > HEADER:
            verdict.broken.append("called intact")

    def run(self, cases):
        """Damage, repair, judge."""
        shutil.rmtree(self.folder, ignore_errors=True)
        out = os.path.join(self.folder, "out")
        os.makedirs(out)
        verdicts, outputs = {}, {}
        for number, case in enumerate(cases):
            path = os.path.join(self.folder, "%d.log" % number)
            verdicts[path] = Verdict(case)
            with open(path, "wb") as file:
                file.write(case.damaged.raw)
        reports = self.call(["repair", "--no-sidecar", "--map-name=Town01",
                             "-d", out],
                            list(verdicts))
        for path, verdict in verdicts.items():
            if path not in reports:
                verdict.broken.append("says nothing of the file")
                continue
            made = self.output(verdict, path, reports[path])
            self.judge(verdict, made)
            if made:
                outputs[made] = verdict
        for path, report in self.call(["verify"], list(outputs)).items():
            if report["state"] != "intact":
                outputs[path].broken.append("verify: " + report["state"])
        return list(verdicts.values())

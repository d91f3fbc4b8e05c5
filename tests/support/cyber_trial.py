"""Has salvor repair damaged records, and judges by the original what it wrote.

    Trial(salvor, folder).run(cases) -> a Verdict for each Case
"""

import json
import os
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field

import cyber_reader
from cyber_damage import START, Damaged, Kind, Original, put, there

PATIENCE = 120  # seconds for all records of a kind


@dataclass
class Case:
    """A damaged record."""
    name: str  # says how to make it again
    original: Original
    kind: Kind
    damaged: Damaged


@dataclass
class Verdict:
    """What became of one, in messages."""
    case: Case
    number: int
    total: int = 0  # that are still there
    missed: int = 0  # of them, not in the output
    lost: int = 0  # as the report says
    state: str = "none"
    problems: list = field(default_factory=list)  # ids that are reported
    broken: list = field(default_factory=list)

    def wrong(self):
        """All that must not be."""
        return self.broken


def compare(v, found):
    """Count what is in an output."""
    case = v.case
    owed = Counter(there(case.original, case.damaged))
    have = Counter(found)
    v.total = sum(owed.values())
    v.missed = sum((owed - have).values())
    invented = have - case.original.counts
    if case.kind.blind:
        hit = case.original.counts - owed
        if sum(invented.values()) > sum(hit.values()):
            v.broken.append("%d are invented" % sum(invented.values()))
    elif invented:
        v.broken.append("invented: %s" % [
            (n, t, len(c)) for n, t, c in list(invented)[:3]])


class Trial:
    """Runs salvor in a folder."""

    def __init__(self, salvor, folder):
        self.salvor, self.folder = salvor, folder

    def path(self, number):
        """Where a damaged record is."""
        return os.path.join(self.folder, "%d.record" % number)

    def output(self, number):
        """Where what became of it is."""
        return os.path.join(self.folder, "out", "%d.record" % number)

    def call(self, *args):
        """Run salvor; the reports by name."""
        run = subprocess.run(
            [self.salvor, *args], capture_output=True, check=False,
            stdin=subprocess.DEVNULL, timeout=PATIENCE)
        if run.returncode < 0 or run.returncode & 64:
            raise AssertionError("code %d: %s" % (
                run.returncode, run.stderr.decode("utf-8", "replace")[-600:]))
        reports = map(json.loads, run.stdout.decode().splitlines())
        return {os.path.basename(r["file"]): r for r in reports
                if r.get("type") == "file"}

    def judge(self, v, report):
        """Read an output, or what was found sound."""
        v.state = report["state"]
        v.lost = report["blocks"]["lost"]
        v.problems = [p["id"] for p in report["problems"]]
        if sum(report["bytes"].values()) != report["size"]:
            v.broken.append("the books do not add up")
        if report["error"]:
            v.broken.append(report["error"]["text"])
        path = self.output(v.number)
        if v.state == "intact":
            if not v.case.kind.hidden:
                v.broken.append("called intact")
            path = self.path(v.number)
        if not os.path.exists(path):
            if v.state in ("repaired", "lossy", "intact"):
                v.broken.append("no output")
            compare(v, [])
            return
        with open(path, "rb") as f:
            raw = f.read()
        try:
            compare(v, cyber_reader.read(raw).messages)
        except cyber_reader.Bad as error:
            v.broken.append("strict: %s" % error)
        self.count(v, report)
        self.exact(v, raw)

    def count(self, v, report):
        """Is what is said of losses true?"""
        total = len(v.case.original.messages)
        said = report["blocks"]["kept"] + v.lost
        if not report["blocks"]["lost_exact"] or v.lost == 0:
            return
        # Of a record that was never closed nobody knows how long it was.
        if said > total or (said < total and not report["open_end"]):
            v.broken.append("%d kept and exactly %d lost of %d" % (
                report["blocks"]["kept"], v.lost, total))

    def exact(self, v, raw):
        """Is all as it was?  What fills the heads of sections says nothing."""
        good = v.case.original.raw
        if not v.case.kind.exact or v.state == "lossy" \
                or v.case.name.split("/")[1] not in ("chunks", "one", "open",
                                                     "large"):
            return
        raw = raw[START:len(good)]
        for s in v.case.original.sections:
            raw = put(raw, s.at + 4 - START, bytes(4))
        if raw != good[START:]:
            v.broken.append("not as it was")

    def run(self, cases):
        """Judge all."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "out"))
        verdicts = [Verdict(case, n) for n, case in enumerate(cases)]
        for v in verdicts:
            with open(self.path(v.number), "wb") as f:
                f.write(v.case.damaged.raw)
        names = [self.path(v.number) for v in verdicts]
        reports = self.call("repair", "--json", "-d",
                            os.path.join(self.folder, "out"), "--", *names)
        for v in verdicts:
            self.judge(v, reports["%d.record" % v.number])
        outs = [self.output(v.number) for v in verdicts
                if os.path.exists(self.output(v.number))]
        after = self.call("verify", "--json", "--", *outs) if outs else {}
        for v in verdicts:
            report = after.get("%d.record" % v.number)
            left = [p["id"] for p in report["problems"]] if report else []
            if report and report["state"] != "intact" and not (
                    v.case.kind.again and v.case.kind.again[0] in left):
                v.broken.append("its output is %s: %s" % (
                    report["state"], left))
        return verdicts

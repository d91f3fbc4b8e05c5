"""Has salvor repair damaged bags, and judges by the original what it wrote.

    Trial(salvor, folder).run(cases, options) -> a Verdict for each Case
"""

import json
import os
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field

import bag_judge
import bag_reader
from bag_damage import SURE, Bound, Damaged, bound

PATIENCE = 60  # seconds for one bag
DOUBTS = ("rosbag.message-time",)
UNSURE_END = "rosbag.end-unsure"
WRITTEN = ("written", "already")
CODES = {a | b | c for a in (0, 1, 3) for b in (0, 4) for c in (0, 32)}


@dataclass
class Case:
    """A damaged bag."""
    name: str  # says how to make it again
    bag: bag_reader.Bag  # the original
    damaged: Damaged
    bound: Bound = None

    def __post_init__(self):
        self.bound = bound(self.damaged, self.bag)


@dataclass
class Verdict:
    """What became of one, in messages."""
    case: Case
    total: int = 0
    kept: int = 0  # in the output as they were recorded
    missed: int = 0  # not in the output, though they could be
    extra: int = 0  # in the output, and more than was to be hoped for
    invented: int = 0  # never recorded, and that can be seen
    doubled: int = 0  # more often than they were recorded
    blurred: int = 0  # with a payload that was hit, which nobody can see
    state: str = ""
    unsound: str = ""  # called intact, and what the strict reader sees
    told: Counter = field(default_factory=Counter)  # lost of each connection,
    #   as far as it is said to be no estimate
    said: int = 0  # lost, in all
    exact: bool = False  # ... and no more
    open_end: bool = False  # it says that more may have been recorded
    unsure_end: bool = False  # it says that zeros may end its last message
    doubted: int = 0  # messages of which salvor says that it has two times
    broken: list = field(default_factory=list)  # what is wrong with the output

    def wrong(self):
        """What must never be, as text."""
        out = list(self.broken)
        for what in "invented", "doubled", "unsound":
            if getattr(self, what):
                out.append("%s: %s" % (what, getattr(self, what)))
        return out


def retimed(verdict, left, m):
    """The message that was recorded, where the report says that the time of
    one in the output may be wrong, or its last bytes; or None."""
    if verdict.unsure_end:
        for was, n in left.items():
            size = len(was[4])
            if n > 0 and was[:4] == m[:4] and size == len(m[4]) and m[4] == \
                    was[4][:len(m[4].rstrip(b"\0"))].ljust(size, b"\0") and \
                    size - len(m[4].rstrip(b"\0")) < 16:
                verdict.unsure_end = False
                return was
    if verdict.doubted == 0:
        return None
    for was, n in left.items():
        if n > 0 and was[:2] == m[:2] and was[4] == m[4]:
            verdict.doubted -= 1
            return was
    return None


def hides_loss(verdict, recorded, left):
    """Is a message lost that no open end explains?"""
    left, at_end = Counter(left), True
    for m in reversed(recorded):
        if left[m] > 0:
            left[m] -= 1
            if not (at_end and verdict.open_end):
                return True
        else:
            at_end = False
    return False


def compare(verdict, found, least):
    """Count what is in an output; least is the fate of what has to be."""
    case = verdict.case
    recorded = case.bag.listing()
    left = Counter(recorded)
    known, unsure = set(left), []
    hit = Counter((m[:4], len(m[4])) for i, m in enumerate(recorded)
                  if i in case.bound.blurred)
    for m in found:
        if left[m] > 0:
            left[m] -= 1
            verdict.kept += 1
        elif m in known:
            verdict.doubled += 1
        elif hit[m[:4], len(m[4])] > 0:
            hit[m[:4], len(m[4])] -= 1
            verdict.blurred += 1
        else:
            unsure.append(m)
    for m in unsure:
        was = retimed(verdict, left, m)
        if was is None:
            verdict.invented += 1
        else:
            left[was] -= 1
            verdict.kept += 1
    owed = Counter(m for m, fate in zip(recorded, case.bound.fates)
                   if fate >= least)
    verdict.total = len(recorded)
    verdict.missed = sum((owed & left).values())
    verdict.extra = verdict.kept - (sum(owed.values()) - verdict.missed)
    if verdict.state == "repaired" and hides_loss(verdict, recorded, left):
        verdict.broken.append("not all are there, and none is called lost")
    there = Counter(m[0] for m in found)
    lost = Counter(m[0] for m in recorded)
    lost.subtract(there)
    gone = lost.total() + verdict.invented + verdict.doubled
    told = verdict.exact and case.damaged.has(
        case.bag.index_pos, len(case.bag.raw))
    if verdict.said > max(gone, 0) or told and verdict.said < lost.total():
        verdict.broken.append("%d are said to be lost, and %d are" % (
            verdict.said, gone))
    if verdict.said < verdict.told.total():
        verdict.broken.append("%d are said to be lost, and the gaps tell of "
                              "%d" % (verdict.said, verdict.told.total()))
    for conn, n in verdict.told.items():
        if n > lost[conn] + verdict.invented + verdict.doubled:
            verdict.broken.append("%d of connection %d are said to be lost, "
                                  "and %d are" % (n, conn, lost[conn]))


def refusal(raw):
    """Why the strict reader does not take it, or None."""
    try:
        bag_reader.read(raw)
    except bag_reader.Bad as fault:
        return str(fault)
    return None


class Trial:
    """Runs salvor in a folder."""

    def __init__(self, salvor, folder, cpp=None):
        self.salvor, self.folder, self.cpp = salvor, folder, cpp

    def path(self, *names):
        """A path in the folder."""
        return os.path.join(self.folder, *names)

    def call(self, args, paths):
        """Run salvor on files; {path: its report}, and what went wrong."""
        try:
            run = subprocess.run(
                [self.salvor, *args, "--json", "--", *paths],
                capture_output=True, stdin=subprocess.DEVNULL,
                timeout=PATIENCE + PATIENCE * len(paths) // 10, check=False)
        except subprocess.TimeoutExpired:
            return {}, "does not end"
        reports, fault = {}, None
        for line in run.stdout.decode("utf-8", "replace").splitlines():
            try:
                report = json.loads(line)
            except ValueError:
                fault = "no JSON: " + line[:200]
                continue
            if report.get("type") == "file":
                reports[report["file"]] = report
        if run.returncode not in CODES:
            fault = "code %d: %s" % (run.returncode, run.stderr.decode(
                "utf-8", "replace")[-300:])
        return reports, fault

    def call_each(self, args, paths):
        """The same; where it fails, once more for each file alone.
        {path: (report, fault)}"""
        reports, fault = self.call(args, paths)
        if fault is None and len(reports) == len(paths):
            return {path: (reports[path], None) for path in paths}
        out = {}
        for path in paths:
            reports, fault = self.call(args, [path])
            out[path] = (reports.get(path), fault or (
                None if reports else "says nothing of the file"))
        return out

    def output(self, verdict, path, report, fault):
        """What salvor made of a file: where it is, or None."""
        if fault:
            verdict.broken.append(fault)
        if report is None:
            return None
        verdict.state = report["state"]
        verdict.open_end = report["end"] == "unknown"
        verdict.said = report["blocks"]["lost"]
        verdict.exact = report["blocks"]["lost_exact"]
        verdict.doubted = sum(p["id"] in DOUBTS for p in report["problems"])
        verdict.unsure_end = any(p["id"] == UNSURE_END
                                 for p in report["problems"])
        for gap in report["gaps"]:
            verdict.told.update({c["index"]: c["missing"] for c in
                                 gap["channels"] if c["exact"]})
        if report.get("error"):
            verdict.broken.append("error: " + report["error"]["text"])
        if sum(report["bytes"].values()) != report["size"]:
            verdict.broken.append("the books do not add up")
        made = report.get("output")
        if made and made["outcome"] in WRITTEN:
            return made["path"]
        if verdict.state == "intact":
            with open(path, "rb") as there:
                raw = there.read()
            verdict.unsound = refusal(raw) or ""
            return None if verdict.unsound else path
        return None

    def judge(self, verdict, path, least):
        """Read an output with all readers, except for C++."""
        found, listing = [], None
        if path is not None:
            with open(path, "rb") as there:
                raw = there.read()
            try:
                found = bag_reader.read(raw).listing()
                listing = bag_judge.summary(found)
            except bag_reader.Bad as fault:
                verdict.broken.append("strict: %s" % fault)
            try:
                if bag_judge.listing(path) != listing and listing is not None:
                    verdict.broken.append("Python reads other messages")
            except bag_judge.Refused as fault:
                verdict.broken.append("Python: %s" % fault)
        compare(verdict, found, least)
        return listing

    def outputs(self, listings, verdicts):
        """Read all outputs with C++, and have salvor verify them."""
        paths = sorted(listings)
        if paths and self.cpp and self.cpp.program:
            answers = self.cpp.listings(paths)
            for path in paths:
                answer = answers[path]
                if isinstance(answer, Exception):
                    verdicts[path].broken.append("C++: %s" % answer)
                elif listings[path] not in (None, answer):
                    verdicts[path].broken.append("C++ reads other messages")
        if paths:
            for path, (report, fault) in self.call_each(
                    ["verify"], paths).items():
                if fault or report["state"] != "intact":
                    verdicts[path].broken.append("verify: %s" % (
                        fault or report["state"]))

    def run(self, cases, options=(), least=SURE):
        """Damage, repair, judge."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.path("out"))
        verdicts, made = [Verdict(case) for case in cases], {}
        for number, verdict in enumerate(verdicts):
            path = self.path("%d.bag" % number)
            made[path] = verdict
            with open(path, "wb") as out:
                out.write(verdict.case.damaged.bytes())
        answers = self.call_each(["repair", "--no-sidecar", *options, "-d",
                                  self.path("out")], list(made))
        listings, by_output = {}, {}
        for path, verdict in made.items():
            output = self.output(verdict, path, *answers[path])
            listing = self.judge(verdict, output, least)
            if output is not None:
                listings[output], by_output[output] = listing, verdict
        self.outputs(listings, by_output)
        return verdicts

    def reindex(self, cases):
        """The same by `rosbag reindex`: (kept, wrong) for each case."""
        out = []
        for case in cases:
            path = self.path("reindex.bag")
            with open(path, "wb") as there:
                there.write(case.damaged.bytes())
            try:
                bag_judge.reindex(path)
                found = Counter(bag_judge.listing(path))
            except bag_judge.Refused:
                found = Counter()
            recorded = Counter(bag_judge.summary(case.bag.listing()))
            out.append((sum((found & recorded).values()),
                        sum((found - recorded).values())))
        return out

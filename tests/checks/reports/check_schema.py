#!/usr/bin/env python3
"""check_schema.py - does everything that --json prints fit the schema?

- the schema is a valid one, and fits nothing that it should not
- what verify, repair, info, list and explain print of every log in testdata,
  of files that are none, and of names that are no UTF-8 fits it, on standard
  output and in a --report, and says the same in both
- so does every object in tests/golden
- no key is printed that the schema does not name

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import jsonschema
    from schema import BY_TYPE, SCHEMA, fault_of
    from tally import check, end


def check_line(where, line):
    """Hold one line against the schema; its type, or None."""
    found, fault = fault_of(line)
    check(where, fault is None, fault)
    return found and found["type"]


def objects(where, *arguments, expect=None):
    """Run salvor and check every line that it prints."""
    done = subprocess.run([SALVOR, *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    lines = done.stdout.decode("ascii", "replace").splitlines()
    types = [check_line(where, line) for line in lines]
    if expect is not None:
        check(where, types == expect, f"printed {types}")
    return lines


def refusals():
    """What the schema must refuse."""
    line = objects("the refusals", "info", "--json", "good-tiny.bddf")[0]
    good = json.loads(line)
    for key, value in (("type", "block"), ("schema", 2), ("size", "2183"),
                       ("size", -1), ("state", "fine"), ("more", 1),
                       ("sha256", "00"), ("time", {"first": None})):
        bad = dict(good, **{key: value})
        check(f"{key} = {value}", not BY_TYPE["file"].is_valid(bad),
              "the schema lets it pass")
    whole = jsonschema.Draft202012Validator(SCHEMA)
    check("the whole schema", whole.is_valid(good), "refuses a file")
    check("the whole schema", not whole.is_valid({"type": "file"}),
          "lets an empty file pass")
    check("the whole schema", whole.is_valid(dict(good, new=1)),
          "refuses a key of tomorrow")


def check_map(log, line):
    """Do the ranges cover the file, and does the timeline count its blocks?"""
    said = json.loads(line)
    at = 0
    bytes_of = dict.fromkeys(said["bytes"], 0)
    for part in said["ranges"]:
        check(f"{log}: ranges", part["offset"] == at, part)
        at += part["length"]
        bytes_of[part["fate"]] += part["length"]
    check(f"{log}: ranges", at == said["size"] or not said["ranges"], at)
    check(f"{log}: ranges", bytes_of == said["bytes"], bytes_of)
    counts = {c["index"]: sum(c["counts"])
              for c in (said["timeline"] or {"channels": []})["channels"]}
    for channel in said["channels"]:
        if channel["index"] in counts:
            check(f"{log}: timeline", counts[channel["index"]]
                  == channel["messages"], channel)
    check(f"{log}: timeline", said["timeline"] is not None
          or said["time"]["first"] is None
          or said["time"]["first"][:4] < "1980", said["time"])
    check(f"{log}: timeline", not said["timeline"] or len(counts)
          == sum(1 for c in said["channels"] if c["first"]), counts)


def corpus(logs):
    """Every job on every log."""
    for log in logs:
        objects(log, "verify", "--json", log, expect=["file"])
        objects(log, "info", "--json", "--hash=sha256", log, expect=["file"])
        check_map(log, objects(log, "verify", "--json", "--timeline", log,
                               expect=["file"])[0])
        types = objects(log, "list", "--json", log)
        check(log, '"type":"summary"' in types[-1][:20], "the end of the list")
        objects(log, "repair", "--json", "--hash=sha256", log,
                expect=["file"])
        shutil.copyfile(log, "here")
        before = pathlib.Path(log).read_bytes()
        for job in ("repair", "-n", "--in-place"), ("repair", "--in-place"):
            objects(log, *job, "--json", "here", expect=["file"])
        if os.path.exists("here.salvor-undo"):
            objects(log, "undo", "--json", "here", expect=["file"])
        check(log, pathlib.Path("here").read_bytes() == before,
              "undo does not give the file back")
        name = log[:-len(".bddf")] + ".repaired.bddf"
        if os.path.exists(name):
            objects(log, "verify", "--json", name, expect=["file"])
        sidecar = pathlib.Path(name + ".salvor.json")
        if sidecar.exists():
            for line in sidecar.read_text(encoding="ascii").splitlines():
                check_line(f"{log}: sidecar", line)


def strange(logs):
    """Names and files that are none."""
    odd = os.fsencode("b\udcff\x1b[2J\n\"\\.bddf")
    shutil.copy("good-tiny.bddf", odd)
    text = objects("odd name", "verify", "--json", odd, expect=["file"])[0]
    check("odd name", "file_base64" in json.loads(text), "no base64")
    shutil.copy("bad-cut-patrol.bddf", odd)
    objects("odd name", "repair", "--json", odd, expect=["file"])
    os.mkdir("folder")
    objects("folder", "verify", "--json", "folder", expect=["file"])
    objects("missing", "verify", "--json", "missing", "folder",
            expect=["file", "file", "totals"])
    objects("usage", "verify", "--json", expect=["error"])
    objects("explain", "explain", "--json")
    printed = objects("many", "verify", "--json", "--report=many.json", *logs)
    check("many", len(printed) == len(logs) + 1, "a line is missing")
    check("many", pathlib.Path("many.json").read_text(encoding="ascii")
          .splitlines() == printed, "report and output differ")
    subprocess.run([SALVOR, "list", "--report=list.json", "good-tiny.bddf"],
                   capture_output=True, check=True)
    lines = pathlib.Path("list.json").read_text(encoding="ascii").splitlines()
    types = [check_line("list", line) for line in lines]
    check("list", types[-1] == "summary" and set(types[:-1]) == {"block"},
          f"{types}")


def golden():
    """Every object that a golden case prints; some cases cut lines."""
    seen = 0
    for path in sorted((TOP / "tests" / "golden").glob("*/expect.out")):
        for line in path.read_text(errors="surrogateescape").splitlines():
            if line.startswith('{"type":"') and line.endswith("}"):
                check_line(f"golden/{path.parent.name}", line)
                seen += 1
    check("golden", seen >= 10, f"only {seen} objects")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    names = sorted(path.name for path in
                   (TOP / "testdata" / "bddf").glob("*.bddf"))
    for name in names:
        shutil.copyfile(TOP / "testdata" / "bddf" / name, name)
    refusals()
    corpus(names)
    strange(names)
    os.chdir(TOP)
golden()
end()

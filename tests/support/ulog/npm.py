"""Asks @foxglove/ulog, which refuses a log at the first thing that is odd.

    available()        can it be asked?
    complaints(paths)  {path: text}: what it refuses, or reads otherwise than
                       judge.strict()
"""

import json
import pathlib
import shutil
import subprocess

from . import judge

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 600


def available():
    """Are node and the package there?"""
    return bool(shutil.which("node")) and (HERE / "node_modules").exists()


def complaints(paths):
    """What is not as the strict reader has it."""
    done = subprocess.run(
        ["node", str(HERE / "read_ulog.mjs")], check=True,
        input="".join("%s\n" % path for path in paths), text=True,
        stdout=subprocess.PIPE, timeout=PATIENCE)
    out = {}
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        log = judge.strict(pathlib.Path(answer["path"]).read_bytes())
        want = sorted([number, len(times)]
                      for number, times in log.times.items())
        if answer["error"]:
            out[answer["path"]] = answer["error"]
        elif answer["counts"] != want:
            out[answer["path"]] = "it reads other messages"
    return out

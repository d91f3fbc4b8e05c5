"""Asks @mcap/core, whose readers check every checksum, what it reads.

    available()        can it be asked?
    readings(paths)    {path: {"stream" or "indexed": (error, messages)}}
    complaints(paths)  {path: text}: what it refuses or reads otherwise than read.py
"""

import json
import pathlib
import shutil
import subprocess
import zlib
from collections import Counter

from mcap import read

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 600


def available():
    """Are node and the packages there?"""
    return bool(shutil.which("node")) and (HERE / "node_modules").exists()


def readings(paths):
    """What both readers say of files."""
    done = subprocess.run(
        ["node", str(HERE / "read_mcap.mjs")], check=True,
        input="".join("%s\n" % path for path in paths), text=True,
        stdout=subprocess.PIPE, timeout=PATIENCE)
    out = {str(path): {} for path in paths}
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        out[answer["path"]][answer["how"]] = (
            answer["error"], answer["messages"])
    return out


def listed(file):
    """The messages of a read.File as read_mcap.mjs has them."""
    out = Counter()
    for m in file.messages:
        c = file.channels[m.channel]
        s = file.schemas.get(c.schema)
        out[c.topic, s and s.name, m.sequence, str(m.log_time),
            str(m.publish_time), len(m.data), zlib.crc32(m.data)] += 1
    return out


def complaints(paths):
    """What is not as read.py has it.  The indexed reader sees only what has a
    message index, and refuses a chunk without."""
    out = {}
    for path, answers in readings(paths).items():
        file = read.read(pathlib.Path(path).read_bytes())
        want = listed(file)
        seen = all(m.place.chunk is not None and
                   file.chunks[m.place.chunk].indexes for m in file.messages)
        for how, (error, messages) in answers.items():
            if how == "indexed" and not seen:
                continue
            if error:
                out[path] = "@mcap/core (%s): %s" % (how, error)
            elif messages is not None and \
                    Counter(map(tuple, messages)) != want:
                out[path] = "@mcap/core (%s) reads other messages" % how
    return out

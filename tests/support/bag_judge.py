"""What ROS itself makes of bags: its Python library, `rosbag reindex`, and its
C++ library where that can be built.

    listing(path)        what Python's rosbag reads, or raises Refused
    readable(bytes)      (topic, type, md5sum, nanoseconds, payload) of each
                         message that Python's rosbag reads before it fails
    typed(path)          the same with types and payloads, as a Counter
    reindex(path)        run `rosbag reindex`, in place; leaves no backup
    CppJudge(folder)     .listings(paths) -> {path: listing or Refused}

A listing is sorted: (topic, nanoseconds, length, CRC-32 of the payload).
summary() makes the same of what the strict reader found.

The libraries run in processes of their own: they print, hang and crash.
"""

import collections
import io
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import zlib

import rosbag
from rosbag import rosbag_main

PATIENCE = 120  # seconds for one bag
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "bag_judge.cpp")
# What Debian's pluginlib.pc would name, if there were one.
INCLUDES = ["-isystem/usr/include/" + name
            for name in ("pluginlib", "class_loader", "ament_index_cpp",
                         "rcpputils", "rcutils")]
LIBRARIES = ["-l" + name
             for name in ("rosbag_storage", "cpp_common", "rostime",
                          "roscpp_serialization", "console_bridge",
                          "boost_filesystem")]


class Refused(Exception):
    """The library does not read it; the text says why."""


def summary(messages):
    """A listing of (conn, topic, sec, nsec, payload)."""
    return sorted((topic.decode("utf-8", "replace"), sec * 10 ** 9 + nsec,
                   len(payload), zlib.crc32(payload))
                  for _, topic, sec, nsec, payload in messages)


def _answer(work, args, into):
    """In a child: call the function, and write what it returns; never returns
    itself."""
    code = 1
    try:
        signal.alarm(PATIENCE)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        try:
            answer = work(*args)
        except BaseException as fault:  # SystemExit, too
            answer = Refused("%s: %s" % (type(fault).__name__, fault))
        with os.fdopen(into, "wb") as pipe:
            pickle.dump(answer, pipe)
        code = 0
    finally:
        os._exit(code)


def apart(work, *args):
    """Call a function in a process of its own; what it returns."""
    out, into = os.pipe()
    sys.stdout.flush()
    # The libraries leave folders behind where they die.
    with tempfile.TemporaryDirectory() as folder:
        child = os.fork()
        if child == 0:
            os.close(out)
            tempfile.tempdir = folder
            _answer(work, args, into)
        os.close(into)
        with os.fdopen(out, "rb") as pipe:
            raw = pipe.read()
        status = os.waitpid(child, 0)[1]
    if not raw:
        raise Refused("died of signal %d" % (status & 127))
    answer = pickle.loads(raw)
    if isinstance(answer, Refused):
        raise answer
    return answer


def _read(path):
    with rosbag.Bag(path) as bag:
        # What `rosbag info` and players ask first.
        if bag.get_message_count():
            bag.get_start_time()
            bag.get_end_time()
        return sorted((topic, when.to_nsec(), len(raw[1]), zlib.crc32(raw[1]))
                      for topic, raw, when in bag.read_messages(raw=True))


def listing(path):
    """What Python's rosbag reads; raises Refused."""
    return apart(_read, path)


def _readable(raw):
    out = []
    try:
        with rosbag.Bag(io.BytesIO(raw)) as bag:
            for topic, one, when in bag.read_messages(raw=True):
                out.append((topic, one[0], one[2], when.to_nsec(),
                            bytes(one[1])))
    except BaseException:  # whatever a damaged bag makes it raise
        pass
    return out


def readable(raw):
    """What Python's rosbag reads before it fails."""
    try:
        return apart(_readable, raw)
    except Refused:
        return []


def _typed(path):
    with rosbag.Bag(path) as bag:
        return collections.Counter(
            (topic, raw[0], raw[2], when.to_nsec(), bytes(raw[1]))
            for topic, raw, when in bag.read_messages(raw=True))


def typed(path):
    """(topic, type, md5sum, nanoseconds, payload), counted; raises Refused."""
    return apart(_typed, path)


def _reindex(path):
    rosbag_main.reindex_cmd(["-q", path])


def reindex(path):
    """Run what `rosbag reindex` runs; raises Refused where it does not end
    well."""
    try:
        return apart(_reindex, path)
    finally:
        stem, dot, ext = path.rpartition(".")
        backup = stem + ".orig" + dot + ext
        if os.path.exists(backup):
            os.unlink(backup)


class CppJudge:
    """The C++ library; .program is None where it cannot be built."""

    def __init__(self, folder):
        self.program = os.path.join(folder, "bag_judge")
        run = subprocess.run(
            [os.environ.get("CXX", "g++"), "-O1", "-w", *INCLUDES, "-o",
             self.program, SOURCE, *LIBRARIES], capture_output=True,
            text=True, check=False) if os.path.exists(
                "/usr/include/rosbag/bag.h") else None
        self.why = "no librosbag-storage-dev" if run is None else run.stderr
        if run is None or run.returncode:
            self.program = None

    def listings(self, paths):
        """Read many bags; those after one that crashes it are read by
        another process."""
        found, left = {}, list(paths)
        while left:
            run = subprocess.run([self.program, *left], capture_output=True,
                                 timeout=PATIENCE * len(left), check=False)
            for part in run.stdout.decode("utf-8", "replace").split(
                    "FILE ")[1:]:
                lines = part.split("\n")
                found[lines[0]] = self._answer(lines[1:-1])
            done = [path for path in left if path in found]
            if not done:
                found[left[0]] = Refused("no answer, code %d" % run.returncode)
                done = left[:1]
            left = [path for path in left if path not in found]
        return found

    @staticmethod
    def _answer(lines):
        """What the lines of a file say."""
        last = lines[-1] if lines else ""
        if last != "OK":
            return Refused(last if last[:3] == "BAD" else "crashed")
        out = []
        for line in lines[:-1]:
            _, when, length, checksum, topic = line.split(" ", 4)
            out.append((topic, int(when), int(length), int(checksum)))
        return sorted(out)

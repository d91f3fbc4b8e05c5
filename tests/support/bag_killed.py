"""Bags as ROS's own recorders leave them on the disk when they are killed.

    Recorders(folder).cpp / .python    record(path, how, kill) -> path
    recorded(n)                        message n, as the recorders write it
    walk(raw)                          what is whole in such a file

record() writes N messages; after `kill` of them the recorder kills itself with
SIGKILL.  With kill = 0 it is killed when the file has `size` bytes, whatever it
does at that moment.

walk() reads the file record by record, and shares nothing with salvor.  It
gives the messages of closed chunks, and of the last chunk those that are
complete in what the recorder had written out.
"""

import bz2
import os
import signal
import struct
import subprocess
import sys

import lz4.frame

import bag_judge
import bag_reader

N = 240  # messages
CHUNK = 16 << 10  # bytes
TOPICS = (b"/a", b"/b/c", b"/late")
SOURCE = os.path.join(os.path.dirname(bag_judge.SOURCE), "bag_recorder.cpp")
START = 1700000000


def recorded(n):
    """(topic, nanoseconds, payload) of message n."""
    state = (n * 2654435761 + 1) & 0xffffffff
    out = bytearray(state >> 8 & 2047)
    for i in range(len(out)):
        state = (state * 1103515245 + 12345) & 0xffffffff
        out[i] = (state >> 16 if state >> 31 else n) & 255
    topic = TOPICS[n & 1 if n < N // 2 else n % 3]
    return topic, (START * 100 + n) * 10 ** 7, bytes(out)


class _Blob:
    """A message type with nothing but bytes."""
    _md5sum = "d41d8cd98f00b204e9800998ecf8427e"
    _type = "salvor_test/Blob"
    _full_text = ""


def write_python(path, how, kill):
    """Record with Python's library; in a process of its own."""
    import genpy
    import rosbag

    messages = [recorded(n) for n in range(N)]
    bag = rosbag.Bag(path, "w", compression=how, chunk_threshold=CHUNK)
    for n, (topic, when, payload) in enumerate(messages):
        if kill and n == kill:
            os.kill(os.getpid(), signal.SIGKILL)
        raw = (_Blob._type, payload, _Blob._md5sum, None, _Blob)
        bag.write(topic.decode(), raw, genpy.Time(
            when // 10 ** 9, when % 10 ** 9), raw=True)
    bag.close()


class Recorder:
    """One of the libraries."""

    def __init__(self, name, command):
        self.name, self.command = name, command

    def record(self, path, how, kill=0, size=0):
        """Record a bag, and be killed.  Returns its bytes."""
        with subprocess.Popen([*self.command, path, how, str(CHUNK), str(N),
                               str(kill)]) as child:
            while not kill and child.poll() is None:
                if os.path.exists(path) and os.stat(path).st_size >= size:
                    child.kill()
            code = child.wait()
        if code not in (0, -signal.SIGKILL):
            raise RuntimeError("%s ends with %d" % (self.name, code))
        with open(path, "rb") as there:
            return there.read()


def recorders(folder):
    """Those that can be had, and why others cannot."""
    python = Recorder("python", [sys.executable, __file__])
    cpp = os.path.join(folder, "bag_recorder")
    run = subprocess.run(
        [os.environ.get("CXX", "g++"), "-O1", "-w", *bag_judge.INCLUDES, "-o",
         cpp, SOURCE, *bag_judge.LIBRARIES], capture_output=True, text=True,
        check=False)
    if run.returncode:
        return [python], run.stderr
    return [python, Recorder("cpp", [cpp])], None


def decoded(how, stored):
    """What the beginning of a stream gives, and how long the stream is where
    it is whole."""
    if how == "none":
        return stored, None
    if how == "bz2":
        stream = bz2.BZ2Decompressor()
        out = stream.decompress(stored)
    else:
        stream = lz4.frame.LZ4FrameDecompressor()
        out = stream.decompress(stored)
    end = len(stored) - len(stream.unused_data or b"") if stream.eof else None
    return out, end


def _inner(data, found, topics):
    """The messages of a chunk, and where its last whole record ends."""
    at = 0
    while at < len(data):
        try:
            rec = bag_reader.read_record(data, at, len(data))
        except bag_reader.Bad:
            break
        if rec.op not in ("message", "connection"):
            break
        conn, = struct.unpack("<I", rec.fields["conn"])
        if rec.op == "connection":
            topics[conn] = rec.fields["topic"]
        else:
            sec, nsec = struct.unpack("<II", rec.fields["time"])
            found.append((topics[conn], sec * 10 ** 9 + nsec,
                          data[rec.data_at:rec.end]))
        at = rec.end
    return at


def walk(raw):
    """The messages that are whole in an unclosed bag, in its order."""
    found, topics, at = [], {}, 4117
    while at < len(raw):
        try:
            rec = bag_reader.read_record(raw, at, len(raw))
        except bag_reader.Bad:
            rec = _torn_chunk(raw, at)
            if rec is None:
                break
        if rec.op == "chunk":
            how = rec.fields["compression"].decode()
            is_open = rec.end == rec.data_at
            stored = raw[rec.data_at:None if is_open else rec.end]
            data, end = decoded(how, stored)
            upto = _inner(data, found, topics)
            if is_open:
                end = upto if how == "none" else end
                if end is None:
                    break
                rec = rec._replace(end=rec.data_at + end)
        at = rec.end
    return found


def _torn_chunk(raw, at):
    """A chunk with less data than its header says."""
    try:
        size, = struct.unpack_from("<I", raw, at)
        rec = bag_reader.read_record(raw[:at + 4 + size] + bytes(4), at,
                                     at + 8 + size)
    except (bag_reader.Bad, struct.error):
        return None
    if rec.op != "chunk":
        return None
    return rec._replace(end=len(raw))


if __name__ == "__main__":
    write_python(sys.argv[1], sys.argv[2], int(sys.argv[5]))

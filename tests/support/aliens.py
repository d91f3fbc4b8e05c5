"""Files that are no BDDF logs, for make_testdata.py: one for each row of
src/core/scan/stranger.c.

Those that wrap a log hold it as it was, so that its blocks can be found in
them: what salvor must not do.  Written by hand where a library would write
other bytes in another release.
"""

import binascii
import bz2
import io
import lzma
import tarfile
import zipfile


def le(n, size):
    """A number of this many bytes."""
    return n.to_bytes(size, "little")


def gzip_stored(raw):
    """A gzip file of one stored block."""
    head = b"\x1f\x8b\x08" + bytes(6) + b"\x03"
    size = len(raw)
    return (head + b"\x01" + le(size, 2) + le(size ^ 0xFFFF, 2) + raw
            + le(binascii.crc32(raw), 4) + le(size, 4))


def zstd_raw(raw):
    """A zstd frame of one raw block."""
    return (b"\x28\xb5\x2f\xfd\x60" + le(len(raw) - 256, 2)
            + le(len(raw) << 3 | 1, 3) + raw)


def lz4_raw(raw):
    """An lz4 frame of one uncompressed block."""
    return (b"\x04\x22\x4d\x18\x60\x40\x82" + le(len(raw) | 1 << 31, 4) + raw
            + bytes(4))


def zip_stored(*files):
    """A zip archive of files that are only stored."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, raw in files:
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            archive.writestr(info, raw)
    return out.getvalue()


def tar_of(*files):
    """A tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w",
                      format=tarfile.USTAR_FORMAT) as archive:
        for name, raw in files:
            info = tarfile.TarInfo(name)
            info.size = len(raw)
            archive.addfile(info, io.BytesIO(raw))
    return out.getvalue()




def sqlite():
    """The first page of an SQLite database."""
    head = (b"SQLite format 3\0" + b"\x10\0\x01\x01\0\x40\x20\x20"
            + b"\0\0\0\x01\0\0\0\x01")
    return head + bytes(4096 - len(head))


def bag_as_text():
    """The beginning of a ROS 1 bag whose line feeds became two bytes."""
    header = b"\x04\0\0\0op=\x03\x12\0\0\0index_pos=" + bytes(8)
    return (b"#ROSBAG V2.0\n" + le(len(header), 4) + header
            + le(4096 - len(header), 4)).replace(b"\n", b"\r\n")


HTML = """<!DOCTYPE html>
<html><head><title>Sign in</title></head>
<body>Your session has expired.</body></html>
"""
XML = """<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>
"""
LFS = """version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 350561
"""


def aliens(log):
    """All of them: (row, what it is, the bytes); log is a good one."""
    two = ("a.bddf", log), ("b.bddf", log)
    return (
        ("empty", "0 bytes", b""),
        ("zeros", "4096 zeros", bytes(4096)),
        ("git-lfs", "a Git LFS pointer", LFS.encode()),
        ("html", "a login page", HTML.encode()),
        ("xml", "an error message", XML.encode()),
        ("gzip", "good-tiny, stored by gzip", gzip_stored(log)),
        ("zstd", "good-tiny, a raw block of zstd", zstd_raw(log)),
        ("xz", "nothing, compressed with xz", lzma.compress(b"")),
        ("bzip2", "a magic, compressed with bzip2", bz2.compress(b"BDDF")),
        ("lz4", "good-tiny, an uncompressed block of lz4", lz4_raw(log)),
        ("zip", "good-tiny twice, stored by zip", zip_stored(*two)),
        ("tar", "good-tiny twice, in a tar archive", tar_of(*two)),
        ("sqlite", "a page of an SQLite database", sqlite()),
        ("rosbag-crlf", "the beginning of a ROS 1 bag, copied as text",
         bag_as_text()),
        ("json", "an error message in JSON",
         b'{"error": "token expired", "code": 401}\n'),
        ("text", "a text", b"This is no log of anything.\n" * 20),
    )

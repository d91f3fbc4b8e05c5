"""Compresses as the writers of each language do, and decompresses, also the
beginning of what is damaged.
"""

import struct

import lz4.frame
import zstandard

FRAME = {"lz4": b"\x04\x22\x4d\x18", "zstd": b"\x28\xb5\x2f\xfd"}


def _lz4(raw, **how):
    return lz4.frame.compress(raw, **{"store_size": False, **how})


def _zstd(raw, level, **how):
    return zstandard.ZstdCompressor(level=level, **how).compress(raw)


def _zstd_stream(raw, level):
    """A stream whose writer did not know its size."""
    made = zstandard.ZstdCompressor(level=level).compressobj()
    return made.compress(raw) + made.flush()


BLOCKS = lz4.frame.BLOCKSIZE_MAX4MB
# (language, compression) -> how its writer compresses a chunk
COMPRESS = {
    ("cpp", "lz4"): lambda raw: _lz4(raw, compression_level=9),
    ("cpp", "zstd"): lambda raw: _zstd(raw, 1),
    ("python", "lz4"): lambda raw: _lz4(raw, store_size=True),
    ("python", "zstd"): lambda raw: _zstd(raw, 3),
    ("go", "lz4"): lambda raw: _lz4(
        raw, block_size=BLOCKS, block_linked=False, content_checksum=True),
    ("go", "zstd"): lambda raw: _zstd(
        raw, 3, write_checksum=True, write_content_size=False),
    ("ts", "lz4"): lambda raw: _lz4(raw, store_size=True),
    ("ts", "zstd"): lambda raw: _zstd(raw, 3),
    ("rust", "lz4"): lambda raw: _lz4(raw, content_checksum=True),
    ("rust", "zstd"): lambda raw: _zstd_stream(raw, 3),
}


def compress(language, compression, raw):
    """Compress a chunk."""
    return COMPRESS[language, compression](raw) if compression else raw


def decompress(compression, stored, size):
    """Decompress a chunk, which has to give `size` bytes: ValueError."""
    if compression == "":
        raw = stored
    elif compression == "lz4":
        try:
            raw = lz4.frame.decompress(stored)
        except RuntimeError as error:
            raise ValueError(str(error)) from error
    elif compression == "zstd":
        raw = _unzstd(stored, size)
    else:
        raise ValueError("compression %r" % compression)
    if len(raw) != size:
        raise ValueError("%d bytes, not %d" % (len(raw), size))
    return raw


def _unzstd(stored, size):
    """One frame of zstd, whole."""
    made = zstandard.ZstdDecompressor().decompressobj()
    try:
        raw = made.decompress(stored)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    if not made.eof or made.unused_data or len(raw) != size:
        raise ValueError("zstd: not one whole frame of %d bytes" % size)
    return raw


def beginning(compression, stored):
    """What the beginning of a chunk's stored bytes decodes to."""
    if compression == "":
        return stored
    if compression == "zstd":
        try:
            return zstandard.ZstdDecompressor().decompressobj().decompress(
                stored)
        except zstandard.ZstdError:
            return b""
    return _lz4_beginning(stored)


def _lz4_beginning(stored):
    """The same of an LZ4 frame, by sequences."""
    if stored[:4] != FRAME["lz4"] or len(stored) < 7:
        return b""
    flags = stored[4]
    at = 7 + (8 if flags & 8 else 0) + (4 if flags & 1 else 0)
    out = bytearray()
    while at + 4 <= len(stored):
        size, = struct.unpack_from("<I", stored, at)
        at += 4
        if size == 0:
            break
        block = stored[at:at + (size & 0x7fffffff)]
        if size & 0x80000000:
            out += block
        else:
            _sequences(out, block)
        at += (size & 0x7fffffff) + (4 if flags & 16 else 0)
    return bytes(out)


def _length(block, at, value):
    """(length, where it ends) of a length that has begun; None: cut."""
    if value != 15:
        return value, at
    while at < len(block):
        value += block[at]
        at += 1
        if block[at - 1] != 255:
            return value, at
    return None, at


def _sequences(out, block):
    """Append what the sequences of a block give, as far as they go."""
    at = 0
    while at < len(block):
        token = block[at]
        size, at = _length(block, at + 1, token >> 4)
        if size is None:
            return
        out += block[at:at + size]
        at += size
        if at + 2 > len(block):
            return
        back, = struct.unpack_from("<H", block, at)
        size, at = _length(block, at + 2, token & 15)
        if size is None or back == 0 or back > len(out):
            return
        for _ in range(size + 4):
            out.append(out[-back])

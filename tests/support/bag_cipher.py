"""Encrypts ROS 1 bags as rosbag/AesCbcEncryptor does, except for the cipher: as
long and as unreadable, and anybody can undo it.

    encrypt(bytes), decrypt(bytes)
    clear(bag)   the bytes of the bag that was encrypted, and its places
"""

import hashlib
import struct

FIRST_CHUNK = 4117
BLOCK = 16


def _stream(start, n):
    """n bytes that follow from the first block."""
    return b"".join(hashlib.sha256(start + struct.pack("<I", i)).digest()
                    for i in range(n // 32 + 1))[:n]


def encrypt(raw):
    """A first block, and the bytes with a padding of 1 to 16."""
    start = hashlib.sha256(raw).digest()[:BLOCK]
    padding = BLOCK - len(raw) % BLOCK
    raw += bytes([padding]) * padding
    return start + bytes(a ^ b for a, b in zip(raw, _stream(start, len(raw))))


def decrypt(raw):
    """What was encrypted."""
    start, raw = raw[:BLOCK], raw[BLOCK:]
    out = bytes(a ^ b for a, b in zip(raw, _stream(start, len(raw))))
    return out[:-out[-1]]


def sized(raw):
    """Bytes after their length."""
    return struct.pack("<I", len(raw)) + raw


def record(raw, at):
    """(header, data, end) of what is at a place."""
    n, = struct.unpack_from("<I", raw, at)
    m, = struct.unpack_from("<I", raw, at + 4 + n)
    end = at + 8 + n + m
    if end > len(raw):
        raise struct.error("a record of %d bytes at %d" % (end - at, at))
    return raw[at + 4:at + 4 + n], raw[at + 8 + n:end], end


def fields(header):
    """{name: (where its value begins, value)}"""
    out, at = {}, 0
    while at < len(header):
        n, = struct.unpack_from("<I", header, at)
        name, _, value = header[at + 4:at + 4 + n].partition(b"=")
        out[name] = at + 5 + len(name), value
        at += 4 + n
    return out


def put(header, name, value):
    """The header with another value of a field, as long."""
    at = fields(header)[name][0]
    return header[:at] + value + header[at + len(value):]


def without_key(head, index_pos):
    """The bag header as it was before."""
    out = b"".join(sized(name + b"=" + value) for name, (_, value)
                   in sorted(fields(head).items())
                   if name not in (b"encryptor", b"gpg_user",
                                   b"encrypted_key"))
    out = put(out, b"index_pos", struct.pack("<Q", index_pos))
    return sized(out) + sized(b" " * (4096 - len(out)))


def clear(raw):
    """The bag without encryption.  Where its parts name places that are not
    those of other parts, those of the result are wrong, too."""
    head, _, at = record(raw, 13)
    index_pos, = struct.unpack("<Q", fields(head)[b"index_pos"][1])
    out, moved = bytearray(raw[:FIRST_CHUNK]), {}
    while at < len(raw):
        header, data, end = record(raw, at)
        moved[at] = len(out)
        secret = at >= index_pos and not header.count(b"op=\6")
        if secret:
            header, data = decrypt(header), decrypt(data)
        elif header.count(b"op=\5"):
            data = decrypt(data)
        elif header.count(b"op=\6"):
            was, = struct.unpack("<Q", fields(header)[b"chunk_pos"][1])
            header = put(header, b"chunk_pos",
                         struct.pack("<Q", moved.get(was, 0)))
        out += sized(header) + sized(data)
        at = end
    out[13:FIRST_CHUNK] = without_key(head, moved.get(index_pos, 0))
    return bytes(out)

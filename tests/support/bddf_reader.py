#!/usr/bin/python3
"""A strict second opinion on BDDF files.

Shares nothing with salvor but proto/bddf.proto: a test must not trust the
code under test to say whether its output is good.

    check FILE...      "FILE: OK n_blocks" or "FILE: BAD reason", for each
    dump FILE          one JSON object per data block
    boundaries FILE    a JSON list of [offset, end, kind], one per block
    compare ORIGINAL REPAIRED CUT
                       is REPAIRED good, and exactly what lies before the
                       offset CUT of ORIGINAL ('-': all of it)?
    compare --stdin    many of these: a JSON array of three per line

Needs a folder with what protoc --python_out makes of proto/bddf.proto, from
--pb2 or BDDF_PB2.  Exits with 0 when all is good, 1 when not, 2 on misuse.

As a module: load_messages(folder) once, then read_file(bytes) -> File, and
check_file(File) raises Bad when its parts do not agree.
"""

import argparse
import functools
import hashlib
import importlib
import json
import os
import sys
from dataclasses import dataclass
from typing import NamedTuple

from google.protobuf.message import DecodeError

MAGIC, END_MAGIC = b"BDDF", b"FDDB"
DIGEST_LEN = 20
END_LEN = 8 + 8 + DIGEST_LEN + len(END_MAGIC)
CHECKSUM_NONE, CHECKSUM_SHA1 = 1, 2

pb2 = None  # the messages of proto/bddf.proto, after load_messages()

# oneof member of a DescriptorBlock -> kind of the block
KINDS = {"file_descriptor": "file", "series_descriptor": "series",
         "series_block_index": "index", "file_index": "fileindex"}


class Bad(Exception):
    """The file breaks a rule; the text says which and where."""


def need(condition, text, *values):
    """Raise Bad unless the condition holds."""
    if not condition:
        raise Bad(text.format(*values))


def same(at, what, got, want):
    """Raise Bad unless what the file says at an offset is what it should."""
    need(got == want, "{}: {} is {}, not {}", at, what, got, want)


def load_messages(folder):
    """Import the bddf_pb2.py that protoc left in a folder."""
    global pb2
    sys.path.insert(0, folder)
    pb2 = importlib.import_module("bddf_pb2")


class Dialect(NamedTuple):
    """How block headers read: two published authorities disagree."""
    name: str
    descriptor: int  # block type of a descriptor
    data: int  # block type of data
    type_last: bool  # the type is byte 7 of the header, not byte 0
    end_size: int  # what the end block says of its own size
    end: int = 2


# The likeliest first: robots write sdk-last.
DIALECTS = (Dialect("sdk-last", 1, 0, True, 24),
            Dialect("sdk-first", 1, 0, False, 24),
            Dialect("grammar-first", 0, 1, False, 20),
            Dialect("grammar-last", 0, 1, True, 20))


@dataclass
class Block:
    """One block; offset and end are bytes from the start of the file."""
    offset: int
    end: int
    kind: str  # data, file, series, index, fileindex, end, other
    size: int  # block-size, as in its header
    message: object = None  # DataDescriptor, or what a DescriptorBlock holds
    strange: bool = False  # the message has fields the schema does not know
    body: bytes = b""  # what follows: payload, protobuf, rest of the end block


@dataclass
class File:
    """A file taken apart, its blocks not yet held against each other."""
    raw: bytes
    dialect: Dialect
    blocks: list
    series: dict  # series_index -> SeriesDescriptor
    index_offset: int = 0

    def of(self, *kinds):
        """The blocks of these kinds, in order."""
        return [b for b in self.blocks if b.kind in kinds]


def parse(kind, body, at):
    """A message of this kind, and whether it has unknown fields."""
    message, known = kind(), kind()
    try:
        used = message.ParseFromString(body)
    except DecodeError:
        used = -1
    need(used == len(body), "{}: not a {}", at, kind.DESCRIPTOR.name)
    known.CopyFrom(message)
    known.DiscardUnknownFields()
    return message, known.ByteSize() != message.ByteSize()


def parse_block(dialect, raw, at):
    """The block with its header at an offset."""
    need(at + 8 <= len(raw), "{}: the file stops in or before a header", at)
    header = int.from_bytes(raw[at:at + 8], "little")
    kind, size = header & 0xFF, header >> 8
    if dialect.type_last:
        kind, size = header >> 56, header & ((1 << 56) - 1)
    need(kind in (dialect.descriptor, dialect.data, dialect.end),
         "{}: unknown block type {}", at, kind)
    # The 4 bytes of descriptor-size are not counted in block-size.
    start = at + (12 if kind == dialect.data else 8)
    end = at + END_LEN if kind == dialect.end else start + size
    need(end <= len(raw), "{}: the block runs past the end of the file", at)
    if kind == dialect.end:
        return Block(at, end, "end", size, body=raw[start:end])
    if kind == dialect.descriptor:
        body = raw[start:end]
        block, strange = parse(pb2.DescriptorBlock, body, at)
        member = block.WhichOneof("DescriptorType")
        message = getattr(block, member) if member else block
        kind = KINDS.get(member, "other")
        return Block(at, end, kind, size, message, strange, body)
    payload = start + int.from_bytes(raw[start - 4:start], "little")
    need(payload <= end, "{}: the descriptor is longer than its block", at)
    message, strange = parse(pb2.DataDescriptor, raw[start:payload], at)
    return Block(at, end, "data", size, message, strange, raw[payload:end])


def find_dialect(raw):
    """The dialect under which the first block is a file descriptor."""
    for dialect in DIALECTS:
        try:
            first = parse_block(dialect, raw, len(MAGIC))
        except Bad:
            continue
        if first.kind == "file" and not first.strange:
            return dialect
    raise Bad("4: no file descriptor in any dialect")


def read_file(raw):
    """Take a file apart, up to its end block; Bad if that cannot be done."""
    need(raw[:len(MAGIC)] == MAGIC, "0: no BDDF magic")
    file, at = File(raw, find_dialect(raw), [], {}), len(MAGIC)
    while not file.blocks or file.blocks[-1].kind != "end":
        block = parse_block(file.dialect, raw, at)
        if block.kind == "series":
            file.series.setdefault(block.message.series_index, block.message)
        elif block.kind == "data":
            need(block.message.series_index in file.series,
                 "{}: undeclared series", at)
        file.blocks.append(block)
        at = block.end
    file.index_offset = int.from_bytes(file.blocks[-1].body[:8], "little")
    return file


def identifier_hash(identifier):
    """The hash a series goes by, made from its identifier."""
    digest = hashlib.sha1(identifier.series_type.encode())
    pairs = [(k.encode(), v.encode()) for k, v in identifier.spec.items()]
    for key, value in sorted(pairs):
        digest.update(key + value)
    return int.from_bytes(digest.digest()[:8], "big")


def check_order(file):
    """Head, content, one index per series, FileIndex, end block."""
    blocks, tail = file.blocks, ["end"]
    if file.index_offset:
        # Without series, an empty descriptor block stands for the FileIndex.
        empty = blocks[-2].kind == "other" and not blocks[-2].size
        last = "other" if empty and not file.series else "fileindex"
        tail = ["index"] * len(file.series) + [last, "end"]
    start = len(blocks) - len(tail)
    need(start >= 1, "{}: indexes are missing", blocks[-1].offset)
    for n, block in enumerate(blocks[1:], 1):
        allowed = ["data", "series"] if n < start else [tail[n - start]]
        need(block.kind in allowed, "{}: {} block where {} belongs",
             block.offset, block.kind, " or ".join(allowed))


def check_content(file):
    """Every block of content on its own."""
    head = file.blocks[0].message
    need(head.version == pb2.FileFormatVersion(major_version=1),
         "4: the version is not 1.0.0")
    need(head.checksum_type in (CHECKSUM_NONE, CHECKSUM_SHA1),
         "4: checksum type {}", head.checksum_type)
    same(4, "checksum_num_bytes", head.checksum_num_bytes, DIGEST_LEN)
    hashes = set()
    for number, block in enumerate(file.of("series")):
        series, at = block.message, block.offset
        made = identifier_hash(series.series_identifier)
        same(at, "series_index", series.series_index, number)
        same(at, "identifier_hash", series.identifier_hash, made)
        need(made not in hashes, "{}: series of the same name", at)
        hashes.add(made)
    for block in file.of("data"):
        message, at = block.message, block.offset
        series = file.series[message.series_index]
        need(0 <= message.timestamp.nanos < 10**9, "{}: wrong nanos", at)
        kind = series.WhichOneof("DataType")
        need(kind != "struct_type", "{}: data of a struct series", at)
        # A descriptor put back from the indexes has lost its type and names.
        if kind:
            same(at, "number of additional indexes",
                 len(message.additional_indexes),
                 len(series.additional_index_names))
    for block in file.blocks:
        need(not block.strange, "{}: unknown fields", block.offset)


def check_index(file):
    """The indexes at the end, and the offset that leads to them."""
    if not file.index_offset:
        return  # a file may have none; check_order saw that it has none
    same(file.blocks[-1].offset, "index offset", file.index_offset,
         file.blocks[-2].offset)
    series, indexes = file.of("series"), file.of("index")
    wanted = [pb2.SeriesBlockIndex(series_index=n,
                                   descriptor_file_offset=block.offset)
              for n, block in enumerate(series)]
    for block in file.of("data"):
        index = wanted[block.message.series_index]
        index.total_bytes += len(block.body)
        entry = index.block_entries.add(
            file_offset=block.offset,
            additional_indexes=block.message.additional_indexes)
        if block.message.HasField("timestamp"):
            entry.timestamp.CopyFrom(block.message.timestamp)
    wanted.append(pb2.FileIndex(
        series_identifiers=[b.message.series_identifier for b in series],
        series_block_index_offsets=[b.offset for b in indexes],
        series_identifier_hashes=[b.message.identifier_hash for b in series]))
    for block, want in zip(indexes + file.of("fileindex"), wanted):
        for name in want.DESCRIPTOR.fields_by_name:
            need(getattr(block.message, name) == getattr(want, name),
                 "{}: wrong {}", block.offset, name)


def check_end(file):
    """The end block: size, digest, magic, and nothing after it."""
    block = file.blocks[-1]
    at, digest = block.offset, bytes(DIGEST_LEN)
    if file.blocks[0].message.checksum_type == CHECKSUM_SHA1:
        digest = hashlib.sha1(file.raw[:at + 16]).digest()
    same(at, "block-size", block.size, file.dialect.end_size)
    same(at + 16, "digest", block.body[8:-4].hex(), digest.hex())
    same(block.end - 4, "end magic", block.body[-4:], END_MAGIC)
    same(block.end, "end of the file", len(file.raw), block.end)


def check_file(file):
    """Raise Bad unless every rule of the format is kept."""
    for rule in (check_order, check_content, check_index, check_end):
        rule(file)


def content(file, cut):
    """What a repair has to keep of what ends at or before an offset."""
    rows = []
    for block in file.of("file", "series", "data"):
        if block.end > cut:
            break
        row = {"kind": block.kind, "body": block.body}
        if block.kind == "data":
            number = block.message.series_index
            row["series"] = file.series[number].series_identifier
            row["timestamp"] = block.message.timestamp
            row["additional indexes"] = block.message.additional_indexes
        rows.append(row)
    return rows


def compare(original, repaired, cut):
    """Raise Bad unless a good file holds just what lies before the cut."""
    check_file(repaired)
    want = content(original, len(original.raw) if cut == "-" else int(cut))
    got = content(repaired, len(repaired.raw))
    if not want:
        got = got[1:]  # no file without a head: that much may be made up
    else:
        same(0, "dialect", repaired.dialect.name, original.dialect.name)
        need(repaired.index_offset or not original.index_offset, "no index")
    for n, (a, b) in enumerate(zip(want, got)):
        wrong = [key for key in a if a[key] != b.get(key)]
        need(not wrong, "block {}: {} differs", n, ", ".join(wrong))
    same(0, "number of blocks kept", len(got), len(want))


def load(path):
    """Read and take apart the file at a path."""
    with open(path, "rb") as stream:
        return read_file(stream.read())


def run_check(paths):
    """check FILE..."""
    status = 0
    for path in paths:
        try:
            file = load(path)
            check_file(file)
            print(f"{path}: OK {len(file.blocks)}")
        except (Bad, OSError) as err:
            print(f"{path}: BAD {err}")
            status = 1
    return status


def run_dump(paths):
    """dump FILE"""
    file = load(paths[0])
    for block in file.of("data"):
        number, time = block.message.series_index, block.message.timestamp
        name = identifier_hash(file.series[number].series_identifier)
        print(json.dumps({
            "offset": block.offset, "series_hash": f"{name:016x}",
            "series_index": number, "timestamp": [time.seconds, time.nanos],
            "additional_indexes": list(block.message.additional_indexes),
            "sha1": hashlib.sha1(block.body).hexdigest(),
            "length": len(block.body)}))
    return 0


def run_boundaries(paths):
    """boundaries FILE"""
    print(json.dumps([[b.offset, b.end, b.kind]
                      for b in load(paths[0]).blocks]))
    return 0


def run_compare(triples):
    """compare ORIGINAL REPAIRED CUT, any number of times"""
    original = functools.lru_cache(maxsize=8)(load)
    passed = failed = 0
    for before, after, cut in triples:
        try:
            compare(original(before), load(after), cut)
            passed += 1
        except (Bad, OSError) as err:
            failed += 1
            print(f"FAIL {before} {after} {cut}: {err}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    """Read the command line, run one command, return the exit status."""
    commands = {"check": run_check, "dump": run_dump,
                "boundaries": run_boundaries, "compare": run_compare}
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--pb2", default=os.environ.get("BDDF_PB2"))
    parser.add_argument("--stdin", action="store_true")
    parser.add_argument("command", choices=commands)
    parser.add_argument("args", nargs="*")
    options = parser.parse_intermixed_args()
    command, args = options.command, options.args
    wanted = {"check": len(args) or 1, "compare": 0 if options.stdin else 3}
    if len(args) != wanted.get(command, 1):
        parser.error(f"wrong number of arguments for {command}")
    if not options.pb2:
        parser.error("need --pb2 DIR or BDDF_PB2")
    load_messages(options.pb2)
    if command == "compare":
        args = map(json.loads, sys.stdin) if options.stdin else [args]
    try:
        return commands[command](args)
    except (Bad, OSError) as err:
        print(f"bddf_reader.py: {err}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

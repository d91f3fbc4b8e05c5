"""The messages of a Cyber record, by Google's protobuf from proto/record.proto.

Raises ImportError where there is no python3-protobuf or no protoc.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import google.protobuf  # what protoc makes needs it

TOP = pathlib.Path(os.environ.get(
    "SALVOR_SRCDIR", pathlib.Path(__file__).absolute().parents[2])).resolve()


def compiled():
    """The module that protoc makes."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(["protoc", "-I", str(TOP / "proto"),
                            "--python_out", folder,
                            str(TOP / "proto" / "record.proto")], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise ImportError("protoc: %s" % error) from error
        sys.path.insert(0, folder)
        try:
            import record_pb2
        finally:
            sys.path.remove(folder)
    return record_pb2


assert google.protobuf.__version__
pb = compiled()
HEADER, CHUNK_HEADER, CHUNK_BODY, INDEX, CHANNEL = range(5)
START = 2064  # where the first section after the header begins

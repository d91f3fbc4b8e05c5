"""One damaged MCAP file at a time: what salvor says of it, and what it writes.

Environment: SALVOR is the program.
"""
import json
import os
import subprocess


def repair(folder, raw):
    """(exit code, report, output or None) of a repair."""
    bad, out = folder / 'bad.mcap', folder / 'out.mcap'
    out.unlink(missing_ok=True)
    bad.write_bytes(raw)
    done = subprocess.run(
        [os.environ['SALVOR'], 'repair', '--json', '--no-sidecar', '-o', out,
         bad], capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout.splitlines()[0]), \
        out.read_bytes() if out.exists() else None

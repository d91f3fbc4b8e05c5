"""One bag at a time: what a repair keeps of it, as the strict reader reads it."""
import json
import pathlib
import subprocess
from collections import Counter

import bag_reader
from start import SALVOR


def repair(raw):
    """Repair a bag in the current folder: the messages of the output, or of an
    intact input, and the report.  bag_reader.Bad where a reader refuses it."""
    bag, out = pathlib.Path('x.bag'), pathlib.Path('o.bag')
    bag.write_bytes(raw)
    out.unlink(missing_ok=True)
    done = subprocess.run(
        [SALVOR, 'repair', '--json', '-f', '-o', str(out), str(bag)],
        capture_output=True, stdin=subprocess.DEVNULL, check=False)
    report = json.loads(done.stdout.splitlines()[0])
    if out.exists():
        raw = out.read_bytes()
    elif report['state'] != 'intact':
        return Counter(), report
    return Counter(bag_reader.read(raw).listing()), report

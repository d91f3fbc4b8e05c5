"""Times commands by turns, for the scripts that measure a format.

Ratios of what ran in the same rounds can be compared between machines; seconds
cannot.
"""
import os
import statistics
import subprocess
import time

# What is there when the power goes, as what salvor writes is.
COPY = 'cp --reflink=never "$1" "$2" && sync "$2"'


class Failed(Exception):
    """The measurement cannot go on; the text says why."""


def parse_size(text):
    """Bytes, from a number with K, M or G after it or nothing."""
    unit = "KMG".find(text[-1:]) + 1 if text else 0
    return int(text[:-1] if unit else text) << 10 * unit


def once(args, expect):
    """Run a command: seconds on the clock and of the processor."""
    before = time.perf_counter()
    with open(os.devnull, "r+b") as null:
        child = subprocess.Popen(args, stdin=null, stdout=null)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - before
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != expect:
        raise Failed("%s: exit code %d, not %d" % (
            " ".join(args), child.returncode, expect))
    return seconds, usage.ru_utime + usage.ru_stime


def rounds(names, number, measure):
    """measure(name) so many times for each, each round in another order: name ->
    the figures of all rounds."""
    found = {name: [] for name in names}
    for turn in range(number):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            found[name].append(measure(name))
    return {name: {"median": statistics.median(t[0] for t in times),
                   "seconds": [t[0] for t in times],
                   "cpu": statistics.median(t[1] for t in times)}
            for name, times in found.items()}


def show(rows, size):
    """Print them: `size` bytes were worked on."""
    peaks = any("peak_kib" in row for row in rows.values())
    print("%14s%10s%10s%10s%10s%s" % ("", "seconds", "spread", "cpu", "MB/s",
                                      "  peak MiB" if peaks else ""))
    for name, row in rows.items():
        spread = (max(row["seconds"]) - min(row["seconds"])) / row["median"]
        print("%-14s%10.3f%9.0f%%%10.3f%10.0f%s" % (
            name, row["median"], 100 * spread, row["cpu"],
            size / row["median"] / 1e6,
            "%10.1f" % (row["peak_kib"] / 1024) if peaks else ""))

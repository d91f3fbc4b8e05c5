"""salvage_table - the table that a script of bench/salvage-* prints.

A row is a class of damage done to logs of one sort.  The numbers of a row that
are better when lower are in the script's floor file, and no change may raise
them.  A script gives its columns and a function that runs one row; the command
line, the order of the rows, the floor and the totals are here.
"""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor


class Table:
    """The rows of one script.

    script    its name, such as "salvage-cyber"
    floor     path of its floor file
    columns   (heading, key of the sums) of what is printed
    kept      keys that the floor file has of a row, after its name
    widths    of the name of a damage, and of a sort
    head      a line above the headings, or None
    """

    def __init__(self, script, floor, columns, kept, widths, head=None):
        self.script, self.floor = script, floor
        self.columns, self.kept = columns, ("cases", *kept)
        self.name = "%%-%ds %%-%ds" % widths
        self.head = head

    @staticmethod
    def parser(doc, cases):
        """The options that all scripts have."""
        parser = argparse.ArgumentParser(usage=doc)
        parser.add_argument("--cases", type=int, default=cases)
        parser.add_argument("--only", default="", help="damages named so")
        parser.add_argument("--of", default="", help="logs of sorts named so")
        parser.add_argument("--jobs", type=int, default=os.cpu_count())
        parser.add_argument("--dir")
        parser.add_argument("--one-in", type=int, default=1,
                            help="a share of the rows")
        parser.add_argument("--turn", type=int, default=0,
                            help="which share, from 0")
        parser.add_argument("--write-floor")
        parser.add_argument("--salvor", default=os.environ.get("SALVOR",
                                                               "./salvor"))
        parser.add_argument("logs", nargs="*")
        return parser

    @staticmethod
    def options(parser, fixed=("cases",)):
        """Parse; .own says whether the floor file is about such a run."""
        options = parser.parse_args()
        options.salvor = os.path.abspath(options.salvor)
        options.own = not options.logs and not options.write_floor and all(
            getattr(options, name) == parser.get_default(name)
            for name in fixed)
        return options

    def line(self, name, sort, cells, width):
        """A line of the table."""
        return self.name % (name, os.path.basename(sort)) + "".join(
            "%*s" % (width, cell) for cell in cells)

    def show(self, name, sort, sums):
        """Print a row."""
        cells = [sums["cases"], *(sums[key] for _, key in self.columns)]
        print(self.line(name, sort, [
            "%.4f" % cell if isinstance(cell, float) else cell
            for cell in cells], 8), flush=True)

    def read_floor(self):
        """{(name, sort): numbers}."""
        out = {}
        for line in self.floor.read_text().splitlines():
            if line[:1] != "#":
                name, sort, *numbers = line.split()
                out[name, sort] = dict(zip(self.kept, map(int, numbers)))
        return out

    def worse(self, floor, name, sort, sums):
        """What is worse than it was, as text."""
        was = floor.get((name, sort))
        if was is None or was["cases"] != sums["cases"]:
            return ["not in the floor file"]
        return ["%s %d, was %d" % (key, sums[key], was[key])
                for key in self.kept[1:] if sums[key] > was[key]]

    def write_floor(self, path, rows):
        """Write the floor file."""
        with open(path, "w", encoding="ascii") as out:
            out.write("# %s.floor: what may not get worse; see README.md.\n"
                      "# Written by: bench/%s --write-floor FILE\n#\n"
                      % (self.script, self.script))
            out.write("#" + self.line("", "", self.kept, 11)[1:] + "\n")
            for name, sort, sums in rows:
                out.write(self.line(name, sort, [
                    int(sums[key]) for key in self.kept], 11) + "\n")

    def fail(self, damage, sort, why):
        """Say what is wrong with a row where it is found among many lines."""
        print("FAIL: bench/%s %s %s: %s" % (
            self.script, damage, os.path.basename(str(sort)), why), flush=True)

    @staticmethod
    def totals(rows):
        """A line about all rows."""
        sums = {key: sum(row[2][key] for row in rows)
                for key in ("cases", "owed", "missed", "wrong")}
        return "%d cases: %.5f of what can be kept is kept (%d of %d " \
            "missed); %d cases wrong" % (
                sums["cases"], 1 - sums["missed"] / (sums["owed"] or 1),
                sums["missed"], sums["owed"], sums["wrong"])

    @staticmethod
    def share(todo, options):
        """The rows that have their turn: of each damage, and of each sort."""
        damages, sorts = ({name: nth for nth, name in enumerate(dict.fromkeys(names))}
                          for names in (zip(*todo) if todo else ((), ())))
        return [(damage, sort) for damage, sort in todo
                if (damages[damage] + sorts[sort]) % options.one_in
                == options.turn % options.one_in]

    def run(self, options, todo, run_row):
        """Run the rows of `todo`, (damage, sort) each, by
        run_row(damage, sort, options).

        run_row returns the row's name, its sort, the sums and lines about
        cases that are not as they should be; sums of None: no such row.  Each
        sums has cases, owed and missed (records), and wrong (cases).
        Returns the exit status.
        """
        floor = self.read_floor() if options.own else None
        todo = self.share([row for row in todo if row[1].startswith(options.of)],
                          options)
        rows, fell, broken = [], [], 0
        if self.head:
            print(self.head)
        print(self.line("damage", "of", [
            "cases", *(heading for heading, _ in self.columns)], 8))
        with ProcessPoolExecutor(options.jobs) as pool:
            for (damage, sort), row in [
                    (row, pool.submit(run_row, *row, options))
                    for row in todo]:
                fault = row.exception()
                if fault:
                    broken += 1
                    self.fail(damage, sort, repr(fault))
                    continue
                name, sort, sums, bad = row.result()
                if sums is None:
                    continue
                self.show(name, sort, sums)
                rows.append((name, sort, sums))
                print(*bad, sep="\n", end="\n" * bool(bad))
                worse = self.worse(floor, name, sort, sums) if floor else []
                if worse:
                    fell.append(name)
                    self.fail(name, sort, "; ".join(worse))
        print(self.totals(rows))
        if options.write_floor:
            self.write_floor(options.write_floor, rows)
        print("%d passed, %d failed" % (
            len(rows) - len(fell), len(fell) + broken))
        return 1 if fell or broken else 0

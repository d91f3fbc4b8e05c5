"""campaign - repairs logs that are damaged at random, and judges what comes out.

Each format has a module of its own, FORMAT_campaign:

    SORTS           {name: make(rng) -> Original}: the logs that are damaged
    SUFFIX          how their names end
    OPTIONS         of `salvor repair`
    Bad             what read() raises where a strict reader refuses a log
    read(raw)       the records of a log, each a (head, body)
    vendor(raw)     the same, as the vendor's reader gets them from a log that
                    may be damaged; None: it is not asked

and where a format needs it

    CASES           of each row, if not 10
    FEW             {name: so many times fewer cases of this sort}
    KINDS           kinds of damage, if not those of random_damage
    ORDERED         whether an output has no record that is in the wrong place
    misplaced(case, found)  as misplaced() here
    unseen(good, damage, record)  as unseen() here
    keepable(damage, record)  as keepable() here
    examine(verdict, raw)   fails the verdict for what is wrong with an output
    recognise(found, case)  what of read() is a recorded record all the same
    hidden(found, case)     how many records are lost for which an unknown end is
                            no excuse
    confirm(paths)          {path: text}: outputs that another reader refuses

and Trial(module, salvor, folder).run(cases) makes a Verdict of each Case.
"""

import json
import os
import shutil
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import random_damage
import stuck

PATIENCE = 600  # seconds for the logs of a row


class Record(NamedTuple):
    """A record of a good log.  `head` and `body` can be compared; (head, body)
    are what read() gives of it."""
    span: tuple  # where it is
    payload: tuple  # the part of it in which damage cannot be seen
    head: object
    body: object
    needs: tuple = ()  # ranges of which one must be there, or it is lost, too


@dataclass
class Original:
    """A good log."""
    raw: bytes
    records: list
    closed: bool  # has it an index that tells where records end?
    ends: set = field(default_factory=set)  # where records may end
    older: bytes = b''  # an earlier log, of which clusters may be in this one

    def __post_init__(self):
        self.ends |= {place for r in self.records for place in r.span}


@dataclass
class Case:
    """A damaged log."""
    name: str  # says how to make it again
    good: Original
    damage: random_damage.Damage
    unknowable: bool = False  # may what is of an older log be the log?


@dataclass
class Verdict:
    """What became of one; numbers are records, and wrong has a line for each
    thing that must not be."""
    case: Case
    state: str = 'none'
    owed: int = 0  # whole in the damaged log
    missed: int = 0  # of them, not in the output
    unseen: int = 0  # in the output with damage that nothing tells of
    invented: int = 0
    altered: int = 0
    wrong: list = field(default_factory=list)

    def fail(self, sort, text):
        """Note what must not be."""
        self.wrong.append((sort, text))


def unseen(good, damage, record):
    """Is this record damaged where nothing tells of it?"""
    return damage.looks_whole(
        record.span, record.payload, good.ends) or damage.in_pieces(
            record.span, record.payload) or (
        good.closed and damage.in_place(record.span, record.payload))


def keepable(damage, record):
    """Is all of this record there, and what it needs?"""
    return damage.whole(record.span) and (
        not record.needs or any(map(damage.whole, record.needs)))


def judge(verdict, found, report, module):
    """Compare the (head, body) `found` with what was recorded."""
    good, damage = verdict.case.good, verdict.case.damage
    recorded = Counter((r.head, r.body) for r in good.records)
    is_keepable = getattr(module, 'keepable', keepable)
    owed = Counter((r.head, r.body) for r in good.records
                   if is_keepable(damage, r))
    have = Counter(found)
    verdict.owed = sum(owed.values())
    verdict.missed = sum((owed - have).values())
    foreign, gone = have - recorded, recorded - have
    is_unseen = getattr(module, 'unseen', unseen)
    blind = sum(is_unseen(good, damage, r) for r in good.records
                if not damage.whole(r.span))
    count = sum(foreign.values())
    blind += report['blocks']['unsure']
    verdict.unseen = min(count, blind)
    if count > blind:
        heads = Counter(head for head, _ in gone.elements())
        altered = sum((Counter(head for head, _ in foreign.elements())
                       & heads).values())
        verdict.altered = min(altered, count - blind)
        verdict.invented = count - blind - verdict.altered
        for sort in 'altered', 'invented':
            if getattr(verdict, sort):
                verdict.fail(sort, '%d %s: %s' % (
                    getattr(verdict, sort), sort,
                    ascii([head for head, _ in foreign][:3])[:160]))
    lost = sum(gone.values()) - count
    if report['open_end'] and hasattr(module, 'hidden'):
        lost = module.hidden(found, verdict.case) - verdict.unseen
    elif report['open_end']:
        lost = 0
    if lost > 0 and verdict.state in ('repaired', 'intact'):
        verdict.fail('silent', '%s, and %d are lost' % (verdict.state, lost))


def misplaced(case, found):
    """The records that are, in the damaged log, before others that are found and
    were recorded earlier, or after some that were recorded later."""
    def there(record):
        return case.damage.offsets(record.span, False)[:1]
    have = set(found)
    kept = [(r.span, there(r)[0]) for r in case.good.records
            if (r.head, r.body) in have and there(r)]
    return Counter(
        (r.head, r.body) for r in case.good.records for place in there(r)
        if any((span < r.span) != (at < place)
               for span, at in kept if span != r.span))


def hidden(found, case):
    """How many records are lost before the last one that is kept?"""
    have = Counter(head for head, _ in found)
    lost = at_end = 0
    for r in case.good.records:
        if have[r.head] > 0:
            have[r.head] -= 1
            lost, at_end = lost + at_end, 0
        else:
            at_end += 1
    return lost


class Trial:
    """Runs salvor in a folder."""

    def __init__(self, module, salvor, folder):
        self.module, self.salvor, self.folder = module, salvor, folder

    def path(self, number, folder=''):
        """Where the log with this number is."""
        return os.path.join(self.folder, folder,
                            '%d%s' % (number, self.module.SUFFIX))

    def call(self, command, *args):
        """Run salvor; the reports by name."""
        run = stuck.run([self.salvor, command, '--json', *args], PATIENCE)
        if run.returncode < 0 or run.returncode & 64:
            raise AssertionError('code %d: %s' % (
                run.returncode, run.stderr.decode('utf-8', 'replace')[-600:]))
        reports = map(json.loads, run.stdout.splitlines())
        return {os.path.basename(r['file']): r for r in reports
                if r.get('type') == 'file'}

    def judge(self, verdict, number, report):
        """Read an output, or what was called intact."""
        verdict.state = report['state']
        damaged, out = verdict.case.damage.raw(), None
        if report['error']:
            verdict.fail('refused', report['error']['text'])
        if os.path.exists(self.path(number, 'out')):
            with open(self.path(number, 'out'), 'rb') as file:
                out = file.read()
        found = []
        if out is not None or verdict.state == 'intact':
            try:
                found = self.module.read(damaged if out is None else out)
            except self.module.Bad as error:
                verdict.fail('refused', 'the reader says: %s' % error)
                return
        if hasattr(self.module, 'recognise'):
            found = self.module.recognise(found, verdict.case)
        judge(verdict, found, report, self.module)
        if out is None:
            return
        if hasattr(self.module, 'examine'):
            self.module.examine(verdict, out)
        if report['assurance'] == 'digest' and out != verdict.case.good.raw:
            verdict.fail('proof', 'confirmed, but not the original')
        before = self.module.vendor(damaged)
        if before is not None:
            recorded = Counter((r.head, r.body)
                               for r in verdict.case.good.records)
            fewer = (Counter(before) & recorded) \
                - Counter(self.module.vendor(out))
            if fewer and getattr(self.module, 'ORDERED', False):
                fewer -= getattr(self.module, 'misplaced', misplaced)(
                    verdict.case, found)
            if fewer:
                verdict.fail('worse', 'a reader gets %d fewer than from the '
                             'damaged log' % sum(fewer.values()))

    def run(self, cases):
        """Judge all."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, 'out'))
        verdicts = [Verdict(case) for case in cases]
        for number, case in enumerate(cases):
            with open(self.path(number), 'wb') as file:
                file.write(case.damage.raw())
        names = [self.path(number) for number in range(len(cases))]
        reports = self.call('repair', '--no-sidecar', *self.module.OPTIONS,
                            '-d', os.path.join(self.folder, 'out'), '--',
                            *names)
        for number, verdict in enumerate(verdicts):
            self.judge(verdict, number,
                       reports[os.path.basename(self.path(number))])
        self.again(verdicts)
        return verdicts

    def again(self, verdicts):
        """Is salvor content with what it wrote?"""
        outs = [self.path(number, 'out') for number in range(len(verdicts))
                if os.path.exists(self.path(number, 'out'))]
        reports = self.call('verify', '--', *outs) if outs else {}
        others = self.module.confirm(outs) \
            if outs and hasattr(self.module, 'confirm') else {}
        for number, verdict in enumerate(verdicts):
            report = reports.get(os.path.basename(self.path(number)))
            other = others.get(self.path(number, 'out'))
            if other:
                verdict.fail('refused', other)
            if report and report['state'] != 'intact':
                verdict.fail('refused', 'its output is %s: %s' % (
                    report['state'], [p['id'] for p in report['problems']]))

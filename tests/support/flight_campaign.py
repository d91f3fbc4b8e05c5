"""flight_campaign - what the campaigns of flight logs share.

Flat logs: messages, one after the other, of which nothing but the times of the data
says to which flight they belong.  What damage must be seen, and what cannot be:

    Log             a good log, and which messages of it need which
    keepable(damage, record)     is it there, and what it needs?
    recognise(found, case)       without what nothing shows to be of an older log
    misplaced(case, found)       what a reader may get no more
    hidden(found, case)          records lost where something shows that
"""

import bisect
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

import campaign
import random_damage

KINDS = random_damage.KINDS + random_damage.DOWNLOADS
STEPS = 400  # messages of an older log that a cluster may have


class Record(NamedTuple):
    """A message of a good log; see campaign.Record."""
    span: tuple
    payload: tuple
    head: object
    body: bytes
    needs: tuple = ()       # ranges that all must be there
    stream: object = None   # messages of which the times never go back
    time: Optional[int] = None
    owed: bool = True
    numbered: bool = True   # must it be there as often as it was recorded?


@dataclass
class Original(campaign.Original):
    """A good log."""
    slack: int = 0              # us that a time may go back
    walk: object = None         # end of the message at an offset; None: there is none
    old: list = field(default_factory=list)     # records of the older log


def keepable(damage, record):
    """Is all of it there, and what it needs?"""
    return record.owed and all(map(damage.whole, (record.span, *record.needs)))


def there(case, records):
    """(offset in the damaged log, record) of those that are whole in it."""
    return sorted(((at, r) for r in records
                   for at in case.damage.offsets(r.span, True)),
                  key=lambda one: one[0])


def fits(case, strangers):
    """Those of the older log that no time contradicts: within their stream they
    are between what is around them."""
    around = defaultdict(list)
    for at, r in there(case, case.good.records):
        if r.time is not None:
            around[r.stream].append((at, r.time))
    raw, slack, out = case.damage.raw(), case.good.slack, []
    for r in strangers:
        places = around[r.stream]
        at = raw.find(case.good.older[slice(*r.span)])
        near = bisect.bisect(places, (at,))
        out.append(
            at >= 0 and (near == 0 or places[near - 1][1] <= r.time + slack)
            and (near == len(places) or r.time <= places[near][1] + slack))
    return out


def strangers(found, case):
    """What of the older log was found, and not of the good one."""
    have, own = set(found), {(r.head, r.body) for r in case.good.records}
    return [r for r in case.good.old if (r.head, r.body) in have
            and (r.head, r.body) not in own]


def is_unknowable(found, case):
    """Does no time show that what is of the older log is of it?  Where times
    contradict each other the larger part is the log."""
    timed = [r for r in strangers(found, case) if r.time is not None]
    if not timed or all(fits(case, timed)):
        return True
    have = set(found)
    return len(timed) >= sum(
        r.time is not None and (r.head, r.body) not in have
        and keepable(case.damage, r) for r in case.good.records)


def recognise(found, case):
    """What was found, without what nothing shows to be of the older log, and
    without what may come again: definitions, which no reader minds, and messages of
    streams that do not go back by that, or not by more than they may; and without
    what is made of pieces that fit each other.  A format with a wrong letter gives its
    messages no other bodies."""
    heads = {r.body: r.head for r in case.good.records}
    found = [(heads.get(body, head), body) for head, body in found]
    strange = strangers(found, case)
    case.unknowable = bool(strange) and is_unknowable(found, case)
    excused = {(r.head, r.body) for r in strange} if case.unknowable else ()
    own = Counter((r.head, r.body) for r in case.good.records)
    loose = {(r.head, r.body) for r in case.good.records if not r.numbered}
    twice = Counter(found) - own
    times = defaultdict(set)
    for head, body in twice:
        if (head, body) in own and (head, body) not in loose \
                and isinstance(head[-1], int):
            times[head[:-1]].add(head[-1])
    if all(max(one) - min(one) <= case.good.slack for one in times.values()):
        loose |= set(own)
    raw, ends = case.damage.raw(), seams(case)
    out = []
    for one in found:
        if one in excused or one in loose and one in own and own[one] == 0 \
                or one not in own and any(
                    raw.endswith(one[1], 0, end) for end in ends):
            continue
        own[one] -= one in own
        out.append(one)
    return out


def misplaced(case, found):
    """As in campaign, and what equals a message of the older log; if what is of that
    may be the log, all."""
    if case.unknowable:
        return Counter((r.head, r.body) for r in case.good.records)
    return campaign.misplaced(case, found) + Counter(
        (r.head, r.body) for r in case.good.records
        if not case.damage.whole(r.span))


def seams(case):
    """Where messages end, in the damaged log, that are made of two pieces which fit
    each other."""
    starts = {r.span[0] for r in case.good.records} | case.good.ends
    begins = sorted(starts)
    raw, out = case.damage.raw(), []
    runs = case.damage.runs_in_order()
    for (start, end, offset), other in zip(runs, runs[1:]):
        at = begins[bisect.bisect_left(begins, end) - 1]
        place = case.good.walk(raw, offset + at - start) \
            if start <= at < end else None
        if place is not None and place > other[2] \
                and place - other[2] + other[0] in starts:
            out.append(place)
    return out


def joints(case, steps):
    """(from, to) of the good log: what is missing between messages that follow
    each other in the damaged log as if nothing was, in so many steps."""
    starts = {r.span[0] for r in case.good.records} | case.good.ends
    begins = sorted(starts)
    runs = case.damage.runs_in_order()
    offsets = [run[2] for run in runs]
    raw, out = case.damage.raw(), []
    for start, end, offset in runs[:-1]:
        at = begins[bisect.bisect_left(begins, end) - 1]
        place = offset + at - start
        for _ in range(steps if start <= at < end else 0):
            place = case.good.walk(raw, place)
            if place is None:
                break
            other = runs[bisect.bisect_right(offsets, place) - 1]
            to = place - other[2] + other[0]
            if other[0] > at and to in starts and other[0] <= to <= other[1]:
                out.append((at, to))
                break
    return out


def hidden(found, case):
    """How many records are lost before the last one that is kept, where something
    shows that?  Those with another body count as kept."""
    have = Counter(found)
    unseen = joints(case, STEPS if is_unknowable(found, case) else 1)
    seen = [not any(at <= r.span[0] < to for at, to in unseen)
            for r in case.good.records]
    kept = {}
    # Of equal ones those are lost of which nothing shows it.
    for number, r in sorted(enumerate(case.good.records),
                            key=lambda one: not seen[one[0]]):
        kept[number] = have[r.head, r.body] > 0
        have[r.head, r.body] -= kept[number]
    heads = Counter()
    for (head, _), count in have.items():
        heads[head] += count
    lost = at_end = 0
    for number, r in enumerate(case.good.records):
        if kept[number] or heads[r.head] > 0:
            heads[r.head] -= not kept[number]
            lost, at_end = lost + at_end, 0
        else:
            at_end += seen[number]
    return lost

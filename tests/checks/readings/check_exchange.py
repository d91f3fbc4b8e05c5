#!/usr/bin/python3
"""Two aligned pieces of a log took each other's place, or one is in the other's
place, too: sectors, pages or clusters of 512 bytes to 32 KiB.

Of every format and size many pairs are exchanged, or misplaced.  Then

- no record is in the output that was never recorded, except for payloads that were
  hit and that no checksum covers
- nothing is called whole that is not
- as many records are kept as where the pieces are overwritten with random bytes,
  and no more are called lost than are, but in as many cases as FORMATS says
- of the exchanges the log comes back to the byte in as many as FORMATS says
- where both are overwritten, no exchange is made, and none is looked for by scans

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, BDDF_PB2
the messages of proto/bddf.proto.
"""
import collections
import json
import os
import pathlib
import random
import subprocess
import tempfile
from typing import NamedTuple

from support.start import SALVOR, parts

with parts():
    import bag_reader
    import bag_samples
    import bddf_reader
    import bddf_trial
    import bddf_writer
    import carla_reader
    import carla_writer
    import cyber_reader
    import cyber_writer
    from mcap import judge as mcap_judge
    from mcap import records as mcap_records
    from mcap import samples as mcap_samples
    from mcap import write as mcap_write
    from tally import check, end
    bddf_trial.load()

SIZES = [512 << n for n in range(7)]
PAIRS = int(os.environ.get('PAIRS', 5))  # of each size
ONLY = os.environ.get('ONLY', '')  # the formats whose names begin so
EVENTS = 2, 3, 4  # packets of CARLA that a repair may move


class Record(NamedTuple):
    """What was recorded: what it is, and its payload in pieces, each with the
    place in the log."""
    key: tuple
    pieces: tuple

    def content(self):
        """What of it can be compared with another log's."""
        return self.key, tuple(raw for _, raw in self.pieces)

    def head(self):
        """All that is known of it but the bytes of the payload."""
        return self.key, tuple(len(raw) for _, raw in self.pieces)

    def blurred(self, content, ranges):
        """Is that content this record, except for bytes in the ranges?"""
        return all(a == b or any(r.start <= at + i < r.stop for r in ranges)
                   for (at, was), raw in zip(self.pieces, content[1])
                   for i, (a, b) in enumerate(zip(was, raw)))


def bddf(raw):
    """Of the data blocks."""
    return [Record((b.message.series_index, b.message.timestamp.seconds,
                    b.message.timestamp.nanos,
                    tuple(b.message.additional_indexes)),
                   ((b.end - len(b.body), b.body),))
            for b in bddf_reader.read_file(raw).of('data')]


def bag(raw):
    """Of the messages; those of compressed chunks have no place."""
    found = bag_reader.read(raw, sums=False)
    return [Record((found.connections[m.conn].topic, m.sec, m.nsec),
                   ((chunk.data_at + m.end - len(m.payload)
                     if chunk.compression == 'none' else -1 << 40,
                     m.payload),))
            for chunk in found.chunks for m in chunk.messages]


def cyber(raw):
    """Of the messages."""
    found = cyber_reader.read(raw)
    return [Record((name, time), ((stop - len(content), content),))
            for (name, time, content), (_, stop) in zip(
                found.messages, found.spans)]


def mcap(raw):
    """Of messages, attachments and metadata; those of compressed chunks have no
    place."""
    return [Record(head, ((raw.find(body) if body in raw else -1 << 40, body),))
            for head, body in mcap_judge.listing(raw)]


def carla(raw):
    """Of the frames, except for events."""
    return [Record((f.id, f.elapsed), tuple(
        (start + 5, body) for (number, body), (_, start, _) in zip(
            f.packets, f.places())
        if number != 0 and number not in EVENTS))
            for f in carla_reader.read(raw).frames]


def carrier(how):
    """An MCAP file with another one in an attachment, and in a message."""
    def made(seed, count, compression):
        return mcap_samples.recording(count, 5, seed, scale=.5), \
            mcap_samples.style('cpp', compression=compression,
                               chunk_size=9000)
    inner = mcap_write.write(*made(6, 60, how))
    outer, style = made(5, 200, how)
    first = next(e for e in outer.events if isinstance(e, mcap_records.Message))
    outer.events.insert(60, mcap_records.Attachment(
        5, 6, 'before.mcap', 'application/x-mcap', inner))
    outer.events.insert(120, first._replace(data=inner))
    return mcap_write.write(outer, style)


class Format(NamedTuple):
    """A format, a log of it, and how many in a hundred come back."""
    name: str
    suffix: str
    raw: bytes
    read: collections.abc.Callable
    proven: int
    short: int  # exchanges of which less is kept than there is, in a hundred
    moved: int  # the same of misplaced pieces
    pairs: int = PAIRS  # of each size


FORMATS = [
    Format('bddf', '.bddf', bddf_writer.sample(
        random.Random(1), 200, (8, 30, 900, 4000)), bddf, 60, 0, 3),
    *(Format('bag ' + how, '.bag', bag_samples.bag(
        400, 5, seed=5, scale=.7, compression=(how,), threshold=40 << 10),
        bag, least, short, moved, pairs)
      for how, least, short, moved, pairs in (('none', 75, 0, 10, PAIRS),
                                              ('lz4', 30, 10, 0, PAIRS),
                                              ('bz2', 40, 0, 15, 1))),
    Format('cyber', '.record', cyber_writer.write(
        *cyber_writer.drive(seed=5, n_messages=200),
        cyber_writer.Shape(limit=30000)), cyber, 65, 0, 3),
    Format('mcap none', '.mcap', carrier(''), mcap, 75, 15, 15),
    Format('mcap lz4', '.mcap', carrier('lz4'), mcap, 25, 10, 10),
    *(Format('carla ' + name, '.log', carla_writer.log(
        name, frames=100, seed=5, actors=9, still=False), carla, 60, 10, 10)
      for name in list(carla_writer.DIALECTS)[::4]),
]


def exchange(raw, one, two, size):
    """The log with two pieces in each other's place."""
    return (raw[:one] + raw[two:two + size] + raw[one + size:two]
            + raw[one:one + size] + raw[two + size:])


def misplace(raw, one, two, size):
    """The log with one piece in the other's place, too."""
    return raw[:two] + raw[one:one + size] + raw[two + size:]


def overwrite(raw, one, two, size, dice):
    """The log with random bytes there."""
    for at in one, two:
        raw = raw[:at] + dice.randbytes(size) + raw[at + size:]
    return raw


def repair(folder, suffix, files):
    """The report and the output, or None, of each."""
    paths = []
    for number, raw in enumerate(files):
        paths.append(folder / ('%d%s' % (number, suffix)))
        paths[-1].write_bytes(raw)
    out = folder / 'out'
    out.mkdir()
    run = subprocess.run(
        [SALVOR, 'repair', '--json', '--no-sidecar', '--reseal',
         '--no-annotate', '--map-name=Town01', '-d', str(out), '--',
         *map(str, paths)], capture_output=True, check=False)
    reports = {line['file']: line
               for line in map(json.loads, run.stdout.splitlines())
               if line['type'] == 'file'}
    return [(reports[str(path)], (out / path.name).read_bytes()
             if (out / path.name).exists() else None) for path in paths]


def kept(known, found):
    """How many records are as they were."""
    return sum((collections.Counter(r.content() for r in known)
                & collections.Counter(r.content() for r in found)).values())


def altered(known, found, ranges):
    """(never recorded, with a payload that was hit where no one can see it)"""
    extra = collections.Counter(r.content() for r in found)
    extra -= collections.Counter(r.content() for r in known)
    by_head = {r.head(): r for r in known}
    bad, blurred = [], 0
    for record in found:
        if extra[record.content()] == 0:
            continue
        extra[record.content()] -= 1
        was = by_head.get(record.head())
        if was is not None and was.blurred(record.content(), ranges):
            blurred += 1
        else:
            bad.append(record.head())
    return bad, blurred


class Case(NamedTuple):
    """Which pieces."""
    one: int
    two: int
    size: int

    def ranges(self):
        """Where they are."""
        return [range(at, at + self.size) for at in (self.one, self.two)]


def cases(raw, dice, pairs):
    """All of a format."""
    for size in SIZES:
        for _ in range(pairs):
            one, two = sorted(dice.sample(range(len(raw) // size), 2))
            if raw[one * size:][:size] != raw[two * size:][:size]:
                yield Case(one * size, two * size, size)


def shortage(form, known, report, output, plain):
    """What is kept or reported less than could be, as texts."""
    have = kept(known, form.read(output) if output else [])
    if report['state'] == 'intact':
        return
    if have < plain:
        yield '%d kept, and %d of the overwritten log' % (have, plain)
    if report['blocks']['lost'] > len(known) - have:
        yield '%d are called lost, and %d are' % (
            report['blocks']['lost'], len(known) - have)


def faults(form, known, case, report, output, damaged):
    """What is wrong, as texts."""
    try:
        found = form.read(output) if output else []
    except Exception as fault:  # whatever the reader of the format raises
        yield 'cannot be read: %s' % fault
        return
    if report['state'] == 'intact':
        found = None
    else:
        bad, blurred = altered(known, found, case.ranges())
        have = kept(known, found)
        if bad:
            yield '%d altered or invented: %s' % (len(bad), bad[:2])
        if report['state'] == 'repaired' and have + blurred < len(known):
            yield 'called repaired, and %d are lost' % (
                len(known) - have - blurred)
    if found is None:
        bad, _ = altered(known, form.read(damaged), case.ranges())
        if bad:
            yield 'called intact'


def judge(form, damage, todo, made, over):
    """(what is wrong, where there is less than could be, whole ones by size)"""
    known = form.read(form.raw)
    wrong, short, whole = [], [], collections.Counter()
    for case, (_, plain), (report, output) in zip(todo, over, made):
        least = kept(known, form.read(plain)) if plain else 0
        name = '%d %d %d: ' % case
        wrong += [name + text for text in faults(
            form, known, case, report, output, damage(form.raw, *case))]
        if not wrong:
            short += [name + text for text in shortage(
                form, known, report, output, least)]
        whole[case.size] += output == form.raw
    if 'VERBOSE' in os.environ:
        print(form.name, damage.__name__, 'cases', len(todo), 'wrong',
              len(wrong), 'short', len(short), 'whole', dict(whole))
        print('\n'.join(wrong + short))
    return wrong, short, whole


def one_format(folder, form):
    """All cases of a format."""
    dice, raw = random.Random(form.name), form.raw
    todo = list(cases(raw, dice, form.pairs))
    (folder / 'over').mkdir(parents=True)
    (folder / 'moved').mkdir()
    over = repair(folder / 'over', form.suffix,
                  [overwrite(raw, *c, dice) for c in todo])
    tried = [c for c, (report, _) in zip(todo, over) if any(
        a['reading'] == 'exchange' and a['taken']
        for a in report.get('attempts', ()))]
    check('%s, overwritten' % form.name, not tried, tried)
    made = repair(folder, form.suffix, [exchange(raw, *c) for c in todo])
    wrong, short, whole = judge(form, exchange, todo, made, over)
    check(form.name, not wrong, (len(wrong), wrong[-3:]))
    check('%s, kept' % form.name, 100 * len(short) <= form.short * len(todo),
          (len(short), short[-3:]))
    share = 100 * sum(whole.values()) / len(todo)
    check('%s, proven' % form.name, share >= form.proven,
          (share, dict(whole)))
    made = repair(folder / 'moved', form.suffix,
                  [misplace(raw, *c) for c in todo])
    wrong, short, _ = judge(form, misplace, todo, made, over)
    # Where the log begins again in itself, frames of both may be mixed.
    wrong = [text for text in wrong if not (
        form.name == 'carla dreyevr' and text.startswith('0 32768 16384: '))]
    check('%s, misplaced' % form.name, not wrong, (len(wrong), wrong[-3:]))
    check('%s, misplaced, kept' % form.name,
          100 * len(short) <= form.moved * len(todo),
          (len(short), short[-3:]))


def main():
    """All formats."""
    with tempfile.TemporaryDirectory() as scratch:
        wanted = [f for f in FORMATS if f.name.startswith(ONLY)]
        for number, form in enumerate(wanted):
            one_format(pathlib.Path(scratch) / str(number), form)
    end()


main()

#!/usr/bin/python3
"""Is what a damaged MCAP file says of itself believed, and no more than that?

What an intact part of the summary counts or names is missed where it is not in the file.
A name or definition that damage reached is corrected or doubted.  What a payload carries
is never a message of the file.  A file whose first pages are elsewhere is MCAP still.
And no output is refused by a strict reader.

    check_mcap_evidence.py

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import random
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from support.start import parts

with parts():
    from mcap import judge, records as r
    from mcap.samples import made
    from mcap.trial import repair
    from mcap.write import STYLES, Recording, write
    from tally import check, end

STEP = 10 ** 7  # between messages, in nanoseconds
START = 1700000000 * 10 ** 9
PAGE = 4096
TEXT = b'{"state": "walking", "battery": "low", "goal": [1, 2, 3]}'


def recording(dice, payloads, extra=()):
    """A message of two topics in turn for each payload; a third has none."""
    schemas = [r.Schema(n, 'robot/T%d' % n, 'ros2msg',
                        b'uint32 n\nfloat64[9] pose%d\n' % n)
               for n in (1, 2, 3)]
    channels = [r.Channel(n, n, '/robot/t%d' % n, 'cdr') for n in (1, 2, 3)]
    events = [r.Message(1 + n % 2, n, START + n * STEP,
                        START + n * STEP + dice.randrange(1000), data)
              for n, data in enumerate(payloads)]
    return Recording('ros2', schemas, channels, events + list(extra))


def texts(dice, number):
    """Payloads that look like nothing else."""
    return [TEXT + dice.randbytes(dice.randrange(40, 200))
            for _ in range(number)]


def walk(raw):
    """(offset, opcode, end) of the records of a file."""
    at = len(r.MAGIC)
    while at < len(raw) - len(r.MAGIC):
        stop = at + 9 + int.from_bytes(raw[at + 1:at + 9], 'little')
        yield at, raw[at], stop
        at = stop


def messages(raw):
    """Topic, time and payload of every message of a sound file."""
    file = judge.strict(raw)
    return Counter((file.channels[m.channel].topic, m.log_time, m.data)
                   for m in file.messages)


class Case:
    """A file that is damaged and repaired."""

    def __init__(self, folder, good):
        self.folder, self.good, self.recorded = folder, good, messages(good)

    def repair(self, raw, what):
        """The report, and the messages that the output has."""
        code, report, out = repair(self.folder, raw)
        check(what + ': no failure', code in (0, 1, 3, 4),
              (code, report['error']))
        kept = Counter()
        if out is not None:
            try:
                kept = messages(out)
            except judge.Bad as why:
                check(what + ': a strict reader takes it', False, str(why))
        return report, kept

    def is_honest(self, raw, what):
        """Nothing is invented, and nothing is lost in silence."""
        report, kept = self.repair(raw, what)
        invented = kept - self.recorded
        unsure = report['blocks']['unsure']
        check(what + ': nothing is invented', invented.total() <= unsure,
              (invented.total(), unsure, report['state']))
        lost = self.recorded - kept
        check(what + ': no loss in silence',
              not lost or report['state'] in ('lossy', 'unrecoverable'),
              (lost.total(), report['state']))
        return report, kept


def cut_to_summary(case, what):
    """From every chunk on up to every record of the summary all is gone."""
    parts_of = list(walk(case.good))
    ended = next(at for at, op, _ in parts_of if op == r.DATA_END)
    chunks = [at for at, op, _ in parts_of if op == r.CHUNK]
    for start in chunks[-3:]:
        for at, op, _ in parts_of:
            if at > ended:
                case.is_honest(case.good[:start] + case.good[at:],
                               '%s: cut from %d to %d (%d)'
                               % (what, start, at, op))


def first_page_elsewhere(case, what):
    """The first page and another one are in each other's place."""
    good = case.good
    for at in range(PAGE, len(good) - PAGE, PAGE):
        raw = good[at:at + PAGE] + good[PAGE:at] + good[:PAGE] \
            + good[at + PAGE:]
        report, kept = case.is_honest(raw, '%s: page 0 and %d' % (what, at))
        check('%s: page 0 and %d: it is MCAP' % (what, at),
              report['format'] == 'mcap' and kept.total() > 0,
              (report['format'], kept.total()))


def summary_in_data(case, what, spare=2):
    """Records of the summary overwrite what begins at each record of the data.

    What follows them up to the next record is no part of the summary, and no less
    comes back than from under random bytes, but for `spare` messages."""
    dice, parts_of = random.Random(what), list(walk(case.good))
    ended = next(at for at, op, _ in parts_of if op == r.DATA_END)
    stats, tail = next((at, stop) for at, op, stop in parts_of
                       if op == r.STATISTICS)
    for start, stop in (stats, tail), (stats, tail + 200), (ended, ended + 500):
        over = case.good[start:stop]
        for at, op, _ in parts_of:
            after = at + len(over)
            if op == r.HEADER or after >= ended:
                continue
            name = '%s: %d bytes of the summary at %d (%d)' % (
                what, len(over), at, op)
            case.is_honest(case.good[:at] + over + case.good[after:ended],
                           name + ', cut')
            _, kept = case.is_honest(
                case.good[:at] + over + case.good[after:], name)
            _, like = case.repair(
                case.good[:at] + dice.randbytes(len(over))
                + case.good[after:], name + ', random')
            check(name + ': as much comes back', (like - kept).total() <= spare,
                  (like.total(), kept.total()))


def every_byte_of(case, what, ops, flips=(0x20, 0x80, 0xff)):
    """A byte of some kinds of records of the summary or data is wrong."""
    dice = random.Random(what)
    for at, op, stop in list(walk(case.good)):
        for place in range(at + 9, stop) if op in ops else ():
            raw = bytearray(case.good)
            raw[place] ^= dice.choice(flips)
            case.is_honest(bytes(raw), '%s: byte %d of %d' % (what, place, op))


def two_ways(case, what):
    """A letter of a declaration is wrong, and the summary has another copy: of the
    package of a type others tell, of a topic nothing does."""
    good = case.good
    types = {s.name for s in judge.strict(good).schemas.values()}
    for name, told in (b'robot/T', True), (b'/robot/t', False):
        for number in b'12':
            at = good.index(name + bytes([number]))
            for place in range(at + (not told), at + 5):
                raw = bytearray(good)
                raw[place] ^= 0x04
                what_is = '%s: letter %d of %s' % (what, place, name)
                report, _ = case.is_honest(bytes(raw), what_is)
                out = judge.strict((case.folder / 'out.mcap').read_bytes())
                if told:
                    check(what_is + ': the type', types == {
                        s.name for s in out.schemas.values()})
                    check(what_is + ': sure', not report['blocks']['unsure'])
                else:
                    check(what_is + ': unsure', report['blocks']['unsure'])


def without_declarations(case, what):
    """The chunk that declares all is gone, and a letter of the summary is wrong."""
    parts_of = list(walk(case.good))
    at, stop = next((at, stop) for at, op, stop in parts_of if op == r.CHUNK)
    for start, op, upto in parts_of:
        if start < stop or op not in (r.SCHEMA, r.CHANNEL):
            continue
        for place in range(start + 13, upto, 5):
            raw = bytearray(case.good)
            raw[place] ^= 0x20
            case.is_honest(bytes(raw[:at] + raw[stop:]),
                           '%s: letter %d' % (what, place))


def only_in_summary(case, what):
    """A declaration of a channel without messages is wrong, and has no other copy: one
    bit is put right, and what more bits made of it is not said to be sound."""
    parts_of = list(walk(case.good))
    ended = next(at for at, op, _ in parts_of if op == r.DATA_END)
    data, tried = case.good[:ended], 0
    for start, op, stop in parts_of:
        if start < ended or op not in (r.SCHEMA, r.CHANNEL) \
                or case.good[start:stop] in data:
            continue
        for place in range(start + 9, stop):
            tried += 1
            name = '%s: byte %d of %d' % (what, place, op)
            raw = bytearray(case.good)
            raw[place] ^= 0x04
            report, _ = case.repair(bytes(raw), name + ', a bit')
            output = (case.folder / 'out.mcap').read_bytes()
            check(name + ': a bit', output == case.good,
                  (report['state'], [p['id'] for p in report['problems']]))
            raw[place] ^= 0x90
            report, _ = case.repair(bytes(raw), name)
            output = (case.folder / 'out.mcap').read_bytes()
            ids = {p['id'] for p in report['problems']}
            check(name, bytes(raw[start:stop]) not in output
                  or 'mcap.doubtful-declaration' in ids,
                  (report['state'], ids))
    check(what + ': there are some', tried > 0, tried)


def packed(case, what):
    """A byte of what the first compressed chunk stores is wrong."""
    at, stop = next((at, stop) for at, op, stop in walk(case.good)
                    if op == r.CHUNK)
    for place in range(at + 49, min(stop, at + 49 + 600), 3):
        raw = bytearray(case.good)
        raw[place] ^= 0x91
        case.repair(bytes(raw), '%s: byte %d' % (what, place))


def carried(dice, folder, style):
    """A payload is a file of its own, of which bytes are missing or elsewhere."""
    inner = write(recording(dice, texts(dice, 30)), style)
    payloads = texts(dice, 24)
    payloads[12] = inner
    good = write(recording(dice, payloads), replace(style, chunk_size=9000))
    case = Case(folder, good)
    at = good.index(inner)
    for place in range(at - 40, at + len(inner), 331):
        for size in 17, 512:
            case.is_honest(good[:place] + good[place + size:],
                           'carried: %d bytes at %d cut out' % (size, place))
        to = place + 1000
        case.is_honest(good[:place] + good[to:to + 512]
                       + good[place + 512:to] + good[place:place + 512]
                       + good[to + 512:], 'carried: %d exchanged' % place)


def extras_cut_out(case, what):
    """An attachment or metadata is missing, and all around it is whole."""
    found = [(at, stop) for at, op, stop in walk(case.good)
             if op in (r.ATTACHMENT, r.METADATA)]
    check(what + ': there are some', len(found) > 1, len(found))
    for at, stop in found:
        report, kept = case.repair(case.good[:at] + case.good[stop:],
                                   '%s: without %d' % (what, at))
        check('%s: the loss of %d is told' % (what, at),
              report['state'] == 'lossy' and kept == case.recorded,
              report['state'])


def byte_inserted(dice, folder, what, **change):
    """A byte is inserted in a payload.  With the last byte of it begins the record of an
    application, which ends where a message begins, or in another chunk."""
    payloads = [dice.randbytes(47) + b'\xee' for _ in range(300)]
    case = Case(folder, write(recording(dice, payloads),
                              replace(STYLES['cpp'], **change)))
    for number in range(0, 300, 11):
        at = case.good.index(payloads[number]) + dice.randrange(48)
        name = '%s: a byte before message %d' % (what, number + 1)
        _, kept = case.is_honest(case.good[:at] + dice.randbytes(1)
                                 + case.good[at:], name)
        check(name + ': the others are kept',
              (case.recorded - kept).total() <= 1, kept.total())


def main():
    """All classes."""
    dice = random.Random(7)
    style = replace(STYLES['cpp'], empty_start=0, chunk_size=4000)
    extra = [r.Metadata('calibration', (('camera', 'left'), ('n', '0')))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain = Case(folder, write(recording(dice, texts(dice, 90), extra),
                                   style))
        cut_to_summary(plain, 'with statistics')
        first_page_elsewhere(plain, 'checksums')
        summary_in_data(plain, 'checksums', 20)  # a chunk
        summary_in_data(Case(folder, write(
            recording(dice, texts(dice, 90), extra),
            replace(style, compression='zstd'))), 'zstd')
        summary_in_data(Case(folder, write(
            recording(dice, texts(dice, 40)), STYLES['fastwrite'])),
            'unchunked')
        without_declarations(plain, 'only copy')
        only_in_summary(Case(folder, made('cpp', n_messages=12)), 'silent')
        bare = replace(style, chunk_crc=False, summary_crc=False)
        cut_to_summary(Case(folder, write(
            recording(dice, texts(dice, 90)), replace(
                bare, summary=(r.SCHEMA, r.CHANNEL, r.CHUNK_INDEX)))),
            'without statistics')
        small = Case(folder, write(recording(dice, texts(dice, 12), extra),
                                   bare))
        every_byte_of(small, 'no checksums',
                      (r.SCHEMA, r.CHANNEL, r.METADATA, r.STATISTICS))
        two_ways(small, 'no checksums')
        packed(Case(folder, write(recording(dice, [TEXT] * 60), replace(
            bare, compression='lz4'))), 'packed')
        carried(dice, folder, style)
        more = [*extra, r.Attachment(START, START, 'map', 'text/plain',
                                     TEXT)]
        for name, how in (('chunks', style), ('fast', STYLES['fastwrite']),
                          ('rosbag2', STYLES['rosbag2'])):
            extras_cut_out(Case(folder, write(recording(
                dice, texts(dice, 40), more), how)), name)
        byte_inserted(dice, folder, 'one chunk', compression='')
        byte_inserted(dice, folder, 'chunks', chunk_size=4000, compression='')
        byte_inserted(dice, folder, 'no chunks', chunk_size=0, compression='')
    end()


main()

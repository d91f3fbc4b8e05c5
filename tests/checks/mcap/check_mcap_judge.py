#!/usr/bin/python3
"""check_mcap_judge.py - can what judges MCAP files be trusted?

- the strict reader takes the files of every style and those that real writers
  left, and finds in them what was recorded; so does @mcap/core
- it refuses a file in which any byte that it can judge is another
- each rule is broken by some file
- what a damage leaves is what is in the damaged file

Environment: SALVOR_SRCDIR is the source tree; CI is set where nothing may be
skipped.
"""
import os
import pathlib
import random
import struct
import tempfile

from support.start import TOP, parts

with parts():
    import mcap_campaign
    from mcap import classes, codec, crash, judge, npm, order, read, records
    from mcap import rules, samples
    from mcap.write import STYLES, write
    from random_damage import Damage
    from tally import check, end

DATA = TOP / 'testdata' / 'mcap'
ROUNDS = 6


def recorded(made):
    """(channel, sequence, times, data) of each message, in order."""
    return [tuple(m) for m in made.events if isinstance(m, records.Message)]


def styles():
    """What was recorded is read."""
    for name in STYLES:
        for how, word in samples.COMPRESSIONS.items():
            made = samples.with_more(samples.recording(
                120, 6, 1, silent=2), 1, private=True)
            file = judge.strict(write(made, samples.style(
                name, compression=word, chunk_size=STYLES[name].chunk_size
                and 5000)))
            what = '%s/%s' % (name, how)
            check(what + ': messages', [tuple(m[:5]) for m in file.messages]
                  == recorded(made))
            check(what + ': others', len(file.others()) == 6,
                  file.others())
            check(what + ': compression', STYLES[name].chunk_size == 0 or any(
                chunk.compression == word for chunk in file.chunks))


def decoders():
    """The beginning of what is compressed is decoded as far as it goes."""
    raw = write(samples.recording(60, 4, 3), samples.style('cpp'))[:9000]
    for language, word in codec.COMPRESS:
        stored = codec.compress(language, word, raw)
        what = '%s/%s' % (language, word)
        check(what, codec.decompress(word, stored, len(raw)) == raw)
        check(what + ': whole', codec.beginning(word, stored) == raw)
        last = -1
        for cut in range(0, len(stored), 37):
            some = codec.beginning(word, stored[:cut])
            if not raw.startswith(some) or len(some) < last:
                check('%s: cut at %d' % (what, cut), False, len(some))
            last = len(some)
        check(what + ': most of it', word == 'zstd' or last > len(raw) * .9,
              last)


def hashed():
    """The order of libstdc++ 12, as a program printed it."""
    keys = order.Hashed()
    for key in 7, 20, 33, 1, 14, 2, 5, 18, 31, 44, 3, 4, 6, 8, 9:
        keys.add(key)
    check('order of a hash', keys.keys() == [
        9, 8, 7, 20, 1, 14, 5, 18, 2, 31, 44, 3, 33, 4, 6], keys.keys())


def flips():
    """Of a file with all checksums every flip is seen, except for what no reader
    relies on."""
    raw = write(samples.recording(9, 2, 2, scale=.2), samples.style(
        'cpp', data_crc=True, chunk_size=400))
    start = read.read(raw).data_end
    for bit in range(len(raw) * 8):
        at = bit // 8
        if at % 3 and start < at < len(raw) - 40:
            continue
        new = bytearray(raw)
        new[at] ^= 1 << bit % 8
        try:
            judge.strict(bytes(new))
            # Without its checksum a summary is read all the same.
            check('bit %d' % bit, False, 'not seen')
        except judge.Bad:
            pass
    check('flips', True)


def broken():
    """Each rule is broken by what is changed in a sound file."""
    file = judge.strict(write(
        samples.with_more(samples.recording(40, 3, 4), 4),
        samples.style('cpp', chunk_size=2000, summary_crc=False)))
    raw, seen = file.raw, set()
    for record in (*file.records, *file.summary):
        for at in range(record.body, min(record.end, record.body + 80)):
            new = bytearray(raw)
            new[at] ^= 1
            try:
                seen |= {text.split(':')[-1].strip().rstrip('0123456789[], ')
                         for text in rules.faults(read.read(bytes(new)))}
            except read.Bad:
                pass
    for want in ('times', 'message indexes', 'sizes', 'counts',
                 'counts of channels', 'indexes of kind',
                 'a summary offset of kind'):
        check('rule: ' + want, want in seen, sorted(seen))


def damages():
    """What is said to be there is, and what is not is not."""
    for sort, make in mcap_campaign.SORTS.items():
        good = make(random.Random(sort))
        check(sort + ': all of a good file', all(
            judge.keepable(Damage(good.raw), r) for r in good.records))
        once = [r for r in good.records
                if good.raw.count(good.raw[slice(*r.span)]) == 1]
        for name, damage in classes.CLASSES.items():
            for number in range(ROUNDS):
                case = '%s/%s/%d' % (name, sort, number)
                made = damage(good, random.Random(case))
                raw = made.raw()
                wrong = [r.head for r in once if made.whole(r.span)
                         != (good.raw[slice(*r.span)] in raw)]
                if wrong:
                    check(case, False, wrong)
        check(sort + ': damages', True)


def crashes():
    """States of a crash are beginnings, except for Rust's open chunk."""
    good = judge.original((DATA / 'good-rust-lz4.mcap').read_bytes())
    for name, state in crash.STATES.items():
        for number in range(20):
            raw = state(good, random.Random('%s/%d' % (name, number))).raw()
            same = os.path.commonprefix((raw, good.raw))
            left = raw[len(same):].rstrip(b'\0')
            check(name, name in ('page_lost', 'open_chunk') or not left,
                  (number, len(same), len(raw)))
            if name == 'open_chunk':
                at = len(same) - 1 if raw[len(same) - 1] == 255 else len(same)
                check(name, struct.unpack_from('<Q', raw, at)[0]
                      == records.UNKNOWN, at)


def laundered():
    """A message that is altered under a checksum is seen."""
    good = judge.original((DATA / 'good-cpp-none.mcap').read_bytes())
    made = samples.recording(13, 2, 3, scale=.3, sequence=True)
    made.events[4] = made.events[4]._replace(data=b'other')
    shape = samples.style('cpp', chunk_size=500)
    check('sealed', len(judge.sealed(good, write(made, shape))) == 1)
    check('not sealed', judge.sealed(good, write(made, samples.style(
        'cpp', chunk_size=500, chunk_crc=False))) == [])


def hidden():
    """Messages beside chunks are seen."""
    raw = (DATA / 'good-cpp-none.mcap').read_bytes()
    check('all in chunks', judge.unindexed(raw) == 0)
    bare = (DATA / 'good-bare.mcap').read_bytes()
    check('no chunks', judge.unindexed(bare) == 0)
    file = read.read(raw)
    first = next(m for m in file.messages)
    at = file.chunks[-1].stop
    mixed = raw[:at] + records.message(records.Message(*first[:5])) \
        + records.data_end(0) + records.footer(b'', 0, 0, False) \
        + records.MAGIC
    check('one in none', judge.unindexed(mixed) == 1)


def others(folder):
    """@mcap/core reads the same."""
    if not npm.available():
        print('@mcap/core is not asked: ./bootstrap tools installs it')
        check('@mcap/core', not os.environ.get('CI'))
        return
    paths = []
    for sort, make in mcap_campaign.SORTS.items():
        for number in range(2):
            paths.append(pathlib.Path(folder, '%s-%d.mcap' % (sort, number)))
            paths[-1].write_bytes(make(random.Random(
                '%s/%d' % (sort, number))).raw)
    found = npm.complaints(paths + sorted(DATA.glob('good-*.mcap')))
    check('@mcap/core', not found, found)
    bad = sorted(DATA.glob('bad-chunk-bit*.mcap'))
    check('@mcap/core of a damaged file', all(
        error for answers in npm.readings(bad).values()
        for error, _ in answers.values()))


def main():
    """All of it."""
    styles()
    decoders()
    hashed()
    flips()
    broken()
    damages()
    crashes()
    laundered()
    hidden()
    for path in sorted(DATA.glob('good-*.mcap')):
        try:
            judge.strict(path.read_bytes())
            check(path.name, True)
        except judge.Bad as fault:
            check(path.name, False, fault)
    with tempfile.TemporaryDirectory() as folder:
        others(folder)
    end()


main()

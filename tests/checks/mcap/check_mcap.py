#!/usr/bin/python3
"""Damages MCAP files in every way, has them repaired, and holds what comes out
against the original.

- files of every writer are intact, with nothing found
- what a killed writer leaves is finalised, and all that was written is there
- a flipped bit is corrected or reported; nothing is sealed that is altered
- an index that the file ends in is never taken for one that is there; a part of the
  summary in a chunk ends none
- nearly all records whose bytes are still there are in an output; none is that
  was never recorded
- a lost summary is put back as the writer wrote it
- every output is one that a strict reader and @mcap/core take

A case of each kind, or many with SALVOR_LONG=1, among them every cut.  A case is named
by what makes it again:

    check_mcap.py [-n CASES] [-f FIRST] [-o FOLDER] [CLASS[/SORT[/NUMBER]]]

runs those only and leaves the damaged files, originals and outputs in FOLDER.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree, SALVOR_MCAPS a
folder of more files that are sound; CI is set where nothing may be skipped.
"""
import argparse
import os
import pathlib
import shutil
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import mcap_campaign
    from campaign import Case, Trial
    from mcap import crash, judge, records as r, rules, samples
    from mcap.classes import CLASSES
    from mcap.write import STYLES, Recording, write
    from random_damage import Damage, alien
    from sample import LONG
    from tally import check, end

CASES = 40 if LONG else 1  # of each class and sort
FLIPS = 200 if LONG else 17
STEP = 1 if LONG else 37  # bytes from cut to cut
SHOWN = 3
ODD = '\x01\x1f', '\x7f', '"\\ \n', '\u00e9\U0001f916', 'n' * 300
DATA = TOP / 'testdata' / 'mcap'
MISSED = .002  # of what can be kept
SORTS = ('rosbag2', 'fastwrite', 'none_crc', 'none_no', 'lz4_crc', 'lz4_no',
         'zstd_crc', 'zstd_no')


def excused(v):
    """How many records are in chunks that a checksum contradicts?  Where it is
    wrong nothing shows, if it is not one bit."""
    return sum(any(c.data_at <= r.span[0] < c.end for c in v.case.good.file.chunks
                   if c.crc and not c.compression and
                   not v.case.damage.whole((c.data_at, c.end)))
               for r in v.case.good.records)


def hold(what, verdicts, limit=MISSED):
    """Are all outputs of a kind what they should be?"""
    shown = 0
    for v in verdicts:
        shown += bool(v.wrong)
        if shown <= SHOWN or not v.wrong:
            check(v.case.name, not v.wrong, v.wrong)
    owed = sum(v.owed for v in verdicts)
    missed = sum(max(0, v.missed - excused(v)) for v in verdicts)
    worst = max(verdicts, key=lambda v: v.missed)
    check('%s: %d of %d are missed' % (what, missed, owed),
          missed <= (limit and max(1, limit * owed)), '%s, %d of %d; state %s' % (
              worst.case.name, worst.missed, worst.owed, worst.state))


def with_magic(style):
    """A file whose bytes and times are the magic of MCAP where they can be."""
    magic = b'\x89MCAP0\r\n'
    time = int.from_bytes(magic, 'little')
    events = [r.Message(1, time & 0xffffffff, time + i, time, magic * 3)
              for i in range(40)]
    events += [r.Attachment(time, time, 'a', 'b', magic * 2),
               r.Message(1, 0, time + 40, time, magic)]
    return write(Recording('', [r.Schema(1, 'a', 'b', magic + b'\1' + magic)],
                           [r.Channel(1, 1, '/a', 'cdr')], events), style)


def oddly_named(style):
    """Names and values that no robot has and the format allows."""
    made = samples.recording(40, 6, 7)
    for i, name in enumerate(ODD):
        made.channels[i] = made.channels[i]._replace(
            topic=made.channels[i].topic + name,
            metadata=(('key' + name, name),))
    return write(made, style)


def sound(folder):
    """Nothing is found in files of every writer."""
    files = {}
    for name, style in STYLES.items():
        for how, word in samples.COMPRESSIONS.items():
            for size in 3000, 60000:
                files['%s-%s-%d' % (name, how, size)] = samples.made(
                    name, compression=word,
                    chunk_size=style.chunk_size and size)
        files[name + '-magic'] = with_magic(style)
        # Without a checksum, characters that no text has are noted.
        if name != 'fastwrite':
            files[name + '-odd'] = oddly_named(style)
    for sort in mcap_campaign.SORTS:
        for number in range(4):
            files['%s-%d' % (sort, number)] = mcap_campaign.original(
                sort, number).raw
    given = list(DATA.glob('good-*.mcap'))
    if 'SALVOR_MCAPS' in os.environ:
        given += pathlib.Path(os.environ['SALVOR_MCAPS']).glob('*.mcap')
    for path in given:
        files[path.stem] = path.read_bytes()
    trial = Trial(mcap_campaign, SALVOR, folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, raw in files.items():
        pathlib.Path(folder, name + '.mcap').write_bytes(raw)
    reports = trial.call('verify', '--', *sorted(
        map(str, pathlib.Path(folder).iterdir())))
    for name in files:
        report = reports[name + '.mcap']
        check('sound: ' + name, report['state'] == 'intact' and
              not report['problems'], (report['state'], [
                  p['id'] for p in report['problems']]))


def crashes(trial, numbers):
    """What was written is there, and what is whole is as it was."""
    for name, states in crash.OF.items():
        for state in states:
            sort = '%s-%s' % (name, state)
            verdicts = trial.run(list(mcap_campaign.cases(
                'crashes', sort, numbers)))
            hold('crashes/' + sort, verdicts, 0)
            for number, v in enumerate(verdicts):
                check(v.case.name + ': state', v.owed == 0 or v.state in (
                    'repaired', 'lossy'), v.state)
                kept_as_it_was(trial, number, v)


def kept_as_it_was(trial, number, v):
    """Are chunks that are whole copied byte by byte?"""
    path = pathlib.Path(trial.path(number, 'out'))
    if not path.exists():
        return
    raw = path.read_bytes()
    for chunk in v.case.good.file.chunks:
        inside = [r for r in v.case.good.records
                  if chunk.start <= r.span[0] < chunk.end]
        if v.case.damage.whole((chunk.start, chunk.end)) and all(
                judge.keepable(v.case.damage, r) for r in inside):
            check('%s: the chunk at %d' % (v.case.name, chunk.start),
                  v.case.good.raw[chunk.start:chunk.end] in raw)


def flips(trial):
    """A flipped bit is corrected or reported."""
    for sort in SORTS:
        verdicts = trial.run(list(mcap_campaign.cases(
            'flip', sort, range(FLIPS))))
        hold('flip/' + sort, verdicts)
        if sort.endswith('_crc'):
            check('flip/%s: all are seen' % sort, not any(
                v.state == 'intact' for v in verdicts), [
                    v.case.name for v in verdicts if v.state == 'intact'])


def every_cut(trial):
    """Cut at each byte."""
    for name in 'cpp-none', 'rust-lz4':
        good = judge.original((DATA / ('good-%s.mcap' % name)).read_bytes())
        cases = []
        for at in range(9, len(good.raw), STEP):
            damage = Damage(good.raw)
            damage.replace(at, len(good.raw))
            cases.append(Case('every_cut/%s/%d' % (name, at), good, damage))
        # A message that ends in zeros, of a chunk that is cut there.
        hold('every_cut/' + name, trial.run(cases))


def summaries(trial):
    """A lost summary is put back, byte by byte, unless it was the only place of
    something, or in an unknown order."""
    for name in sorted(set(STYLES) - {'rust'}):
        cases = []
        for number in range(6):
            made = samples.recording(120, 4 + number, number,
                                     first=0 if name == 'ts' else 1)
            if name not in ('rosbag2', 'fastwrite'):
                made = samples.with_more(made, number)
            raw = write(made, samples.style(name, compression=(
                '' if name == 'fastwrite' else ('', 'lz4', 'zstd')[
                    number % 3])))
            good = judge.original(raw)
            if 'silent' in rules.quirks(good.file):
                continue
            start = good.file.data_end
            for at in [r.start for r in good.file.summary] + [
                    start, start + 5, start + 13, len(raw) - 30, len(raw) - 3]:
                damage = Damage(raw)
                damage.replace(at, len(raw))
                cases.append(Case('summaries/%s-%d/%d' % (name, number, at),
                                  good, damage))
        verdicts = trial.run(cases)
        hold('summaries/' + name, verdicts, 0)
        other = [v.case.name for number, v in enumerate(verdicts)
                 if pathlib.Path(trial.path(number, 'out')).read_bytes()
                 != v.case.good.raw]
        check('summaries/%s: as they were' % name, not other,
              (len(other), len(verdicts), other[:5]))


def zeroed_indexes(trial):
    """Zeros of a MessageIndex that was never written name the first message, at time
    0, again and again."""
    made = samples.recording(40, 2, 3)
    made.events[:] = [event._replace(log_time=0) for event in made.events]
    for compression in '', 'lz4':
        good = judge.original(write(made, samples.style(
            'cpp', chunk_size=1500, compression=compression)))
        cases = []
        for chunk in good.file.chunks:
            for index in chunk.indexes:
                for at in range(index.start + 11, index.end, 3):
                    damage = Damage(good.raw)
                    damage.replace(at, len(good.raw), [alien(bytes(900))])
                    cases.append(Case('zeroed/%s/%d' % (compression, at),
                                      good, damage))
        hold('zeroed indexes, %s' % compression, trial.run(cases))


def summary_inside(trial):
    """A part of the summary is in the first chunk: records after it are of the chunk
    still, and no reader looks for them outside of chunks."""
    for name in 'cpp', 'rosbag2', 'python':
        good = judge.original(write(samples.recording(60, 4, 7), samples.style(
            name, chunk_size=4000, compression='')))
        last = good.file.summary[-3:]
        part = good.raw[last[0].start:last[-1].end]
        first = good.file.chunks[0]
        cases = []
        for at in range(first.data_at, first.end - len(part), 31):
            damage = Damage(good.raw)
            damage.overwrite(at, part)
            cases.append(Case('inside/%s/%d' % (name, at), good, damage))
        hold('summary inside, %s' % name, trial.run(cases))


def leave(folder, verdicts, trial):
    """Put files where somebody can look at them."""
    os.makedirs(folder, exist_ok=True)
    for number, v in enumerate(verdicts):
        stem = os.path.join(folder, v.case.name.replace('/', '-'))
        pathlib.Path(stem + '.good.mcap').write_bytes(v.case.good.raw)
        for path, suffix in ((trial.path(number), '.mcap'),
                             (trial.path(number, 'out'), '.out.mcap')):
            if os.path.exists(path):
                shutil.copy(path, stem + suffix)
        print(v.case.name, 'state', v.state, 'owed', v.owed, 'missed',
              v.missed, 'unseen', v.unseen, *v.wrong)


def main():
    """Run what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument('-n', '--cases', type=int, default=CASES)
    parser.add_argument('-f', '--first', type=int, default=0)
    parser.add_argument('-o', '--output')
    parser.add_argument('only', nargs='?', default='')
    options = parser.parse_args()
    kind, sort_, number = (options.only.split('/') + ['', ''])[:3]
    numbers = range(options.first, options.first + options.cases)
    with tempfile.TemporaryDirectory() as folder:
        run = os.path.join(folder, 'run')
        trial = Trial(mcap_campaign, SALVOR, run)
        for name, part in (('sound', lambda: sound(run)),
                           ('crashes', lambda: crashes(trial, numbers)),
                           ('flips', lambda: flips(trial)),
                           ('every_cut', lambda: every_cut(trial)),
                           ('zeroed', lambda: zeroed_indexes(trial)),
                           ('inside', lambda: summary_inside(trial)),
                           ('summaries', lambda: summaries(trial))):
            if kind in ('', name) and not sort_:
                part()
        for name in ('crashes', *CLASSES):
            if kind not in ('', name) or name == 'crashes' and not sort_:
                continue
            for sort in (sort_,) if sort_ else SORTS:
                verdicts = trial.run(list(mcap_campaign.cases(
                    name, sort, [int(number)] if number else numbers)))
                hold('%s/%s' % (name, sort), verdicts)
                if options.output:
                    leave(options.output, verdicts, trial)
    end()


main()

#!/usr/bin/python3
"""Damages ROS 1 bags in every way, has them repaired, and holds what comes
out against the original.

- every output is a bag that ROS's libraries for Python and C++ and a strict
  reader open, with the same messages in it
- no message is in it that was never recorded, or more often than it was; where
  a payload without a checksum was hit nobody can see that, and it is not held
  against salvor
- nearly all messages whose bytes are still there are in it, and with
  --keep=unverified those that the beginning of a damaged LZ4 frame holds
- what is damaged is not called intact, and the output is

A few cases of each kind, or many with SALVOR_LONG=1.  A case is named by what
makes it again:

    check_rosbag.py [-n CASES] [-f FIRST] [-o FOLDER] [CLASS[/SORT[/NUMBER]]]

runs those only and leaves the damaged bags, originals and outputs in FOLDER.
Cases are numbered from 0; -f 5000 takes others, which no run has seen.

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import argparse
import functools
import os
import random
import shutil
import tempfile
import zlib

from support.start import SALVOR, parts

with parts():
    import bag_judge
    import bag_reader
    import bag_samples
    from bag_classes import CLASSES
    from bag_damage import LIKELY, SURE
    from bag_trial import Case, Trial
    from tally import check, end

CASES = 40 if os.environ.get('SALVOR_LONG') else 1  # of each kind and sort
SHOWN = 3  # of the same kind and sort
# Cases that once went wrong are among the few.
WORST = {'doubled/mixed': [5, 10, 38], 'doubled/lz4': [4, 24],
         'inserted/lz4': [11, 20026], 'cut_out/none': [7034],
         'cut_out/lz4': [7032]}
SMALL = {'n_messages': 200, 'n_connections': 9, 'threshold': 48 << 10}

# The originals, by turns.  sort -> arguments of bag_samples.bag
SORTS = {
    'none': [dict(SMALL, seed=1), dict(SMALL, seed=2, order='rospy',
                                       index_by='seen', n_connections=18),
             dict(SMALL, seed=3, order='hash', scale=.1, threshold=1 << 20),
             dict(SMALL, seed=4, threshold=20 << 10)],
    'bz2': [dict(SMALL, seed=1), dict(SMALL, seed=2, order='rospy',
                                      index_by='seen'),
            dict(SMALL, seed=5, scale=5, threshold=1200 << 10)],
    'lz4': [dict(SMALL, seed=1),
            dict(SMALL, seed=2, order='rospy', index_by='seen'),
            dict(SMALL, seed=3, order='hash', scale=.1, threshold=1 << 20),
            dict(SMALL, seed=4, threshold=200 << 10,
                 lz4_block=4, lz4_level=9)],
    'mixed': [dict(SMALL, seed=6, compression=('none', 'lz4', 'bz2'))],
}

@functools.lru_cache(None)
def originals(sort):
    """The bags of a sort, as the strict reader has them."""
    return [bag_reader.read(bag_samples.bag(
        **{'compression': (sort,), **recipe})) for recipe in SORTS[sort]]


def cases_of(damage, sort, bags, numbers):
    """Cases that follow from their names alone."""
    what = '%s/%s' % (damage.__name__, sort)
    for number in numbers:
        name = '%s/%d' % (what, number)
        bag = bags[(number + zlib.crc32(what.encode())) % len(bags)]
        yield Case(name, bag, damage(bag, random.Random(name)))


def judge(what, limit, verdicts, option):
    """Are all outputs of a kind and sort what they should be?"""
    shown = 0
    for v in verdicts:
        wrong = v.wrong()
        if option:  # what nothing vouches for may be wrong
            wrong = v.broken
        shown += bool(wrong)
        if shown <= SHOWN or not wrong:
            check('%s%s' % (v.case.name, option), not wrong, wrong)
    part = sum(v.missed / max(1, v.total) for v in verdicts) / len(verdicts)
    worst = max(verdicts, key=lambda v: v.missed)
    check('%s%s: %.4f of all are missed' % (what, option, part),
          part <= limit + 1e-9, '%s, %d of %d; state %s' % (
              worst.case.name, worst.missed, worst.total, worst.state))


def leave(folder, verdicts, trial):
    """Put files where somebody can look at them."""
    os.makedirs(folder, exist_ok=True)
    for number, v in enumerate(verdicts):
        stem = os.path.join(folder, v.case.name.replace('/', '-'))
        with open(stem + '.good.bag', 'wb') as out:
            out.write(v.case.bag.raw)
        for name, end in (('%d.bag', '.bag'), ('out/%d.bag', '.out.bag')):
            path = trial.path(name % number)
            if os.path.exists(path):
                shutil.copy(path, stem + end)
        print(v.case.name, 'state', v.state, 'kept', v.kept, 'missed',
              v.missed, 'of', v.total, 'extra', v.extra, 'blurred', v.blurred,
              *v.wrong())


def one_kind(trial, limit, damage, sort, numbers, options):
    """All cases of a kind and a sort."""
    what = '%s/%s' % (damage.__name__, sort)
    cases = list(cases_of(damage, sort, originals(sort), numbers))
    verdicts = trial.run(cases)
    judge(what, limit, verdicts, '')
    if options.output:
        leave(options.output, verdicts, trial)
    if sort == 'lz4':
        verdicts = trial.run(cases, ['--keep=unverified'], LIKELY)
        judge(what, limit, verdicts, ' --keep=unverified')


def main():
    """Run what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument('-n', '--cases', type=int, default=CASES)
    parser.add_argument('-f', '--first', type=int, default=0)
    parser.add_argument('-o', '--output')
    parser.add_argument('only', nargs='?', default='')
    options = parser.parse_args()
    kind, sort_, number = (options.only.split('/') + ['', ''])[:3]
    with tempfile.TemporaryDirectory() as folder:
        cpp = bag_judge.CppJudge(folder)
        if cpp.program is None:
            print('the C++ library is not asked: %s' % cpp.why[:300])
            check('the C++ library', not os.environ.get('CI'))
        trial = Trial(SALVOR, os.path.join(folder, 'run'), cpp)
        for limit, damage, compressions in CLASSES:
            for sort in SORTS:
                if kind not in ('', damage.__name__) or \
                        sort_ not in ('', sort) or \
                        'lz4' not in compressions and sort != 'none':
                    continue
                first = options.first
                numbers = sorted({
                    *range(first, first + options.cases),
                    *WORST.get('%s/%s' % (damage.__name__, sort), [])})
                one_kind(trial, limit, damage, sort, [int(number)] if number
                         else numbers, options)
    end()


main()

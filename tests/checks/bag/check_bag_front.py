#!/usr/bin/python3
"""ROS 1 bags that begin after bytes which are no part of them.

- what a repair keeps of the bag is what it keeps without those bytes, and the
  verdict is the same, however the bag is compressed, damaged or cut
- the strict reader takes the output
- a bag that lost its beginning and carries another bag keeps its own messages
- a bag of which the page with the first declarations is elsewhere, in the place of any
  other, keeps its messages, whatever is in its place

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree.
"""
import os
import random
import tempfile

from support.start import SALVOR, TOP, parts

with parts():
    import bag_campaign
    import bag_reader
    import bag_samples
    import bag_writer
    import campaign
    import random_damage
    from bag_classes import blank_head
    from bag_repair import repair
    from tally import check, end

LENGTHS = (1, 19, 512, 4117, 70001)
SHAPES = {how: bag_samples.bag(120, 5, seed=3, threshold=30 << 10,
                               compression=(how,), scale=.3)
          for how in ('none', 'lz4', 'bz2')}
PAGE = 4096
FEW = 4  # topics
ALONE = 8  # messages that a record which is cut may cost
STRANGE = bag_samples.strange(200, seed=5, threshold=30 << 10)


def fronts(dice, n):
    """n bytes of several kinds."""
    yield 'noise', dice.randbytes(n)
    yield 'zeros', bytes(n)
    yield 'text', (b'HTTP/1.1 206 Partial Content\r\n' * n)[:n]


def damages(raw, dice):
    """What else may have happened."""
    yield 'whole', raw
    at = dice.randrange(5000, len(raw) - 1000)
    yield 'cut', raw[:at]
    yield 'hole', raw[:at] + bytes(600) + raw[at + 600:]
    index_pos = bag_reader.read(raw).index_pos
    yield 'unclosed', raw[:13] + blank_head() + raw[
        13 + len(blank_head()):index_pos]


def junk():
    """Bytes in front cost nothing and change no verdict."""
    for how, sound in {**SHAPES, 'strange': STRANGE}.items():
        dice = random.Random(how)
        for damage, raw in damages(sound, dice):
            best, was = repair(raw)
            for n in LENGTHS:
                for kind, front in fronts(dice, n):
                    what = '%s %s after %d bytes of %s' % (
                        how, damage, n, kind)
                    kept, report = repair(front + raw)
                    check(what + ': the same is kept', kept == best,
                          (best - kept).total())
                    check(what + ': the same verdict', report['state'] == (
                        'repaired' if was['state'] == 'intact'
                        else was['state']), (report['state'], was['state']))
                    check(what + ': the same losses', report['blocks']
                          == was['blocks'], report['blocks'])


def carried():
    """A bag in a payload is not the bag."""
    inner = SHAPES['none']
    conn = bag_writer.Connection(0, '/a', 'std_msgs/String', 'string data')
    payloads = [b'%d' % i * 300 for i in range(40)]
    payloads[0] = bytes(5000) + inner
    raw = bag_writer.write([conn], [
        bag_writer.Message(0, 1700000000 + i, i, p)
        for i, p in enumerate(payloads)], bag_writer.Shape(threshold=9000))
    first = raw.index(inner)
    for cut in first, first - 3000, first - 4000:
        kept, report = repair(raw[cut:])
        topics = {m[1] for m in kept}
        check('carried, cut at %d: its own are kept' % cut,
              topics == {b'/a'} and kept.total() >= 39 or cut == first,
              (topics, report['blocks']))


def with_page(good, alone):
    """The page with the first declarations in the place of each in which an index
    ends, and that in its place, or `alone` nothing."""
    pages = {index[1] // PAGE for index in good.plain.values() if index}
    for page in sorted(pages - {1, len(good.raw) // PAGE}):
        damage = random_damage.Damage(good.raw)
        first = damage.between(PAGE, 2 * PAGE)
        second = damage.between(page * PAGE, (page + 1) * PAGE)
        damage.replace(page * PAGE, (page + 1) * PAGE, first)
        if alone:
            second = [random_damage.alien(bytes(PAGE))]
        damage.replace(PAGE, 2 * PAGE, second)
        yield campaign.Case('page %d' % page, good, damage)


def displaced():
    """What the first declarations declare is kept, wherever they are."""
    trial = campaign.Trial(bag_campaign, SALVOR, 'run')
    for number in range(24):
        good = bag_campaign.SORTS['killed'](random.Random(number))
        if len({r.head[0] for r in good.records}) < FEW:
            continue  # It carries pieces of other bags.
        for alone in False, True:
            for v in trial.run(list(with_page(good, alone))):
                check('displaced %d, %s%s' % (
                    number, v.case.name, ' alone' * alone),
                      not v.wrong and v.missed <= ALONE * alone,
                      (v.wrong, v.missed, v.owed))


def main():
    """Run everything."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        junk()
        carried()
        displaced()
        os.chdir(TOP)
    end()


main()

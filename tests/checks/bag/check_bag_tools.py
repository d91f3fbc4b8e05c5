#!/usr/bin/python3
"""Are the tools that judge repaired ROS 1 bags to be trusted themselves?

- what bag_writer.py writes is, message for message, what ROS's own libraries
  and the strict reader read, in every shape
- bags that ROS wrote are what the strict reader takes for good
- the strict reader refuses a bag with any byte changed that is not in a
  payload or a text, and any bag with a part missing, doubled or moved
- ROS's own repair of what was not closed gives what it is known to give
- what a damage leaves, and what a prefix decodes to, is counted right

Environment: SALVOR_SRCDIR is the source tree; SALVOR_BAGS a folder with more
bags (those of other projects are not in ours); CI is set where nothing may be
skipped.
"""
import os
import pathlib
import random
import struct
import tempfile

from support.start import TOP, parts

with parts():
    import bag_classes
    import bag_damage
    import bag_judge
    import bag_reader
    import bag_samples
    import rosrecord_writer
    from bag_writer import Shape, write
    from tally import check, end

SHAPES = [{'order': order, 'compression': compression, 'index_by': by}
          for order, by in (('cpp', 'conn'), ('rospy', 'seen'),
                            ('hash', 'seen'))
          for compression in (('none',), ('bz2',), ('lz4',),
                              ('none', 'lz4', 'bz2'))]
SHAPES += [{'compression': (how,), 'threshold': 1 << 21} for how in
           bag_classes.ALL]
SHAPES += [{'threshold': 1}, {'threshold': 1, 'compression': ('lz4',)},
           {'repeat': True},
           {'compression': ('lz4',), 'lz4_block': 4,
            'lz4_level': 9}]

def refusal(raw):
    """Why the strict reader does not take a bag, or None."""
    try:
        bag_reader.read(raw)
    except bag_reader.Bad as fault:
        return str(fault)
    return None


class Check:
    """Checks with a folder and ROS's libraries."""

    def __init__(self, folder):
        self.folder = folder
        self.cpp = bag_judge.CppJudge(folder)
        self.path = os.path.join(folder, 'x.bag')
        if self.cpp.program is None and os.environ.get('CI'):
            check('the C++ library', False, self.cpp.why)

    def read_by_all(self, what, raw, want=None):
        """All readers agree, on what was written if that is known."""
        with open(self.path, 'wb') as out:
            out.write(raw)
        fault = refusal(raw)
        check(what + ': strict', fault is None, fault)
        if fault:
            return
        found = bag_reader.read(raw)
        if want is not None:
            check(what + ': is what was written',
                  [(m.conn, m.sec, m.nsec, m.payload)
                   for m in found.messages()] == [tuple(m) for m in want])
        listing = bag_judge.summary(found.listing())
        check(what + ': Python', bag_judge.listing(self.path) == listing)
        if self.cpp.program:
            answer = self.cpp.listings([self.path])[self.path]
            check(what + ': C++', answer == listing, answer)

    def shapes(self):
        """All shapes of a bag that was closed."""
        conns, messages = bag_samples.recording(400, 9, seed=2)
        for shape in SHAPES:
            self.read_by_all(str(shape),
                             write(conns, messages, Shape(**shape)), messages)
        self.read_by_all('empty', write([], []), [])
        huge = [messages[0]._replace(payload=b'\7' * (5 << 20))] + messages
        for how in bag_classes.ALL:
            self.read_by_all('huge ' + how,
                             write(conns, huge, Shape(compression=(how,))),
                             huge)
        self.first_version(conns, messages)

    def first_version(self, conns, messages):
        """Python opens one with an index but cannot read it, and converts
        one without; C++ reads both."""
        for indexed in (True, False):
            with open(self.path, 'wb') as out:
                out.write(rosrecord_writer.write(
                    conns, messages, rosrecord_writer.Shape(indexed)))
            if indexed and self.cpp.program:
                found = self.cpp.listings([self.path])[self.path]
                check('V1.2: C++', not isinstance(found, Exception)
                      and len(found) == len(messages), found)
        found = self.reindexed(self.path)
        check('V1.2', len(found) == len(messages), len(found))

    def reindexed(self, path):
        """What there is after `rosbag reindex`."""
        bag_judge.reindex(path)
        return bag_judge.listing(path)

    def unclosed(self):
        """What ROS makes of a bag that was not closed."""
        conns, messages = bag_samples.recording(400, 9, seed=2)
        for how in bag_classes.ALL:
            for ending in 'active', 'open':
                raw = write(conns, messages, Shape(
                    compression=(how,), threshold=100000, ending=ending))
                check('not closed', refusal(raw))
                with open(self.path, 'wb') as out:
                    out.write(raw)
                whole = bag_reader.read(write(conns, messages, Shape(
                    compression=(how,), threshold=100000)))
                chunks = whole.chunks[:-1 if ending == 'open' else None]
                found = self.reindexed(self.path)
                check('%s %s: reindex' % (how, ending), len(found) == sum(
                    len(c.messages) for c in chunks), len(found))

    def others(self):
        """Bags that were not made here."""
        folders = [TOP / 'testdata' / 'rosbag', os.environ.get('SALVOR_BAGS')]
        for folder in filter(None, folders):
            for path in sorted(pathlib.Path(folder).glob('good-*.bag')) + \
                    sorted(pathlib.Path(folder).glob('example*.bag')):
                self.read_by_all(path.name, path.read_bytes())


def soft(bag):
    """Offsets whose bytes nothing can vouch for: payloads, and of a
    connection what is said in one place only (the data is not)."""
    out = set()
    for chunk in bag.chunks:
        for m in chunk.messages:
            end = chunk.data_at + m.end
            out.update(range(end - len(m.payload), end))
    return out


def strictness():
    """Any byte that is changed, any part that is lost or there twice."""
    conns, messages = bag_samples.recording(14, 3, seed=5, scale=.05)
    for how in bag_classes.ALL:
        raw = write(conns, messages, Shape(compression=(how,), threshold=500))
        bag = bag_reader.read(raw)
        check('several chunks', len(bag.chunks) > 2)
        spare = soft(bag) if how == 'none' else set()
        places = [at for at in range(len(raw)) if at not in spare
                  and not 120 < at < 4000]
        for at in places:  # padding is all the same
            bad = bytearray(raw)
            bad[at] ^= 1 << at % 8
            check('%s: bit %d of %d' % (how, at % 8, at),
                  refusal(bytes(bad)) or unmoved(bag, bytes(bad), at))
        parts(how, raw)


def unmoved(bag, bad, at):
    """Is this one of the bytes that a decoder does not care for?"""
    return any(c.data_at <= at < c.end and c.compression != 'none'
               for c in bag.chunks) \
        and bag_reader.read(bad).listing() == bag.listing()


def parts(how, raw):
    """Records that are lost, there twice, or in each other's place."""
    at, ends = 4117, []
    while at < len(raw):
        at = bag_reader.read_record(raw, at, len(raw)).end
        ends.append(at)
    for start, end in zip([4117] + ends, ends):
        check('%s: %d lost' % (how, start), refusal(raw[:start] + raw[end:]))
        check('%s: %d twice' % (how, start), refusal(raw[:end] + raw[start:]))
    for cut in list(range(120)) + list(range(4000, len(raw))):
        check('%s: cut at %d' % (how, cut), refusal(raw[:cut]))
    check('%s: behind the end' % how, refusal(raw + b'\0'))


def damages():
    """A Damaged is what it says, and so is what can be had of it."""
    dice = random.Random(7)
    for how in bag_classes.ALL:
        raw = bag_samples.bag(200, 9, seed=4, threshold=60000,
                              compression=(how,))
        bag = bag_reader.read(raw)
        whole = bag_damage.bound(bag_damage.Damaged(raw), bag)
        check('nothing is lost of what is whole',
              set(whole.fates) == {bag_damage.SURE} and not whole.torn)
        for _, damage, compressions in bag_classes.CLASSES:
            for _ in range(3 if how in compressions else 0):
                one_damage(raw, bag, damage, dice)
    bag = bag_reader.read(bag_samples.bag(60, 5, scale=.2, threshold=3000,
                                          compression=('lz4',)))
    frame = bag.raw[bag.chunks[0].data_at:bag.chunks[0].end]
    reach = [bag_damage.lz4_prefix(frame, n) for n in range(len(frame) + 1)]
    check('a longer prefix gives more', reach == sorted(reach))
    check('all of it gives all', reach[-1] == len(bag.chunks[0].data))
    check('the checks at the end give nothing', reach[-9] == reach[-1])
    check('and the last literal does', reach[-10] < reach[-1])
    prefixes(frame, bag.chunks[0].data, reach)


def prefixes(frame, data, reach):
    """Where a block is cut and its size mended, the same bytes come out."""
    size, = struct.unpack_from('<I', frame, 7)
    check('one block', 15 + size + 4 == len(frame))
    for n in range(11, 11 + size, 7):
        got = lz4_decode(frame[11:n])
        check('the first %d bytes' % n, got == data[:reach[n]],
              (len(got), reach[n]))


def lz4_decode(block):
    """The slow way: byte after byte, until nothing more is there."""
    out, at = bytearray(), 0
    try:
        while at < len(block):
            token = block[at]
            lengths, at = [token >> 4, token & 15], at + 1
            for turn in 0, 1:
                if turn:
                    offset = block[at] | block[at + 1] << 8
                    at += 2
                while lengths[turn] >= 15:
                    lengths[turn] += block[at]
                    at += 1
                    if block[at - 1] < 255:
                        break
                if turn:
                    for _ in range(lengths[1] + 4):
                        out.append(out[-offset])
                else:
                    out += block[at:at + lengths[0]]
                    at += lengths[0]
    except IndexError:
        pass
    return bytes(out)


def one_damage(raw, bag, damage, dice):
    """What the pieces say is in the file, and no message more is there."""
    made = damage(bag, dice)
    bad = made.bytes()
    name = damage.__name__
    check(name + ': length', len(made) == len(bad))
    check(name + ': is one', bad != raw)
    at = 0
    for p in made.pieces:
        check(name + ': pieces', bad[at:at + len(p.raw)] == p.raw and (
            p.source is None or raw[p.source:p.source + len(p.raw)] == p.raw))
        at += len(p.raw)
    found = bag_damage.bound(made, bag)
    for chunk in bag.chunks if bag.chunks[0].compression == 'none' else ():
        for m, fate in zip(chunk.messages, found.fates):
            stored = raw[chunk.data_at + m.at:chunk.data_at + m.end]
            check(name + ': there', stored in bad or not fate)
        del found.fates[:len(chunk.messages)]


def main():
    """Run everything."""
    with tempfile.TemporaryDirectory() as folder:
        tools = Check(folder)
        tools.shapes()
        tools.unclosed()
        tools.others()
    strictness()
    damages()
    end()


main()

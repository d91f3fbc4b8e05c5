#!/usr/bin/python3
"""What salvor has of a compressed ROS 1 chunk that is damaged, byte by byte.

The chunks are LZ4 frames whose blocks are stored as they are, so that a byte
of a message is a byte of the file and a test can choose which one is hit.

- with --keep=unverified a garbled record header does not end a chunk of which
  the index after it names every message; times and connections are then those
  of the index
- what is kept without that option is what was recorded, also where the end of
  a frame is hit, and the last message before it; zeros there cost no others
- garbage after a cut makes no message
- what was decoded before a contradiction is kept, and counted as unsure:
  bits that were hit there may be in it
- no message of an undeclared connection is lost without being counted, and the
  chunk that holds it can be saved; the report says that a donor would help
- where a chunk without a checksum and its index contradict each other, the times
  and connections are those that were recorded or the doubt is reported; a chunk
  of which every message has another time is reported, too
- a chunk's header that states a wrong size is told of with that size and the right
  one, whichever of the two it states is wrong
- of a bzip2 chunk of several blocks whose first block is damaged the messages of the
  others are kept, also where its header is damaged, too
- damage before the index of a bag of thousands of chunks costs nothing of
  that index

Environment: SALVOR is the program, SALVOR_SRCDIR the source tree; CI is set
where nothing may be skipped.
"""
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import tempfile
from collections import Counter

from support.start import SALVOR, TOP, parts

with parts():
    import lz4.frame
    import bag_reader
    import bag_samples
    import bag_writer
    from bag_classes import blank_head
    from bag_damage import HEAD_END
    from tally import check, end

ROUNDS = 60 if os.environ.get('SALVOR_LONG') else 6
FRAME_HEAD = b'\x04\x22\x4d\x18\x64\x70\xb9'  # blocks of 4 MiB at most
BLOCK_AT = len(FRAME_HEAD) + 4  # where what is stored begins in a frame
FRAME_TAIL = 8
FIELDS = 42  # bytes of a message before the length of its payload


def stored(raw, how, _):
    """A frame that stores its block as it is."""
    if how != 'lz4':
        return raw
    checksum = lz4.frame.compress(raw, content_checksum=True)[-4:]
    return (FRAME_HEAD + struct.pack('<I', len(raw) | 1 << 31) + raw
            + bytes(4) + checksum)


def recording(seed=1, frame=stored, **shape):
    """A bag of such chunks."""
    usual, bag_writer.compress = bag_writer.compress, frame
    try:
        return bag_reader.read(bag_samples.bag(
            160, 7, seed=seed, threshold=40 << 10, compression=('lz4',),
            **shape))
    finally:
        bag_writer.compress = usual


def put(raw, at, new):
    """Bytes laid over others."""
    return raw[:at] + new + raw[at + len(new):]


def run(*args):
    """Run salvor; (its code, the report)."""
    done = subprocess.run([SALVOR, *args, '--json'], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=120, check=False)
    return done.returncode, json.loads(done.stdout.splitlines()[0])


def repair(raw, *options):
    """What a repair keeps, and its report."""
    pathlib.Path('x.bag').write_bytes(raw)
    pathlib.Path('out.bag').unlink(missing_ok=True)
    _, report = run('repair', '-f', '-o', 'out.bag', *options, 'x.bag')
    if not os.path.exists('out.bag'):
        return Counter(), report
    bag = bag_reader.read(pathlib.Path('out.bag').read_bytes())
    return Counter(bag.listing()), report


def of_chunk(bag, number):
    """The messages of a chunk, as the listing has them."""
    first = sum(len(c.messages) for c in bag.chunks[:number])
    return bag.listing()[first:first + len(bag.chunks[number].messages)]


def ids(report):
    """What was found."""
    return [p['id'] for p in report['problems']]


def garbled_headers():
    """Headers of messages in a chunk are hit, its index is not."""
    for turn in range(ROUNDS):
        dice = random.Random('headers/%d' % turn)
        bag = recording(turn + 1, order=dice.choice(['cpp', 'rospy', 'hash']))
        number = dice.randrange(len(bag.chunks))
        chunk = bag.chunks[number]
        raw, hit = bag.raw, set()
        for m in dice.sample(chunk.messages, 1 + turn % 3):
            at = chunk.data_at + BLOCK_AT + m.at
            hit.add((m.conn, m.sec, m.nsec))
            for _ in range(1 + turn % 4):
                place = at + dice.randrange(FIELDS + 4)
                raw = put(raw, place, bytes([dice.randrange(256)]))
        if raw == bag.raw:
            continue
        plain, report = repair(raw)
        everything = Counter(bag.listing())
        here = Counter(of_chunk(bag, number))
        what = 'headers/%d' % turn
        check(what + ': nothing of it is vouched for',
              plain == everything - here, (plain - everything).keys())
        counted = [p for p in report['problems']
                   if p['id'] == 'rosbag.chunk-checksum']
        check(what + ': it says how much there is', len(counted) == 1
              and '{:,} messages'.format(here.total()) in counted[0]['text'],
              report['problems'])
        found, report = repair(raw, '--keep=unverified')
        check(what + ': all of it is there, as the index has it',
              found == everything, [m[:4] for m in everything - found])


def far_gone():
    """A stretch of a chunk is hit, headers and payloads."""
    for turn in range(ROUNDS):
        dice = random.Random('stretch/%d' % turn)
        bag = recording(turn + 1)
        number = dice.randrange(len(bag.chunks))
        chunk = bag.chunks[number]
        size = len(chunk.data)
        if size < 3100:
            continue
        start = dice.randrange(size - 3000)
        raw = put(bag.raw, chunk.data_at + BLOCK_AT + start,
                  dice.randbytes(3000))
        untouched = Counter(
            line for line, m in zip(of_chunk(bag, number), chunk.messages)
            if m.end <= start or m.at >= start + 3000)
        heads = Counter(m[:4] for m in bag.listing())
        found, _ = repair(raw, '--keep=unverified')
        what = 'stretch/%d' % turn
        check(what + ': what was not hit is there', not untouched - found,
              [m[:4] for m in untouched - found])
        check(what + ': and nothing else than was recorded',
              not Counter(m[:4] for m in found) - heads)


def ends():
    """The end of a frame is hit: after the records, or in the last one."""
    for turn in range(ROUNDS):
        dice = random.Random('end/%d' % turn)
        bag = recording(turn + 1)
        number = dice.randrange(len(bag.chunks))
        chunk = bag.chunks[number]
        mark = chunk.end - FRAME_TAIL
        garbled = put(bag.raw, mark, dice.randbytes(3) + b'\x7f')
        everything = Counter(bag.listing())
        found, report = repair(garbled)
        what = 'end/%d' % turn
        check(what + ': a checksum vouches for all of it',
              found == everything and report['blocks']['lost'] == 0,
              report['blocks'])
        last = chunk.messages[-1]
        size = min(len(last.payload), 40)
        if size == 0:
            continue
        wrong = put(garbled, mark - size, dice.randbytes(size))
        if turn % 2:
            wrong = put(wrong, chunk.end - 4, bytes(4))
        found, report = repair(wrong)
        check(what + ': none that was not recorded', not found - everything,
              [m[:4] for m in found - everything])
        check(what + ': all but the last', (everything - found)
              == Counter(of_chunk(bag, number)[-1:]), report['blocks'])
        found, _ = repair(wrong, '--keep=unverified')
        check(what + ': unverified, it is there', len(found) == 160
              and Counter(m[:4] for m in found)
              == Counter(m[:4] for m in everything))


def holes():
    """Zeros over the end of a frame, and the messages before it."""
    for turn in range(ROUNDS):
        dice = random.Random('hole/%d' % turn)
        bag = recording(turn + 1)
        number = dice.randrange(len(bag.chunks))
        chunk = bag.chunks[number]
        size = dice.randrange(FRAME_TAIL, min(3000, len(chunk.data)))
        raw = put(bag.raw, chunk.end - size, bytes(size))
        lost = Counter(
            line for line, m in zip(of_chunk(bag, number), chunk.messages)
            if m.end > len(chunk.data) + FRAME_TAIL - size)
        found, _ = repair(raw)
        everything = Counter(bag.listing())
        what = 'hole/%d' % turn
        check(what + ': none that was not recorded', not found - everything)
        # Zeros at its end may be of the last message that is there, too.
        check(what + ': all in front of it',
              (everything - found - lost).total() <= 1,
              [m[:4] for m in everything - found - lost])


def garbage():
    """A chunk is cut, and garbage follows, which decodes to something where
    there are 64 KiB to copy from."""
    bag = bag_reader.read(bag_samples.bag(
        900, 7, seed=4, threshold=200 << 10, scale=.2, compression=('lz4',)))
    everything = Counter(bag.listing())
    for turn in range(ROUNDS * 2):
        dice = random.Random('garbage/%d' % turn)
        chunk = dice.choice(bag.chunks[:-1])
        cut = dice.randrange((chunk.data_at + chunk.end) // 2, chunk.end)
        found, _ = repair(bag.raw[:cut] + dice.randbytes(20000))
        before = Counter()
        for number, other in enumerate(bag.chunks):
            if other.end < cut:
                before += Counter(of_chunk(bag, number))
        what = 'garbage/%d' % turn
        check(what + ': none that was not recorded', not found - everything,
              [m[:4] for m in found - everything])
        check(what + ': more than the chunks in front of it',
              not before - found and found.total() > before.total())


def before_contradiction():
    """Bits of compressed data are hit, so that they contradict themselves
    somewhere."""
    wrong = 0
    for turn in range(ROUNDS * 20):
        dice = random.Random('before/%d' % turn)
        bag = recording(turn % 9 + 1, bag_writer.compress, scale=.3)
        number = dice.randrange(len(bag.chunks))
        chunk, raw = bag.chunks[number], bag.raw
        for _ in range(1 + turn % 6):
            raw = flipped(raw, dice.randrange(
                chunk.data_at + BLOCK_AT, chunk.end - FRAME_TAIL), dice)
        if raw == bag.raw:
            continue
        found, report = repair(raw)
        everything = Counter(bag.listing())
        foreign = (found - everything).total()
        here = found - (everything - Counter(of_chunk(bag, number)))
        what, unsure = 'before/%d' % turn, report['blocks']['unsure']
        check(what + ': the messages of the chunk are unsure',
              unsure == here.total(), (unsure, here.total(), ids(report)))
        check(what + ': and no others are wrong', foreign <= unsure,
              (foreign, unsure))
        check(what + ': it is not called whole', report['state'] in (
            'lossy', 'unrecoverable'), report['state'])
        wrong += foreign
    check('before: some are wrong', wrong > 0, wrong)


def undeclared():
    """The first chunk and the index are missing, so that nothing says what
    most connections are."""
    for how in 'none', 'lz4', 'bz2':
        bag = bag_reader.read(bag_samples.bag(
            160, 7, seed=3, threshold=40 << 10, compression=(how,)))
        start = bag.chunks[0].indexes[-1][1]
        gone = start - HEAD_END
        raw = put(bag.raw[:HEAD_END] + bag.raw[start:bag.index_pos],
                  HEAD_END - len(blank_head()), blank_head())
        os.makedirs('saved-' + how)
        found, report = repair(raw, '--save-dropped', 'saved-' + how)
        what = 'undeclared/%s' % how
        total = sum(len(c.messages) for c in bag.chunks[1:])
        told = sum(c['missing'] for gap in report['gaps']
                   for c in gap['channels'])
        check(what + ': counted', report['blocks'] == {
            'kept': found.total(), 'lost': total - found.total(),
            'lost_exact': True, 'unsure': 0}, report['blocks'])
        check(what + ': gap by gap', told == total - found.total(), told)
        lines = pathlib.Path(
            'saved-' + how, 'x.bag.dropped.json').read_text().splitlines()
        saved = {(i['offset'], i['offset'] + i['length']): i['saved']
                 for i in map(json.loads, lines)}
        known = {message[0] for message in found}
        for chunk in bag.chunks[1:]:
            if how != 'none' and any(
                    m.conn not in known for m in chunk.messages):
                check(what + ': all that a chunk stores is saved',
                      (chunk.data_at - gone, chunk.end - gone) in saved)
        check(what + ': bytes', report['bytes']['lost'] == sum(
            b - a for a, b in saved) > 0, report['bytes'])
        done = subprocess.run([SALVOR, 'x.bag'], check=False,
                              capture_output=True, stdin=subprocess.DEVNULL)
        check(what + ': what to do next', b'--donor' in
              done.stdout + done.stderr, (done.stdout + done.stderr)[-300:])


def unsummed(raw, how, _):
    """A frame that stores its block as it is, without a checksum."""
    if how != 'lz4':
        return raw
    head = lz4.frame.compress(
        b'', block_size=lz4.frame.BLOCKSIZE_MAX4MB, block_linked=False,
        content_checksum=False, store_size=False)[:len(FRAME_HEAD)]
    return head + struct.pack('<I', len(raw) | 1 << 31) + raw + bytes(4)


def packed(raw, how, _):
    """A frame as the `rosbags` package writes it: compressed, the size noted,
    without a checksum."""
    return lz4.frame.compress(raw) if how == 'lz4' else raw


def flipped(raw, at, dice):
    """One bit of a byte is another."""
    return put(raw, at, bytes([raw[at] ^ 1 << dice.randrange(8)]))


def heads(listing):
    """All but the payloads, of which nothing can be known."""
    return Counter((*m[:4], len(m[4])) for m in listing)


def judge_doubt(what, bag, raw):
    """Repair it: what differs from the recording must be reported."""
    found, report = repair(raw)
    everything = heads(bag.listing())
    kept = heads(found.elements())
    if report['state'] == 'intact':
        kept = everything  # only a payload can be hit, or salvor is wrong
        try:
            kept = heads(bag_reader.read(raw).listing())
        except bag_reader.Bad as fault:
            check(what + ': intact', False, fault)
    sure = report['state'] in ('intact', 'repaired')
    if kept != everything:
        check(what + ': it is said that something is wrong', not sure, (
            report['state'], ids(report)))
    if sure:
        check(what + ': none of it is wrong', kept == everything,
              list((kept - everything).elements())[:3])
    check(what + ': losses are known or not called so',
          report['blocks']['lost'] <= (everything - kept).total(),
          report['blocks'])
    return kept == everything, report


def contradicted():
    """A bit is hit where no checksum shows it: in the header of a message, in
    the index, and in every byte of what is compressed."""
    bag_reader.LZ4_FLAGS |= {0x60, 0x68}
    sound = recording(1, unsummed)
    _, report = repair(sound.raw)
    check('doubt: there is none in a sound bag', report['state'] == 'intact'
          and 'rosbag.index-doubt' not in ids(report), ids(report))
    for turn in range(6 * ROUNDS):
        dice = random.Random('doubt/%d' % turn)
        bag = recording(turn % 5 + 1, unsummed)
        chunk = dice.choice(bag.chunks)
        m = dice.choice(chunk.messages)
        time = struct.pack('<II', m.sec, m.nsec)
        in_index = turn % 2 == 1
        at = bag.raw.index(time, chunk.end if in_index
                           else chunk.data_at + BLOCK_AT + m.at)
        at += dice.randrange(8)
        right, report = judge_doubt(
            'doubt/%d' % turn, bag, flipped(bag.raw, at, dice))
        check('doubt/%d: the verdict is no unrecoverable one' % turn,
              report['state'] in ('repaired', 'lossy'), report['state'])
        check('doubt/%d: all are kept' % turn, report['blocks']['kept'] == 160,
              report['blocks'])
        if at % 8 == 3 and in_index:
            check('doubt/%d: years off is the index' % turn, right)
    bag = recording(2, packed, scale=.2)
    places = range(bag.chunks[0].data_at, bag.infos[0][0])
    dice = random.Random('packed')
    # The names of the first topic are copied to the declarations that follow.
    for at in [*places[40:120], *dice.sample(
            places, min(len(places), ROUNDS * 50))]:
        judge_doubt('packed/%d' % at, bag, flipped(bag.raw, at, dice))
    bag_reader.LZ4_FLAGS -= {0x60, 0x68}


def last_index():
    """The same of the last chunk of a recorder that was killed: its index ends the
    file, and its last entry ends in zeros."""
    bag_reader.LZ4_FLAGS |= {0x60, 0x68}
    for turn in range(2 * ROUNDS):
        dice = random.Random('last/%d' % turn)
        bag = recording(turn + 1, unsummed)
        raw = bag.raw[:bag.index_pos]
        chunk = bag.chunks[-1]
        last = max(chunk.messages, key=lambda m: m.conn)
        last = [m for m in chunk.messages if m.conn == last.conn][-1]
        check('last/%d: it ends in zeros' % turn, raw.endswith(b'\0'), raw[-4:])
        for byte in range(8):
            at = chunk.data_at + BLOCK_AT + last.at
            at = raw.index(struct.pack('<II', last.sec, last.nsec), at) + byte
            judge_doubt('last/%d/%d' % (turn, byte), bag,
                        flipped(raw, at, dice))
    bag_reader.LZ4_FLAGS -= {0x60, 0x68}


def many():
    """Damage before an index of thousands of chunks costs none of it."""
    made = bag_writer.write(
        [bag_writer.Connection(0, '/a', 'std_msgs/String', 'string data')],
        [bag_writer.Message(0, 100 + i, 5, b'x') for i in range(4200)],
        bag_writer.Shape(threshold=0))
    at = bag_reader.read(made).index_pos - 30
    found, report = repair(put(made, at, b'\xff' * 8))
    check('many chunks: all messages', len(found) == 4200, len(found))
    check('many chunks: nothing is lost', report['state'] == 'repaired'
          and report['bytes']['lost'] == 0, report['bytes'])
    check('many chunks: the index is believed', 'rosbag.tail' not in ids(report)
          and ids(report) != [], ids(report))


def wrong_sizes():
    """One bit of each of the two lengths that a chunk's header states."""
    path = pathlib.Path('size.bag')
    for how in ('none', 'lz4', 'bz2'):
        raw = bag_samples.bag(60, 3, threshold=8 << 10, compression=(how,))
        data = bag_reader.read(raw).chunks[0].data_at
        at = raw.rindex(b'size=', 0, data) + len('size=')
        for name, where in (('size', at), ('length', data - 4)):
            path.write_bytes(put(raw, where, bytes([raw[where] ^ 1])))
            _, report = run('verify', str(path))
            text = [p['text'] for p in report['problems']
                    if p['id'] == 'rosbag.chunk-header']
            told = re.search(r'says ([0-9,]+) bytes, and there are ([0-9,]+)',
                             ' '.join(text))
            check('%s, wrong %s' % (how, name),
                  told and told.group(1) != told.group(2),
                  [p['text'] for p in report['problems']])


def first_block():
    """The first of several bzip2 blocks is damaged, with the header or without."""
    dice = random.Random('first block')
    whole = bag_reader.read(bag_writer.write(
        [bag_writer.Connection(0, '/a', 'std_msgs/String', 'string data')],
        [bag_writer.Message(0, 100 + i, 5, dice.randbytes(4000))
         for i in range(600)],
        bag_writer.Shape(compression=('bz2',), threshold=2 << 20)))
    data = whole.chunks[0].data_at
    block = put(whole.raw, data + 200, b'\xff' * 1000)
    for name, raw in (('block', block),
                      ('header, too', put(block, data - 40, b'\xff' * 30))):
        what = 'first block/' + name
        found, report = repair(raw)
        lost = Counter(whole.listing()) - found
        check(what + ': nothing is invented',
              found <= Counter(whole.listing()), report)
        check(what + ': no more is lost than two blocks of 900 kB hold',
              200 < lost.total() < 300, lost.total())
        check(what + ': that many', report['blocks']['lost'] == lost.total()
              and report['state'] == 'lossy', report['blocks'])


def main():
    """Run everything."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        garbled_headers()
        far_gone()
        ends()
        holes()
        garbage()
        before_contradiction()
        undeclared()
        contradicted()
        last_index()
        wrong_sizes()
        first_block()
        many()
        os.chdir(TOP)
    end()


main()

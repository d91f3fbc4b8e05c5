#!/usr/bin/python3
"""Repairs damaged logs that campaigns once found to be repaired wrongly.

- what is wrong with them in the eyes of the judge is nothing any more
- a message at the end of a chunk that lacks bytes, and ends in the index of the
  chunk, is not kept
- nor is one that lacks bytes and ends in the header of the next one
- the last index of a bag that was never closed, which ends in zeros of its own, corrects
  the times of messages, or they are unsure

Environment: SALVOR is the program.
"""
import random
import struct
import tempfile

from support.start import SALVOR, parts

with parts():
    import bag_campaign
    import campaign
    import carla_campaign
    import cyber_campaign
    import mcap_campaign
    import random_damage
    import ulog_campaign
    from tally import check, end

HEAD = 46  # bytes of the header of a message
INDEX_COUNT = 47  # of a record of an index: where it counts its entries
INDEX_HEAD = 55  # bytes before these
SAME = 10  # damages that are done to one log, as in bench/campaign
FOUND = {
    # A message carries a piece of another record, and its head is lost.
    cyber_campaign: '''
        removed/carriers/6013 removed/carriers/6018 removed/carriers/6034
        sector/carriers/6034 sector/carriers/6038 inserted/carriers/6026
        patch/carriers/6013 several/carriers/6030 several/doubles/10002
        doubled/disorder/10024''',
    # A connection with the number of another one, and without messages; and a
    # message that swallowed a part of an index.
    # And a last index that ends in zeros.
    bag_campaign: '''
        moved/open/6001 removed/open/6029 flip/killed/10032 flip/killed/6017''',
    # An actor that begins as another one; bytes that are missing between two
    # packets; the only frame; an end that is damaged; a FrameStart that is none; a
    # frame in the wrong place.
    carla_campaign: '''
        removed/long/6021 several/long/6033 flip/short/5001 patch/user/6005
        patch/long/6033 removed/user/6012 removed/long/6024
        doubled/crowd/6030 moved/dreyevr/6011
        cut/carriers/20013 removed/carriers/20012 sector/carriers/10042
        removed/carriers/10043 moved/carriers/30021''',
    # A range of an attachment is there twice, and a record seems to follow its stated
    # end, where zeros seem to be its checksum.
    mcap_campaign: 'doubled/strange/900190',
    # A message carries formats of another log, and its head is lost; the name of a
    # time has a wrong bit; all subscriptions are lost.
    ulog_campaign: '''
        sector/carriers/10 packets/carriers/11 several/v0/104
        packets/texts/102 sector/nested/10''',
}


def case_of(module, name):
    """The damaged log of that name."""
    kind, sort, number = name.split('/')
    good = module.SORTS[sort](random.Random(
        '%s/%d' % (sort, int(number) // SAME)))
    damage = random_damage.Damage(good.raw, good.older)
    getattr(random_damage, kind)(damage, random.Random(name))
    return campaign.Case(name, good, damage)


def found(folder):
    """All that were found."""
    for module, names in FOUND.items():
        cases = [case_of(module, name) for name in names.split()]
        trial = campaign.Trial(module, SALVOR, folder)
        for verdict in trial.run(cases):
            check(verdict.case.name, not verdict.wrong
                  and verdict.missed <= 2, verdict.wrong or verdict.missed)


def swallowed(folder):
    """Bytes are missing at the end of a chunk, nearly as many as the first record of
    its index has."""
    trial = campaign.Trial(bag_campaign, SALVOR, folder)
    for number in range(12):
        good = bag_campaign.SORTS['open'](random.Random(number))
        cases = []
        for stop in (r.span[1] for r in good.records):
            if good.raw[stop + 4:stop + 12] != b'\x04\0\0\0op=\x04':
                continue  # No index follows.
            count = struct.unpack_from('<I', good.raw, stop + INDEX_COUNT)[0]
            size = INDEX_HEAD + 12 * count
            for less in range(-3, 4):
                damage = random_damage.Damage(good.raw)
                damage.replace(stop - size + less, stop)
                cases.append(campaign.Case(str(less), good, damage))
        wrong = [(v.case.name, v.wrong) for v in trial.run(cases)
                 if v.wrong and v.case.name != '0'] if cases else []
        check('swallowed/%d: %d bags' % (number, len(cases)), not wrong,
              wrong[:2])


def into_head(folder):
    """Bytes are missing at the end of a message, so that it ends inside the header
    of the next one: its numbers may look like lengths there."""
    trial = campaign.Trial(bag_campaign, SALVOR, folder)
    for number in range(6):
        good = bag_campaign.SORTS['none'](random.Random(number))
        starts, cases = {r.span[0] for r in good.records}, []
        for r in good.records:
            if r.span[1] in starts and r.span[1] - r.payload[0] > HEAD:
                for less in range(HEAD - 8, HEAD, 2):
                    damage = random_damage.Damage(good.raw)
                    damage.replace(r.span[1] - less, r.span[1])
                    cases.append(campaign.Case(
                        '%d -%d' % (r.span[0], less), good, damage))
        wrong = [(v.case.name, v.wrong) for v in trial.run(cases)
                 if v.wrong] if cases else []
        check('into_head/%d: %d bags' % (number, len(cases)), not wrong,
              (len(wrong), wrong[:2]))


def timed(folder):
    """The time of a message is hit of which the last index in the file tells."""
    trial = campaign.Trial(bag_campaign, SALVOR, folder)
    for number in range(12):
        good = bag_campaign.SORTS['killed'](random.Random(number))
        cases = []
        for span, index in good.plain.items():
            if index is None or index[1] != len(good.raw):
                continue
            at = good.raw.index(b'\x0d\0\0\0time=', span[0]) + 9
            for byte, bit in (0, 3), (3, 0), (4, 2), (5, 5), (6, 1):
                damage = random_damage.Damage(good.raw)
                damage.overwrite(at + byte, bytes([
                    good.raw[at + byte] ^ 1 << bit]))
                cases.append(campaign.Case('%d' % span[0], good, damage))
        wrong = [(v.case.name, v.wrong) for v in trial.run(cases)
                 if v.wrong] if cases else []
        check('timed/%d: %d bags' % (number, len(cases)), not wrong, wrong[:2])


def main():
    """All."""
    with tempfile.TemporaryDirectory() as folder:
        found(folder + '/run')
        swallowed(folder + '/run')
        into_head(folder + '/run')
        timed(folder + '/run')
    return end()


main()

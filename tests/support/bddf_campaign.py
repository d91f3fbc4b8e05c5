"""bddf_campaign - BDDF logs for campaign.py."""

import os

import bddf_reader
from bddf_writer import Log
from campaign import Original, Record

bddf_reader.load_messages(os.environ.get('BDDF_PB2', 'tests/pb2'))

SUFFIX = '.bddf'
OPTIONS = '--reseal',
Bad = bddf_reader.Bad


def _records(file):
    for block in file.of('data'):
        message = block.message
        yield Record((block.offset, block.end),
                     (block.end - len(block.body), block.end),
                     (message.series_index, message.timestamp.seconds,
                      message.timestamp.nanos,
                      tuple(message.additional_indexes)), block.body)


def read(raw):
    """The data blocks of a whole log."""
    file = bddf_reader.read_file(raw)
    bddf_reader.check_file(file)
    return [(r.head, r.body) for r in _records(file)]


def vendor(_):
    """Not asked."""
    return None


def _original(log):
    raw = bytes(log.close())
    return Original(raw, list(_records(bddf_reader.read_file(raw))), True)


def plain(rng):
    """Two series."""
    log = Log().declare(0, 'a').declare(1, 'b')
    for i in range(120):
        log.data(i % 2, rng.randbytes(rng.choice((3, 30, 90))))
    return _original(log)


SORTS = {'plain': plain}

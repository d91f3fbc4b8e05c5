"""Where the units of whole logs are: what a test takes from one place of a log
and puts into another.

    for begin, end in bag(raw): ...

In order.  Those that are in others follow them, as the messages of a chunk; the
header and the end of a log are no units.
"""
import bag_reader
import bddf_trial
import carla_reader
import cyber_reader


def bddf(raw):
    """The blocks of data."""
    return [(at, end) for at, end, kind in bddf_trial.boundaries(raw)
            if kind == 'data']


def bag(raw):
    """Chunks and what is in those that are not compressed, and all indexes."""
    log = bag_reader.read(raw)
    for chunk in log.chunks:
        yield chunk.at, chunk.end
        if chunk.compression == 'none':
            yield from sorted(
                [(chunk.data_at + m.at, chunk.data_at + m.end)
                 for m in chunk.messages]
                + [(chunk.data_at + at, chunk.data_at + end)
                   for at, end, _ in chunk.connections])
        yield from (index[:2] for index in chunk.indexes)
    yield from (conn[:2] for conn in log.tail)
    yield from log.infos


def bag_messages(raw):
    """The messages of chunks that are not compressed."""
    return [(chunk.data_at + m.at, chunk.data_at + m.end)
            for chunk in bag_reader.read(raw).chunks
            if chunk.compression == 'none' for m in chunk.messages]


def cyber(raw):
    """Sections, of a chunk its two together, and its messages."""
    chunk = None
    for section in cyber_reader.read(raw).sections:
        if section.type == cyber_reader.CHUNK_HEADER:
            chunk = section.at
            continue
        if section.type != cyber_reader.CHUNK_BODY:
            yield section.at, section.end
            continue
        yield chunk, section.end
        yield from cyber_reader.spans_of(raw, section)


def cyber_messages(raw):
    """The messages."""
    return cyber_reader.read(raw).spans


def carla(raw):
    """The frames."""
    return [(f.at, f.end) for f in carla_reader.read(raw).frames]


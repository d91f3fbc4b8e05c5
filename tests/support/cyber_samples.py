"""The Cyber records that are damaged: of every dialect, in many chunks or one,
closed or not; `strange` ones carry pieces of other records, hold messages that
are the same byte for byte, many without content, and times of a clock that was
set.
"""

import functools
import pathlib

import cyber_writer as w
from cyber_damage import Original

# sort -> arguments of drive(), and of Shape()
SORTS = {
    'chunks': (dict(seed=1), dict(limit=20000)),
    'one': (dict(seed=2, n_messages=150), {}),
    'open': (dict(seed=3), dict(limit=50000, closed=False, indexed=False)),
    'large': (dict(seed=4, n_messages=60, size=9000), dict(limit=150000)),
    'old': (dict(seed=5), dict(limit=30000, style='old')),
    'python': (dict(seed=6), dict(limit=30000, style='python',
                                  padding=b'')),
    'garbage': (dict(seed=7), dict(limit=30000, style='lite',
                                   padding=b'\xaa\xaa\xaa\xaa')),
}

# What bench/salvage-cyber tracks as well: see its floor.
STRANGE = {
    'strange': (dict(seed=8, strange=True), dict(limit=30000)),
    'odd': (dict(seed=9, strange=True, n_messages=120),
            dict(limit=9000, closed=False, indexed=False)),
}


@functools.lru_cache(None)
def original(sort):
    """The record of a sort."""
    sorts = {**SORTS, **STRANGE}
    if sort not in sorts:
        return Original(pathlib.Path(sort).read_bytes())
    recipe, shape = sorts[sort]
    return Original(w.write(*w.drive(**recipe), w.Shape(**shape)))

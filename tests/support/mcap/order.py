"""The order in which the writers of each language go through a map of numbers.

    ORDERS[name]() -> a map that has add(key) and keys()
"""

# The bucket counts that libstdc++ takes, as far as tests need them.
BUCKETS = 13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229


class Hashed:
    """std::unordered_map of libstdc++, whose hash of a number is that number.

    All keys are one list.  A key goes to its front or, where its bucket has
    keys, before the first of those; when there are more buckets all keys
    do so again, in the order of the list.
    """

    def __init__(self):
        self.list, self.buckets = [], 1

    def _put(self, key):
        """Where the bucket of a key begins in the list, it goes."""
        bucket = key % self.buckets
        self.list.insert(next((
            i for i, other in enumerate(self.list)
            if other % self.buckets == bucket), 0), key)

    def add(self, key):
        """Let a key be there."""
        if key in self.list:
            return
        if len(self.list) >= self.buckets or self.buckets == 1:
            self.buckets = next(n for n in BUCKETS if n > len(self.list))
            old, self.list = self.list, []
            for other in old:
                self._put(other)
        self._put(key)

    def keys(self):
        """All, in order."""
        return list(self.list)


class Seen:
    """In the order in which they came."""

    def __init__(self):
        self.list = {}

    def add(self, key):
        """Let a key be there."""
        self.list[key] = None

    def keys(self):
        """All, in order."""
        return list(self.list)


class Sorted(Seen):
    """By number."""

    def keys(self):
        """All, in order."""
        return sorted(self.list)


ORDERS = {"hash": Hashed, "seen": Seen, "file": Seen, "id": Sorted}

"""A bounded, thread-safe LRU cache of rows that never change."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class FrozenCache(Generic[Key, Value]):
    """Holds up to `size` values; the least recently used is dropped first.

    Only for rows that never change: nothing is ever invalidated.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._cache: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get_many(
        self, keys: Iterable[Key], load: Callable[[list[Key]], Mapping[Key, Value]]
    ) -> dict[Key, Value]:
        """Return the values of all keys that exist; `load` is called once for the missing ones."""
        unique_keys = list(dict.fromkeys(keys))
        values: dict[Key, Value] = {}
        with self._lock:
            for key in unique_keys:
                if key in self._cache:
                    self._cache.move_to_end(key)
                    values[key] = self._cache[key]
        missing = [key for key in unique_keys if key not in values]
        if missing:
            loaded = load(missing)
            values.update(loaded)
            with self._lock:
                self._cache.update(loaded)
                while len(self._cache) > self._size:
                    self._cache.popitem(last=False)
        return values

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._cache.clear()

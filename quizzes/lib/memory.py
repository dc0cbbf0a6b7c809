"""What never changes is read once and kept: a small, bounded, thread-safe store."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Memory(Generic[Key, Value]):
    """Keeps up to `size` values, the least recently used leave first.

    Only for frozen things: nothing is ever invalidated.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._cache: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get_many(
        self, keys: Iterable[Key], load: Callable[[list[Key]], Mapping[Key, Value]]
    ) -> dict[Key, Value]:
        """Return the values of all keys that exist; `load` is asked once for those not kept."""
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
        """Forget everything."""
        with self._lock:
            self._cache.clear()

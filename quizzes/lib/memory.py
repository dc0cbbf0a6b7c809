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
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get_many(
        self, keys: Iterable[Key], load: Callable[[list[Key]], Mapping[Key, Value]]
    ) -> dict[Key, Value]:
        """Return the values of all keys that exist; `load` is asked once for those not kept."""
        wanted = list(dict.fromkeys(keys))
        found: dict[Key, Value] = {}
        with self._lock:
            for key in wanted:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    found[key] = self._kept[key]
        missing = [key for key in wanted if key not in found]
        if missing:
            loaded = load(missing)
            found.update(loaded)
            with self._lock:
                self._kept.update(loaded)
                while len(self._kept) > self._size:
                    self._kept.popitem(last=False)
        return found

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()

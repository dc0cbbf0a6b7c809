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
        values: dict[Key, Value] = {}
        missing: list[Key] = []
        # To hash a key may cost more than all else here, so each is looked up as rarely as may be.
        with self._lock:
            # As long as nothing is dropped soon, it need not be known what was used last.
            is_filling = len(self._cache) * 2 < self._size
            for key in dict.fromkeys(keys):
                try:
                    values[key] = self._cache[key]
                except KeyError:
                    missing.append(key)
                else:
                    if not is_filling:
                        self._cache.move_to_end(key)
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


class IdentityCache(Generic[Value]):
    """Holds what was made of up to `size` frozen objects, by the very object and a language.

    What is equal to one is not found by it: for what hashes slowly, and is shared by its maker.
    """

    def __init__(self, size: int) -> None:
        self._values: FrozenCache[tuple[int, str], tuple[object, Value]] = FrozenCache(size)

    def get(self, source: object, language: str, make: Callable[[], Value]) -> Value:
        """Return what was made of this object before, else what `make` returns now."""
        # The object is held with its value, so that no other one gets its id meanwhile.
        key = (id(source), language)
        return self._values.get_many([key], lambda _: {key: (source, make())})[key][1]

"""Seeded order, the same on every machine and Python for ever: an attempt must be replayable."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

_WORD = 2**64
_PURPOSE = b"ochenta shuffle 1"  # a second way of shuffling would carry another number


def shuffle_ids(items: Sequence[str], seed: str) -> tuple[str, ...]:
    """Return the items in an order that the seed decides, each order equally likely."""
    words, result = _words(seed), list(items)
    for last in range(len(result) - 1, 0, -1):
        other = _below(last + 1, words)
        result[last], result[other] = result[other], result[last]
    return tuple(result)


def shuffle_unpinned(parts: Sequence[tuple[str, bool]], seed: str) -> tuple[str, ...]:
    """Shuffle ids given with whether each is pinned; a pinned one keeps its place."""
    loose = iter(shuffle_ids([part for part, pinned in parts if not pinned], seed))
    return tuple(part if pinned else next(loose) for part, pinned in parts)


def _words(seed: str) -> Iterator[int]:
    """Yield endless 64-bit numbers: hashes of the seed and a counter, cut in four."""
    start, counter = _PURPOSE + b"\0" + seed.encode() + b"\0", 0
    while True:
        block = sha256(start + counter.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(block[i : i + 8], "big") for i in range(0, 32, 8))
        counter += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """Return a number from 0 to bound - 1, each equally likely: the uneven tail is drawn again."""
    fair = _WORD - _WORD % bound
    return next(word for word in words if word < fair) % bound

"""Whether two lists have one order, and what the places of a pair then mean. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

MIN_PAIRS = 3
"""Fewer sure pairs are no order."""
MIN_SHARE = 0.8
"""The share of them that must be in order."""
MAX_EVIDENCE = 1.5
OUT_OF_ORDER = -0.7
"""Files with one order move some questions all the same."""


@dataclass(frozen=True, slots=True)
class ListOrder:
    """Sure pairs in one order: places in the first list and in the second, which has `length`."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    length: int

    def evidence(self, left_place: int, right_place: int) -> float:
        """Return the logarithm of how much likelier a pair is by its places."""
        before = bisect_left(self.left, left_place) - 1
        after = bisect_right(self.left, left_place)
        low = self.right[before] if before >= 0 else -1
        high = self.right[after] if after < len(self.right) else self.length
        if not low < right_place < high:
            return OUT_OF_ORDER
        return min(MAX_EVIDENCE, log(self.length / (high - low - 1)))


def find_order(pairs: Sequence[tuple[int, int]], length: int) -> ListOrder | None:
    """Return the order of these sure pairs; None where they are few, or have none."""
    rising = _longest_rising(sorted(pairs))
    if len(pairs) < MIN_PAIRS or len(rising) < MIN_SHARE * len(pairs):
        return None
    return ListOrder(tuple(left for left, _ in rising), tuple(right for _, right in rising), length)


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs whose second places rise."""
    ends: list[int] = []  # the smallest end of a run of each length
    last: list[int] = []  # which pair that is
    before: list[int] = []
    for at, (_, right) in enumerate(pairs):
        length = bisect_left(ends, right)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [right]
        last[length : length + 1] = [at]
    run = []
    at = last[-1] if last else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]

"""Whether two lists keep one order, and what a pair's places then say for it. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

ENOUGH = 3
"""Fewer sure pairs keep no order worth the name."""
KEPT = 0.8
"""The part of them that must be in order for order to count."""
MOST = 1.5
AGAINST = -0.7
"""Files that keep an order move some questions all the same."""


@dataclass(frozen=True, slots=True)
class ListOrder:
    """Sure pairs in one order: places in the first list and in the second, which has `wide`."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    wide: int

    def speaks(self, here: int, there: int) -> float:
        """Give the logarithm of how much likelier a pair is for where it stands."""
        before = bisect_left(self.left, here) - 1
        after = bisect_right(self.left, here)
        low = self.right[before] if before >= 0 else -1
        high = self.right[after] if after < len(self.right) else self.wide
        if not low < there < high:
            return AGAINST
        return min(MOST, log(self.wide / (high - low - 1)))


def find_order(pairs: Sequence[tuple[int, int]], wide: int) -> ListOrder | None:
    """Give the order that these sure pairs keep; None where they are few, or keep none."""
    rising = _rising(sorted(pairs))
    if len(pairs) < ENOUGH or len(rising) < KEPT * len(pairs):
        return None
    return ListOrder(tuple(here for here, _ in rising), tuple(there for _, there in rising), wide)


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give the longest run of pairs whose second places rise."""
    ends: list[int] = []  # the smallest end of a run of each length
    last: list[int] = []  # which pair that is
    before: list[int] = []
    for at, (_, there) in enumerate(pairs):
        length = bisect_left(ends, there)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [there]
        last[length : length + 1] = [at]
    run = []
    at = last[-1] if last else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]

"""Orders by lot: what they earn depends on how many items there are, and on nothing else."""

from fractions import Fraction
from functools import lru_cache
from itertools import permutations

from grading.blind.figures import NOTHING_KNOWN, Blind, earned
from grading.json_types import Content, Key
from grading.orders.structure import ITEMS, ORDER, solved

KIND = "ordering"

MOST = 7
"""So many items have 5,040 orders, each of which is marked; of more items nothing is known."""


def blind(content: Content, key: Key, method: str) -> Blind:
    """Return what a random order earns."""
    del content  # the key names every item
    many = len(solved(key))
    if many > MOST:
        return NOTHING_KNOWN
    lot = _lot(many, method)
    return Blind(lot=lot, best=lot)


@lru_cache(maxsize=64)
def _lot(many: int, method: str) -> Fraction:
    ids = [str(n) for n in range(many)]
    content: Content = {ITEMS: [{"id": id_} for id_ in ids]}
    key: Key = {ORDER: list(ids)}
    marks = [
        earned(KIND, content, key, {ORDER: list(order)}, method) for order in permutations(ids)
    ]
    return sum(marks, Fraction(0)) / len(marks)

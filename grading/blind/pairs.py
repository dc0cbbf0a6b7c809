"""Pairs made by lot, and one thing given for all: only how many are right matters to a mark."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import comb

from grading.blind.figures import Blind, earned
from grading.json_types import Content, Json, Key
from grading.pairs.structure import LEFTS, PAIRS, RIGHTS, sides, solved

KIND = "matching"


def blind(content: Content, key: Key, method: str) -> Blind:
    """Return what random pairs earn, and what the most frequent right earns for every left."""
    question, right_of = sides(content), solved(key)
    lefts, rights = len(question.lefts), len(question.rights)
    fits_most = max(Counter(right_of[left] for left in question.lefts).values())
    lot = _lot(lefts, rights, method)
    return Blind(lot=lot, best=lot, same=_with(lefts, fits_most, method))


@lru_cache(maxsize=1024)
def _lot(lefts: int, rights: int, method: str) -> Fraction:
    """Return what pairing each left with a random right earns."""
    hit, missed = Fraction(1, rights), Fraction(rights - 1, rights)
    return sum(
        (
            comb(lefts, n) * hit**n * missed ** (lefts - n) * _with(lefts, n, method)
            for n in range(lefts + 1)
        ),
        Fraction(0),
    )


@lru_cache(maxsize=4096)
def _with(lefts: int, right: int, method: str) -> Fraction:
    """Return what an answer earns with so many lefts paired rightly and the rest wrongly."""
    ids = [f"left {n}" for n in range(lefts)]
    sides_: list[list[Json]] = [[{"id": id_} for id_ in ids], [{"id": "this"}, {"id": "that"}]]
    content: Content = dict(zip((LEFTS, RIGHTS), sides_, strict=True))
    key: Key = {PAIRS: dict.fromkeys(ids, "this")}
    pairs: dict[str, Json] = {id_: "this" if n < right else "that" for n, id_ in enumerate(ids)}
    return earned(KIND, content, key, {PAIRS: pairs}, method)

"""Pairs made by lot, and one thing given for all: only how many are right matters to a mark."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import comb

from grading.blind.figures import Blind, earned
from grading.contract import Content, Json, Key
from grading.pairs.structure import LEFTS, PAIRS, RIGHTS, sides, solved

KIND = "matching"


def blind(content: Content, key: Key, scheme: str) -> Blind:
    """Give what pairs by lot earn, and what the right that fits most earns when given to all."""
    found, right_of = sides(content), solved(key)
    lefts, rights = len(found.lefts), len(found.rights)
    fits_most = max(Counter(right_of[left] for left in found.lefts).values())
    lot = _lot(lefts, rights, scheme)
    return Blind(lot=lot, best=lot, same=_with(lefts, fits_most, scheme))


@lru_cache(maxsize=1024)
def _lot(lefts: int, rights: int, scheme: str) -> Fraction:
    """Let each left get any right, all as likely."""
    hit, missed = Fraction(1, rights), Fraction(rights - 1, rights)
    return sum(
        (
            comb(lefts, n) * hit**n * missed ** (lefts - n) * _with(lefts, n, scheme)
            for n in range(lefts + 1)
        ),
        Fraction(0),
    )


@lru_cache(maxsize=4096)
def _with(lefts: int, right: int, scheme: str) -> Fraction:
    """Give what an answer earns in which so many lefts are paired rightly, and the rest wrongly."""
    ids = [f"left {n}" for n in range(lefts)]
    sides_: list[list[Json]] = [[{"id": id_} for id_ in ids], [{"id": "this"}, {"id": "that"}]]
    content: Content = dict(zip((LEFTS, RIGHTS), sides_, strict=True))
    key: Key = {PAIRS: dict.fromkeys(ids, "this")}
    given: dict[str, Json] = {id_: "this" if n < right else "that" for n, id_ in enumerate(ids)}
    return earned(KIND, content, key, {PAIRS: given}, scheme)

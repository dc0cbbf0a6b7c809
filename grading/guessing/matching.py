"""Pairs made by lot, and one thing given for all: only how many are right matters to a mark."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import gcd

from grading.guessing.guess_score import GuessScore, score_answer
from grading.json_types import Content, Json, Key, ratio_to_json
from grading.lower_bound import LOWER_BOUND
from grading.matching.structure import (
    LEFTS,
    MAX_POINTS,
    PAIRS,
    RIGHTS,
    load_content,
    load_pairs,
)

KIND = "matching"
MOST_POINTS = 4096
"""Of more points in all, as small as their ratios allow, nothing is known of random pairs."""


def score_guesses(content: Content, key: Key, method: str) -> GuessScore:
    """Return what random pairs earn, and what the most frequent right earns for every left."""
    question, right_of = load_content(content), load_pairs(key)
    points = tuple(sorted(n // gcd(*question.points) for n in question.points))
    by_right = Counter[str]()
    for left, n in zip(question.lefts, question.points, strict=True):
        by_right[right_of[left]] += n
    most = max(by_right.values()) // gcd(*question.points)
    mean = (
        None
        if sum(points) > MOST_POINTS
        else _score_random(points, len(question.rights), method, question.lower_bound)
    )
    return GuessScore(
        random_guess=mean,
        best_guess=mean,
        constant_answer=_score_with(most, sum(points) - most, method, question.lower_bound),
    )


@lru_cache(maxsize=1024)
def _score_random(
    points: tuple[int, ...], rights: int, method: str, lower_bound: Fraction
) -> Fraction:
    """Return what pairing each left with a random right earns."""
    total = sum(points)
    ways = Counter({0: 1})  # of pairing the lefts so far, by the points of the right pairs
    for each in points:
        after = Counter({n: many * (rights - 1) for n, many in ways.items()})
        for n, many in ways.items():
            after[n + each] += many
        ways = after
    sums = (
        many * _score_with(n, total - n, method, lower_bound) for n, many in ways.items() if many
    )
    return sum(sums, Fraction(0)) / Fraction(rights ** len(points))


@lru_cache(maxsize=4096)
def _score_with(right: int, wrong: int, method: str, lower_bound: Fraction) -> Fraction:
    """Return what an answer earns with so many points paired rightly and the rest wrongly."""
    parts = [*_split_points(right, "this"), *_split_points(wrong, "that")]
    lefts: list[Json] = [{"id": f"left {at}", "points": n} for at, (n, _) in enumerate(parts)]
    content: Content = {
        LEFTS: lefts,
        RIGHTS: [{"id": "this"}, {"id": "that"}],
        LOWER_BOUND.name: ratio_to_json(lower_bound),
    }
    pairs: dict[str, Json] = {f"left {at}": side for at, (_, side) in enumerate(parts)}
    key: Key = {PAIRS: dict.fromkeys(pairs, "this")}
    return score_answer(KIND, content, key, {PAIRS: pairs}, method)


def _split_points(points: int, right: str) -> Iterator[tuple[int, str]]:
    """Yield points as pairs with a right that count them, each no more than one can."""
    for begin in range(0, points, MAX_POINTS):
        yield min(points - begin, MAX_POINTS), right

"""Pairs made by lot, and one thing given for all: only how many are right matters to a mark."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import comb

from grading.guessing.guess_score import GuessScore, score_answer
from grading.json_types import Content, Json, Key, ratio_to_json
from grading.lower_bound import LOWER_BOUND
from grading.matching.structure import LEFTS, PAIRS, RIGHTS, load_content, load_pairs

KIND = "matching"


def score_guesses(content: Content, key: Key, method: str) -> GuessScore:
    """Return what random pairs earn, and what the most frequent right earns for every left."""
    question, right_of = load_content(content), load_pairs(key)
    lefts, rights = len(question.lefts), len(question.rights)
    most_frequent = max(Counter(right_of[left] for left in question.lefts).values())
    mean = _score_random(lefts, rights, method, question.lower_bound)
    return GuessScore(
        random_guess=mean,
        best_guess=mean,
        constant_answer=_score_with(lefts, most_frequent, method, question.lower_bound),
    )


@lru_cache(maxsize=1024)
def _score_random(lefts: int, rights: int, method: str, lower_bound: Fraction) -> Fraction:
    """Return what pairing each left with a random right earns."""
    hit, missed = Fraction(1, rights), Fraction(rights - 1, rights)
    return sum(
        (
            comb(lefts, n)
            * hit**n
            * missed ** (lefts - n)
            * _score_with(lefts, n, method, lower_bound)
            for n in range(lefts + 1)
        ),
        Fraction(0),
    )


@lru_cache(maxsize=4096)
def _score_with(lefts: int, right: int, method: str, lower_bound: Fraction) -> Fraction:
    """Return what an answer earns with so many lefts paired rightly and the rest wrongly."""
    ids = [f"left {n}" for n in range(lefts)]
    sides: list[list[Json]] = [[{"id": id_} for id_ in ids], [{"id": "this"}, {"id": "that"}]]
    content: Content = {
        **dict(zip((LEFTS, RIGHTS), sides, strict=True)),
        LOWER_BOUND.name: ratio_to_json(lower_bound),
    }
    key: Key = {PAIRS: dict.fromkeys(ids, "this")}
    pairs: dict[str, Json] = {id_: "this" if n < right else "that" for n, id_ in enumerate(ids)}
    return score_answer(KIND, content, key, {PAIRS: pairs}, method)

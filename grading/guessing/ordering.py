"""Orders by lot: what they earn depends on how many items there are, and on nothing else."""

import json
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

from grading.guessing.guess_score import UNKNOWN, GuessScore, score_answer
from grading.json_types import Content, Key
from grading.lower_bound import LOWER_BOUND
from grading.ordering.structure import ITEMS, ORDER, PENALTY, load_order

KIND = "ordering"

MOST = 7
"""So many items have 5,040 orders, each of which is marked; of more items nothing is known."""


def score_guesses(content: Content, key: Key, method: str) -> GuessScore:
    """Return what a random order earns."""
    count = len(load_order(key))
    if count > MOST:
        return UNKNOWN
    names = (PENALTY.name, LOWER_BOUND.name)
    costs = json.dumps({name: content[name] for name in names if name in content})
    random_guess = _score_random(count, method, costs)
    return GuessScore(random_guess=random_guess, best_guess=random_guess)


@lru_cache(maxsize=64)
def _score_random(count: int, method: str, costs: str) -> Fraction:
    """Return what random orders of so many items earn; `costs` are the fields of costs, as JSON."""
    ids = [str(n) for n in range(count)]
    content: Content = {ITEMS: [{"id": id_} for id_ in ids], **json.loads(costs)}
    key: Key = {ORDER: list(ids)}
    credits_ = [
        score_answer(KIND, content, key, {ORDER: list(order)}, method)
        for order in permutations(ids)
    ]
    return sum(credits_, Fraction(0)) / len(credits_)

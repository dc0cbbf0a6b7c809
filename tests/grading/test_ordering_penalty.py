"""Orders of which wrong parts cost: Fractions, a ledger that adds up, never below the bound."""

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from grading.contract import Problem
from grading.guessing import score_guesses
from grading.kinds import ordering
from grading.ordering.scoring_methods import PENALIZING

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
ITEMS = [{"id": id_} for id_ in "abcd"]
KEY: Any = {"order": list("abcd")}


def build_content(penalty: list[int], lower_bound: list[int] | None = None) -> Any:
    bound = {"lower_bound": lower_bound} if lower_bound else {}
    return {"items": ITEMS, "penalty": penalty, **bound}


def mark(content: Any, order: str, method: str) -> Any:
    assert ordering.validate(content, KEY, method) == ()
    return ordering.score(content, KEY, {"order": list(order)}, method)


@pytest.mark.parametrize(
    ("method", "order", "credit"),
    [
        ("exact_place", "abcd", Fraction(1)),
        ("exact_place", "abdc", HALF - HALF * HALF),
        ("exact_place", "badc", -HALF),
        ("all_or_nothing", "abcd", Fraction(1)),
        ("all_or_nothing", "abdc", -HALF),
        ("all_or_nothing", "badc", -HALF),
        ("adjacent_pairs", "bcda", 2 * THIRD - THIRD * HALF),
        ("adjacent_pairs", "dcba", -HALF),
    ],
)
def test_a_wrong_part_costs_its_share(method, order, credit):
    item_score = mark(build_content([1, 2], [-1, 1]), order, method)
    assert item_score.credit == credit == sum(line.earned for line in item_score.ledger)


@pytest.mark.parametrize("method", sorted(PENALIZING))
@pytest.mark.parametrize("bound", [None, [-1, 4], [-1, 1]])
def test_no_order_earns_less_than_the_lowest_score(method, bound):
    least = Fraction(*bound) if bound else Fraction(0)
    marks = [
        mark(build_content([1, 1], bound), "".join(order), method) for order in permutations("abcd")
    ]
    assert min(item_score.credit for item_score in marks) == least
    assert max(item_score.credit for item_score in marks) == 1
    reason = "not_below_bound" if least else "not_below_zero"
    worst = mark(build_content([1, 1], bound), "dcba", method)
    assert (reason in worst.reasons) == (least > -1)


def test_no_answer_costs_nothing():
    content = build_content([1, 1], [-1, 1])
    assert ordering.score(content, KEY, None, "all_or_nothing").credit == 0


def test_the_ledger_names_what_the_wrong_order_costs():
    item_score = mark(build_content([1, 3], [-1, 1]), "abdc", "all_or_nothing")
    rules = {
        line.part: (line.earned, line.reason) for line in item_score.ledger if len(line.part) > 1
    }
    assert rules == {
        "all_or_nothing": (-HALF, "not_all_right"),
        "penalty": (-THIRD, "wrong_order_costs"),
    }
    assert item_score.reasons[0] == "negative_credit"


def test_takers_learn_the_lowest_score_and_not_the_key():
    parts = ordering.public_view(build_content([1, 3], [-1, 3]), list("dcba")).parts
    assert parts == {"items": list("dcba"), "lower_bound": [-1, 3]}


@pytest.mark.parametrize(
    ("penalty", "method", "code"),
    [
        ("x", "exact_place", "penalty_is_no_ratio"),
        ([2, 1], "exact_place", "penalty_out_of_range"),
        ([-1, 3], "exact_place", "penalty_out_of_range"),
        ([1, 3], "longest_run", "penalty_unused"),
        ([1, 3], "absolute_position", "penalty_unused"),
    ],
)
def test_a_penalty_that_means_nothing_is_a_problem(penalty, method, code):
    (problem,) = ordering.validate({"items": ITEMS, "penalty": penalty}, KEY, method)
    assert (problem.where, problem.code) == ("penalty", code)


def test_a_lowest_score_above_zero_is_a_problem():
    content: Any = {"items": ITEMS, "lower_bound": [1, 2]}
    (problem,) = ordering.validate(content, KEY, "exact_place")
    assert problem == Problem("lower_bound", "lower_bound_above_zero", {})


def test_a_random_order_earns_less_where_wrong_parts_cost():
    plain = score_guesses("ordering", {"items": ITEMS}, KEY, "exact_place")
    costly = score_guesses("ordering", build_content([1, 3], [-1, 1]), KEY, "exact_place")
    assert plain.random_guess == Fraction(1, 4)
    assert costly.random_guess == 0

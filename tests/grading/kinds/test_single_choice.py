"""Single choice: one may be chosen, one is right, and weights may tell near from far."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer, Problem
from grading.kinds import KINDS
from tests.grading.strategies import JSON

kind: Any = KINDS["single_choice"]
CONTENT: Any = {"options": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}
WEIGHTS = {"a": [1, 1], "b": [1, 2], "c": [-1, 4]}


def codes(content, key, scoring_method="all_or_nothing"):
    return [
        (problem.where, problem.code) for problem in kind.validate(content, key, scoring_method)
    ]


def test_all_or_nothing_is_the_default_and_weights_the_alternative():
    assert kind.scoring_methods == ("all_or_nothing", "option_weights")


@given(st.permutations("abc"), st.sampled_from("abc"), st.sampled_from("abc"))
def test_the_right_option_earns_everything_and_the_others_nothing(ids, right, chosen):
    content = {"options": [{"id": id_} for id_ in ids]}
    mark = kind.score(
        content, {"right": [right]}, kind.parse(content, {"chosen": [chosen]}), "all_or_nothing"
    )
    assert mark.credit == (chosen == right)


@given(st.permutations("abc"), st.sampled_from("abc"))
def test_the_order_of_options_never_changes_a_weighted_mark(ids, chosen):
    content = {"options": [{"id": id_} for id_ in ids]}
    key = {"right": ["a"], "weights": WEIGHTS}
    mark = kind.score(content, key, kind.parse(content, {"chosen": [chosen]}), "option_weights")
    assert mark.credit == {"a": 1, "b": Fraction(1, 2), "c": 0}[chosen]


def test_the_ledger_tells_that_a_negative_weight_is_lifted_to_nothing():
    mark = kind.score(
        CONTENT,
        {"right": ["a"], "weights": WEIGHTS},
        {"chosen": ["c"], "none_apply": False},
        "option_weights",
    )
    assert [(line.part, str(line.earned), line.reason) for line in mark.ledger] == [
        ("a", "0", "missed"),
        ("b", "0", "not_chosen"),
        ("c", "-1/4", "wrong_chosen"),
        ("floor", "1/4", "not_below_zero"),
    ]


def test_an_option_that_earns_a_part_is_neither_right_nor_wrong():
    score = kind.score(
        CONTENT,
        {"right": ["a"], "weights": WEIGHTS},
        {"chosen": ["b"], "none_apply": False},
        "option_weights",
    )
    assert [(line.part, line.right, str(line.earned), line.reason) for line in score.ledger] == [
        ("a", True, "0", "missed"),
        ("b", None, "1/2", "partly_right_chosen"),
        ("c", False, "0", "rightly_left"),
    ]
    assert score.reasons == ("partial_credit", "missed", "partly_right_chosen")


def test_two_right_options_are_a_problem():
    problems = kind.validate(CONTENT, {"right": ["a", "b"]}, "all_or_nothing")
    assert problems == (Problem("key", "too_many_right", {"maximum": 1, "found": 2}),)


def test_a_second_option_that_earns_everything_is_a_problem():
    key = {"right": ["a"], "weights": WEIGHTS | {"b": [1, 1]}}
    assert codes(CONTENT, key, "option_weights") == [("options.b", "wrong_option_earns_all")]


def test_a_right_option_that_earns_less_than_everything_is_a_problem():
    key = {"right": ["a"], "weights": WEIGHTS | {"a": [9, 10]}}
    assert codes(CONTENT, key, "option_weights") == [("key", "full_credit_out_of_reach")]


def test_a_taker_is_told_that_one_may_be_chosen():
    assert kind.public_view(CONTENT, ["c", "a", "b"]).parts == {
        "options": ["c", "a", "b"],
        "none_apply": False,
        "many": False,
    }


def test_two_chosen_options_are_unreadable():
    read = kind.parse(CONTENT, {"chosen": ["b", "a"]})
    assert read == InvalidAnswer("too_many_chosen", {"where": "chosen", "maximum": 1})


@given(JSON)
def test_reading_never_raises_and_never_echoes_what_was_sent(raw):
    read = kind.parse(CONTENT, {"chosen": raw})
    if isinstance(read, InvalidAnswer):
        assert str(read.detail["where"]).startswith("chosen")
    else:
        assert read is None or read["chosen"][0] in "abc"


@pytest.mark.parametrize("scoring_method", ["right_minus_wrong", "halves", ""])
def test_scoring_methods_of_several_choices_are_not_offered(scoring_method):
    assert codes(CONTENT, {"right": ["a"]}, scoring_method) == [
        ("scoring_method", "unknown_scoring_method")
    ]

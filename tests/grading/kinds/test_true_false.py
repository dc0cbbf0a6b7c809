"""True or false: two options that stand for a value each, and never change places."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import Problem
from grading.kinds import KINDS

kind: Any = KINDS["true_false"]
CONTENT: Any = {"options": [{"id": "t", "value": True}, {"id": "f", "value": False}]}
KEY = {"right": ["t"]}


def codes(content, key=KEY):
    return [
        (problem.where, problem.code) for problem in kind.validate(content, key, "all_or_nothing")
    ]


def test_it_is_right_or_wrong_and_nothing_between():
    assert kind.scoring_methods == ("all_or_nothing", "option_weights")


@given(st.booleans(), st.sampled_from("tf"), st.sampled_from("tf"))
def test_only_the_right_value_earns_everything_whichever_stands_first(turned, right, chosen):
    content = {"options": CONTENT["options"][:: -1 if turned else 1]}
    answer = kind.parse(content, {"chosen": [chosen]})
    assert kind.score(content, {"right": [right]}, answer, "all_or_nothing").credit == (
        chosen == right
    )


def test_both_options_keep_their_places_even_if_shuffling_is_asked_for():
    assert kind.shufflable_ids({**CONTENT, "shuffle": True}) == (("t", True), ("f", True))


def test_a_taker_is_told_which_option_means_true():
    assert kind.public_view(CONTENT, ["t", "f"]).parts == {
        "options": ["t", "f"],
        "none_apply": False,
        "many": False,
        "values": {"t": True, "f": False},
    }


@pytest.mark.parametrize(
    "values",
    [
        (True,),
        (True, True),
        (False, False),
        (True, False, True),
        (True, None),
        (1, 0),
        ("True", "False"),
    ],
)
def test_anything_but_one_true_and_one_false_option_is_a_problem(values):
    options = [{"id": f"o{place}", "value": value} for place, value in enumerate(values)]
    assert ("options", "not_true_and_false") in codes({"options": options}, {"right": ["o0"]})


def test_neither_true_nor_false_cannot_be_offered():
    problems = kind.validate({**CONTENT, "none_apply": True}, KEY, "all_or_nothing")
    assert problems == (Problem("none_apply", "none_apply_not_possible", {}),)


def test_both_cannot_be_right():
    assert codes(CONTENT, {"right": ["t", "f"]}) == [("key", "too_many_right")]


def test_general_problems_come_before_those_of_its_own():
    assert codes({"options": []}, {"right": []}) == [
        ("options", "too_few_options"),
        ("key", "nothing_right"),
        ("options", "not_true_and_false"),
    ]

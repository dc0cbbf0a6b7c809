"""Problems of drafts with options: each is found, named, and put at the field it belongs to."""

from typing import Any

import pytest

from grading.choice.structure import RULE_PARTS
from grading.contract import Problem
from grading.kinds import multiple_choice

OPTIONS = [{"id": "a", "pinned": False}, {"id": "b", "pinned": True}]
CONTENT = {"options": OPTIONS, "none_apply": False, "shuffle": True}
KEY = {"right": ["a"]}
WEIGHTS = {"a": [1, 1], "b": [-1, 1]}


def check(content=CONTENT, key=KEY, scoring_method="right_minus_wrong"):
    return multiple_choice.validate(content, key, scoring_method)


def weigh(**weights):
    return check(
        key={"right": ["a"], "weights": WEIGHTS | weights}, scoring_method="option_weights"
    )


def test_a_sound_draft_has_no_problems():
    assert check() == ()
    assert check(key={"right": ["b", "a"], "weights": {}}) == ()
    assert weigh() == ()


@pytest.mark.parametrize("options", [None, "ab", {"a": 1}, 3])
def test_options_that_are_no_list_are_named(options):
    assert check({"options": options})[:2] == (
        Problem("options", "not_a_list", {}),
        Problem("options", "too_few_options", {"minimum": 2, "found": 0}),
    )


@pytest.mark.parametrize("option", [None, "c", {}, {"id": ""}, {"id": 7}, {"id": None}])
def test_an_option_without_an_id_is_named_by_its_place(option):
    expected = (Problem("options", "option_without_id", {"position": 2}),)
    assert check({"options": [*OPTIONS, option]}) == expected


def test_options_after_one_without_an_id_still_count():
    problems = check({"options": [{}, *OPTIONS]})
    assert problems == (Problem("options", "option_without_id", {"position": 0}),)


def test_an_id_given_twice_is_named():
    assert check({"options": [*OPTIONS, {"id": "a"}]}) == (
        Problem("options.a", "duplicate_id", {}),
    )


@pytest.mark.parametrize("name", ["none_apply", *RULE_PARTS])
def test_an_option_cannot_be_called_like_a_line_of_the_ledger(name):
    assert check({"options": [*OPTIONS, {"id": name}]}) == (
        Problem(f"options.{name}", "reserved_id", {}),
    )


@pytest.mark.parametrize("value", [None, 0, 1, "yes", []])
def test_a_flag_that_is_not_true_or_false_is_named_where_it_stands(value):
    assert check({"options": OPTIONS, "none_apply": value}) == (
        Problem("none_apply", "not_true_or_false", {"field": "none_apply"}),
    )
    assert check({"options": OPTIONS, "shuffle": value}) == (
        Problem("shuffle", "not_true_or_false", {"field": "shuffle"}),
    )
    assert check({"options": [*OPTIONS, {"id": "c", "pinned": value}]}) == (
        Problem("options.c", "not_true_or_false", {"field": "pinned"}),
    )


@pytest.mark.parametrize("options", [0, 1])
def test_fewer_than_two_options_are_too_few(options):
    problems = check({"options": OPTIONS[:options], "none_apply": True}, {"right": []})
    assert problems == (Problem("options", "too_few_options", {"minimum": 2, "found": options}),)


def test_nothing_right_is_a_problem_unless_that_can_be_answered():
    nothing: Any = {"right": []}
    assert check(key=nothing) == (Problem("key", "nothing_right", {}),)
    assert check({**CONTENT, "none_apply": True}, nothing) == ()


@pytest.mark.parametrize("right", [None, "a", {"a": True}])
def test_a_key_without_a_list_of_what_is_right_is_named(right):
    assert check(key={"right": right})[0] == Problem("key", "right_is_no_list", {})


@pytest.mark.parametrize("id_", [0, None, ["a"]])
def test_a_right_option_that_is_no_id_is_named_by_its_place(id_):
    assert check(key={"right": ["a", id_]}) == (Problem("key", "right_is_no_id", {"position": 1}),)


def test_right_options_that_are_not_offered_are_named_in_order():
    assert check(key={"right": ["z", "a", "y"]}) == (
        Problem("key", "unknown_option", {"option": "y"}),
        Problem("key", "unknown_option", {"option": "z"}),
    )


def test_a_scoring_method_nobody_knows_is_named():
    assert check(scoring_method="by_lot") == (
        Problem("scoring_method", "unknown_scoring_method", {"scoring_method": "by_lot"}),
    )


def test_weights_that_no_scoring_method_reads_are_a_problem():
    problems = check(key={"right": ["a"], "weights": WEIGHTS}, scoring_method="halves")
    assert problems == (Problem("scoring_method", "weights_unused", {"scoring_method": "halves"}),)


@pytest.mark.parametrize("weights", [None, [], "1"])
def test_weights_that_are_no_object_are_named(weights):
    problems = check(key={"right": ["a"], "weights": weights}, scoring_method="option_weights")
    assert problems[0] == Problem("key", "weights_are_no_object", {})


@pytest.mark.parametrize(
    "weight", [1, 0.5, "1/2", [1], [1, 0], [1, -2], [True, 1], [1, True], [1.0, 2]]
)
def test_a_weight_that_is_no_ratio_is_named_at_its_option(weight):
    assert weigh(b=weight) == (
        Problem("options.b", "weight_is_no_ratio", {}),
        Problem("options.b", "weight_missing", {}),
    )


def test_a_weight_for_an_option_that_is_not_offered_is_named():
    assert weigh(z=[1, 2]) == (Problem("key", "unknown_option", {"option": "z"}),)


def test_an_option_without_a_weight_is_named():
    problems = check(
        key={"right": ["a"], "weights": {"a": [1, 1]}}, scoring_method="option_weights"
    )
    assert problems == (Problem("options.b", "weight_missing", {}),)


def test_a_right_option_without_a_weight_adds_nothing_to_what_can_be_reached():
    key = {"right": ["a", "b"], "weights": {"a": [1, 2]}}
    assert check(key=key, scoring_method="option_weights") == (
        Problem("options.b", "weight_missing", {}),
        Problem("key", "full_credit_out_of_reach", {}),
    )


@pytest.mark.parametrize("weight", [[-2, 1], [3, 2]])
def test_a_weight_beyond_one_either_way_is_out_of_range(weight):
    assert weigh(b=weight) == (Problem("options.b", "weight_out_of_range", {}),)


def test_a_right_option_must_not_cost_anything():
    key = {"right": ["a", "b"], "weights": {"a": [1, 1], "b": [-1, 9]}}
    assert check(key=key, scoring_method="option_weights") == (
        Problem("options.b", "right_option_costs", {}),
        Problem("key", "full_credit_out_of_reach", {}),
    )


def test_a_right_option_may_weigh_nothing():
    key = {"right": ["a", "b"], "weights": {"a": [1, 1], "b": [0, 1]}}
    assert check(key=key, scoring_method="option_weights") == ()


def test_a_wrong_option_must_not_earn_everything_but_may_earn_nearly_so():
    assert weigh(b=[1, 1]) == (Problem("options.b", "wrong_option_earns_all", {}),)
    assert weigh(b=[99, 100]) == ()


def test_the_model_answer_must_earn_everything():
    assert weigh(a=[99, 100]) == (Problem("key", "full_credit_out_of_reach", {}),)


def test_weights_where_nothing_is_right_need_not_add_up():
    key = {"right": [], "weights": {"a": [0, 1], "b": [0, 1]}}
    assert check({**CONTENT, "none_apply": True}, key, "option_weights") == ()

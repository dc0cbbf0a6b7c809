"""Showing and reading options: by id alone, in any order, and strictly."""

from typing import Any

import pytest

from grading.contract import InvalidAnswer
from grading.kinds import KINDS

kind: Any = KINDS["multiple_choice"]
CONTENT: Any = {
    "options": [{"id": "a"}, {"id": "b", "pinned": True}, {"id": "c"}],
    "none_apply": True,
    "shuffle": True,
}


def test_an_option_keeps_its_place_if_it_is_pinned_or_nothing_is_shuffled():
    assert kind.shufflable_ids(CONTENT) == (("a", False), ("b", True), ("c", False))
    still = kind.shufflable_ids({**CONTENT, "shuffle": False})
    assert still == (("a", True), ("b", True), ("c", True))


def test_a_taker_sees_ids_in_the_order_asked_for_and_nothing_else():
    presented = kind.public_view(CONTENT, ("c", "b", "a"))
    assert presented.kind == "multiple_choice"
    assert presented.parts == {"options": ["c", "b", "a"], "none_apply": True, "many": True}


@pytest.mark.parametrize("order", ["", "ab", "abb", "abcc", "abz", "abcz"])
def test_an_order_that_does_not_name_every_option_once_is_refused(order):
    with pytest.raises(ValueError, match="every option once"):
        kind.public_view(CONTENT, order)


def test_either_field_may_be_left_out():
    assert kind.parse(CONTENT, {"chosen": ["a"]}) == {"chosen": ["a"], "none_apply": False}
    assert kind.parse(CONTENT, {"none_apply": True}) == {"chosen": [], "none_apply": True}
    assert kind.parse(CONTENT, {}) is None


def test_an_answer_is_kept_in_the_authors_order_each_option_once():
    read = kind.parse(CONTENT, {"chosen": ["c", "a", "c"], "none_apply": False})
    assert read == {"chosen": ["a", "c"], "none_apply": False}


def test_the_first_thing_that_cannot_be_read_is_named_by_its_place():
    read = kind.parse(CONTENT, {"chosen": ["a", "a", "x" * 10_000, 5]})
    assert read == InvalidAnswer("unknown_option", {"where": "chosen.2"})


@pytest.mark.parametrize("entry", [None, 1, 1.5, True, ["a"], {"id": "a"}])
def test_what_is_no_text_is_no_id(entry):
    read = kind.parse(CONTENT, {"chosen": ["a", entry]})
    assert read == InvalidAnswer("not_an_option_id", {"where": "chosen.1"})


@pytest.mark.parametrize("raw", [[], "", 0, False, "a", [{"chosen": ["a"]}]])
def test_an_answer_that_is_no_object_is_unreadable_however_empty(raw):
    assert kind.parse(CONTENT, raw) == InvalidAnswer("not_an_object", {"where": "answer"})


@pytest.mark.parametrize("chosen", [None, "", "a", 0, {"a": True}])
def test_what_is_chosen_must_be_a_list(chosen):
    assert kind.parse(CONTENT, {"chosen": chosen}) == InvalidAnswer(
        "not_a_list", {"where": "chosen"}
    )


@pytest.mark.parametrize("value", [None, 0, 1, "true", []])
def test_none_of_these_must_be_true_or_false(value):
    read = kind.parse(CONTENT, {"none_apply": value})
    assert read == InvalidAnswer("not_true_or_false", {"where": "none_apply"})


def test_an_unknown_field_is_not_passed_over():
    read = kind.parse(CONTENT, {"chosen": ["a"], "credit": [1, 1]})
    assert read == InvalidAnswer("unknown_field", {"where": "answer"})


def test_the_reserved_name_is_no_option_to_choose():
    read = kind.parse(CONTENT, {"chosen": ["none_apply"]})
    assert read == InvalidAnswer("unknown_option", {"where": "chosen.0"})

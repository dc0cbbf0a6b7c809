"""Content and key as marking reads them: sound ones, or none at all."""

from fractions import Fraction
from typing import Any

import pytest

from grading.choice.structure import ChoiceContent, ChoiceKey, ChoiceOption, load_content, load_key


def test_pins_shuffling_and_none_of_these_have_defaults():
    assert load_content({"options": [{"id": "a"}, {"id": "b", "pinned": True}]}) == ChoiceContent(
        (ChoiceOption("a", pinned=False, value=None), ChoiceOption("b", pinned=True, value=None)),
        none_apply=False,
        shuffle=True,
    )


def test_what_an_option_stands_for_is_read_only_if_true_or_false():
    listed: Any = [{"id": "a", "value": True}, {"id": "b", "value": False}, {"id": "c", "value": 1}]
    read = load_content({"options": listed})
    assert [option.value for option in read.options] == [True, False, None]


def test_weights_are_read_exactly():
    read = load_key({"right": ["a", "a"], "weights": {"a": [2, 6]}})
    assert read == ChoiceKey(frozenset({"a"}), {"a": Fraction(1, 3)})


def test_content_that_was_never_checked_is_refused_with_the_first_problem():
    with pytest.raises(ValueError, match=r"duplicate_id at options\.a"):
        load_content({"options": [{"id": "a"}, {"id": "a"}], "shuffle": 1})


def test_a_key_that_was_never_checked_is_refused():
    with pytest.raises(ValueError, match="right_is_no_list at key"):
        load_key({})

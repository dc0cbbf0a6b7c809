"""Showing gaps and reading them: in the author's order, and never a word of the key."""

from typing import Any

import pytest

from grading.cloze import parsing
from grading.cloze.parsing import public_view, shufflable_ids
from tests.grading.cloze.questions import CONTENT, MODEL

read: Any = parsing.parse
TWO: Any = {
    "gaps": [
        {"id": "g1", "placeholder": "1", "kind": "single_choice"},
        {"id": "g2", "placeholder": "2", "kind": "single_choice"},
    ],
    "options": [
        {"id": "a", "gap": "g1"},
        {"id": "x", "gap": "g2"},
        {"id": "b", "gap": "g1"},
        {"id": "y", "gap": "g2"},
    ],
}


def test_options_of_all_gaps_may_be_shuffled():
    assert shufflable_ids(TWO) == (("a", False), ("b", False), ("x", False), ("y", False))


def test_each_gap_shows_its_own_options_as_the_order_of_all_has_them():
    assert public_view("cloze", TWO, ["y", "b", "a", "x"]).parts == {
        "gaps": [
            {"id": "g1", "kind": "single_choice", "options": ["b", "a"]},
            {"id": "g2", "kind": "single_choice", "options": ["y", "x"]},
        ]
    }


def test_a_gap_to_write_in_shows_nothing_but_itself():
    gaps: Any = public_view("cloze", CONTENT, ["rome", "madrid"]).parts["gaps"]
    assert gaps[1:] == [
        {"id": "river", "kind": "short_text"},
        {"id": "pi", "kind": "numeric"},
    ]


@pytest.mark.parametrize("order", [[], ["a", "b", "x"], ["a", "b", "x", "x"], ["a", "b", "x", "z"]])
def test_an_order_names_every_option_once(order):
    with pytest.raises(ValueError, match="every option once"):
        public_view("cloze", TWO, order)


def test_only_answered_gaps_are_kept_in_the_authors_order():
    raw = {"gaps": {"pi": MODEL["pi"], "river": {"text": ""}, "capital": {"chosen": ["madrid"]}}}
    answer = read(CONTENT, raw)
    assert isinstance(answer, dict)
    assert list(answer["gaps"].items()) == [
        ("capital", MODEL["capital"]),
        ("pi", MODEL["pi"]),
    ]


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {},
        {"gaps": {}},
        {"gaps": {"pi": None}},
        {"gaps": {"pi": {}, "river": {}, "capital": {}}},
        {"gaps": {"pi": {"language": "es"}, "capital": {"chosen": []}}},
    ],
)
def test_a_text_with_no_gap_filled_is_unanswered(raw):
    assert read(CONTENT, raw) is None


@pytest.mark.parametrize(
    ("raw", "code", "where"),
    [
        ([], "not_an_object", "answer"),
        ("Madrid", "not_an_object", "answer"),
        ({"river": {"text": "Ebro"}}, "unknown_field", "answer"),
        ({"gaps": {}, "key": 1}, "unknown_field", "answer"),
        ({"gaps": []}, "not_an_object", "gaps"),
        ({"gaps": None}, "not_an_object", "gaps"),
        ({"gaps": {"hill": {"text": "x"}}}, "unknown_gap", "gaps"),
        ({"gaps": {"river": "Ebro"}}, "not_an_object", "gaps.river"),
        ({"gaps": {"river": {"typed": "3"}}}, "unknown_field", "gaps.river"),
        ({"gaps": {"river": {"text": 3}}}, "not_a_text", "gaps.river.text"),
        ({"gaps": {"capital": {"chosen": ["oslo"]}}}, "unknown_option", "gaps.capital.chosen.0"),
        (
            {"gaps": {"capital": {"none_apply": True}}},
            "none_apply_not_offered",
            "gaps.capital.none_apply",
        ),
        (
            {"gaps": {"capital": {"chosen": ["rome", "madrid"]}}},
            "too_many_chosen",
            "gaps.capital.chosen",
        ),
        ({"gaps": {"pi": {"typed": "three"}}}, "not_a_number", "gaps.pi.typed"),
        ({"gaps": {"pi": {"typed": "3 kg"}}}, "not_a_number", "gaps.pi.typed"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_way_to_its_gap(raw, code, where):
    refused = read(CONTENT, raw)
    assert (refused.code, refused.detail["where"]) == (code, where)

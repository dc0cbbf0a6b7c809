"""Flashcards: they ask how well one remembers, and never judge the answer."""

from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer, ItemScore, Problem
from grading.kinds import KINDS
from tests.grading.strategies import JSON

kind: Any = KINDS["flashcard"]
ANSWERS = st.sampled_from(["yes", "partly", "no"])


def test_a_card_is_for_study_and_earns_nothing_by_its_shape():
    assert kind.schema.graded is False
    assert kind.scoring_methods == ("study",)


def test_a_taker_may_see_front_and_hint_and_reveal_alone_tells_the_back():
    expected = {
        slot.part: (slot.required, slot.is_feedback)
        for slot in kind.schema.iter_text_slots(kind.schema.load({}, {}))
    }
    assert expected == {
        "prompt": (True, False),
        "hint": (False, False),
        "back": (True, True),
        "explanation": (False, True),
        "reading_link": (False, True),
    }


@given(ANSWERS)
def test_however_well_a_card_is_recalled_it_earns_nothing_and_costs_nothing(recalled):
    mark = kind.score({}, {}, kind.parse({}, {"recalled": recalled}), "study")
    assert mark == ItemScore(mark.credit, (), ("ungraded",))
    assert mark.credit == 0


def test_a_card_that_was_passed_over_says_so_and_no_more():
    assert kind.score({}, {}, None, "study").to_json() == {
        "credit": [0, 1],
        "ledger": [],
        "reasons": ["unanswered"],
    }


@given(JSON)
def test_whatever_is_sent_is_read_or_refused_and_never_echoed(raw):
    read = kind.parse({}, raw)
    assert read is None or read == raw or isinstance(read, InvalidAnswer)
    if isinstance(read, InvalidAnswer):
        assert set(read.detail) == {"where"}


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ({"recalled": None}, "unknown_option"),
        ({"recalled": ""}, "unknown_option"),
        ({"recalled": True}, "unknown_option"),
        ({"recalled": ["yes"]}, "unknown_option"),
        ({"forgotten": "yes"}, "unknown_field"),
        ([], "not_an_object"),
        (0, "not_an_object"),
        ("", "not_an_object"),
    ],
)
def test_only_one_of_the_three_degrees_is_an_answer(raw, code):
    assert kind.parse({}, raw).code == code


@pytest.mark.parametrize("answer", [{}, "yes", {"recalled": "well"}, {"recalled": None}, []])
def test_what_is_no_canonical_answer_is_never_marked(answer):
    with pytest.raises(ValueError, match="canonical"):
        kind.score({}, {}, answer, "study")


def test_there_is_nothing_to_put_in_order():
    assert kind.shufflable_ids({}) == ()
    with pytest.raises(ValueError, match="no parts"):
        kind.public_view({}, ["a"])


@given(JSON, JSON)
def test_a_draft_holds_no_structure_that_could_be_wrong(content, key):
    assert kind.validate(content, key, "study") == ()


def test_a_card_is_not_scored_any_other_way():
    problems = kind.validate({}, {}, "all_or_nothing")
    assert problems == (
        Problem("scoring_method", "unknown_scoring_method", {"scoring_method": "all_or_nothing"}),
    )


def test_ten_thousand_cards_are_marked_in_under_a_second():
    began = process_time()
    for _ in range(10_000):
        kind.score({}, {}, kind.parse({}, {"recalled": "partly"}), "study")
    assert process_time() - began < 1

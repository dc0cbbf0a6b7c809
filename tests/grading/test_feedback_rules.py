"""Which feedback an answer calls up."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import ItemScore, LedgerLine
from grading.feedback_rules import TriggeredFeedback, find_triggered_feedback, validate
from grading.kinds import multiple_choice
from grading.schema import COMBINATION_FEEDBACK, Field, FieldType, QuestionSchema, Table
from tests.grading.strategies import JSON

SHAPE = multiple_choice.schema
CONTENT = {"options": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}
KEY: Any = {
    "right": ["a", "b"],
    "score_feedback": [
        {"id": "top", "from": [1, 1]},
        {"id": "low", "from": [0, 1]},
        {"id": "half", "from": [1, 2]},
    ],
    "combination_feedback": [
        {"id": "both", "chosen": ["a", "b"]},
        {"id": "only a", "chosen": ["a"], "exactly": True},
    ],
}


def of(*chosen):
    answer: Any = {"chosen": list(chosen), "none_apply": False} if chosen else None
    mark = multiple_choice.score(CONTENT, KEY, answer, "right_minus_wrong")
    return find_triggered_feedback(SHAPE, CONTENT, KEY, mark)


def codes(key, content=CONTENT):
    return [(problem.where, problem.code) for problem in validate(SHAPE, content, key)]


def test_what_was_chosen_is_called_up_and_nothing_else():
    assert of("a").rows == {"a"}
    assert of().rows == frozenset()


@pytest.mark.parametrize(
    ("chosen", "band"), [("ab", "top"), ("a", "half"), ("abc", "half"), ("c", "low"), ("", "low")]
)
def test_the_band_is_the_one_that_begins_highest_at_or_below_the_credit(chosen, band):
    assert of(*chosen).score_feedback == band


def test_below_the_lowest_band_there_is_none():
    key: Any = {**KEY, "score_feedback": [{"id": "top", "from": [1, 1]}]}
    mark = multiple_choice.score(CONTENT, key, None, "right_minus_wrong")
    assert not find_triggered_feedback(SHAPE, CONTENT, key, mark).score_feedback


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [("a", ("only a",)), ("ab", ("both",)), ("abc", ("both",)), ("b", ()), ("ac", ())],
)
def test_a_combination_counts_beside_others_or_exactly(chosen, expected):
    assert of(*chosen).combination_feedback == expected


def test_a_called_row_of_a_secret_table_calls_its_owner():
    schema = QuestionSchema(
        texts=(),
        tables=(
            Table("criteria", secret=True),
            Table(
                "levels", (Field("criterion", FieldType.ROW, choices=("criteria",)),), secret=True
            ),
        ),
    )
    levels = [{"id": "good", "criterion": "style"}, {"id": "long", "criterion": "length"}]
    key = {"criteria": [{"id": "style"}, {"id": "length"}], "levels": levels}
    line = LedgerLine("good", chosen=True, right=None, earned=Fraction(1), reason="level")
    assert find_triggered_feedback(
        schema, {}, key, ItemScore(Fraction(1), (line,), ())
    ) == TriggeredFeedback(frozenset({"good", "style"}))


def test_a_question_without_remarks_has_no_problems_with_them():
    assert codes({"right": ["a"]}) == []


def test_good_remarks_have_no_problems():
    assert codes(KEY) == []


@pytest.mark.parametrize(
    ("begins", "code"),
    [([3, 2], "band_out_of_range"), ([-1, 2], "band_out_of_range"), ("1", "band_is_no_ratio")],
)
def test_a_band_begins_between_nothing_and_everything(begins, code):
    assert codes({"score_feedback": [{"id": "x", "from": begins}]}) == [("score_feedback.x", code)]


def test_two_bands_do_not_begin_at_the_same_credit():
    bands = [{"id": "x", "from": [1, 2]}, {"id": "y", "from": [2, 4]}]
    assert codes({"score_feedback": bands}) == [("score_feedback.y", "band_twice")]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"chosen": []}, "combination_empty"),
        ({"chosen": "a"}, "combination_empty"),
        ({"chosen": ["a", "z"]}, "unknown_option"),
        ({"chosen": [5]}, "unknown_option"),
        ({"chosen": ["a"], "exactly": "yes"}, "not_true_or_false"),
    ],
)
def test_a_combination_names_options_of_the_question(options, code):
    key = {COMBINATION_FEEDBACK.name: [{"id": "x", **options}]}
    assert codes(key) == [("combination_feedback.x", code)]


@given(
    key=st.dictionaries(st.sampled_from(["score_feedback", "combination_feedback", "right"]), JSON)
)
def test_any_draft_can_be_checked(key):
    assert all(problem.code for problem in validate(SHAPE, CONTENT, key))


def test_of_what_was_called_up_the_right_is_told_apart():
    triggered = of("a", "c")
    assert triggered.rows == {"a", "c"}
    assert triggered.right_rows == {"a"}

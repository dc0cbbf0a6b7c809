"""Multiple choice: what holds for every question, every answer and every scoring_method."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.kinds import KINDS
from tests.grading.strategies import COUNTING, JSON, drawn

ANY = drawn()
kind: Any = KINDS["multiple_choice"]
CONTENT: Any = {
    "options": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
    "none_apply": False,
    "shuffle": True,
}


def credit(question, ids=None):
    content = question.content(ids)
    return mark(question, content).credit


def mark(question, content=None):
    content = content or question.content()
    return kind.score(
        content, question.key, kind.parse(content, question.raw), question.scoring_method
    )


def ledger(chosen, scoring_method, right=("a", "b")):
    mark = kind.score(
        CONTENT,
        {"right": list(right)},
        {"chosen": list(chosen), "none_apply": False},
        scoring_method,
    )
    return [(line.part, str(line.earned), line.reason) for line in mark.ledger]


def test_right_minus_wrong_is_the_default():
    assert kind.scoring_methods[0] == "right_minus_wrong"


def test_every_scoring_method_of_the_domain_is_offered():
    assert set(kind.scoring_methods) == {
        "all_or_nothing", "right_minus_wrong", "each_option", "coverage",
        "halves", "minus_missed", "option_weights",
    }  # fmt: skip


@given(ANY)
def test_what_is_drawn_passes_the_check(question):
    assert kind.validate(question.content(), question.key, question.scoring_method) == ()


@given(ANY)
def test_a_credit_lies_between_nothing_and_everything(question):
    assert 0 <= credit(question) <= 1


@given(ANY)
def test_the_ledger_adds_up_to_the_credit(question):
    item_mark = mark(question)
    assert sum(line.earned for line in item_mark.ledger) == item_mark.credit


@given(ANY)
def test_the_ledger_has_one_line_for_every_option_in_the_authors_order(question):
    parts = (*question.ids, "none_apply") if question.offered else question.ids
    lines = mark(question).ledger[: len(parts)]
    assert tuple(line.part for line in lines) == parts
    chosen = question.chosen | ({"none_apply"} if question.none_apply else set())
    right = question.right or {"none_apply"}
    for line in lines:
        earns_a_part = line.right is None and question.weights.get(line.part, 0) > 0
        assert line.chosen == (line.part in chosen)
        assert line.right == (line.part in right) or (earns_a_part and line.part not in right)


@given(ANY, st.randoms(use_true_random=False))
def test_the_order_of_options_never_changes_the_mark(question, chance):
    ids = list(question.ids)
    chance.shuffle(ids)
    score, other = mark(question), mark(question, question.content(ids))
    assert (other.credit, other.reasons) == (score.credit, score.reasons)
    assert sorted(other.ledger, key=str) == sorted(score.ledger, key=str)


@given(ANY)
def test_reading_is_idempotent(question):
    answer = kind.parse(question.content(), question.raw)
    assert kind.parse(question.content(), answer) == answer
    assert (answer is not None) == question.answered


@given(ANY)
def test_one_more_right_option_never_hurts(question):
    before = credit(question)
    for missed in question.right - question.chosen:
        better = replace(question, chosen=question.chosen | {missed}, none_apply=False)
        assert credit(better) >= before


@given(drawn(COUNTING).filter(lambda question: question.chosen))
def test_one_more_wrong_option_never_helps_whoever_has_chosen(question):
    before = credit(question)
    for left in set(question.ids) - question.right - question.chosen:
        worse = replace(question, chosen=question.chosen | {left})
        assert credit(worse) <= before


@given(drawn(COUNTING))
def test_only_what_is_exactly_right_earns_everything(question):
    exactly = question.none_apply if not question.right else question.chosen == question.right
    assert (credit(question) == 1) == exactly


@given(ANY)
def test_unanswered_earns_nothing_whatever_the_scoring_method(question):
    silent = replace(question, chosen=frozenset(), none_apply=False)
    item_mark = mark(silent)
    assert (item_mark.credit, item_mark.reasons) == (0, ("unanswered",))
    assert {line.reason for line in item_mark.ledger} == {"unanswered"}


@given(ANY)
def test_the_model_answer_earns_everything(question):
    answer = kind.correct_answer(question.content(), question.key)
    assert kind.parse(question.content(), answer) == answer
    assert kind.score(question.content(), question.key, answer, question.scoring_method).credit == 1


@given(JSON)
def test_reading_never_raises_whatever_is_sent(raw):
    read = kind.parse(CONTENT, raw)
    assert read is None or kind.parse(CONTENT, read) == read or hasattr(read, "code")


@given(JSON, JSON, st.text(max_size=5))
def test_checking_never_raises_whatever_the_draft_holds(content, key, scoring_method):
    content = content if isinstance(content, dict) else {"options": content}
    key = key if isinstance(key, dict) else {"right": key, "weights": key}
    assert kind.validate(content, key, scoring_method)


@pytest.mark.parametrize(
    ("scoring_method", "right", "missed", "left", "rules"),
    [
        ("right_minus_wrong", "1/2", "0", "0", []),
        ("minus_missed", "1/2", "-1/2", "0", []),
        ("each_option", "1/3", "0", "1/3", []),
        ("coverage", "1/2", "0", "0", []),
        ("all_or_nothing", "1/2", "0", "0", [("all_or_nothing", "-1/2", "not_all_right")]),
        (
            "halves",
            "0",
            "0",
            "0",
            [("start", "1", "start"), ("first_error", "-1/2", "first_error")],
        ),
    ],
)
def test_the_ledger_tells_what_each_decision_earned(scoring_method, right, missed, left, rules):
    assert ledger("a", scoring_method) == [
        ("a", right, "right_chosen"),
        ("b", missed, "missed"),
        ("c", left, "rightly_left"),
        *rules,
    ]


def test_the_ledger_tells_what_wrong_options_cost():
    assert ledger("ac", "right_minus_wrong") == [
        ("a", "1/2", "right_chosen"),
        ("b", "0", "missed"),
        ("c", "-1/2", "wrong_chosen"),
    ]


def test_the_ledger_tells_that_a_mark_is_lifted_to_nothing():
    assert ledger("c", "right_minus_wrong")[-1] == ("floor", "1/2", "not_below_zero")
    assert ledger("c", "minus_missed")[-1] == ("floor", "3/2", "not_below_zero")


def test_the_ledger_of_nothing_right_under_all_or_nothing_needs_no_rule():
    assert [part for part, _, _ in ledger("c", "all_or_nothing")] == ["a", "b", "c"]


def test_the_ledger_tells_which_error_was_one_too_many():
    assert ledger("ac", "halves")[-2:] == [
        ("first_error", "-1/2", "first_error"),
        ("too_many_errors", "-1/2", "too_many_errors"),
    ]


def test_the_reasons_begin_with_the_verdict_and_name_each_cause_once():
    key = {"right": ["a", "b"]}
    mark = kind.score(CONTENT, key, {"chosen": ["c"], "none_apply": False}, "right_minus_wrong")
    assert mark.reasons == ("no_credit", "missed", "wrong_chosen", "not_below_zero")
    mark = kind.score(CONTENT, key, {"chosen": ["a"], "none_apply": False}, "halves")
    assert mark.reasons == ("partial_credit", "missed", "first_error")
    mark = kind.score(CONTENT, key, {"chosen": ["a", "b"], "none_apply": False}, "halves")
    assert mark.reasons == ("full_credit",)


def test_an_option_withdrawn_since_the_answer_counts_for_nothing_and_is_named():
    answer = {"chosen": ["a", "gone", "b"], "none_apply": False}
    mark = kind.score(CONTENT, {"right": ["a", "b"]}, answer, "right_minus_wrong")
    assert mark.credit == 1
    assert mark.reasons == ("full_credit", "withdrawn")
    (line,) = (line for line in mark.ledger if line.part == "gone")
    assert (line.chosen, line.right, line.earned, line.reason) == (True, None, 0, "withdrawn")


def test_an_answer_of_which_nothing_is_left_earns_nothing():
    for answer in ({"chosen": ["gone"], "none_apply": False}, {"chosen": [], "none_apply": True}):
        mark = kind.score(CONTENT, {"right": ["a"]}, answer, "each_option")
        assert (mark.credit, mark.reasons) == (0, ("unanswered", "withdrawn"))


@pytest.mark.parametrize(
    "answer",
    [
        {"chosen": ["a"], "none_apply": True},
        {"chosen": ["a", 1], "none_apply": False},
        {"chosen": ["a"]},
        {"chosen": "a", "none_apply": False},
        ["a"],
        "a",
        0,
    ],
)
def test_only_a_canonical_answer_is_marked(answer):
    with pytest.raises(ValueError, match="canonical"):
        kind.score(CONTENT, {"right": ["a"]}, answer, "coverage")


def test_a_tenth_and_a_third_stay_exact():
    weights = {"a": [1, 10], "b": [1, 3], "c": [9, 10]}
    key = {"right": ["a", "c"], "weights": weights}
    answer = {"chosen": ["a", "b"], "none_apply": False}
    assert kind.score(CONTENT, key, answer, "option_weights").credit == Fraction(13, 30)

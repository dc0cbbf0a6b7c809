"""Which questions pay for answers given blindly, told by the core's own marks."""

from dataclasses import replace
from fractions import Fraction

import pytest

from quizzes.bank.lint.scoring import score_question_guesses
from quizzes.document import QuestionDocument
from tests.quizzes.bank.lint.factory import codes, made, only
from tests.short_text_factory import short_text_document


def told(item: QuestionDocument) -> list[str]:
    return [code for code in codes(item) if code.endswith(("_pays", "_counts"))]


def test_a_sound_question_has_no_findings():
    assert codes(made()) == []


@pytest.mark.parametrize(
    ("right", "scoring_method", "credit"),
    [
        ("abc", "right_minus_wrong", "2/3"),
        ("ab", "each_option", "1/2"),
        ("ab", "coverage", "1/2"),
        ("abcd", "all_or_nothing", "1"),
    ],
)
def test_ticking_everything_pays_from_half_the_points_on(right, scoring_method, credit):
    item = made(right, scoring_method=scoring_method)
    assert told(item) == ["select_all_pays"]
    assert only(item, "select_all_pays") == [("scoring_method", {"credit": credit})]


@pytest.mark.parametrize(
    ("right", "scoring_method"),
    [("ab", "right_minus_wrong"), ("b", "coverage"), ("abc", "all_or_nothing")],
)
def test_it_does_not_pay_below(right, scoring_method):
    assert told(made(right, scoring_method=scoring_method)) == []


def test_a_guess_pays_where_leaving_is_worth_as_much_as_ticking():
    item = made("a", scoring_method="each_option")
    assert only(item, "guessing_pays") == [("scoring_method", {"credit": "5/8"})]


def test_true_or_false_is_guessed_half_the_time_and_that_is_no_finding():
    item = made("b", "single_choice")
    two = replace(item, content={**item.content, "options": [{"id": "a"}, {"id": "b"}]})
    assert score_question_guesses(two, is_valid=False).random_guess == Fraction(1, 2)
    assert told(two) == []


def test_one_right_that_fits_most_is_told():
    lefts = "lmno"
    item = QuestionDocument(
        "matching",
        "per_pair",
        content={
            "lefts": [{"id": id_} for id_ in lefts],
            "rights": [{"id": "x"}, {"id": "y"}],
        },
        key={"pairs": {"l": "x", "m": "x", "n": "x", "o": "y"}},
    )
    assert only(item, "same_for_all_pays") == [("", {"credit": "3/4"})]
    fair = replace(item, key={"pairs": {"l": "x", "m": "x", "n": "y", "o": "y"}})
    assert told(fair) == []


@pytest.mark.parametrize(
    ("text", "credit", "expected"),
    [("*", (1, 4), ["anything_counts"]), ("*", (0, 1), []), ("Lyon", (1, 4), [])],
)
def test_a_wildcard_that_takes_anything_is_told_if_it_earns(text, credit, expected):
    assert told(short_text_document([("Paris", (1, 1)), (text, credit)])) == expected


@pytest.mark.parametrize("kind", ["essay", "cloze", "matching", "unheard_of", ""])
def test_of_what_cannot_be_graded_nothing_is_said(kind):
    item = QuestionDocument(kind, "none")
    assert score_question_guesses(item, is_valid=False).random_guess is None
    assert told(item) == []

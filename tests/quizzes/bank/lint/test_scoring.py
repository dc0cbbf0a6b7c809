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


WEIGHED = {"weights": {"a": [1, 1], "b": [-1, 3], "c": [0, 1], "d": [0, 1]}}


@pytest.mark.parametrize(
    ("kind", "scoring_method", "bound", "has_finding"),
    [
        ("single_choice", "option_weights", {}, True),
        ("single_choice", "option_weights", {"lower_bound": [0, 1]}, True),
        ("single_choice", "option_weights", {"lower_bound": [-1, 3]}, False),
        ("multiple_choice", "option_weights", {}, False),  # there it takes from what others earn
    ],
)
def test_a_cost_that_never_costs_is_told(kind, scoring_method, bound, has_finding):
    item = made(right="a", kind=kind, scoring_method=scoring_method)
    item = replace(item, content={**item.content, **bound}, key={**item.key, **WEIGHED})
    paths = [path for path, _ in only(item, "cost_without_effect")]
    assert paths == (["lower_bound"] if has_finding else [])


@pytest.mark.parametrize("credit", [(-1, 3), (0, 1)])
def test_a_typed_answer_that_never_costs_is_told(credit):
    item = short_text_document([("Paris", (1, 1)), ("Lyon", credit)])
    assert bool(only(item, "cost_without_effect")) == (credit[0] < 0)


@pytest.mark.parametrize(
    ("scoring_method", "has_finding"), [("all_or_nothing", True), ("exact_place", False)]
)
def test_an_order_that_never_costs_is_told(scoring_method, has_finding):
    item = QuestionDocument(
        "ordering",
        scoring_method,
        content={"items": [{"id": "a"}, {"id": "b"}], "penalty": [1, 2]},
        key={"order": ["a", "b"]},
        words={"en": {"prompt": "Order?", "items": {"a": "one", "b": "two"}}},
        feedback={"en": {"explanation": "So."}},
    )
    assert bool(only(item, "cost_without_effect")) == has_finding

"""Numeric: what is typed in one language earns what it earns typed in another."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer
from grading.kinds import KINDS
from grading.numeric.separators import DECIMAL_MARKS
from tests.cpu_time import measure_cpu
from tests.grading.strategies import JSON

kind: Any = KINDS["numeric"]
CONTENT: Any = {"unit": "none"}
KEY: Any = {
    "numbers": [
        {"id": "best", "value": "1234.5", "tolerance": "absolute", "margin": "0.5"},
        {
            "id": "near",
            "value": "1234.5",
            "tolerance": "relative",
            "margin": "0.1",
            "credit": [2, 3],
        },
        {"id": "far", "value": "0", "tolerance": "range", "margin": "999999", "credit": [1, 7]},
    ]
}
SCORING_METHOD = "accepted_answers"
WHOLE = st.integers(0, 10**7) | st.integers(1100, 1400)
PLACES = st.none() | st.text("0123456789", min_size=1, max_size=4)


def mark(raw, content=CONTENT, key=KEY):
    return kind.score(content, key, kind.parse(content, raw), SCORING_METHOD)


def written(integer, places, language, *, grouped):
    """Write a number as that language does."""
    decimal = DECIMAL_MARKS[language]
    digits = (
        f"{integer:,}".replace(",", "." if decimal == "," else ",") if grouped else str(integer)
    )
    return digits if places is None else digits + decimal + places


def test_there_is_one_scoring_method():
    assert kind.scoring_methods == (SCORING_METHOD,)


@given(WHOLE, PLACES, st.booleans(), st.booleans(), st.sampled_from(["", "-", "+", "−"]))
def test_a_number_earns_the_same_in_spanish_form_and_in_english_form(
    integer, places, english_groups, spanish_groups, sign
):
    english = sign + written(integer, places, "en", grouped=english_groups)
    spanish = sign + written(integer, places, "es", grouped=spanish_groups)
    in_english = mark({"typed": english, "language": "en"})
    assert in_english == mark({"typed": spanish, "language": "es"})
    exact = Fraction(f"{integer}.{places or 0}") * (-1 if sign in "-−" and sign else 1)
    assert kind.parse(CONTENT, {"typed": spanish, "language": "es"})["number"] == [
        exact.numerator,
        exact.denominator,
    ]
    assert in_english.credit == next(
        credit
        for low, high, credit in (
            (1234, 1235, 1),
            (Fraction("1111.05"), Fraction("1357.95"), Fraction(2, 3)),
            (0, 999999, Fraction(1, 7)),
            (exact, exact, 0),
        )
        if low <= exact <= high
    )


@given(st.text("0123456789.,' -/e½", max_size=12))
def test_language_never_changes_a_mark_of_what_can_only_be_one_number(typed):
    neutral = kind.parse(CONTENT, {"typed": typed})
    if isinstance(neutral, InvalidAnswer):
        return
    marks = [mark({"typed": typed, "language": language}) for language in ("", "en", "es", "pt-BR")]
    assert marks == [marks[0]] * 4


@given(st.text("0123456789.,/e-", min_size=1, max_size=10), st.sampled_from(["en", "es"]))
def test_a_credit_lies_between_nothing_and_everything_and_the_ledger_adds_up(typed, language):
    if isinstance(kind.parse(CONTENT, {"typed": typed, "language": language}), dict):
        item_mark = mark({"typed": typed, "language": language})
        assert 0 <= item_mark.credit <= 1
        assert sum(line.earned for line in item_mark.ledger) == item_mark.credit


@given(st.fractions(0, 10), st.fractions(0, 10), st.fractions(0, 10, max_denominator=99))
def test_nearer_never_earns_less(first, other, margin):
    near, far = sorted((first, other))
    key = {
        "numbers": [
            {"id": "a", "value": "5", "tolerance": "absolute", "margin": str(margin / 2)},
            {
                "id": "b",
                "value": "5",
                "tolerance": "absolute",
                "margin": str(margin),
                "credit": [1, 2],
            },
        ]
    }
    earned = [mark({"typed": str(5 + away)}, key=key).credit for away in (near, far)]
    assert earned[0] >= earned[1]


@given(JSON, JSON, JSON)
def test_checking_never_raises_whatever_the_draft_holds(unit, numbers, units):
    content, key = {"unit": unit}, {"numbers": numbers, "units": units, "unit_credit": units}
    assert kind.validate(content, key, SCORING_METHOD)
    rows = [{"id": "a", "value": unit, "tolerance": numbers, "margin": units, "credit": unit}]
    assert kind.validate({}, {"numbers": rows}, SCORING_METHOD)


@given(JSON)
def test_reading_never_raises_and_never_echoes_what_was_sent(raw):
    for sent in (raw, {"typed": raw}, {"typed": "5", "language": raw}):
        read = kind.parse(CONTENT, sent)
        if isinstance(read, InvalidAnswer):
            assert read.detail["where"] in {"answer", "typed", "language"}


@pytest.mark.parametrize("unit", ["none", "optional", "required"])
def test_a_taker_is_told_about_the_unit_and_nothing_else(unit):
    assert kind.shufflable_ids({"unit": unit}) == ()
    assert kind.public_view({"unit": unit}, []).parts == {"unit": unit}


def test_there_is_nothing_to_put_in_order():
    with pytest.raises(ValueError, match="no parts to order"):
        kind.public_view(CONTENT, ["best"])


def test_another_scoring_method_does_not_mark():
    with pytest.raises(ValueError, match="no such scoring_method"):
        kind.score(CONTENT, KEY, None, "all_or_nothing")


def test_an_answer_can_be_marked_by_a_later_version():
    answer = kind.parse({"unit": "optional"}, {"typed": "1234.5 m"})
    assert kind.score(CONTENT, KEY, answer, SCORING_METHOD).credit == 0


def test_ten_thousand_answers_are_marked_within_a_second():
    answer = kind.parse(CONTENT, {"typed": "1300", "language": "en"})

    def score_all() -> None:
        for _ in range(10_000):
            kind.score(CONTENT, KEY, answer, SCORING_METHOD)

    assert measure_cpu(score_all, tries=3) < 1


def test_ten_thousand_answers_are_read_within_a_second():
    raws = [{"typed": f"{number},5", "language": "es"} for number in range(10_000)]

    def parse_all() -> None:
        for raw in raws:
            kind.parse(CONTENT, raw)

    assert measure_cpu(parse_all, tries=3) < 1

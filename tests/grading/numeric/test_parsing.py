"""Typed numbers become canonical answers, or are refused without an echo."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer
from grading.numeric.parsing import parse
from grading.numeric.readings import is_unconfirmed

CANONICAL: dict[str, Any] = {
    "typed": "3,14 m",
    "language": "es",
    "separator": "",
    "number": [157, 50],
    "digits": 3,
    "unit": "m",
}


def test_a_typed_number_becomes_canonical_and_stays_so():
    assert parse("optional", {"typed": " 3,14 m ", "language": "es"}) == CANONICAL
    assert parse("required", CANONICAL) == CANONICAL


@pytest.mark.parametrize(
    "raw", [None, {"typed": ""}, {"typed": " \t"}, {"typed": "\u200b", "language": "en"}]
)
def test_nothing_typed_is_no_answer(raw):
    assert parse("none", raw) is None


@pytest.mark.parametrize(
    ("changed", "value"),
    [
        ("number", [158, 50]),
        ("number", [314, 100]),
        ("number", None),
        ("digits", 4),
        ("unit", "km"),
        ("language", "en-GB"),
        ("typed", "3,14"),
        ("typed", " 3,14 m"),
        ("typed", ""),
    ],
)
def test_a_canonical_answer_that_contradicts_itself_is_unreadable(changed, value):
    answer = parse("optional", CANONICAL | {changed: value})
    if changed == "language":
        assert answer == CANONICAL | {"language": "en-GB"}
    else:
        assert answer == InvalidAnswer("inconsistent", {"where": "answer"})


@pytest.mark.parametrize(
    ("raw", "code", "where"),
    [
        ("3.14", "not_an_object", "answer"),
        ([], "not_an_object", "answer"),
        ({}, "unknown_field", "answer"),
        ({"language": "es"}, "unknown_field", "answer"),
        ({"typed": "3", "number": [3, 1]}, "unknown_field", "answer"),
        ({"typed": "3", "x": 1}, "unknown_field", "answer"),
        ({"typed": 3}, "not_a_text", "typed"),
        ({"typed": None}, "not_a_text", "typed"),
        ({"typed": "3", "language": None}, "not_a_language", "language"),
        ({"typed": "3", "language": "español"}, "not_a_language", "language"),
        ({"typed": "3", "language": "e" * 80}, "not_a_language", "language"),
        ({"typed": "three"}, "not_a_number", "typed"),
        ({"typed": "3 m"}, "not_a_number", "typed"),
        ({"typed": "50%"}, "not_a_number", "typed"),
        ({"typed": "1.234"}, "ambiguous_number", "typed"),
        ({"typed": "1.234", "language": "fr"}, "ambiguous_number", "typed"),
        ({"typed": "1e500"}, "exponent_too_large", "typed"),
        ({"typed": "1/0"}, "zero_denominator", "typed"),
        ({"typed": " " * 101}, "number_too_long", "typed"),
    ],
)
def test_what_cannot_be_read_is_refused_where_it_stands(raw, code, where):
    answer = parse("none", raw)
    assert isinstance(answer, InvalidAnswer)
    assert (answer.code, answer.detail["where"]) == (code, where)


@given(
    st.text(max_size=30), st.sampled_from(["en", "es", ""]), st.sampled_from(["none", "optional"])
)
def test_what_is_read_is_read_again_as_itself(typed, language, unit):
    answer = parse(unit, {"typed": typed, "language": language})
    if isinstance(answer, dict):
        assert parse(unit, answer) == answer
    elif answer is not None:
        assert set(answer.detail) <= {"where", "maximum"}


def test_what_the_writer_says_of_the_separator_is_stored_with_what_it_makes():
    answer = parse("none", {"typed": "3.125", "language": "en", "separator": "thousands"})
    assert answer == {
        "typed": "3.125",
        "language": "en",
        "separator": "thousands",
        "number": [3125, 1],
        "digits": 4,
        "unit": "",
        "read_by": "writer",
    }
    assert parse("none", answer) == answer
    assert not is_unconfirmed(answer)


def test_a_number_of_which_the_writer_said_nothing_is_read_by_the_language_and_unconfirmed():
    answer: Any = parse("none", {"typed": "3.125", "language": "es"})
    assert (answer["separator"], answer["number"]) == ("", [3125, 1])
    assert answer["read_by"] == "language"
    assert is_unconfirmed(answer)


def test_a_separator_of_a_number_with_one_reading_is_not_stored():
    answer: Any = parse("none", {"typed": "3.14", "separator": "thousands"})
    assert (answer["separator"], answer["number"]) == ("", [157, 50])
    assert not is_unconfirmed(answer)


@pytest.mark.parametrize("separator", [None, "comma", 1, []])
def test_an_unknown_separator_is_refused(separator):
    answer: Any = parse("none", {"typed": "3.125", "language": "en", "separator": separator})
    assert (answer.code, answer.detail["where"]) == ("unknown_option", "separator")

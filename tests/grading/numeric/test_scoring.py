"""Which row counts, what the unit costs, and that the ledger says so."""

from fractions import Fraction
from typing import Any

import pytest

from grading.numeric.parsing import parse
from grading.numeric.scoring import score
from grading.numeric.structure import load_rule

METRES = [{"id": "m", "symbol": "m"}, {"id": "km", "symbol": "km", "factor": "1000"}]
LENGTH: Any = [
    {"id": "best", "value": "1500"},
    {"id": "near", "value": "1500", "tolerance": "absolute", "margin": "100", "credit": [1, 2]},
    {"id": "half", "value": "750", "credit": [0, 1]},
]
DIGITS: Any = [{"id": "pi", "value": "3.14159", "tolerance": "digits", "margin": "3"}]


def told(numbers: Any, typed: str, unit="none", units: Any = (), unit_credit: Any = (0, 1)):
    answer: Any = parse(unit, {"typed": typed, "language": "en"})
    item_mark = score(load_rule(unit, numbers, units, unit_credit), answer)
    lines = [
        (line.part, line.chosen, line.right, str(line.earned), line.reason)
        for line in item_mark.ledger
    ]
    return item_mark.credit, lines, item_mark.reasons


def test_the_first_row_that_is_met_counts():
    assert told(LENGTH, "1500") == (
        1,
        [("best", True, True, "1", "number_accepted")],
        ("full_credit",),
    )


def test_a_later_row_may_earn_a_part():
    assert told(LENGTH, "1600") == (
        Fraction(1, 2),
        [("near", True, True, "1/2", "accepted_partly")],
        ("partial_credit",),
    )


def test_a_row_may_be_there_for_its_feedback_alone():
    assert told(LENGTH, "750") == (
        0,
        [("half", True, False, "0", "known_wrong")],
        ("no_credit",),
    )


def test_what_meets_no_row_is_called_otherwise():
    assert told(LENGTH, "1") == (
        0,
        [("otherwise", True, False, "0", "number_not_accepted")],
        ("no_credit", "number_not_accepted"),
    )


def test_too_few_digits_are_told_apart_from_a_wrong_number():
    _, lines, _ = told(DIGITS, "3")
    assert lines == [("otherwise", True, False, "0", "number_not_accepted")]
    digits = [{"id": "two", "value": "2", "tolerance": "digits", "margin": "3"}]
    assert told(digits, "2")[2] == ("no_credit", "too_few_digits")
    assert told(digits, "2.00")[0] == 1
    assert told(digits, "2.0004")[0] == 1


def test_a_number_of_too_few_digits_may_still_meet_a_later_row():
    rows = [
        *DIGITS,
        {"id": "rough", "value": "3", "tolerance": "range", "margin": "4", "credit": [1, 4]},
    ]
    assert told(rows, "3.1")[0] == Fraction(1, 4)
    two = [{"id": "two", "value": "2", "tolerance": "digits", "margin": "3"}]
    rough = [{"id": "rough", "value": "2", "credit": [1, 4]}]
    assert told(two + rough, "2")[0] == Fraction(1, 4)


@pytest.mark.parametrize("typed", ["1500 m", "1.5 km", "1500"])
def test_a_unit_multiplies_and_may_be_left_out_where_it_is_optional(typed):
    assert told(LENGTH, typed, "optional", METRES)[0] == 1


def test_a_missing_unit_costs_what_the_author_says():
    assert told(LENGTH, "1500", "required", METRES, [1, 4]) == (
        Fraction(1, 4),
        [
            ("number", None, None, "1", "number_accepted"),
            ("no_unit", True, False, "-3/4", "no_unit"),
        ],
        ("partial_credit", "no_unit"),
    )


@pytest.mark.parametrize("unit", ["optional", "required"])
def test_a_wrong_unit_costs_the_same_and_is_told_apart(unit):
    assert told(LENGTH, "1600 ft", unit, METRES, [1, 2]) == (
        Fraction(1, 4),
        [
            ("number", None, None, "1/2", "accepted_partly"),
            ("wrong_unit", True, False, "-1/4", "wrong_unit"),
        ],
        ("partial_credit", "wrong_unit"),
    )


def test_a_wrong_number_without_its_unit_is_both():
    assert told(LENGTH, "7", "required", METRES, [1, 2]) == (
        0,
        [
            ("otherwise", True, False, "0", "number_not_accepted"),
            ("no_unit", True, False, "0", "no_unit"),
        ],
        ("no_credit", "number_not_accepted", "no_unit"),
    )


def test_a_wrong_number_in_a_right_unit_is_only_a_wrong_number():
    assert told(LENGTH, "7 km", "required", METRES, [1, 2])[2] == (
        "no_credit",
        "number_not_accepted",
    )


def test_units_are_case_sensitive():
    assert told(LENGTH, "1500 M", "required", METRES)[2] == ("no_credit", "wrong_unit")


def test_a_unit_given_to_a_version_that_asked_for_one_is_wrong_where_none_is():
    answer: Any = parse("optional", {"typed": "1500 m"})
    assert score(load_rule("none", LENGTH), answer).reasons == ("no_credit", "wrong_unit")


def test_no_answer_earns_nothing_and_calls_nothing_up():
    item_mark = score(load_rule("none", LENGTH), None)
    assert item_mark.credit == 0
    assert item_mark.reasons == ("unanswered",)
    assert [(line.part, line.chosen) for line in item_mark.ledger] == [("number", False)]


@pytest.mark.parametrize("answer", [{}, [], "3", {"typed": "3"}, {"number": [3, 1]}])
def test_an_answer_of_another_form_is_not_marked(answer):
    with pytest.raises(ValueError, match="not a canonical answer"):
        score(load_rule("none", LENGTH), answer)

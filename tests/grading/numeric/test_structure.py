"""Rows of numbers and units: read exactly, and everything amiss named at its row."""

from fractions import Fraction
from typing import Any

import pytest

from grading.numeric.structure import AcceptedNumber, NumericRule, Unit, load_rule, parse_rule
from grading.numeric.tolerance import Target


def codes(numbers: Any = (), units: Any = (), unit: Any = "none", unit_credit: Any = (0, 1)):
    _, problems = parse_rule(unit, numbers, units, unit_credit)
    return [(problem.where, problem.code) for problem in problems]


def row(**fields):
    return {"id": "a", "value": "5"} | fields


def test_rows_are_read_with_what_they_leave_out_filled_in():
    number_rule = load_rule("optional", [row(gap="g")], [{"id": "u", "symbol": " m/s² "}], [1, 3])
    assert number_rule == NumericRule(
        (AcceptedNumber("a", Target(Fraction(5)), Fraction(1)),),
        (Unit("u", "m/s²", Fraction(1)),),
        "optional",
        Fraction(1, 3),
    )
    assert number_rule.units[0].symbol == "m/s^2"
    assert number_rule.factor("m/s^2") == 1
    assert number_rule.factor("m") is None


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"value": ""}, "value_missing"),
        ({"value": None}, "value_missing"),
        ({"value": "3,5"}, "value_unreadable"),
        ({"value": 5}, "value_unreadable"),
        ({"credit": 1}, "credit_is_no_ratio"),
        ({"credit": [3, 2]}, "credit_out_of_range"),
        ({"credit": [-3, 2]}, "credit_out_of_range"),
        ({"tolerance": "near"}, "unknown_tolerance"),
        ({"tolerance": ["exact"]}, "unknown_tolerance"),
        ({"margin": "0.1"}, "margin_unused"),
        ({"tolerance": "absolute"}, "margin_missing"),
        ({"tolerance": "absolute", "margin": None}, "margin_missing"),
        ({"tolerance": "absolute", "margin": "5 %"}, "margin_unreadable"),
        ({"tolerance": "relative", "margin": "-0.1"}, "margin_below_zero"),
        ({"tolerance": "digits", "margin": "0"}, "digits_out_of_range"),
        ({"tolerance": "digits", "margin": "31"}, "digits_out_of_range"),
        ({"tolerance": "digits", "margin": "1.5"}, "digits_out_of_range"),
        ({"tolerance": "range", "margin": "4.9"}, "empty_range"),
    ],
)
def test_what_is_wrong_with_a_number_is_named_at_its_row(fields, code):
    assert codes([row(**fields)]) == [("numbers.a", code)]


def test_a_range_of_one_number_is_none_too_narrow():
    assert codes([row(tolerance="range", margin="5")]) == []


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"symbol": " "}, "symbol_missing"),
        ({"symbol": 5}, "symbol_missing"),
        ({"factor": ""}, "factor_missing"),
        ({"factor": "1,5"}, "factor_unreadable"),
        ({"factor": "0"}, "factor_not_positive"),
        ({"factor": "-1"}, "factor_not_positive"),
    ],
)
def test_what_is_wrong_with_a_unit_is_named_at_its_row(fields, code):
    problems = codes([row()], [{"id": "u", "symbol": "m"} | fields], unit="optional")
    assert problems == [("units.u", code)]


@pytest.mark.parametrize("listed", ["rows", None, {"a": {}}, 5])
def test_rows_that_are_no_list_are_a_problem(listed):
    assert codes(listed) == [("numbers", "rows_are_no_list")]


@pytest.mark.parametrize("entry", [{}, "a", {"id": ""}, {"id": 5}, None])
def test_a_row_without_an_id_is_a_problem(entry):
    assert codes([entry]) == [("numbers", "row_without_id")]


def test_an_id_stands_once_over_numbers_and_units():
    problems = codes([row(), row()], [{"id": "a", "symbol": "m"}])
    assert problems == [("numbers.a", "duplicate_id"), ("units.a", "duplicate_id")]


@pytest.mark.parametrize("id_", ["number", "otherwise", "no_unit", "wrong_unit"])
def test_no_row_is_called_like_a_rule(id_):
    assert codes([row(id=id_)]) == [(f"numbers.{id_}", "reserved_id")]


@pytest.mark.parametrize("unit", ["", "maybe", None, ["none"], True])
def test_whether_a_unit_may_be_typed_is_one_of_three(unit):
    assert codes([row()], unit=unit) == [("unit", "unknown_choice")]


def test_what_is_kept_without_a_unit_is_a_part():
    assert codes([row()], unit_credit=[2, 1]) == [("unit_credit", "credit_out_of_range")]
    assert codes([row()], unit_credit=[-1, 2]) == [("unit_credit", "credit_out_of_range")]


def test_rows_with_problems_do_not_make_a_rule():
    with pytest.raises(ValueError, match=r"value_missing at numbers\.a"):
        load_rule("none", [row(value="")])

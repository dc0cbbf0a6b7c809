"""What authors are told before numbers and units that make no sense together are published."""

from typing import Any

import pytest

from grading.numeric.validation import MAX_ROWS, validate

METRES = [{"id": "m", "symbol": "m"}]


def codes(numbers: Any, units: Any = (), unit="none"):
    return [(problem.where, problem.code) for problem in validate(unit, numbers, units)]


def row(id_="a", value="5", **fields):
    return {"id": id_, "value": value} | fields


def test_one_number_is_enough():
    assert codes([row()]) == []


def test_something_must_be_accepted():
    assert codes([]) == [("numbers", "nothing_accepted")]


def test_something_must_earn_everything():
    assert codes([row(credit=[1, 2])]) == [("numbers", "no_full_credit")]


@pytest.mark.parametrize(
    "early",
    [
        row("a", "5"),
        row("a", "4", tolerance="range", margin="6"),
        row("a", "5", tolerance="relative", margin="0.1"),
    ],
)
def test_a_row_whose_numbers_are_all_taken_before_it_is_never_reached(early):
    assert codes([early, row("b", "5", credit=[1, 2])]) == [("numbers.b", "never_reached")]


def test_a_row_that_is_never_reached_names_what_comes_first():
    rows = [row("a", "4", tolerance="range", margin="6"), row("b", "5", credit=[1, 2])]
    [problem] = validate("none", rows)
    assert problem.detail == {"by": "4"}


def test_a_wider_row_after_a_narrow_one_is_reached():
    assert codes([row("a"), row("b", tolerance="absolute", margin="1", credit=[1, 2])]) == []


def test_a_row_that_asks_for_digits_lets_rough_numbers_pass():
    assert codes([row(tolerance="digits", margin="3"), row("b", credit=[1, 2])]) == []


def test_full_credit_that_no_answer_reaches_is_a_problem():
    rows = [row(tolerance="digits", margin="1", credit=[1, 2]), row("b")]
    assert codes(rows) == [("numbers", "full_credit_blocked")]


def test_a_number_with_problems_of_its_own_hides_none_of_the_units():
    problems = codes([row(value="")], METRES)
    assert problems == [("numbers.a", "value_missing"), ("units", "units_unused")]


def test_units_need_leave_to_be_typed():
    assert codes([row()], METRES) == [("units", "units_unused")]


@pytest.mark.parametrize("unit", ["optional", "required"])
def test_leave_to_type_a_unit_needs_units(unit):
    assert codes([row()], [], unit) == [("units", "units_missing")]


def test_a_symbol_stands_for_one_unit():
    units = [*METRES, {"id": "n", "symbol": " m "}]
    assert codes([row()], units, "optional") == [("units.n", "symbol_twice")]


@pytest.mark.parametrize(
    "symbol", ["5", "/3", "=", "m 2", "-", "x 10^3", "m" + "\x07", "/s", "e", "x10"]
)
def test_a_symbol_that_no_learner_could_type_is_a_problem(symbol):
    units = [*METRES, {"id": "n", "symbol": symbol}]
    assert codes([row()], units, "optional") == [("units.n", "symbol_unreadable")]


@pytest.mark.parametrize(
    "symbol", ["m", "€", "$", "%", "°C", "m/s²", "N·m", "e/m", "kg m^2 s^-2", "''"]
)
def test_the_symbols_of_this_world_are_fine(symbol):
    assert codes([row()], [{"id": "n", "symbol": symbol}], "required") == []


def test_more_rows_than_anyone_writes_are_refused_before_they_are_compared():
    rows = [row(f"n{number}", str(number)) for number in range(MAX_ROWS + 1)]
    assert codes(rows) == [("numbers", "too_many_rows")]
    units = [{"id": f"u{number}", "symbol": f"m{number}"} for number in range(MAX_ROWS + 1)]
    assert codes([row()], units, "optional") == [("units", "too_many_rows")]

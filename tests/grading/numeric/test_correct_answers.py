"""Model answers: what the author accepts, written so that it earns everything."""

from typing import Any

import pytest

from grading.numeric.correct_answers import correct_answer, has_correct_answer
from grading.numeric.scoring import score
from grading.numeric.structure import load_rule

METRES = [{"id": "km", "symbol": "km", "factor": "1000"}, {"id": "m", "symbol": "m"}]


def typed(numbers, unit="none", units=()):
    number_rule = load_rule(unit, numbers, units)
    answer = correct_answer(number_rule)
    assert score(number_rule, answer).credit == 1
    assert has_correct_answer(number_rule)
    return answer["typed"]


@pytest.mark.parametrize(
    ("row", "written"),
    [
        ({"value": "3.5"}, "3.5"),
        ({"value": "1/3"}, "1/3"),
        ({"value": "1.234"}, "1.234"),
        ({"value": "1e300"}, "1·10^300"),
        ({"value": "1", "tolerance": "range", "margin": "4"}, "2.5"),
        ({"value": "2", "tolerance": "digits", "margin": "3"}, "2.00"),
        ({"value": "3.14159", "tolerance": "digits", "margin": "3"}, "3.14159"),
        ({"value": "0", "tolerance": "digits", "margin": "3"}, "0"),
    ],
)
def test_the_model_answer_is_the_value_or_the_middle_of_the_range(row, written):
    assert typed([{"id": "a", **row}]) == written


@pytest.mark.parametrize("unit", ["optional", "required"])
def test_the_model_answer_has_the_unit_that_values_are_in(unit):
    assert typed([{"id": "a", "value": "1500"}], unit, METRES) == "1500 m"


def test_the_model_answer_is_converted_where_only_other_units_are_known():
    assert typed([{"id": "a", "value": "1500"}], "required", METRES[:1]) == "1.5 km"


def test_the_first_row_that_earns_everything_is_the_model():
    rows = [
        {"id": "a", "value": "1", "credit": [1, 2]},
        {"id": "b", "value": "2"},
        {"id": "c", "value": "3"},
    ]
    assert typed(rows) == "2"


def test_a_row_before_may_take_the_middle_of_a_range_but_not_its_end():
    rows = [
        {"id": "a", "value": "2.5", "credit": [0, 1]},
        {"id": "b", "value": "1", "tolerance": "range", "margin": "4"},
    ]
    assert typed(rows) == "1"


def test_where_rows_before_take_all_there_is_no_model_answer():
    rows: Any = [
        {"id": "a", "value": "2", "tolerance": "absolute", "margin": "1", "credit": [1, 2]},
        {"id": "b", "value": "2"},
    ]
    assert not has_correct_answer(load_rule("none", rows))
    with pytest.raises(ValueError, match="nothing earns"):
        correct_answer(load_rule("none", rows))

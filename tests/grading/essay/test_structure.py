"""Reading the rubric of a key, and naming everything that is wrong with it."""

import pytest

from grading.essay.structure import Rubric, load_rubric, parse_key
from grading.json_types import Json

CRITERIA: list[Json] = [{"id": "idea"}]
LEVELS: list[Json] = [
    {"id": "low", "criterion": "idea", "points": 0},
    {"id": "high", "criterion": "idea", "points": 3},
]


def codes(criteria=CRITERIA, levels=LEVELS, **more):
    _, problems = parse_key({"criteria": criteria, "levels": levels, **more})
    return {(problem.where, problem.code) for problem in problems}


def test_a_rubric_knows_its_criteria_their_levels_and_its_maximum():
    more: list[Json] = [
        {"id": "poor", "criterion": "form", "points": 1},
        {"id": "good", "criterion": "form", "points": 2},
    ]
    key_rubric = load_rubric(
        {"criteria": [*CRITERIA, {"id": "form"}], "levels": [*more, *LEVELS], "graders": 2}
    )
    assert [criterion.id for criterion in key_rubric.criteria] == ["idea", "form"]
    assert [level.id for level in key_rubric.criteria[1].levels] == ["poor", "good"]
    assert (key_rubric.criteria[0].best, key_rubric.graders) == (3, 2)
    assert key_rubric.maximum == 5


def test_without_criteria_there_is_nothing_to_earn_by_levels():
    assert load_rubric({}) == Rubric(())
    assert load_rubric({}).maximum == 0


@pytest.mark.parametrize("table", ["criteria", "levels"])
def test_a_table_is_a_list(table):
    assert (table, "rows_are_no_list") in codes(**{table: {"id": "x"}})


@pytest.mark.parametrize("row", [None, 3, {}, {"id": ""}, {"id": 3}])
def test_every_row_has_an_id(row):
    assert codes(criteria=[*CRITERIA, row]) == {("criteria", "row_without_id")}


def test_ids_tell_rows_of_both_tables_apart():
    assert codes(criteria=[*CRITERIA, *CRITERIA]) == {("criteria.idea", "duplicate_id")}
    twin = {"id": "idea", "criterion": "idea", "points": 1}
    assert codes(levels=[*LEVELS, twin]) == {("levels.idea", "duplicate_id")}


@pytest.mark.parametrize("name", ["share", "unanswered"])
def test_no_row_is_called_like_a_line_of_the_ledger(name):
    row = {"id": name, "criterion": "idea", "points": 1}
    assert codes(levels=[*LEVELS, row]) == {(f"levels.{name}", "reserved_id")}


@pytest.mark.parametrize("criterion", [None, 3, "nothing", ["idea"]])
def test_a_level_belongs_to_a_criterion(criterion):
    row = {"id": "x", "criterion": criterion, "points": 1}
    assert codes(levels=[*LEVELS, row]) == {("levels.x", "level_without_criterion")}


@pytest.mark.parametrize("points", [None, -1, 1.5, True, "2", 10_001])
def test_a_level_is_worth_a_whole_number_of_points(points):
    row = {"id": "x", "criterion": "idea", "points": points}
    assert codes(levels=[*LEVELS, row]) == {("levels.x", "points_out_of_range")}


def test_a_criterion_gives_a_choice_and_something_to_earn():
    assert codes(levels=LEVELS[1:]) == {("criteria.idea", "too_few_levels")}
    nothing = [{"id": name, "criterion": "idea", "points": 0} for name in ("low", "high")]
    assert codes(levels=nothing) == {("criteria.idea", "criterion_earns_nothing")}


@pytest.mark.parametrize("graders", [0, 3, True, "2", None])
def test_one_or_two_people_mark(graders):
    assert codes(graders=graders) == {("graders", "graders_out_of_range")}


def test_a_key_that_was_never_checked_is_a_mistake():
    with pytest.raises(ValueError, match=r"too_few_levels at criteria\.idea"):
        load_rubric({"criteria": CRITERIA})

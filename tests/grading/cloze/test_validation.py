"""What keeps a text with gaps from being published: found by its families, named at its gaps."""

from copy import deepcopy

import pytest

from grading.cloze.validation import validate
from grading.contract import Problem
from tests.grading.cloze.questions import CONTENT, KEY, spoilt

SCORING_METHODS = ("per_gap",)


def found(content=CONTENT, key=KEY, scoring_method="per_gap"):
    return [
        (problem.where, problem.code)
        for problem in validate(content, key, scoring_method, methods=SCORING_METHODS)
    ]


def test_a_text_with_a_gap_of_each_kind_has_no_problems():
    assert found() == []


def test_a_scoring_method_of_other_kinds_is_a_problem():
    assert found(scoring_method="halves") == [("scoring_method", "unknown_scoring_method")]


def test_a_gap_to_choose_in_needs_options_and_one_of_them_right():
    assert found({**CONTENT, "options": CONTENT["options"][:1]}) == [
        ("gaps.capital", "too_few_options")
    ]
    assert found(key={**KEY, "right": []}) == [("gaps.capital", "gap_without_right")]
    assert found(key={**KEY, "right": ["madrid", "rome"]}) == [("gaps.capital", "too_many_right")]


def test_a_gap_to_write_in_needs_an_answer_that_earns_everything():
    assert found(key={**KEY, "accepted": []}) == [("gaps.river", "nothing_accepted")]
    half = [{**row, "credit": [1, 2]} for row in KEY["accepted"]]
    assert found(key={**KEY, "accepted": half}) == [("gaps.river", "no_plain_full_credit")]


def test_a_gap_for_a_number_needs_a_number():
    assert found(key={**KEY, "numbers": []}) == [("gaps.pi", "nothing_accepted")]
    assert found(key=spoilt(KEY, "numbers", 0, "value", to="some")) == [
        ("numbers.near", "value_unreadable")
    ]


@pytest.mark.parametrize("table", ["options", "accepted", "numbers"])
def test_rows_are_a_list_each_with_an_id_told_once(table):
    holder, other = (CONTENT, KEY) if table == "options" else (KEY, CONTENT)

    def check_with(rows):
        changed = {**holder, table: rows}
        problems = found(changed, other) if table == "options" else found(other, changed)
        return [where_code for where_code in problems if where_code[0] == table]

    assert check_with("rows") == [(table, "rows_are_no_list")]
    assert check_with([*holder[table], {"gap": "capital"}]) == [(table, "row_without_id")]
    assert check_with([*holder[table], 7]) == [(table, "row_without_id")]


def test_a_row_without_an_id_is_told_once_though_its_gap_finds_it_too():
    key = spoilt(KEY, "accepted", 1, "id", to="")
    assert found(key=key) == [("accepted", "row_without_id")]


@pytest.mark.parametrize("gap", [None, "", "nowhere", 3, ["capital"]])
def test_a_row_names_the_gap_it_is_for(gap):
    assert ("options.rome", "unknown_gap") in found(spoilt(CONTENT, "options", 1, "gap", to=gap))


def test_a_row_is_for_a_gap_of_its_own_kind():
    key = spoilt(KEY, "accepted", 1, "gap", to="pi")
    assert found(key=key) == [("accepted.tajo", "gap_of_another_kind")]


def test_a_row_in_a_gap_of_no_known_kind_has_no_place():
    content = spoilt(CONTENT, "gaps", 1, "kind", to="essay")
    assert set(found(content)) == {
        ("gaps.river", "unknown_gap_kind"),
        ("accepted.ebro", "gap_of_another_kind"),
        ("accepted.tajo", "gap_of_another_kind"),
    }


def test_a_name_of_the_ledgers_rules_is_no_rows_name():
    key = spoilt(KEY, "accepted", 1, "id", to="all_or_nothing")
    assert found(key=key) == [("accepted.all_or_nothing", "reserved_id")]


def test_one_id_in_two_gaps_is_found_though_neither_gap_could():
    content = deepcopy(CONTENT)
    content["gaps"].append({"id": "more", "placeholder": "4", "kind": "single_choice"})
    content["options"] += [{"id": "rome", "gap": "more"}, {"id": "oslo", "gap": "more"}]
    assert found(content, {**KEY, "right": ["madrid", "oslo"]}) == [
        ("options.rome", "duplicate_id")
    ]


def test_the_key_names_no_option_that_is_not_there():
    problems = validate(
        CONTENT, {**KEY, "right": ["madrid", "oslo"]}, "per_gap", methods=SCORING_METHODS
    )
    assert problems == (Problem("key", "unknown_option", {"option": "oslo"}),)


def test_what_is_right_is_a_list_of_ids():
    assert ("key", "right_is_no_list") in found(key={**KEY, "right": "madrid"})
    assert ("key", "right_is_no_id") in found(key={**KEY, "right": ["madrid", 5]})


def test_a_text_without_choices_needs_no_list_of_what_is_right():
    content = {"gaps": CONTENT["gaps"][1:]}
    assert found(content, {"accepted": KEY["accepted"], "numbers": KEY["numbers"]}) == []


@pytest.mark.parametrize(("field", "value"), [("case", "yes"), ("sort", "poem"), ("spaces", 1)])
def test_what_counts_in_comparing_is_judged_gap_by_gap(field, value):
    content = spoilt(CONTENT, "gaps", 2, "kind", to="short_text")
    row = {"id": "other", "gap": "pi", "text": "pi"}
    key = {"right": ["madrid"], "accepted": [*KEY["accepted"], row]}
    typed, chosen = (spoilt(content, "gaps", number, field, to=value) for number in (2, 0))
    assert found(typed, key) == [("gaps.pi", "unknown_choice")]
    assert found(chosen, key) == []

"""Gaps as they are read: each plainly named, marked once, of a kind there is, with its points."""

from typing import Any

import pytest

from grading.cloze.structure import MAX_GAPS, Gap, group_by_gap, load_gaps, load_rows, parse_gaps
from tests.grading.cloze.questions import CONTENT, KEY, spoilt


def codes(content):
    return [(problem.where, problem.code) for problem in parse_gaps(content)[1]]


def test_gaps_are_read_in_the_authors_order_and_count_one_point_unless_told():
    assert load_gaps(
        {"gaps": [{"id": "b", "placeholder": "x", "kind": "numeric"}, CONTENT["gaps"][1]]}
    ) == (
        Gap("b", "x", "numeric", 1),
        Gap("river", "2", "short_text", 2),
    )


@pytest.mark.parametrize("listed", [None, [], {}, "gaps", 3])
def test_a_text_without_gaps_is_no_text_with_gaps(listed):
    assert codes({"gaps": listed}) == [("gaps", "no_gaps")]


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("id", "all_or_nothing", "reserved_id"),
        ("id", "not_chosen", "reserved_id"),
        ("id", "a.b", "gap_id_not_plain"),
        ("id", "ñ", "gap_id_not_plain"),
        ("id", "x" * 41, "gap_id_not_plain"),
        ("placeholder", None, "placeholder_not_plain"),
        ("placeholder", "", "placeholder_not_plain"),
        ("placeholder", "a b", "placeholder_not_plain"),
        ("placeholder", "x]]", "placeholder_not_plain"),
        ("placeholder", "one\n", "placeholder_not_plain"),
        ("kind", "essay", "unknown_gap_kind"),
        ("kind", ["numeric"], "unknown_gap_kind"),
        ("points", 0, "gap_points_out_of_range"),
        ("points", 1001, "gap_points_out_of_range"),
        ("points", True, "gap_points_out_of_range"),
        ("points", 1.5, "gap_points_out_of_range"),
        ("points", "2", "gap_points_out_of_range"),
    ],
)
def test_what_is_wrong_with_a_gap_is_named_at_it(field, value, code):
    content = spoilt(CONTENT, "gaps", 0, field, to=value)
    where = value if field == "id" else "capital"
    assert (f"gaps.{where}", code) in codes(content)


@pytest.mark.parametrize("entry", [None, "a", {}, {"id": ""}, {"id": 7}, []])
def test_a_gap_without_an_id_is_named_by_its_position(entry):
    problems = parse_gaps(spoilt(CONTENT, "gaps", 1, to=entry))[1]
    assert [(problem.where, problem.code, problem.detail) for problem in problems] == [
        ("gaps", "row_without_id", {"position": 1})
    ]


def test_no_two_gaps_share_an_id_or_a_mark():
    assert codes(spoilt(CONTENT, "gaps", 1, "id", to="capital")) == [
        ("gaps.capital", "duplicate_id")
    ]
    assert codes(spoilt(CONTENT, "gaps", 1, "placeholder", to="1")) == [
        ("gaps.river", "placeholder_twice")
    ]


def test_a_text_has_no_more_gaps_than_a_page_can_bear():
    def listed(count):
        return [{"id": f"g{n}", "placeholder": str(n), "kind": "numeric"} for n in range(count)]

    assert codes({"gaps": listed(MAX_GAPS)}) == []
    assert codes({"gaps": listed(MAX_GAPS + 1)}) == [("gaps", "too_many_gaps")]


def test_unchecked_gaps_are_never_worked_with():
    with pytest.raises(ValueError, match="unchecked content or key: no_gaps at gaps"):
        load_gaps({})


def test_rows_are_sorted_by_their_gaps_and_strays_left_out():
    rows: Any = [
        {"id": "a", "gap": "g"},
        3,
        {"id": "b"},
        {"id": "c", "gap": 5},
        {"id": "d", "gap": "g"},
    ]
    assert group_by_gap(rows) == {"g": [rows[0], rows[4]]}
    assert group_by_gap("no list") == {}


def test_without_a_key_no_secret_row_is_seen():
    assert load_rows(CONTENT, {}) == {
        "single_choice": {"capital": CONTENT["options"]},
        "short_text": {},
        "numeric": {},
    }
    assert load_rows(CONTENT, KEY)["short_text"] == {"river": KEY["accepted"]}

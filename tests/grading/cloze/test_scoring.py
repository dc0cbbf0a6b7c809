"""Marking gaps: each by its family and its points, and none at the cost of another."""

from fractions import Fraction

import pytest

from grading.cloze.parts import load_gap_parts
from grading.cloze.scoring import correct_answer, score
from grading.contract import LedgerLine
from tests.grading.cloze.questions import CONTENT, KEY, MODEL, spoilt

HALF, ZERO = Fraction(1, 2), Fraction(0)


def marked(gaps, scoring_method="per_gap", content=CONTENT, key=KEY):
    return score(content, key, {"gaps": gaps} if gaps else None, scoring_method)


def told(score):
    return [(line.part, line.chosen, line.right, line.earned, line.reason) for line in score.ledger]


def test_a_gap_can_earn_its_points_over_those_of_all():
    assert [part.share for part in load_gap_parts(CONTENT, KEY)] == [
        Fraction(1, 6),
        Fraction(1, 3),
        HALF,
    ]


def test_the_model_answer_fills_every_gap_and_earns_everything():
    answer = correct_answer(CONTENT, KEY)
    assert answer == {"gaps": MODEL}
    assert score(CONTENT, KEY, answer, "per_gap").credit == 1
    assert score(CONTENT, KEY, answer, "all_or_nothing").reasons == ("full_credit",)


def test_the_ledger_tells_gap_after_gap_by_the_ids_of_what_was_said():
    assert told(marked({**MODEL, "river": {"text": "tajo"}})) == [
        ("capital", True, True, ZERO, "gap_right"),
        ("madrid", True, True, Fraction(1, 6), "right_chosen"),
        ("rome", False, False, ZERO, "rightly_left"),
        ("river", True, None, ZERO, "gap_partly"),
        ("tajo", True, True, Fraction(1, 6), "accepted_partly"),
        ("pi", True, True, ZERO, "gap_right"),
        ("near", True, True, HALF, "number_accepted"),
    ]


def test_a_line_that_is_of_no_row_is_named_by_its_gap():
    mark = marked({"river": {"text": "Duero"}, "pi": {**MODEL["pi"], "number": [3, 1]}})
    assert told(mark) == [
        ("capital", None, None, ZERO, "unanswered"),
        ("river", True, False, ZERO, "gap_wrong"),
        ("river", True, False, ZERO, "not_accepted"),
        ("pi", True, False, ZERO, "gap_wrong"),
        ("pi", True, False, ZERO, "number_not_accepted"),
    ]
    assert mark.reasons == ("no_credit", "not_accepted", "number_not_accepted")


def test_a_near_miss_in_a_gap_is_noted_and_never_credited():
    mark = marked({"river": {"text": "Ebrro"}})
    assert mark.credit == 0
    assert "near_miss" in mark.reasons


def test_a_wrong_gap_takes_nothing_from_the_others():
    wrong = {"capital": {"chosen": ["rome"], "none_apply": False}, "river": {"text": "x"}}
    assert marked({**MODEL, **wrong}).credit == HALF == marked({"pi": MODEL["pi"]}).credit


def test_all_or_nothing_gives_back_what_parts_earned_and_says_so():
    mark = marked({"pi": MODEL["pi"]}, "all_or_nothing")
    assert mark.ledger[-1] == LedgerLine("all_or_nothing", None, None, -HALF, "not_all_right")
    assert mark.credit == 0
    assert mark.reasons == ("no_credit", "not_all_right")


def test_all_or_nothing_has_no_rule_to_apply_where_nothing_was_earned():
    mark = marked({"river": {"text": "x"}}, "all_or_nothing")
    assert [line.part for line in mark.ledger] == ["capital", "river", "river", "pi"]


@pytest.mark.parametrize("scoring_method", ["per_gap", "all_or_nothing"])
def test_an_unanswered_text_has_a_line_for_each_gap(scoring_method):
    mark = marked(None, scoring_method)
    assert mark.reasons == ("unanswered",)
    assert told(mark) == [
        (gap, None, None, ZERO, "unanswered") for gap in ("capital", "river", "pi")
    ]


def test_a_gap_that_a_later_version_no_longer_has_is_withdrawn():
    later = {"gaps": CONTENT["gaps"][:1], "options": CONTENT["options"]}
    mark = marked(MODEL, content=later, key={"right": ["madrid"]})
    assert mark.credit == 1
    assert told(mark)[-2:] == [
        ("pi", True, None, ZERO, "withdrawn"),
        ("river", True, None, ZERO, "withdrawn"),
    ]
    assert mark.reasons == ("full_credit", "withdrawn")


def test_an_answer_to_a_gap_that_asks_for_something_else_now_is_withdrawn():
    later = spoilt(CONTENT, "gaps", 1, "kind", to="numeric")
    key = {**KEY, "numbers": [*KEY["numbers"], {"id": "two", "gap": "river", "value": "2"}]}
    mark = marked({"river": MODEL["river"]}, content=later, key=key)
    assert ("river", True, None, ZERO, "withdrawn") in told(mark)
    assert mark.reasons == ("unanswered", "withdrawn")


def test_an_option_that_a_later_version_no_longer_offers_is_told_of_its_gap():
    mark = marked({"capital": {"chosen": ["oslo"], "none_apply": False}})
    assert told(mark)[:4] == [
        ("capital", True, False, ZERO, "gap_wrong"),
        ("madrid", False, True, ZERO, "unanswered"),
        ("rome", False, False, ZERO, "unanswered"),
        ("capital", True, None, ZERO, "withdrawn"),
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "Ebro",
        {},
        {"gaps": {}},
        {"gaps": []},
        {"gaps": {"river": "Ebro"}},
        {"gaps": {"river": {}}},
        {"gaps": {"river": {"text": "Ebro", "typed": "3"}}},
        {"gaps": {"river": {"text": 3}}},
        {"gaps": {"pi": {"typed": "3"}}},
        {"gaps": {"capital": {"chosen": ["madrid"]}}},
    ],
)
def test_what_is_no_canonical_answer_is_never_marked(answer):
    with pytest.raises(ValueError, match="canonical"):
        score(CONTENT, KEY, answer, "per_gap")


def test_unchecked_rows_are_never_marked_by():
    with pytest.raises(ValueError, match="unchecked"):
        marked(MODEL, key=spoilt(KEY, "numbers", 0, "value", to="x"))

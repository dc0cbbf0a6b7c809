"""Items that cost points: an item's score may go below zero as far as its author says."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import Problem
from grading.kinds import KINDS
from grading.lower_bound import read_lower_bound
from grading.totals import add_points, is_passed
from tests.grading.strategies import drawn

THIRD = Fraction(1, 3)
OPTIONS = [{"id": id_} for id_ in "abcd"]
WEIGHTS = {"a": [1, 1], "b": [-1, 3], "c": [-1, 3], "d": [-1, 3]}
PENALIZED: Any = {"options": OPTIONS, "lower_bound": [-1, 3]}
SIDES: Any = {
    "lefts": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
    "rights": [{"id": "x"}, {"id": "y"}],
}
PAIRS = {"pairs": {"a": "x", "b": "x", "c": "y"}}
GAPS: Any = {
    "gaps": [
        {"id": "g1", "placeholder": "1", "kind": "single_choice", "points": 2},
        {"id": "g2", "placeholder": "2", "kind": "single_choice", "points": 1},
    ],
    "options": [{"id": f"{gap}{id_}", "gap": gap} for gap in ("g1", "g2") for id_ in "abc"],
}
GAP_KEY: Any = {
    "right": ["g1a", "g2a"],
    "weights": {"g1a": [1, 1], "g1b": [1, 2], "g1c": [-1, 2]}
    | {"g2a": [1, 1], "g2b": [-1, 1], "g2c": [0, 1]},
}


def score(kind: str, content: Any, key: Any, raw: Any, method: str) -> Any:
    """Mark a raw answer to a question that has passed its check."""
    module: Any = KINDS[kind]
    assert module.validate(content, key, method) == ()
    return module.score(content, key, module.parse(content, raw), method)


def choose(content: Any, chosen: str) -> Any:
    key = {"right": ["a"], "weights": WEIGHTS}
    return score("single_choice", content, key, {"chosen": list(chosen)}, "option_weights")


def test_eight_right_and_two_wrong_at_a_third_are_seven_and_a_third_and_no_pass():
    credits_ = [choose(PENALIZED, chosen).credit for chosen in "aaaaaaaabc"]
    total = add_points((credit, 1) for credit in credits_)
    assert total == Fraction(22, 3)
    assert not is_passed(total, 10, Fraction(4, 5))


def test_without_a_lower_bound_the_same_answers_are_eight():
    credits_ = [choose({"options": OPTIONS}, chosen).credit for chosen in "aaaaaaaabc"]
    assert add_points((credit, 1) for credit in credits_) == 8


def test_a_wrong_option_costs_what_it_weighs_and_the_ledger_adds_up_to_it():
    item_score = choose(PENALIZED, "c")
    assert item_score.credit == -THIRD == sum(line.earned for line in item_score.ledger)
    assert item_score.reasons == ("negative_credit", "missed", "wrong_chosen")
    assert "floor" not in {line.part for line in item_score.ledger}


WORDS: Any = {
    "accepted": [
        {"id": "right", "text": "Paris"},
        {"id": "near", "text": "Pariss", "credit": [1, 2]},
        {"id": "wrong", "text": "Lyon", "credit": [-1, 3]},
        {"id": "rest", "text": "*", "credit": [-1, 10]},
    ]
}
NUMBERS: Any = {
    "numbers": [
        {"id": "right", "value": "7"},
        {"id": "wrong", "value": "8", "credit": [-1, 3]},
    ],
    "units": [{"id": "m", "symbol": "m"}],
    "unit_credit": [1, 2],
}
TYPED_GAPS: Any = {
    "gaps": [
        {"id": "g1", "placeholder": "1", "kind": "short_text", "points": 2},
        {"id": "g2", "placeholder": "2", "kind": "numeric", "points": 1},
    ],
    "options": [],
}
TYPED_GAP_KEY: Any = {
    "accepted": [{**row, "id": f"t{row['id']}", "gap": "g1"} for row in WORDS["accepted"]],
    "numbers": [{**row, "id": f"n{row['id']}", "gap": "g2"} for row in NUMBERS["numbers"]],
}


@pytest.mark.parametrize(
    ("text", "bound", "credit", "reasons"),
    [
        ("Paris", [-1, 1], "1", ("full_credit",)),
        ("Pariss", [-1, 1], "1/2", ("partial_credit", "accepted_partly")),
        ("Lyon", [-1, 1], "-1/3", ("negative_credit", "known_wrong")),
        ("Lyon", [-1, 4], "-1/4", ("negative_credit", "known_wrong", "not_below_bound")),
        ("Lyon", None, "0", ("no_credit", "known_wrong", "not_below_zero")),
        ("Rome", [-1, 1], "-1/10", ("negative_credit", "known_wrong")),
        ("", [-1, 1], "0", ("unanswered",)),
    ],
)
def test_a_typed_answer_costs_what_it_says_down_to_the_lower_bound(text, bound, credit, reasons):
    content = {"lower_bound": bound} if bound else {}
    item_score = score("short_text", content, WORDS, {"text": text}, "accepted_answers")
    assert (str(item_score.credit), item_score.reasons) == (credit, reasons)
    assert all(line.right is False for line in item_score.ledger if line.earned < 0)


@pytest.mark.parametrize(
    ("typed", "unit", "bound", "credit"),
    [
        ("7", "none", [-1, 1], "1"),
        ("8", "none", [-1, 1], "-1/3"),
        ("8", "none", [-1, 4], "-1/4"),
        ("8", "none", None, "0"),
        ("9", "none", [-1, 1], "0"),
        ("7", "required", [-1, 1], "1/2"),
        ("8", "required", [-1, 1], "-1/3"),
        ("8 km", "required", [-1, 1], "-1/3"),
    ],
)
def test_a_number_costs_what_it_says_whatever_its_unit(typed, unit, bound, credit):
    content: Any = {"unit": unit} | ({"lower_bound": bound} if bound else {})
    key = NUMBERS if unit == "required" else {"numbers": NUMBERS["numbers"]}
    raw = {"typed": typed, "language": "en"}
    item_score = score("numeric", content, key, raw, "accepted_answers")
    assert str(item_score.credit) == credit
    assert str(sum(line.earned for line in item_score.ledger)) == credit


@pytest.mark.parametrize(
    ("text", "typed", "bound", "credit"),
    [
        ("Paris", "8", [-1, 1], "5/9"),
        ("Lyon", "8", [-1, 1], "-1/3"),
        ("Lyon", "8", [-1, 4], "-1/4"),
        ("Lyon", "7", None, "1/9"),
        ("Lyon", "8", None, "0"),
    ],
)
def test_typed_gaps_cost_their_part(text, typed, bound, credit):
    content = {**TYPED_GAPS, **({"lower_bound": bound} if bound else {})}
    raw = {"gaps": {"g1": {"text": text}, "g2": {"typed": typed, "language": "en"}}}
    item_score = score("cloze", content, TYPED_GAP_KEY, raw, "per_gap")
    assert str(item_score.credit) == credit


@pytest.mark.parametrize(("kind", "key"), [("short_text", WORDS), ("numeric", NUMBERS)])
def test_takers_of_a_typed_question_may_know_its_lower_bound(kind, key):
    module: Any = KINDS[kind]
    content: Any = {"lower_bound": [-1, 3]}
    assert module.public_view(content, ()).parts["lower_bound"] == [-1, 3]
    problems = module.validate({"lower_bound": [1, 3]}, key, "accepted_answers")
    assert Problem("lower_bound", "lower_bound_above_zero", {}) in problems


def test_no_answer_costs_nothing():
    assert choose(PENALIZED, "").credit == 0


def test_no_answer_earns_less_than_the_lower_bound():
    item_score = choose({**PENALIZED, "lower_bound": [-1, 4]}, "c")
    assert item_score.credit == Fraction(-1, 4)
    floor = item_score.ledger[-1]
    assert (floor.part, floor.earned, floor.reason) == ("floor", Fraction(1, 12), "not_below_bound")


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("right_minus_wrong", -1),
        ("minus_missed", -2),
        ("all_or_nothing", 0),
        ("each_option", 0),
        ("coverage", 0),
        ("halves", 0),
    ],
)
def test_several_wrong_options_cost_as_far_as_the_method_counts_errors(method, expected):
    content = {"options": OPTIONS, "lower_bound": [-5, 1]}
    key = {"right": ["a", "b"]}
    item_score = score("multiple_choice", content, key, {"chosen": ["c", "d"]}, method)
    assert item_score.credit == expected


@given(drawn(), st.fractions(min_value=-3, max_value=0, max_denominator=12))
def test_a_lower_bound_only_ever_lowers_and_never_below_itself(question, lower_bound):
    module: Any = KINDS["multiple_choice"]
    pair = [lower_bound.numerator, lower_bound.denominator]
    floored, bounded = (
        module.score(
            content,
            question.key,
            module.parse(content, question.raw if question.answered else None),
            question.scoring_method,
        ).credit
        for content in (question.content(), question.content() | {"lower_bound": pair})
    )
    assert lower_bound <= bounded <= floored
    assert max(bounded, 0) == floored


def test_wrong_pairs_may_cost_more_than_right_ones_earn():
    content = {**SIDES, "lower_bound": [-1, 1]}
    raw = {"pairs": {"a": "y", "b": "y", "c": "y"}}
    assert score("matching", content, PAIRS, raw, "right_minus_wrong").credit == -THIRD
    assert score("matching", SIDES, PAIRS, raw, "right_minus_wrong").credit == 0
    assert score("matching", content, PAIRS, raw, "per_pair").credit == THIRD
    assert score("matching", content, PAIRS, raw, "all_or_nothing").credit == 0


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ("aa", 1),
        ("ab", Fraction(1, 3)),
        ("ba", Fraction(2, 3)),
        ("ca", 0),
        ("cb", Fraction(-2, 3)),
        ("c", Fraction(-1, 3)),
        ("bb", 0),
    ],
)
def test_gaps_earn_and_cost_by_the_weights_of_their_options(chosen, expected):
    raw = {
        "gaps": {
            f"g{number}": {"chosen": [f"g{number}{id_}"]}
            for number, id_ in enumerate(chosen, start=1)
        }
    }
    content = {**GAPS, "lower_bound": [-1, 1]}
    bounded = score("cloze", content, GAP_KEY, raw, "gap_weights")
    assert bounded.credit == expected
    assert score("cloze", GAPS, GAP_KEY, raw, "gap_weights").credit == max(expected, 0)


def test_a_gap_that_costs_is_wrong_and_one_that_earns_a_part_is_partly_right():
    raw = {"gaps": {"g1": {"chosen": ["g1b"]}, "g2": {"chosen": ["g2b"]}}}
    ledger = score("cloze", GAPS, GAP_KEY, raw, "gap_weights").ledger
    verdicts = {line.part: line.reason for line in ledger if line.part in {"g1", "g2"}}
    assert verdicts == {"g1": "gap_partly", "g2": "gap_wrong"}


@pytest.mark.parametrize(
    ("stored", "code"),
    [
        ([1, 3], "lower_bound_above_zero"),
        ("-1/3", "lower_bound_is_no_ratio"),
        (-1, "lower_bound_is_no_ratio"),
    ],
)
@pytest.mark.parametrize(
    ("kind", "content", "key", "method"),
    [
        ("single_choice", {"options": OPTIONS}, {"right": ["a"]}, "all_or_nothing"),
        ("multiple_choice", {"options": OPTIONS}, {"right": ["a"]}, "right_minus_wrong"),
        ("matching", SIDES, PAIRS, "right_minus_wrong"),
        ("cloze", GAPS, GAP_KEY, "gap_weights"),
    ],
)
def test_a_lower_bound_is_a_ratio_up_to_zero(kind, content, key, method, stored, code):
    module: Any = KINDS[kind]
    problems = module.validate({**content, "lower_bound": stored}, key, method)
    assert problems == (Problem("lower_bound", code, {}),)


def test_a_draft_without_a_lower_bound_has_the_bound_zero():
    problems: list[Problem] = []
    assert read_lower_bound({}, problems) == read_lower_bound({"lower_bound": None}, problems) == 0
    assert problems == []


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ([1], Problem("key", "weights_are_no_object", {})),
        ({"gone": [1, 2]}, Problem("key", "unknown_option", {"option": "gone"})),
        ({"g1c": 1}, Problem("options.g1c", "weight_is_no_ratio", {})),
        ({"g1c": [-2, 1]}, Problem("options.g1c", "weight_out_of_range", {})),
        ({"g1b": [1, 1]}, Problem("options.g1b", "wrong_option_earns_all", {})),
    ],
)
def test_the_weights_of_a_gap_are_checked(weights, problem):
    key = GAP_KEY | {
        "weights": weights if isinstance(weights, list) else GAP_KEY["weights"] | weights
    }
    assert problem in KINDS["cloze"].validate(GAPS, key, "gap_weights")


@pytest.mark.parametrize("method", ["per_gap", "all_or_nothing"])
def test_weights_of_gaps_need_the_scoring_method_that_uses_them(method):
    problems = KINDS["cloze"].validate(GAPS, GAP_KEY, method)
    detail = {"scoring_method": method}
    assert problems == (Problem("scoring_method", "weights_unused", detail),)


@pytest.mark.parametrize(
    ("kind", "content"), [("single_choice", PENALIZED), ("matching", SIDES), ("cloze", GAPS)]
)
def test_takers_may_know_the_lower_bound(kind, content):
    module: Any = KINDS[kind]
    order = [id_ for id_, _ in module.shufflable_ids(content)]
    public = module.public_view({**content, "lower_bound": [-1, 3]}, order)
    assert public.parts["lower_bound"] == [-1, 3]


def test_the_total_is_never_below_zero_and_items_may_take_from_others_until_then():
    costs = [(Fraction(-1), 3), (Fraction(1, 2), 2)]
    assert add_points(costs) == 0
    assert add_points([*costs, (Fraction(1), 4)]) == 2


TRUTHS: Any = {"options": [{"id": "yes", "value": True}, {"id": "no", "value": False}]}


@pytest.mark.parametrize(
    ("bound", "chosen", "credit"),
    [
        ({}, "no", Fraction(0)),
        ({"lower_bound": [-1, 1]}, "no", -THIRD),
        ({"lower_bound": [-1, 4]}, "no", Fraction(-1, 4)),
        ({"lower_bound": [-1, 1]}, "yes", Fraction(1)),
        ({"lower_bound": [-1, 1]}, None, Fraction(0)),
    ],
)
def test_a_wrong_statement_costs_what_it_weighs(bound, chosen, credit):
    key = {"right": ["yes"], "weights": {"yes": [1, 1], "no": [-1, 3]}}
    raw = {"chosen": [chosen]} if chosen else {}
    item_score = score("true_false", TRUTHS | bound, key, raw, "option_weights")
    assert item_score.credit == credit == sum(line.earned for line in item_score.ledger)

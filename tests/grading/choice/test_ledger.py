"""What is told of a scoring method adds up to what its formula pays, for every answer there is."""

from fractions import Fraction

import pytest

from grading.choice import ledger
from grading.choice.structure import RULE_PARTS
from grading.lower_bound import list_clamps
from grading.partial_credit import SCORING_METHODS, OptionCounts, get_credit

ALL = [
    OptionCounts(options, right, hits, wrong)
    for options in range(1, 9)
    for right in range(1, options + 1)
    for hits in range(right + 1)
    for wrong in range(options - right + 1)
    if hits + wrong
]


def told(scoring_method, counts):
    times = {
        "right_chosen": counts.true_positives,
        "wrong_chosen": counts.false_positives,
        "missed": counts.false_negatives,
        "rightly_left": counts.true_negatives,
    }
    decisions = sum(
        rate * times[how] for how, rate in ledger.list_rates(scoring_method, counts).items()
    )
    return decisions + sum(line.earned for line in ledger.list_adjustments(scoring_method, counts))


@pytest.mark.parametrize("scoring_method", SCORING_METHODS)
def test_the_told_mark_is_the_paid_one(scoring_method):
    for counts in ALL:
        assert told(scoring_method, counts) == get_credit(scoring_method, counts), counts


@pytest.mark.parametrize("scoring_method", SCORING_METHODS)
def test_no_rule_is_told_that_changes_nothing(scoring_method):
    for counts in ALL:
        assert all(line.earned for line in ledger.list_adjustments(scoring_method, counts))


@pytest.mark.parametrize("scoring_method", ["each_option", "coverage"])
def test_scoring_methods_that_need_no_rule_tell_none(scoring_method):
    assert not any(ledger.list_adjustments(scoring_method, counts) for counts in ALL)


def test_the_name_of_every_rule_is_reserved_and_no_other():
    lines = [
        line
        for scoring_method in SCORING_METHODS
        for counts in ALL
        for line in ledger.list_adjustments(scoring_method, counts)
    ]
    lines += list_clamps(Fraction(2))
    assert {line.part for line in lines} == set(RULE_PARTS)


def test_the_line_of_a_rule_is_neither_chosen_nor_right():
    (line,) = list_clamps(Fraction(-1, 3))
    assert (line.part, line.chosen, line.right) == ("floor", None, None)
    assert (line.earned, line.reason) == (Fraction(1, 3), "not_below_zero")


def test_what_exceeds_everything_is_cut_down():
    (line,) = list_clamps(Fraction(4, 3))
    assert (line.part, line.earned, line.reason) == ("ceiling", Fraction(-1, 3), "not_above_one")


@pytest.mark.parametrize("sum_", [0, 1, Fraction(1, 2)])
def test_what_lies_between_stays(sum_):
    assert list_clamps(Fraction(sum_)) == []


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (OptionCounts(5, 3, 3, 0), [("start", "1")]),
        (OptionCounts(5, 3, 2, 0), [("start", "1"), ("first_error", "-1/2")]),
        (
            OptionCounts(5, 3, 2, 1),
            [("start", "1"), ("first_error", "-1/2"), ("second_error", "-1/4")],
        ),
        (
            OptionCounts(5, 3, 1, 1),
            [
                ("start", "1"),
                ("first_error", "-1/2"),
                ("second_error", "-1/4"),
                ("too_many_errors", "-1/4"),
            ],
        ),
        (
            OptionCounts(4, 3, 2, 1),
            [("start", "1"), ("first_error", "-1/2"), ("too_many_errors", "-1/2")],
        ),
        (OptionCounts(2, 2, 1, 0), [("start", "1"), ("too_many_errors", "-1")]),
    ],
)
def test_halving_tells_each_error_that_counted(counts, expected):
    lines = ledger.list_adjustments("halves", counts)
    assert [(line.part, str(line.earned)) for line in lines] == expected
    assert all(line.reason == line.part for line in lines)

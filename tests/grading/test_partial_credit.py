"""The scoring methods as formulas: edges, and the promises each makes."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.partial_credit import SCORING_METHODS, OptionCounts, get_credit, sum_weights


def test_counts_follow_from_one_another():
    counts = OptionCounts(options=7, right=4, true_positives=1, false_positives=2)
    assert (counts.false_negatives, counts.true_negatives, counts.errors) == (3, 1, 5)


@pytest.mark.parametrize(
    ("options", "errors", "expected"),
    [
        (2, 0, 1), (2, 1, 0), (3, 1, "1/2"), (3, 2, 0), (4, 1, "1/2"),
        (4, 2, 0), (5, 1, "1/2"), (5, 2, "1/4"), (5, 3, 0), (9, 3, 0),
    ],
)  # fmt: skip
def test_halves_forgives_by_the_number_of_options(options, errors, expected):
    counts = OptionCounts(options, options, options - errors, 0)
    assert get_credit("halves", counts) == Fraction(expected)


@pytest.mark.parametrize("wrong", [1, 2, 3])
def test_guessing_wrong_as_often_as_right_earns_nothing_by_default(wrong):
    assert get_credit("right_minus_wrong", OptionCounts(6, 3, wrong, wrong)) == 0


def test_a_scoring_method_nobody_knows_is_an_error():
    with pytest.raises(KeyError):
        get_credit("by_lot", OptionCounts(2, 1, 1, 0))


@pytest.mark.parametrize("scoring_method", SCORING_METHODS)
def test_what_is_exactly_right_earns_everything_under_every_scoring_method(scoring_method):
    assert get_credit(scoring_method, OptionCounts(5, 2, 2, 0)) == 1


@given(st.lists(st.fractions(min_value=-1, max_value=1)))
def test_weights_are_added_and_held_between_nothing_and_everything(weights):
    total = sum(weights, Fraction(0))
    assert sum_weights(weights) == sorted([Fraction(0), total, Fraction(1)])[1]


def test_no_weights_at_all_earn_nothing():
    assert sum_weights([]) == 0

"""What grades come to in a course: exact, best n of m, weights as parts of their sum."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.course_grades.totals import (
    ALL,
    BEST,
    EXCLUDED,
    WITHOUT_LOWEST,
    ZERO,
    CategoryRule,
    GradeRule,
    compute_category_share,
    compute_total_share,
)

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def category(counted: str = ALL, number: int = 0, *, weight: int = 100, quizzes=(1, 2, 3)):
    return CategoryRule("Quizzes", Fraction(weight), quizzes, counted, number)


@pytest.mark.parametrize(
    ("rule", "missing", "shares", "expected"),
    [
        (category(), EXCLUDED, {1: Fraction(1), 2: THIRD}, Fraction(2, 3)),
        (category(), ZERO, {1: Fraction(1), 2: THIRD}, Fraction(4, 9)),
        (category(BEST, 2), ZERO, {1: Fraction(1), 2: THIRD}, Fraction(2, 3)),
        (category(BEST, 2), ZERO, {1: Fraction(1)}, HALF),
        (category(BEST, 2), EXCLUDED, {1: Fraction(1)}, Fraction(1)),
        (category(BEST, 9), ZERO, {1: Fraction(1)}, THIRD),
        (category(WITHOUT_LOWEST, 1), ZERO, {1: Fraction(1), 2: THIRD}, Fraction(2, 3)),
        (category(WITHOUT_LOWEST, 1), EXCLUDED, {1: Fraction(1), 2: THIRD}, Fraction(1)),
        (category(WITHOUT_LOWEST, 9), EXCLUDED, {1: HALF, 2: THIRD}, HALF),
        (category(), EXCLUDED, {}, None),
        (category(), ZERO, {}, Fraction(0)),
        (category(quizzes=()), ZERO, {}, None),
    ],
)
def test_the_share_of_a_category(rule, missing, shares, expected):
    assert compute_category_share(rule, shares, missing) == expected


def test_weights_are_parts_of_the_sum_of_what_counts():
    rule = GradeRule(
        (category(weight=60, quizzes=(1,)), category(weight=20, quizzes=(2,))), EXCLUDED, HALF
    )
    assert compute_total_share(rule, {1: HALF, 2: Fraction(1)})[0] == Fraction(5, 8)
    assert compute_total_share(rule, {2: Fraction(1)}) == (Fraction(1), [None, Fraction(1)])
    assert compute_total_share(rule, {}) == (None, [None, None])


def test_a_weight_of_nothing_alone_makes_no_total():
    rule = GradeRule(
        (category(weight=0, quizzes=(1,)), category(weight=1, quizzes=(2,))), EXCLUDED, HALF
    )
    assert compute_total_share(rule, {1: HALF})[0] is None


SHARES = st.lists(st.fractions(0, 1, max_denominator=30), max_size=5)


@given(SHARES, st.integers(1, 6))
def test_the_best_so_many_are_the_choice_with_the_highest_mean(shares, number):
    quizzes = tuple(range(len(shares)))
    share = compute_category_share(
        category(BEST, number, quizzes=quizzes), dict(enumerate(shares)), EXCLUDED
    )
    size = min(number, len(shares))
    choices = [sum(chosen) / size for chosen in combinations(shares, size)] if size else [None]
    assert share == max(choices, key=lambda choice: choice or 0)

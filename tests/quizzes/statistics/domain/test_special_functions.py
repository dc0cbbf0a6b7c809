"""Quantiles and probabilities beside printed tables and exact values."""

import math

import pytest

from quizzes.statistics.domain.special_functions import (
    compute_beta_quantile,
    compute_chi_square_tail,
    compute_f_quantile,
    compute_incomplete_beta,
    compute_normal_pair,
    compute_t_quantile,
)


@pytest.mark.parametrize(
    ("a", "b", "x", "expected"),
    [(2, 3, 0.5, 11 / 16), (1, 1, 0.3, 0.3), (5, 1, 0.9, 0.9**5), (2, 3, 0, 0), (2, 3, 1, 1)],
)
def test_the_incomplete_beta_function_has_its_exact_values(a, b, x, expected):
    assert compute_incomplete_beta(a, b, x) == pytest.approx(expected, abs=1e-14)


def test_a_binomial_tail_is_an_incomplete_beta_function():
    n, chosen, p = 40, 3, 0.05
    tail = sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(chosen + 1))
    assert compute_incomplete_beta(n - chosen, chosen + 1, 1 - p) == pytest.approx(tail, rel=1e-12)


@pytest.mark.parametrize(
    ("probability", "df", "expected"),
    [
        (0.975, 1, 12.706204736432095),
        (0.975, 5, 2.570581835636314),
        (0.975, 10, 2.2281388519649385),
        (0.025, 10, -2.2281388519649385),
        (0.5, 7, 0),
    ],
)
def test_quantiles_of_t_are_those_of_tables(probability, df, expected):
    assert compute_t_quantile(probability, df) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("probability", "df1", "df2", "expected"),
    [(0.95, 5, 10, 3.325834530413011), (0.975, 2, 3, 16.044106429277195)],
)
def test_quantiles_of_f_are_those_of_tables(probability, df1, df2, expected):
    assert compute_f_quantile(probability, df1, df2) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (3, 700), (5e4, 4.5e5)])
@pytest.mark.parametrize("probability", [0.0005, 0.025, 0.5, 0.975])
def test_the_quantile_undoes_the_distribution(a, b, probability):
    x = compute_beta_quantile(a, b, probability)
    assert compute_incomplete_beta(a, b, x) == pytest.approx(probability, rel=1e-8)


def test_chi_square_is_the_square_of_a_normal_score():
    assert compute_chi_square_tail(1.959963984540054**2) == pytest.approx(0.05, rel=1e-12)
    assert compute_chi_square_tail(0) == 1


def test_two_normal_scores_stay_below_zero_together_by_sheppards_formula():
    assert compute_normal_pair(0, 0.5) == pytest.approx(1 / 3, abs=1e-12)
    assert compute_normal_pair(0, 0) == pytest.approx(1 / 4, abs=1e-12)
    assert compute_normal_pair(1.3, 1 - 1e-12) == pytest.approx(0.9031995154143897, abs=1e-6)

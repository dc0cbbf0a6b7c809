"""Intervals beside printed values, and beside what they mean."""

import pytest

from quizzes.statistics.domain.intervals import (
    ConfidenceInterval,
    compute_feldt,
    compute_fisher,
    compute_mean_interval,
    compute_wilson,
)
from quizzes.statistics.domain.special_functions import compute_incomplete_beta


def limits(interval: ConfidenceInterval | None) -> tuple[float, float]:
    assert interval is not None
    return interval.low, interval.high


def test_wilson_has_limits_where_nobody_or_everybody_is_right():
    assert limits(compute_wilson(0, 10)) == pytest.approx((0, 0.2775327998628892))
    assert limits(compute_wilson(10, 10)) == pytest.approx((0.7224672001371107, 1))


def test_wilson_is_where_the_score_test_turns():
    low, high = limits(compute_wilson(8, 10))
    assert (low, high) == pytest.approx((0.4901625, 0.9433178), abs=1e-7)
    for share in (low, high):
        assert abs(0.8 - share) / (share * (1 - share) / 10) ** 0.5 == pytest.approx(
            1.959963984540054
        )


def test_the_interval_of_a_mean_is_students():
    assert limits(compute_mean_interval(10, 4, 11)) == pytest.approx(
        (10 - 2.2281388519649385 * (4 / 11) ** 0.5, 10 + 2.2281388519649385 * (4 / 11) ** 0.5)
    )
    assert compute_mean_interval(10, 0, 1) is None


def test_fisher_is_asymmetric_and_needs_four():
    assert limits(compute_fisher(0.5, 30)) == pytest.approx((0.17043, 0.72896), abs=1e-5)
    assert compute_fisher(0.5, 3) is None
    assert limits(compute_fisher(-1, 9)) == (-1, -1)


def test_feldts_limits_put_the_error_at_the_quantiles_of_f():
    low, high = limits(compute_feldt(0.8, 41, 26))
    df1, df2 = 40, 1000
    for limit, probability in ((low, 0.975), (high, 0.025)):
        f = (1 - limit) / (1 - 0.8)
        x = df1 * f / (df1 * f + df2)
        assert compute_incomplete_beta(df1 / 2, df2 / 2, x) == pytest.approx(probability)
    assert low < 0.8 < high
    assert compute_feldt(0.8, 1, 26) is None
    assert compute_feldt(0.8, 20, 1) is None

"""Confidence intervals, two-sided, at 95 % unless another level is asked for.

Each is a formula, without resampling: equal counts give equal limits.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from quizzes.statistics.domain.special_functions import (
    STANDARD_NORMAL,
    compute_f_quantile,
    compute_t_quantile,
)

CONFIDENCE = 0.95
FEWEST_FOR_FISHER = 4
"""Attempts without which Fisher's interval has no width: it divides by n - 3."""


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """Limits that contain the true figure in `confidence` of all samples."""

    low: float
    high: float
    confidence: float = CONFIDENCE

    def clamp(self, low: float, high: float) -> "ConfidenceInterval":
        """Return the part of it that is possible."""
        return ConfidenceInterval(max(low, self.low), min(high, self.high), self.confidence)


def compute_normal_quantile(confidence: float) -> float:
    """Return how many standard errors lie between the figure and its limits: 1.96 for 95 %."""
    return STANDARD_NORMAL.inv_cdf((1 + confidence) / 2)


def compute_wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> ConfidenceInterval:
    """Return Wilson's score interval (1927) of a share, without continuity correction; n >= 1."""
    z = compute_normal_quantile(confidence)
    share = successes / n
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    interval = ConfidenceInterval((middle - half) / scale, (middle + half) / scale, confidence)
    return interval.clamp(0.0, 1.0)


def compute_mean_interval(
    mean: float, variance: float, n: int, confidence: float = CONFIDENCE
) -> ConfidenceInterval | None:
    """Return Student's interval of a mean, from the variance with n - 1; none for n < 2."""
    if n < 2:  # noqa: PLR2004 (a variance needs two)
        return None
    half = compute_t_quantile((1 + confidence) / 2, n - 1) * math.sqrt(variance / n)
    return ConfidenceInterval(mean - half, mean + half, confidence)


def compute_fisher(
    correlation: float, n: int, confidence: float = CONFIDENCE
) -> ConfidenceInterval | None:
    """Return Fisher's interval (1921) of a correlation: tanh(atanh r -/+ z / sqrt(n - 3)).

    None for n < 4. A correlation of exactly 1 or -1 is its own interval.
    """
    if n < FEWEST_FOR_FISHER:
        return None
    if abs(correlation) >= 1:
        return ConfidenceInterval(correlation, correlation, confidence)
    half = compute_normal_quantile(confidence) / math.sqrt(n - 3)
    middle = math.atanh(correlation)
    return ConfidenceInterval(math.tanh(middle - half), math.tanh(middle + half), confidence)


def compute_feldt(
    alpha: Fraction | float, persons: int, parts: int, confidence: float = CONFIDENCE
) -> ConfidenceInterval | None:
    """Return the interval of Cronbach's alpha by Feldt (1965); none for fewer than 2 of either.

    (1 - true alpha) / (1 - alpha) is distributed as F with n - 1 and (n - 1)(k - 1) degrees of
    freedom, for n persons and k questions.
    """
    if persons < 2 or parts < 2:  # noqa: PLR2004 (no degree of freedom)
        return None
    df1, df2 = persons - 1, (persons - 1) * (parts - 1)
    error = 1 - float(alpha)
    tail = (1 - confidence) / 2
    return ConfidenceInterval(
        1 - error * compute_f_quantile(1 - tail, df1, df2),
        1 - error * compute_f_quantile(tail, df1, df2),
        confidence,
    )

"""Quantiles of the F and t distributions and probabilities of two normal scores, to about 1e-10.

The standard library has the normal distribution (`statistics.NormalDist`); the rest is here. The
incomplete beta function is the continued fraction of Abramowitz and Stegun (1964, 26.5.8),
evaluated from the front (Lentz 1976).
"""

import math
from statistics import NormalDist

STANDARD_NORMAL = NormalDist()
_TINY = 1e-300
_PRECISION = 1e-15
_MAX_TERMS = 100_000


def _evaluate_beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, for x < (a+1)/(a+b+2)."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1 / (d or _TINY)
    fraction = d
    for m in range(1, _MAX_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / ((1 + term * d) or _TINY)
            c = (1 + term / c) or _TINY
            fraction *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return fraction


def _log_beta_density(a: float, b: float, x: float) -> float:
    """Return log(x^a (1-x)^b / B(a, b))."""
    return (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )


def compute_incomplete_beta(a: float, b: float, x: float) -> float:
    """Return I_x(a, b), the distribution function of Beta(a, b), for a, b > 0 and 0 <= x <= 1."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - compute_incomplete_beta(b, a, 1 - x)
    return math.exp(_log_beta_density(a, b, x)) * _evaluate_beta_fraction(a, b, x) / a


def compute_beta_quantile(a: float, b: float, probability: float) -> float:
    """Return the x with I_x(a, b) = probability, 0 < probability < 1.

    Newton's steps, each kept inside the interval that is known to contain x.
    """
    low, high = 0.0, 1.0
    x = a / (a + b)
    for _ in range(200):
        difference = compute_incomplete_beta(a, b, x) - probability
        low, high = (low, x) if difference > 0 else (x, high)
        slope = math.exp(_log_beta_density(a, b, x)) / (x * (1 - x))
        following = x - difference / slope if slope > 0 else low
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= _PRECISION * x:
            return following
        x = following
    return x


def compute_f_quantile(probability: float, df1: float, df2: float) -> float:
    """Return the value that F with df1 and df2 degrees of freedom stays below so often."""
    x = compute_beta_quantile(df1 / 2, df2 / 2, probability)
    return df2 * x / (df1 * (1 - x))


def compute_t_quantile(probability: float, df: float) -> float:
    """Return the value that Student's t stays below so often; t squared is F with 1 and df."""
    if probability == 0.5:  # noqa: PLR2004 (the middle of a symmetric distribution)
        return 0.0
    size = math.sqrt(compute_f_quantile(abs(2 * probability - 1), 1, df))
    return math.copysign(size, probability - 0.5)


def compute_chi_square_tail(chi_square: float) -> float:
    """Return how often chi-square with 1 degree of freedom is at least this large."""
    return math.erfc(math.sqrt(chi_square / 2))


def compute_normal_pair(limit: float, correlation: float) -> float:
    """Return how often two standard normal scores both stay below `limit`; -1 < correlation < 1.

    Phi(z)^2 + 1/(2 pi) * integral from 0 to asin(r) of exp(-z^2 / (1 + sin t)) dt (Sheppard 1900),
    by Simpson's rule.
    """
    panels = 400
    end = math.asin(correlation)
    width = end / panels
    total = 0.0
    for place in range(panels + 1):
        weight = 1 if place in {0, panels} else 4 if place % 2 else 2
        total += weight * math.exp(-(limit**2) / (1 + math.sin(place * width)))
    return STANDARD_NORMAL.cdf(limit) ** 2 + total * width / 3 / (2 * math.pi)

"""Means, variances and covariances of counted scores, exact, as fractions.

Scores come as a table: score -> how many attempts have it. Whole numbers over the least common
denominator are summed, so a table of a million attempts costs what its distinct rows cost.
Variances and covariances divide by n - 1.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

Counted = tuple[Fraction, int]
CountedPair = tuple[Fraction, Fraction, int]


@dataclass(frozen=True, slots=True)
class PairMoments:
    """n, means, and with n - 1 variances and covariance of pairs; those are none for n < 2."""

    n: int
    mean_x: Fraction
    mean_y: Fraction
    variance_x: Fraction | None
    variance_y: Fraction | None
    covariance: Fraction | None

    @property
    def correlation(self) -> float | None:
        """Return Pearson's correlation; none where either side does not vary."""
        if not self.variance_x or not self.variance_y or self.covariance is None:
            return None
        square = self.covariance**2 / (self.variance_x * self.variance_y)
        return math.copysign(math.sqrt(square), self.covariance)


def _find_denominator(numbers: Iterable[Fraction]) -> int:
    return math.lcm(*{number.denominator for number in numbers})


def compute_pair_moments(pairs: Iterable[CountedPair]) -> PairMoments:
    """Return the moments of counted pairs; ValueError where there are none."""
    rows = list(pairs)
    unit_x = _find_denominator(x for x, _y, _count in rows)
    unit_y = _find_denominator(y for _x, y, _count in rows)
    n = sum_x = sum_y = sum_xx = sum_yy = sum_xy = 0
    for fraction_x, fraction_y, count in rows:
        x = fraction_x.numerator * (unit_x // fraction_x.denominator)
        y = fraction_y.numerator * (unit_y // fraction_y.denominator)
        n += count
        sum_x += count * x
        sum_y += count * y
        sum_xx += count * x * x
        sum_yy += count * y * y
        sum_xy += count * x * y
    if not n:
        raise ValueError("no attempts")

    def compute_covariance(products: int, left: int, right: int, unit: int) -> Fraction | None:
        if n < 2:  # noqa: PLR2004 (n - 1 divides)
            return None
        return Fraction(n * products - left * right, n * (n - 1) * unit)

    return PairMoments(
        n=n,
        mean_x=Fraction(sum_x, n * unit_x),
        mean_y=Fraction(sum_y, n * unit_y),
        variance_x=compute_covariance(sum_xx, sum_x, sum_x, unit_x * unit_x),
        variance_y=compute_covariance(sum_yy, sum_y, sum_y, unit_y * unit_y),
        covariance=compute_covariance(sum_xy, sum_x, sum_y, unit_x * unit_y),
    )


def compute_central_moment(scores: Mapping[Fraction, int], order: int) -> Fraction:
    """Return the mean of (score - mean)^order, divided by n."""
    n = sum(scores.values())
    unit = _find_denominator(scores)
    counts = {
        score.numerator * (unit // score.denominator): count for score, count in scores.items()
    }
    total = sum(score * count for score, count in counts.items())
    powers = sum(count * (n * score - total) ** order for score, count in counts.items())
    return Fraction(powers, n * (n * unit) ** order)


def compute_sorted_covariance(
    scores_x: Mapping[Fraction, int], scores_y: Mapping[Fraction, int]
) -> Fraction | None:
    """Return the covariance (n - 1) of both lists, each sorted: the largest that they can have."""
    pairs: list[CountedPair] = []
    rows_y = iter(sorted(scores_y.items()))
    y, remaining = Fraction(), 0
    for x, count_x in sorted(scores_x.items()):
        missing = count_x
        while missing:
            if not remaining:
                y, remaining = next(rows_y)
            count = min(missing, remaining)
            pairs.append((x, y, count))
            missing -= count
            remaining -= count
    return compute_pair_moments(pairs).covariance


def compute_quantile(scores: Mapping[Fraction, int], share: Fraction) -> Fraction:
    """Return the quantile of counted scores, linear between neighbours.

    Hyndman and Fan's type 7 (1996), the default of spreadsheets: place 1 + (n - 1) * share. The
    median of an even number is the mean of the two in the middle.
    """
    n = sum(scores.values())
    place = (n - 1) * share
    lower_place = math.floor(place)
    part = place - lower_place
    below = 0
    lower: Fraction | None = None
    for score, count in sorted(scores.items()):
        below += count
        if lower is None and below > lower_place:
            lower = score
        if lower is not None and (not part or below > lower_place + 1):
            return lower + part * (score - lower)
    raise ValueError("no attempts")

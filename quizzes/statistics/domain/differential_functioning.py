"""Differential item functioning (DIF): whether a question is harder in one language.

Learners of both languages are compared within levels of a matching score. Marks of 0 and 1:
Mantel and Haenszel (1959) as Holland and Thayer (1988) use it; partial credit: Mantel (1963), the
standardised mean difference (Dorans and Schmitt 1991) and the cumulative odds ratio of Liu and
Agresti (1996). In every figure the first language is the reference group, the second the focal.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from quizzes.statistics.domain.intervals import ConfidenceInterval, compute_normal_quantile
from quizzes.statistics.domain.option_measures import Certainty, grade_chance
from quizzes.statistics.domain.special_functions import STANDARD_NORMAL, compute_chi_square_tail

SIGNIFICANCE = 0.05
DELTA_SCALE = -2.35
"""MH D-DIF = -2.35 ln(odds ratio): points of the ETS delta scale (Holland and Thayer 1988)."""
DELTA_SMALL = 1.0
DELTA_LARGE = 1.5
SMD_SMALL = 0.17
SMD_LARGE = 0.25
"""Bounds of the standardised mean difference over the SD of the credit (Zwick, Thayer and Mazzeo
1997; Monahan and others 2007)."""


class DifClass(StrEnum):
    """The classes of the Educational Testing Service (Zieky 1993; Dorans and Holland 1993)."""

    NEGLIGIBLE = "A"
    MODERATE = "B"
    LARGE = "C"


@dataclass(frozen=True, slots=True)
class Stratum:
    """One level of the matching score: credit -> learners, of each language."""

    reference: Mapping[Fraction, int]
    focal: Mapping[Fraction, int]

    @property
    def sizes(self) -> tuple[int, int]:
        """Return the number of learners of each language."""
        return sum(self.reference.values()), sum(self.focal.values())


@dataclass(frozen=True, slots=True)
class DifMeasures:
    """How a question functions in the focal language beside the reference language.

    `odds_ratio`: of the reference group's odds to the focal group's, at the same level; above 1 the
    question is harder in the focal language. `delta` is the same on the ETS scale, negative where
    harder in the focal language; for partial credit both are Liu and Agresti's, over all steps of
    the credit. `mean_difference`: focal less reference, in credit, at the same level;
    `effect_size`: the same over the SD of the credit. Figures without a finite value are none.
    """

    dif_class: DifClass
    is_partial: bool
    chi_square: float
    p_value: float
    odds_ratio: float | None
    odds_ratio_interval: ConfidenceInterval | None
    delta: float | None
    delta_error: float | None
    mean_difference: float
    mean_difference_interval: ConfidenceInterval | None
    effect_size: float
    reference_n: int
    focal_n: int

    @property
    def is_flagged(self) -> bool:
        """Return whether an author should look at it: class B or C."""
        return self.dif_class is not DifClass.NEGLIGIBLE

    @property
    def certainty(self) -> Certainty:
        """Return how sure it is that there is a difference at all."""
        return grade_chance(self.p_value)

    @property
    def is_harder_in_focal(self) -> bool:
        """Return whether learners of the second language earn less at the same level."""
        return self.mean_difference < 0


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """A common odds ratio as its logarithm and that one's standard error; none if not finite."""

    logarithm: float | None
    error: float | None


def select_comparable(strata: list[Stratum]) -> list[Stratum]:
    """Return the levels at which there are learners of both languages."""
    return [stratum for stratum in strata if all(stratum.sizes)]


def compute_mantel(strata: list[Stratum], correction: Fraction = Fraction(1, 2)) -> float:
    """Return the chi-square (1 degree of freedom) of Mantel (1963), of Mantel and Haenszel for 0/1.

    (|F - E(F)| - correction)^2 / Var(F), F the sum of the focal group's credits, with mean and
    variance of the hypergeometric distribution, in each level nR nF / (N^2 (N - 1)) *
    (N sum y^2 - (sum y)^2).
    The continuity correction of 1/2 is for marks of 0 and 1. 0 where nothing varies.
    """
    difference, variance = Fraction(), Fraction()
    for stratum in strata:
        n_reference, n_focal = stratum.sizes
        n = n_reference + n_focal
        pooled = _pool(stratum)
        total = _sum_credits(pooled)
        difference += _sum_credits(stratum.focal) - n_focal * total / n
        if n > 1:
            variance += n_reference * n_focal * _compute_spread(pooled) / (n * n * (n - 1))
    if not variance:
        return 0.0
    return float(max(abs(difference) - correction, Fraction()) ** 2 / variance)


def _pool(stratum: Stratum) -> Counter[Fraction]:
    return Counter(stratum.reference) + Counter(stratum.focal)


def _sum_credits(counts: Mapping[Fraction, int]) -> Fraction:
    return sum((credit * count for credit, count in counts.items()), Fraction())


def _compute_spread(counts: Mapping[Fraction, int]) -> Fraction:
    """Return N * sum of squares - square of the sum."""
    squares = sum((credit**2 * count for credit, count in counts.items()), Fraction())
    return sum(counts.values()) * squares - _sum_credits(counts) ** 2


def compute_mantel_haenszel_odds(strata: list[Stratum]) -> OddsRatio:
    """Return the common odds ratio of Mantel and Haenszel for marks of 0 and 1.

    sum(A D / N) / sum(B C / N): A, B right and wrong in the reference group, C, D in the focal. The
    variance of its logarithm is that of Robins, Breslow and Greenland (1986):
    sum(P R)/(2 R+^2) + sum(P S + Q R)/(2 R+ S+) + sum(Q S)/(2 S+^2) with P = (A+D)/N, Q = (B+C)/N,
    R = AD/N, S = BC/N.
    """
    sum_r = sum_s = sum_pr = sum_ps_qr = sum_qs = Fraction()
    for stratum in strata:
        a, c = (side.get(Fraction(1), 0) for side in (stratum.reference, stratum.focal))
        b, d = (size - right for size, right in zip(stratum.sizes, (a, c), strict=True))
        n = a + b + c + d
        p, q = Fraction(a + d, n), Fraction(b + c, n)
        r, s = Fraction(a * d, n), Fraction(b * c, n)
        sum_r += r
        sum_s += s
        sum_pr += p * r
        sum_ps_qr += p * s + q * r
        sum_qs += q * s
    if not sum_r or not sum_s:
        return OddsRatio(None, None)
    variance = sum_pr / (2 * sum_r**2) + sum_ps_qr / (2 * sum_r * sum_s) + sum_qs / (2 * sum_s**2)
    return OddsRatio(math.log(sum_r / sum_s), math.sqrt(variance))


def compute_cumulative_odds(strata: list[Stratum]) -> OddsRatio:
    """Return the common cumulative odds ratio of Liu and Agresti (1996), for partial credit.

    The ratio of Mantel and Haenszel over all cuts of the credit together. With pairs (x, y) of a
    learner of each group and places of their credits, R sums max(x - y, 0)/N, S max(y - x, 0)/N.
    Its variance is the unbiased one of the two-sample statistic R - ratio * S, by the delta method;
    it holds for few learners in many levels.
    """
    places = _rank_credits(strata)
    sum_r = sum_s = 0.0
    for stratum in strata:
        r, s = _compare_pairs(stratum, places)
        sum_r += r
        sum_s += s
    if not sum_r or not sum_s:
        return OddsRatio(None, None)
    ratio = sum_r / sum_s
    variance = sum(_compute_pair_variance(stratum, places, ratio) for stratum in strata)
    return OddsRatio(math.log(ratio), math.sqrt(max(variance, 0.0)) / sum_r)


def _rank_credits(strata: list[Stratum]) -> dict[Fraction, int]:
    levels = {credit for stratum in strata for credit in (*stratum.reference, *stratum.focal)}
    return {credit: place for place, credit in enumerate(sorted(levels))}


def _compare_pairs(stratum: Stratum, places: Mapping[Fraction, int]) -> tuple[float, float]:
    n = sum(stratum.sizes)
    r = s = 0
    for credit, count in stratum.reference.items():
        for other, other_count in stratum.focal.items():
            steps = places[credit] - places[other]
            r += max(steps, 0) * count * other_count
            s += max(-steps, 0) * count * other_count
    return r / n, s / n


def _compute_pair_variance(stratum: Stratum, places: Mapping[Fraction, int], ratio: float) -> float:
    """Return the variance of R - ratio * S of one level.

    sum over learners of the squared sum of their pairs, of both groups, less the squared pairs.
    """

    def compare(credit: Fraction, other: Fraction) -> float:
        steps = places[credit] - places[other]
        return steps if steps > 0 else ratio * steps

    total = 0.0
    focal_sums: dict[Fraction, float] = defaultdict(float)
    for credit, count in stratum.reference.items():
        row = 0.0
        for other, other_count in stratum.focal.items():
            pair = compare(credit, other)
            row += other_count * pair
            focal_sums[other] += count * pair
            total -= count * other_count * pair**2
        total += count * row**2
    total += sum(stratum.focal[other] * column**2 for other, column in focal_sums.items())
    return total / sum(stratum.sizes) ** 2


def compute_mean_difference(strata: list[Stratum]) -> tuple[float, float]:
    """Return the standardised mean difference, focal less reference, and its standard error.

    sum over levels of the focal group's share times the difference of the means. The error is the
    hypergeometric one (Zwick and Thayer 1996).
    """
    all_focal = sum(stratum.sizes[1] for stratum in strata)
    difference, variance = Fraction(), Fraction()
    for stratum in strata:
        n_reference, n_focal = stratum.sizes
        n = n_reference + n_focal
        share = Fraction(n_focal, all_focal)
        mean_focal = _sum_credits(stratum.focal) / n_focal
        difference += share * (mean_focal - _sum_credits(stratum.reference) / n_reference)
        if n > 1:
            hypergeometric = Fraction(n_reference * n_focal, n * n * (n - 1)) * _compute_spread(
                _pool(stratum)
            )
            weight = share * (Fraction(1, n_focal) + Fraction(1, n_reference))
            variance += weight**2 * hypergeometric
    return float(difference), math.sqrt(variance)


def classify_delta(delta: float | None, error: float | None, p_value: float) -> DifClass:
    """Return the ETS class of a question with marks of 0 and 1.

    A: |delta| < 1, or the Mantel-Haenszel chi-square is not significant at 5 %. C: |delta| >= 1.5
    and more than 1.645 standard errors above 1 (one-sided 5 %). B: the rest. A delta without
    bounds (nobody of one group wrong, say) is C where it is significant.
    """
    if p_value >= SIGNIFICANCE:
        return DifClass.NEGLIGIBLE
    if delta is None or error is None:
        return DifClass.LARGE
    if abs(delta) < DELTA_SMALL:
        return DifClass.NEGLIGIBLE
    limit = STANDARD_NORMAL.inv_cdf(1 - SIGNIFICANCE) * error
    is_large = abs(delta) >= DELTA_LARGE and abs(delta) - DELTA_SMALL > limit
    return DifClass.LARGE if is_large else DifClass.MODERATE


def classify_effect(effect_size: float, p_value: float) -> DifClass:
    """Return the class of a question with partial credit, by the mean difference over the SD.

    A: at most 0.17, or Mantel's chi-square is not significant at 5 %; C: above 0.25; B: between.
    """
    if p_value >= SIGNIFICANCE or abs(effect_size) <= SMD_SMALL:
        return DifClass.NEGLIGIBLE
    return DifClass.LARGE if abs(effect_size) > SMD_LARGE else DifClass.MODERATE


def measure_dif(strata: list[Stratum]) -> DifMeasures | None:
    """Return how a question functions in both languages; none where no level has both."""
    comparable = select_comparable(strata)
    if not comparable:
        return None
    pooled = sum((_pool(stratum) for stratum in comparable), Counter[Fraction]())
    is_partial = not set(pooled) <= {Fraction(0), Fraction(1)}
    correction = Fraction(0) if is_partial else Fraction(1, 2)
    chi_square = compute_mantel(comparable, correction)
    p_value = compute_chi_square_tail(chi_square)
    odds = (compute_cumulative_odds if is_partial else compute_mantel_haenszel_odds)(comparable)
    delta = None if odds.logarithm is None else DELTA_SCALE * odds.logarithm
    error = None if odds.error is None else -DELTA_SCALE * odds.error
    difference, difference_error = compute_mean_difference(comparable)
    n = pooled.total()
    sd = math.sqrt(_compute_spread(pooled) / (n * (n - 1)))
    effect_size = difference / sd if sd else 0.0
    z = compute_normal_quantile(0.95)
    interval = None
    if odds.logarithm is not None and odds.error is not None:
        interval = ConfidenceInterval(
            math.exp(odds.logarithm - z * odds.error), math.exp(odds.logarithm + z * odds.error)
        )
    return DifMeasures(
        dif_class=(
            classify_effect(effect_size, p_value)
            if is_partial
            else classify_delta(delta, error, p_value)
        ),
        is_partial=is_partial,
        chi_square=chi_square,
        p_value=p_value,
        odds_ratio=None if odds.logarithm is None else math.exp(odds.logarithm),
        odds_ratio_interval=interval,
        delta=delta,
        delta_error=error,
        mean_difference=difference,
        mean_difference_interval=ConfidenceInterval(
            difference - z * difference_error, difference + z * difference_error
        ),
        effect_size=effect_size,
        reference_n=sum(stratum.sizes[0] for stratum in comparable),
        focal_n=sum(stratum.sizes[1] for stratum in comparable),
    )

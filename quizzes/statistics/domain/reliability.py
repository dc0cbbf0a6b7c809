"""How repeatable scores are: Cronbach's alpha, the standard error, decisions at the pass mark."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from quizzes.statistics.domain.cautions import FEW_ATTEMPTS, Caution
from quizzes.statistics.domain.exact_moments import Counted, compute_pair_moments
from quizzes.statistics.domain.intervals import ConfidenceInterval, compute_feldt
from quizzes.statistics.domain.special_functions import STANDARD_NORMAL, compute_normal_pair


@dataclass(frozen=True, slots=True)
class Reliability:
    """A coefficient, its interval, and the standard error of measurement in points of the score."""

    coefficient: Fraction | None
    interval: ConfidenceInterval | None
    standard_error: float | None
    n: int
    questions: int
    cautions: tuple[Caution, ...] = ()


def compute_alpha(item_variances: Sequence[Fraction], total_variance: Fraction) -> Fraction | None:
    """Return Cronbach's alpha (1951): k/(k-1) * (1 - sum of question variances / total variance).

    All variances with n - 1 (or all with n: the ratio is the same). For marks of 0 and 1 it is
    KR-20 (Kuder and Richardson 1937). None for one question, or where totals do not vary.
    """
    k = len(item_variances)
    if k < 2 or not total_variance:  # noqa: PLR2004 (k - 1 divides)
        return None
    return Fraction(k, k - 1) * (1 - sum(item_variances) / total_variance)


def compute_standard_error(variance: Fraction, coefficient: Fraction) -> float:
    """Return the standard error of measurement, SD * sqrt(1 - reliability), in points.

    A coefficient below 0 is an estimate of at least 0: then the error is more than the SD, as
    Moodle says it.
    """
    return math.sqrt(variance * (1 - coefficient))


def compute_drawn_coefficient(
    totals: Sequence[tuple[Fraction, Fraction, int]], k: int
) -> Fraction | None:
    """Return the reliability of scores where each learner has k questions drawn at random.

    The design with questions nested in persons (Lord 1955; Brennan 2001, p. 35): the variance of
    a total by the draw is k times the variance (k - 1) of the attempt's own marks, on average, and
    the coefficient is the rest of the variance of totals (n - 1). It counts easy and hard draws as
    error, so where a part of the paper is the same for all it is a lower bound. `totals`: sum of
    marks, sum of their squares, attempts. For marks of 0 and 1 its error is Lord's,
    X(k - X)/(k - 1). None where totals do not vary.
    """
    if k < 2:  # noqa: PLR2004 (k - 1 divides)
        return None
    rows = [(total, squares - total**2 / k, count) for total, squares, count in totals]
    moments = compute_pair_moments(rows)
    if not moments.variance_x:
        return None
    return 1 - moments.mean_y * Fraction(k, k - 1) / moments.variance_x


def describe_reliability(
    coefficient: Fraction | None,
    variance: Fraction | None,
    n: int,
    questions: int,
    *cautions: Caution,
) -> Reliability:
    """Return a coefficient with interval and standard error, or the reason why there is none."""
    if coefficient is None or variance is None:
        reason = Caution.TOO_FEW_ATTEMPTS
        if variance is not None:
            reason = Caution.NO_VARIATION if questions > 1 else Caution.ONE_QUESTION
        return Reliability(None, None, None, n, questions, cautions or (reason,))
    return Reliability(
        coefficient=coefficient,
        interval=compute_feldt(coefficient, n, questions),
        standard_error=compute_standard_error(variance, coefficient),
        n=n,
        questions=questions,
        cautions=(*cautions, *([Caution.FEW_ATTEMPTS] if n < FEW_ATTEMPTS else [])),
    )


@dataclass(frozen=True, slots=True)
class PassDecision:
    """What the error of measurement means at the pass mark; scores in points.

    `standard_error`: of a learner whose true score is the pass mark. `uncertain`: how many
    attempts lie within one such error of it. `consistency`: how often two equivalent quizzes would
    decide alike on the same learner; `kappa` the same beyond chance.
    """

    pass_score: Fraction
    standard_error: float
    uncertain: int
    n: int
    consistency: float
    kappa: float

    def estimate_failure(self, true_score: float) -> float:
        """Return how often a learner with this true score falls below the pass mark."""
        if not self.standard_error:
            return float(true_score < self.pass_score)
        return STANDARD_NORMAL.cdf((float(self.pass_score) - true_score) / self.standard_error)


def estimate_conditional_error(
    scores: Sequence[Counted], maximum: Fraction, error_variance: float, score: Fraction
) -> float:
    """Return the standard error of measurement of learners at one score, by Keats (1957).

    The binomial shape X(K - X) of Lord (1955), scaled so that its mean over all attempts is the
    error variance of the quiz. It is 0 at both ends of the scale.
    """
    spread = [(max(total * (maximum - total), Fraction()), count) for total, count in scores]
    mean = sum(width * count for width, count in spread) / sum(count for _width, count in spread)
    if not mean:
        return 0.0
    return math.sqrt(max(0.0, error_variance * float(score * (maximum - score) / mean)))


def find_score_step(scores: Sequence[Fraction]) -> Fraction:
    """Return the largest step of which all scores are multiples: 1 where they are whole points."""
    unit = math.lcm(*(score.denominator for score in scores))
    return Fraction(math.gcd(*(int(score * unit) for score in scores)), unit)


def estimate_pass_decision(
    scores: Sequence[Counted], maximum: Fraction, pass_score: Fraction, coefficient: Fraction
) -> PassDecision | None:
    """Return what the reliability means at the pass mark; none where scores do not vary.

    Consistency by Peng and Subkoviak (1980): two scores on equivalent quizzes are taken as normal
    with the reliability as correlation, and the pass mark lies half a score step lower (0.5 where
    scores are whole points). A reliability below 0 counts as 0.
    """
    moments = compute_pair_moments((score, score, count) for score, count in scores)
    if not moments.variance_x:
        return None
    correlation = min(max(float(coefficient), 0.0), 1 - 1e-12)
    error_variance = float(moments.variance_x) * (1 - correlation)
    error = estimate_conditional_error(scores, maximum, error_variance, pass_score)
    limit = pass_score - find_score_step([score for score, _count in scores]) / 2
    z = float(limit - moments.mean_x) / math.sqrt(moments.variance_x)
    below = STANDARD_NORMAL.cdf(z)
    consistency = 1 + 2 * (compute_normal_pair(z, correlation) - below)
    chance = below**2 + (1 - below) ** 2
    return PassDecision(
        pass_score=pass_score,
        standard_error=error,
        uncertain=sum(count for score, count in scores if abs(score - pass_score) <= error),
        n=moments.n,
        consistency=consistency,
        kappa=(consistency - chance) / (1 - chance) if chance < 1 else 0.0,
    )

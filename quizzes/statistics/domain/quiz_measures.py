"""Measures of a quiz version: how scores lie, how reliable they are, how long it takes."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from quizzes.statistics.domain.cautions import Caution
from quizzes.statistics.domain.exact_moments import (
    compute_central_moment,
    compute_pair_moments,
    compute_quantile,
)
from quizzes.statistics.domain.intervals import ConfidenceInterval, compute_mean_interval
from quizzes.statistics.domain.reliability import (
    PassDecision,
    Reliability,
    compute_alpha,
    compute_drawn_coefficient,
    describe_reliability,
    estimate_pass_decision,
)
from quizzes.statistics.domain.states import QuizState, ScoreKey, ScoreState

TIME_SHARES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
"""Of the learners, who were done after so many seconds."""
HISTOGRAM_BARS = 20


@dataclass(frozen=True, slots=True)
class ScoreMeasures:
    """How the scores of attempts lie, in points (or as a share, where maxima differ).

    `sd`, `skewness` and `kurtosis` are estimates for the population, as Moodle has them: variance
    with n - 1, k3 / k2^1.5 and k4 / k2^2 of Fisher's k statistics (0 for a normal distribution).
    """

    n: int
    maximum: Fraction
    mean: Fraction
    interval: ConfidenceInterval | None
    median: Fraction
    variance: Fraction | None
    skewness: float | None
    kurtosis: float | None
    passed: int
    cautions: tuple[Caution, ...] = ()

    @property
    def sd(self) -> float | None:
        """Return the standard deviation (n - 1)."""
        return None if self.variance is None else math.sqrt(self.variance)


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """Attempts with a share of the maximum from `low` up to, not including, `high`.

    The last bar includes its upper end.
    """

    low: Fraction
    high: Fraction
    count: int


@dataclass(frozen=True, slots=True)
class QuizMeasures:
    """All measures of a quiz version; `scores` is none where there are no attempts."""

    scores: ScoreMeasures | None
    histogram: tuple[HistogramBar, ...]
    reliability: Reliability
    pass_decision: PassDecision | None
    time_quantiles: Mapping[Fraction, Fraction]
    """Share of the attempts -> seconds; empty where no time was measured."""


def _count_scores(state: ScoreState) -> tuple[Counter[Fraction], Fraction, bool]:
    """Return the scores, what they are out of, and whether they are shares of different maxima."""
    maxima = {row.maximum for row, _count in state.rows}
    is_share = len(maxima) > 1
    scores: Counter[Fraction] = Counter()
    for row, count in state.rows:
        maximum = Fraction(*row.maximum)
        score = Fraction(*row.score)
        scores[_divide(score, maximum) if is_share else score] += count
    return scores, Fraction(1) if is_share else Fraction(*maxima.pop()), is_share


def _divide(score: Fraction, maximum: Fraction) -> Fraction:
    return score / maximum if maximum else Fraction()


def compute_shape(scores: Mapping[Fraction, int]) -> tuple[float | None, float | None]:
    """Return skewness and kurtosis from Fisher's k statistics; none where n or spread is too small.

    k2 = n m2/(n-1), k3 = n^2 m3/((n-1)(n-2)), k4 = n^2((n+1) m4 - 3(n-1) m2^2)/((n-1)(n-2)(n-3)).
    """
    n = sum(scores.values())
    m2 = compute_central_moment(scores, 2) if n else Fraction()
    if not m2 or n <= 2:  # noqa: PLR2004 (n - 2 divides)
        return None, None
    k2 = m2 * n / (n - 1)
    k3 = n**2 * compute_central_moment(scores, 3) / ((n - 1) * (n - 2))
    skewness = float(k3) / float(k2) ** 1.5
    if n == 3:  # noqa: PLR2004 (n - 3 divides)
        return skewness, None
    m4 = compute_central_moment(scores, 4)
    k4 = n**2 * ((n + 1) * m4 - 3 * (n - 1) * m2**2) / ((n - 1) * (n - 2) * (n - 3))
    return skewness, float(k4 / k2**2)


def measure_scores(state: ScoreState, pass_threshold: Fraction) -> ScoreMeasures | None:
    """Return how scores lie; none without attempts. Passed: at least that share of the maximum."""
    if not state.rows:
        return None
    scores, maximum, is_share = _count_scores(state)
    moments = compute_pair_moments((score, score, count) for score, count in scores.items())
    variance = moments.variance_x
    skewness, kurtosis = compute_shape(scores)
    interval = None
    if variance is not None:
        interval = compute_mean_interval(float(moments.mean_x), float(variance), moments.n)
    return ScoreMeasures(
        n=moments.n,
        maximum=maximum,
        mean=moments.mean_x,
        interval=interval and interval.clamp(0.0, float(maximum)),
        median=compute_quantile(scores, Fraction(1, 2)),
        variance=variance,
        skewness=skewness,
        kurtosis=kurtosis,
        passed=sum(count for score, count in scores.items() if score >= pass_threshold * maximum),
        cautions=(Caution.DIFFERENT_MAXIMA,) if is_share else (),
    )


def build_histogram(state: ScoreState, bars: int = HISTOGRAM_BARS) -> tuple[HistogramBar, ...]:
    """Return bars of equal width over 0 to 100 %, the empty ones too; () without attempts."""
    if not state.rows:
        return ()
    counts: Counter[int] = Counter()
    for row, count in state.rows:
        share = _divide(Fraction(*row.score), Fraction(*row.maximum))
        counts[min(max(math.floor(share * bars), 0), bars - 1)] += count
    return tuple(
        HistogramBar(Fraction(place, bars), Fraction(place + 1, bars), counts[place])
        for place in range(bars)
    )


def measure_reliability(
    state: QuizState, keep: Callable[[ScoreKey], bool] = lambda _key: True
) -> Reliability:
    """Return Cronbach's alpha where everybody had the same questions.

    Where questions were drawn, the coefficient of a random draw, if all are of equal worth and
    number; else none, with the reason. Marks are as they were earned, not lifted to zero.
    """
    rows = state.select_scores(keep).rows
    n = rows.n
    if not n:
        return Reliability(None, None, None, 0, 0, (Caution.NO_ATTEMPTS,))
    totals = [
        (Fraction(*row.mark_total), Fraction(*row.mark_squares), count) for row, count in rows
    ]
    variance = compute_pair_moments((total, total, count) for total, _, count in totals).variance_x
    answers = [state.select_answers(question, keep).rows for question in state.questions]
    answers = [table for table in answers if table]
    numbers = {row.questions for row, _count in rows}
    if all(table.n == n for table in answers) and numbers == {len(answers)}:
        variances = [
            compute_pair_moments(
                (mark, mark, count)
                for row, count in table
                for mark in [Fraction(*row.credit) * Fraction(*row.points)]
            ).variance_x
            or Fraction()
            for table in answers
        ]
        alpha = None if variance is None else compute_alpha(variances, variance)
        return describe_reliability(alpha, variance, n, len(answers))
    worths = {row.points for table in answers for row, _count in table}
    if len(worths) > 1 or len(numbers) > 1:
        return Reliability(None, None, None, n, max(numbers), (Caution.UNEQUAL_DRAWS,))
    (questions,) = numbers
    coefficient = compute_drawn_coefficient(totals, questions)
    if coefficient is None:
        return describe_reliability(coefficient, variance, n, questions)
    return describe_reliability(coefficient, variance, n, questions, Caution.DRAWN_QUESTIONS)


def measure_quiz(
    state: QuizState,
    pass_threshold: Fraction,
    keep: Callable[[ScoreKey], bool] = lambda _key: True,
) -> QuizMeasures:
    """Return all measures of a quiz version, of the languages and attempt numbers to keep."""
    score_state = state.select_scores(keep)
    scores = measure_scores(score_state, pass_threshold)
    reliability = measure_reliability(state, keep)
    decision = None
    if scores and reliability.coefficient is not None and not scores.cautions:
        counted = [(Fraction(*row.score), count) for row, count in score_state.rows]
        decision = estimate_pass_decision(
            counted, scores.maximum, pass_threshold * scores.maximum, reliability.coefficient
        )
    seconds = {Fraction(second): count for second, count in score_state.seconds}
    quantiles = {share: compute_quantile(seconds, share) for share in TIME_SHARES if seconds}
    return QuizMeasures(scores, build_histogram(score_state), reliability, decision, quantiles)

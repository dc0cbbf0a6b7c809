"""Measures of a question version in a quiz: how hard it is, how well it tells learners apart."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from quizzes.statistics.domain.cautions import FEW_ATTEMPTS, Caution
from quizzes.statistics.domain.exact_moments import (
    compute_pair_moments,
    compute_quantile,
    compute_sorted_covariance,
)
from quizzes.statistics.domain.frequencies import FrequencyTable
from quizzes.statistics.domain.intervals import (
    ConfidenceInterval,
    compute_fisher,
    compute_mean_interval,
    compute_wilson,
)
from quizzes.statistics.domain.states import AnswerState, ResponseRow

THIRD = Fraction(1, 3)
TIME_SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


@dataclass(frozen=True, slots=True)
class CountedAnswer:
    """A row of an `AnswerState` with its fractions, and how often it occurs."""

    credit: Fraction
    mark: Fraction
    total: Fraction
    choice: frozenset[str] | None
    is_omitted: bool
    count: int

    @property
    def rest(self) -> Fraction:
        """Return the sum of the other marks of the attempt."""
        return self.total - self.mark


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's correlation with Fisher's interval; the value is none with a caution why."""

    value: float | None
    interval: ConfidenceInterval | None
    n: int
    cautions: tuple[Caution, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionMeasures:
    """The measures of a question version.

    `facility`: mean credit. An omitted answer counts with what it earned, 0. `sd`: of the credit,
    n - 1. `discrimination`: mark and rest of the marks. `efficiency`: covariance of mark and rest
    over the largest that both could have. `effective_weight`: share of the variance of totals,
    filled in by `compute_effective_weights`; none with its reason in `cautions`.
    `upper_lower_difference`: facility of the upper third less that of the lower third.
    """

    n: int
    facility: Fraction
    facility_interval: ConfidenceInterval | None
    sd: float | None
    discrimination: Correlation
    efficiency: float | None
    covariance_with_total: Fraction | None
    effective_weight: float | None
    upper_lower_difference: Fraction | None
    omitted: int
    omitted_interval: ConfidenceInterval
    time_quantiles: Mapping[Fraction, Fraction]
    cautions: tuple[Caution, ...] = ()


def read_answers(rows: FrequencyTable[ResponseRow]) -> list[CountedAnswer]:
    """Return the rows of a state with fractions and sets."""
    return [
        CountedAnswer(
            credit=Fraction(*row.credit),
            mark=Fraction(*row.credit) * Fraction(*row.points),
            total=Fraction(*row.mark_total),
            choice=None if row.choice is None else frozenset(row.choice.split()),
            is_omitted=row.is_omitted,
            count=count,
        )
        for row, count in rows
    ]


def correlate(pairs: Iterable[tuple[Fraction, Fraction, int]]) -> Correlation:
    """Return the correlation of counted pairs with its interval, or why there is none."""
    moments = compute_pair_moments(pairs)
    if moments.n < 2:  # noqa: PLR2004 (n - 1 divides)
        return Correlation(None, None, moments.n, (Caution.TOO_FEW_ATTEMPTS,))
    value = moments.correlation
    if value is None:
        return Correlation(None, None, moments.n, (Caution.NO_VARIATION,))
    cautions = (Caution.FEW_ATTEMPTS,) if moments.n < FEW_ATTEMPTS else ()
    return Correlation(value, compute_fisher(value, moments.n), moments.n, cautions)


def compute_facility_interval(answers: list[CountedAnswer]) -> ConfidenceInterval | None:
    """Return Wilson's interval where every credit is 0 or 1, else Student's of the mean credit.

    None for a single partial credit. Student's is cut at 1, and at 0 unless an answer cost points.
    """
    n = sum(answer.count for answer in answers)
    if all(answer.credit in {0, 1} for answer in answers):
        return compute_wilson(sum(answer.count for answer in answers if answer.credit), n)
    moments = compute_pair_moments(
        (answer.credit, answer.credit, answer.count) for answer in answers
    )
    interval = compute_mean_interval(
        float(moments.mean_x), float(moments.variance_x or 0), moments.n
    )
    lowest = min(Fraction(), *(answer.credit for answer in answers))
    return interval and interval.clamp(float(lowest), 1.0)


def assign_groups(totals: Mapping[Fraction, int], share: Fraction = THIRD) -> dict[Fraction, int]:
    """Return for each total its group: 0 lower, 1 middle, 2 upper.

    Equal totals stay together. A total is in the lower group if the middle of its ranks, (number
    below + half of its own) / n, is less than `share`, in the upper if more than 1 - share. So the
    groups are as large as the share asks where totals do not tie (Kelley 1939 has 27 %; thirds are
    what option curves are drawn by).
    """
    n = sum(totals.values())
    groups = {}
    below = 0
    for total, count in sorted(totals.items()):
        rank = Fraction(2 * below + count, 2 * n)
        groups[total] = 0 if rank < share else 2 if rank > 1 - share else 1
        below += count
    return groups


def count_totals(answers: Iterable[CountedAnswer]) -> Counter[Fraction]:
    """Return how many attempts have each total."""
    totals: Counter[Fraction] = Counter()
    for answer in answers:
        totals[answer.total] += answer.count
    return totals


def compute_upper_lower_difference(
    answers: list[CountedAnswer], share: Fraction = THIRD
) -> Fraction | None:
    """Return the mean credit of the upper group less that of the lower; none where one is empty."""
    groups = assign_groups(count_totals(answers), share)
    means = []
    for group in (2, 0):
        members = [answer for answer in answers if groups[answer.total] == group]
        if not members:
            return None
        earned = sum((answer.credit * answer.count for answer in members), Fraction())
        means.append(earned / sum(answer.count for answer in members))
    return means[0] - means[1]


def compute_efficiency(answers: list[CountedAnswer]) -> float | None:
    """Return cov(mark, rest) / cov(sorted marks, sorted rests), as Moodle defines it.

    None where marks or rests do not vary.
    """
    marks: Counter[Fraction] = Counter()
    rests: Counter[Fraction] = Counter()
    for answer in answers:
        marks[answer.mark] += answer.count
        rests[answer.rest] += answer.count
    largest = compute_sorted_covariance(marks, rests)
    covariance = compute_pair_moments(
        (answer.mark, answer.rest, answer.count) for answer in answers
    ).covariance
    if not largest or covariance is None:
        return None
    return float(covariance / largest)


def measure_question(state: AnswerState) -> QuestionMeasures | None:
    """Return the measures of the answers to a question version; none where there are none."""
    answers = read_answers(state.rows)
    if not answers:
        return None
    n = state.rows.n
    moments = compute_pair_moments((answer.mark, answer.total, answer.count) for answer in answers)
    credit_moments = compute_pair_moments(
        (answer.credit, answer.credit, answer.count) for answer in answers
    )
    omitted = sum(answer.count for answer in answers if answer.is_omitted)
    seconds = {Fraction(second): count for second, count in state.seconds}
    variance = credit_moments.variance_x
    return QuestionMeasures(
        n=n,
        facility=credit_moments.mean_x,
        facility_interval=compute_facility_interval(answers),
        sd=None if variance is None else math.sqrt(variance),
        discrimination=correlate((answer.mark, answer.rest, answer.count) for answer in answers),
        efficiency=compute_efficiency(answers),
        covariance_with_total=moments.covariance,
        effective_weight=None,
        upper_lower_difference=compute_upper_lower_difference(answers),
        omitted=omitted,
        omitted_interval=compute_wilson(omitted, n),
        time_quantiles={
            share: compute_quantile(seconds, share) for share in TIME_SHARES if seconds
        },
        cautions=(Caution.FEW_ATTEMPTS,) if n < FEW_ATTEMPTS else (),
    )


def compute_effective_weights(
    measures: Mapping[str, QuestionMeasures],
) -> dict[str, QuestionMeasures]:
    """Return the measures with the effective weight of each question in its quiz.

    sqrt(cov(mark, total)) over the sum of the same, as Moodle defines it; questions with a negative
    covariance are left out of the sum and have none.
    """
    roots = {
        question: math.sqrt(measure.covariance_with_total)
        for question, measure in measures.items()
        if measure.covariance_with_total is not None and measure.covariance_with_total >= 0
    }
    total = sum(roots.values())
    weighted = {}
    for question, measure in measures.items():
        if question in roots and total:
            weighted[question] = replace(measure, effective_weight=roots[question] / total)
        else:
            is_negative = (measure.covariance_with_total or 0) < 0
            reason = Caution.NEGATIVE_COVARIANCE if is_negative else Caution.NO_VARIATION
            weighted[question] = replace(measure, cautions=(*measure.cautions, reason))
    return weighted

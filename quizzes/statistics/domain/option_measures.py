"""Which options learners of each third chose, and what that says about key and distractors."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from quizzes.statistics.domain.cautions import FEW_ATTEMPTS
from quizzes.statistics.domain.intervals import ConfidenceInterval, compute_wilson
from quizzes.statistics.domain.question_measures import (
    Correlation,
    CountedAnswer,
    assign_groups,
    correlate,
    count_totals,
    read_answers,
)
from quizzes.statistics.domain.special_functions import (
    STANDARD_NORMAL,
    compute_incomplete_beta,
)
from quizzes.statistics.domain.states import AnswerState

FUNCTIONING_SHARE = 0.05
"""A distractor that fewer choose does not do its work (Haladyna and Downing 1993)."""


class Certainty(StrEnum):
    """How sure a remark is: how rarely chance alone would bring it about."""

    POSSIBLE = "possible"
    """More than once in 20 times: the figures point there, no more."""
    LIKELY = "likely"
    """At most once in 20 times."""
    VERY_LIKELY = "very_likely"
    """At most once in 1000 times."""


class OptionRemark(StrEnum):
    """What an author should look at."""

    KEY_AVOIDED_BY_GOOD_LEARNERS = "key_avoided_by_good_learners"
    """Right by the key, and chosen less by learners who do well in the rest, or less than another
    option by the upper third: probably wrong."""
    DISTRACTOR_CHOSEN_BY_GOOD_LEARNERS = "distractor_chosen_by_good_learners"
    """Wrong by the key, and chosen more by learners who do well in the rest."""
    DISTRACTOR_NEVER_CHOSEN = "distractor_never_chosen"
    DISTRACTOR_RARELY_CHOSEN = "distractor_rarely_chosen"


@dataclass(frozen=True, slots=True)
class GroupCount:
    """How many of a third of the learners, by total score, chose an option."""

    chosen: int
    n: int

    @property
    def share(self) -> float | None:
        """Return the share that chose it; none of an empty third."""
        return self.chosen / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class OptionMeasures:
    """How one option was chosen. `groups`: lower, middle, upper third by total score.

    `discrimination`: chosen (1) or not (0), and the rest of the marks. An omitted answer chose
    nothing and counts.
    """

    option: str
    is_right: bool
    chosen: int
    n: int
    interval: ConfidenceInterval
    groups: tuple[GroupCount, GroupCount, GroupCount]
    discrimination: Correlation
    remarks: tuple[tuple[OptionRemark, Certainty], ...] = ()


def grade_certainty(correlation: Correlation) -> Certainty:
    """Return how sure the sign of a correlation is, from Fisher's z, one-sided."""
    if correlation.value is None or correlation.interval is None:
        return Certainty.POSSIBLE
    if abs(correlation.value) >= 1:
        is_small = correlation.n < FEW_ATTEMPTS
        return Certainty.LIKELY if is_small else Certainty.VERY_LIKELY
    z = math.atanh(abs(correlation.value)) * math.sqrt(correlation.n - 3)
    return grade_chance(STANDARD_NORMAL.cdf(-z))


def grade_chance(probability: float) -> Certainty:
    """Return how sure a remark is that chance brings about so often."""
    if probability <= 0.001:  # noqa: PLR2004 (see Certainty)
        return Certainty.VERY_LIKELY
    return Certainty.LIKELY if probability <= 0.05 else Certainty.POSSIBLE  # noqa: PLR2004 (the same)


def _grade_avoidance(key: int, others: Sequence[int]) -> Certainty:
    """Return how sure it is that the upper third prefers another option to the only right one.

    `key`, `others`: how many of it chose each. A sign test against the one that most of it chose,
    one-sided, by Bonferroni for all that it could have been.
    """
    most = max(others, default=0)
    if most <= key:
        return Certainty.POSSIBLE
    return grade_chance(len(others) * compute_incomplete_beta(most, key + 1, 0.5))


def _remark(
    *, is_right: bool, chosen: int, n: int, discrimination: Correlation, avoidance: Certainty
) -> list[tuple[OptionRemark, Certainty]]:
    remarks = []
    value = discrimination.value or 0.0
    if is_right:
        grades = [grade_certainty(discrimination)] if value < 0 else []
        if avoidance != Certainty.POSSIBLE:
            grades.append(avoidance)
        if grades:
            surest = max(grades, key=list(Certainty).index)
            remarks.append((OptionRemark.KEY_AVOIDED_BY_GOOD_LEARNERS, surest))
        return remarks
    certainty = grade_certainty(discrimination)
    if value > 0 and certainty != Certainty.POSSIBLE:
        remarks.append((OptionRemark.DISTRACTOR_CHOSEN_BY_GOOD_LEARNERS, certainty))
    if chosen / n < FUNCTIONING_SHARE:
        # How rarely as few choose it, if one in 20 of all learners would: the binomial tail.
        tail = compute_incomplete_beta(n - chosen, chosen + 1, 1 - FUNCTIONING_SHARE)
        rare, never = OptionRemark.DISTRACTOR_RARELY_CHOSEN, OptionRemark.DISTRACTOR_NEVER_CHOSEN
        remarks.append((rare if chosen else never, grade_chance(tail)))
    return remarks


def _count_groups(
    option: str, answers: Sequence[CountedAnswer], groups: Mapping[Fraction, int]
) -> tuple[GroupCount, GroupCount, GroupCount]:
    chosen, sizes = [0, 0, 0], [0, 0, 0]
    for answer in answers:
        group = groups[answer.total]
        sizes[group] += answer.count
        chosen[group] += answer.count * (option in (answer.choice or ()))
    lower, middle, upper = map(GroupCount, chosen, sizes)
    return lower, middle, upper


def measure_options(
    state: AnswerState, options: Sequence[str], right: Collection[str]
) -> tuple[OptionMeasures, ...]:
    """Return the measures of each option of a question, in the order of the options.

    `options` are all that could be chosen, `right` those that the key calls right. () where nobody
    answered.
    """
    answers = read_answers(state.rows)
    groups = assign_groups(count_totals(answers))
    n = state.rows.n
    counts = {option: _count_groups(option, answers, groups) for option in options} if n else {}
    upper = {option: own[-1].chosen for option, own in counts.items()}
    others = [chosen for option, chosen in upper.items() if option not in right]
    measures = []
    for option in options if n else ():
        chosen = sum(answer.count for answer in answers if option in (answer.choice or ()))
        discrimination = correlate(
            (Fraction(option in (answer.choice or ())), answer.rest, answer.count)
            for answer in answers
        )
        is_right = option in right
        remarks = _remark(
            is_right=is_right,
            chosen=chosen,
            n=n,
            discrimination=discrimination,
            avoidance=_grade_avoidance(upper[option], others)
            if len(right) == 1
            else Certainty.POSSIBLE,
        )
        measures.append(
            OptionMeasures(
                option=option,
                is_right=is_right,
                chosen=chosen,
                n=n,
                interval=compute_wilson(chosen, n),
                groups=counts[option],
                discrimination=discrimination,
                remarks=tuple(remarks),
            )
        )
    return tuple(measures)

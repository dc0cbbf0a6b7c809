"""DIF of all questions of a quiz, matched by questions that themselves function alike.

Stage one matches by all questions that everybody had; questions that are flagged leave the
matching score, and it is done again until the same ones are flagged (Holland and Thayer 1988;
Clauser and others 1993). The question under study always belongs to its own matching score,
without which groups of different ability would be flagged wrongly.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from quizzes.statistics.domain.attempt_record import AttemptRecord
from quizzes.statistics.domain.cautions import Caution
from quizzes.statistics.domain.differential_functioning import DifMeasures, Stratum, measure_dif
from quizzes.statistics.domain.frequencies import FrequencyTable

FEWEST_LEARNERS = 50
"""Of each language: below this nothing can be said. ETS asks for 100 to 200."""
RECOMMENDED_LEARNERS = 200
FEWEST_COMMON = 5
"""Questions that everybody had, without which learners cannot be matched."""
MAX_STAGES = 10

Answers = tuple[tuple[str, Fraction, Fraction], ...]
"""Question, credit and points of each response of an attempt."""


@dataclass
class ResponsePatterns:
    """Attempts by language and answers: what matching needs, and a sum of marks does not hold.

    `add` the first attempts of learners alone: each learner once.
    """

    rows: FrequencyTable[tuple[str, Answers]] = field(default_factory=FrequencyTable)

    def add(self, attempt: AttemptRecord) -> None:
        """Count an attempt."""
        self.rows.add(self._build_row(attempt))

    def remove(self, attempt: AttemptRecord) -> None:
        """Take out an attempt as it was counted; NotCounted where it was not."""
        self.rows.remove(self._build_row(attempt))

    @staticmethod
    def _build_row(attempt: AttemptRecord) -> tuple[str, Answers]:
        answers = sorted(
            (response.question, response.credit, response.points) for response in attempt.responses
        )
        return attempt.language, tuple(answers)


@dataclass(frozen=True, slots=True)
class DifReport:
    """The measures of each question, and what they were matched by.

    `measures` is empty where `cautions` say why nothing can be said. A question that no level has
    in both languages is not among them.
    """

    reference: str
    focal: str
    reference_n: int
    focal_n: int
    measures: dict[str, DifMeasures]
    anchor: frozenset[str]
    stages: int
    cautions: tuple[Caution, ...] = ()

    @property
    def flagged(self) -> frozenset[str]:
        """Return the questions of class B or C."""
        return frozenset(
            question for question, measure in self.measures.items() if measure.is_flagged
        )


class ScaledAnswer(NamedTuple):
    """A response with its mark and points as multiples of a unit that all of them share.

    `credit` is a place in the list of all credits: whole numbers are counted faster than fractions.
    """

    question: str
    credit: int
    mark: int
    points: int


@dataclass(frozen=True, slots=True)
class ScaledPattern:
    """Learners with the same answers; `side` is 0 for the reference language, 1 for the focal."""

    side: int
    answers: tuple[ScaledAnswer, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ScaledPatterns:
    """Attempts ready to be matched, and the credits that their answers name by place."""

    patterns: list[ScaledPattern]
    credits: list[Fraction]


def scale_patterns(patterns: FrequencyTable[tuple[str, Answers]], reference: str) -> ScaledPatterns:
    """Return the patterns with whole marks, which are summed once a question and stage."""
    rows = list(patterns)
    distinct = {
        (credit, points) for (_, answers), _count in rows for _question, credit, points in answers
    }
    unit = math.lcm(*(credit.denominator * points.denominator for credit, points in distinct))
    credit_list = sorted({credit for credit, _points in distinct})
    scaled = {
        (credit, points): (
            credit_list.index(credit),
            int(credit * points * unit),
            int(points * unit),
        )
        for credit, points in distinct
    }
    scaled_patterns = [
        ScaledPattern(
            int(language != reference),
            tuple(
                ScaledAnswer(question, *scaled[credit, points])
                for question, credit, points in answers
            ),
            count,
        )
        for (language, answers), count in rows
    ]
    return ScaledPatterns(scaled_patterns, credit_list)


def build_strata(scaled: ScaledPatterns, anchor: frozenset[str]) -> dict[str, list[Stratum]]:
    """Return the levels of the matching score of each question, in their order.

    The matching score is the share of the points of the anchor and the question itself, times
    their number, rounded to the nearest whole number (a half up): number right for marks of 0
    and 1 of equal worth.
    """
    tables: dict[str, dict[int, tuple[Counter[int], Counter[int]]]] = defaultdict(
        lambda: defaultdict(lambda: (Counter(), Counter()))
    )
    for pattern in scaled.patterns:
        in_anchor = [answer for answer in pattern.answers if answer.question in anchor]
        marks = sum(answer.mark for answer in in_anchor)
        maximum = sum(answer.points for answer in in_anchor)
        for answer in pattern.answers:
            level = (
                _compute_level(marks, maximum, len(in_anchor))
                if answer.question in anchor
                else _compute_level(
                    marks + answer.mark, maximum + answer.points, len(in_anchor) + 1
                )
            )
            tables[answer.question][level][pattern.side][answer.credit] += pattern.count
    return {
        question: [
            Stratum(*(_name_credits(side, scaled.credits) for side in levels[level]))
            for level in sorted(levels)
        ]
        for question, levels in tables.items()
    }


def _name_credits(counts: Mapping[int, int], credit_list: list[Fraction]) -> dict[Fraction, int]:
    return {credit_list[place]: count for place, count in counts.items()}


def _compute_level(marks: int, maximum: int, questions: int) -> int:
    """Return the level of a sum of marks; answers that cost count as level 0."""
    if not maximum:
        return 0
    return max(0, (2 * marks * questions + maximum) // (2 * maximum))


def find_common_questions(patterns: FrequencyTable[tuple[str, Answers]]) -> frozenset[str]:
    """Return the questions that every attempt had."""
    question_sets = [
        frozenset(question for question, _credit, _points in answers)
        for (_language, answers), _count in patterns
    ]
    return frozenset.intersection(*question_sets) if question_sets else frozenset()


def measure_all_dif(patterns: ResponsePatterns, reference: str, focal: str) -> DifReport:
    """Return how each question functions in the focal language beside the reference language."""
    selected: FrequencyTable[tuple[str, Answers]] = FrequencyTable()
    sizes: Counter[str] = Counter()
    for row, count in patterns.rows:
        if row[0] in {reference, focal}:
            selected.add(row, count)
            sizes[row[0]] += count
    common = find_common_questions(selected)
    smaller = min(sizes[reference], sizes[focal])
    refusal = (
        Caution.ONE_LANGUAGE
        if smaller < FEWEST_LEARNERS
        else Caution.FEW_COMMON_QUESTIONS
        if len(common) < FEWEST_COMMON
        else None
    )
    if refusal:
        return DifReport(
            reference, focal, sizes[reference], sizes[focal], {}, frozenset(), 0, (refusal,)
        )
    measures, anchor, stages = _purify(scale_patterns(selected, reference), common)
    return DifReport(
        reference=reference,
        focal=focal,
        reference_n=sizes[reference],
        focal_n=sizes[focal],
        measures=measures,
        anchor=anchor,
        stages=stages,
        cautions=(Caution.FEW_ATTEMPTS,) if smaller < RECOMMENDED_LEARNERS else (),
    )


def _purify(
    patterns: ScaledPatterns, common: frozenset[str]
) -> tuple[dict[str, DifMeasures], frozenset[str], int]:
    """Return the measures, the anchor that they are matched by, and how often it was done."""
    anchor = common
    tried: list[frozenset[str]] = []
    measures: dict[str, DifMeasures] = {}
    while len(tried) < MAX_STAGES:
        measures = {
            question: measure
            for question, strata in build_strata(patterns, anchor).items()
            if (measure := measure_dif(strata))
        }
        tried.append(anchor)
        flagged = {question for question, measure in measures.items() if measure.is_flagged}
        following = common - flagged
        if following in tried or len(following) < FEWEST_COMMON:
            break
        anchor = following
    return measures, tried[-1], len(tried)

"""Two lists of questions laid side by side: which is the twin of which, how sure, and why. Pure.

First by what texts share alone; then once more with the order of the pairs that were sure, as far
as those keep one. What is found is a proposal: a person decides.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

from quizzes.matching.assignment import assign
from quizzes.matching.comparable import ComparableQuestion
from quizzes.matching.confidence import Evidence, confidence
from quizzes.matching.list_order import find_order
from quizzes.matching.reasons import Reason, find_reasons, key_likelihood
from quizzes.matching.row_pairing import RowPair, have_equal_texts, pair_rows
from quizzes.matching.similarity import similarities

MAX_QUESTIONS = 2000
"""Questions of a list that are compared at all: with more, nothing is proposed."""
MIN_CONFIDENCE = 0.6
"""Confidence from which a pair is proposed."""
_SURE = 0.8
"""Confidence from which the places of a pair tell the order of the lists."""
_FEW = 3

Table = list[dict[int, Evidence]]
"""For each question of the first list: place in the second → what speaks for the pair."""


@dataclass(frozen=True, slots=True)
class QuestionPair:
    """Two questions held to be one, by their places in the lists; confidence 0 to 1."""

    left: int
    right: int
    confidence: float
    reasons: tuple[Reason, ...] = ()
    rows: tuple[RowPair, ...] = ()


def pair_questions(
    left: Sequence[ComparableQuestion],
    right: Sequence[ComparableQuestion],
    *,
    min_confidence: float = MIN_CONFIDENCE,
) -> tuple[QuestionPair, ...]:
    """Give the best one-to-one pairs of two lists, those at least this sure, in the first's order.

    Two questions are in one language or in two. Lists longer than MOST give none.
    """
    if max(len(left), len(right)) > MAX_QUESTIONS:
        return ()
    table = _evidence(left, right)
    sure = [(here, there) for here, there, value in _best(table) if value >= _SURE]
    if list_order := find_order(sure, len(right)):
        table = [
            {
                there: replace(evidence, order=list_order.speaks(here, there))
                for there, evidence in row.items()
            }
            for here, row in enumerate(table)
        ]
    pairs = [
        _pair(left[here], right[there], QuestionPair(here, there, 0.0), table[here][there])
        for here, there, _ in _best(table)
    ]
    return tuple(pair for pair in pairs if pair.confidence >= min_confidence)


def _evidence(left: Sequence[ComparableQuestion], right: Sequence[ComparableQuestion]) -> Table:
    """Lay out what texts and structure say of each pair that is worth a look."""
    alike = similarities(left, right)
    of_rows = [_two_best(row.items()) for row in alike]
    columns: list[list[tuple[int, float]]] = [[] for _ in right]
    for here, row in enumerate(alike):
        for there, likeness in row.items():
            columns[there].append((here, likeness))
    of_columns = [_two_best(column) for column in columns]
    return [
        {
            there: Evidence(
                likeness,
                max(_besides(of_rows[here], there), _besides(of_columns[there], here)),
                equal_row_counts=left[here].count_rows() == right[there].count_rows(),
                same_language=left[here].language == right[there].language,
                few_questions=min(len(left), len(right)) < _FEW,
            )
            for there, likeness in row.items()
        }
        for here, row in enumerate(alike)
    ]


Best = Sequence[tuple[int, float]]


def _two_best(every: Iterable[tuple[int, float]]) -> Best:
    return nlargest(2, every, key=lambda ranked: ranked[1])


def _besides(best: Best, place: int) -> float:
    """Give the best likeness of all but this one."""
    return next((likeness for at, likeness in best if at != place), 0.0)


def _best(table: Table) -> list[tuple[int, int, float]]:
    """Give the pairs whose confidences have the greatest sum."""
    values = [{there: confidence(evidence) for there, evidence in row.items()} for row in table]
    places = assign([{at: gain for at, gain in row.items() if gain > 0} for row in values])
    return [(here, there, values[here][there]) for here, there in sorted(places.items())]


def _pair(
    left: ComparableQuestion, right: ComparableQuestion, pair: QuestionPair, evidence: Evidence
) -> QuestionPair:
    """Look closely at two: their options, and whether what is right agrees."""
    rows = pair_rows(left, right)
    key = key_likelihood(left, right, rows)
    return replace(
        pair,
        confidence=confidence(replace(evidence, key=key, equal_texts=have_equal_texts(left, rows))),
        reasons=find_reasons(left, right, rows, order=evidence.order, key=key),
        rows=rows,
    )

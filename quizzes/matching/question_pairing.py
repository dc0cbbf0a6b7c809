"""Which question of one list is which of another, how sure that is, and why. Pure.

First by the terms that texts share; then once more with the order of the pairs that were sure, if
they have one. The pairs are proposals: a person decides.
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
from quizzes.matching.similarity import find_similarities

MAX_QUESTIONS = 2000
"""Questions of a list that are compared at all: with more, nothing is proposed."""
MIN_CONFIDENCE = 0.6
"""Confidence from which a pair is proposed."""
_SURE = 0.8
"""Confidence from which a pair counts for the order of the lists."""
_FEW_QUESTIONS = 3

EvidenceTable = list[dict[int, Evidence]]
"""For each question of the first list: place in the second → evidence for the pair."""


@dataclass(frozen=True, slots=True)
class QuestionPair:
    """Two questions that may be one, by their places in the lists; confidence 0 to 1."""

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
    """Return the best one-to-one pairs of two lists, those at least this sure, in order.

    Two questions are in one language or in two. Lists longer than MAX_QUESTIONS have none.
    """
    if max(len(left), len(right)) > MAX_QUESTIONS:
        return ()
    table = _collect_evidence(left, right)
    sure = [(at, other) for at, other, score in _best_pairs(table) if score >= _SURE]
    if list_order := find_order(sure, len(right)):
        table = [
            {
                other: replace(evidence, order=list_order.evidence(at, other))
                for other, evidence in row.items()
            }
            for at, row in enumerate(table)
        ]
    pairs = [
        _compare(left[at], right[other], QuestionPair(at, other, 0.0), table[at][other])
        for at, other, _ in _best_pairs(table)
    ]
    return tuple(pair for pair in pairs if pair.confidence >= min_confidence)


def _collect_evidence(
    left: Sequence[ComparableQuestion], right: Sequence[ComparableQuestion]
) -> EvidenceTable:
    """Return what texts and structure say about each candidate pair."""
    table = find_similarities(left, right)
    best_of_rows = [_two_best(row.items()) for row in table]
    columns: list[list[tuple[int, float]]] = [[] for _ in right]
    for at, row in enumerate(table):
        for other, similarity in row.items():
            columns[other].append((at, similarity))
    best_of_columns = [_two_best(column) for column in columns]
    return [
        {
            other: Evidence(
                similarity,
                max(
                    _best_besides(best_of_rows[at], other),
                    _best_besides(best_of_columns[other], at),
                ),
                equal_row_counts=left[at].count_rows() == right[other].count_rows(),
                same_language=left[at].language == right[other].language,
                few_questions=min(len(left), len(right)) < _FEW_QUESTIONS,
            )
            for other, similarity in row.items()
        }
        for at, row in enumerate(table)
    ]


Best = Sequence[tuple[int, float]]


def _two_best(every: Iterable[tuple[int, float]]) -> Best:
    return nlargest(2, every, key=lambda ranked: ranked[1])


def _best_besides(best: Best, place: int) -> float:
    """Return the best similarity of all but this one."""
    return next((similarity for at, similarity in best if at != place), 0.0)


def _best_pairs(table: EvidenceTable) -> list[tuple[int, int, float]]:
    """Return the pairs whose confidences have the greatest sum."""
    scores = [{at: confidence(evidence) for at, evidence in row.items()} for row in table]
    places = assign([{at: gain for at, gain in row.items() if gain > 0} for row in scores])
    return [(at, other, scores[at][other]) for at, other in sorted(places.items())]


def _compare(
    left: ComparableQuestion, right: ComparableQuestion, pair: QuestionPair, evidence: Evidence
) -> QuestionPair:
    """Return a pair with its rows, and the confidence that takes options and keys into account."""
    rows = pair_rows(left, right)
    key = key_likelihood(left, right, rows)
    return replace(
        pair,
        confidence=confidence(replace(evidence, key=key, equal_texts=have_equal_texts(left, rows))),
        reasons=find_reasons(left, right, rows, order=evidence.order, key=key),
        rows=rows,
    )

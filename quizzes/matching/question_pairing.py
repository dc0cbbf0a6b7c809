"""Two lists of questions laid side by side: which is the twin of which, how sure, and why. Pure.

First by what texts share alone; then once more with the order of the pairs that were sure, as far
as those keep one. What is found is a proposal: a person decides.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

from quizzes.matching.assignment import assign
from quizzes.matching.comparable import Side
from quizzes.matching.confidence import Evidence, confidence
from quizzes.matching.list_order import order
from quizzes.matching.reasons import Reason, key_speaks, reasons
from quizzes.matching.row_pairing import RowPair, pair_rows, say_the_same
from quizzes.matching.similarity import likenesses

MOST = 2000
"""Questions of a list that are compared at all: with more, nothing is proposed."""
PROPOSED = 0.6
"""Confidence from which a pair is proposed."""
_SURE = 0.8
"""Confidence from which the places of a pair tell the order of the lists."""
_FEW = 3

Table = list[dict[int, Evidence]]
"""For each question of the first list: place in the second → what speaks for the pair."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions held to be one, by their places in the lists; confidence 0 to 1."""

    left: int
    right: int
    confidence: float
    reasons: tuple[Reason, ...] = ()
    rows: tuple[RowPair, ...] = ()


def align(
    left: Sequence[Side], right: Sequence[Side], *, least: float = PROPOSED
) -> tuple[Pair, ...]:
    """Give the best one-to-one pairs of two lists, those at least this sure, in the first's order.

    Two questions are in one language or in two. Lists longer than MOST give none.
    """
    if max(len(left), len(right)) > MOST:
        return ()
    table = _evidence(left, right)
    sure = [(here, there) for here, there, value in _best(table) if value >= _SURE]
    if kept := order(sure, len(right)):
        table = [
            {there: replace(one, order=kept.speaks(here, there)) for there, one in row.items()}
            for here, row in enumerate(table)
        ]
    pairs = [
        _pair(left[here], right[there], Pair(here, there, 0.0), table[here][there])
        for here, there, _ in _best(table)
    ]
    return tuple(pair for pair in pairs if pair.confidence >= least)


def _evidence(left: Sequence[Side], right: Sequence[Side]) -> Table:
    """Lay out what texts and structure say of each pair that is worth a look."""
    alike = likenesses(left, right)
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
                rows=left[here].sizes() == right[there].sizes(),
                same_language=left[here].language == right[there].language,
                few=min(len(left), len(right)) < _FEW,
            )
            for there, likeness in row.items()
        }
        for here, row in enumerate(alike)
    ]


Best = Sequence[tuple[int, float]]


def _two_best(every: Iterable[tuple[int, float]]) -> Best:
    return nlargest(2, every, key=lambda one: one[1])


def _besides(best: Best, place: int) -> float:
    """Give the best likeness of all but this one."""
    return next((likeness for at, likeness in best if at != place), 0.0)


def _best(table: Table) -> list[tuple[int, int, float]]:
    """Give the pairs whose confidences have the greatest sum."""
    values = [{there: confidence(one) for there, one in row.items()} for row in table]
    places = assign([{at: one for at, one in row.items() if one > 0} for row in values])
    return [(here, there, values[here][there]) for here, there in sorted(places.items())]


def _pair(left: Side, right: Side, pair: Pair, evidence: Evidence) -> Pair:
    """Look closely at two: their options, and whether what is right agrees."""
    rows = pair_rows(left, right)
    key = key_speaks(left, right, rows)
    return replace(
        pair,
        confidence=confidence(replace(evidence, key=key, equal=say_the_same(left, rows))),
        reasons=reasons(left, right, rows, order=evidence.order, key=key),
        rows=rows,
    )

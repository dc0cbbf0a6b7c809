"""Which option of one question is which of the other, however the files shuffled them. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quizzes.matching.assignment import assign
from quizzes.matching.comparable import ComparableQuestion, ComparableRow
from quizzes.matching.similarity import Rarity

WORDS, VALUE, REST, PLACE = "words", "value", "rest", "place"
"""What a pair of rows rests on: what they say or hold, that they are left over, their places."""

_EQUAL = 2.0  # rows that hold the same value, or say the very same
_SAYS = 0.05  # likeness from which words count
_SURE = {VALUE: 1.0, REST: 0.9}


@dataclass(frozen=True, slots=True)
class RowPair:
    """Two rows that are one, by their ids; confidence 0 to 1, and what it rests on."""

    left: str
    right: str
    confidence: float
    basis: str


def pair_rows(left: ComparableQuestion, right: ComparableQuestion) -> tuple[RowPair, ...]:
    """Pair the rows of two questions of one kind, table by table; some may be left over."""
    rarity = Rarity([line.terms for line in (*left.rows, *right.rows)])
    tables = dict.fromkeys(line.table for line in left.rows)
    return tuple(
        pair
        for table in tables
        for pair in _of_table(
            [line for line in left.rows if line.table == table],
            [line for line in right.rows if line.table == table],
            rarity,
        )
    )


def have_equal_texts(left: ComparableQuestion, rows: Sequence[RowPair]) -> bool:
    """Tell whether all options say the same to the letter; true and false tell nothing."""
    read = {line.id for line in left.rows if line.text and line.values.get("value") is None}
    return bool(read) and read <= {pair.left for pair in rows if pair.basis == VALUE}


def _of_table(
    left: Sequence[ComparableRow], right: Sequence[ComparableRow], rarity: Rarity
) -> list[RowPair]:
    alone = _alone(left) & _alone(right)
    likeness = [
        {at: _alike(left_row, right_row, rarity, alone) for at, right_row in enumerate(right)}
        for left_row in left
    ]
    weights = [{at: score for at, score in row.items() if score >= _SAYS} for row in likeness]
    places = assign(weights)
    pairs = [
        RowPair(left[here].id, right[there].id, *_sure(likeness, here, there))
        for here, there in sorted(places.items())
    ]
    return pairs + _left_over(
        [row for at, row in enumerate(left) if at not in places],
        [row for at, row in enumerate(right) if at not in set(places.values())],
        paired=len(pairs),
    )


def _alone(lines: Sequence[ComparableRow]) -> frozenset[str]:
    """Give what only one row of a table holds: true or false, a typed answer, a gap's mark."""
    often = Counter(_held(line) for line in lines)
    return frozenset(content for content, n in often.items() if n == 1)


def _held(line: ComparableRow) -> str:
    """Give what tells a row apart besides words; rows that are read are told by `value` alone."""
    if line.text:
        return str(line.values["value"]) if line.values.get("value") is not None else line.id
    return str(sorted((name, str(value)) for name, value in line.values.items()))


def _alike(
    left: ComparableRow, right: ComparableRow, rarity: Rarity, alone: frozenset[str]
) -> float:
    if left.text and left.text.casefold() == right.text.casefold():
        return _EQUAL
    by_value = not left.text or left.values.get("value") is not None
    if by_value and _held(left) in alone:
        return _EQUAL if _held(left) == _held(right) else 0.0
    return rarity.cosine(left.terms, right.terms)


def _sure(likeness: Sequence[Mapping[int, float]], here: int, there: int) -> tuple[float, str]:
    """Give how sure a pair is, by how far its likeness is from the next best of both."""
    own = likeness[here][there]
    if own >= _EQUAL:
        return _SURE[VALUE], VALUE
    rivals = [score for at, score in likeness[here].items() if at != there]
    rivals += [row[there] for at, row in enumerate(likeness) if at != here]
    return round(own / (own + max(rivals, default=0.0)), 3), WORDS


def _left_over(
    left: Sequence[ComparableRow], right: Sequence[ComparableRow], *, paired: int
) -> list[RowPair]:
    """Pair what is left: one with one; several by their places, if they are as many."""
    if len(left) != len(right):
        return []
    by = REST if len(left) == 1 and paired else PLACE
    sure = _SURE.get(by, 1 / max(len(left), 2))
    return [
        RowPair(left_row.id, right_row.id, round(sure, 3), by)
        for left_row, right_row in zip(left, right, strict=True)
    ]

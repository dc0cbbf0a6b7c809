"""Which option of one question is which of the other, in whatever order they are. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quizzes.matching.assignment import assign
from quizzes.matching.comparable import ComparableQuestion, ComparableRow
from quizzes.matching.similarity import Rarity

WORDS, VALUE, REST, PLACE = "words", "value", "rest", "place"
"""Why two rows are a pair: their texts, their values, the last ones left, their places."""

_EQUAL = 2.0  # rows with the same value, or the same text
_MIN_SIMILARITY = 0.05  # from which texts count
_CONFIDENCE = {VALUE: 1.0, REST: 0.9}


@dataclass(frozen=True, slots=True)
class RowPair:
    """Two rows that are one, by their ids; confidence 0 to 1, and its basis."""

    left: str
    right: str
    confidence: float
    basis: str


def pair_rows(left: ComparableQuestion, right: ComparableQuestion) -> tuple[RowPair, ...]:
    """Return the pairs of rows of two questions of one kind, table by table."""
    rarity = Rarity([row.terms for row in (*left.rows, *right.rows)])
    tables = dict.fromkeys(row.table for row in left.rows)
    return tuple(
        pair
        for table in tables
        for pair in _pair_table(
            [row for row in left.rows if row.table == table],
            [row for row in right.rows if row.table == table],
            rarity,
        )
    )


def have_equal_texts(left: ComparableQuestion, rows: Sequence[RowPair]) -> bool:
    """Return whether all options have equal texts; true and false do not count."""
    options = {row.id for row in left.rows if row.text and row.values.get("value") is None}
    return bool(options) and options <= {pair.left for pair in rows if pair.basis == VALUE}


def _pair_table(
    left: Sequence[ComparableRow], right: Sequence[ComparableRow], rarity: Rarity
) -> list[RowPair]:
    unique = _unique_values(left) & _unique_values(right)
    scores = [
        {at: _score(left_row, right_row, rarity, unique) for at, right_row in enumerate(right)}
        for left_row in left
    ]
    weights = [
        {at: score for at, score in row.items() if score >= _MIN_SIMILARITY} for row in scores
    ]
    places = assign(weights)
    pairs = [
        RowPair(left[at].id, right[other].id, *_confidence(scores, at, other))
        for at, other in sorted(places.items())
    ]
    return pairs + _pair_rest(
        [row for at, row in enumerate(left) if at not in places],
        [row for at, row in enumerate(right) if at not in set(places.values())],
        paired=len(pairs),
    )


def _unique_values(rows: Sequence[ComparableRow]) -> frozenset[str]:
    """Return what only one row of a table has: true, a typed answer, a placeholder."""
    counts = Counter(map(_identifying_value, rows))
    return frozenset(content for content, n in counts.items() if n == 1)


def _identifying_value(row: ComparableRow) -> str:
    """Return what identifies a row besides its text: of one with a text, its `value` alone."""
    if row.text:
        return str(row.values["value"]) if row.values.get("value") is not None else row.id
    return str(sorted((name, str(content)) for name, content in row.values.items()))


def _score(
    left: ComparableRow, right: ComparableRow, rarity: Rarity, unique: frozenset[str]
) -> float:
    if left.text and left.text.casefold() == right.text.casefold():
        return _EQUAL
    by_value = not left.text or left.values.get("value") is not None
    if by_value and _identifying_value(left) in unique:
        return _EQUAL if _identifying_value(left) == _identifying_value(right) else 0.0
    return rarity.cosine(left.terms, right.terms)


def _confidence(scores: Sequence[Mapping[int, float]], at: int, other: int) -> tuple[float, str]:
    """Return how sure a pair is, by how much its score exceeds the next best of both; and why."""
    own = scores[at][other]
    if own >= _EQUAL:
        return _CONFIDENCE[VALUE], VALUE
    rivals = [score for place, score in scores[at].items() if place != other]
    rivals += [row[other] for place, row in enumerate(scores) if place != at]
    return round(own / (own + max(rivals, default=0.0)), 3), WORDS


def _pair_rest(
    left: Sequence[ComparableRow], right: Sequence[ComparableRow], *, paired: int
) -> list[RowPair]:
    """Return pairs of the rows that are left: one with one, or as many by their places."""
    if len(left) != len(right):
        return []
    basis = REST if len(left) == 1 and paired else PLACE
    confidence = _CONFIDENCE.get(basis, 1 / max(len(left), 2))
    return [
        RowPair(left_row.id, right_row.id, round(confidence, 3), basis)
        for left_row, right_row in zip(left, right, strict=True)
    ]

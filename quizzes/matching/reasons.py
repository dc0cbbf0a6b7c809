"""Why two questions may be one, and what speaks against it, by stable codes. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from quizzes.matching.comparable import ComparableQuestion
from quizzes.matching.row_pairing import RowPair
from quizzes.matching.tokens import CODE, LONG, NAME, NUMBER, WORD

MAX_WORDS: Final = 6
"""Words in a reason at most."""
REASON_CODES: Final = {CODE: "same_code", NAME: "same_names", NUMBER: "same_numbers"}


@dataclass(frozen=True, slots=True)
class Reason:
    """A stable code with its evidence: words of both, or counts."""

    code: str
    words: tuple[str, ...] = ()
    detail: Mapping[str, str | int] = field(default_factory=dict)


def find_reasons(
    left: ComparableQuestion,
    right: ComparableQuestion,
    rows: Sequence[RowPair],
    *,
    order: float,
    key: float,
) -> tuple[Reason, ...]:
    """Return what speaks for a pair, and what against it."""
    reasons = [_compare_rows(left, right), *_compare_terms(left, right)]
    if rows and key != 1:
        reasons.append(Reason("same_key" if key > 1 else "key_differs"))
    if order:
        reasons.append(Reason("same_order" if order > 0 else "out_of_order"))
    if left.name == right.name:
        reasons.append(Reason("same_name", (left.name,)))
    if shared := sorted(left.tags & right.tags):
        reasons.append(Reason("shared_tags", tuple(shared[:MAX_WORDS])))
    return tuple(reasons)


def _compare_rows(left: ComparableQuestion, right: ComparableQuestion) -> Reason:
    left_count, right_count = (sum(side.count_rows().values()) for side in (left, right))
    if left_count == right_count:
        return Reason("same_structure", detail={"kind": left.kind, "rows": left_count})
    return Reason("rows_differ", detail={"left": left_count, "right": right_count})


def _compare_terms(left: ComparableQuestion, right: ComparableQuestion) -> Iterator[Reason]:
    common = [term for term in left.all_terms if term in right.all_terms]
    for sort, code in REASON_CODES.items():
        if words := tuple(left.all_terms[term] for term in common if term[0] == sort):
            yield Reason(code, words[:MAX_WORDS])
    if kindred := _find_kindred_words(left, right):
        yield Reason("kindred_words", kindred[:MAX_WORDS])


def _find_kindred_words(left: ComparableQuestion, right: ComparableQuestion) -> tuple[str, ...]:
    """Return kindred words, those with more letters in common first, as both write them."""
    lengths: dict[tuple[str, str], int] = {}
    for term, left_word in left.all_terms.items():
        if term[0] == WORD and term in right.all_terms:
            words = left_word.lower(), right.all_terms[term].lower()
            lengths[words] = max(lengths.get(words, 0), len(term[1]))
    longest = sorted(lengths, key=lambda pair: lengths[pair] < LONG)
    return tuple("/".join(dict.fromkeys(pair)) for pair in longest)


def key_likelihood(
    left: ComparableQuestion, right: ComparableQuestion, rows: Sequence[RowPair]
) -> float:
    """Return how much likelier a pair is by its keys; 1 where one of them has none.

    By chance as many keys agree as there are ways to choose that many options.
    """
    left_key, right_key = ({row.id: row.is_correct for row in side.rows} for side in (left, right))
    if not any(left_key.values()) or not any(right_key.values()) or len(rows) < len(left_key):
        return 1.0
    agrees = all(left_key[pair.left] == right_key[pair.right] for pair in rows)
    options = max(2, sum(bool(row.text) for row in left.rows))
    return min(0.95 * options, 4.0) if agrees else 0.3

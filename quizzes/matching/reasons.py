"""Why two questions are held to be one, and what speaks against it, by stable codes. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from quizzes.matching.comparable import ComparableQuestion
from quizzes.matching.row_pairing import RowPair
from quizzes.matching.tokens import CODE, LONG, NAME, NUMBER, WORD

MAX_WORDS: Final = 6
"""Words that a reason names at most."""
REASON_CODES: Final = {CODE: "same_code", NAME: "same_names", NUMBER: "same_numbers"}


@dataclass(frozen=True, slots=True)
class Reason:
    """A stable code, and what it rests on: words of both, or counts."""

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
    """Name all that speaks for a pair, then what speaks against it."""
    return (
        *_of_structure(left, right),
        *_of_terms(left, right),
        *_of_key(rows, key),
        *_of_place(order),
        *_of_links(left, right),
    )


def _of_structure(left: ComparableQuestion, right: ComparableQuestion) -> Iterator[Reason]:
    here, there = sum(left.count_rows().values()), sum(right.count_rows().values())
    if here == there:
        yield Reason("same_structure", detail={"kind": left.kind, "rows": here})
    else:
        yield Reason("rows_differ", detail={"left": here, "right": there})


def _of_terms(left: ComparableQuestion, right: ComparableQuestion) -> Iterator[Reason]:
    common = [term for term in left.all_terms if term in right.all_terms]
    for sort, code in REASON_CODES.items():
        if words := tuple(left.all_terms[term] for term in common if term[0] == sort):
            yield Reason(code, words[:MAX_WORDS])
    if kindred := _kindred(left, right):
        yield Reason("kindred_words", kindred[:MAX_WORDS])


def _kindred(left: ComparableQuestion, right: ComparableQuestion) -> tuple[str, ...]:
    """Give words that both have, those known by more letters first, each as both write it."""
    lengths: dict[tuple[str, str], int] = {}
    for term, here in left.all_terms.items():
        if term[0] == WORD and term in right.all_terms:
            there = right.all_terms[term]
            written = here.lower(), there.lower()
            lengths[written] = max(lengths.get(written, 0), len(term[1]))
    longest = sorted(lengths, key=lambda pair: lengths[pair] < LONG)
    return tuple(here if here == there else f"{here}/{there}" for here, there in longest)


def _of_key(rows: Sequence[RowPair], key: float) -> Iterator[Reason]:
    if rows and key != 1:
        yield Reason("same_key" if key > 1 else "key_differs")


def _of_place(order: float) -> Iterator[Reason]:
    if order:
        yield Reason("same_order" if order > 0 else "out_of_order")


def _of_links(left: ComparableQuestion, right: ComparableQuestion) -> Iterator[Reason]:
    if left.name == right.name:
        yield Reason("same_name", (left.name,))
    if shared := sorted(left.tags & right.tags):
        yield Reason("shared_tags", tuple(shared[:MAX_WORDS]))


def key_likelihood(
    left: ComparableQuestion, right: ComparableQuestion, rows: Sequence[RowPair]
) -> float:
    """Give how much likelier a pair is for what is right in both; 1 where one does not say.

    By chance as many keys agree as there are ways to choose that many options.
    """
    here = {line.id: line.is_correct for line in left.rows}
    there = {line.id: line.is_correct for line in right.rows}
    if not any(here.values()) or not any(there.values()) or len(rows) < len(here):
        return 1.0
    agrees = all(here[pair.left] == there[pair.right] for pair in rows)
    options = max(2, sum(bool(line.text) for line in left.rows))
    return min(0.95 * options, 4.0) if agrees else 0.3

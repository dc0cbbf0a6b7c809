"""A question in one language as it is compared: its texts, and the terms of each row. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from grading.json_types import Json
from grading.schema import PROMPT, FieldType, QuestionRow, Table
from quizzes.document import QuestionDocument
from quizzes.matching.tokens import Term, Terms, extract_terms


@dataclass(frozen=True, slots=True)
class ComparableRow:
    """One row of a table: an option, say; `text` is what a taker reads of it.

    `terms` are those of all its texts, `values` its fields that refer to no rows.
    """

    id: str
    table: str
    text: str
    terms: Terms = field(default_factory=dict)
    values: Mapping[str, Json] = field(default_factory=dict)
    is_correct: bool = False


@dataclass(frozen=True, slots=True)
class ComparableQuestion:
    """One question in one language, with the terms of what a taker reads, and of all texts."""

    name: str
    language: str
    kind: str
    prompt: str
    rows: tuple[ComparableRow, ...] = ()
    public_terms: Terms = field(default_factory=dict)
    all_terms: Terms = field(default_factory=dict)
    tags: frozenset[str] = frozenset()

    def count_rows(self) -> dict[str, int]:
        """Return how many rows a taker reads, table by table."""
        return Counter(row.table for row in self.rows if row.text)


def to_comparable(
    name: str, document: QuestionDocument, language: str, tags: frozenset[str] = frozenset()
) -> ComparableQuestion:
    """Return a question in this language, to be compared; whatever state its draft is in."""
    texts = [(slot, document.text_at(language, slot)) for slot in document.text_slots]
    slot_terms = [(slot, extract_terms(text)) for slot, text in texts if text]
    public = _union(terms for slot, terms in slot_terms if not slot.is_feedback)
    every = _union((public, *(terms for slot, terms in slot_terms if slot.is_feedback)))
    read = {slot.id: text for slot, text in texts if slot.id and not slot.is_feedback}
    of_row: dict[str, list[Terms]] = {}
    for slot, terms in slot_terms:
        of_row.setdefault(slot.id, []).append(terms)
    by_row = {id_: _union(row_terms) for id_, row_terms in of_row.items()}
    prompt = next((text for slot, text in texts if slot.part == PROMPT.name), "")
    rows = tuple(_build_rows(document, read, by_row))
    return ComparableQuestion(name, language, document.kind, prompt, rows, public, every, tags)


def _union(every: Iterable[Terms]) -> Terms:
    union: dict[Term, str] = {}
    for terms in every:
        for term, written in terms.items():
            union.setdefault(term, written)
    return union


def _build_rows(
    document: QuestionDocument, read: Mapping[str, str], by_row: Mapping[str, Terms]
) -> Iterator[ComparableRow]:
    for table, row in document.iter_rows():
        yield ComparableRow(
            row.id,
            table.name,
            read.get(row.id, ""),
            by_row.get(row.id, {}),
            _values(table, row),
            is_correct(table, row),
        )


def _values(table: Table, row: QuestionRow) -> dict[str, Json]:
    """Return what a row has besides texts: a typed answer, a number, a placeholder."""
    return {
        field.name: row.values.get(field.name)
        for field in table.row_fields
        if field.type not in {FieldType.ROW, FieldType.ROWS} and field.name not in _of_key(table)
    }


def _of_key(table: Table) -> frozenset[str]:
    return frozenset(table_field.name for table_field in table.fields if table_field.secret)


def is_correct(table: Table, row: QuestionRow) -> bool:
    """Return whether a row is correct, where that is a tick."""
    return any(
        bool(row.values.get(table_field.name))
        for table_field in table.key_fields
        if table_field.type == FieldType.FLAG
    )

"""A question as it is compared: in one language, as texts and rows with all they may be known by.

Pure.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from grading.json_types import Json
from grading.schema import PROMPT, FieldType, QuestionRow, Table
from quizzes.document import QuestionDocument
from quizzes.matching.tokens import Term, Terms, extract_terms


@dataclass(frozen=True, slots=True)
class ComparableRow:
    """One row of a table: an option, say; `text` is what a taker reads of it.

    `known_by` are terms of all that is said of it, `values` those fields that name no rows.
    """

    id: str
    table: str
    text: str
    terms: Terms = field(default_factory=dict)
    values: Mapping[str, Json] = field(default_factory=dict)
    is_correct: bool = False


@dataclass(frozen=True, slots=True)
class ComparableQuestion:
    """One question in one language. `public` are terms of what a taker reads, `every` of all."""

    name: str
    language: str
    kind: str
    prompt: str
    rows: tuple[ComparableRow, ...] = ()
    public_terms: Terms = field(default_factory=dict)
    all_terms: Terms = field(default_factory=dict)
    tags: frozenset[str] = frozenset()

    def count_rows(self) -> dict[str, int]:
        """Count the rows a taker reads, table by table."""
        counted: dict[str, int] = {}
        for line in self.rows:
            if line.text:
                counted[line.table] = counted.get(line.table, 0) + 1
        return counted


def to_comparable(
    name: str, item: QuestionDocument, language: str, tags: frozenset[str] = frozenset()
) -> ComparableQuestion:
    """Give a question in this language, as it is compared; whatever state its draft is in."""
    texts = [(slot, item.text_at(language, slot)) for slot in item.text_slots]
    slot_terms = [(slot, extract_terms(text)) for slot, text in texts if text]
    public = _union(terms for slot, terms in slot_terms if not slot.is_feedback)
    every = _union((public, *(terms for slot, terms in slot_terms if slot.is_feedback)))
    read = {slot.id: text for slot, text in texts if slot.id and not slot.is_feedback}
    of_row: dict[str, list[Terms]] = {}
    for slot, terms in slot_terms:
        of_row.setdefault(slot.id, []).append(terms)
    by_row = {id_: _union(row_terms) for id_, row_terms in of_row.items()}
    prompt = next((text for slot, text in texts if slot.part == PROMPT.name), "")
    lines = tuple(_lines(item, read, by_row))
    return ComparableQuestion(name, language, item.kind, prompt, lines, public, every, tags)


def _union(every: Iterable[Terms]) -> Terms:
    union: dict[Term, str] = {}
    for terms in every:
        for term, written in terms.items():
            union.setdefault(term, written)
    return union


def _lines(
    item: QuestionDocument, read: Mapping[str, str], by_row: Mapping[str, Terms]
) -> Iterator[ComparableRow]:
    schema = item.schema
    loaded = schema.load(item.content, item.key)
    for table in schema.tables:
        for row in loaded.tables[table.name]:
            yield ComparableRow(
                row.id,
                table.name,
                read.get(row.id, ""),
                by_row.get(row.id, {}),
                _values(table, row),
                _is_right(table, row),
            )


def _values(table: Table, row: QuestionRow) -> dict[str, Json]:
    """Give what a row holds besides words: a typed answer, a number, the placeholder of a gap."""
    return {
        field.name: row.values.get(field.name)
        for field in table.row_fields
        if field.type not in {FieldType.ROW, FieldType.ROWS} and field.name not in _of_key(table)
    }


def _of_key(table: Table) -> frozenset[str]:
    return frozenset(table_field.name for table_field in table.fields if table_field.secret)


def _is_right(table: Table, row: QuestionRow) -> bool:
    return any(
        bool(row.values.get(table_field.name))
        for table_field in table.fields
        if table_field.secret and table_field.type == FieldType.FLAG
    )

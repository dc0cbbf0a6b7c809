"""Which row of the bank each row of a file is: by its texts, then by its name. Pure.

Answers refer to rows by id, so that a row which is still the same keeps its id, whatever its place
and name in the file.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import FieldType, QuestionRow, Table, TextSlot
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.imports.import_plan.values import ExistingQuestion
from quizzes.matching.fingerprints import normalize_spaces, unique_name

RowKey = tuple[str, str, str]
"""What a row is recognised by: a field, its language, its text."""


@dataclass(slots=True)
class AlignedRows:
    """`ids` by the file's names; `rows` by the bank's, those that exist and new ones."""

    ids: dict[str, str] = field(default_factory=dict)
    rows: dict[str, str] = field(default_factory=dict)


def align_rows(
    question: ParsedQuestion, existing: ExistingQuestion | None, *, as_new: bool = False
) -> AlignedRows:
    """Return the id of every row of the question: of a row that the bank has, or a new one.

    `as_new`: it is another question than the bank's, so that every row is a new one.
    """
    aligned = AlignedRows(rows=dict(existing.rows) if existing else {})
    claimed: set[str] = set()
    tables = KINDS[question.kind].schema.tables
    if existing and not as_new:
        present: dict[str, list[QuestionRow]] = defaultdict(list)
        for table, row in existing.document.iter_rows():
            present[table.name].append(row)
        for match in (_match_by_texts, _match_by_name):
            for table in tables:
                parsed_rows = [
                    row
                    for row in question.tables.get(table.name, ())
                    if row.name not in aligned.ids
                ]
                for parsed_row, id_ in match(table, parsed_rows, existing, present):
                    if id_ not in claimed:
                        claimed.add(id_)
                        aligned.ids[parsed_row.name] = id_
    for parsed_row in question.rows:
        if parsed_row.name not in aligned.ids:
            id_ = aligned.ids[parsed_row.name] = str(uuid4())
            aligned.rows[unique_name(parsed_row.name, aligned.rows)] = id_
    return aligned


def _match_by_texts(
    table: Table,
    rows: list[ParsedRow],
    existing: ExistingQuestion,
    present: Mapping[str, list[QuestionRow]],
) -> Iterator[tuple[ParsedRow, str]]:
    """Yield pairs of rows with the same text; of several, the first with the first."""
    if table.fixed_rows:
        return
    index: dict[RowKey, list[str]] = defaultdict(list)
    for row in present.get(table.name, ()):
        for key in _existing_keys(table, row, existing.document):
            index[key].append(row.id)
    used: set[str] = set()
    for parsed_row in rows:
        for key in _parsed_keys(table, parsed_row):
            id_ = next((row_id for row_id in index.get(key, ()) if row_id not in used), "")
            if id_:
                used.add(id_)
                yield parsed_row, id_
                break


def _match_by_name(
    table: Table,
    rows: list[ParsedRow],
    existing: ExistingQuestion,
    present: Mapping[str, list[QuestionRow]],
) -> Iterator[tuple[ParsedRow, str]]:
    """Yield pairs of rows with the same name, unless the bank's is in another table by now."""
    elsewhere = {row.id for name, others in present.items() if name != table.name for row in others}
    for parsed_row in rows:
        id_ = existing.rows.get(parsed_row.name)
        if id_ and id_ not in elsewhere:
            yield parsed_row, id_


def _parsed_keys(table: Table, row: ParsedRow) -> Iterator[RowKey]:
    for text in table.texts:
        if text.required:
            for language, words in row.texts.get(text, {}).items():
                yield text.name, language, normalize_spaces(words)
    yield from _value_keys(table, row.values)


def _existing_keys(table: Table, row: QuestionRow, document: QuestionDocument) -> Iterator[RowKey]:
    for text in table.texts:
        if text.required:
            slot = TextSlot(text.name, row.id, text.required, text.is_feedback)
            for language in {*document.words, *document.feedback}:
                if words := document.text_at(language, slot):
                    yield text.name, language, normalize_spaces(words)
    yield from _value_keys(table, row.values)


def _value_keys(table: Table, values: Mapping[str, Json]) -> Iterator[RowKey]:
    """Yield what a row without texts is recognised by: a typed answer or a placeholder."""
    if any(text.required for text in table.texts):
        return
    if table.placeholder_in:
        yield "placeholder", "", str(values.get("placeholder"))
        return
    line = next(
        (table_field.name for table_field in table.fields if table_field.type == FieldType.LINE), ""
    )
    if line:
        yield line, "", str(values.get(line))

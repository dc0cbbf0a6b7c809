"""Which row of the bank each row of a file is: by its texts, then by its name. Pure.

Answers refer to rows by id, so that a row which is still the same keeps its id, whatever its place
and name in the file.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import uuid4

from grading.schema import FieldType, QuestionRow, Table, TextSlot
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import build_document
from quizzes.imports.import_plan.values import ExistingQuestion
from quizzes.matching.fingerprints import normalize_spaces, unique_name

RowKey = tuple[str, str, str, str]
"""What a row is recognised by: its table, a field, its language, its text."""


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
    if existing and not as_new:
        document = build_document(question, None, existing.document.source_language)
        for match in (_match_by_texts, _match_by_name):
            for name, id_ in match(document, existing):
                if name not in aligned.ids and id_ not in aligned.ids.values():
                    aligned.ids[name] = id_
    for row in question.rows:
        if row.name not in aligned.ids:
            id_ = aligned.ids[row.name] = str(uuid4())
            aligned.rows[unique_name(row.name, aligned.rows)] = id_
    return aligned


def _match_by_texts(
    document: QuestionDocument, existing: ExistingQuestion
) -> Iterator[tuple[str, str]]:
    """Yield name and id of rows with the same text; of several, the first with the first."""
    ids_by_key: dict[RowKey, list[str]] = defaultdict(list)
    for table, row in existing.document.iter_rows():
        for key in _row_keys(table, row, existing.document):
            ids_by_key[key].append(row.id)
    used: set[str] = set()
    for table, row in document.iter_rows():
        ids = (id_ for key in _row_keys(table, row, document) for id_ in ids_by_key.get(key, ()))
        if id_ := next((id_ for id_ in ids if id_ not in used), ""):
            used.add(id_)
            yield row.id, id_


def _match_by_name(
    document: QuestionDocument, existing: ExistingQuestion
) -> Iterator[tuple[str, str]]:
    """Yield name and id of rows with one name, unless the bank's is in another table by now."""
    tables = {row.id: table.name for table, row in existing.document.iter_rows()}
    for table, row in document.iter_rows():
        id_ = existing.rows.get(row.id)
        if id_ and tables.get(id_, table.name) == table.name:
            yield row.id, id_


def _row_keys(table: Table, row: QuestionRow, document: QuestionDocument) -> Iterator[RowKey]:
    """Yield what a row is recognised by: its texts, else a placeholder or a typed answer."""
    required = [text for text in table.texts if text.required]
    for text in () if table.fixed_rows else required:
        slot = TextSlot(text.name, row.id, text.required, text.is_feedback)
        for language in sorted({*document.words, *document.feedback}):
            if words := document.text_at(language, slot):
                yield table.name, text.name, language, normalize_spaces(words)
    if not required and not table.fixed_rows:
        lines = (field.name for field in table.fields if field.type == FieldType.LINE)
        name = "placeholder" if table.placeholder_in else next(lines, "")
        if name:
            yield table.name, name, "", str(row.values.get(name))

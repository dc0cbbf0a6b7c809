"""Which row of the bank each row of a file is: by its words, then by its name. Pure.

Answers already given refer to rows by id, so a row that is still the same keeps its id wherever
a file puts it and whatever it calls it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import FieldType, QuestionRow, Table
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.imports.import_plan.values import ExistingQuestion
from quizzes.matching.fingerprints import normalize_spaces, unique_name

RowKey = tuple[str, str, str]
"""What a row is recognised by: what sort of thing, of which language, its words."""


@dataclass(slots=True)
class AlignedRows:
    """`ids` by the file's names, `rows` by the bank's: those there were and those to be made."""

    ids: dict[str, str] = field(default_factory=dict)
    rows: dict[str, str] = field(default_factory=dict)


def align_rows(
    question: ParsedQuestion, existing: ExistingQuestion | None, *, as_new: bool = False
) -> AlignedRows:
    """Give every row of the question its id: that of a row the bank has, or a new one.

    `anew`: it is another question than the bank's, so every row is a new one.
    """
    done = AlignedRows(rows=dict(existing.rows) if existing else {})
    claimed: set[str] = set()
    tables = KINDS[question.kind].schema.tables
    if existing and not as_new:
        present = _present(existing.document)
        for match in (_by_words, _by_name):
            for table in tables:
                rows = [
                    row for row in question.tables.get(table.name, ()) if row.name not in done.ids
                ]
                for row, id_ in match(table, rows, existing, present):
                    if id_ not in claimed:
                        claimed.add(id_)
                        done.ids[row.name] = id_
    for row in question.rows:
        if row.name not in done.ids:
            done.ids[row.name] = str(uuid4())
            done.rows[unique_name(row.name, done.rows)] = done.ids[row.name]
    return done


def _present(item: QuestionDocument) -> dict[str, list[QuestionRow]]:
    loaded = item.schema.load(item.content, item.key)
    return {table: list(rows) for table, rows in loaded.tables.items()}


def _by_words(
    table: Table,
    rows: list[ParsedRow],
    existing: ExistingQuestion,
    present: Mapping[str, list[QuestionRow]],
) -> Iterator[tuple[ParsedRow, str]]:
    """Pair rows that say the same; of several that do, the first with the first."""
    if table.fixed_rows:
        return
    index: dict[RowKey, list[str]] = defaultdict(list)
    for row in present.get(table.name, ()):
        for key in _held_keys(table, row, existing.document):
            index[key].append(row.id)
    gone: set[str] = set()
    for parsed_row in rows:
        for key in _told_keys(table, parsed_row):
            id_ = next((row_id for row_id in index.get(key, ()) if row_id not in gone), "")
            if id_:
                gone.add(id_)
                yield parsed_row, id_
                break


def _by_name(
    table: Table,
    rows: list[ParsedRow],
    existing: ExistingQuestion,
    present: Mapping[str, list[QuestionRow]],
) -> Iterator[tuple[ParsedRow, str]]:
    """Pair rows of one name, unless the bank's is now a row of another table."""
    elsewhere = {row.id for name, others in present.items() if name != table.name for row in others}
    for parsed_row in rows:
        id_ = existing.rows.get(parsed_row.name)
        if id_ and id_ not in elsewhere:
            yield parsed_row, id_


def _told_keys(table: Table, row: ParsedRow) -> Iterator[RowKey]:
    for text in table.texts:
        if text.required:
            for language, text_value in row.texts.get(text, {}).items():
                yield text.name, language, normalize_spaces(text_value)
    yield from _value_keys(table, row.values)


def _held_keys(table: Table, row: QuestionRow, item: QuestionDocument) -> Iterator[RowKey]:
    for text in table.texts:
        if text.required:
            source = item.feedback if text.is_feedback else item.words
            for language, words in source.items():
                part = words.get(text.name)
                text_value = part.get(row.id) if isinstance(part, Mapping) else None
                if text_value:
                    yield text.name, language, normalize_spaces(str(text_value))
    yield from _value_keys(table, row.values)


def _value_keys(table: Table, values: Mapping[str, Json]) -> Iterator[RowKey]:
    """Recognise a row without words by what it accepts: a text, a number, a mark."""
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

"""From a parsed question to a question document, once its rows have ids, and back. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import FieldType, QuestionData, QuestionRow, Table, Text
from quizzes.document import QuestionDocument
from quizzes.formats.contract import FieldTexts, ParsedQuestion, ParsedRow

Ids = Mapping[str, str]
"""Name of a row → its id."""


def build_document(
    question: ParsedQuestion, ids: Ids | None, source_language: str
) -> QuestionDocument:
    """Return the document of a question; `ids` has the id for each row's name (None: the name)."""
    schema = KINDS[question.kind].schema
    if ids is None:
        ids = {row.name: row.name for row in question.rows}
    rows = {
        table.name: [_build_row(table, row, ids) for row in question.tables.get(table.name, ())]
        for table in schema.tables
    }
    content, key = schema.dump(QuestionData(question.fields, rows))
    others = sorted(question.languages - {source_language})
    languages = sorted([source_language, *others])
    texts: dict[bool, dict[str, dict[str, Any]]] = {
        is_feedback: {language: {} for language in languages} for is_feedback in (False, True)
    }
    for text, by_language in question.texts.items():
        for language, words in by_language.items():
            texts[text.is_feedback][language][text.name] = words
    for row in question.rows:
        for text, by_language in row.texts.items():
            for language, words in by_language.items():
                by_row = texts[text.is_feedback][language].setdefault(text.name, {})
                by_row[ids[row.name]] = words
    document = QuestionDocument(
        kind=question.kind,
        scoring_method=question.scoring_method,
        source_language=source_language,
        content=content,
        key=key,
        words=texts[False],
        feedback=texts[True],
    )
    return replace(document, translated_from=dict.fromkeys(others, document.source_digest()))


def build_parsed_question(
    name: str, document: QuestionDocument, names: Mapping[str, str], tags: Iterable[str] = ()
) -> ParsedQuestion:
    """Return the parsed question of a document, in every language of it; `names` are id → name.

    The inverse of `build_document`: all fields with a value are there, whatever their default.
    """
    schema = KINDS[document.kind].schema
    question_data = document.question_data
    return ParsedQuestion(
        line=0,
        name=name,
        kind=document.kind,
        scoring_method=document.scoring_method,
        tags=tuple(tags),
        fields={field: value for field, value in question_data.fields.items() if value is not None},
        texts=_collect_texts(document, schema.texts),
        tables={
            table.name: tuple(_build_parsed_row(document, table, row, names) for row in rows)
            for table in schema.tables
            if (rows := question_data.tables[table.name])
        },
    )


def _build_row(table: Table, row: ParsedRow, ids: Ids) -> QuestionRow:
    fixed = table.fixed_rows.get(row.name, {})
    return QuestionRow(ids[row.name], {**_replace_names(table, row.values, ids), **fixed})


def _build_parsed_row(
    document: QuestionDocument, table: Table, row: QuestionRow, names: Mapping[str, str]
) -> ParsedRow:
    name = names.get(row.id, row.id)
    values = {
        field: value
        for field, value in _replace_names(table, row.values, names).items()
        if value is not None and field not in table.fixed_rows.get(name, {})
    }
    return ParsedRow(0, name, values, _collect_texts(document, table.texts, row.id))


def _replace_names(
    table: Table, values: Mapping[str, Json], names: Mapping[str, str]
) -> dict[str, Json]:
    """Return the values of a row with other names (or ids) of the rows that they refer to.

    A name that no row has stays, and the check names it.
    """
    types = {field.name: field.type for field in table.fields}
    replaced = dict(values)
    for field, value in values.items():
        if types.get(field) == FieldType.ROW and isinstance(value, str):
            replaced[field] = names.get(value, value)
        elif types.get(field) == FieldType.ROWS and isinstance(value, list):
            replaced[field] = [names.get(str(name), name) for name in value]
    return replaced


def _collect_texts(
    document: QuestionDocument, texts: Iterable[Text], row_id: str = ""
) -> FieldTexts:
    """Return the texts of a question, or of one row, in every language that has them."""
    collected: dict[Text, dict[str, str]] = {}
    for text in texts:
        parts = document.feedback if text.is_feedback else document.words
        for language, words in parts.items():
            part = words.get(text.name)
            part = part.get(row_id) if row_id and isinstance(part, Mapping) else part
            if isinstance(part, str) and part.strip():
                collected.setdefault(text, {})[language] = part
    return collected

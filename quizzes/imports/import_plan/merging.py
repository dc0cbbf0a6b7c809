"""A file's word over the bank's: what the file does not speak of stays as it is. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import FieldType, QuestionData, QuestionRow, Table
from quizzes.document import QuestionDocument, Words
from quizzes.formats.contract import ParsedQuestion


def merge_from_file(
    before: QuestionDocument,
    from_file: QuestionDocument,
    question: ParsedQuestion,
    spoken: Collection[str],
    *,
    is_bank_file: bool,
) -> QuestionDocument:
    """Give the bank's question as the file wants it; `told` is the file's own, `spoken` its words.

    Other languages stay, and grow stale by the rule there is. `is_bank_file`: what the file does
    not say is not to be; else fields, tables and texts it does not have stay.
    """
    content, key = from_file.content, from_file.key
    if not is_bank_file and before.kind == from_file.kind:
        content, key = _structure(before, from_file, question)
    item = replace(
        before,
        kind=from_file.kind,
        scoring_method=from_file.scoring_method,
        content=content,
        key=key,
    )
    rows = set(item.row_ids)
    item = replace(
        item,
        words=_words(before.words, from_file.words, spoken, rows, is_bank_file=is_bank_file),
        feedback=_words(
            before.feedback, from_file.feedback, spoken, rows, is_bank_file=is_bank_file
        ),
    )
    return replace(item, translated_from=_made_from(before, item, spoken))


def _structure(
    before: QuestionDocument, from_file: QuestionDocument, question: ParsedQuestion
) -> tuple[Mapping[str, Json], Mapping[str, Json]]:
    schema = KINDS[from_file.kind].schema
    old, new = (schema.load(document.content, document.key) for document in (before, from_file))
    ids = {row.id for rows in new.tables.values() for row in rows}
    fields = {
        name: value if name in question.fields else old.fields[name]
        for name, value in new.fields.items()
    }
    tables = {
        table.name: new.tables[table.name]
        if question.tables.get(table.name)
        else [row for row in old.tables[table.name] if _stands(table, row, ids)]
        for table in schema.tables
    }
    return schema.dump(QuestionData(fields, tables))


def _stands(table: Table, row: QuestionRow, ids: Collection[str]) -> bool:
    """Tell whether all rows that this one names are still there."""
    for table_field in table.fields:
        named = row.values[table_field.name]
        if table_field.type == FieldType.ROW and named not in ids:
            return False
        if (
            table_field.type == FieldType.ROWS
            and isinstance(named, list)
            and not set(named) <= set(ids)
        ):
            return False
    return True


def _words(
    before: Mapping[str, Words],
    from_file: Mapping[str, Words],
    spoken: Collection[str],
    rows: Collection[str],
    *,
    is_bank_file: bool,
) -> dict[str, Words]:
    merged: dict[str, Words] = {}
    for language in sorted({*before, *(code for code in from_file if code in spoken)}):
        old = before.get(language, {})
        if language in spoken:
            new = from_file.get(language, {})
            old = new if is_bank_file else _over(old, new)
        merged[language] = _of_rows(old, rows)
    return merged


def _over(old: Words, new: Words) -> dict[str, Any]:
    merged = dict(old)
    for part, text in new.items():
        old_text = merged.get(part)
        if isinstance(text, Mapping) and isinstance(old_text, Mapping):
            merged[part] = {**old_text, **text}
        else:
            merged[part] = text
    return merged


def _of_rows(words: Words, rows: Collection[str]) -> dict[str, Any]:
    """Leave out what is said of rows that are gone."""
    return {
        part: {id_: row_text for id_, row_text in text.items() if id_ in rows}
        if isinstance(text, Mapping)
        else text
        for part, text in words.items()
    }


def _made_from(
    before: QuestionDocument, item: QuestionDocument, spoken: Collection[str]
) -> dict[str, str]:
    """Remember what translations of the file were made from; others keep what they had."""
    translated_from = dict(before.translated_from)
    source, digest = item.source_language, item.source_digest()
    anew = source in spoken and digest != before.source_digest()
    for language in spoken:
        changed = any(
            new.get(language) != old.get(language)
            for old, new in ((before.words, item.words), (before.feedback, item.feedback))
        )
        if language != source and (changed or anew):
            translated_from[language] = digest
    return translated_from

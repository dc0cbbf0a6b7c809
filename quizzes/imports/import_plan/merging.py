"""A question of the bank with what a file says of it; the rest stays as it is. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
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
    *,
    is_bank_file: bool,
) -> QuestionDocument:
    """Return the bank's question as it is in the file: `from_file`, the document of `question`.

    Other languages stay, and become outdated by the usual rule. `is_bank_file`: what the file
    does not have is removed; else fields, tables and texts that it does not have stay.
    """
    content, key, languages = from_file.content, from_file.key, question.languages
    if not is_bank_file and before.kind == from_file.kind:
        content, key = _merge_structure(before, from_file, question)
    document = replace(
        before,
        kind=from_file.kind,
        scoring_method=from_file.scoring_method,
        content=content,
        key=key,
    )
    merge_texts = partial(
        _merge_texts,
        languages=languages,
        rows=frozenset(document.row_ids),
        is_bank_file=is_bank_file,
    )
    document = replace(
        document,
        words=merge_texts(before.words, from_file.words),
        feedback=merge_texts(before.feedback, from_file.feedback),
    )
    return replace(document, translated_from=_translation_sources(before, document, languages))


def _merge_structure(
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
        else [row for row in old.tables[table.name] if _has_all_rows(table, row, ids)]
        for table in schema.tables
    }
    return schema.dump(QuestionData(fields, tables))


def _has_all_rows(table: Table, row: QuestionRow, ids: Collection[str]) -> bool:
    """Return whether all rows that this one refers to still exist."""
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


def _merge_texts(
    before: Mapping[str, Words],
    from_file: Mapping[str, Words],
    *,
    languages: Collection[str],
    rows: Collection[str],
    is_bank_file: bool,
) -> dict[str, Words]:
    merged: dict[str, Words] = {}
    for language in sorted({*before, *(code for code in from_file if code in languages)}):
        old = before.get(language, {})
        if language in languages:
            new = from_file.get(language, {})
            old = new if is_bank_file else _replace_texts(old, new)
        merged[language] = _keep_rows(old, rows)
    return merged


def _replace_texts(old: Words, new: Words) -> dict[str, Any]:
    merged = dict(old)
    for part, text in new.items():
        old_text = merged.get(part)
        if isinstance(text, Mapping) and isinstance(old_text, Mapping):
            merged[part] = {**old_text, **text}
        else:
            merged[part] = text
    return merged


def _keep_rows(words: Words, rows: Collection[str]) -> dict[str, Any]:
    """Return texts without those of rows that are gone."""
    return {
        part: {id_: row_text for id_, row_text in text.items() if id_ in rows}
        if isinstance(text, Mapping)
        else text
        for part, text in words.items()
    }


def _translation_sources(
    before: QuestionDocument, document: QuestionDocument, languages: Collection[str]
) -> dict[str, str]:
    """Return what each translation was made from: those of the file anew, others as they were."""
    translated_from = dict(before.translated_from)
    source, digest = document.source_language, document.source_digest()
    is_new_source = source in languages and digest != before.source_digest()
    for language in languages:
        changed = any(
            new.get(language) != old.get(language)
            for old, new in ((before.words, document.words), (before.feedback, document.feedback))
        )
        if language != source and (changed or is_new_source):
            translated_from[language] = digest
    return translated_from

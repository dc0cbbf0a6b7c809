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
    told: QuestionDocument,
    question: ParsedQuestion,
    spoken: Collection[str],
    *,
    is_bank_file: bool,
) -> QuestionDocument:
    """Give the bank's question as the file wants it; `told` is the file's own, `spoken` its words.

    Other languages stay, and grow stale by the rule there is. `whole`: the file is a bank's own,
    so what it does not say is not to be; else fields, tables and texts it does not have stay.
    """
    content, key = told.content, told.key
    if not is_bank_file and before.kind == told.kind:
        content, key = _structure(before, told, question)
    item = replace(
        before, kind=told.kind, scoring_method=told.scoring_method, content=content, key=key
    )
    rows = set(item.row_ids)
    item = replace(
        item,
        words=_words(before.words, told.words, spoken, rows, whole=is_bank_file),
        feedback=_words(before.feedback, told.feedback, spoken, rows, whole=is_bank_file),
    )
    return replace(item, translated_from=_made_from(before, item, spoken))


def _structure(
    before: QuestionDocument, told: QuestionDocument, question: ParsedQuestion
) -> tuple[Mapping[str, Json], Mapping[str, Json]]:
    schema = KINDS[told.kind].schema
    old, new = (schema.load(one.content, one.key) for one in (before, told))
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
    for one in table.fields:
        named = row.values[one.name]
        if one.type == FieldType.ROW and named not in ids:
            return False
        if one.type == FieldType.ROWS and isinstance(named, list) and not set(named) <= set(ids):
            return False
    return True


def _words(
    before: Mapping[str, Words],
    told: Mapping[str, Words],
    spoken: Collection[str],
    rows: Collection[str],
    *,
    whole: bool,
) -> dict[str, Words]:
    found: dict[str, Words] = {}
    for language in sorted({*before, *(one for one in told if one in spoken)}):
        old = before.get(language, {})
        if language in spoken:
            new = told.get(language, {})
            old = new if whole else _over(old, new)
        found[language] = _of_rows(old, rows)
    return found


def _over(old: Words, new: Words) -> dict[str, Any]:
    found = dict(old)
    for part, text in new.items():
        held = found.get(part)
        if isinstance(text, Mapping) and isinstance(held, Mapping):
            found[part] = {**held, **text}
        else:
            found[part] = text
    return found


def _of_rows(words: Words, rows: Collection[str]) -> dict[str, Any]:
    """Leave out what is said of rows that are gone."""
    return {
        part: {id_: said for id_, said in text.items() if id_ in rows}
        if isinstance(text, Mapping)
        else text
        for part, text in words.items()
    }


def _made_from(
    before: QuestionDocument, item: QuestionDocument, spoken: Collection[str]
) -> dict[str, str]:
    """Remember what translations of the file were made from; others keep what they had."""
    found = dict(before.translated_from)
    source, digest = item.source_language, item.source_digest()
    anew = source in spoken and digest != before.source_digest()
    for language in spoken:
        changed = any(
            new.get(language) != old.get(language)
            for old, new in ((before.words, item.words), (before.feedback, item.feedback))
        )
        if language != source and (changed or anew):
            found[language] = digest
    return found

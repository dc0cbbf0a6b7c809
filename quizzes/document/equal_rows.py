"""Rows that a learner cannot tell apart, though the key does: equal options, one of them right."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from grading.contract import Problem
from grading.json_types import Json
from grading.schema import FieldType, QuestionRow, Table
from quizzes.document.question import QuestionDocument


def find_equal_rows(document: QuestionDocument, language: str) -> Iterator[Problem]:
    """Yield a problem at each row with the text of one above it, unless the key has them alike.

    Options of different gaps are apart. The problem's detail has the text.
    """
    targets = set(_iter_targets(document))
    words = document.words.get(language, {})
    meanings: dict[tuple[str, Json, str], set[str]] = defaultdict(set)
    for table, row in document.iter_rows():
        texts = words.get(table.name)
        text = texts.get(row.id) if isinstance(texts, dict) else None
        visible_text = " ".join(unicodedata.normalize("NFC", text).split()) if text else ""
        if not visible_text or table.secret:
            continue
        alike = meanings[table.name, row.values.get("gap"), visible_text]
        alike.add(_describe_meaning(table, row, is_target=(table.name, row.id) in targets))
        if len(alike) > 1:
            where = f"words.{language}.{table.name}.{row.id}"
            yield Problem(where, "equal_rows", {"text": visible_text, "language": language})


def _iter_targets(document: QuestionDocument) -> Iterator[tuple[str, Json]]:
    """Yield the table and the id of each row that the key of another row names."""
    for table, row in document.iter_rows():
        for field in table.fields:
            target = row.values.get(field.name)
            if field.type is FieldType.ROW and field.secret and isinstance(target, str):
                yield field.choices[0], target


def _describe_meaning(table: Table, row: QuestionRow, *, is_target: bool) -> str:
    """Return what the key says of a row; its id where the key names it or gives it a place."""
    if is_target or table.order_key:
        return row.id
    return repr([row.values.get(field.name) for field in table.key_fields])

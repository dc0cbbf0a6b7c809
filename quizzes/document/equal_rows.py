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
    targets = {
        field.choices[0]
        for table in document.schema.tables
        for field in table.fields
        if field.type is FieldType.ROW and field.secret
    }
    words = document.words.get(language, {})
    meanings: dict[tuple[str, Json, str], set[str]] = defaultdict(set)
    for table, row in document.iter_rows():
        texts = words.get(table.name)
        text = texts.get(row.id) if isinstance(texts, dict) else None
        visible_text = " ".join(unicodedata.normalize("NFC", text).split()) if text else ""
        if not visible_text or table.secret:
            continue
        alike = meanings[table.name, row.values.get("gap"), visible_text]
        alike.add(_describe_meaning(table, row, is_target=table.name in targets))
        if len(alike) > 1:
            where = f"words.{language}.{table.name}.{row.id}"
            yield Problem(where, "equal_rows", {"text": visible_text, "language": language})


def _describe_meaning(table: Table, row: QuestionRow, *, is_target: bool) -> str:
    """Return what the key says of a row; its id where the key names it or gives it a place."""
    if is_target or table.order_key:
        return row.id
    return repr([row.values.get(field.name) for field in table.fields if field.secret])

"""Whether what stands in a document is of the type that the schema of its kind names. Pure.

Forms and files read values by their types; what comes as JSON is looked at here before it is kept.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from grading.contract import Problem
from grading.schema import Field, FieldType, Table
from quizzes.document.question import QuestionDocument

LANGUAGE: Final = re.compile(r"[a-z]{2}(-[A-Z]{2})?")
LARGEST: Final = 99_999_999
"""The largest number of a ratio or a count, as forms and files read them."""
WRONG_TYPE: Final = "wrong_type"
UNKNOWN_FIELD: Final = "unknown_field"


def find_type_problems(document: QuestionDocument) -> Iterator[Problem]:
    """Yield the places of what no question of this kind can hold; `where` is a path."""
    for name, texts in (("words", document.words), ("feedback", document.feedback)):
        for language, parts in texts.items():
            yield from _check_texts(f"{name}.{language}", language, parts)
    yield from _find_unknown(document)
    schema, question_data = document.schema, document.question_data
    for field in schema.fields:
        holder = "key" if field.secret else "content"
        yield from _check(f"{holder}.{field.stored_name}", field, question_data.fields[field.name])
    for table in schema.tables:
        yield from _check_table(document, table)
    for table, row in document.iter_rows():
        for field in table.row_fields:
            yield from _check(f"{table.name}.{row.id}.{field.name}", field, row.values[field.name])


def _find_unknown(document: QuestionDocument) -> Iterator[Problem]:
    """Yield what the schema has no place for: it would be kept, and do nothing."""
    schema = document.schema
    content, key = set[str](), set[str]()
    for field in schema.fields:
        (key if field.secret else content).add(field.stored_name)
    for table in schema.tables:
        (key if table.secret else content).add(table.name)
        key |= {table.order_key} - {""}
        apart = set() if table.secret else {f.stored_name for f in table.fields if f.secret}
        key |= apart
        members = {"id"} | {field.stored_name for field in table.row_fields} - apart
        rows = getattr(document, "key" if table.secret else "content").get(table.name)
        for row in filter(_is_row, rows if isinstance(rows, list) else ()):
            for name in row.keys() - members:
                yield Problem(f"{table.name}.{row['id']}.{name}", UNKNOWN_FIELD, {})
    for holder, names in (("content", content), ("key", key)):
        for name in getattr(document, holder).keys() - names:
            yield Problem(f"{holder}.{name}", UNKNOWN_FIELD, {})


def _check_texts(where: str, language: str, parts: Mapping[str, Any]) -> Iterator[Problem]:
    if not LANGUAGE.fullmatch(language):
        yield Problem(where, WRONG_TYPE, {})
    for name, part in parts.items():
        texts = part if isinstance(part, Mapping) else {"": part}
        if not all(isinstance(text, str) for text in texts.values()):
            yield Problem(f"{where}.{name}", WRONG_TYPE, {})


def _check_table(document: QuestionDocument, table: Table) -> Iterator[Problem]:
    """Look at the rows of a table, at their secret order and at what the key has of each."""
    holder = "key" if table.secret else "content"
    entries = getattr(document, holder).get(table.name, [])
    if not isinstance(entries, list) or not all(map(_is_row, entries)):
        yield Problem(f"{holder}.{table.name}", WRONG_TYPE, {})
    lists = [table.order_key] if table.order_key else []
    maps = list[str]()
    for field in table.fields if not table.secret else ():
        if field.secret:
            (lists if field.type == FieldType.FLAG else maps).append(field.stored_name)
    for name in lists:
        if not _is_list_of_texts(document.key.get(name, [])):
            yield Problem(f"key.{name}", WRONG_TYPE, {})
    for name in maps:
        if not isinstance(document.key.get(name, {}), Mapping):
            yield Problem(f"key.{name}", WRONG_TYPE, {})


def _check(where: str, field: Field, value: Any) -> Iterator[Problem]:
    if value is not None and value != field.default and not TYPES[field.type](value):
        yield Problem(where, WRONG_TYPE, {})


def _is_row(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("id"), str) and bool(entry["id"])


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST


def _is_ratio(value: Any) -> bool:
    return (
        isinstance(value, list)
        and [type(part) for part in value] == [int, int]
        and abs(value[0]) <= LARGEST
        and 0 < value[1] <= LARGEST
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


TYPES: Final[Mapping[FieldType, Callable[[Any], bool]]] = {
    FieldType.FLAG: lambda value: isinstance(value, bool),
    FieldType.RATIO: _is_ratio,
    FieldType.COUNT: _is_count,
    FieldType.LINE: _is_text,
    FieldType.CHOICE: _is_text,
    FieldType.ROW: _is_text,
    FieldType.ROWS: _is_list_of_texts,
}

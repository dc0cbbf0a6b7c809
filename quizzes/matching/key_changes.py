"""Whether the keys of two questions agree, once their rows are paired. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from grading.json_types import Json
from grading.schema import FieldType, QuestionRow, Table
from quizzes.document import QuestionDocument

Ids = Mapping[str, str]
"""Id of a row in the one question → in the other."""


class KeyChange(StrEnum):
    """How two keys compare."""

    NONE = "none"  # neither question has one
    SAME = "same"
    DIFFERS = "differs"
    PROPOSED = "proposed"  # the bank's question has none; that of the other is proposed
    STANDS = "stands"  # the other has none; the bank's question has


def compare_keys(existing: QuestionDocument, other: QuestionDocument, ids: Ids) -> KeyChange:
    """Return how the key of the other question compares with that of the existing one."""
    own, others = sorted(_iter_statements(existing, {})), sorted(_iter_statements(other, ids))
    if own and others:
        return KeyChange.SAME if own == others else KeyChange.DIFFERS
    if not own and not others:
        return KeyChange.NONE
    return KeyChange.STANDS if own else KeyChange.PROPOSED


def replace_ids(value: Json, ids: Ids) -> Json:
    """Return a key with other ids for its rows."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, Mapping):
        return {ids.get(name, name): replace_ids(part, ids) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [replace_ids(part, ids) for part in value]
    return value


def _iter_statements(document: QuestionDocument, ids: Ids) -> Iterator[str]:
    """Yield what is correct, a statement each; nothing where a draft has no key."""
    schema = document.schema
    question_data = document.question_data
    for table in schema.tables:
        rows = question_data.tables[table.name]
        if table.secret and any(table_field.name == "credit" for table_field in table.fields):
            yield from (f"{table.name} {_values(table, row, ids)}" for row in rows)
        elif not table.secret:
            yield from _iter_flagged(table, rows, ids)
        if table.order_key and document.key.get(table.order_key):
            yield f"{table.order_key} {[ids.get(row.id, row.id) for row in rows]}"
    if document.content.get("none_apply") and not document.key.get("right"):
        yield "none"


def _iter_flagged(table: Table, rows: Sequence[QuestionRow], ids: Ids) -> Iterator[str]:
    """Yield which rows are correct, and what each goes with."""
    for row in rows:
        own = ids.get(row.id, row.id)
        for table_field in table.key_fields:
            value = row.values.get(table_field.name)
            if table_field.type == FieldType.FLAG and value:
                yield f"{table_field.name} {own}"
            elif table_field.type == FieldType.ROW and value:
                yield f"{own} {table_field.name} {ids.get(str(value), str(value))}"


def _values(table: Table, row: QuestionRow, ids: Ids) -> list[tuple[str, str]]:
    return [
        (table_field.name, ids.get(str(value), str(value)))
        for table_field in table.fields
        if not table_field.about_feedback
        and (value := row.values.get(table_field.name)) is not None
    ]

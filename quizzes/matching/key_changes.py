"""Whether two questions hold the same to be right, once their rows are paired. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from grading.json_types import Json
from grading.schema import FieldType, QuestionRow, Table
from quizzes.document import QuestionDocument

Ids = Mapping[str, str]
"""Id of a row in the one question → in the other."""


class KeyChange(StrEnum):
    """What two keys say of each other."""

    NONE = "none"  # there is none in such a question, or neither says
    SAME = "same"
    DIFFERS = "differs"
    PROPOSED = "proposed"  # the bank's question has none; the other's is proposed to it
    STANDS = "stands"  # the other has none; the bank's question has


def compare_keys(existing: QuestionDocument, other: QuestionDocument, ids: Ids) -> KeyChange:
    """Compare the key of a question of the bank with that of its twin; `ids` from the twin's."""
    mine, theirs = list(_statements(existing, {})), list(_statements(other, ids))
    if mine and theirs:
        return KeyChange.SAME if sorted(mine) == sorted(theirs) else KeyChange.DIFFERS
    if not mine and not theirs:
        return KeyChange.NONE
    return KeyChange.STANDS if mine else KeyChange.PROPOSED


def replace_ids(value: Json, ids: Ids) -> Json:
    """Give a key with other ids for its rows."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, Mapping):
        return {ids.get(name, name): replace_ids(part, ids) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [replace_ids(part, ids) for part in value]
    return value


def _statements(item: QuestionDocument, ids: Ids) -> Iterator[str]:
    """Say what is right, a sentence each; nothing where a draft does not say."""
    schema = item.schema
    loaded = schema.load(item.content, item.key)
    for table in schema.tables:
        rows = loaded.tables[table.name]
        if table.secret and any(table_field.name == "credit" for table_field in table.fields):
            yield from (f"{table.name} {_values(table, row, ids)}" for row in rows)
        elif not table.secret:
            yield from _flagged(table, rows, ids)
        if table.order_key and item.key.get(table.order_key):
            yield f"{table.order_key} {[ids.get(row.id, row.id) for row in rows]}"
    if item.content.get("none_apply") and not item.key.get("right"):
        yield "none"


def _flagged(table: Table, rows: Sequence[QuestionRow], ids: Ids) -> Iterator[str]:
    """Say which rows are right, and what each goes with."""
    for row in rows:
        own = ids.get(row.id, row.id)
        for table_field in table.fields:
            value = row.values.get(table_field.name)
            if table_field.secret and table_field.type == FieldType.FLAG and value:
                yield f"{table_field.name} {own}"
            elif table_field.secret and table_field.type == FieldType.ROW and value:
                yield f"{own} {table_field.name} {ids.get(str(value), str(value))}"


def _values(table: Table, row: QuestionRow, ids: Ids) -> list[tuple[str, str]]:
    return [
        (table_field.name, ids.get(str(value), str(value)))
        for table_field in table.fields
        if (value := row.values.get(table_field.name)) is not None
    ]

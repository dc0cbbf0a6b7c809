"""Names and ids of rows: those that rows have, and those that new rows are given. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from django.utils.text import slugify

from grading.schema import PLACEHOLDER, FieldType, QuestionSchema, Table
from quizzes.instructor.questions.field_values import TypedValue
from quizzes.instructor.questions.form_data import QuestionFormData, RowFormData

TEMPORARY_PREFIX = "new-"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def build_temporary_id(table: str, number: str) -> str:
    """Call a row that has no id yet, so that others may name it."""
    return f"{TEMPORARY_PREFIX}{table}-{number}"


def is_temporary_id(id_: str) -> bool:
    """Return whether this stands for a row that has no id yet."""
    return id_.startswith(TEMPORARY_PREFIX)


def assign_row_names(
    form_data: QuestionFormData, schema: QuestionSchema, names: Mapping[str, str]
) -> QuestionFormData:
    """Return the question, every new row named: as typed if that is free, else the next free name.

    `names` are those of the rows that have an id. A row without a mark is marked by its name.
    """
    used = {names[row.id] for row in form_data.rows() if row.id in names}
    tables = {}
    for n, table in enumerate(schema.tables):
        free = _iter_letters() if n == 0 else _iter_numbered_names(table)
        tables[table.name] = [
            _name_row(row, table, names, used, free) for row in form_data.tables.get(table.name, ())
        ]
    return replace(form_data, tables=tables)


def _name_row(
    row: RowFormData, table: Table, names: Mapping[str, str], used: set[str], free: Iterator[str]
) -> RowFormData:
    name = names.get(row.id, "")
    if not name:
        name = row.name or row.fixed_row or slugify(str(row.values.get(PLACEHOLDER.name, "")))
        if not name or name in used:
            name = next(n for n in free if n not in used)
        used.add(name)
    unmarked = bool(table.placeholder_in) and not str(row.values.get(PLACEHOLDER.name, "")).strip()
    values = {**row.values, PLACEHOLDER.name: name} if unmarked else row.values
    return replace(row, name=name, values=values)


def _iter_letters() -> Iterator[str]:
    yield from LETTERS
    yield from _count_names("o")


def _iter_numbered_names(table: Table) -> Iterator[str]:
    return _count_names(table.name[:1])


def _count_names(begin: str) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"{begin}{number}"


def resolve_row_ids(
    form_data: QuestionFormData, schema: QuestionSchema, ids: Mapping[str, str]
) -> QuestionFormData:
    """Put ids in the place of what new rows were called, wherever rows are named.

    A new row that `ids` does not have is none: what named it names nothing.
    """
    return replace(
        form_data,
        tables={
            table.name: tuple(
                replace(
                    row, id=_resolve_id(row.id, ids), values=dict(_resolve_values(table, row, ids))
                )
                for row in form_data.tables.get(table.name, ())
            )
            for table in schema.tables
        },
    )


def _resolve_values(
    table: Table, row: RowFormData, ids: Mapping[str, str]
) -> Iterator[tuple[str, TypedValue]]:
    yield from row.values.items()
    for field in table.row_fields:
        typed = row.values.get(field.name)
        if field.type == FieldType.ROW and isinstance(typed, str):
            yield field.name, _resolve_id(typed, ids)
        elif field.type == FieldType.ROWS and isinstance(typed, tuple):
            yield field.name, tuple(id_ for named in typed if (id_ := _resolve_id(named, ids)))


def _resolve_id(id_: str, ids: Mapping[str, str]) -> str:
    return ids.get(id_, "") if is_temporary_id(id_) else id_


def keep_temporary_ids(ids: Iterable[str]) -> dict[str, str]:
    """Return each new row's temporary name as its id, for as long as it is only shown."""
    return {id_: id_ for id_ in ids if is_temporary_id(id_)}


def renumber_temporary_ids(form_data: QuestionFormData) -> dict[str, str]:
    """Call new rows by the lines they will stand on when the page is drawn again."""
    return {
        row.id: build_temporary_id(table, str(n))
        for table, rows in form_data.tables.items()
        for n, row in enumerate(rows)
        if is_temporary_id(row.id)
    }

"""What is set of the new rows of a form: name, id and mark. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from grading.schema import PLACEHOLDER, FieldType, QuestionSchema, Table
from quizzes.bank.row_names import choose_name, generate_names, name_by_placeholder
from quizzes.instructor.questions.field_values import TypedValue
from quizzes.instructor.questions.form_data import QuestionFormData, RowFormData


def complete_new_rows(
    form_data: QuestionFormData, schema: QuestionSchema, names: Mapping[str, str]
) -> QuestionFormData:
    """Return the question, every new row named: as typed if that is free, else the next free name.

    `names` are those of all rows that the question ever had, by id. A new row with the name of one
    that was removed is that row again: it gets its id, in the rows of later tables too. A row
    without a mark is marked by its name.
    """
    used = {names[row.id] for row in form_data.rows() if row.id in names}
    removed = {name: id_ for id_, name in names.items() if name not in used}
    new_ids: dict[str, str] = {}
    tables = {}
    for number, table in enumerate(schema.tables):
        free = generate_names(table, number)
        rows = tables[table.name] = list[RowFormData]()
        for row in form_data.tables.get(table.name, ()):
            name = names.get(row.id) or _choose_name(row, used, free)
            used.add(name)
            if row.id not in names and name in removed:
                new_ids[row.id] = removed[name]
            values = dict(_iter_values(table, row, new_ids))
            if table.placeholder_in and not str(values.get(PLACEHOLDER.name, "")).strip():
                values[PLACEHOLDER.name] = name
            rows.append(replace(row, id=new_ids.get(row.id, row.id), name=name, values=values))
    return replace(form_data, tables=tables)


def _choose_name(row: RowFormData, used: set[str], free: Iterator[str]) -> str:
    preferred = row.name or row.fixed_row or name_by_placeholder(row.values)
    return choose_name(preferred, used, free)


def _iter_values(
    table: Table, row: RowFormData, new_ids: Mapping[str, str]
) -> Iterator[tuple[str, TypedValue]]:
    """Yield the values of a row, with the new ids where they name rows."""
    yield from row.values.items()
    for field in table.row_fields:
        typed = row.values.get(field.name)
        if field.type == FieldType.ROW and isinstance(typed, str):
            yield field.name, new_ids.get(typed, typed)
        elif field.type == FieldType.ROWS and isinstance(typed, tuple):
            yield field.name, tuple(new_ids.get(id_, id_) for id_ in typed)

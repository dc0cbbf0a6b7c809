"""Between the editor and the draft: a document as rows and columns, and back. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grading import schema as shapes
from grading.json_types import Json
from grading.schema import QuestionData, Table
from quizzes.document import QuestionDocument
from quizzes.document.translated_from import compute_translated_from
from quizzes.instructor.questions.field_values import format_value, update_value
from quizzes.instructor.questions.form_data import QuestionFormData, RowFormData, field_prefix
from quizzes.instructor.questions.merge_unchanged import merge_unchanged
from quizzes.instructor.questions.translated_texts import collect_texts, merge_texts


def document_to_form(document: QuestionDocument, names: Mapping[str, str]) -> QuestionFormData:
    """Return a document as form data; `names` are the rows' short names by id."""
    schema = document.schema
    question_data = document.question_data
    return QuestionFormData(
        kind=document.kind,
        scoring_method=document.scoring_method,
        source_language=document.source_language,
        languages=tuple(dict.fromkeys((*document.words, *document.feedback))),
        values={
            field.name: format_value(field, question_data.fields[field.name])
            for field in schema.fields
        },
        texts={field_prefix(text): collect_texts(document, text, "") for text in schema.texts},
        tables={
            table.name: tuple(_iter_rows(document, table, question_data.tables[table.name], names))
            for table in schema.tables
        },
    )


def _iter_rows(
    document: QuestionDocument,
    table: Table,
    rows: Sequence[shapes.QuestionRow],
    names: Mapping[str, str],
) -> Iterator[RowFormData]:
    fixed_row = _match_fixed_rows(table, rows)
    for row in rows:
        yield RowFormData(
            id=row.id,
            name=names.get(row.id, ""),
            values={
                field.name: format_value(field, row.values[field.name])
                for field in table.row_fields
            },
            texts={
                field_prefix(text): collect_texts(document, text, row.id) for text in table.texts
            },
            fixed_row=fixed_row.get(row.id, ""),
        )


def _match_fixed_rows(table: Table, rows: Sequence[shapes.QuestionRow]) -> dict[str, str]:
    """Return which fixed row each is: the one with its values, else the first that is free."""
    names = {
        row.id: name
        for name, values in reversed(tuple(table.fixed_rows.items()))
        for row in rows
        if all(row.values.get(field_name) == value for field_name, value in values.items())
    }
    free = [name for name in table.fixed_rows if name not in names.values()]
    others = [row.id for row in rows if row.id not in names]
    return names | dict(zip(others, free, strict=False))


def form_to_document(form_data: QuestionFormData, before: QuestionDocument) -> QuestionDocument:
    """Return the document of form data. Whatever of `before` the form does not show stays."""
    after = replace(
        before,
        kind=form_data.kind,
        scoring_method=form_data.scoring_method,
        source_language=form_data.source_language,
    )
    schema = after.schema
    as_it_was = schema.load(before.content, before.key)
    content, key = schema.dump(_build_layout(schema, form_data, as_it_was))
    if before.kind == after.kind:
        old_content, old_key = schema.dump(as_it_was)
        content = merge_unchanged(content, old_content, before.content)
        key = merge_unchanged(key, old_key, before.key)
    after = replace(
        after,
        content=content,
        key=key,
        words=merge_texts(form_data, before, after, is_feedback=False),
        feedback=merge_texts(form_data, before, after, is_feedback=True),
    )
    return replace(
        after, translated_from=compute_translated_from(after, before, form_data.up_to_date)
    )


def _build_layout(
    schema: shapes.QuestionSchema, form_data: QuestionFormData, before: QuestionData
) -> QuestionData:
    fields = {
        field.name: update_value(field, form_data.values[field.name], before.fields[field.name])
        for field in schema.fields
        if field.name in form_data.values
    }
    return QuestionData(
        fields,
        {
            table.name: tuple(_parse_rows(table, form_data, before.tables[table.name]))
            for table in schema.tables
        },
    )


def _parse_rows(
    table: Table, form_data: QuestionFormData, before: Sequence[shapes.QuestionRow]
) -> Iterator[shapes.QuestionRow]:
    values_by_id = {row.id: row.values for row in before}
    for row in form_data.tables.get(table.name, ()):
        old = values_by_id.get(row.id, {})
        values: dict[str, Json] = {}
        for field in table.row_fields:
            value = old.get(field.name, field.default)
            typed = row.values.get(field.name)
            values[field.name] = value if typed is None else update_value(field, typed, value)
        yield shapes.QuestionRow(row.id, values | dict(table.fixed_rows.get(row.fixed_row, {})))

"""Between the authoring page and the draft: an Item as rows and columns, and back. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grading import shape as shapes
from grading.contract import Json
from grading.shape import Layout, Table, lay_out, put_together
from quizzes.document import QuestionDocument
from quizzes.instructor.questions.field_values import fields_of, kept, shown
from quizzes.instructor.questions.form_data import Authored, Row, stem
from quizzes.instructor.questions.merge_unchanged import merged
from quizzes.instructor.questions.outdated_translations import translated_from
from quizzes.instructor.questions.translated_texts import texts_of, written


def read(item: QuestionDocument, names: Mapping[str, str]) -> Authored:
    """Lay an item out; `names` are the rows' short names by id."""
    shape = item.schema
    layout = lay_out(shape, item.content, item.key)
    return Authored(
        kind=item.kind,
        scoring_method=item.scoring_method,
        source_language=item.source_language,
        languages=tuple(dict.fromkeys((*item.words, *item.feedback))),
        values={field.name: shown(field, layout.fields[field.name]) for field in shape.fields},
        texts={stem(text): texts_of(item, text, "") for text in shape.texts},
        tables={
            table.name: tuple(_rows(item, table, layout.tables[table.name], names))
            for table in shape.tables
        },
    )


def _rows(
    item: QuestionDocument, table: Table, rows: Sequence[shapes.Row], names: Mapping[str, str]
) -> Iterator[Row]:
    stands = _standing(table, rows)
    for row in rows:
        yield Row(
            id=row.id,
            name=names.get(row.id, ""),
            values={field.name: shown(field, row.values[field.name]) for field in fields_of(table)},
            texts={stem(text): texts_of(item, text, row.id) for text in table.texts},
            stands=stands.get(row.id, ""),
        )


def _standing(table: Table, rows: Sequence[shapes.Row]) -> dict[str, str]:
    """Return which fixed row each is: the one with its values, else the first that is free."""
    names = {
        row.id: name
        for name, values in reversed(tuple(table.fixed.items()))
        for row in rows
        if all(row.values.get(field_name) == value for field_name, value in values.items())
    }
    free = [name for name in table.fixed if name not in names.values()]
    others = [row.id for row in rows if row.id not in names]
    return names | dict(zip(others, free, strict=False))


def write(authored: Authored, before: QuestionDocument) -> QuestionDocument:
    """Make the item of a page. Whatever of `before` the page does not show stays."""
    after = replace(
        before,
        kind=authored.kind,
        scoring_method=authored.scoring_method,
        source_language=authored.source_language,
    )
    shape = after.schema
    as_it_was = lay_out(shape, before.content, before.key)
    content, key = put_together(shape, _layout(shape, authored, as_it_was))
    if before.kind == after.kind:
        old_content, old_key = put_together(shape, as_it_was)
        content = merged(content, old_content, before.content)
        key = merged(key, old_key, before.key)
    after = replace(
        after,
        content=content,
        key=key,
        words=written(authored, before, after, is_feedback=False),
        feedback=written(authored, before, after, is_feedback=True),
    )
    return replace(after, translated_from=translated_from(after, before, authored.fresh))


def _layout(shape: shapes.Shape, authored: Authored, before: Layout) -> Layout:
    fields = {
        field.name: kept(field, authored.values[field.name], before.fields[field.name])
        for field in shape.fields
        if field.name in authored.values
    }
    return Layout(
        fields,
        {
            table.name: tuple(_meant(table, authored, before.tables[table.name]))
            for table in shape.tables
        },
    )


def _meant(table: Table, authored: Authored, before: Sequence[shapes.Row]) -> Iterator[shapes.Row]:
    values_by_id = {row.id: row.values for row in before}
    for row in authored.tables.get(table.name, ()):
        old = values_by_id.get(row.id, {})
        values: dict[str, Json] = {}
        for field in fields_of(table):
            value = old.get(field.name, field.default)
            typed = row.values.get(field.name)
            values[field.name] = value if typed is None else kept(field, typed, value)
        yield shapes.Row(row.id, values | dict(table.fixed.get(row.stands, {})))

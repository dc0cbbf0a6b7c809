"""Between the authoring page and the draft: an Item as rows and columns, and back. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grading import shape as shapes
from grading.contract import Json
from grading.shape import Layout, Table, lay_out, put_together
from quizzes.bank.admin.authored import Authored, Row, stem
from quizzes.bank.admin.merging import merged
from quizzes.bank.admin.staleness import translated_from
from quizzes.bank.admin.values import fields_of, kept, shown
from quizzes.bank.admin.wording import texts_of, written
from quizzes.bank.item import Item, shape_of


def read(item: Item, names: Mapping[str, str]) -> Authored:
    """Lay an item out; `names` are the rows' short names by id."""
    shape = shape_of(item)
    laid = lay_out(shape, item.content, item.key)
    return Authored(
        kind=item.kind,
        scheme=item.scheme,
        source_language=item.source_language,
        languages=tuple(dict.fromkeys((*item.words, *item.feedback))),
        values={one.name: shown(one, laid.fields[one.name]) for one in shape.fields},
        texts={stem(text): texts_of(item, text, "") for text in shape.texts},
        tables={
            table.name: tuple(_rows(item, table, laid.tables[table.name], names))
            for table in shape.tables
        },
    )


def _rows(
    item: Item, table: Table, rows: Sequence[shapes.Row], names: Mapping[str, str]
) -> Iterator[Row]:
    stands = _standing(table, rows)
    for row in rows:
        yield Row(
            id=row.id,
            name=names.get(row.id, ""),
            values={one.name: shown(one, row.values[one.name]) for one in fields_of(table)},
            texts={stem(text): texts_of(item, text, row.id) for text in table.texts},
            stands=stands.get(row.id, ""),
        )


def _standing(table: Table, rows: Sequence[shapes.Row]) -> dict[str, str]:
    """Say which fixed row each is: the one whose values it has, else the first that is free."""
    found = {
        row.id: name
        for name, values in reversed(tuple(table.fixed.items()))
        for row in rows
        if all(row.values.get(one) == value for one, value in values.items())
    }
    free = [name for name in table.fixed if name not in found.values()]
    others = [row.id for row in rows if row.id not in found]
    return found | dict(zip(others, free, strict=False))


def write(authored: Authored, before: Item) -> Item:
    """Make the item of a page. Whatever of `before` the page does not show stays."""
    made = replace(
        before,
        kind=authored.kind,
        scheme=authored.scheme,
        source_language=authored.source_language,
    )
    shape = shape_of(made)
    as_it_was = lay_out(shape, before.content, before.key)
    content, key = put_together(shape, _layout(shape, authored, as_it_was))
    if before.kind == made.kind:
        old_content, old_key = put_together(shape, as_it_was)
        content = merged(content, old_content, before.content)
        key = merged(key, old_key, before.key)
    made = replace(
        made,
        content=content,
        key=key,
        words=written(authored, before, made, told=False),
        feedback=written(authored, before, made, told=True),
    )
    return replace(made, translated_from=translated_from(made, before, authored.fresh))


def _layout(shape: shapes.Shape, authored: Authored, before: Layout) -> Layout:
    fields = {
        one.name: kept(one, authored.values[one.name], before.fields[one.name])
        for one in shape.fields
        if one.name in authored.values
    }
    return Layout(
        fields,
        {
            table.name: tuple(_meant(table, authored, before.tables[table.name]))
            for table in shape.tables
        },
    )


def _meant(table: Table, authored: Authored, before: Sequence[shapes.Row]) -> Iterator[shapes.Row]:
    known = {row.id: row.values for row in before}
    for row in authored.tables.get(table.name, ()):
        old = known.get(row.id, {})
        values: dict[str, Json] = {}
        for one in fields_of(table):
            value = old.get(one.name, one.default)
            typed = row.values.get(one.name)
            values[one.name] = value if typed is None else kept(one, typed, value)
        yield shapes.Row(row.id, values | dict(table.fixed.get(row.stands, {})))

"""Between the authoring page and the draft: an Item as rows and columns, and back. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grading import shape as shapes
from grading.contract import Json
from grading.shape import Layout, Table, Text, lay_out, put_together
from quizzes.bank.admin.merging import merged
from quizzes.bank.admin.staleness import translated_from
from quizzes.bank.admin.values import Typed, fields_of, kept, shown
from quizzes.bank.item import Item, Words, shape_of

Texts = Mapping[str, str]
"""Language → text."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table as the author sees it.

    `name` is the author's own for it, `values` are its fields by name, `texts` by stem. `stands`:
    which of the rows that must be there it is, where there are such.
    """

    id: str = ""
    name: str = ""
    values: Mapping[str, Typed] = field(default_factory=dict)
    texts: Mapping[str, Texts] = field(default_factory=dict)
    stands: str = ""


@dataclass(frozen=True, slots=True)
class Authored:
    """A question as the page shows it. `fresh`: languages declared to be up to date."""

    kind: str
    scheme: str
    source_language: str
    languages: tuple[str, ...] = ()
    values: Mapping[str, Typed] = field(default_factory=dict)
    texts: Mapping[str, Texts] = field(default_factory=dict)
    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    fresh: frozenset[str] = frozenset()

    def rows(self) -> Iterator[Row]:
        """Give the rows of all tables."""
        for rows in self.tables.values():
            yield from rows


def stem(text: Text) -> str:
    """Name a text apart from the one of the same part that is told, or is not."""
    return f"{'told' if text.told else 'words'}_{text.name}"


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
        texts={stem(text): _texts(item, text, "") for text in shape.texts},
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
            texts={stem(text): _texts(item, text, row.id) for text in table.texts},
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


def _texts(item: Item, text: Text, id_: str) -> dict[str, str]:
    table = item.feedback if text.told else item.words
    return {code: _text(words, text.name, id_) for code, words in table.items()}


def _text(words: Words, part: str, id_: str) -> str:
    found = words.get(part)
    if id_:
        found = found.get(id_) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) else ""


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
        words=_words(authored, before, made, told=False),
        feedback=_words(authored, before, made, told=True),
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


def _words(
    authored: Authored, before: Item, made: Item, *, told: bool
) -> dict[str, dict[str, Any]]:
    """Write the texts of every language that the page has a column for; the others stay."""
    tables: Mapping[str, Words] = before.feedback if told else before.words
    codes = dict.fromkeys((*authored.languages, *tables))
    written = {code: dict(tables.get(code, {})) for code in codes}
    for code in authored.languages:
        old = tables.get(code, {})
        for part in _parts(before, told=told) | _parts(made, told=told):
            written[code].pop(part, None)
        written[code] |= _of_language(authored, made, code, old, told=told)
    return {code: words for code, words in written.items() if words or code in tables}


def _parts(item: Item, *, told: bool) -> set[str]:
    shape = shape_of(item)
    texts = (*shape.texts, *(text for table in shape.tables for text in table.texts))
    return {text.name for text in texts if text.told == told}


def _of_language(
    authored: Authored, made: Item, code: str, old: Words, *, told: bool
) -> dict[str, Any]:
    """Give what one language says; an empty text stays one only where there was one before."""
    shape = shape_of(made)
    words: dict[str, Any] = {}
    for text in shape.texts:
        said = authored.texts.get(stem(text), {}).get(code, "")
        if text.told == told and (said or text.name in old):
            words[text.name] = said
    for table in shape.tables:
        for text in table.texts:
            if text.told == told:
                rows = authored.tables.get(table.name, ())
                _of_rows(words, text, rows, code, old.get(text.name))
    return words


def _of_rows(
    words: dict[str, Any], text: Text, rows: Sequence[Row], code: str, old: object
) -> None:
    known = old if isinstance(old, Mapping) else None
    said = {row.id: row.texts.get(stem(text), {}).get(code, "") for row in rows}
    held = {id_: one for id_, one in said.items() if one or id_ in (known or {})}
    if held or known is not None:
        words[text.name] = words.get(text.name, {}) | held

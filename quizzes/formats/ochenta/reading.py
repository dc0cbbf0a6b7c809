"""Reading our own bank file: YAML with all languages side by side."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import Field, FieldType, QuestionSchema, Table, Text
from quizzes.formats.contract import (
    ImportStatus,
    Note,
    ParsedFile,
    ParsedQuestion,
    ParsedRow,
    SourceItem,
    Texts,
)
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.source_items import Origin
from quizzes.formats.parsing.tree import Tree, Troubles, Unreadable, parse
from quizzes.formats.parsing.values import value

name = "ochenta-bank/1"
extensions = ("yaml", "yml")

SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
CLAIM = re.compile(rb"^format:\s*[\"']?ochenta-bank/", re.MULTILINE)
LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
BANK = {
    "format",
    "bank",
    "title",
    "description",
    "source",
    "licence",
    "source_language",
    "questions",
}
QUESTION = {"name", "kind", "scoring_method", "tags"}


def detect(data: bytes, filename: str) -> bool:
    """Tell a bank file by its first field."""
    return filename.lower().endswith(extensions) and CLAIM.search(data[:4000]) is not None


def read(data: bytes, *, language: str = "") -> ParsedFile:  # noqa: ARG001  the file names its languages
    """Read a bank file; everything that is wrong with it is among the troubles, by line."""
    troubles = Troubles()
    try:
        root = parse(data, troubles)
    except Unreadable as error:
        return ParsedFile(errors=(error.trouble,))
    return replace(_bank(root, troubles), errors=tuple(troubles.found))


def _bank(root: Tree, troubles: Troubles) -> ParsedFile:
    fields = _fields(root, BANK, troubles)
    if (said := _text(fields, "format", root, troubles)) != name:
        troubles.add(fields.get("format", root), "unknown_format", f"{said!r} is not {name!r}")
    slug = _slug(fields, "bank", root, troubles)
    found = tuple(_found(fields.get("questions"), root, troubles))
    return ParsedFile(
        slug,
        {
            "title": _texts(fields, "title", root, troubles),
            "description": _texts(fields, "description", root, troubles),
            "source": _text(fields, "source", root, troubles),
            "licence": _text(fields, "licence", root, troubles),
            "source_language": _text(fields, "source_language", root, troubles),
        },
        found,
    )


def _found(listed: Tree | None, root: Tree, troubles: Troubles) -> Iterator[SourceItem]:
    names: set[str] = set()
    for at in _items(listed, "questions", root, troubles):
        named, kind = (_told(at, field) for field in ("name", "kind"))
        if kind and kind not in KINDS:
            note = Note("unknown_kind", at.line, kind)
            yield SourceItem(at.line, at.line, named, kind, ImportStatus.REFUSED, notes=(note,))
            continue
        yield read_item(partial(_item, at, kind, names, troubles), Origin(at.line, at.line))


def _item(at: Tree, kind: str, names: set[str], troubles: Troubles) -> SourceItem:
    question = _question(at, troubles)
    if question.name in names:
        troubles.add(at, "name_twice", f"another question is called {question.name!r}")
    names.add(question.name)
    return SourceItem(at.line, at.line, question.name, kind, ImportStatus.IMPORTED, question)


def _told(at: Tree, field: str) -> str:
    found = (at.fields or {}).get(field)
    return (found and found.text) or ""


def _question(at: Tree, troubles: Troubles) -> ParsedQuestion:
    kind = KINDS.get(_told(at, "kind"))
    schema = kind.schema if kind else QuestionSchema(texts=())
    expected = {one.name for part in (schema.texts, schema.fields, schema.tables) for one in part}
    fields = _fields(at, QUESTION | expected, troubles)
    _text(fields, "kind", at, troubles)
    tags = [tag.text or "" for tag in _items(fields.get("tags"), "tags", at, troubles)]
    return ParsedQuestion(
        line=at.line,
        name=_slug(fields, "name", at, troubles),
        kind=kind.name if kind else "",
        scoring_method=_text(
            fields, "scoring_method", at, troubles, default=kind.scoring_methods[0] if kind else ""
        ),
        tags=tuple(tags),
        fields=dict(_values(schema.fields, fields, troubles)),
        texts=dict(_said({text: text.name for text in schema.texts}, fields, at, troubles)),
        tables={
            table.name: tuple(_rows(table, fields.get(table.name), troubles))
            for table in schema.tables
        },
    )


def _rows(table: Table, listed: Tree | None, troubles: Troubles) -> Iterator[ParsedRow]:
    """Read the rows of a table; a table that is not in the file has none."""
    for at in _items(listed, table.name, listed, troubles) if listed else ():
        names = {text: named(table, text) for text in table.texts}
        columns = (
            (Field("mark", FieldType.LINE), *table.fields) if table.placeholder_in else table.fields
        )
        expected = {"name", *names.values(), *(one.name for one in columns)}
        fields = _fields(at, expected, troubles)
        yield ParsedRow(
            at.line,
            _slug(fields, "name", at, troubles),
            dict(_values(columns, fields, troubles)),
            dict(_said(names, fields, at, troubles)),
        )


def named(table: Table, text: Text) -> str:
    """Give the name of a row's text in a file: text and feedback, or the name of its own."""
    if text.name != table.name:
        return text.name
    return "feedback" if text.is_feedback else "text"


def _values(
    expected: Iterable[Field], fields: Mapping[str, Tree], troubles: Troubles
) -> Iterator[tuple[str, Json]]:
    for one in expected:
        if one.name in fields:
            yield one.name, value(one, fields[one.name], troubles)


def _said(
    names: Mapping[Text, str], fields: Mapping[str, Tree], at: Tree, troubles: Troubles
) -> Iterator[tuple[Text, Texts]]:
    for text, name in names.items():
        if text.required or name in fields:
            yield text, _texts(fields, name, at, troubles)


def _fields(at: Tree, known: Collection[str], troubles: Troubles) -> Mapping[str, Tree]:
    if at.fields is None:
        troubles.add(at, "not_a_mapping", "fields are expected here")
        return {}
    for field, found in at.fields.items():
        if field not in known:
            expected = ", ".join(sorted(known))
            troubles.add(found, "unknown_field", f"{field!r} is unknown; known are {expected}")
    return at.fields


def _items(at: Tree | None, field: str, parent: Tree, troubles: Troubles) -> Iterator[Tree]:
    if at is None:
        troubles.add(parent, "missing_field", f"the field {field!r} is missing")
    elif at.items is None:
        troubles.add(at, "not_a_list", f"{field!r} must be a list")
    else:
        yield from at.items


def _text(
    fields: Mapping[str, Tree],
    field: str,
    parent: Tree,
    troubles: Troubles,
    default: str | None = None,
) -> str:
    at = fields.get(field)
    if at is None and default is not None:
        return default
    if at is None:
        troubles.add(parent, "missing_field", f"the field {field!r} is missing")
    elif at.text is None or not at.text.strip():
        troubles.add(at, "not_a_text", f"{field!r} must be a text")
    else:
        return at.text.strip()
    return ""


def _slug(fields: Mapping[str, Tree], field: str, parent: Tree, troubles: Troubles) -> str:
    text = _text(fields, field, parent, troubles)
    if text and not SLUG.fullmatch(text):
        troubles.add(fields[field], "not_a_slug", f"{text!r} may hold a-z, 0-9 and hyphens only")
    return text


def _texts(fields: Mapping[str, Tree], field: str, parent: Tree, troubles: Troubles) -> Texts:
    at = fields.get(field)
    if at is None or at.fields is None:
        troubles.add(at or parent, "no_languages", f"{field!r} needs a text a language, as en: …")
        return {}
    texts = {}
    for language, found in at.fields.items():
        if not LANGUAGE.fullmatch(language):
            troubles.add(found, "unknown_language", f"{language!r} is no language code")
        elif found.text is None or not found.text.strip():
            troubles.add(found, "missing_text", f"{field!r} has no text in {language!r}")
        else:
            texts[language] = found.text.strip("\n")
    return texts

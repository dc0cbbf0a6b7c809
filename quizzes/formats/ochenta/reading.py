"""Reading our own bank file: YAML with all languages side by side."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import Field, QuestionSchema, Table, Text
from quizzes.formats.contract import (
    ImportStatus,
    Note,
    ParsedFile,
    ParsedQuestion,
    ParsedRow,
    SourceItem,
    Texts,
)
from quizzes.formats.ochenta.field_values import parse_value
from quizzes.formats.ochenta.yaml_tree import ErrorCollector, UnreadableYaml, YamlNode, parse_yaml
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.source_items import Origin

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
    """Read a bank file; everything that is wrong with it is among the errors, by line."""
    errors = ErrorCollector()
    try:
        root = parse_yaml(data, errors)
    except UnreadableYaml as error:
        return ParsedFile(errors=(error.error,))
    return replace(_bank(root, errors), errors=tuple(errors.errors))


def _bank(root: YamlNode, errors: ErrorCollector) -> ParsedFile:
    fields = _fields(root, BANK, errors)
    if (said := _text(fields, "format", root, errors)) != name:
        errors.add(fields.get("format", root), "unknown_format", f"{said!r} is not {name!r}")
    slug = _slug(fields, "bank", root, errors)
    found = tuple(_found(fields.get("questions"), root, errors))
    return ParsedFile(
        slug,
        {
            "title": _texts(fields, "title", root, errors),
            "description": _texts(fields, "description", root, errors),
            "source": _text(fields, "source", root, errors),
            "licence": _text(fields, "licence", root, errors),
            "source_language": _text(fields, "source_language", root, errors),
        },
        found,
    )


def _found(listed: YamlNode | None, root: YamlNode, errors: ErrorCollector) -> Iterator[SourceItem]:
    names: set[str] = set()
    for at in _items(listed, "questions", root, errors):
        named, kind = (_told(at, field) for field in ("name", "kind"))
        if kind and kind not in KINDS:
            note = Note("unknown_kind", at.line, kind)
            yield SourceItem(at.line, at.line, named, kind, ImportStatus.REFUSED, notes=(note,))
            continue
        yield read_item(partial(_item, at, kind, names, errors), Origin(at.line, at.line))


def _item(at: YamlNode, kind: str, names: set[str], errors: ErrorCollector) -> SourceItem:
    question = _question(at, errors)
    if question.name in names:
        errors.add(at, "name_twice", f"another question is called {question.name!r}")
    names.add(question.name)
    return SourceItem(at.line, at.line, question.name, kind, ImportStatus.IMPORTED, question)


def _told(at: YamlNode, field: str) -> str:
    found = (at.fields or {}).get(field)
    return (found and found.text) or ""


def _question(at: YamlNode, errors: ErrorCollector) -> ParsedQuestion:
    kind = KINDS.get(_told(at, "kind"))
    schema = kind.schema if kind else QuestionSchema(texts=())
    expected = {one.name for part in (schema.texts, schema.fields, schema.tables) for one in part}
    fields = _fields(at, QUESTION | expected, errors)
    _text(fields, "kind", at, errors)
    tags = [tag.text or "" for tag in _items(fields.get("tags"), "tags", at, errors)]
    return ParsedQuestion(
        line=at.line,
        name=_slug(fields, "name", at, errors),
        kind=kind.name if kind else "",
        scoring_method=_text(
            fields, "scoring_method", at, errors, default=kind.scoring_methods[0] if kind else ""
        ),
        tags=tuple(tags),
        fields=dict(_values(schema.fields, fields, errors)),
        texts=dict(_said({text: text.name for text in schema.texts}, fields, at, errors)),
        tables={
            table.name: tuple(_rows(table, fields.get(table.name), errors))
            for table in schema.tables
        },
    )


def _rows(table: Table, listed: YamlNode | None, errors: ErrorCollector) -> Iterator[ParsedRow]:
    """Read the rows of a table; a table that is not in the file has none."""
    for at in _items(listed, table.name, listed, errors) if listed else ():
        names = {text: named(table, text) for text in table.texts}
        columns = table.row_fields
        expected = {"name", *names.values(), *(one.name for one in columns)}
        fields = _fields(at, expected, errors)
        yield ParsedRow(
            at.line,
            _slug(fields, "name", at, errors),
            dict(_values(columns, fields, errors)),
            dict(_said(names, fields, at, errors)),
        )


def named(table: Table, text: Text) -> str:
    """Give the name of a row's text in a file: text and feedback, or the name of its own."""
    if text.name != table.name:
        return text.name
    return "feedback" if text.is_feedback else "text"


def _values(
    expected: Iterable[Field], fields: Mapping[str, YamlNode], errors: ErrorCollector
) -> Iterator[tuple[str, Json]]:
    for one in expected:
        if one.name in fields:
            yield one.name, parse_value(one, fields[one.name], errors)


def _said(
    names: Mapping[Text, str],
    fields: Mapping[str, YamlNode],
    at: YamlNode,
    errors: ErrorCollector,
) -> Iterator[tuple[Text, Texts]]:
    for text, name in names.items():
        if text.required or name in fields:
            yield text, _texts(fields, name, at, errors)


def _fields(at: YamlNode, known: Collection[str], errors: ErrorCollector) -> Mapping[str, YamlNode]:
    if at.fields is None:
        errors.add(at, "not_a_mapping", "fields are expected here")
        return {}
    for field, found in at.fields.items():
        if field not in known:
            expected = ", ".join(sorted(known))
            errors.add(found, "unknown_field", f"{field!r} is unknown; known are {expected}")
    return at.fields


def _items(
    at: YamlNode | None, field: str, parent: YamlNode, errors: ErrorCollector
) -> Iterator[YamlNode]:
    if at is None:
        errors.add(parent, "missing_field", f"the field {field!r} is missing")
    elif at.items is None:
        errors.add(at, "not_a_list", f"{field!r} must be a list")
    else:
        yield from at.items


def _text(
    fields: Mapping[str, YamlNode],
    field: str,
    parent: YamlNode,
    errors: ErrorCollector,
    default: str | None = None,
) -> str:
    at = fields.get(field)
    if at is None and default is not None:
        return default
    if at is None:
        errors.add(parent, "missing_field", f"the field {field!r} is missing")
    elif at.text is None or not at.text.strip():
        errors.add(at, "not_a_text", f"{field!r} must be a text")
    else:
        return at.text.strip()
    return ""


def _slug(
    fields: Mapping[str, YamlNode], field: str, parent: YamlNode, errors: ErrorCollector
) -> str:
    text = _text(fields, field, parent, errors)
    if text and not SLUG.fullmatch(text):
        errors.add(fields[field], "not_a_slug", f"{text!r} may hold a-z, 0-9 and hyphens only")
    return text


def _texts(
    fields: Mapping[str, YamlNode], field: str, parent: YamlNode, errors: ErrorCollector
) -> Texts:
    at = fields.get(field)
    if at is None or at.fields is None:
        errors.add(at or parent, "no_languages", f"{field!r} needs a text a language, as en: …")
        return {}
    texts = {}
    for language, found in at.fields.items():
        if not LANGUAGE.fullmatch(language):
            errors.add(found, "unknown_language", f"{language!r} is no language code")
        elif found.text is None or not found.text.strip():
            errors.add(found, "missing_text", f"{field!r} has no text in {language!r}")
        else:
            texts[language] = found.text.strip("\n")
    return texts

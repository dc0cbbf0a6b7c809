"""Reading our own bank file: YAML with all languages side by side."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import HINT_STEP, Field, QuestionSchema, Table, Text
from quizzes.formats.contract import (
    FieldTexts,
    ImportStatus,
    Note,
    ParsedFile,
    ParsedQuestion,
    ParsedRow,
    SourceItem,
    Texts,
)
from quizzes.formats.ochenta.field_values import read_value
from quizzes.formats.ochenta.yaml_tree import ErrorCollector, UnreadableYaml, YamlNode, parse_yaml
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.reading_limits import check_item_count
from quizzes.formats.parsing.source_items import Origin, build_item

name = "ochenta-bank/1"
extensions = ("yaml", "yml")

SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_FORMAT = re.compile(rb"^format:\s*[\"']?ochenta-bank/", re.MULTILINE)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_BANK_TEXTS = ("source", "licence", "source_language")
_BANK = ("format", "bank", "title", "description", *_BANK_TEXTS, "questions")
_QUESTION = ["name", "kind", "scoring_method", "tags"]


def detect(data: bytes, filename: str) -> bool:
    """Return whether the field `format` of a file says that it is one of ours."""
    return filename.lower().endswith(extensions) and _FORMAT.search(data[:4000]) is not None


def read(data: bytes, *, language: str = "") -> ParsedFile:  # noqa: ARG001  the file names its languages
    """Return the bank of a file; everything that is wrong with it is among the errors, by line."""
    reader = _BankReader()
    try:
        return reader.read_bank(parse_yaml(data, reader.errors))
    except UnreadableYaml as error:
        return ParsedFile(errors=(error.error,))


def get_column_name(table: Table, text: Text) -> str:
    """Return the name of a row's text in a file: text and feedback, or the name of its own."""
    if text == HINT_STEP:
        return "text"
    if text.name != table.name:
        return text.name
    return "feedback" if text.is_feedback else "text"


class _BankReader:
    """Reads a bank file; goes on after an error, so that an author sees all of them at once."""

    def __init__(self) -> None:
        self.errors = ErrorCollector()
        self._names: set[str] = set()

    def read_bank(self, root: YamlNode) -> ParsedFile:
        """Return the bank."""
        self._check_fields(root, _BANK)
        if (format_ := self._read_text(root, "format")) != name:
            self.errors.add(
                root.get("format") or root, "unknown_format", f"{format_!r} is not {name!r}"
            )
        slug = self._read_slug(root, "bank")
        nodes = self._read_items(root, "questions")
        check_item_count(len(nodes))
        items = tuple(map(self._read_item, nodes))
        by_language = {field: self._read_texts(root, field) for field in ("title", "description")}
        texts = {field: self._read_text(root, field) for field in _BANK_TEXTS}
        return ParsedFile(slug, {**by_language, **texts}, items, tuple(self.errors.errors))

    def _read_item(self, node: YamlNode) -> SourceItem:
        called, kind = node.get_text("name"), node.get_text("kind")
        origin = Origin(node.line, node.line, name=called, kind=kind)
        if kind and kind not in KINDS:
            return build_item(origin, None, [Note("unknown_kind", node.line, kind)])
        return read_item(partial(self._read_question_item, node, kind), origin)

    def _read_question_item(self, node: YamlNode, kind: str) -> SourceItem:
        question = self._read_question(node)
        if question.name in self._names:
            self.errors.add(node, "name_twice", f"another question is called {question.name!r}")
        self._names.add(question.name)
        line, status = node.line, ImportStatus.IMPORTED
        return SourceItem(line, line, question.name, kind, status, question)

    def _read_question(self, node: YamlNode) -> ParsedQuestion:
        kind = KINDS.get(node.get_text("kind"))
        schema = kind.schema if kind else QuestionSchema(texts=())
        parts = (schema.texts, schema.fields, schema.tables)
        self._check_fields(node, [*_QUESTION, *(field.name for part in parts for field in part)])
        self._read_text(node, "kind")
        tags = tuple(tag.text or "" for tag in self._read_items(node, "tags"))
        scoring_method = kind.scoring_methods[0] if kind else ""
        return ParsedQuestion(
            line=node.line,
            name=self._read_slug(node, "name"),
            kind=kind.name if kind else "",
            scoring_method=self._read_text(node, "scoring_method", default=scoring_method),
            tags=tags,
            fields=self._read_values(node, schema.fields),
            texts=self._read_field_texts(node, {text: text.name for text in schema.texts}),
            tables={table.name: tuple(self._read_rows(node, table)) for table in schema.tables},
        )

    def _read_rows(self, node: YamlNode, table: Table) -> Iterable[ParsedRow]:
        """Yield the rows of a table; a table that is not in the file has none."""
        names = {text: get_column_name(table, text) for text in table.texts}
        columns = [field.name for field in table.row_fields]
        for row in self._read_items(node, table.name) if node.get(table.name) else ():
            self._check_fields(row, ["name", *names.values(), *columns])
            yield ParsedRow(
                row.line,
                self._read_slug(row, "name"),
                self._read_values(row, table.row_fields),
                self._read_field_texts(row, names),
            )

    def _read_values(self, node: YamlNode, fields: Iterable[Field]) -> Mapping[str, Json]:
        return {
            field.name: read_value(field, at, self.errors)
            for field in fields
            if (at := node.get(field.name))
        }

    def _read_field_texts(self, node: YamlNode, names: Mapping[Text, str]) -> FieldTexts:
        return {
            text: self._read_texts(node, name)
            for text, name in names.items()
            if text.required or node.get(name)
        }

    def _check_fields(self, node: YamlNode, expected: Collection[str]) -> None:
        if node.fields is None:
            self.errors.add(node, "not_a_mapping", "fields are expected here")
        for field, at in (node.fields or {}).items():
            if field not in expected:
                names = ", ".join(sorted(expected))
                message = f"{field!r} is unknown; known are {names}"
                self.errors.add(at, "unknown_field", message)

    def _read_items(self, node: YamlNode, field: str) -> Sequence[YamlNode]:
        at = node.get(field)
        if at is None:
            self.errors.add(node, "missing_field", f"the field {field!r} is missing")
        elif at.items is None:
            self.errors.add(at, "not_a_list", f"{field!r} must be a list")
        return (at and at.items) or ()

    def _read_text(self, node: YamlNode, field: str, default: str | None = None) -> str:
        at = node.get(field)
        if at is None and default is not None:
            return default
        text = ((at and at.text) or "").strip()
        if at is None:
            self.errors.add(node, "missing_field", f"the field {field!r} is missing")
        elif not text:
            self.errors.add(at, "not_a_text", f"{field!r} must be a text")
        return text

    def _read_slug(self, node: YamlNode, field: str) -> str:
        text, at = self._read_text(node, field), node.get(field)
        if at and text and not SLUG.fullmatch(text):
            message = f"{text!r} may hold a-z, 0-9 and hyphens only"
            self.errors.add(at, "not_a_slug", message)
        return text

    def _read_texts(self, node: YamlNode, field: str) -> Texts:
        at = node.get(field)
        if at is None or at.fields is None:
            message = f"{field!r} needs a text a language, as en: …"
            self.errors.add(at or node, "no_languages", message)
            return {}
        texts = {}
        for language, text in at.fields.items():
            if not _LANGUAGE.fullmatch(language):
                self.errors.add(text, "unknown_language", f"{language!r} is no language code")
            elif not (text.text or "").strip():
                self.errors.add(text, "missing_text", f"{field!r} has no text in {language!r}")
            else:
                texts[language] = (text.text or "").strip("\n")
        return texts

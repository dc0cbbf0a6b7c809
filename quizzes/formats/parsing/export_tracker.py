"""What an exporter reads of a question; what it does not read becomes a warning. Pure."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from html import unescape
from itertools import chain

from grading.json_types import Json, ratio_from_json
from grading.kinds import KINDS
from grading.schema import Field
from quizzes.formats.contract import (
    ExportResult,
    ExportWarning,
    FieldTexts,
    ParsedQuestion,
    ParsedRow,
)
from quizzes.formats.html import to_html, to_markdown
from quizzes.formats.parsing.markdown_escape import escape_markdown

_MEDIA = re.compile(r"\]\(media:([\w.-]{0,200})")
_BREAK = re.compile(r"<br ?/?>\n?|</(?:p|li|h\d|pre|tr|blockquote)>\n?")
_NO_CHARACTER = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_TAG = re.compile(r"<[^<>]*>")


def plain_text(markdown: str) -> tuple[str, bool]:
    """Return a text without markup, and whether it had none."""
    if markdown == escape_markdown(markdown):
        return markdown, True
    html = to_html(markdown)
    broken = _BREAK.sub("\n", html.replace("</p>\n<p>", "</p>\n\n<p>"))
    words = unescape(_TAG.sub("", broken)).strip()
    return words, to_html(escape_markdown(words)) == html


@dataclass(slots=True)
class ExportTracker:
    """One question, exported in one language; whatever is read of it counts as exported."""

    question: ParsedQuestion
    language: str
    tags: bool = False  # whether the format has any
    files: Container[str] | None = None  # those that go along; None: the format holds none
    _warnings: list[ExportWarning] = field(default_factory=list)
    _read: set[str] = field(default_factory=set)

    def warn(self, code: str, **detail: str) -> None:
        """Add a warning, once."""
        warning = ExportWarning(self.question.name, code, detail)
        if warning not in self._warnings:
            self._warnings.append(warning)

    def text(self, name: str, *, told: bool = False, row: ParsedRow | None = None) -> str:
        """Return a text of the question, or of a row; "" if there is none in this language."""
        self._read.add(f"{name} {told}")
        words = _in(row.texts if row else self.question.texts, name, told, self.language)
        for file in _MEDIA.findall(words):
            if self.files is None:
                self.warn("media_left_out")
            elif file not in self.files:
                self.warn("media_missing", file=file)
        return words

    def plain(self, name: str, *, told: bool = False, row: ParsedRow | None = None) -> str:
        """Return a text without markup; markup left out is warned of."""
        text, is_plain = plain_text(self.text(name, told=told, row=row))
        if not is_plain:
            self.warn("markup_left_out")
        return text

    def clean(self, words: str) -> str:
        """Return a text without the characters that XML cannot hold."""
        if _NO_CHARACTER.search(words):
            self.warn("characters_left_out")
        return _NO_CHARACTER.sub("", words)

    def html(self, markdown: str) -> str:
        """Return a text as HTML; markup that would be read back differently is warned of."""
        html = to_html(self.clean(markdown))
        back, _ = to_markdown(html, media=lambda address: address.removeprefix("media:"))
        if to_html(back) != html:
            self.warn("markup_changed")
        return html

    def rows(self, table: str) -> tuple[ParsedRow, ...]:
        """Return the rows of a table."""
        self._read.add(table)
        return self.question.tables.get(table, ())

    def value(self, name: str, row: ParsedRow | None = None) -> Json:
        """Return the value of a field, or its default."""
        self._read.add(f"field {name}")
        return (row.values if row else self.question.fields).get(name, _default(self, name))

    def ratio(self, name: str, row: ParsedRow) -> Fraction:
        """Return the value of a field that holds a ratio."""
        return ratio_from_json(self.value(name, row))

    def warnings(self, *scoring_methods: str) -> tuple[ExportWarning, ...]:
        """Return all warnings, also of what was not read; the format has these scoring methods."""
        if self.question.scoring_method not in scoring_methods:
            self.warn("scoring_method_left_out", scoring_method=self.question.scoring_method)
        for code, part in self._left():
            self.warn(code, part=part)
        if self.question.tags and not self.tags:
            self.warn("tags_left_out")
        if self._elsewhere():
            self.warn("languages_left_out")
        return tuple(self._warnings)

    def _left(self) -> Iterator[tuple[str, str]]:
        schema, question = KINDS[self.question.kind].schema, self.question
        yield from self._unasked(schema.fields, question.fields, question.texts)
        for table in schema.tables:
            rows = question.tables.get(table.name, ())
            if rows and table.name not in self._read:
                yield "rows_left_out", table.name
                continue
            for row in rows:
                yield from self._unasked(table.fields, row.values, row.texts)

    def _unasked(
        self, fields: Iterable[Field], values: Mapping[str, Json], every: FieldTexts
    ) -> Iterator[tuple[str, str]]:
        for one in fields:
            held = values.get(one.name, one.default)
            if held != one.default and f"field {one.name}" not in self._read:
                yield "setting_left_out", one.name
        for text, by_language in every.items():
            if (
                by_language.get(self.language)
                and f"{text.name} {text.is_feedback}" not in self._read
            ):
                yield "text_left_out", text.name

    def _elsewhere(self) -> bool:
        return bool(self.question.languages - {self.language})


def join_exports(
    exports: Iterable[tuple[str, Iterable[ExportWarning]]], between: str = "", head: str = ""
) -> ExportResult:
    """Return the file made of the texts of questions; one that could not be written has none."""
    texts, warnings = zip(*exports, strict=True) if (exports := list(exports)) else ((), ())
    text = head + between.join(filter(None, texts))
    return ExportResult(text.encode(), tuple(chain.from_iterable(warnings)))


def find_refusal(
    question: ParsedQuestion, kinds: Container[str], language: str
) -> tuple[ExportWarning, ...]:
    """Return why a question cannot be written at all: of another kind, no prompt; else ()."""
    if question.kind not in kinds:
        return (ExportWarning(question.name, "kind_not_held", {"kind": question.kind}),)
    if _in(question.texts, "prompt", False, language):  # noqa: FBT003  told or not
        return ()
    return (ExportWarning(question.name, "language_missing", {"language": language}),)


def _in(said: FieldTexts, name: str, told: bool, language: str) -> str:
    found = (words for text, words in said.items() if (text.name, text.is_feedback) == (name, told))
    return next(found, {}).get(language, "")


def _default(tracker: ExportTracker, name: str) -> Json:
    schema = KINDS[tracker.question.kind].schema
    every = [*schema.fields, *(one for table in schema.tables for one in table.fields)]
    return next((one.default for one in every if one.name == name), None)

"""What an exporter reads of a question; what it does not read becomes a warning. Pure."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from html import unescape
from typing import Generic, TypeVar

from grading.json_types import Json, ratio_from_json
from grading.kinds import KINDS
from grading.schema import Field
from quizzes.formats.contract import (
    ExportWarning,
    FieldTexts,
    ParsedFile,
    ParsedQuestion,
    ParsedRow,
)
from quizzes.formats.parsing.html_texts import to_markdown
from quizzes.lib.html_conversion import to_html
from quizzes.lib.markup.escape import escape_markdown

_MEDIA = re.compile(r"\]\(media:([\w.-]{0,200})")
_BREAK = re.compile(r"<br ?/?>\n?|</(?:p|li|h\d|pre|tr|blockquote)>\n?")
_NO_CHARACTER = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_TAG = re.compile(r"<[^<>]*>")
_CODES = {
    "score_feedback": "score_feedback_left_out",
    "combination_feedback": "combination_feedback_left_out",
    "criteria": "rubric_left_out",
    "explanation_safe": "safe_left_out",
    "hints": "hints_left_out",
    "items": "feedback_left_out",
    "lefts": "feedback_left_out",
    "levels": "rubric_left_out",
    "graders": "rubric_left_out",
    "no_unit": "unit_feedback_left_out",
    "none_apply": "none_apply_left_out",
    "pinned": "pinned_left_out",
    "no_unit_safe": "safe_left_out",
    "otherwise_safe": "safe_left_out",
    "reading_link": "reading_link_left_out",
    "safe": "safe_left_out",
    "unchosen": "unchosen_left_out",
    "wrong_unit": "unit_feedback_left_out",
    "wrong_unit_safe": "safe_left_out",
}
"""Parts of questions whose loss has a warning of its own; that of any other names the part."""

Exported = TypeVar("Exported")


class ExportRefused(Exception):
    """A format cannot hold a question at all."""

    def __init__(self, question: ParsedQuestion, code: str, **detail: str) -> None:
        super().__init__(code)
        self.warning = ExportWarning(question.name, code, detail)


def plain_text(markdown: str) -> tuple[str, bool]:
    """Return a text without markup, and whether it had none."""
    if markdown == escape_markdown(markdown):
        return markdown, True
    html = to_html(markdown)
    broken = _BREAK.sub("\n", html.replace("</p>\n<p>", "</p>\n\n<p>"))
    words = unescape(_TAG.sub("", broken)).strip()
    return words, to_html(escape_markdown(words)) == html


def indent_below(text: str, width: int) -> str:
    """Return a text with all its lines but the first indented."""
    first, *lines = text.split("\n")
    return "\n".join([first, *(f"{' ' * width}{line}" if line else "" for line in lines)])


@dataclass(slots=True)
class ExportTracker:
    """One question, exported in one language; whatever is read of it counts as exported."""

    question: ParsedQuestion
    language: str
    tags: bool = False  # whether the format has any
    media: Mapping[str, bytes] | None = None  # files that go along; None: the format has none
    points: Fraction | None = None
    _warnings: list[ExportWarning] = field(default_factory=list)
    _read: set[str] = field(default_factory=set)

    def warn(self, code: str, **detail: str) -> None:
        """Add a warning, once."""
        warning = ExportWarning(self.question.name, code, detail)
        if warning not in self._warnings:
            self._warnings.append(warning)

    def text(self, name: str, row: ParsedRow | None = None) -> str:
        """Return a text of the question, or of a row; "" if there is none in this language."""
        return self._text(name, row, is_feedback=False)

    def feedback(self, name: str, row: ParsedRow | None = None) -> str:
        """Return a feedback text of the question, or of a row; "" if there is none."""
        return self._text(name, row, is_feedback=True)

    def _text(self, name: str, row: ParsedRow | None, *, is_feedback: bool) -> str:
        self._read.add(f"{name} {is_feedback}")
        texts = row.texts if row else self.question.texts
        words = _find_text(texts, name, self.language, is_feedback=is_feedback)
        for file in _MEDIA.findall(words):
            if self.media is None:
                self.warn("media_left_out")
            elif file not in self.media:
                self.warn("media_missing", file=file)
        return words

    def remove_markup(self, markdown: str) -> str:
        """Return a text without markup, with a warning if it had any."""
        text, is_plain = plain_text(markdown)
        if not is_plain:
            self.warn("markup_left_out")
        return text

    def clean(self, words: str) -> str:
        """Return a text without the characters that XML cannot hold."""
        if _NO_CHARACTER.search(words):
            self.warn("characters_left_out")
        return _NO_CHARACTER.sub("", words)

    def html(self, markdown: str) -> str:
        """Return a text as HTML, with a warning if it would be read back differently."""
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
        return (row.values if row else self.question.fields).get(name, self._default(name))

    def ratio(self, name: str, row: ParsedRow) -> Fraction:
        """Return the value of a field that holds a ratio."""
        return ratio_from_json(self.value(name, row))

    def warnings(self, scoring_methods: Iterable[str]) -> tuple[ExportWarning, ...]:
        """Return all warnings, also of what was not read; the format has these scoring methods."""
        if self.question.scoring_method not in scoring_methods:
            self.warn("scoring_method_left_out", scoring_method=self.question.scoring_method)
        for code, part in self._list_unread():
            if part in _CODES:
                self.warn(_CODES[part])
            else:
                self.warn(code, part=part)
        if self.question.tags and not self.tags:
            self.warn("tags_left_out")
        if self.question.languages - {self.language}:
            self.warn("languages_left_out")
        return tuple(self._warnings)

    def _list_unread(self) -> Iterator[tuple[str, str]]:
        schema, question = KINDS[self.question.kind].schema, self.question
        yield from self._list_unread_parts(schema.fields, question.fields, question.texts)
        for table in schema.tables:
            rows = question.tables.get(table.name, ())
            if rows and table.name not in self._read:
                yield "rows_left_out", table.name
                continue
            for row in rows:
                yield from self._list_unread_parts(table.fields, row.values, row.texts)

    def _list_unread_parts(
        self, fields: Iterable[Field], values: Mapping[str, Json], texts: FieldTexts
    ) -> Iterator[tuple[str, str]]:
        for schema_field in fields:
            name, default = schema_field.name, schema_field.default
            if values.get(name, default) != default and f"field {name}" not in self._read:
                yield "setting_left_out", name
        for text, by_language in texts.items():
            is_read = f"{text.name} {text.is_feedback}" in self._read
            if by_language.get(self.language) and not is_read:
                yield "text_left_out", text.name

    def _default(self, name: str) -> Json:
        schema = KINDS[self.question.kind].schema
        fields = [*schema.fields, *(column for table in schema.tables for column in table.fields)]
        return next((field.default for field in fields if field.name == name), None)


@dataclass(frozen=True, slots=True)
class QuestionExporter(Generic[Exported]):
    """How a format writes questions of the kinds that it has `scoring_methods` for.

    A format that `needs_prompt` leaves out a question without a prompt in the language.
    """

    write_question: Callable[[ExportTracker], Exported]
    scoring_methods: Mapping[str, Collection[str]]
    has_tags: bool = False
    has_media: bool = False
    needs_prompt: bool = True

    def export(
        self, parsed_file: ParsedFile, language: str
    ) -> tuple[list[Exported], tuple[ExportWarning, ...]]:
        """Return each question as it is written, and all warnings."""
        exports: list[Exported] = []
        warnings: list[ExportWarning] = []
        media = parsed_file.media if self.has_media else None
        for item in parsed_file.items:
            if item.question is not None:
                tracker = ExportTracker(item.question, language, self.has_tags, media, item.points)
                try:
                    self._refuse(tracker)
                    exports.append(self.write_question(tracker))
                    warnings += tracker.warnings(self.scoring_methods[item.question.kind])
                except ExportRefused as refusal:
                    warnings.append(refusal.warning)
        return exports, tuple(warnings)

    def _refuse(self, tracker: ExportTracker) -> None:
        question, language = tracker.question, tracker.language
        if question.kind not in self.scoring_methods:
            raise ExportRefused(question, "kind_not_held", kind=question.kind)
        has_prompt = _find_text(question.texts, "prompt", language, is_feedback=False)
        if not (has_prompt if self.needs_prompt else language in question.languages):
            raise ExportRefused(question, "language_missing", language=language)


def _find_text(texts: FieldTexts, name: str, language: str, *, is_feedback: bool) -> str:
    by_language = (
        words
        for text, words in texts.items()
        if (text.name, text.is_feedback) == (name, is_feedback)
    )
    return next(by_language, {}).get(language, "")

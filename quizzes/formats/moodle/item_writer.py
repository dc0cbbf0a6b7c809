"""One question while it is written: its words in one language, its element, what is lost."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from xml.etree.ElementTree import Element, SubElement

from grading.json_types import Json, ratio_from_json
from quizzes.formats.contract import ExportWarning, FieldTexts, ParsedQuestion, ParsedRow

_MEDIA = re.compile(r"\bmedia:([\w.-]{1,200})")
_NO_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass(slots=True)
class Page:
    """A question, the element that it is written into, and the losses so far."""

    question: ParsedQuestion
    language: str
    media: Mapping[str, bytes]
    node: Element = field(default_factory=partial(Element, "question"))
    warnings: list[ExportWarning] = field(default_factory=list)

    def warn(self, code: str, **detail: str | int) -> None:
        """Say, once, what the file does not hold."""
        warning = ExportWarning(self.question.name, code, detail)
        if warning not in self.warnings:
            self.warnings.append(warning)

    def rows(self, table: str) -> tuple[ParsedRow, ...]:
        """Give the rows of a table."""
        return self.question.tables.get(table, ())

    def text(self, name: str, *, told: bool = False) -> str:
        """Give a text of the question; "" where it says nothing."""
        return self.said(self.question.texts, name, told=told)

    def row(self, row: ParsedRow, name: str, *, told: bool = False) -> str:
        """Give a text of a row."""
        return self.said(row.texts, name, told=told)

    def said(self, said: FieldTexts, name: str, *, told: bool) -> str:
        """Give what stands under this text, in the language of the file."""
        texts = (said[text] for text in said if text.name == name and text.is_feedback == told)
        return next((text[self.language] for text in texts if self.language in text), "")

    def credit(self, row: ParsedRow, name: str) -> Fraction:
        """Give a field that holds a ratio; 1 where it says nothing."""
        return ratio_from_json(row.values.get(name, [1, 1]))

    def add(self, name: str, value: str, parent: Element | None = None) -> Element:
        """Add an element with a value."""
        node = SubElement(self.node if parent is None else parent, name)
        node.text = _NO_CHARACTER.sub("", value)
        return node

    def plain(self, name: str, value: str, parent: Element | None = None) -> Element:
        """Add an element with a `<text>` that has no markup."""
        node = SubElement(self.node if parent is None else parent, name)
        self.add("text", value, node)
        return node

    def markdown(self, name: str, value: str, parent: Element | None = None) -> Element:
        """Add an element with a text in Markdown, and the files that it shows."""
        node = self.plain(name, _MEDIA.sub(r"@@PLUGINFILE@@/\1", value), parent)
        node.set("format", "markdown")
        for file in dict.fromkeys(_MEDIA.findall(value)):
            if file not in self.media:
                self.warn("media_missing", file=file)
                continue
            element = self.add("file", base64.b64encode(self.media[file]).decode(), node)
            element.attrib.update(name=file, path="/", encoding="base64")
        return node

    def answer(self, text: str, earned: Fraction, feedback: str, *, markup: bool) -> Element:
        """Add an answer with what it earns and what is said to it."""
        node = (self.markdown if markup else self.plain)("answer", text)
        node.set("fraction", percent(earned))
        if feedback:
            self.markdown("feedback", feedback, node)
        return node

    def warn_of_texts(self, code: str, *places: tuple[str, str]) -> None:
        """Name told texts of rows that the file has no place for: table and name of the text."""
        for table, name in places:
            if any(self.row(row, name, told=True) for row in self.rows(table)):
                self.warn(code)

    def note_scoring_method(self, *supported: str) -> None:
        """Name the scoring method, unless the file pays the same."""
        if self.question.scoring_method not in supported:
            self.warn("scoring_method_left_out", scoring_method=self.question.scoring_method)

    def field(self, name: str, default: Json = None) -> Json:
        """Give a field of the question."""
        value = self.question.fields.get(name)
        return default if value is None else value


def percent(share: Fraction) -> str:
    """Write a share as Moodle does: a third is 33.33333."""
    return f"{float(share * 100):.5f}".rstrip("0").rstrip(".")


def yes(value: Json) -> str:
    """Write a flag as Moodle does."""
    return "true" if value else "false"

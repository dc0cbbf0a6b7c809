"""Aiken: a prompt, options from A on, and a line "ANSWER: B"; nothing else can be said in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from string import ascii_uppercase

from quizzes.formats.builders import Head, Option, build_choice
from quizzes.formats.contract import (
    ExportResult,
    FileMetadata,
    Note,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.export import ExportRefused, ExportTracker, QuestionExporter
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.markdown_escape import escape_markdown
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item

name = "aiken"
extensions = ("txt", "aiken")

_OPTION = re.compile(r"\s*([A-Z])[.)]\s*(\S.*)?")
_ANSWER = re.compile(r"\s*ANSWER\s*:\s*(.*)", re.IGNORECASE)
_FIRST_OPTION = re.compile(rb"\s*A[.)](?:\s|$)")
_LETTER = re.compile(rb"\s*ANSWER\s*:\s*[A-Z]\s*$")
_MOST_LINES = 61


@dataclass(slots=True)
class _Item:
    line: int
    last: int = 0
    prompt: list[str] = field(default_factory=list)
    options: list[tuple[int, list[str]]] = field(default_factory=list)
    answer: str = ""
    apart: bool = False  # a blank line stood after the options
    notes: list[Note] = field(default_factory=list)


def detect(data: bytes, filename: str) -> bool:
    """Return whether an option A has, below it, more lines and one with the answer's letter."""
    if not filename.lower().endswith(extensions):
        return False
    # Line by line: one pattern for all of them takes a time that grows with their square.
    below = is_apart = 0  # how many lines since an option A; whether the last one was empty
    for line in data[:100_000].splitlines():
        if _FIRST_OPTION.match(line):
            below = 1
        elif 1 < below <= _MOST_LINES and _LETTER.match(line):
            return True
        elif line:
            below = below + 1 if below and not is_apart else 0
        is_apart = not line
    return False


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; an item that breaks off is told."""
    text, spoken, notes = decode_text(data, language)
    names = Names()
    found = tuple(
        read_item(partial(_found, item, names, spoken or "en"), Origin(item.line, item.last))
        for item in _items(text)
    )
    return ParsedFile(
        items=found, metadata=FileMetadata(language=spoken), ignored_lines=tuple(notes)
    )


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write questions with one right option; others, and all beyond words and key, are losses."""
    writer = (_write_question, ("all_or_nothing",))
    exporter = QuestionExporter({"single_choice": writer, "true_false": writer})
    texts, warnings = exporter.export(parsed_file, language)
    return ExportResult("\n".join(texts).encode(), warnings)


def _items(text: str) -> Iterator[_Item]:
    item: _Item | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            if item:
                item.apart = bool(item.options)
            continue
        option, answer = _OPTION.match(line), _ANSWER.match(line)
        if item and item.options and answer:
            item.answer, item.last = answer[1].strip(), number
            yield item
            item = None
            continue
        expected = item and ascii_uppercase[min(len(item.options), 25)]
        if item and item.apart and not (option and option[1] == expected):
            yield item
            item = None
        item = item or _Item(number)
        item.last, item.apart = number, False
        if item.prompt and option and option[1] == expected:
            item.options.append((number, [option[2] or ""]))
        elif item.options:
            item.options[-1][1].append(line)
            item.notes.append(Note("line_joined", number, line.strip()[:200]))
        else:
            item.prompt.append(line)
    if item:
        yield item


def _found(item: _Item, names: Names, language: str) -> SourceItem:
    prompt = escape_markdown("\n".join(item.prompt))
    called, place = names.name(prompt), Origin(item.line, item.last)
    if not item.options:
        note = Note("description_only", item.line, prompt[:200])
        return build_item(place.with_name(called, "unknown"), None, [note])
    letters = set(re.findall(r"\b[A-Z]\b", item.answer.upper()))
    known = set(ascii_uppercase[: len(item.options)])
    if not letters & known:
        code = "answer_unknown" if item.answer else "key_unknown"
        item.notes.append(Note(code, item.last, item.answer[:200]))
    elif letters - known:
        item.notes.append(Note("answer_unknown", item.last, item.answer[:200]))
    if len(item.options) < 2:  # noqa: PLR2004  a choice
        item.notes.append(Note("too_few_options", item.line))
    options = [
        Option(escape_markdown("\n".join(words)) or letter, right=letter in letters, line=line)
        for letter, (line, words) in zip(ascii_uppercase, item.options, strict=False)
    ]
    head = Head(item.line, called, language, prompt)
    question = build_choice(head, options, many=len(letters & known) > 1)
    return build_item(place.with_name(called), question, item.notes)


def _write_question(tracker: ExportTracker) -> str:
    rows = tracker.rows("options")
    if len(rows) > len(ascii_uppercase):
        raise ExportRefused(tracker.question, "too_many_options")
    lines = [_write_line(tracker, tracker.text("prompt"))]
    for letter, row in zip(ascii_uppercase, rows, strict=False):
        lines.append(f"{letter}. {_write_line(tracker, tracker.text('options', row))}")
    right = [bool(tracker.value("right", row)) for row in rows]
    answer = ascii_uppercase[right.index(True)] if True in right else ""
    return "\n".join([*lines, f"ANSWER: {answer}", ""])


def _write_line(tracker: ExportTracker, markdown: str) -> str:
    text = tracker.remove_markup(markdown)
    if "\n" in text:
        tracker.warn("lines_left_out")
    return " ".join(text.split("\n"))

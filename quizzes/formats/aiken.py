"""Aiken: a prompt, options from A on, and a line "ANSWER: B"; it has room for nothing else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from string import ascii_uppercase

from quizzes.formats.builders import Head, Option, SourceChoice, settle_choice
from quizzes.formats.contract import (
    ExportResult,
    FileMetadata,
    Note,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.export import ExportRefused, ExportTracker, QuestionExporter
from quizzes.formats.parsing.failures import read_blocks
from quizzes.formats.parsing.instructions import asks_for_words
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.lib.markup.escape import escape_markdown

name = "aiken"
extensions = ("txt", "aiken")

_OPTION = re.compile(r"\s*([A-Z])[.)]\s*(\S.*)?")
_ANSWER = re.compile(r"\s*ANSWER\s*:\s*(.*)", re.IGNORECASE)
_FIRST_OPTION = re.compile(rb"\s*A[.)](?:\s|$)")
_LETTER = re.compile(rb"\s*ANSWER\s*:\s*[A-Z]\s*$")
_MOST_LINES = 61


@dataclass(slots=True)
class _Block:
    """The lines of one question; `is_apart`: a blank line stood after the options."""

    line: int
    end_line: int
    prompt: list[str] = field(default_factory=list)
    options: list[tuple[int, list[str]]] = field(default_factory=list)
    answer: str = ""
    has_blank_line: bool = False
    notes: list[Note] = field(default_factory=list)

    @property
    def next_letter(self) -> str:
        return ascii_uppercase[min(len(self.options), 25)]


def detect(data: bytes, filename: str) -> bool:
    """Return whether an option A has, below it, more lines and one with the answer's letter."""
    if not filename.lower().endswith(extensions):
        return False
    # Line by line: one pattern for all of them takes a time that grows with their square.
    below = has_blank_line = 0  # how many lines since an option A; whether the last one was empty
    for line in data[:100_000].splitlines():
        if _FIRST_OPTION.match(line):
            below = 1
        elif 1 < below <= _MOST_LINES and _LETTER.match(line):
            return True
        elif line:
            below = below + 1 if below and not has_blank_line else 0
        has_blank_line = not line
    return False


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; a question that breaks off gets a note."""
    text, language, notes = decode_text(data, language)
    items = read_blocks(_read_block, _split_blocks(text), language)
    metadata = FileMetadata(language=language)
    return ParsedFile(items=items, metadata=metadata, ignored_lines=tuple(notes))


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write questions with one right option; others, and all beyond text and key, are warnings."""
    scoring_methods = dict.fromkeys(("single_choice", "true_false"), ("all_or_nothing",))
    exporter = QuestionExporter(_write_question, scoring_methods)
    texts, warnings = exporter.export(parsed_file, language)
    return ExportResult("\n".join(texts).encode(), warnings)


def _split_blocks(text: str) -> Iterator[_Block]:
    block: _Block | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            if block:
                block.has_blank_line = bool(block.options)
            continue
        if block and block.options and (answer := _ANSWER.match(line)):
            block.answer, block.end_line = answer[1].strip(), number
            yield block
            block = None
            continue
        option = _OPTION.match(line)
        is_next = bool(block and option and option[1] == block.next_letter)
        if block and block.has_blank_line and not is_next:
            yield block
            block = None
        block = block or _Block(number, number)
        block.end_line, block.has_blank_line = number, False
        if block.prompt and option and option[1] == block.next_letter:
            block.options.append((number, [option[2] or ""]))
        elif block.options:
            block.options[-1][1].append(line)
            block.notes.append(Note("line_joined", number, line.strip()[:200]))
        else:
            block.prompt.append(line)
    if block:
        yield block


def _read_block(block: _Block, names: Names, language: str) -> SourceItem:
    prompt = escape_markdown("\n".join(block.prompt))
    head = Head(block.line, names.assign(prompt), language, prompt)
    origin = Origin(block.line, block.end_line, name=head.name)
    if not block.options:
        note = Note("description_only", block.line, prompt[:200])
        return build_item(origin.with_name(head.name, "unknown"), None, [note])
    asking = [line.strip() for line in block.prompt if _asks(line)]
    if len(asking) > 1:
        block.notes.append(Note("several_prompts", block.line, asking[1][:200]))
    letters = set(re.findall(r"\b[A-Z]\b", block.answer.upper()))
    right = letters.intersection(ascii_uppercase[: len(block.options)])
    if right and letters != right:
        block.notes.append(Note("answer_unknown", block.end_line, block.answer[:200]))
    options = [
        Option(escape_markdown("\n".join(lines)) or letter, right=letter in right, line=line)
        for letter, (line, lines) in zip(ascii_uppercase, block.options, strict=False)
    ]
    source = SourceChoice(
        options,
        many=len(right) > 1,
        line=block.end_line,
        quote=block.answer,
        key_code="answer_unknown" if block.answer else "key_unknown",
    )
    question, notes = settle_choice(head, source)
    return build_item(origin, question, [*block.notes, *notes])


def _asks(line: str) -> bool:
    """Return whether a line of a prompt asks, or tells to answer in own words."""
    return line.rstrip().endswith(("?", "？")) or asks_for_words(line.strip())


def _write_question(tracker: ExportTracker) -> str:
    rows = tracker.rows("options")
    if len(rows) > len(ascii_uppercase):
        raise ExportRefused(tracker.question, "too_many_options")
    lines, answer = [_write_line(tracker, tracker.text("prompt"))], ""
    for letter, row in zip(ascii_uppercase, rows, strict=False):
        lines.append(f"{letter}. {_write_line(tracker, tracker.text('options', row))}")
        answer = answer or (letter if tracker.value("right", row) else "")
    return "\n".join([*lines, f"ANSWER: {answer}", ""])


def _write_line(tracker: ExportTracker, markdown: str) -> str:
    text = tracker.remove_markup(markdown)
    if "\n" in text:
        tracker.warn("lines_left_out")
    return " ".join(text.split("\n"))

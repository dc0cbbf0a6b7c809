"""Cards as Anki exports them: a line a note, columns parted by tabs, headers that begin with #."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from io import StringIO

from quizzes.formats.anki import Sides, question_of, spoken, tags, words
from quizzes.formats.builders import Head
from quizzes.formats.contract import (
    LONGEST_QUOTE,
    ExportResult,
    ExportWarning,
    FileMetadata,
    Note,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.contract import ParsedQuestion as Question
from quizzes.formats.html import to_html, to_markdown
from quizzes.formats.parsing.export_tracker import ExportTracker, find_refusal
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import LOST, Origin, build_item

name = "anki-tsv"
extensions = ("txt", "tsv")

_APART = ("tags", "deck", "notetype", "guid")
"""Columns that hold no words of a card."""
COLUMNS = ("Front", "Back", "Hint", "Explanation", "Tags")
_HEADER = re.compile(r"#([a-z ]{1,30}):([^\n]*)")
_GRAVE = LOST | frozenset({"back_missing", "latex_as_text", "prompt_missing"})
_CLAIM = re.compile(rb"(?:\xef\xbb\xbf)?#(?:separator|html|notetype|columns)[a-z ]*:")
_SIGNS = {
    "tab": "\t",
    "comma": ",",
    "semicolon": ";",
    "space": " ",
    "pipe": "|",
    "colon": ":",
}


# A field may be as long as the file: the library's own limit would end the reading.
csv.field_size_limit(64 * 1024 * 1024)


@dataclass(frozen=True)
class _Sheet:
    """What the headers say of the columns, from 1 as Anki counts them."""

    headers: Mapping[str, str]
    language: str
    names: Names = field(default_factory=Names)

    @cached_property
    def sign(self) -> str:
        said = self.headers.get("separator", "tab").strip()
        return _SIGNS.get(said.lower(), "\t")

    @cached_property
    def columns(self) -> Mapping[str, int]:
        """What the headers say of single columns, from 0; those they do not say are absent."""
        texts = {kind: self.headers.get(f"{kind} column", "").strip() for kind in _APART}
        return {
            kind: int(text) - 1 for kind, text in texts.items() if re.fullmatch(r"[1-9]\d?", text)
        }

    @cached_property
    def names_of_columns(self) -> Mapping[int, str]:
        """What the headers call the columns, from 0."""
        texts = self.headers.get("columns", "").split(self.sign)
        return {at: text.strip().lower() for at, text in enumerate(texts)}

    @cached_property
    def is_html(self) -> bool:
        """Whether fields hold HTML, as the headers say."""
        return self.headers.get("html", "true").strip() == "true"

    def tags(self, row: list[str]) -> tuple[str, ...]:
        at = self.columns.get("tags", -1)
        return tags(row[at]) if 0 <= at < len(row) else ()

    def sides(self, row: list[str]) -> Sides:
        """Give front, back, hint and explanation; columns beyond these explain."""
        apart, names = set(self.columns.values()), self.names_of_columns
        held = [(names.get(at, ""), self._html(t)) for at, t in enumerate(row) if at not in apart]
        hint = "<br>".join(text for name, text in held if name == "hint")
        front, back, *others = [*(text for name, text in held if name != "hint"), "", ""]
        return Sides(front, back, hint, "<br>".join(filter(None, others)))

    def _html(self, text: str) -> str:
        if self.is_html:
            return text
        return escape(text).replace("\n", "<br>")


def detect(data: bytes, filename: str) -> bool:
    """Tell an export by the header it begins with."""
    return filename.lower().endswith(extensions) and _CLAIM.match(data) is not None


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; its headers say what its columns are."""
    text, spoken, notes = decode_text(data, language)
    headers, body, skipped = _headers(text)
    sheet = _Sheet(headers, spoken or "en")
    found = tuple(
        read_item(partial(_found, line, last, row, sheet), Origin(line, last))
        for line, last, row in _rows(body, sheet.sign, skipped)
    )
    return ParsedFile(
        items=found, metadata=FileMetadata(language=spoken), ignored_lines=tuple(notes)
    )


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Write cards as HTML; questions of other kinds are losses."""
    held, warnings = StringIO(), list[ExportWarning]()
    named = "\t".join(COLUMNS)
    held.write(f"#separator:tab\n#html:true\n#tags column:{len(COLUMNS)}\n#columns:{named}\n")
    rows = csv.writer(held, delimiter="\t", lineterminator="\n")
    for question in parsed_file.questions:
        row, lost = _written(question, language)
        warnings += lost
        if row:
            rows.writerow(row)
    return ExportResult(held.getvalue().encode(), tuple(warnings))


def _headers(text: str) -> tuple[Mapping[str, str], str, int]:
    """Give the headers, what comes after them, and how many lines they are."""
    headers, lines = {}, 0
    while found := _HEADER.match(text):
        headers[found[1]] = found[2]
        text, lines = text[found.end() + 1 :], lines + 1
    return headers, text, lines


def _rows(body: str, sign: str, skipped: int) -> Iterator[tuple[int, int, list[str]]]:
    rows, line = csv.reader(StringIO(body), delimiter=sign), skipped + 1
    for row in rows:
        last = skipped + rows.line_num
        if row:
            yield line, last, row
        line = last + 1


def _found(line: int, last: int, row: list[str], sheet: _Sheet) -> SourceItem:
    notes: list[Note] = []
    sides = sheet.sides(row)

    def markdown(html: str) -> str:
        made, told = to_markdown(spoken(html, line, notes), line=line)
        notes.extend(told)
        return made

    def note(code: str, quote: str) -> None:
        notes.append(Note(code, line, quote[:LONGEST_QUOTE]))

    called = sheet.names.name(words(sides.front))
    head = Head(line, called, sheet.language, "", tags=sheet.tags(row))
    made = question_of(head, sides, markdown, note)
    return build_item(Origin(line, last).with_name(called), made, notes, review=_GRAVE)


def _written(question: Question, language: str) -> tuple[list[str], tuple[ExportWarning, ...]]:
    if refusal := find_refusal(question, {"flashcard"}, language):
        return [], refusal
    tracker = ExportTracker(question, language, tags=True)
    texts = (
        tracker.text("prompt"),
        tracker.text("back", told=True),
        tracker.text("hint"),
        tracker.text("explanation", told=True),
    )
    row = [*(to_html(text) for text in texts), " ".join(question.tags)]
    return row, tracker.warnings("study")

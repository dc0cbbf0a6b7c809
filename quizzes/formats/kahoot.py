"""The sheet that Kahoot takes questions from: a row a question, right answers by number."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from quizzes.formats.builders import Head, Option, choice, true_false
from quizzes.formats.contract import FileMetadata, Note, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import detect_language
from quizzes.formats.parsing.markdown_escape import escape_markdown
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.packages import is_zip
from quizzes.formats.parsing.source_items import LOST, Origin, build_item
from quizzes.formats.tables import Row, Table, Tables, delimited, is_workbook, workbook

name = "kahoot"
extensions = ("xlsx", "csv")

REVIEW = LOST | frozenset(
    "key_unknown answer_unknown cell_has_error cell_is_date formula_without_value "
    "prompt_missing quote_left_open too_few_options".split()
)
"""What a person must look at; any other note is of something that was mended."""
_ASIDE = frozenset({"time_limit_left_out"})
_HEADINGS = {
    "question": re.compile(r"(?:question|pregunta)\b(?! (?:number|type))", re.IGNORECASE),
    "answer": re.compile(r"(?:answer|respuesta)\s*([1-9])\b", re.IGNORECASE),
    "time": re.compile(r"(?:time limit|l[íi]mite de tiempo)\b", re.IGNORECASE),
    "correct": re.compile(r"(?:correct answer|respuestas?(?:\(s\))? correcta)", re.IGNORECASE),
}
_NEEDED = {"question", "1", "2", "time", "correct"}
_NEAR = 20
_LIST = re.compile(r"\s*[,;.\s]\s*")

Columns = Mapping[str, int]
"""Part ("question", "1" to "9", "time", "correct") → column."""


def detect(data: bytes, filename: str) -> bool:
    """Tell the sheet by its headings, which no other has together."""
    if not filename.lower().endswith(extensions):
        return False
    return any(_header(table) is not None for table in _tables(data, _NEAR).tables)


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; time limits are told and left out, for here a quiz has one."""
    tables = _tables(data)
    below = [row for one in tables.tables for row in one.rows[(_header(one) or 0) + 1 :]]
    spoken = language or detect_language("\n".join(map(_words, below)))
    reading = _Reading(spoken or "en", list(tables.noise))
    found = tuple(one for table in tables.tables for one in reading.found(table))
    if not spoken and found:
        reading.noise.append(Note("language_unknown", 1))
    metadata = FileMetadata(language=spoken)
    return ParsedFile(
        items=found, errors=tables.troubles, metadata=metadata, ignored_lines=tuple(reading.noise)
    )


def lines(data: bytes, member: str) -> Sequence[str]:
    """Give a line a row of a sheet, or the lines of a text."""
    return workbook(data).lines(member) if is_workbook(data) else decode(data)[0].split("\n")


@dataclass(slots=True)
class _Reading:
    """A file while it is read."""

    language: str
    noise: list[Note]
    names: Names = field(default_factory=Names)

    def found(self, table: Table) -> Iterator[SourceItem]:
        start = _header(table)
        if start is None:
            self.noise.append(Note("sheet_without_header", 1, table.member))
            return
        header = table.rows[start]
        columns = _columns(header.cells)
        self.noise += [
            Note("row_before_header", row.line, _words(row)) for row in table.rows[:start]
        ]
        self.noise += [
            Note("column_unknown", header.line, cell[:200])
            for at, cell in enumerate(header.cells)
            if cell.strip() and at not in columns.values()
        ]
        for row in table.rows[start + 1 :]:
            record = _Record(row, columns)
            if record.is_filled:
                place = Origin(row.line, row.last, table.member)
                yield read_item(partial(self._item, record, table.member), place)

    def _item(self, record: "_Record", member: str) -> SourceItem:
        prompt, row = escape_markdown(record.cell("question")), record.row
        called = self.names.name(prompt)
        question = record.question(Head(row.line, called, self.language, prompt))
        place = Origin(row.line, row.last, member)
        return build_item(
            place.with_name(called), question, record.notes, review=REVIEW, harmless=_ASIDE
        )


@dataclass(slots=True)
class _Record:
    """One row, its cells by what they hold, and what is noted of it."""

    row: Row
    columns: Columns
    notes: list[Note] = field(default_factory=list)

    @property
    def is_filled(self) -> bool:
        """Whether there is anything beside a time, which the form may have in every row."""
        return any(self.cell(part) for part in self.columns if part != "time")

    def cell(self, part: str) -> str:
        at = self.columns.get(part, len(self.row.cells))
        return self.row.cells[at].strip() if at < len(self.row.cells) else ""

    def note(self, code: str, quote: str) -> None:
        self.notes.append(Note(code, self.row.line, quote[:200]))

    def question(self, head: Head) -> ParsedQuestion:
        for part, at in self.columns.items():
            if at in self.row.odd:
                self.note(self.row.odd[at], self.cell(part))
        if not head.prompt:
            self.note("prompt_missing", _words(self.row))
        if self.cell("time"):
            self.note("time_limit_left_out", self.cell("time"))
        parts = sorted(part for part in self.columns if part.isdecimal() and self.cell(part))
        if len(parts) < len("12"):
            self.note("too_few_options", _words(self.row))
        right = self._right(parts)
        truths = [parse_boolean(self.cell(part)) for part in parts]
        if sorted(map(str, truths)) == ["False", "True"] and len(right) == 1:
            return true_false(head, right=truths[parts.index(min(right))] is True)
        options = [Option(escape_markdown(self.cell(part)), right=part in right) for part in parts]
        return choice(head, options, many=len(right) > 1)

    def _right(self, parts: Sequence[str]) -> set[str]:
        """Give the numbers of the right answers; numbers are places here, never words."""
        cell = self.cell("correct")
        named = {*_LIST.split(cell)} - {""}
        if not named:
            self.note("key_unknown", cell)
        elif named - {*parts}:
            self.note("answer_unknown", cell)
        elif "." in cell:
            self.note("number_as_list", cell)
        return named & {*parts}


def _tables(data: bytes, most: int | None = None) -> Tables:
    if is_workbook(data) or is_zip(data):
        return workbook(data, most)
    return delimited(data, lambda cells: len(_columns(cells)))


def _header(table: Table) -> int | None:
    near = enumerate(table.rows[:_NEAR])
    return next((at for at, row in near if _columns(row.cells).keys() >= _NEEDED), None)


def _columns(cells: Sequence[str]) -> Columns:
    found: dict[str, int] = {}
    for at, cell in enumerate(cells[:_NEAR]):
        for part, pattern in _HEADINGS.items():
            if said := pattern.match(cell.strip()):
                found.setdefault(said[1] if part == "answer" else part, at)
    return found


def _words(row: Row) -> str:
    return " | ".join(filter(None, map(str.strip, row.cells)))[:200]

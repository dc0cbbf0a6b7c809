"""The sheet that Kahoot takes questions from: a row a question, right answers by number."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quizzes.formats.builders import Head, Option, SourceChoice, settle_choice
from quizzes.formats.contract import ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.languages import detect_language, take_language
from quizzes.formats.parsing.packages import is_zip
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.spreadsheet.columns import Column, parse_letter
from quizzes.formats.spreadsheet.record import QuestionRow
from quizzes.formats.spreadsheet.table_reader import TableReader
from quizzes.formats.tables import (
    HEADER_ROWS,
    TableFile,
    is_workbook,
    read_delimited,
    read_workbook,
)

name = "kahoot"
extensions = ("xlsx", "csv")

_HEADINGS = {
    "question": re.compile(r"(?:question|pregunta)\b(?! (?:number|type))", re.IGNORECASE),
    "option": re.compile(r"(?:answer|respuesta)\s*([1-9])\b", re.IGNORECASE),
    "time": re.compile(r"(?:time limit|l[íi]mite de tiempo)\b", re.IGNORECASE),
    "correct": re.compile(r"(?:correct answer|respuestas?(?:\(s\))? correcta)", re.IGNORECASE),
}
_REQUIRED = {*map(Column, ("question", "time", "correct")), *(Column("option", at) for at in "ab")}
_MOST_COLUMNS = 20
_LIST = re.compile(r"\s*[,;.\s]\s*")
_DETECTED_BYTES = 100_000


def detect(data: bytes, filename: str) -> bool:
    """Return whether a sheet has its headings, which no other has together."""
    if not filename.lower().endswith(extensions):
        return False
    near = data if is_workbook(data) else data[:_DETECTED_BYTES]
    tables = read_tables(near, HEADER_ROWS).tables
    return any(table.find_header(count_columns) is not None for table in tables)


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; time limits are noted and left out, for here a quiz has one."""
    tables = read_tables(data)
    texts = ""
    if not language:
        starts = [(table, table.find_header(count_columns) or 0) for table in tables.tables]
        rows = (row for table, start in starts for row in table.rows[start + 1 :])
        texts = "\n".join(row.text[:200] for row in rows)
        language = detect_language(texts)
    likely = language or take_language("", texts)[0] or "en"
    reader = _KahootReader(likely, prefilled=frozenset({"time"}))
    return reader.read(tables, is_language_known=bool(language))


def lines(data: bytes, member: str) -> Sequence[str]:
    """Return a line a row of a sheet, or the lines of a text."""
    return (
        read_workbook(data, None, count_columns).lines(member)
        if is_workbook(data)
        else decode(data)[0].split("\n")
    )


@dataclass(slots=True)
class _KahootReader(TableReader):
    def count_columns(self, cells: Sequence[str]) -> int:
        return count_columns(cells)

    def parse_header(self, cells: Sequence[str]) -> Mapping[int, Column]:
        return parse_header(cells)

    def is_question(self, record: QuestionRow) -> bool:
        return record.is_filled({"question", "option", "correct"})

    def read_record(self, record: QuestionRow, origin: Origin) -> SourceItem:
        prompt = record.text("question", self.language)
        head = Head(record.row.line, self.names.assign(prompt), self.language, prompt)
        question = _build_question(record, head)
        origin = origin.with_name(head.name)
        return build_item(origin, question, record.notes)


def _build_question(record: QuestionRow, head: Head) -> ParsedQuestion:
    if not head.prompt:
        record.note("prompt_missing", record.row.text)
    if time := record.cell("time"):
        record.note("time_limit_left_out", time)
    cell, letters = record.cell("correct"), record.letters()
    numbers = {*_LIST.split(cell)} - {""}  # they are places here, never words
    right = {parse_letter(number) for number in numbers if number.isdecimal()} & {*letters}
    if right and len(right) < len(numbers):
        record.note("answer_unknown", cell)
    elif right and "." in cell:
        record.note("number_as_list", cell)
    source = SourceChoice(
        [
            Option(record.text("option", head.language, letter), right=letter in right)
            for letter in letters
        ],
        many=len(right) > 1,
        truths=[parse_boolean(text) for [text] in record.options().values()],
        key_code="answer_unknown" if numbers else "key_unknown",
        quote=cell or record.row.text,
    )
    question, notes = settle_choice(head, source)
    record.notes += notes
    return question


def read_tables(data: bytes, most_rows: int | None = None) -> TableFile:
    """Return the tables of a file, a sheet or delimited text; of each so many rows at most."""
    if is_workbook(data) or is_zip(data):
        return read_workbook(data, most_rows, count_columns)
    return read_delimited(data, count_columns)


def count_columns(cells: Sequence[str]) -> int:
    """Return how many columns of a header are known; 0 unless all that it must have are."""
    columns = {*parse_header(cells).values()}
    return len(columns) if columns >= _REQUIRED else 0


def parse_header(cells: Sequence[str]) -> Mapping[int, Column]:
    """Return what each column holds, as far as its heading says; none twice."""
    columns: dict[Column, int] = {}
    for place, cell in enumerate(cells[:_MOST_COLUMNS]):
        for part, pattern in _HEADINGS.items():
            if heading := pattern.match(cell.strip()):
                letter = parse_letter(heading[1]) if part == "option" else ""
                columns.setdefault(Column(part, letter), place)
    return {place: column for column, place in columns.items()}

"""Questions in sheets of our own columns: one row is one question, in all its languages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from quizzes.formats.builders import Head
from quizzes.formats.builders.languages import has_same_structure, merge_languages
from quizzes.formats.contract import ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.parsing.naming import slugify
from quizzes.formats.parsing.percentages import parse_decimal
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.spreadsheet.cells import parse_pair
from quizzes.formats.spreadsheet.columns import (
    TRANSLATED,
    Column,
    count_columns,
    find_language,
    parse_header,
    write_heading,
)
from quizzes.formats.spreadsheet.kinds import KINDS_IN_ROWS, find_kind
from quizzes.formats.spreadsheet.questions import build_question
from quizzes.formats.spreadsheet.record import QuestionRow
from quizzes.formats.spreadsheet.table_reader import TableReader
from quizzes.formats.tables import TableFile

_FEWEST = 2


def read_sheets(tables: TableFile, language: str, *, unescape: bool) -> ParsedFile:
    """Read all tables; `unescape`: apostrophes may stand before what a spreadsheet would run."""
    found_language, is_known = find_language(tables, language)
    return _SheetReader(found_language, unescape).read(tables, is_language_known=is_known)


@dataclass(slots=True)
class _SheetReader(TableReader):
    _slugs: set[str] = field(default_factory=set)

    def count_columns(self, cells: Sequence[str]) -> int:
        return count_columns(cells)

    def parse_header(self, cells: Sequence[str]) -> Mapping[int, Column]:
        return parse_header(cells)

    def is_question(self, record: QuestionRow) -> bool:
        return record.is_filled(TRANSLATED | {"correct"})

    def read_record(self, record: QuestionRow, origin: Origin) -> SourceItem:
        languages = record.languages() or (self.language,)
        name = self._name(record, record.text("question", languages[0]))
        kind = find_kind(record)
        if kind not in KINDS_IN_ROWS:
            code = "kind_not_in_sheet" if kind == "cloze" else "kind_unknown"
            record.note(code, record.cell("kind"))
            return build_item(origin.with_name(name, kind), None, record.notes)
        question = _build(record, kind, name, languages)
        _note_left_out(record)
        _check(record, kind, languages)
        origin = origin.with_name(name, points=_read_points(record))
        return build_item(origin, question, record.notes)

    def _name(self, record: QuestionRow, prompt: str) -> str:
        name = slugify(record.cell("name"))
        if name and name in self._slugs:
            record.note("name_twice", record.cell("name"))
        self._slugs.add(name)
        return self.names.assign(name, prompt)


def _build(record: QuestionRow, kind: str, name: str, languages: Sequence[str]) -> ParsedQuestion:
    tags = map(slugify, record.cell("tags").replace(";", ",").replace("\n", ",").split(","))
    unique_tags = tuple(dict.fromkeys(filter(None, tags)))
    questions = [
        build_question(record, kind, Head(record.row.line, name, language, "", tags=unique_tags))
        for language in languages
    ]
    matching = [question for question in questions if has_same_structure(questions[0], question)]
    if len(matching) < len(questions):
        record.note("languages_differ", " / ".join(languages))
    return merge_languages(*matching)


def _read_points(record: QuestionRow) -> Fraction | None:
    cell = record.cell("points").replace(",", ".")
    points = parse_decimal(cell)
    if cell and (points is None or points < 0):
        record.note("points_unreadable", cell)
        return None
    return points


def _note_left_out(record: QuestionRow) -> None:
    """Note the cells that the kind of question has no place for, once all others were read."""
    for column, cell in record.list_unread():
        if column.part == "hint":
            record.note("hint_left_out", cell)
        else:
            heading = write_heading(column, record.language)
            record.note("cell_left_out", f"{heading}: {cell}")


def _check(record: QuestionRow, kind: str, languages: Sequence[str]) -> None:
    """Note what is missing, in any of the languages that the question is written in."""
    letters = record.letters()
    if not record.is_filled({"question"}):
        record.note("prompt_missing", record.row.text)
    for language in languages:
        if record.is_filled({"question"}) and not record.cell("question", "", language):
            record.note("translation_missing", f"{language}: question")
        missing = [letter for letter in letters if not record.cell("option", letter, language)]
        if missing:
            record.note("translation_missing", f"{language}: {', '.join(missing).upper()}")
        if kind == "matching":
            _check_pairs(record, language)
    if kind == "ordering" and len(letters) < _FEWEST:
        record.note("too_few_items")
    if kind == "flashcard" and not (letters or record.cell("correct")):
        record.note("back_missing")


def _check_pairs(record: QuestionRow, language: str) -> None:
    lefts = 0
    for letter in record.letters():
        if cell := record.cell("option", letter, language):
            left, right = parse_pair(cell) or (cell, "")
            lefts += bool(left)
            if left and not right:
                record.note("pair_incomplete", cell)
    if lefts < _FEWEST:
        record.note("too_few_pairs", language)

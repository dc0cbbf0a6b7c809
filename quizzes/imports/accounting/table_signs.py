"""The signs of a key in sheets and cards: cells that name right options, covered words. Pure."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from quizzes.formats import kahoot
from quizzes.formats.contract import LONGEST_QUOTE, Note, SourceItem
from quizzes.formats.spreadsheet.columns import Column, count_columns, parse_header
from quizzes.formats.tables import CountColumns, is_workbook, read_delimited, read_workbook
from quizzes.imports.accounting.normalization import split_segments, squeeze
from quizzes.imports.accounting.page_signs import SIGN_LEFT_OVER

RightCells = Mapping[int, tuple[str, Mapping[str, str]]]
"""By row: the cell that says what is right, and the options by their letters."""

_PARTS = re.compile(r"[;|,&/+\s]+")
_LISTED = re.compile(r"\s*[;|\n]\s*")
_NAME = re.compile(r"\(?([A-Za-z]|\d)[.):]?")
_COVERED = re.compile(r"\{\{c\d{1,3}::((?:(?!\{\{|\}\}|::).){1,2000})(?:::[^{}]{0,200})?\}\}")


def read_right_cells(data: bytes, format_: str) -> Mapping[str, RightCells]:
    """Return the cells of each sheet that name right options, by their rows."""
    count: CountColumns = kahoot.count_columns if format_ == "kahoot" else count_columns
    parse: Callable[[Sequence[str]], Mapping[int, Column]] = (
        kahoot.parse_header if format_ == "kahoot" else parse_header
    )
    file = read_workbook(data, None, count) if is_workbook(data) else read_delimited(data, count)
    sheets: dict[str, dict[int, tuple[str, Mapping[str, str]]]] = defaultdict(dict)
    for table in file.tables:
        columns: Mapping[int, Column] = {}
        for row in table.rows:
            if count(row.cells):
                columns = parse(row.cells)
                continue
            by_part: dict[str, list[tuple[str, str]]] = defaultdict(list)
            for place, column in columns.items():
                by_part[column.part].append((column.letter, row.cell(place).strip()))
            options = {letter: text for letter, text in by_part["option"] if text}
            right = next((text for _, text in by_part["correct"]), "")
            sheets[table.name][row.line] = (right, options)
    return sheets


def find_lost_cells(item: SourceItem, cells: RightCells) -> Iterator[Note]:
    """Yield a note where a cell names an option that is not right; those by name or by words."""
    question = item.question
    if question is None or question.kind not in {"single_choice", "multiple_choice"}:
        return
    cell, options = cells.get(item.line, ("", {}))
    right = {row.name for row in question.rows if row.values.get("right")}
    if not right or not cell.strip():  # that is told by a note of its own
        return
    words = {_fold(text): letter for letter, text in options.items()}
    by_words = {words.get(_fold(part)) for part in _LISTED.split(cell)}
    names = [_NAME.fullmatch(part) for part in _PARTS.split(cell) if part]
    letters = {
        chr(ord("a") + int(name[1]) - 1) if name[1].isdecimal() else name[1].lower()
        for name in names
        if name
    }
    readings = [by_words] if None not in by_words else []
    readings += [letters & options.keys()] if all(names) else []
    if readings and right not in readings:
        yield Note(SIGN_LEFT_OVER, item.line, cell[:LONGEST_QUOTE])


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def find_lost_deletions(item: SourceItem, fields: Sequence[str]) -> Iterator[Note]:
    """Yield a note on each covered word of a card that is neither a gap nor covered here."""
    question = item.question
    if question is None:
        return
    answers = {squeeze(str(row.values.get("text", ""))) for row in question.rows}
    prompts = [text for name, by_language in question.texts.items() if name.name == "prompt"
               for text in by_language.values()]  # fmt: skip
    shows_cover = question.kind == "flashcard" and any("[" in prompt for prompt in prompts)
    for field in fields:
        for covered in _COVERED.finditer(field):
            answer = "".join(split_segments(covered[1]))
            if answer and answer not in answers and not shows_cover:
                yield Note(SIGN_LEFT_OVER, item.line, covered[0][:LONGEST_QUOTE])

"""The texts of tables: the cells that learners read. Pure."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO

from quizzes.formats.anki_tsv import find_separator
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.spreadsheet.columns import TRANSLATED, Column, count_columns, parse_header
from quizzes.formats.tables import CountColumns, is_workbook, read_delimited, read_workbook

_SETTINGS = re.compile(r"[\d\s.,;:%/|+±-]*|[A-Za-z](?:\W+[A-Za-z])*|none|ningun[oa]", re.IGNORECASE)
_PARTS = re.compile(r"[;|,]|[=-]>|→|=")
_HEADER = re.compile(r"#[a-z ]{1,30}:")
_NOT_SHOWN = re.compile(r"#(?:deck|notetype|guid) column:(\d+)")


def iterate_cells(
    data: bytes,
    sheet: str,
    *,
    count: CountColumns = count_columns,
    parse: Callable[[Sequence[str]], Mapping[int, Column]] = parse_header,
) -> Iterator[tuple[int, str]]:
    """Yield the cells of a sheet with their rows: above its header all, below it those of texts.

    A column that is not known is told as one, by its heading. Of the answers that a cell names,
    letters, numbers and words for true and false are no texts.
    """
    file = read_workbook(data, None, count) if is_workbook(data) else read_delimited(data, count)
    for table in file.tables:
        if table.name != sheet:
            continue
        headings: Sequence[str] = ()
        columns: Mapping[int, Column] = {}
        for row in table.rows:
            if count(row.cells):
                headings, columns = row.cells, parse(row.cells)
                continue
            for place, cell in enumerate(row.cells):
                heading = headings[place] if place < len(headings) else ""
                part = columns[place].part if place in columns else ""
                yield from ((row.line, text) for text in _list_texts(cell, part, heading))


def _list_texts(cell: str, part: str, heading: str) -> list[str]:
    """Return the texts of a cell that a learner may read, or that are right."""
    if part in TRANSLATED:
        return [cell]
    if part == "correct" or not (part or heading.strip()):
        return [text for text in _PARTS.split(cell) if _is_text(text)]
    return []


def _is_text(cell: str) -> bool:
    return not _SETTINGS.fullmatch(cell.strip()) and parse_boolean(cell) is None


def iterate_cards(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the fields of notes that Anki exported, with their lines; those never shown not."""
    text = decode(data)[0]
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if not _HEADER.match(line)), len(lines))
    hidden = {int(match[1]) - 1 for match in map(_NOT_SHOWN.match, lines[:start]) if match}
    separator = "," if any(line.startswith("#separator:comma") for line in lines[:start]) else "\t"
    if not start:
        separator = find_separator(text) or separator
    rows = csv.reader(StringIO("\n".join(lines[start:])), delimiter=separator)
    line = start + 1
    for row in rows:
        visible = [field for place, field in enumerate(row) if place not in hidden]
        # What stands in columns that no card shows alone is no deck: it is a line that strayed.
        yield from ((line, field) for field in (visible if any(visible) else row))
        line = start + 1 + rows.line_num

"""Tables as text: commas, semicolons or tabs between cells, quotes around those that hold them.

Lines are those of the file, also where a cell holds several. A quote that nothing closes would
swallow all rows below; such a row is taken as it stands, and told.
"""

import csv
import re
from collections.abc import Generator, Iterator, Sequence
from itertools import islice

from quizzes.formats.contract import Note
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.tables.grid import MOST_COLUMNS, Fits, Row, Table, Tables

_SIGNS = ",;\t"
_SAID = re.compile(r"\"?sep=(.)\"?\s*", re.IGNORECASE)
_TRIED = 20
_CHANCES = 200
"""Rows whose quotes do not fit, in one file; from each on, it is read anew."""

# A cell may be as long as the file: the library's own limit would end the reading.
csv.field_size_limit(64 * 1024 * 1024)


def delimited(data: bytes, fits: Fits) -> Tables:
    """Read a file; cells are parted by the sign that makes the best header of a row near its top.

    A first line such as `sep=;` tells the sign itself.
    """
    text, notes = decode(data)
    lines = text.split("\n")
    said = _SAID.fullmatch(lines[0])
    start = 1 if said else 0
    sign = said[1] if said else max(_SIGNS, key=lambda one: _promise(lines, one, fits))
    noise = list(notes)
    rows = tuple(_rows(lines, sign, start, noise))
    if any(any(row.cells[MOST_COLUMNS:]) for row in rows):
        noise.append(Note("columns_left_out", 1))
    return Tables((Table("", rows),), tuple(noise))


def _promise(lines: list[str], sign: str, fits: Fits) -> int:
    near = csv.reader((f"{one}\n" for one in islice(lines, _TRIED)), delimiter=sign)
    return max(map(fits, near), default=0)


def _rows(lines: Sequence[str], sign: str, start: int, noise: list[Note]) -> Iterator[Row]:
    chances = _CHANCES
    while start < len(lines):
        end = yield from _records(lines, sign, start, strict=chances > 0)
        if end is None:
            return
        start, several = end
        if several:
            noise.append(Note("quote_left_open", start + 1, lines[start][:200]))
        yield _alone(lines[start], start, sign, open_=several)
        start, chances = start + 1, chances - 1


def _records(
    lines: Sequence[str], sign: str, start: int, *, strict: bool
) -> Generator[Row, None, tuple[int, bool] | None]:
    """Give the rows from a line (from 0) on, up to one whose quotes do not fit.

    Of that one, return where it begins, and whether it would reach over several lines.
    """
    below = (f"{lines[at]}\n" for at in range(start, len(lines)))
    reader, first = csv.reader(below, delimiter=sign, strict=strict), start
    while first < len(lines):
        try:
            cells = next(reader, [])
        except csv.Error:
            return first, start + reader.line_num - first > 1
        last = start + reader.line_num
        if any(map(str.strip, cells)):
            yield Row(first + 1, last, tuple(cells))
        first = last
    return None


def _alone(line: str, at: int, sign: str, *, open_: bool) -> Row:
    """Read a line for itself: as it stands, if a quote in it would swallow those below."""
    if not open_:
        return Row(at + 1, at + 1, tuple(next(csv.reader([line], delimiter=sign))))
    cells = next(csv.reader([line], delimiter=sign, quoting=csv.QUOTE_NONE))
    odd = {n: "quote_left_open" for n, cell in enumerate(cells) if '"' in cell}
    return Row(at + 1, at + 1, tuple(cells), odd)

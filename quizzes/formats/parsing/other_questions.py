"""Questions in another form that a reader took for words of an item, or tore into items. Pure.

A file may have questions of two formats, one after the other: what reads the lettered ones takes
the boxes above them for words, and what reads the boxes takes the lettered ones.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.formats.parsing.question_shapes import (
    QuestionShape,
    find_question_shapes,
    is_box,
)

_TABLES = frozenset({"anki-tsv", "csv"})
"""Formats that read whatever stands on a line as a row."""
_CLEAN = frozenset({ImportStatus.IMPORTED, ImportStatus.REPAIRED})


class OtherQuestions:
    """What in a text looks like a question of any format, to be compared with what one read."""

    def __init__(self, lines: Sequence[str], format_: str) -> None:
        self._lines, self._format = lines, format_
        self._shapes: dict[int, list[QuestionShape]] = defaultdict(list)
        for shape in find_question_shapes(lines):
            for number in range(shape.prompt_line, shape.end_line + 1):
                self._shapes[number].append(shape)

    def find_lines(self, item: SourceItem) -> list[int]:
        """Return the numbers of an item's lines that are of questions in another form.

        A listing is what is asked about, and so is what the words of the item lead up to or
        begin with: there has to be something of the item beside it.
        """
        if item.question is None:
            return []
        view = _ItemLines(item, self._lines, self._format)
        shapes = dict.fromkeys(
            shape
            for number in view.span
            for shape in self._shapes[number]
            # Boxes are its own form: those of a solution that repeats the options.
            if not (self._format == "checklist" and is_box(self._lines[shape.line - 1]))
        )
        numbers = {number for shape in shapes for number in view.list_others(shape)}
        return [number for number in view.span if number in numbers and view.is_filled(number)]

    def has_shape(self, item: SourceItem) -> bool:
        """Return whether a question of any format stands on the lines of an item."""
        span = range(item.line, item.end_line + 1)
        return any(
            shape.line in span and shape.end_line in span
            for number in span
            for shape in self._shapes[number]
        )

    def list_headers(self, items: Sequence[SourceItem]) -> set[int]:
        """Return the lines that name columns, where those below them were read row by row."""
        starts = sorted(item.line for item in items if item.question is not None)
        headers = set[int]()
        for shape in dict.fromkeys(shape for start in starts for shape in self._shapes[start]):
            if shape.is_table:  # its first line is no further down than that of an item in it
                headers.update(range(shape.line, starts[bisect_left(starts, shape.line)]))
        return headers


class _ItemLines:
    """An item and its lines."""

    def __init__(self, item: SourceItem, lines: Sequence[str], format_: str) -> None:
        self.span = range(item.line, min(item.end_line, len(lines)) + 1)
        self._item, self._lines, self._format = item, lines, format_
        rows = item.question.rows if item.question else ()
        self._rows = sorted({row.line for row in rows if row.line})

    def list_others(self, shape: QuestionShape) -> range:
        """Return which lines of a shape the item has swallowed."""
        lines_of_shape = range(shape.prompt_line, shape.end_line + 1)
        if shape.is_table:  # whoever reads tables has no header in an item
            return lines_of_shape if shape.line in self.span else lines_of_shape[:0]
        if self._format == "gift" and shape.has_options:  # its own have no letters and no key
            return range(shape.line, shape.end_line + 1)
        if all(number in lines_of_shape for number in self.span if self.is_filled(number)):
            # Its own shape; or a row of a table that is none.
            is_torn = self._format in _TABLES and self._item.status not in _CLEAN
            return lines_of_shape if is_torn else lines_of_shape[:0]
        place = bisect_left(self._rows, lines_of_shape.start)
        is_own = any(row in lines_of_shape for row in self._rows[place : place + 1])
        if is_own or (not self._rows and self._item.line in lines_of_shape):
            return lines_of_shape[:0]
        if place == 0 and self._rows:
            return self._list_above(shape, self._rows[0])
        return lines_of_shape if self._is_apart(shape.prompt_line) else lines_of_shape[:0]

    def _list_above(self, shape: QuestionShape, first_row: int) -> range:
        """Return the lines of a shape above the first option: with its prompt if it stands alone.

        Words have to be left for the item; if not, options with their key are of another question
        all the same.
        """
        below = shape.end_line + 1
        is_alone = not self.is_filled(below) and self._is_apart(shape.prompt_line)
        if is_alone and any(map(self.is_filled, range(below, first_row))):
            return range(shape.prompt_line, below)
        return range(shape.line if shape.has_options else below, below)

    def _is_apart(self, number: int) -> bool:
        """Return whether a line begins the item, or an empty line is above it and no colon."""
        above = number - 1
        while above >= self.span.start and not self.is_filled(above):
            above -= 1
        if above < self.span.start:
            return True
        return above < number - 1 and not self._lines[above - 1].rstrip().endswith((":", "："))

    def is_filled(self, number: int) -> bool:
        """Return whether a line has words."""
        return number <= len(self._lines) and bool(self._lines[number - 1].strip())

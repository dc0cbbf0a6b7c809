"""How much of everything a file may hold, in one table; what is more is refused with its place.

Files are far larger than what they say: 60 kB of GIFT hold 30,000 options, 700 kB of a workbook
300,000 cells. `lib.archives.limits` has the limits of packages, `lib.markup` that of a text.
"""

from dataclasses import dataclass

from quizzes.formats.contract import FileError


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The most that is read of one file, of one item and of one text."""

    file_bytes: int = 50_000_000
    items: int = 20_000  # of a file: questions, notes, cards
    options: int = 500  # of an item: rows of one of its tables
    cells: int = 200_000  # of a workbook or sheet


READING_LIMITS = ReadingLimits()

_MESSAGES = {
    "too_many_items": f"a file may hold {READING_LIMITS.items} questions or cards",
    "too_many_cells": f"a workbook may hold {READING_LIMITS.cells} cells",
}


class LimitExceeded(Exception):
    """A file that holds more than is read; `error` names what, and where."""

    def __init__(self, code: str, line: int = 1, where: str = "") -> None:
        super().__init__(code)
        self.error = FileError(line, where, code, _MESSAGES[code])


class TooManyOptions(Exception):
    """An item with more options than are read; the other items of its file are."""


def check_option_count(count: int) -> None:
    """Raise TooManyOptions if an item has so many."""
    if has_too_many_options(count):
        raise TooManyOptions


def has_too_many_options(count: int) -> bool:
    """Return whether an item with so many options is refused."""
    return count > READING_LIMITS.options


def check_item_count(count: int, line: int = 1) -> None:
    """Raise LimitExceeded if a file has so many items, or more at this line."""
    if count > READING_LIMITS.items:
        raise LimitExceeded("too_many_items", line)


def check_cell_count(count: int, line: int = 1, where: str = "") -> None:
    """Raise LimitExceeded if a workbook or sheet has so many cells."""
    if count > READING_LIMITS.cells:
        raise LimitExceeded("too_many_cells", line, where)

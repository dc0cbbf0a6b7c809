"""Sheets of questions as pages of a workbook: wide where much is written, tinted by what it is."""

from collections.abc import Mapping, Sequence

from quizzes.formats.spreadsheet.columns import headings
from quizzes.formats.spreadsheet.kinds import HELD, word_of
from quizzes.formats.tables.looks import Tint
from quizzes.formats.tables.making import Page

_WIDTHS: Mapping[str, float] = {
    "kind": 18,
    "question": 46,
    "option": 26,
    "correct": 18,
    "explanation": 40,
    "feedback": 30,
    "unchosen": 30,
    "otherwise": 30,
    "hint": 30,
    "tags": 22,
    "name": 24,
    "settings": 24,
}
_USUAL = 14
_ASKED, _KEY, _SAID, _RARE = (
    Tint(),
    Tint("14633A"),
    Tint("F8EBF5", "5C1150"),
    Tint("E3DEE7", "1B171F"),
)
_TINTS: Mapping[str, Tint] = {
    "kind": _ASKED,
    "question": _ASKED,
    "option": _ASKED,
    "correct": _KEY,
    "points": _KEY,
    "weight": _KEY,
    "explanation": _SAID,
    "feedback": _SAID,
    "unchosen": _SAID,
    "otherwise": _SAID,
    "hint": _SAID,
}


def page(title: str, grid: Sequence[Sequence[str]], language: str) -> Page:
    """Give a page of questions; `grid` begins with its header."""
    columns = headings(grid[0])
    parts = [columns[at].part for at in range(len(grid[0]))]
    kinds = [word_of(kind, language) for kind in HELD]
    offered = {"kind": kinds, "format": ["markdown"]}
    return Page(
        title,
        grid,
        [_WIDTHS.get(part, _USUAL) for part in parts],
        [_TINTS.get(part, _RARE) for part in parts],
        {at: offered[part] for at, part in enumerate(parts) if part in offered},
        frozen=1,
    )

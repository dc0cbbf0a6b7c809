"""The sheet to begin with: header, three examples in two languages, and how to fill it in."""

from collections.abc import Callable, Mapping

from quizzes.formats.spreadsheet.examples import EXAMPLES
from quizzes.formats.spreadsheet.guide import COLUMNS, INTRODUCTION, KINDS, TITLES
from quizzes.formats.spreadsheet.lines import Place
from quizzes.formats.spreadsheet.pages import page
from quizzes.formats.spreadsheet.writing import Sheet
from quizzes.formats.tables.looks import Tint
from quizzes.formats.tables.making import Page, as_text, as_workbook

_LETTERS = "abcd"
_LANGUAGES = ("en", "es")
_SPOKEN = ("question", "explanation")
_ONCE = ("kind", "correct", "points", "tags", "format", "name")


def as_xlsx(language: str) -> bytes:
    """Give the template as a workbook, its headings in English or Spanish."""
    title = "Preguntas" if language.startswith("es") else "Questions"
    return as_workbook([page(title, _sheet().grid(language), language), _guide(language)])


def as_csv(language: str) -> bytes:
    """Give the template as text, as spreadsheets of that language open it."""
    return as_text(_sheet().grid(language), ";" if language.startswith("es") else ",")


def _sheet() -> Sheet:
    empty: dict[Place, str] = {(part, "", ""): "" for part in _ONCE}
    for language in _LANGUAGES:
        empty |= {(part, "", language): "" for part in _SPOKEN}
        empty |= {
            (part, letter, language): "" for part in ("option", "feedback") for letter in _LETTERS
        }
    return Sheet([{**empty, **row} for row in EXAMPLES])


def _guide(language: str) -> Page:
    """Lay out the instructions: the heading, then what to write, in both languages."""
    spanish = language.startswith("es")
    grid = [["", *TITLES], ["", *INTRODUCTION]]
    strong = {0}
    for heads, rows in (COLUMNS, KINDS):
        strong.add(len(grid))
        grid.append([heads[spanish], *heads])
        grid += [[names[spanish], *texts] for names, texts in rows]
    tints = [Tint()] * 3
    return Page(
        "Instrucciones" if spanish else "Instructions", grid, [24, 70, 70], tints, strong=strong
    )


MAKERS: Mapping[str, Callable[[str], bytes]] = {"xlsx": as_xlsx, "csv": as_csv}
"""How the template is made, by the ending of its file."""

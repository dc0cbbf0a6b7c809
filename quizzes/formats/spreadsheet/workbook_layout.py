"""How a sheet of questions looks in a workbook: wide where much is written, coloured by part."""

from collections.abc import Mapping, Sequence

from quizzes.formats.spreadsheet.columns import parse_header
from quizzes.formats.spreadsheet.kinds import KINDS_IN_ROWS, write_kind
from quizzes.formats.tables.table_writer import HeadingColors, WorkbookSheet

_QUESTION, _KEY = HeadingColors(), HeadingColors("14633A")
_FEEDBACK, _RARE = HeadingColors("F8EBF5", "5C1150"), HeadingColors("E3DEE7", "1B171F")
_LAYOUT: Mapping[str, tuple[float, HeadingColors]] = {
    "kind": (18, _QUESTION),
    "question": (46, _QUESTION),
    "option": (26, _QUESTION),
    "correct": (18, _KEY),
    "points": (14, _KEY),
    "weight": (14, _KEY),
    "explanation": (40, _FEEDBACK),
    **dict.fromkeys(("feedback", "unchosen", "otherwise", "hint"), (30, _FEEDBACK)),
    "tags": (22, _RARE),
    "name": (24, _RARE),
    "settings": (24, _RARE),
}
"""Part → width and colours."""


def build_question_sheet(cells: Sequence[Sequence[str]], language: str) -> WorkbookSheet:
    """Return a sheet of questions; `cells` begins with its header."""
    parts = [column.part for column in parse_header(cells[0]).values()]
    layout = [_LAYOUT.get(part, (14, _RARE)) for part in parts]
    kinds = [write_kind(kind, language) for kind in KINDS_IN_ROWS]
    choices = {"kind": kinds, "format": ["markdown"]}
    return WorkbookSheet(
        "Preguntas" if language.startswith("es") else "Questions",
        cells,
        widths=[width for width, _ in layout],
        colors=[colors for _, colors in layout],
        choices={place: choices[part] for place, part in enumerate(parts) if part in choices},
        frozen=1,
    )

"""How a workbook of ours looks: a calm header that stays in sight, and cells that wrap."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

from quizzes.formats.tables.formulas import is_live

INK, PAPER, LINE = "1B171F", "FFFFFF", "E3DEE7"
_FACE = "Calibri"
_THIN = Border(bottom=Side(style="thin", color=LINE))
_HEAD = Alignment(wrap_text=True, vertical="center", indent=1)
_BODY = Alignment(wrap_text=True, vertical="top", indent=1)


@dataclass(frozen=True, slots=True)
class Tint:
    """The colours of a heading, as six hexadecimal digits."""

    ground: str = "7B1D6A"
    words: str = PAPER


@dataclass(slots=True)
class Looks:
    """Makes the cells of one sheet; looks are made once and shared by all cells that have them."""

    sheet: Any
    _made: dict[tuple[Tint | None, bool, bool], Any] = field(default_factory=dict)

    def row(self, cells: Sequence[str], tints: Sequence[Tint | None], *, strong: bool) -> list[Any]:
        """Give a row; a cell with a tint is a heading, and `strong` ones stand out."""
        return [self._cell(cell, tint, strong) for cell, tint in zip(cells, tints, strict=False)]

    def _cell(self, text: str, tint: Tint | None, strong: bool) -> Any:
        made: Any = WriteOnlyCell(self.sheet, text)
        made.data_type = "s"
        model = self._model(tint, strong, is_live(text))
        made._style = model._style
        return made

    def _model(self, tint: Tint | None, strong: bool, live: bool) -> Any:
        key = (tint, strong, live)
        if key not in self._made:
            model: Any = WriteOnlyCell(self.sheet)
            model.quotePrefix = live  # a spreadsheet leaves it text when somebody edits it
            model.font = Font(name=_FACE, size=11, bold=strong, color=tint.words if tint else INK)
            model.alignment = _HEAD if tint else _BODY
            model.border = _THIN
            if tint:
                model.fill = PatternFill("solid", start_color=tint.ground)
            self._made[key] = model
        return self._made[key]

"""The values of cells as texts, as their sheet shows them; what is no text or number is noted."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from openpyxl.utils.escape import unescape

_DIGITS = 15
"""What a spreadsheet keeps of a number."""


def read_cells(
    cells: Sequence[Any], formulas: Sequence[Any]
) -> tuple[tuple[str, ...], dict[int, str]]:
    """Return the texts of cells, and by column the code of what is wrong with them.

    `formulas` are the same cells as formulas, or none.
    """
    texts, problems = list[str](), dict[int, str]()
    for column, (cell, formula) in enumerate(zip_longest(cells, formulas)):
        text, code = _read_cell(cell) if cell is not None else ("", "")
        formula_text = formula.value if formula is not None else None
        if formula_text is not None and (cell is None or cell.value is None):
            text, code = str(formula_text), "formula_without_value"
        texts.append(text)
        if code:
            problems[column] = code
    while texts and not texts[-1]:
        texts.pop()
    return tuple(texts), problems


def _read_cell(cell: Any) -> tuple[str, str]:
    """Return the text of a cell, and the code of what is wrong with it."""
    content = cell.value
    if content is None:
        return "", ""
    if cell.data_type == "e":
        return str(content), "cell_has_error"
    if isinstance(content, datetime | date | time | timedelta):
        return str(content), "cell_is_date"
    if isinstance(content, str):
        return unescape(content).replace("\r\n", "\n").replace("\r", "\n"), ""
    if isinstance(content, bool):
        return str(content).lower(), ""
    number = Decimal(f"{content:.{_DIGITS}g}")  # its last bits are no digits that anybody typed
    is_share = "%" in str(cell.number_format)
    return (f"{(number * 100).normalize():f}%" if is_share else f"{number:f}"), ""

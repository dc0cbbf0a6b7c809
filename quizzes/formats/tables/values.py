"""The values of cells as texts, as their sheet shows them; what is no text or number is told."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from openpyxl.utils.escape import unescape

_DIGITS = 15
"""What a spreadsheet keeps of a number."""


def reading(
    cells: Sequence[Any], formulas: Sequence[Any]
) -> tuple[tuple[str, ...], dict[int, str]]:
    """Give the texts of cells, and by column the code of what is odd about them.

    `formulas` are the same cells as formulas, or none.
    """
    texts, odd = list[str](), dict[int, str]()
    for at, (cell, formula) in enumerate(zip_longest(cells, formulas)):
        text, code = _text(cell) if cell is not None else ("", "")
        said = formula.value if formula is not None else None
        if said is not None and (cell is None or cell.value is None):
            text, code = str(said), "formula_without_value"
        texts.append(text)
        if code:
            odd[at] = code
    while texts and not texts[-1]:
        texts.pop()
    return tuple(texts), odd


def _text(cell: Any) -> tuple[str, str]:
    value = cell.value
    if value is None:
        return "", ""
    if cell.data_type == "e":
        return str(value), "cell_has_error"
    if isinstance(value, datetime | date | time | timedelta):
        return str(value), "cell_is_date"
    if isinstance(value, str):
        return unescape(value).replace("\r\n", "\n").replace("\r", "\n"), ""
    if isinstance(value, bool):
        return str(value).lower(), ""
    return _number(Decimal(f"{value:.{_DIGITS}g}"), str(cell.number_format)), ""


def _number(value: Decimal, shown: str) -> str:
    """Write a number, without the noise of its last bits; a share as it is shown, in per cent."""
    if "%" in shown:
        return f"{(value * 100).normalize():f}%"
    return f"{value:f}"

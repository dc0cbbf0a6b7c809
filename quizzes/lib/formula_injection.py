"""Cells that a spreadsheet would run: an apostrophe keeps them text, numbers stay numbers. Pure.

Spreadsheets themselves use that sign so; what is written is read back as it was.
"""

import re

_FORMULA = re.compile(r"'*(?:[\s\0\ufeff\u200b-\u200f]*[=+\-@|%＝＋－＠]|[\t\r\n])")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?%?")


def is_formula(cell: str) -> bool:
    """Return whether a spreadsheet might take a cell for more than words or a number."""
    return _FORMULA.match(cell) is not None and not _NUMBER.fullmatch(cell)


def escape_formula(cell: str) -> str:
    """Return a cell as no spreadsheet runs it."""
    return f"'{cell}" if is_formula(cell) else cell


def unescape_formula(cell: str) -> str:
    """Return a cell without the apostrophe that `escape_formula` puts before it."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell

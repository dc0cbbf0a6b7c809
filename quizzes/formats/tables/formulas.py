"""Cells that a spreadsheet would run: an apostrophe keeps them words, numbers stay numbers. Pure.

Spreadsheets themselves use that sign so; what is written is read back as it was.
"""

import re

_LIVE = re.compile(r"'*(?:[\s\0\ufeff\u200b-\u200f]*[=+\-@|%＝＋－＠]|[\t\r\n])")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?%?")


def is_live(cell: str) -> bool:
    """Tell whether a spreadsheet might take a cell for more than words or a number."""
    return _LIVE.match(cell) is not None and not _NUMBER.fullmatch(cell)


def guarded(cell: str) -> str:
    """Give a cell as no spreadsheet runs it."""
    return f"'{cell}" if is_live(cell) else cell


def bare(cell: str) -> str:
    """Take off the apostrophe that `guarded` puts on, if there is one."""
    return cell[1:] if cell.startswith("'") and _LIVE.match(cell) else cell

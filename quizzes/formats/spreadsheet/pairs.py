"""Pairs in a cell: `France => Paris`; without a left side, a right one that goes with none."""

import re

_ARROW = re.compile(r"(?:(?<![^\S\n])[^\S\n]+)?(?:=>|⇒|→|->)[^\S\n]*")


def pair(cell: str) -> tuple[str, str] | None:
    """Part a cell at its one arrow; with none or several, None."""
    parts = _ARROW.split(cell.strip())
    if len(parts) != 2 or not any(parts):  # noqa: PLR2004  a left and a right
        return None
    return parts[0].strip(), parts[1].strip()


def paired(left: str, right: str) -> str:
    """Write a pair as `pair` reads it."""
    return f"{left} => {right}".strip()

"""Options whose sign says whether they are right, with the reason behind it: "Tajo ✅: long". Pure.

Where no box of a list has a tick, such signs are its key.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.formats.parsing.verdicts import CROSSES, TICKS

_SIGNED = re.compile(
    rf"(?P<text>[^{TICKS}{CROSSES}]*[^{TICKS}{CROSSES}\s])[ \t]?(?P<sign>[{TICKS}{CROSSES}])\ufe0f?"
    r"[*_]{0,3}(?:[:：]|[ \t][-–—][ \t])[ \t]*(?P<feedback>\S.*)"
)
_CODE = re.compile(r"`([^`]+)`")
_BOX = re.compile(r"(?P<margin>[ \t]{0,12})(?P<bullet>[-*+][ \t]{1,4})\[ \](?P<text>[ \t]+\S.*)")
_ANY_BOX = re.compile(r"[ \t]{0,12}[-*+][ \t]{1,4}\[.\][ \t]")


@dataclass(frozen=True, slots=True)
class SignedOption:
    """The text of an option, whether its sign calls it right, and what stands behind the sign."""

    text: str
    feedback: str
    is_right: bool


def split_signed(text: str) -> SignedOption | None:
    """Return an option by its parts; None where no sign stands between a text and its reason."""
    match = _SIGNED.fullmatch(text.strip())
    if match is None:
        return None
    feedback = match["feedback"].strip()
    code = _CODE.fullmatch(feedback)
    return SignedOption(match["text"], code[1] if code else feedback, match["sign"] in TICKS)


def tick_signed(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Tick the boxes of lists without ticks by signs that tell all their options apart."""
    start = 0
    for place in range(len(lines) + 1):
        is_box = place < len(lines) and not code_lines[place] and _ANY_BOX.match(lines[place])
        if is_box or (place < len(lines) and place > start and not lines[place].strip()):
            continue
        _tick(lines, [at for at in range(start, place) if lines[at].strip()])
        start = place + 1


def _tick(lines: list[str], places: Sequence[int]) -> None:
    boxes = [_BOX.fullmatch(lines[at]) for at in places]
    signed = [split_signed(box["text"]) if box else None for box in boxes]
    if {option is not None and option.is_right for option in signed} != {True, False}:
        return
    if None in signed:
        return
    for at, box, option in zip(places, boxes, signed, strict=True):
        if box and option and option.is_right:
            lines[at] = f"{box['margin']}{box['bullet']}[x]{box['text']}"

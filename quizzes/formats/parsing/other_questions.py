"""Questions in another form that a reader took for the beginning of a prompt. Pure.

A file may have questions of two formats, one after the other: what reads the lettered ones takes
the boxes above them for words, and what reads the boxes takes the lettered ones.
"""

import re
from collections.abc import Iterator, Sequence

from quizzes.formats.contract import SourceItem

_BOX = re.compile(r"[>\s]{0,20}[-*+]\s+\[(?P<mark>[ xX✓✔])\]\s+\S")
_LETTERED = re.compile(r"\s{0,20}[A-Za-z][.)]\s+\S")
_ANSWER = re.compile(
    r"\s*\**(?:ANSWER|RESPUESTA)\**\s*:\s*\**\s*[A-Z](?:\s*,\s*[A-Z])*\W*", re.IGNORECASE
)
_FENCE = re.compile(r"\s*(?:```|~~~)")


def find_lines_of_other_questions(item: SourceItem, lines: Sequence[str]) -> list[int]:
    """Return the numbers of lines above an item's first option that are options and keys as well.

    Boxes, of which one is ticked; lettered options with a line that names the right one. Without a
    key they may be part of the question, which asks about them. `lines` are those of the file.
    """
    question = item.question
    rows = [row.line for row in question.rows if row.line] if question else []
    if not rows:
        return []
    boxes, lettered = [], []
    is_ticked = is_answered = False
    for number, line in _list_words(lines, item.line, min(rows)):
        if box := _BOX.match(line):
            boxes.append(number)
            is_ticked |= box["mark"] != " "
        elif _LETTERED.match(line):
            lettered.append(number)
        elif lettered and _ANSWER.fullmatch(line):
            lettered.append(number)
            is_answered = True
    return sorted([*(boxes if is_ticked else ()), *(lettered if is_answered else ())])


def _list_words(lines: Sequence[str], begin: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the lines from one number up to another that are in no listing."""
    is_listing = False
    for number, line in enumerate(lines[begin - 1 : end - 1], start=begin):
        is_fence = _FENCE.match(line) is not None
        is_listing ^= is_fence
        if not is_listing and not is_fence:
            yield number, line

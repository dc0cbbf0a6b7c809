"""Pages that are one quotation, and boxes with a title in which questions are asked. Pure.

In the first every line begins with `>`; the others are those of Obsidian: "> [!question] Which".
"""

import re
from collections.abc import Sequence
from itertools import pairwise

_QUOTED = re.compile(r"[ \t]*>[ ]?")
_QUOTED_BOX = re.compile(r">[ ]{0,3}[-*+][ \t]+(?:\[[ xX]\]|\([ xX]\))[ \t]+\S")
_NOTE = re.compile(r">[ ]?\[!\w+\][+-]?[ \t]*$")
"""The title of a box that has none of its own: "> [!NOTE]"."""
_NEARLY_ALL = 9, 10
_CALLOUT = re.compile(
    r"(?P<quote>(?:[ ]{0,3}>[ ]?){1,3})\[!(?:question|quiz|faq|help|example|exercise)\][+-]?[ \t]+"
    r"(?P<title>\S.*)",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"(?:[ ]{0,3}>[ ]?){1,4}[ \t]{0,4}(?:[-*+][ \t]+)?(?:\[[ xX]?\]|\([ xX]\)|[*_]{0,2}\(?[Aa][.)])"
)


def unquote_page(text: str) -> str:
    """Return a page line by line, without the marks of a quotation if nearly all lines have one.

    Nor with the margin that all lines have, but for a heading at the top.
    """
    lines = _unquote_boxes(_open_callouts(_dedent_page(text.split("\n"))))
    filled = [line for line in lines if line.strip()]
    quoted = sum(_QUOTED.match(line) is not None for line in filled)
    share, of = _NEARLY_ALL
    if of * quoted <= share * len(filled):
        return "\n".join(lines)
    return "\n".join(_QUOTED.sub("", line, count=1) for line in lines)


def _unquote_boxes(lines: list[str]) -> list[str]:
    """Return lines in which quotations that have several boxes are no quotations."""
    start = 0
    for place in range(len(lines) + 1):
        if place == len(lines) or not lines[place].startswith(">"):
            if sum(_QUOTED_BOX.match(line) is not None for line in lines[start:place]) > 1:
                quoted = [_NOTE.sub(">", line) for line in lines[start:place]]
                lines[start:place] = [line[1:].removeprefix(" ") for line in quoted]
            start = place + 1
    return lines


def _dedent_page(lines: list[str]) -> list[str]:
    """Return lines without the margin that all of them have, but for a heading at the top."""
    start = 1 if lines[0].startswith("#") else 0
    margins = [len(line) - len(line.lstrip(" ")) for line in lines[start:] if line.strip()]
    margin = min(margins, default=0)
    if not margin:
        return lines
    return [line[min(margin, len(line) - len(line.lstrip(" "))) :] for line in lines]


def _open_callouts(lines: list[str]) -> list[str]:
    """Return lines in which a box whose title asks, above options, is a heading and its lines."""
    places = [at for at, line in enumerate(lines) if "[!" in line and _CALLOUT.match(line)]
    opened = list(lines)
    for place, following in pairwise([*places, len(lines)]):
        end = next(
            (at for at in range(place, following) if not lines[at].lstrip().startswith(">")),
            following,
        )
        callout = _CALLOUT.match(lines[place])
        depth = callout["quote"].count(">") if callout else 0
        asks = any(map(_OPTION.match, lines[place + 1 : end]))
        is_outer = not asks and _holds_callout(lines, depth, following, end)
        if callout is None or not (asks or is_outer):
            continue
        opened[place] = f"{'###' if is_outer else '####'} {callout['title'].strip()}"
        for at in range(place + 1, end):
            opened[at] = _strip_quotes(lines[at], depth)
    return opened


def _holds_callout(lines: Sequence[str], depth: int, following: int, end: int) -> bool:
    """Return whether the next box is within the one that begins here."""
    callout = _CALLOUT.match(lines[following]) if end == following < len(lines) else None
    return callout is not None and callout["quote"].count(">") > depth


def _strip_quotes(line: str, depth: int) -> str:
    """Return a line without as many marks of quotations, or all that it has."""
    for _ in range(depth):
        line = _QUOTED.sub("", line, count=1)
    return line

"""Which lines of a plain text are listings between fences. Pure."""

import re
from collections.abc import Sequence

_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)$")
_BOXED_FENCE = re.compile(
    r"(?P<box>[ \t]{0,12}(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\]|\([ xX]\))[ \t]+)"
    r"(?P<fence>(?:`{3,}|~{3,})[\w+#.-]{0,30})[ \t]*$"
)


def find_code_lines(lines: Sequence[str]) -> list[bool]:
    """Return for each line whether it is part of a listing; its fences are.

    So are the lines below a fence that begins beside a box.

    A fence that has no end, or below which another one with a name begins, is no listing: what
    follows it is read.
    """
    is_code = [False] * len(lines)
    opening: tuple[int, str] | None = None
    for place, line in enumerate(lines):
        boxed = place_fence(line) if "]" in line or ")" in line else None
        fence = _FENCE.match(boxed or line)
        if fence is None:
            continue
        if boxed:
            opening = place + 1, fence["marks"]
            continue
        info, marks = fence["info"].strip(), fence["marks"]
        if opening is None or (info and marks[0] == opening[1][0]):
            opening = place, marks
        elif not info and marks.startswith(opening[1]):
            is_code[opening[0] : place + 1] = [True] * (place + 1 - opening[0])
            opening = None
    return is_code


def place_fence(line: str) -> str | None:
    """Return the fence that begins beside a box, with blanks for it; None where none does."""
    boxed = _BOXED_FENCE.match(line)
    return f"{' ' * len(boxed['box'])}{boxed['fence']}" if boxed else None

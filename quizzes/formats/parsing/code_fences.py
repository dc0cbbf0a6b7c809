"""Which lines of a plain text are listings between fences. Pure."""

import re
from collections.abc import Sequence

_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)$")


def find_code_lines(lines: Sequence[str]) -> list[bool]:
    """Return for each line whether it is part of a listing; its fences are.

    A fence that has no end, or below which another one with a name begins, is no listing: what
    follows it is read.
    """
    is_code = [False] * len(lines)
    opening: tuple[int, str] | None = None
    for place, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence is None:
            continue
        info, marks = fence["info"].strip(), fence["marks"]
        if opening is None or (info and marks[0] == opening[1][0]):
            opening = place, marks
        elif not info and marks.startswith(opening[1]):
            is_code[opening[0] : place + 1] = [True] * (place + 1 - opening[0])
            opening = None
    return is_code

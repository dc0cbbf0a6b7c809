"""Where listings between fences begin and end, and which were left open. Pure."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

_BEGINS = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})(?P<rest>[^`]*)$")


class Listings:
    """The listings of a file. One that is left open ends before the next option or question."""

    def __init__(
        self,
        lines: Sequence[str],
        *,
        is_item: Callable[[str], bool],
        is_question: Callable[[str], bool],
    ) -> None:
        self._lines = lines
        self._is_item = is_item
        self._is_question = is_question
        self._fences = [n for n, line in enumerate(lines) if _BEGINS.match(line)]
        self._questions = [n for n, line in enumerate(lines) if is_question(line)]

    def end(self, at: int) -> tuple[int, bool]:
        """Return the line after a listing that begins here, and whether it was left open.

        The same line where none begins.
        """
        begins = _BEGINS.match(self._lines[at])
        if not begins:
            return at, False
        stop = 0
        for n in range(at + 1, len(self._lines)):
            line = self._lines[n]
            fence = _BEGINS.match(line)
            if fence and self._closes(begins, fence):
                is_open = bool(stop) and self._is_uneven(at)
                return (stop if is_open else n + 1), is_open
            is_item = self._is_item(line)
            stop = stop or (n if is_item else 0)
            is_outside = is_item and _indent(line) < _indent(self._lines[at])
            if is_outside or (stop and fence and fence["rest"].strip()):
                return stop, True
            if self._is_question(line) and (stop or line.lstrip().startswith("#")):
                return stop or n, True
        return stop or len(self._lines), True

    def _closes(self, begins: re.Match[str], fence: re.Match[str]) -> bool:
        near = len(fence["indent"].expandtabs(4)) <= len(begins["indent"].expandtabs(4)) + 3
        return near and not fence["rest"].strip() and fence["fence"].startswith(begins["fence"])

    def _is_uneven(self, at: int) -> bool:
        """Return whether the fences from here to the next question do not come in pairs."""
        following = bisect_left(self._questions, at + 1)
        until = self._questions[following] if following < len(self._questions) else len(self._lines)
        return (bisect_left(self._fences, until) - bisect_left(self._fences, at)) % 2 == 1


def _indent(line: str) -> int:
    spread = line.expandtabs(4)
    return len(spread) - len(spread.lstrip(" "))

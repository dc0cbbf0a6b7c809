"""A checklist as lines; listings between fences and comments are one each. Pure."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from quizzes.formats.checklist.line_types import (
    ChecklistLine,
    LineType,
    is_option,
    is_question,
    measure_indent,
    parse_line,
    split_boxes,
)
from quizzes.formats.parsing.code_fences import place_fence

_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})(?P<rest>[^`]*)$")
_LONGEST_COMMENT = 50


def split_lines(text: str) -> Iterator[ChecklistLine]:
    """Yield the lines of a file in their order; every line is in exactly one."""
    lines = text.split("\n")
    code_blocks = _CodeBlocks(lines)
    start = 0
    while start < len(lines):
        end, is_open = code_blocks.find_end(start)
        if not lines[start].strip():
            end = start + 1
            yield ChecklistLine(LineType.BLANK, end, (lines[start],))
        elif end > start:
            code = tuple(lines[start:end])
            if (fence := code_blocks.get_first(start)) != lines[start]:
                box = lines[start].rstrip().removesuffix(fence.strip())
                yield parse_line(start + 1, (box.rstrip(),))
                margin = min(map(measure_indent, filter(str.strip, code[1:])), default=0)
                code = (" " * margin + fence.strip(), *code[1:])
            yield ChecklistLine(LineType.CODE, start + 1, code, is_open=is_open)
        else:
            end = _find_comment_end(lines, start)
            first, *others = split_boxes(lines[start])
            yield parse_line(start + 1, (first, *lines[start + 1 : end]))
            for option in others:
                yield parse_line(start + 1, (option,))
        start = end


def _find_comment_end(lines: Sequence[str], start: int) -> int:
    """Return the line after a comment of several lines that begins here, else after this line."""
    if lines[start].lstrip().startswith("<!--") and "-->" not in lines[start]:
        for end in range(start + 1, min(start + _LONGEST_COMMENT, len(lines))):
            if "-->" in lines[end]:
                return end + 1
    return start + 1


class _CodeBlocks:
    """The listings of a file. One that is left open ends before the next option or question."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        fences = [(n, place_fence(line)) for n, line in enumerate(lines)]
        self._boxed = {n: fence for n, fence in fences if fence}
        self._fences = [n for n, _ in fences if _FENCE.match(self.get_first(n))]
        self._questions = [n for n, line in enumerate(lines) if is_question(line)]

    def get_first(self, place: int) -> str:
        """Return a line; of one with a box and a fence beside it that fence, at its place."""
        return self._boxed.get(place, self._lines[place])

    def find_end(self, start: int) -> tuple[int, bool]:
        """Return the line after a listing that begins here, and whether it was left open.

        The same line where none begins.
        """
        opening = _FENCE.match(self.get_first(start))
        if not opening:
            return start, False
        option = 0  # the first one within
        for n in range(start + 1, len(self._lines)):
            line = self._lines[n]
            fence = _FENCE.match(line)
            if fence and _closes(opening, fence):
                is_open = bool(option) and self._has_unpaired_fence(start)
                return (option if is_open else n + 1), is_open
            if is_option(line):
                option = option or n
                if measure_indent(line) < measure_indent(opening.string):
                    return option, True
            if option and fence and fence["rest"].strip():
                return option, True
            if (option or line.lstrip().startswith("#")) and is_question(line):
                return option or n, True
        return option or len(self._lines), True

    def _has_unpaired_fence(self, start: int) -> bool:
        """Return whether the fences from here to the next question do not come in pairs."""
        following = bisect_left(self._questions, start + 1)
        until = self._questions[following] if following < len(self._questions) else len(self._lines)
        return (bisect_left(self._fences, until) - bisect_left(self._fences, start)) % 2 == 1


def _closes(opening: re.Match[str], fence: re.Match[str]) -> bool:
    near = measure_indent(fence.string) <= measure_indent(opening.string) + 3
    return near and not fence["rest"].strip() and fence["fence"].startswith(opening["fence"])

"""The lines of a text2qti file as parts: each begins at the margin, its further lines are indented.

Its grammar is written down at https://github.com/gpoore/text2qti.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_SETTINGS = (
    "Quiz title|Quiz description|shuffle answers|show correct answers|one question at a time"
    "|can't go back|feedback is solution|solutions sample groups|solutions randomize groups"
    "|pick|solutions pick|points per question|Text title|Text|Title|Points"
)
_QUESTION = re.compile(r"\d{1,9}\.[ \t]+")
_PATTERNS = {
    "setting": rf"(?P<key>{_SETTINGS}):[ \t]*",
    "group": r"(?P<group>END_GROUP|GROUP)[ \t]*$",
    "question": _QUESTION.pattern,
    "explanation": r"\.\.\.[ \t]+",
    "plus": r"\+[ \t]+",
    "minus": r"-[ \t]+",
    "solution": r"![ \t]+",
    "single_choice": r"(?P<letter_mark>\*?)[A-Za-z]\)[ \t]+",
    "multiple_choice": r"\[(?P<box_mark>[ *]?)\][ \t]+",
    "text": r"\*[ \t]+",
    "number": r"=[ \t]+",
    "essay": r"_{3,}[ \t]*$",
    "upload": r"\^{3,}[ \t]*$",
    "run": r"```+[ \t]*\{[^}\n]*\.run\b",
    "comment": r"%|COMMENT[ \t]*$",
}
_RUN = re.compile(_PATTERNS["run"])
_PART = re.compile("|".join(f"(?P<is_{name}>{pattern})" for name, pattern in _PATTERNS.items()))
_BETWEEN = frozenset({"stray", "setting", "comment", "fence", "group"})
"""Types of parts that may stand above fences around questions."""
_LONGEST = 200
"""How many lines a listing at the margin has, at most."""


@dataclass(slots=True)
class Part:
    """One part of a file: its type, its first and last line, and its text."""

    type: str
    line: int
    end_line: int
    first: str
    mark: str = ""
    margin: int = 0
    more: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return the text of all its lines."""
        return "\n".join([self.first, *self.more]).strip("\n").rstrip()


def split_parts(text: str) -> Iterator[Part]:
    """Yield every part; what is at the margin and is none has the type `stray`.

    Fences around questions have the type `fence`.
    """
    part: Part | None = None
    closing = ""
    is_wrapped = False  # by fences around questions, as in a manual
    lines = text.split("\n")
    for number, raw in enumerate(lines, start=1):
        line = raw.expandtabs(4).rstrip()
        if part and closing:
            part.end_line = number
            part.more.append(line)
            if line.startswith(closing):
                closing = ""
        elif part and (not line or line.startswith(" ")):
            part.more.append(line[min(part.margin, len(line) - len(line.lstrip(" "))) :])
            part.end_line = number if line else part.end_line
        elif line:
            before = part.type if part else "stray"
            if part:
                yield part
            part = _parse_part(number, line)
            is_fence = (
                line.startswith("```")
                and not line.strip("`")
                and (is_wrapped or (before in _BETWEEN and _opens_question(lines, number)))
            )
            part.type = "fence" if is_fence else part.type
            is_wrapped ^= is_fence
            closing = "" if is_fence else _find_closing(part, lines, number)
    if part:
        yield part


def _find_closing(part: Part, lines: list[str], number: int) -> str:
    """Return how the last line of a listing or comment begins; "" where a part is neither."""
    line = lines[number - 1].rstrip()
    is_listing = part.type == "stray" and line.startswith("```")
    if part.type == "run" or (is_listing and _is_closed(lines, number)):
        return "```"
    return "END_COMMENT" if part.type == "comment" and not line.startswith("%") else ""


def _opens_question(lines: list[str], number: int) -> bool:
    """Return whether a question begins below a fence at the margin, before the one that closes."""
    for line in lines[number : number + _LONGEST]:
        if line.startswith("```"):
            return _RUN.match(line) is not None
        if _QUESTION.match(line):
            return True
    return False


def _is_closed(lines: list[str], number: int) -> bool:
    """Return whether a listing at the margin ends soon, and before another question begins."""
    for line in lines[number : number + _LONGEST]:
        if line.rstrip() == "```":
            return True
        if _QUESTION.match(line):
            return False
    return False


def _parse_part(number: int, line: str) -> Part:
    match = _PART.match(line)
    if not match:
        return Part("stray", number, number, line.strip())
    type_ = next(name for name in _PATTERNS if match[f"is_{name}"] is not None)
    mark = match["key"] or match["group"] or match["letter_mark"] or match["box_mark"] or ""
    return Part(type_, number, number, line[match.end() :], mark.strip(), match.end())

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
_PARTS = (
    ("setting", rf"(?P<key>{_SETTINGS}):[ \t]*"),
    ("group", r"(?P<group>END_GROUP|GROUP)[ \t]*$"),
    ("question", r"\d{1,9}\.[ \t]+"),
    ("explanation", r"\.\.\.[ \t]+"),
    ("plus", r"\+[ \t]+"),
    ("minus", r"-[ \t]+"),
    ("solution", r"![ \t]+"),
    ("one", r"(?P<one>\*?)[A-Za-z]\)[ \t]+"),
    ("many", r"\[(?P<many>[ *]?)\][ \t]+"),
    ("text", r"\*[ \t]+"),
    ("number", r"=[ \t]+"),
    ("essay", r"_{3,}[ \t]*$"),
    ("upload", r"\^{3,}[ \t]*$"),
    ("run", r"```+[ \t]*\{[^}\n]*\.run\b"),
    ("comment", r"%|COMMENT[ \t]*$"),
)
_PART = re.compile("|".join(f"(?P<is_{name}>{pattern})" for name, pattern in _PARTS))

_QUESTION = re.compile(r"\d{1,9}\.[ \t]+")
_LONGEST = 200
"""How many lines a listing at the margin has, at most."""


@dataclass(slots=True)
class Part:
    """One part: what, its first line in the file and its last, and its text."""

    what: str
    line: int
    last: int
    text: str
    mark: str = ""
    margin: int = 0
    lines: list[str] = field(default_factory=list)

    def whole(self) -> str:
        """Give the text with its further lines."""
        return "\n".join([self.text, *self.lines]).strip("\n").rstrip()


def parts(text: str) -> Iterator[Part]:
    """Give every part; what stands at the margin and is none is `stray`."""
    current: Part | None = None
    ends = ""
    lines = text.split("\n")
    for number, raw in enumerate(lines, start=1):
        line = raw.expandtabs(4).rstrip()
        if current and ends:
            current.last = number
            current.lines.append(line)
            if line.startswith(ends):
                ends = ""
        elif current and (not line or line.startswith(" ")):
            current.lines.append(_dedented(line, current.margin))
            current.last = number if line else current.last
        elif line:
            if current:
                yield current
            current = _part(number, line)
            ends = {"run": "```", "comment": "END_COMMENT"}.get(current.what, "")
            ends = "" if line.startswith("%") else ends
            if current.what == "stray" and line.startswith("```"):
                ends = "```" if _is_closed(lines, number) else ""
    if current:
        yield current


def _is_closed(lines: list[str], number: int) -> bool:
    """Return whether a listing at the margin ends soon, and before another question begins."""
    for line in lines[number : number + _LONGEST]:
        if line.rstrip() == "```":
            return True
        if _QUESTION.match(line):
            return False
    return False


def _part(number: int, line: str) -> Part:
    found = _PART.match(line)
    if not found:
        return Part("stray", number, number, line.strip())
    what = next(name for name, _ in _PARTS if found[f"is_{name}"] is not None)
    mark = found["key"] or found["group"] or found["one"] or found["many"] or ""
    return Part(what, number, number, line[found.end() :], mark.strip(), found.end())


def _dedented(line: str, margin: int) -> str:
    return line[min(margin, len(line) - len(line.lstrip(" "))) :]

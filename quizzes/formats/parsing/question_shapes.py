"""Lines of a plain text that look like a question with its key, in the manner of any format. Pure.

Nothing is read here: a shape says that some format could read these lines, so that a reader of
another one, which took them for words, does not swallow them. Text in listings has no shape.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.key_lines import begins_with_key_word
from quizzes.formats.spreadsheet.column_aliases import COLUMN_ALIASES
from quizzes.formats.spreadsheet.columns import count_columns

_BRACES = re.compile(
    r"(?<![\\`$^_{}])\{\s*(?:(?:=|~)[^={}~\n]|(?:T|F|TRUE|FALSE)\s*[}#]|#\s*[-\d]|(?:=|~)?$)"
    r"|[?.:][ \t]*\{[ \t]*\}[ \t]*$"
)
_COMMAND = re.compile(r"\\[A-Za-z]{2,20}\{[A-Za-z]{1,5}\}")
r"""A command of LaTeX with letters, which are no answer: \mathbb{F}."""
_BRACED_ANSWER = re.compile(r"\s*[=~]\s*\S|\s*\}")
_BOX = re.compile(r"[>\s]{0,20}[-*+]\s+\[(?P<mark>[ xX✓✔])\]\s+\S")
_LETTERED = re.compile(r"\s{0,20}(?P<star>\*?)(?P<letter>[A-Za-z])[.)]\s+\S")
_BRACKETED = re.compile(r"\[(?P<mark>[ *])\][ \t]+\S")
_ANSWER = re.compile(
    r"\s*\**(?:ANSWER|RESPUESTA)\**\s*:\s*\**\s*[A-Z](?:\s*,\s*[A-Z])*\W*", re.IGNORECASE
)
_FRONT = re.compile(r"[ \t]*(?:Q|P|Front|Anverso)[ \t]*:[ \t]*\S", re.IGNORECASE)
_BACK = re.compile(r"[ \t]*(?:A|R|Back|Reverso)[ \t]*:[ \t]*\S", re.IGNORECASE)
_POINTS = re.compile(
    r"(?<![\d/])\d{1,4}(?:[.,]\d{1,4})?\s{0,3}/\s{0,3}\d{1,4}\s{0,3}p(?:oin|un|on|t)", re.IGNORECASE
)
_MARKED = re.compile(r"\s*(?:[-*•]\s+)?[☐○◯□☒☑●◉■✓✔✅✗✘❌]")
_NOTES = re.compile(r"#(?:separator|html|notetype|columns|deck|tags)[a-z ]*:\s*\S")
_HEADING_WORDS: Final = re.compile(
    r"(?:^|[,;\t])\W*(?:" + "|".join(" ".join(COLUMN_ALIASES["question"]).split()) + r")\b",
    re.IGNORECASE,
)
_DELIMITERS: Final = ",;\t"
_LONGEST_HEADER: Final = 2000
_FEWEST_OPTIONS: Final = 2
_PAGE_LINES: Final = 12
"""How many filled lines of a result page may stand below the last of its marks, or its points."""


@dataclass(frozen=True, slots=True)
class QuestionShape:
    """Options and key on lines `line` to `end_line` (from 1), their prompt from `prompt_line` on.

    `is_table`: its first line names the columns of those below. `has_options`: it lists options
    with boxes or letters, which nobody writes into a prompt together with their key.
    """

    prompt_line: int
    line: int
    end_line: int
    is_table: bool = False
    has_options: bool = False


def find_question_shapes(lines: Sequence[str]) -> list[QuestionShape]:
    """Return the shapes in a text, by their first lines; of one kind none has a line twice."""
    filled = _Lines(lines)
    kinds = (_find_tables, _find_braces, _find_lists, _find_cards, _find_pages)
    return sorted((shape for find in kinds for shape in find(filled)), key=lambda each: each.line)


def is_box(line: str) -> bool:
    """Return whether a line is an option with a box."""
    return _BOX.match(line) is not None


def is_header(line: str) -> bool:
    """Return whether a line names the columns of a table of questions."""
    return not _NOTES.match(line) and _find_delimiter(line) != ""


class _Lines:
    """The filled lines outside of listings, and which are next to which."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.all = lines
        is_code = find_code_lines(lines)
        self.numbers = [
            number
            for number, (line, code) in enumerate(zip(lines, is_code, strict=True), start=1)
            if line.strip() and not code
        ]
        self.texts = [lines[number - 1] for number in self.numbers]

    def __len__(self) -> int:
        return len(self.numbers)

    def is_next(self, place: int, blanks: int = 0) -> bool:
        """Return whether at most so many empty lines are above the line at a place."""
        return place > 0 and self.numbers[place] - self.numbers[place - 1] <= blanks + 1

    def find_prompt(self, place: int, least: int) -> int:
        """Return the place where the words above a place begin, no further up than `least`."""
        first = place
        if first > least and self.is_next(first, 1):
            first -= 1
            while first > least and self.is_next(first) and not self._begins(first):
                first -= 1
        return first

    def _begins(self, place: int) -> bool:
        """Return whether a line is a heading, or below the key of another question."""
        return self.texts[place].startswith("#") or begins_with_key_word(self.texts[place - 1])

    def build(self, start: int, end: int, least: int) -> QuestionShape:
        """Return the shape of the lines from one place to another, the last included."""
        first = self.find_prompt(start, least)
        return QuestionShape(self.numbers[first], self.numbers[start], self.numbers[end])


def _find_tables(lines: _Lines) -> Iterator[QuestionShape]:
    """Yield headers of columns, of a sheet or of Anki's notes, with the rows below them."""
    place = 0
    while place < len(lines):
        start, place = place, place + 1
        delimiter = _find_delimiter(lines.texts[start])
        if not delimiter:
            continue
        while place < len(lines) and lines.is_next(place) and _NOTES.match(lines.texts[place]):
            place += 1
        first_row = place
        while place < len(lines) and lines.is_next(place) and delimiter in lines.texts[place]:
            place += 1
        if place > first_row:
            yield replace(lines.build(start, place - 1, start), is_table=True)


def _find_delimiter(text: str) -> str:
    """Return what separates the columns that a line names; "" if it names none."""
    if _NOTES.match(text):
        return "\t"
    if len(text) > _LONGEST_HEADER or not _HEADING_WORDS.search(text):
        return ""
    delimiter = max(_DELIMITERS, key=text.count)
    if delimiter not in text:
        return ""
    return delimiter if count_columns(next(csv.reader([text], delimiter=delimiter))) else ""


def _find_braces(lines: _Lines) -> Iterator[QuestionShape]:
    """Yield paragraphs with answers between braces."""
    place = least = 0
    while place < len(lines):
        start = place
        while place < len(lines) and (place == start or lines.is_next(place)):
            place += 1
        if _has_braces(lines.texts[start:place]):
            is_alone = lines.texts[start].lstrip().startswith("{")
            yield lines.build(start, place - 1, least if is_alone else start)
            least = place


def _has_braces(paragraph: Sequence[str]) -> bool:
    """Return whether answers stand between braces that are closed below or beside them."""
    last = max((place for place, line in enumerate(paragraph) if "}" in line), default=-1)
    for place, line in enumerate(paragraph[: last + 1]):
        match = _BRACES.search(_COMMAND.sub("", line) if "\\" in line else line)
        if match and "}" in match.string[match.start() + 1 :]:
            return True
        if match and place < last and _BRACED_ANSWER.match(paragraph[place + 1]):
            return True
    return False


def _find_lists(lines: _Lines) -> Iterator[QuestionShape]:
    """Yield lists of options with boxes or letters, of which one is marked or named as right."""
    place = least = 0
    while place < len(lines):
        start = place
        is_keyed = False
        mark = _read_option(lines.texts[start])
        if mark is None:
            place += 1
            continue
        while place < len(lines) and (place == start or lines.is_next(place, 1)):
            option = _read_option(lines.texts[place])
            if option is None or option[0] != mark[0]:
                break
            is_keyed |= option[1]
            place += 1
        if mark[0] == "letter" and place < len(lines) and _ANSWER.fullmatch(lines.texts[place]):
            is_keyed = True
            place += 1
        if is_keyed and place - start >= _FEWEST_OPTIONS:
            yield replace(lines.build(start, place - 1, least), has_options=True)
        least = place


def _read_option(line: str) -> tuple[str, bool] | None:
    """Return how an option is marked, and whether it is marked as right."""
    if box := _BOX.match(line):
        return "box", box["mark"] != " "
    if bracketed := _BRACKETED.match(line):
        return "bracket", bracketed["mark"] == "*"
    if lettered := _LETTERED.match(line):
        return "letter", bool(lettered["star"])
    return None


def _find_cards(lines: _Lines) -> Iterator[QuestionShape]:
    """Yield lines "Q: …" with a line "A: …" below."""
    for place in range(1, len(lines)):
        if _BACK.match(lines.texts[place]) and _FRONT.match(lines.texts[place - 1]):
            yield lines.build(place - 1, place, place - 1)


def _find_pages(lines: _Lines) -> Iterator[QuestionShape]:
    """Yield points that were earned, with the marks of options below."""
    least = 0
    for start in range(len(lines)):
        if start < least or not _POINTS.search(lines.texts[start]):
            continue
        end = start
        for place in range(start + 1, len(lines)):
            if place - end > _PAGE_LINES or _POINTS.search(lines.texts[place]):
                break
            if _MARKED.match(lines.texts[place]):
                end = place
        if end > start:
            yield lines.build(start, end, least)
            least = end + 1

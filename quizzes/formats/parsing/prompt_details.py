"""What a prompt says of its question beside the words that ask: points, difficulty, kind. Pure.

"(5 points)", "[2 pts]", "Difficulty: easy", "🟢 Easy", "P-08 | Recall | 3 pts". Points become those
of the item; the others are for whoever writes questions, and are left out, with a note.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.code_fences import find_code_lines

_POINTS = (
    r"(?:(?:points?|puntos?|puntaje|marks?|punkte?|pontos?|punti)[*_]{0,3}[ ]?:[*_ ]{0,4}"
    r"(?P<after>\d{1,3}(?:[.,]\d{1,2})?)(?:[ ]?(?:points?|puntos?|pts?\.?))?"
    r"|(?:worth[ ])?(?P<before>\d{1,3}(?:[.,]\d{1,2})?)[ ]?"
    r"(?:points?|puntos?|pts?\.?|ptos?\.?|marks?|punkte?|pontos?|punti))"
)
_LEVEL = (
    r"(?:(?:very|muy)[ ])?(?:easy|medium|moderate|hard|difficult|beginner|basic|intermediate"
    r"|advanced|expert|fácil|medi[ao]|moderad[ao]|difícil|básic[ao]|intermedi[ao]|avanzad[ao]|experto"
    r"|einfach|leicht|mittel|schwer|facile|moyen|difficile|médio)"
)
_KIND = (
    r"multiple[ -]choice(?:[ ]question)?|single[ -]choice|mcq|true[ ]?(?:/|or)[ ]?false"
    r"|opción[ ]múltiple|selección[ ]simple|verdadero[ ]?[/o][ ]?falso"
)
_TITLE = (
    r"(?:difficulty(?:[ ]level)?|dificultad|dificuldade|schwierigkeit|difficulté|topic|tema"
    r"|category|categor[ií]a|domain|dominio|bloom(?:[’']s)?(?:[ ](?:level|taxonomy))?|skill"
    r"|learning[ ]objective|id)"
)
_KIND_TITLE = r"(?:(?:question[ ])?type|tipo(?:[ ]de[ ]pregunta)?|level|nivel|niveau)"
_SIGN = r"(?:[★☆⭐🟢🟡🟠🔴🔵⚪⚫🌶🔥]\ufe0f?[ ]?){1,5}"
_MARK = r"[*_`]{0,3}"
_DETAIL = re.compile(
    rf"{_MARK}(?:{_SIGN})?(?:{_POINTS}|(?P<level>{_LEVEL}|{_KIND})"
    rf"|(?P<titled>{_TITLE}{_MARK}[ ]?:{_MARK}[ ]{{0,3}}\S.{{0,60}}"
    rf"|{_KIND_TITLE}(?:{_MARK}[ ]?:{_MARK}|[ ])[ ]{{0,3}}(?:{_SIGN})?(?:{_LEVEL}|{_KIND})))"
    rf"(?:[ ]?{_SIGN})?{_MARK}",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[ \t]+[|·•—–/-][ \t]+|[ \t]*[|;,][ \t]+")
_CELLS = re.compile(r"[ \t]+[|·][ \t]+")
_BRACKETS = re.compile(rf"{_MARK}[(\[](?P<text>[^()\[\]]{{1,80}})[)\]]{_MARK}[.:]?")
_AT_START = re.compile(rf"{_BRACKETS.pattern}[ \t]+(?=\S)")
_AT_END = re.compile(rf"(?<=\S)[ \t]+{_BRACKETS.pattern}$")
_LONGEST = 160
"""Characters of a line that is looked at as a whole, and of an end that may be in brackets."""
_INSTRUCTS = re.compile(
    r"\b(?:select|choose|pick|check|mark|tick|eli[gj]|seleccion|escog|marque|marca|wähl|chois|coche"
    r"|scegl|all|any|both|two|three|four|tod[ao]s|dos|tres|cuatro|vari[ao]s|multiple|several"
    r"|more|at[ ]least)|(?<![\w.-])\d(?![\w.-])|[?:]",
    re.IGNORECASE,
)
"""Words in brackets that tell how to answer."""
_GRADED = re.compile(
    r"\b(?:difficulty|dificult?ad|dificuldade|level|nivel)[ :]{1,2}\d", re.IGNORECASE
)
"""A difficulty that is a number: it asks for no number of answers."""
_LONGEST_CELL = 40
_FEWEST_CELLS = 3
_ENDS = ".?!:…？。)]»”\"'`*_"
"""How words end that a difficulty in brackets may follow: else it is one of the words."""


@dataclass(frozen=True, slots=True)
class PromptDetails:
    """A prompt without its details: its points, if it said them, and what was left out."""

    prompt: str
    points: Fraction | None = None
    left_out: tuple[str, ...] = ()

    def list_notes(self, line: int) -> Iterator[Note]:
        """Yield a note on each detail that was left out, all at the line of the question."""
        for quote in self.left_out:
            yield Note("detail_left_out", line, quote[:LONGEST_QUOTE])


def split_details(prompt: str, *, labelled: bool = False) -> PromptDetails:
    """Return a prompt without the details above it, around its first line and at its end.

    One that would be empty without them is returned as it is. `labelled`: it stood below a label
    such as "Question 4", beside which brackets tell where it is from: "(GATE 2018)".
    """
    lines = prompt.split("\n")
    is_code = find_code_lines(lines)
    details: list[str] = []
    words = [at for at, line in enumerate(lines) if line.strip()]
    if len(words) > 1 and labelled and _is_remark(lines[words[0]]):
        details.append(lines[words[0]].strip())
        lines[words.pop(0)] = ""
    while len(words) > 1 and not is_code[words[0]] and _is_about(lines[words[0]]):
        details.append(lines[words[0]].strip())
        lines[words.pop(0)] = ""
    if len(words) > 2 and not is_code[words[1]] and _is_detail(lines[words[1]], bare=False):  # noqa: PLR2004
        details.append(lines[words[1]].strip())  # below a title
        lines[words.pop(1)] = ""
    if len(words) > 1 and not is_code[words[-1]] and _is_detail(lines[words[-1]], bare=False):
        details.append(lines[words[-1]].strip())
        lines[words.pop()] = ""
    for at in {*words[:1], *words[-1:]} - {place for place in words if is_code[place]}:
        lines[at], within = _split_line(lines[at], at_start=at == words[0])
        details += within
    text = "\n".join(lines).strip("\n")
    if not details or not text.strip():
        return PromptDetails(prompt)
    points = [value for detail in details for value in read_points(detail)]
    left_out = tuple(detail for detail in details if not _is_points(detail))
    return PromptDetails(text, points[0] if points else None, left_out)


def unquote_prompt(prompt: str) -> str:
    """Return a prompt without the marks of a quotation that it is as a whole."""
    lines = prompt.split("\n")
    if not all(line.lstrip().startswith(">") for line in lines if line.strip()):
        return prompt
    return "\n".join(line.lstrip().removeprefix(">").removeprefix(" ") for line in lines)


def drop_details(line: str) -> str:
    """Return one line without its details; "" where it has nothing else."""
    if _is_about(line):
        return ""
    return _split_line(line, at_start=True)[0]


def is_bracketed_detail(text: str) -> bool:
    """Return whether a text in brackets is a detail, such as "(5 points)"."""
    return _BRACKETS.fullmatch(text) is not None and _is_detail(text, bare=False)


def _split_line(line: str, *, at_start: bool) -> tuple[str, list[str]]:
    """Return a line without the details in brackets around it, and these."""
    details: list[str] = []
    start = _AT_START.match(line) if at_start else None
    if start and _is_detail(start["text"], bare=True):
        details.append(start[0].strip())
        line = line[start.end() :]
    stripped = line.rstrip(" \t\\")
    end = _AT_END.search(stripped, max(len(stripped) - _LONGEST, 0))
    is_after_words = end is not None and stripped[end.start() - 1] in _ENDS
    if end and _is_detail(end["text"], bare=is_after_words):
        details.append(end[0].strip())
        line = stripped[: end.start()].rstrip()
    return line, details


def _is_remark(line: str) -> bool:
    """Return whether a line is short words in brackets that do not tell how to answer."""
    remark = _BRACKETS.fullmatch(line.strip())
    if remark is None:
        return False
    return _INSTRUCTS.search(remark["text"]) is None or _GRADED.search(remark["text"]) is not None


def _is_about(line: str) -> bool:
    """Return whether a line has details alone, or is a heading of cells of which some are."""
    if len(line) > _LONGEST:
        return False
    cells = [cell.strip() for cell in _CELLS.split(line.strip("#*_ \t\\"))]
    is_row = len(cells) >= _FEWEST_CELLS and all(0 < len(cell) <= _LONGEST_CELL for cell in cells)
    has_points = is_row and any(_is_points(cell) for cell in cells) and "?" not in line
    return has_points or _is_detail(line, bare=True)


def _is_detail(text: str, *, bare: bool) -> bool:
    """Return whether a text is details alone; `bare`: a difficulty needs no title."""
    text = text.strip(" \t\\")
    if len(text) > _LONGEST:
        return False
    brackets = _BRACKETS.fullmatch(text)
    parts = [part for part in _SEPARATOR.split(brackets["text"] if brackets else text) if part]
    matches = [_DETAIL.fullmatch(part.strip()) for part in parts]
    is_bare = bare or brackets is not None
    return bool(parts) and all(match and (is_bare or not match["level"]) for match in matches)


def _is_points(text: str) -> bool:
    parts = _list_parts(text)
    return bool(parts) and all(match and (match["after"] or match["before"]) for match in parts)


def read_points(text: str) -> Iterator[Fraction]:
    """Yield the points that a detail gives."""
    for match in _list_parts(text):
        if match and (digits := match["after"] or match["before"]):
            yield Fraction(digits.replace(",", "."))


def _list_parts(text: str) -> Sequence[re.Match[str] | None]:
    text = text.strip("#* \t\\")
    brackets = _BRACKETS.fullmatch(text)
    parts = _SEPARATOR.split(brackets["text"] if brackets else text)
    return [_DETAIL.fullmatch(part.strip()) for part in parts if part.strip()]

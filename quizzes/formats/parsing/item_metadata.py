"""What stands beside the words that explain an answer: hints, points, difficulty, topic. Pure.

Hints are for learners, points are those of the item; the others are for whoever writes questions,
and are left out, with a note.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.prompt_details import read_points

_MARK = r"[*_`]{0,3}"
_START = rf"[ \t>]{{0,6}}(?:[-*+][ ]+)?{_MARK}(?:[💡🔎📊🎯🏷📚][\ufe0f]?[ ])?"
_HINT = re.compile(
    rf"{_START}(?:hints?|pistas?|tipp|dicas?|indices?|suggeriment[io])(?:[ ]?\d{{1,2}})?{_MARK}"
    rf"[ ]?[:：]{_MARK}[ ]{{0,3}}(?P<text>[^\w\n]{{0,6}}\w.*)",
    re.IGNORECASE,
)
_POINTS = re.compile(
    rf"{_START}(?:points?|puntos?|puntaje|marks?|punkte?|pontos?|punti|worth){_MARK}"
    rf"[ ]?[:：]{_MARK}[ ]{{0,3}}(?:\d{{1,3}}(?:[.,]\d{{1,2}})?)"
    r"(?:[ ]?(?:points?|puntos?|pts?\.?|marks?|punkte?|pontos?))?"
    r"[*_. \t]{0,4}",
    re.IGNORECASE,
)
_DETAIL = re.compile(
    rf"{_START}(?:difficulty(?:[ ]level)?|dificultad|dificuldade|schwierigkeit(?:sgrad)?|difficulté"
    r"|level|nivel|nível|niveau|topics?|temas?|thema|tópicos?|tags?|etiquetas?|category|categor[ií]a"
    r"|catégorie|kategorie|domain|dominio|skill|source|fuente|fonte|quelle|chapter|capítulo|kapitel"
    r"|chapitre|bloom(?:[’']s)?(?:[ ](?:level|taxonomy))?|learning[ ]objective|objetivo)"
    rf"{_MARK}[ ]?[:：]{_MARK}[ ]{{0,3}}(?P<text>[^\w\n]{{0,6}}\w.{{0,80}})",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    rf"{_START}(?:references?|referencias?|referenz|id){_MARK}[ ]?:[ ]\S.*", re.IGNORECASE
)
"""What may stand among details above a prompt."""
_FEWEST_DETAILS = 2
_LINK = re.compile(r"https?://|\]\(")


@dataclass(frozen=True, slots=True)
class ItemMetadata:
    """A text without its metadata, and that."""

    text: str
    hints: tuple[str, ...] = ()
    points: Fraction | None = None
    left_out: tuple[str, ...] = ()

    def list_notes(self, line: int) -> Iterator[Note]:
        """Yield a note on each detail that was left out, all at the line of the question."""
        for quote in self.left_out:
            yield Note("detail_left_out", line, quote[:LONGEST_QUOTE])


def is_metadata_line(line: str) -> bool:
    """Return whether a line is a hint, or says points, difficulty and the like."""
    patterns = (_HINT, _POINTS, _DETAIL)
    return (":" in line or "：" in line) and any(each.fullmatch(line) for each in patterns)


def split_metadata(text: str, *, is_prompt: bool = False) -> ItemMetadata:
    """Return a text without lines such as "Hint: …", "Points: 3" and "Difficulty: easy".

    Of a prompt, which may quote any source, only hints are taken, and none that is all it has; and
    a block of details that is its first paragraph, or that below its title.
    """
    if ":" not in text and "：" not in text:
        return ItemMetadata(text)
    lines = text.split("\n")
    code_lines = find_code_lines(lines)
    block = _find_block(lines) if is_prompt else range(0)
    prose: list[str] = []
    hints: list[str] = []
    details: list[str] = []
    points: Fraction | None = None
    for at, (line, is_code) in enumerate(zip(lines, code_lines, strict=True)):
        if at in block:
            details.append(line.strip())
        elif is_code:
            prose.append(line)
        elif hint := _HINT.fullmatch(line):
            words = hint["text"].strip()
            hints.append(words.rstrip("*_ ") if words.count("*") % 2 else words)
        elif is_prompt:
            prose.append(line)
        elif _POINTS.fullmatch(line):
            points = next(read_points(line.strip(" \t>-+*_.")), points)
        elif (detail := _DETAIL.fullmatch(line)) and not _LINK.search(detail["text"]):
            details.append(line.strip(" \t>"))
        else:
            prose.append(line)
    if len(prose) == len(lines) or (is_prompt and not any(map(str.strip, prose))):
        return ItemMetadata(text)
    plain = re.sub(r"\n{3,}", "\n\n", "\n".join(prose)).strip("\n")
    return ItemMetadata(plain, tuple(hints), points, tuple(details))


def _find_block(lines: list[str]) -> range:
    """Return the lines of a paragraph of details, the first or that below a title, or none.

    Words stand below it.
    """
    filled = [at for at, line in enumerate(lines) if line.strip()]
    for start in filled[:2]:
        end = next((at for at in range(start, len(lines)) if not lines[at].strip()), len(lines))
        several = lines[start:end]
        count = sum(_DETAIL.fullmatch(line) is not None for line in several)
        are_details = all(_DETAIL.fullmatch(line) or _REFERENCE.fullmatch(line) for line in several)
        if are_details and count >= _FEWEST_DETAILS and filled[-1] >= end:
            return range(start, end)
    return range(0)

"""Questions that a page ran into one line, parted again by marks, verdicts and sentences. Pure.

Where only sentences part the options, that is a guess, and a person is asked to look.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from quizzes.formats.transcript.words import INSTRUCTION, MARK, MARKS, Verdict

_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?=[A-ZÁÉÍÓÚÑÄÖÜ¿¡])|(?<=[a-z]) (?=(?:The|All|Each|Both|This|These) [a-z])"
)
_BEGINS = re.compile(r"(?:^|(?<=[\s%]))(\d{1,5})\.\s+(?=[^\W\d_a-z])")
_SAYS = re.compile(
    rf"([{MARKS}])\s*|\b(Correct|Correcto|Correto|Richtig|Exact)(?=[!.\s]|$)[!.]?\s*"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing within a line: what (QUESTION, POINTS, OPTION, VERDICT), and its words."""

    what: str
    text: str = ""
    mark: str = ""
    verdict: Verdict | None = None
    points: re.Match[str] | None = None


def cut(raw: str, number: int) -> Iterator[tuple[str, bool]]:
    """Cut a line before each question that begins within; tells whether it stood among others."""
    begins: list[int] = []
    for found in _BEGINS.finditer(raw):
        if int(found[1]) == number:
            begins.append(found.start())
            number += 1
    within = [begin for begin in begins if raw[:begin].strip()]
    if not within or not MARK.search(raw):
        yield raw, False
        return
    for begin, end in pairwise(sorted({0, *begins, len(raw)})):
        if raw[begin:end].strip():
            yield raw[begin:end], begin in begins


def pieces(text: str, points: re.Match[str] | None) -> Iterator[Piece]:
    """Part a question's line: stem, points, and options with what is said of them."""
    told = INSTRUCTION.search(text)
    ends = (points.start(), points.end()) if points else (told.end(), told.end()) if told else None
    if ends is None:
        at = text.find("?") + 1 or len(text)
        ends = (at, at)
    yield Piece("QUESTION", text[: ends[0]].strip())
    if points:
        yield Piece("POINTS", points=points)
    yield from _options(text[ends[1] :].strip())


def _options(text: str) -> Iterator[Piece]:
    first, *rest = _SAYS.split(text)
    yield from (Piece("OPTION", one) for one in _sentences(first))
    mark, said = "", False
    for sign, word, words in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        mark = sign or ("" if word else mark)
        told, *others = _sentences(words) or [""]
        if word and not (said and not told):
            feedback = told if told.endswith((".", "!", "?")) else ""
            yield Piece("VERDICT", feedback, "", Verdict(right=True, rest=feedback, doubtful=False))
            others = others if feedback else [told, *others]
        elif not word:
            yield from (Piece("OPTION", one, mark) for one in [told] if one)
        said = bool(word)
        yield from (Piece("OPTION", one) for one in others if one)


def _sentences(text: str) -> list[str]:
    return [one.strip() for one in _SENTENCE.split(text) if one.strip()]

"""Questions that a page ran into one line, separated again by marks, verdicts and sentences. Pure.

Where only sentences separate the options, that is a guess, and a person is asked to look.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from quizzes.formats.transcript.vocabulary import (
    INSTRUCTION,
    MARK,
    MARKS,
    LineType,
    PageLine,
    Verdict,
)

_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?=[A-ZÁÉÍÓÚÑÄÖÜ¿¡])|(?<=[a-z]) (?=(?:The|All|Each|Both|This|These) [a-z])"
)
_NUMBER = re.compile(r"(?:^|(?<=[\s%]))(\d{1,5})\.\s+(?=[^\W\d_a-z])")
_SIGN = re.compile(
    rf"([{MARKS}])\s*|\b(Correct|Correcto|Correto|Richtig|Exact)(?=[!.\s]|$)[!.]?\s*"
)


def split_questions(line: str, number: int) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a line, and whether each begins a question among others.

    `number` is that of the next question.
    """
    starts: list[int] = []
    for match in _NUMBER.finditer(line):
        if int(match[1]) == number:
            starts.append(match.start())
            number += 1
    if not any(line[:start].strip() for start in starts) or not MARK.search(line):
        yield line, False
        return
    for start, end in pairwise(sorted({0, *starts, len(line)})):
        if line[start:end].strip():
            yield line[start:end], start in starts


def split_options(text: str, number: int, points: re.Match[str] | None) -> Iterator[PageLine]:
    """Yield the stem, the points, and the options with their verdicts of a question on one line."""
    build = partial(PageLine, line=number, shares_line=True, guessed=True)
    if ends := points or INSTRUCTION.search(text):
        start, end = ends.span()
        start = start if points else end
    else:
        start = end = text.find("?") + 1 or len(text)
    yield build(LineType.QUESTION, text=text[:start].strip())
    if points:
        yield build(LineType.POINTS, points=points)
    first, *rest = _SIGN.split(text[end:].strip())
    for sentence in _split_sentences(first):
        yield build(LineType.OPTION, text=sentence)
    mark, after_verdict = "", False
    for sign, verdict, words in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        mark = sign or ("" if verdict else mark)
        sentence, *others = _split_sentences(words) or [""]
        if verdict and (sentence or not after_verdict):
            feedback = sentence if sentence.endswith((".", "!", "?")) else ""
            verdict_of_page = Verdict(right=True, feedback=feedback, doubtful=False)
            yield build(LineType.VERDICT, text=feedback, verdict=verdict_of_page)
            others = others if feedback else [sentence, *others]
        elif sentence:
            yield build(LineType.OPTION, text=sentence, mark=mark)
        after_verdict = bool(verdict)
        for other in filter(None, others):
            yield build(LineType.OPTION, text=other)


def _split_sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE.split(text) if sentence.strip()]

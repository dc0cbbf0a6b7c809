"""The lines of a page by type: a question begins, points, an option, a verdict, code. Pure."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from quizzes.formats.transcript.single_line_options import split_options, split_questions
from quizzes.formats.transcript.vocabulary import (
    MARK,
    POINTS,
    LineType,
    PageLine,
    is_chrome,
    parse_verdict,
)

_NUMBERED = re.compile(
    r"\s{0,3}(?:#{1,6}[ \t]{1,3})?(?:\*\*)?"
    r"(?:(?:Question|Pregunta|Questão|Pergunta|Frage)\s+(?P<named>\d{1,5})\b[.:)]?"
    r"|(?P<number>\d{1,5})[.)](?=\s))(?:\*\*)?[ \t]*(?P<text>.*)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s{0,3}```")
_BULLET = re.compile(r"^[-*•]\s+(?=\S)")
_LETTER = re.compile(r"[Oo0]\s+(?=\S)")
_AHEAD = 20
"""A number further ahead than this is none of a question."""


def read_page_lines(text: str, *, letters: bool) -> Iterator[PageLine]:
    """Yield the lines of a page; with `letters`, an O before an option of a tabbed page is a mark.

    A listing between fences is one; a fence that stays open ends with the page.
    """
    last, after_blank = 0, True
    lines = text.split("\n")
    numbered = zip(_find_code(lines), enumerate(lines, start=1), strict=True)
    for is_code, group in groupby(numbered, key=itemgetter(0)):
        rows = [row for _, row in group]
        if is_code:
            code = "\n".join(line for _, line in rows if not _FENCE.match(line))
            yield PageLine(LineType.CODE, rows[0][0], code)
            continue
        for number, line in rows:
            if not line.strip():
                after_blank = True
                continue
            for part, shares_line in split_questions(line, last + 1):
                match = _NUMBERED.match(part)
                question = int(match["named"] or match["number"]) if match else 0
                if match and last < question <= last + _AHEAD:
                    last = question
                    yield from _read_question(match["text"], number, shares_line=shares_line)
                else:
                    yield from _read_line(part, number, after_blank=after_blank, letters=letters)
                after_blank = False


def _find_code(lines: Sequence[str]) -> Iterator[bool]:
    """Yield for each line whether it belongs to a listing between fences."""
    is_open = False
    for line in lines:
        is_fence = _FENCE.match(line) is not None
        yield is_fence or is_open
        is_open ^= is_fence


def _read_question(text: str, number: int, *, shares_line: bool) -> Iterator[PageLine]:
    points = POINTS.search(text)
    if shares_line or (points and text[points.end() :].strip()):
        yield from split_options(text, number, points)
        return
    stem = text[: points.start()] if points else text
    yield PageLine(LineType.QUESTION, number, stem.strip().removesuffix("<br>").strip(" \t"))
    if points:
        yield PageLine(LineType.POINTS, number, points=points)


def _read_line(line: str, number: int, *, after_blank: bool, letters: bool) -> Iterator[PageLine]:
    tabbed, text = line.startswith("\t"), line.strip()
    if points := POINTS.fullmatch(text):
        yield PageLine(LineType.POINTS, number, points=points)
        return
    if is_chrome(text):
        yield PageLine(LineType.CHROME, number, text)
        return
    # Parts of a line by their marks; what is before the first mark has none.
    first, *rest = MARK.split(_BULLET.sub("", text, count=1))
    marks = zip(["", *rest[::2]], map(str.strip, [first, *rest[1::2]]), strict=True)
    parts = [(mark, words, parse_verdict(words)) for mark, words in marks if words]
    several = sum(verdict is None for *_, verdict in parts) > 1
    build = partial(PageLine, line=number, after_blank=after_blank, tabbed=tabbed)
    for mark, words, verdict in parts:
        if verdict:
            yield build(LineType.VERDICT, text=words, mark=mark, verdict=verdict)
        elif mark:
            yield build(LineType.OPTION, text=words, mark=mark, shares_line=several)
        elif letters and tabbed and (letter := _LETTER.match(words)):
            yield build(LineType.OPTION, text=words[letter.end() :], mark=letter[0].strip())
        else:
            yield build(LineType.TEXT, text=words)

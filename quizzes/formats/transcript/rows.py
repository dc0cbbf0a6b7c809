"""A page's lines as events: a question begins, points, an option, a verdict, words, code. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from quizzes.formats.transcript.crammed import Piece, cut, pieces
from quizzes.formats.transcript.words import MARK, POINTS, Verdict, is_chrome, verdict

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


class Is(Enum):
    """What a row of a page is."""

    QUESTION = auto()
    POINTS = auto()
    OPTION = auto()
    VERDICT = auto()
    TEXT = auto()
    PAGE = auto()
    CODE = auto()


@dataclass(frozen=True, slots=True)
class Row:
    """One thing on a page. `apart`: a blank line stood before it; `tabbed`: a tab began it."""

    what: Is
    line: int
    text: str = ""
    mark: str = ""
    verdict: Verdict | None = None
    points: re.Match[str] | None = None
    apart: bool = False
    tabbed: bool = False
    joined: bool = False  # with others on one line
    guessed: bool = False  # parted from others by sentences alone


def rows(text: str, *, letters: bool) -> Iterator[Row]:
    """Read a page; with `letters`, an O before an option of a tabbed page is an empty mark."""
    last, apart, code = 0, True, Code()
    for line, raw in enumerate(text.split("\n"), start=1):
        if code.takes(line, raw):
            continue
        yield from code.done()
        if not raw.strip():
            apart = True
            continue
        for piece, cramped in cut(raw, last + 1):
            found = _NUMBERED.match(piece)
            number = int(found["named"] or found["number"]) if found else 0
            if found and last < number <= last + _AHEAD:
                last = number
                yield from _question(found["text"], line, cramped=cramped)
            else:
                yield from _row(piece, line, apart=apart, letters=letters)
            apart = False
    yield from code.done(end=True)


class Code:
    """Collects the lines of a fenced listing; a fence that stays open ends with the page."""

    def __init__(self) -> None:
        self._line = 0
        self._lines: list[str] = []
        self._open = False

    def takes(self, line: int, raw: str) -> bool:
        """Take the line if it belongs to a listing."""
        if _FENCE.match(raw):
            self._open = not self._open
            self._line = self._line or line
            return True
        if self._open:
            self._lines.append(raw)
        return self._open

    def done(self, *, end: bool = False) -> Iterator[Row]:
        """Give the listing that has ended."""
        if self._line and (end or not self._open):
            yield Row(Is.CODE, self._line, "\n".join(self._lines))
            self._line, self._lines, self._open = 0, [], False


def _question(text: str, line: int, *, cramped: bool) -> Iterator[Row]:
    points = POINTS.search(text)
    after = text[points.end() :].strip() if points else ""
    if cramped or after:
        for one in pieces(text, points):
            yield _of(one, line)
        return
    stem = text[: points.start()] if points else text
    yield Row(Is.QUESTION, line, stem.strip().removesuffix("<br>").strip(" \t"))
    if points:
        yield Row(Is.POINTS, line, points=points)


def _of(piece: Piece, line: int) -> Row:
    what = Is[piece.what]
    return Row(
        what, line, piece.text, piece.mark, piece.verdict, piece.points, joined=True, guessed=True
    )


def _row(raw: str, line: int, *, apart: bool, letters: bool) -> Iterator[Row]:
    tabbed, text = raw.startswith("\t"), raw.strip()
    points = POINTS.fullmatch(text)
    if points:
        yield Row(Is.POINTS, line, points=points)
        return
    if is_chrome(text):
        yield Row(Is.PAGE, line, text)
        return
    parts = _parts(_BULLET.sub("", text, count=1))
    options = sum(not verdict(words) for _, words in parts)
    for mark, words in parts:
        if said := verdict(words):
            yield Row(Is.VERDICT, line, words, mark, said, apart=apart, tabbed=tabbed)
        elif mark:
            yield Row(Is.OPTION, line, words, mark, joined=options > 1, tabbed=tabbed)
        elif letters and tabbed and (letter := _LETTER.match(words)):
            yield Row(Is.OPTION, line, words[letter.end() :], letter[0].strip(), tabbed=tabbed)
        else:
            yield Row(Is.TEXT, line, words, apart=apart, tabbed=tabbed)


def _parts(text: str) -> list[tuple[str, str]]:
    """Part a line at its marks: (mark, words); what stands before the first mark has none."""
    marks, words = ["", *MARK.split(text)[1::2]], MARK.split(text)[::2]
    parts = zip(marks, (one.strip() for one in words), strict=True)
    return [(mark, one) for mark, one in parts if one]

"""Parts of a long text that stand for all of it, wherever in it the questions are. Pure.

A text is cut into parts, and each part is sorted by the marks that are in it: braces, boxes,
letters, words that name an answer. Of each sort parts are taken, in proportion to how many there
are, at even distances. So neither a beginning nor pages of prose hide the questions of the rest.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

BEGINNING: Final = 6_000
"""Characters at the beginning of a long text that are in its sample: they may name columns."""
PART: Final = 2_000
"""Characters of each further part, but for the rest of its paragraph."""
PARTS: Final = 15
"""Further parts in a sample."""
SHORT: Final = BEGINNING + 3 * PARTS * PART // 2
"""Characters of a text that is its own sample."""
_PROMPT_LINES: Final = 5
"""Lines without marks above some with marks that may ask."""
_NEAR: Final = 2
"""Empty lines that may stand below these."""
_MOST_SORTED: Final = 1_000
"""Parts that are sorted, at even distances: of a longer text not all."""

_ANSWER_WORDS: Final = (
    "ans|answers?|keys?|correct|respuestas?|soluci[oó]n|solutions?|antwort|lösung|réponses?"
    "|respostas?"
)
_MARKS: Final[Mapping[str, str]] = {
    "braces": r"\{\s*(?:[=~#]|(?:T|F|TRUE|FALSE)\s*[}#]|$)|[?.:][ \t]*\{[ \t]*\}|^::|^\$CATEGORY",
    "boxes": r"^[^\w\n]{0,20}?(?:\\?\[[ xX✓✔✅*]?\\?\]|\([ xX*]\))|[☐○◯□☒☑●◉■✓✔✅✗✘❌]",
    "letters": r"^[^\w\n]{0,12}[A-Za-z][.):]\s",
    "answers": rf"^[^\w\n]{{0,12}}(?i:{_ANSWER_WORDS})\b[^\n:]{{0,30}}:",
    "cards": r"^[ \t]*(?i:Q|A|P|R|Front|Back|Anverso|Reverso)[ \t]*:",
    "lists": r"^[ \t]{0,12}(?:[-*+•]|\d{1,4}[.)])[ \t]|^=[ \t]",
    "points": r"\d[ \t]{0,3}/[ \t]{0,3}\d{1,4}[ \t]{0,3}p(?:oin|un|on|t)",
    "cells": r"\t|[^\s\d],[^\s\d]|;[^\s]|\|",
    "emphasis": r"\*\*|__|<[a-z]",
    "headings": r"^#{1,6}[ \t]",
    "questions": r"[?？][ \t*_]*$",
}
_SORTS: Final = {name: re.compile(mark, re.MULTILINE) for name, mark in _MARKS.items()}
_ANY: Final = re.compile("|".join(_MARKS.values()), re.MULTILINE)


def take_sample(text: str) -> str:
    """Return the beginning of a long text, and parts of the rest; of a short one all."""
    if len(text) <= SHORT:
        return text
    end = _find_end(text, BEGINNING)
    by_sort: dict[frozenset[str], list[range]] = defaultdict(list)
    for part in _cut(text, end):
        by_sort[_sort(text, part)].append(part)
    unmarked = by_sort.pop(frozenset(), [])
    sorts = sorted(by_sort.values(), key=len, reverse=True)[:PARTS] or [unmarked]
    total = sum(map(len, sorts))
    chosen = [
        part for parts in sorts for part in _spread(parts, max(1, len(parts) * PARTS // total))
    ]
    return _join(text, [range(end), *sorted(chosen, key=lambda part: part.start)])


def drop_unmarked(lines: Sequence[str]) -> list[str]:
    """Return lines, but empty ones for paragraphs without marks; above one with marks, the end."""
    rest, is_marked, below = list(lines), False, 0
    for paragraph in reversed(list(_list_paragraphs(lines))):
        is_near = below - paragraph.stop <= _NEAR
        keeps = _PROMPT_LINES if is_marked and is_near else 0
        is_marked = _ANY.search("\n".join(lines[paragraph.start : paragraph.stop])) is not None
        below = paragraph.start
        if not is_marked:
            end = max(paragraph.start, paragraph.stop - keeps)
            rest[paragraph.start : end] = [""] * (end - paragraph.start)
    return rest


def _list_paragraphs(lines: Sequence[str]) -> Iterator[range]:
    """Yield the places of lines that are not empty and follow each other."""
    start: int | None = None
    for place, line in enumerate([*lines, ""]):
        if line.strip():
            start = place if start is None else start
        elif start is not None:
            yield range(start, place)
            start = None


def _cut(text: str, start: int) -> Iterator[range]:
    """Yield parts of a text from a place on; of a very long one some, at even distances."""
    step = max(PART, (len(text) - start) // _MOST_SORTED)
    while start < len(text):
        end = _find_end(text, start + PART)
        yield range(start, end)
        start = end if step == PART else max(end, text.find("\n", start + step) + 1)


def _find_end(text: str, least: int) -> int:
    """Return where a part ends that has so many characters: at an empty line, or a line's end."""
    for end in ("\n\n", "\n"):
        place = text.find(end, least, least + PART // 2)
        if place >= 0:
            return place + len(end)
    return min(len(text), least + PART // 2)


def _sort(text: str, part: range) -> frozenset[str]:
    return frozenset(
        name for name, mark in _SORTS.items() if mark.search(text, part.start, part.stop)
    )


def _spread(parts: Sequence[range], count: int) -> list[range]:
    """Return so many of these parts at most, at even distances, each once."""
    count = min(count, len(parts))
    return [parts[len(parts) * (2 * place + 1) // (2 * count)] for place in range(count)]


def _join(text: str, parts: Sequence[range]) -> str:
    """Return the text of parts, with an empty line where something between them is left out."""
    words, end = list[str](), 0
    for part in parts:
        if words and part.start > end:
            words.append("\n\n")
        words.append(text[part.start : part.stop])
        end = part.stop
    return "".join(words)

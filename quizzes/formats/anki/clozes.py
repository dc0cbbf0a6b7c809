"""Notes with covered words, `{{c1::word::hint}}`: gaps to type in, or a card that shows them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from quizzes.formats.builders import Accepted, Gap, escape_wildcards
from quizzes.formats.parsing.placeholders import free_word, standing, within_formula

MOST_GAPS = 100
LONGEST = 80
"""Characters of an answer that anybody could be asked to type."""
DEEPEST = 8
_MARK = re.compile(r"(\{\{c\d{1,3}::|\}\})")
_HARMLESS = re.compile(r"</?(?:b|i|u|em|strong|span|font|mark|small)(?:\s[^<>]*)?>", re.IGNORECASE)
_MARKUP = re.compile(r"<[^\s<>]|\\[(\[]|\[(?:latex|\$|sound:)")


@dataclass(frozen=True, slots=True)
class Covered:
    """What is covered, as HTML; `nested` if something within it is covered by itself."""

    words: str
    hint: str = ""
    nested: bool = False


Pieces = Sequence[str | Covered]


@dataclass(slots=True)
class _Frame:
    begun: str
    inside: list[str | Covered]


def cut(html: str) -> list[str | Covered]:
    """Part a field at what is covered, once through it; what is not closed is as it was written."""
    frames = [_Frame("", [])]
    for piece in _MARK.split(html):
        if piece == "}}" and len(frames) > 1:
            frames[-2].inside.append(_covered(frames.pop().inside))
        elif piece.startswith("{{c") and _MARK.fullmatch(piece) and len(frames) <= DEEPEST:
            frames.append(_Frame(piece, []))
        elif piece:
            frames[-1].inside.append(piece)
    while len(frames) > 1:
        open_ = frames.pop()
        frames[-1].inside += [open_.begun, *open_.inside]
    return frames[0].inside


def whole(pieces: Pieces) -> str:
    """Give the field with nothing covered."""
    return "".join(one if isinstance(one, str) else one.words for one in pieces)


def gapped(pieces: Pieces) -> str:
    """Give the field with all of it covered, as a card shows it; a hint in its place."""
    return "".join(one if isinstance(one, str) else f"[{one.hint or '…'}]" for one in pieces)


def with_gaps(pieces: Pieces) -> tuple[str, list[Gap], str] | None:
    """Give the field with a word for each gap, the gaps, and that word's beginning.

    The words are those of `gap_words`. None where not all that is covered can be typed.
    """
    covered = [one for one in pieces if isinstance(one, Covered)]
    answers = [typed(one) for one in covered]
    if not all(answers) or len(answers) > MOST_GAPS:
        return None
    word = free_word(one for one in pieces if isinstance(one, str))
    html = "".join(_shown(pieces, word))
    if within_formula(html, word):
        return None
    gaps = [
        Gap(f"gap-{number}", accepted=(Accepted(escape_wildcards(text)),))
        for number, text in enumerate(answers, start=1)
    ]
    return html, gaps, word


def typed(covered: Covered) -> str:
    """Give what is covered as words to type; "" where it is more than that."""
    html = _HARMLESS.sub("", covered.words)
    text = " ".join(unescape(html).split())
    fit = not covered.nested and not _MARKUP.search(html) and len(text) <= LONGEST
    return text if fit else ""


def _covered(inside: Pieces) -> Covered:
    words, _, hint = whole(inside).partition("::")
    return Covered(words, hint, nested=any(isinstance(one, Covered) for one in inside))


def _shown(pieces: Pieces, word: str) -> Iterator[str]:
    number = 0
    for one in pieces:
        if isinstance(one, str):
            yield one
        else:
            number += 1
            yield standing(word, number) + (f" ({one.hint})" if one.hint else "")

"""Notes with covered words, `{{c1::word::hint}}`: gaps to type in, or a card that shows them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

from quizzes.formats.builders import Accepted, Gap, escape_wildcards
from quizzes.formats.parsing.placeholders import build_placeholder, find_free_word, is_in_formula

MOST_GAPS = 100
MAX_TYPED_LENGTH = 80
"""Characters of an answer that anybody could be asked to type."""
DEEPEST = 8
_MARK = re.compile(r"(\{\{c\d{1,3}::|\}\})")
_HARMLESS = re.compile(r"</?(?:b|i|u|em|strong|span|font|mark|small)(?:\s[^<>]*)?>", re.IGNORECASE)
_MARKUP = re.compile(r"<[^\s<>]|\\[(\[]|\[(?:latex|\$|sound:)")


@dataclass(frozen=True, slots=True)
class ClozeDeletion:
    """What is covered, as HTML; `nested` if something within it is covered by itself."""

    words: str
    hint: str = ""
    nested: bool = False

    def answer(self) -> str:
        """Return what is covered as words to type; "" where it is more than that."""
        html = _HARMLESS.sub("", self.words)
        text = " ".join(unescape(html).split())
        can_type = not self.nested and not _MARKUP.search(html) and len(text) <= MAX_TYPED_LENGTH
        return text if can_type else ""


@dataclass(frozen=True, slots=True)
class ClozeGaps:
    """A field with a placeholder for each gap, and the gaps; placeholders begin with that word."""

    html: str
    gaps: list[Gap]
    placeholder: str


ClozeParts = Sequence[str | ClozeDeletion]


def split_cloze(html: str) -> ClozeParts:
    """Split a field at what is covered, once; what is not closed is as it was written."""
    frames: list[tuple[str, list[str | ClozeDeletion]]] = [("", [])]  # opening mark, what is inside
    for piece in _MARK.split(html):
        if piece == "}}" and len(frames) > 1:
            _, inside = frames.pop()
            words, _, hint = render_revealed(inside).partition("::")
            nested = any(isinstance(part, ClozeDeletion) for part in inside)
            frames[-1][1].append(ClozeDeletion(words, hint, nested=nested))
        elif piece.startswith("{{c") and _MARK.fullmatch(piece) and len(frames) <= DEEPEST:
            frames.append((piece, []))
        elif piece:
            frames[-1][1].append(piece)
    pieces = frames[0][1]
    for opening, inside in frames[1:]:
        pieces += [opening, *inside]
    return pieces


def render_revealed(pieces: ClozeParts) -> str:
    """Return the field with nothing covered."""
    return "".join(piece if isinstance(piece, str) else piece.words for piece in pieces)


def render_hidden(pieces: ClozeParts) -> str:
    """Return the field with all of it covered, as a card shows it; a hint in its place."""
    texts = (piece if isinstance(piece, str) else f"[{piece.hint or '…'}]" for piece in pieces)
    return "".join(texts)


def build_gaps(pieces: ClozeParts) -> ClozeGaps | None:
    """Return the field with gaps; None where not all that is covered can be typed."""
    placeholder = find_free_word(piece for piece in pieces if isinstance(piece, str))
    gaps, texts = list[Gap](), list[str]()
    for piece in pieces:
        if isinstance(piece, str):
            texts.append(piece)
            continue
        answer, number = piece.answer(), len(gaps) + 1
        if not answer or number > MOST_GAPS:
            return None
        gaps.append(Gap(f"gap-{number}", accepted=(Accepted(escape_wildcards(answer)),)))
        hint = f" ({piece.hint})" if piece.hint else ""
        texts.append(build_placeholder(placeholder, number) + hint)
    html = "".join(texts)
    if is_in_formula(html, placeholder):
        return None
    return ClozeGaps(html, gaps, placeholder)

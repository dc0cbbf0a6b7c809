"""What stands between the braces of GIFT, taken apart: answers with their marks and weights."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from quizzes.formats.gift.texts import Texts, guarded
from quizzes.formats.parsing.percentages import percentage

_PIECES = re.compile(r"([~=])([^~=]*)")
_WEIGHT = re.compile(r"\s*%([^%\n]{0,40})%")
_TRUTH = re.compile(r"\s*(T|F|TRUE|FALSE)\s*(?:#(.*))?", re.IGNORECASE | re.DOTALL)
_LIKE = re.compile(r"\s*(?:[=~#]|\Z|(?:T|F|TRUE|FALSE)\s*(?:#|\Z))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """One answer, still protected; `weight` None where the file gives none."""

    right: bool
    text: str
    weight: Fraction | None = None
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """An item in its parts: before, between and after its braces; `between` None has no braces."""

    before: str
    between: str | None = None
    after: str = ""
    code: str = ""  # why it cannot be told what is what


def parted(text: str, texts: Texts) -> Parts:
    """Find the braces that hold the answers; others are words, which is noted."""
    groups = list(_groups(text))
    if any(end < 0 for _, end in groups):
        return Parts(text[:200], code="braces_not_closed")
    like = [group for group in groups if _LIKE.match(text[group[0] + 1 : group[1]])]
    chosen = groups if len(groups) == 1 else like
    if len(groups) > 1 and len(like) != 1:
        return Parts(text[:200], code="several_answer_blocks")
    if not chosen:
        return Parts(text)
    start, end = chosen[0]
    if len(groups) > 1 or "{" in text[start + 1 : end]:
        texts.note("braces_taken_as_text", text)
    return Parts(text[:start], text[start + 1 : end], text[end + 1 :])


def _groups(text: str) -> Iterator[tuple[int, int]]:
    """Give where each outer pair of braces opens and closes; one that stays open closes at -1."""
    depth = start = 0
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            start = start if depth else match.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield start, match.start()
    if depth:
        yield start, -1


def pieces(between: str, texts: Texts) -> list[Piece]:
    """Take apart `=right ~%50%half#feedback`; what stands before the first mark is noted."""
    safe, mended = guarded(between)
    if mended:
        texts.note("unescaped_in_tag", between)
    first = re.search(r"[~=]", safe)
    if first and safe[: first.start()].strip():
        texts.note("text_before_answers", safe[: first.start()])
    return [_piece(match[1] == "=", match[2], texts) for match in _PIECES.finditer(safe)]


def _piece(right: bool, text: str, texts: Texts) -> Piece:
    weight = None
    if found := _WEIGHT.match(text):
        weight = percentage(found[1])
        if weight is None or not -1 <= weight <= 1:
            texts.note("weight_unreadable", text)
            weight = None
        text = text[found.end() :]
    said, _, feedback = text.partition("#")
    return Piece(right, said, weight, feedback)


def truth(between: str) -> tuple[bool, str, str] | None:
    """Read T, F, TRUE or FALSE, with what is said to a wrong and to a right answer."""
    found = _TRUTH.fullmatch(between)
    if not found:
        return None
    wrong, _, right = (found[2] or "").partition("#")
    return found[1].upper().startswith("T"), wrong, right

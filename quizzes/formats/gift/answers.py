"""What stands between the braces of GIFT, taken apart: answers with their marks and weights."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from quizzes.formats.gift.texts import TextConverter, protect_attributes
from quizzes.formats.parsing.percentages import parse_percentage
from quizzes.formats.parsing.reading_limits import check_option_count

_ANSWER = re.compile(r"([~=])([^~=]*)")
_WEIGHT = re.compile(r"\s*%([^%\n]{0,40})%")
_TRUE_FALSE = re.compile(r"\s*(T|F|TRUE|FALSE)\s*(?:#(.*))?", re.IGNORECASE | re.DOTALL)
_LIKE_ANSWERS = re.compile(r"\s*(?:[=~#]|\Z|(?:T|F|TRUE|FALSE)\s*(?:#|\Z))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GiftAnswer:
    """One answer, its escapes protected; `weight` None where the file gives none."""

    is_right: bool
    text: str
    weight: Fraction | None = None
    feedback: str = ""

    @property
    def credit(self) -> Fraction:
        """Return what it earns."""
        return Fraction(self.is_right) if self.weight is None else self.weight


@dataclass(frozen=True, slots=True)
class ItemParts:
    """An item before, between and after its braces; `answers` None: it has no braces.

    `code` says why the parts cannot be told apart.
    """

    text_before: str
    answers: str | None = None
    text_after: str = ""
    code: str = ""


def split_item(text: str, texts: TextConverter) -> ItemParts:
    """Split an item at the braces that hold its answers; other braces are words, with a note."""
    braces = list(_find_braces(text))
    if any(end < 0 for _, end in braces):
        return ItemParts(text[:200], code="braces_not_closed")
    with_answers = [
        (start, end) for start, end in braces if _LIKE_ANSWERS.match(text[start + 1 : end])
    ]
    if len(braces) > 1 and len(with_answers) != 1:
        return ItemParts(text[:200], code="several_answer_blocks")
    if not braces:
        return ItemParts(text)
    ((start, end),) = braces if len(braces) == 1 else with_answers
    if len(braces) > 1 or "{" in text[start + 1 : end]:
        texts.note("braces_taken_as_text", text)
    return ItemParts(text[:start], text[start + 1 : end], text[end + 1 :])


def _find_braces(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each outer pair of braces opens and closes; -1 if it is never closed."""
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


def split_answers(
    between: str, texts: TextConverter, *, needs_sign: bool = False
) -> list[GiftAnswer]:
    """Split `right =%50%half#feedback` into its answers, the first with or without its sign.

    With `needs_sign` words before the first sign are left out, with a note. Moodle takes them for
    a wrong option of a choice; they are rather the end of a prompt.
    """
    safe = protect_attributes(between)
    if safe != between:
        texts.note("unescaped_in_tag", between)
    matches = list(_ANSWER.finditer(safe))
    first = safe[: matches[0].start()] if matches else ""
    answers = list[GiftAnswer]()
    if first.strip() and needs_sign:
        texts.note("text_before_answers", first)
    elif first.strip():
        answers.append(_parse_answer(is_right=True, text=first, texts=texts))
    check_option_count(len(matches))
    return answers + [
        _parse_answer(is_right=match[1] == "=", text=match[2], texts=texts) for match in matches
    ]


def _parse_answer(*, is_right: bool, text: str, texts: TextConverter) -> GiftAnswer:
    weight = None
    if match := _WEIGHT.match(text):
        weight = parse_percentage(match[1])
        if weight is None or not -1 <= weight <= 1:
            texts.note("weight_unreadable", text)
            weight = None
        text = text[match.end() :]
    words, _, feedback = text.partition("#")
    return GiftAnswer(is_right, words, weight, feedback)


def parse_true_false(between: str) -> tuple[bool, str, str] | None:
    """Parse T, F, TRUE or FALSE, with the feedback on a wrong and on a right answer."""
    match = _TRUE_FALSE.fullmatch(between)
    if not match:
        return None
    wrong, _, right = (match[2] or "").partition("#")
    return match[1].upper().startswith("T"), wrong, right

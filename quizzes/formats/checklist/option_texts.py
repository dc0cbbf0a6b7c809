"""Options of a checklist without what says the key again, and the explanation without it. Pure.

Labels, signs and a line "Answer: B" below are no words of an author: the boxes are the key.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.formats.checklist.checklist_question import ChecklistQuestion
from quizzes.formats.checklist.right_tails import split_right_tail
from quizzes.formats.checklist.signed_options import split_signed
from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.key_lines import is_key_line, read_key
from quizzes.formats.parsing.option_labels import (
    LabelledTexts,
    count_on,
    has_label_references,
    has_references_to_places,
    split_labels,
)
from quizzes.formats.parsing.verdicts import find_right, split_verdict

_CROSS = re.compile(r"(?<![ \t])[ \t]+(?://[ \t]*)?❎\ufe0f?$")
"""A green cross, which marks the right option beside a ticked box."""
_BOLD = re.compile(r"(?P<mark>\*\*|__|==)(?=\S)(?P<text>(?:(?!(?P=mark)).)+)(?P=mark)")
_LABEL_BEFORE = re.compile(r"[ \t]*(\d{1,2}|[A-Za-z])[.)]")
"""The label of an option before its box."""


@dataclass(frozen=True, slots=True)
class OptionTexts:
    """Of each option its text, its feedback, and whether lines of code became a listing.

    `keys` are lines that say again what the boxes do. `keeps_order`: a text names options by
    their labels or places, so these stay.
    """

    options: Sequence[tuple[str, str, bool]]
    explanation: str
    keys: tuple[Note, ...]
    notes: tuple[Note, ...]
    keeps_order: bool


def read_option_texts(
    question: ChecklistQuestion, prompt: str, tails: frozenset[str] = frozenset()
) -> OptionTexts:
    """Return the texts of a question's options, and what explains them.

    `tails` end right options of the page, and only these.
    """
    options, are_other = _split_signed(question, [option.read() for option in question.options])
    own = [text for text, _, _ in options]
    ends = [split_right_tail(text, tails)[0] for text in own] if not question.own else own
    texts, are_signs_other = _drop_signs(question, ends)
    signs = [
        Note("key", option.line.line, sign[:LONGEST_QUOTE])
        for option, text, plain in zip(question.options, own, texts, strict=True)
        if any(map(str.isalnum, sign := text.removeprefix(plain).strip())) and sign != text
    ]
    texts = _drop_bold(question, texts)
    labelled = None if question.own else _split_labels(question, texts)
    labels, bare = (labelled.labels, labelled.texts) if labelled else ((), texts)
    explanation, keys = _split_stated_key(question, bare, labels)
    explanation = "\n\n".join(filter(None, (explanation, question.reason)))
    feedback = [text for _, text, _ in options]
    keeps_labels = bool(labels) and has_label_references(
        labels, bare, explanation, *feedback, prompt=prompt
    )
    keeps_order = not labels and not question.own and has_references_to_places(texts)
    codes = {
        "keys_differ": are_signs_other or are_other,
        "letters_kept": keeps_labels,
        "order_kept": keeps_order,
    }
    if keeps_labels:
        pairs = zip(texts, labels, bare, strict=True)
        texts = [f"{label}) {own}" if text == own else text for text, label, own in pairs]
    else:
        texts = bare
    quote = prompt[:LONGEST_QUOTE]
    return OptionTexts(
        [(text, *option[1:]) for text, option in zip(texts, options, strict=True)],
        explanation,
        (*signs, *keys),
        tuple(Note(code, question.line, quote) for code, applies in codes.items() if applies),
        keeps_labels or keeps_order,
    )


def _split_labels(question: ChecklistQuestion, texts: Sequence[str]) -> LabelledTexts | None:
    """Return texts without their labels, also of those before the boxes: "A) [x] Tajo"."""
    labelled = split_labels(texts)
    if labelled:  # "**A.** A. Tajo"
        again = split_labels(labelled.texts)
        is_again = again and (again.labels[0].isalpha() or labelled.labels == again.labels)
        return again if is_again else labelled
    before = [_LABEL_BEFORE.match(option.line.lines[0]) for option in question.options]
    labels = tuple(match[1] for match in before if match)
    if len(labels) != len(texts) or not count_on(labels):
        return None
    return LabelledTexts(tuple(texts), labels)


def _split_signed(
    question: ChecklistQuestion, options: Sequence[tuple[str, str, bool]]
) -> tuple[Sequence[tuple[str, str, bool]], bool]:
    """Return options without the signs that each has before its reason, which is its feedback.

    Also whether these signs say that other options are right than the ticks.
    """
    signed = [split_signed(text) for text, _, _ in options]
    parts = [each for each in signed if each]
    right = {at for at, each in enumerate(parts) if each.is_right}
    if question.own or len(parts) < len(options) or not question.ticked:
        return options, False
    if right != _find_ticked(question):
        return options, True
    pairs = zip(parts, options, strict=True)
    return [
        (part.text, "\n\n".join(filter(None, (part.feedback, feedback))), is_code)
        for part, (_, feedback, is_code) in pairs
    ], False


def _drop_signs(question: ChecklistQuestion, texts: Sequence[str]) -> tuple[Sequence[str], bool]:
    """Return texts without the signs that say again what the boxes do, "[x] Tajo ✅".

    Also whether signs say that other options are right.
    """
    plain = [split_verdict(_CROSS.sub(" ✅", text)) for text in texts]
    right, is_crossed = find_right([verdict for _, verdict in plain])
    ticked = _find_ticked(question)
    if not right or not ticked or is_crossed:
        return texts, False
    return ([text for text, _ in plain], False) if right == ticked else (texts, True)


def _drop_bold(question: ChecklistQuestion, texts: Sequence[str]) -> Sequence[str]:
    """Return texts without marks around the right ones and no other: they show the key."""
    bold = [_BOLD.fullmatch(text) for text in texts]
    marked = {at for at, match in enumerate(bold) if match}
    if question.own or marked != _find_ticked(question) or len(marked) == len(texts):
        return texts
    return [match["text"] if match else text for match, text in zip(bold, texts, strict=True)]


def _split_stated_key(
    question: ChecklistQuestion, texts: Sequence[str], labels: Sequence[str]
) -> tuple[str, tuple[Note, ...]]:
    """Return the explanation without the first line that says again what the ticks do, and that.

    "**Correct answer: B) Tajo**" is no reason, and its letter is none that a learner sees.
    """
    below = question.list_below()
    lines = [text for _, text in below]
    ticked = _find_ticked(question)
    place = next((at for at, line in enumerate(lines) if is_key_line(line)), None)
    if place is None or question.own or not ticked:
        return question.join_explanation(lines), ()
    names = map(str.lower, labels) if labels else [""] * len(texts)
    key = read_key(list(zip(names, texts, strict=True)), lines, place)
    if key.right != ticked:
        return question.join_explanation(lines), ()
    keys = [
        Note("key", below[at][0], words[:LONGEST_QUOTE])
        for at, rest in key.rests.items()
        if (words := lines[at].removesuffix(rest).strip())
    ]
    for at, rest in key.rests.items():
        lines[at] = rest
    return question.join_explanation(lines), tuple(keys)


def _find_ticked(question: ChecklistQuestion) -> set[int]:
    return {at for at, option in enumerate(question.options) if option.line.is_ticked}

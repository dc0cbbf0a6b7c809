"""Options of a checklist without what says the key again, and the explanation without it. Pure.

Letters, signs and a line "Answer: B" below are no words of an author: the boxes are the key.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from quizzes.formats.checklist.checklist_question import ChecklistQuestion
from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.key_lines import is_key_line, read_key
from quizzes.formats.parsing.option_letters import has_letter_references, split_letters
from quizzes.formats.parsing.verdicts import find_right, split_verdict


@dataclass(frozen=True, slots=True)
class OptionTexts:
    """Of each option its text, its feedback, and whether lines of code became a listing.

    `keys` are lines that say again what the boxes do. `keeps_letters`: a text names options by
    their letters, so these stay, and so does the order.
    """

    options: Sequence[tuple[str, str, bool]]
    explanation: str
    keys: tuple[Note, ...]
    notes: tuple[Note, ...]
    keeps_letters: bool


def read_option_texts(question: ChecklistQuestion, quote: str) -> OptionTexts:
    """Return the texts of a question's options, and what explains them; `quote` is its prompt."""
    options = [option.read() for option in question.options]
    texts, are_signs_other = _drop_signs(question, [text for text, _, _ in options])
    bare = None if question.own else split_letters(texts)
    bare = split_letters(bare or ()) or bare  # "**A.** A. Tajo"
    explanation, keys = _split_stated_key(question, bare or texts, has_letters=bare is not None)
    feedback = [text for _, text, _ in options]
    keeps_letters = bare is not None and has_letter_references(bare, explanation, *feedback)
    codes = {"keys_differ": are_signs_other, "letters_kept": keeps_letters}
    texts = bare if bare is not None and not keeps_letters else texts
    return OptionTexts(
        [(text, *option[1:]) for text, option in zip(texts, options, strict=True)],
        explanation,
        keys,
        tuple(Note(code, question.line, quote) for code, applies in codes.items() if applies),
        keeps_letters,
    )


def _drop_signs(question: ChecklistQuestion, texts: Sequence[str]) -> tuple[Sequence[str], bool]:
    """Return texts without the signs that say again what the boxes do, "[x] Tajo ✅".

    Also whether signs say that other options are right.
    """
    plain = [split_verdict(text) for text in texts]
    right, is_crossed = find_right([verdict for _, verdict in plain])
    ticked = _find_ticked(question)
    if not right or not ticked or is_crossed:
        return texts, False
    return ([text for text, _ in plain], False) if right == ticked else (texts, True)


def _split_stated_key(
    question: ChecklistQuestion, texts: Sequence[str], *, has_letters: bool
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
    names = ascii_lowercase if has_letters else [""] * len(texts)
    key = read_key(list(zip(names, texts, strict=False)), lines, place)
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

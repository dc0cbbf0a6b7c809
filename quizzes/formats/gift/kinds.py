"""From the parts of a GIFT item to a question of ours: which kind it is, and what it pays."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grading.numeric.exact import parse_exact
from quizzes.formats import builders
from quizzes.formats.builders import Accepted, Head, Number, Option
from quizzes.formats.builders.choice_settling import SourceChoice, settle_choice
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.gift.answers import Piece, pieces, truth
from quizzes.formats.gift.texts import Texts

_BACKSLASH = re.compile(r"\\(?!\*)")


@dataclass(slots=True)
class Reading:
    """One item while its answers are read: its head, and what its texts are turned by."""

    head: Head
    texts: Texts

    def otherwise(self, text: str) -> None:
        """Take what is said where nothing matched."""
        self.head = replace(self.head, told={"otherwise": self.texts.markdown(text)})


def built(between: str, head: Head, texts: Texts) -> ParsedQuestion:
    """Build the question; what a person must look at is among the notes of `texts`."""
    reading = Reading(head, texts)
    said = between.strip()
    if not said:
        return builders.build_essay(head)
    if told := truth(said):
        right, wrong, good = told
        feedback = {right: texts.markdown(good), not right: texts.markdown(wrong)}
        return builders.build_true_false(head, right=right, feedback=feedback)
    return _builder(said)(reading, said)


def _builder(said: str) -> Callable[[Reading, str], ParsedQuestion]:
    if said.startswith("#"):
        return _numeric
    if "~" in said:
        return _choice
    return _matching if "=" in said and "->" in said else _short


def _choice(reading: Reading, said: str) -> ParsedQuestion:
    """Read `=right`, `~wrong` and `~%50%half`: one that is `=` is the only one to choose."""
    answers = pieces(said, reading.texts)
    options = [
        Option(
            reading.texts.markdown(answer.text),
            weight=Fraction(answer.right) if answer.weight is None else answer.weight,
            feedback=reading.texts.markdown(answer.feedback),
        )
        for answer in answers
    ]
    many = not any(answer.right for answer in answers)
    source = SourceChoice(options, many=many, drops_empty=True)
    question, notes = settle_choice(reading.head, source)
    reading.texts.notes += notes
    return question


def _short(reading: Reading, said: str) -> ParsedQuestion:
    given = pieces(said, reading.texts)
    if not given:
        text, _, feedback = said.partition("#")
        if "\n" in text or ";" in text:
            reading.texts.note("answer_without_mark", text)
        given = [Piece(right=True, text=text, feedback=feedback)]
    accepted = []
    for one in given:
        text, weight = (
            reading.texts.plain(one.text),
            Fraction(1) if one.weight is None else one.weight,
        )
        if text == "*" and not weight:
            reading.otherwise(one.feedback)
        elif not text:
            reading.texts.note("empty_right_answer" if weight > 0 else "empty_answer_dropped")
        else:
            words = _BACKSLASH.sub(r"\\\\", text)
            feedback = reading.texts.markdown(one.feedback)
            accepted.append(Accepted(words, _credit(weight, reading.texts), feedback))
    if all(answer.credit < 1 for answer in accepted):
        reading.texts.note("key_unknown")
    return builders.build_short_text(reading.head, _distinct(accepted, reading.texts))


def _distinct(accepted: Sequence[Accepted], texts: Texts) -> list[Accepted]:
    """Leave out what says again what an answer before it accepts: small and capital are one."""
    kept: dict[str, Accepted] = {}
    for answer in accepted:
        if answer is not kept.setdefault(answer.text.casefold(), answer):
            texts.note("duplicate_answer_left_out", answer.text)
    return list(kept.values())


def _credit(weight: Fraction, texts: Texts) -> Fraction:
    if weight < 0:
        texts.note("negative_credit")
    return max(weight, Fraction(0))


def _numeric(reading: Reading, said: str) -> ParsedQuestion:
    body = said[1:]
    given = pieces(body, reading.texts)
    if not given:
        text, _, feedback = body.partition("#")
        given = [Piece(right=True, text=text, feedback=feedback)]
    numbers = []
    for one in given:
        text = one.text.strip()
        if (not text and not one.right) or text == "*":
            reading.otherwise(one.feedback)
            continue
        credit = Fraction(one.right) if one.weight is None else one.weight
        number = _number(text, reading.texts)
        if number is None:
            reading.texts.note("number_unreadable", text)
            continue
        feedback = reading.texts.markdown(one.feedback)
        credit = _credit(credit, reading.texts)
        numbers.append(replace(number, credit=credit, feedback=feedback))
    if all(number.credit < 1 for number in numbers):
        reading.texts.note("key_unknown")
    return builders.build_numeric(reading.head, numbers)


def _number(text: str, texts: Texts) -> Number | None:
    """Read `3`, `3:0.1` or `1..5`."""
    low, dots, high = (part.strip() for part in text.partition(".."))
    value, _, margin = (part.strip() for part in text.partition(":"))
    try:
        if dots:
            turned = parse_exact(low) > parse_exact(high)
            if turned:
                texts.note("range_turned", text)
            return Number(high, "range", low) if turned else Number(low, "range", high)
        parse_exact(value)
        return (
            Number(value, "absolute", margin) if margin and parse_exact(margin) else Number(value)
        )
    except ValueError:
        return None


def _matching(reading: Reading, said: str) -> ParsedQuestion:
    pairs, distractors = [], []
    for piece in pieces(said, reading.texts):
        left, arrow, right = piece.text.partition("->")
        subject = reading.texts.markdown(left)
        answer = Texts(reading.texts.line, "plain").markdown(right)
        if not arrow or not answer:
            reading.texts.note("pair_incomplete", piece.text)
        elif subject:
            pairs.append((subject, answer))
        else:
            distractors.append(answer)
        if piece.feedback.strip():
            reading.texts.note("feedback_dropped", piece.feedback)
    if len(pairs) < 2:  # noqa: PLR2004  a pair alone goes without saying
        reading.texts.note("too_few_pairs")
    return builders.build_matching(reading.head, pairs, distractors)

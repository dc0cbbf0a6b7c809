"""From the parts of a GIFT item to a question of ours: which kind it is, and what it pays."""

import re
from collections.abc import Callable
from dataclasses import replace

from grading.numeric.exact import parse_exact
from quizzes.formats import builders
from quizzes.formats.builders import Accepted, Head, Number, Option, SourceChoice, settle_choice
from quizzes.formats.builders.answer_settling import (
    ANY_NUMBER,
    ANYTHING,
    SourcePair,
    settle_numbers,
    settle_pairs,
    settle_texts,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.gift.answers import GiftAnswer, parse_true_false, split_answers
from quizzes.formats.gift.texts import TextConverter
from quizzes.formats.parsing.numbers import write_decimal

_BACKSLASH = re.compile(r"\\(?!\*)")

Builder = Callable[[str, Head, TextConverter], ParsedQuestion]


def build_gift_question(text: str, head: Head, texts: TextConverter) -> ParsedQuestion:
    """Build the question that stands between braces; the notes on it are among those of `texts`."""
    text = text.strip()
    if not text:
        return builders.build_essay(head)
    if statement := parse_true_false(text):
        right, wrong_feedback, right_feedback = statement
        feedback = {right: texts.convert(right_feedback), not right: texts.convert(wrong_feedback)}
        return builders.build_true_false(head, right=right, feedback=feedback)
    return _choose_builder(text)(text, head, texts)


def _choose_builder(text: str) -> Builder:
    if text.startswith("#"):
        return _build_numeric
    if "~" in text:
        return _build_choice
    return _build_matching if "=" in text and "->" in text else _build_short_text


def _build_choice(text: str, head: Head, texts: TextConverter) -> ParsedQuestion:
    """Read `=right`, `~wrong` and `~%50%half`: where there is a `=`, one is to be chosen."""
    answers = split_answers(text, texts, needs_sign=True)
    options = [
        Option(
            texts.convert(answer.text),
            weight=answer.credit,
            feedback=texts.convert(answer.feedback),
        )
        for answer in answers
    ]
    many = not any(answer.is_right for answer in answers)
    source = SourceChoice(options, many=many, drops_empty=True)
    if not many:  # as in Moodle, only a choice of one costs points
        source = replace(source, lower_bound=None)
    question, notes = settle_choice(head, source)
    texts.notes += notes
    return question


def _build_short_text(text: str, head: Head, texts: TextConverter) -> ParsedQuestion:
    answers = split_answers(text, texts)
    if not answers:
        words, _, feedback = text.partition("#")
        if "\n" in words or ";" in words:
            texts.note("answer_without_mark", words)
        answers = [GiftAnswer(is_right=True, text=words, feedback=feedback)]
    accepted, otherwise, notes = settle_texts(
        (
            Accepted(
                _BACKSLASH.sub(r"\\\\", texts.convert_line(answer.text)),
                answer.credit,
                texts.convert(answer.feedback),
            )
            for answer in answers
        ),
        line=head.line,
    )
    bound, bound_notes = builders.settle_typed_bound(accepted, line=head.line)
    texts.notes += [*notes, *bound_notes]
    head = replace(head, other_texts={"otherwise": otherwise})
    # A short answer of Moodle, in which capitals do not count.
    comparison = builders.build_strict_comparison(case=False)
    return builders.build_short_text(head, accepted, **comparison, **bound)


def _build_numeric(text: str, head: Head, texts: TextConverter) -> ParsedQuestion:
    text = text.removeprefix("#")
    answers = split_answers(text, texts)
    if not answers:
        digits, _, feedback = text.partition("#")
        answers = [GiftAnswer(is_right=True, text=digits, feedback=feedback)]
    numbers = list[Number]()
    for answer in answers:
        digits, feedback = answer.text.strip(), texts.convert(answer.feedback)
        if digits == ANYTHING or not (digits or answer.credit):
            numbers.append(replace(ANY_NUMBER, credit=answer.credit, feedback=feedback))
        elif number := _parse_number(digits, texts):
            numbers.append(replace(number, credit=answer.credit, feedback=feedback))
        else:
            texts.note("number_unreadable", digits)
    numbers, otherwise, notes = settle_numbers(numbers, line=head.line)
    bound, bound_notes = builders.settle_typed_bound(numbers, line=head.line)
    texts.notes += [*notes, *bound_notes]
    head = replace(head, other_texts={"otherwise": otherwise})
    return builders.build_numeric(head, numbers, bound=bound)


def _parse_number(text: str, texts: TextConverter) -> Number | None:
    """Parse `3`, `3:0.1` or `1..5`."""
    low, dots, high = text.partition("..")
    low, high = (write_decimal(part) or part.strip() for part in (low, high))
    value, _, margin = text.partition(":")
    value, margin = (write_decimal(part) or part.strip() for part in (value, margin))
    try:
        if dots:
            if parse_exact(low) > parse_exact(high):
                texts.note("range_turned", text)
                low, high = high, low
            return Number(low, "range", high)
        parse_exact(value)
        has_margin = margin and parse_exact(margin)
        return Number(value, "absolute", margin.removeprefix("-")) if has_margin else Number(value)
    except ValueError:
        return None


def _build_matching(text: str, head: Head, texts: TextConverter) -> ParsedQuestion:
    source, plain = [], TextConverter(head.line, "plain")
    for answer in split_answers(text, texts):
        left, _, right = answer.text.partition("->")
        pair = SourcePair(
            texts.convert(left), plain.convert(right), head.line, texts.quote(answer.text)
        )
        source.append(pair)
        if answer.feedback.strip():
            texts.note("feedback_dropped", answer.feedback)
    pairs, distractors, notes = settle_pairs(source, line=head.line)
    texts.notes += notes
    return builders.build_matching(head, pairs, distractors)

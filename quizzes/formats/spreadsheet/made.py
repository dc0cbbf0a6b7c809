"""From what a row says to a question of ours, in each of its languages, and in all together."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from grading.kinds import KINDS
from quizzes.formats import builders
from quizzes.formats.builders import Head, Option
from quizzes.formats.builders.heads import said
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.naming import letters
from quizzes.formats.spreadsheet.keys import Told
from quizzes.formats.spreadsheet.pairs import pair
from quizzes.formats.spreadsheet.record import Record

_TRUTHS = ("true", "false")


def question(record: Record, told: Told, head: Head) -> ParsedQuestion:
    """Build the question in the language of its head."""
    beside = {text.name for text in KINDS[told.kind].schema.texts} & {"otherwise", "hint"}
    texts = {name: text for name in beside if (text := record.text(name, head.language))}
    made = _BUILDERS[told.kind](record, told, replace(head, told=texts))
    scoring_method = told.scoring_method or made.scoring_method
    return replace(made, scoring_method=scoring_method, fields={**made.fields, **told.fields})


def _choice(record: Record, told: Told, head: Head) -> ParsedQuestion:
    letters_ = record.letters()
    options = [
        Option(
            record.text("option", head.language, letter),
            right=letter in told.answers.right,
            weight=_weight(told, letter),
            feedback=record.text("feedback", head.language, letter),
            unchosen=record.text("unchosen", head.language, letter),
            pinned=letter in told.pinned,
            name=letter,
        )
        for letter in letters_
    ]
    many = told.kind == "multiple_choice"
    none = told.answers.none
    return builders.choice(
        head, options, many=many, scoring_method=told.scoring_method, none_apply=none
    )


def _weight(told: Told, letter: str) -> Fraction | None:
    """Give what an option earns: where others have a weight, one without has its plain share."""
    if not told.weights or letter in told.weights:
        return told.weights.get(letter)
    right = told.answers.right
    return Fraction(1, len(right)) if letter in right else Fraction(0)


def _truth(record: Record, told: Told, head: Head) -> ParsedQuestion:
    order = ("b", "a") if told.turned else ("a", "b")
    feedback = {
        value: record.text("feedback", head.language, letter)
        for value, letter in zip((True, False), order, strict=True)
    }
    made = builders.true_false(head, right=told.right is not False, feedback=feedback)
    rows = []
    for row, letter in zip(made.tables["options"], order, strict=True):
        texts = {
            ("options", False): record.text("option", head.language, letter),
            ("unchosen", True): record.text("unchosen", head.language, letter),
        }
        values = {**row.values, "pinned": letter in told.pinned}
        values["right"] = bool(values["right"]) and told.right is not None
        words = {**row.texts, **said("true_false", head.language, texts)}
        rows.append(replace(row, values=values, texts=words))
    return replace(made, tables={**made.tables, "options": tuple(rows)})


def _short(record: Record, told: Told, head: Head) -> ParsedQuestion:
    accepted = [
        replace(one, feedback=record.text("feedback", head.language, letter))
        for one, letter in zip(told.accepted, letters(), strict=False)
    ]
    return builders.short_text(head, accepted)


def _numeric(record: Record, told: Told, head: Head) -> ParsedQuestion:
    numbers = [
        replace(one, feedback=record.text("feedback", head.language, letter))
        for one, letter in zip(told.numbers, letters(), strict=False)
    ]
    return builders.numeric(head, numbers)


def _matching(record: Record, _told: Told, head: Head) -> ParsedQuestion:
    pairs, distractors, told = list[tuple[str, str]](), list[str](), dict[str, str]()
    for letter in record.letters():
        cell = record.raw("option", head.language, letter)
        left, right = map(record.markdown, pair(cell) or (cell, ""))
        if not left:
            distractors.append(right)
            continue
        pairs.append((left, right))
        told[f"left-{len(pairs)}"] = record.text("feedback", head.language, letter)
    made = builders.matching(head, pairs, distractors)
    return builders.with_feedback(made, head.language, "lefts", told)


def _ordering(record: Record, _told: Told, head: Head) -> ParsedQuestion:
    said_ = record.letters()
    made = builders.ordering(head, [record.text("option", head.language, one) for one in said_])
    told: Mapping[str, str] = {
        name: record.text("feedback", head.language, letter)
        for name, letter in zip(letters(), said_, strict=False)
    }
    return builders.with_feedback(made, head.language, "items", told)


def _essay(_record: Record, _told: Told, head: Head) -> ParsedQuestion:
    return builders.essay(head)


def _flashcard(record: Record, _told: Told, head: Head) -> ParsedQuestion:
    back = record.text("option", head.language, "a") or record.markdown(record.cell("correct"))
    return builders.flashcard(head, back, head.told.get("hint", ""))


_BUILDERS: Mapping[str, Callable[[Record, Told, Head], ParsedQuestion]] = {
    "single_choice": _choice,
    "multiple_choice": _choice,
    "true_false": _truth,
    "short_text": _short,
    "numeric": _numeric,
    "matching": _matching,
    "ordering": _ordering,
    "essay": _essay,
    "flashcard": _flashcard,
}

"""Feedback on scores and on single rows, added to a question of any kind that has it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from grading.json_types import ratio_to_json
from grading.kinds import KINDS
from grading.schema import HINT_STEP, HINTS
from quizzes.formats.builders.question_head import build_texts
from quizzes.formats.contract import ParsedQuestion, ParsedRow


def add_score_feedback(
    question: ParsedQuestion, language: str, feedback: Mapping[Fraction, str]
) -> ParsedQuestion:
    """Return the question with feedback by the score that it begins at, if its kind has any."""
    table = "score_feedback"
    rows = tuple(
        ParsedRow(
            question.line,
            f"band-{number}",
            {"from": ratio_to_json(begins)},
            build_texts(question.kind, language, {(table, True): text}),
        )
        for number, (begins, text) in enumerate(feedback.items(), start=1)
        if text.strip()
        and any(kind_table.name == table for kind_table in KINDS[question.kind].schema.tables)
    )
    return replace(question, tables={**question.tables, table: rows}) if rows else question


def add_hints(question: ParsedQuestion, language: str, hints: Sequence[str]) -> ParsedQuestion:
    """Return the question with these hints, one step after the other, if its kind has any."""
    if not any(table.name == HINTS.name for table in KINDS[question.kind].schema.tables):
        return question
    rows = tuple(
        ParsedRow(
            question.line,
            f"hint-{number}",
            {},
            build_texts(question.kind, language, {(HINT_STEP.name, True): text}),
        )
        for number, text in enumerate(filter(str.strip, hints), start=1)
    )
    return replace(question, tables={**question.tables, HINTS.name: rows}) if rows else question


def add_row_feedback(
    question: ParsedQuestion, language: str, table: str, feedback: Mapping[str, str]
) -> ParsedQuestion:
    """Return the question with feedback on rows of a table, by their names."""
    rows = []
    for row in question.tables.get(table, ()):
        text = feedback.get(row.name, "")
        texts = build_texts(question.kind, language, {(table, True): text})
        rows.append(replace(row, texts={**row.texts, **texts}))
    return replace(question, tables={**question.tables, table: tuple(rows)}) if rows else question

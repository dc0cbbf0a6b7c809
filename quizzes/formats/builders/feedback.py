"""What is said to a score, and to parts, added to a question of any kind that has room for it."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from grading.kinds import KINDS
from quizzes.formats.builders.question_head import build_texts
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing.percentages import ratio


def add_score_feedback(
    question: ParsedQuestion, language: str, bands: Mapping[Fraction, str]
) -> ParsedQuestion:
    """Add what is said from a score on; a kind without a score has no room, and gets none."""
    if not any(table.name == "score_feedback" for table in KINDS[question.kind].schema.tables):
        return question
    rows = tuple(
        ParsedRow(
            question.line,
            f"band-{number}",
            {"from": ratio(begins)},
            build_texts(question.kind, language, {("score_feedback", True): text}),
        )
        for number, (begins, text) in enumerate(bands.items(), start=1)
        if text.strip()
    )
    return (
        replace(question, tables={**question.tables, "score_feedback": rows}) if rows else question
    )


def add_row_feedback(
    question: ParsedQuestion, language: str, table: str, told: Mapping[str, str]
) -> ParsedQuestion:
    """Add feedback to rows of a table, by their names."""
    rows = tuple(
        replace(
            row,
            texts={
                **row.texts,
                **build_texts(question.kind, language, {(table, True): told.get(row.name, "")}),
            },
        )
        for row in question.tables.get(table, ())
    )
    return replace(question, tables={**question.tables, table: rows}) if rows else question

"""Writing texts with gaps, each where it stands: `{2:SHORTANSWER:=right#feedback}`."""

import re
from fractions import Fraction

from quizzes.formats.contract import ParsedRow
from quizzes.formats.export import ExportTracker
from quizzes.formats.export.answers import (
    list_accepted,
    list_gap_rows,
    read_comparison,
    warn_of_comparison,
)
from quizzes.formats.export.option_weights import read_gap_weights, warn_of_unlimited_cost
from quizzes.formats.moodle.item_writer import MoodleQuestionWriter
from quizzes.formats.moodle.write_text_entry import write_accepted, write_number
from quizzes.formats.parsing.percentages import format_percentage

_SPECIAL = re.compile(r"[}#~/\"\\]")


def write_cloze(writer: MoodleQuestionWriter) -> None:
    """Write the text with its gaps, each with points of its own."""
    tracker = writer.tracker
    text = tracker.text("prompt")
    for gap in tracker.rows("gaps"):
        text = text.replace(f"[[{tracker.value('placeholder', gap)}]]", _write_gap(tracker, gap))
    writer.add_markdown("questiontext", text)
    warn_of_comparison(tracker)
    warn_of_unlimited_cost(tracker)


def _write_gap(tracker: ExportTracker, gap: ParsedRow) -> str:
    match tracker.value("kind", gap):
        case "single_choice":
            type_, table = "MULTICHOICE", "options"
            weights = read_gap_weights(tracker, gap.name)
            texts = [
                (_write_share(weights[row.name]), tracker.text(table, row), row)
                for row in list_gap_rows(tracker, table, gap.name)
            ]
        case "numeric":
            type_, table = "NUMERICAL", "numbers"
            texts = [
                (_write_credit(tracker, row), ":".join(write_number(tracker, row)), row)
                for row in list_gap_rows(tracker, table, gap.name)
            ]
        case _:
            type_, table = "SHORTANSWER", "accepted"
            type_ += "_C" if read_comparison(tracker, gap.name).case else ""
            texts = [
                (_write_credit(tracker, row), write_accepted(text), row)
                for row, text in list_accepted(tracker, gap.name)
            ]
    answers = []
    for credit, text, row in texts:
        feedback = tracker.feedback(table, row)
        answers.append(credit + _escape(text) + (f"#{_escape(feedback)}" if feedback else ""))
    return f"{{{tracker.value('points', gap)}:{type_}:{'~'.join(answers)}}}"


def _write_credit(tracker: ExportTracker, row: ParsedRow) -> str:
    return _write_share(tracker.ratio("credit", row))


def _write_share(credit: Fraction) -> str:
    return "=" if credit == 1 else f"%{format_percentage(credit)}%"


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)

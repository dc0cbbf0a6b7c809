"""Writing Moodle questions that are answered in words and numbers."""

from decimal import Context, Decimal
from fractions import Fraction

from grading.json_types import ratio_from_json
from grading.numeric.exact import parse_exact
from grading.numeric.tolerance import ABSOLUTE, EXACT
from quizzes.formats.contract import ParsedRow
from quizzes.formats.export import ExportTracker
from quizzes.formats.export.answers import (
    list_accepted,
    read_comparison,
    read_target,
    warn_of_comparison,
)
from quizzes.formats.export.option_weights import read_credit
from quizzes.formats.moodle.item_writer import MoodleQuestionWriter

# Of as many digits as their floats keep.
_FLOATS = Context(prec=15)


def write_short_text(writer: MoodleQuestionWriter) -> None:
    """Write accepted answers."""
    tracker = writer.tracker
    writer.add("usecase", str(int(read_comparison(tracker).case)))
    warn_of_comparison(tracker)
    for row, text in list_accepted(tracker):
        credit, feedback = read_credit(tracker, row), tracker.feedback("accepted", row)
        writer.add_answer(write_accepted(text), credit, feedback)
    _write_otherwise(writer)


def write_accepted(text: str) -> str:
    r"""Return an accepted answer as Moodle's, in which only `\*` is special."""
    return text.replace("\\\\", "\\")


def _write_otherwise(writer: MoodleQuestionWriter) -> None:
    """Write the feedback on any other answer."""
    if feedback := writer.tracker.feedback("otherwise"):
        writer.add_answer("*", Fraction(0), feedback)


def write_numeric(writer: MoodleQuestionWriter) -> None:
    """Write accepted numbers, their tolerances and units."""
    tracker = writer.tracker
    for row in tracker.rows("numbers"):
        number, margin = write_number(tracker, row)
        credit, feedback = read_credit(tracker, row), tracker.feedback("numbers", row)
        writer.add("tolerance", margin, writer.add_answer(number, credit, feedback))
    _write_otherwise(writer)
    _write_units(writer)


def write_number(tracker: ExportTracker, row: ParsedRow) -> tuple[str, str]:
    """Return a number and its tolerance, which is always an amount around a middle there."""
    value, margin = str(tracker.value("value", row)), str(tracker.value("margin", row) or "0")
    target, tolerance = read_target(tracker, row), tracker.value("tolerance", row)
    if tolerance in {EXACT, ABSOLUTE} and "/" not in value + margin:
        return value, margin if tolerance == ABSOLUTE else "0"
    if target is None:
        return value, "0"
    low, high = target.bounds
    return _write_float(tracker, (low + high) / 2), _write_float(tracker, (high - low) / 2)


def _write_float(tracker: ExportTracker, value: Fraction) -> str:
    text = str(_FLOATS.divide(Decimal(value.numerator), Decimal(value.denominator)))
    if Fraction(text) != value:
        tracker.warn("number_rounded", number=str(value)[:60])
    return text


def _write_units(writer: MoodleQuestionWriter) -> None:
    tracker = writer.tracker
    policy = tracker.value("unit")
    writer.add("unitgradingtype", "1" if policy == "required" else "0")
    unit_credit = ratio_from_json(tracker.value("unit_credit"))
    if policy == "required":
        writer.add("unitpenalty", _write_float(tracker, 1 - unit_credit))
    writer.add("showunits", "3" if policy == "none" else "0")
    if rows := tracker.rows("units"):
        units = writer.add("units", "")
        for row in rows:
            unit = writer.add("unit", "", units)
            factor = str(tracker.value("factor", row))
            writer.add("multiplier", _write_multiplier(tracker, factor), unit)
            writer.add("unit_name", str(tracker.value("symbol", row)), unit)


def _write_multiplier(tracker: ExportTracker, factor: str) -> str:
    try:
        return _write_float(tracker, 1 / parse_exact(factor))
    except (ValueError, ZeroDivisionError):
        tracker.warn("number_unreadable", number=factor[:60])
        return "1"


def write_essay(writer: MoodleQuestionWriter) -> None:
    """Write an essay; a rubric has no place."""
    writer.add("responseformat", "editor")
    writer.add("responserequired", "1")
    for name, tag in (("minimum_words", "minwordlimit"), ("maximum_words", "maxwordlimit")):
        limit = writer.tracker.value(name)
        if limit is not None:
            writer.add(tag, str(limit))

"""Writing questions that are answered in words and numbers."""

import re
from decimal import Context, Decimal
from fractions import Fraction

from grading.numeric.exact import parse_exact
from grading.numeric.tolerance import ABSOLUTE, DIGITS, EXACT, Target
from quizzes.formats.contract import ParsedRow
from quizzes.formats.moodle.item_writer import Page

_BACKSLASHES = re.compile(r"\\\\")
# Of as many digits as their floats keep.
_FLOATS = Context(prec=15)


def short_text(page: Page) -> None:
    """Write accepted answers; patterns have no place."""
    page.add("usecase", str(int(bool(page.field("case")))))
    folding(page)
    for row in page.rows("accepted"):
        if (text := wanted(page, row)) is not None:
            feedback = page.row(row, "accepted", told=True)
            page.answer(text, page.credit(row, "credit"), feedback, markup=False)
    otherwise(page)


def folding(page: Page) -> None:
    """Say that there all but case counts."""
    if not all(page.field(name) for name in ("accents", "spaces", "punctuation")):
        page.warn("comparison_stricter")


def wanted(page: Page, row: ParsedRow) -> str | None:
    r"""Give an accepted answer as theirs, where only `\*` is special; None for a pattern."""
    if row.values.get("pattern"):
        page.warn("pattern_left_out")
        return None
    return _BACKSLASHES.sub(r"\\", str(row.values.get("text", "")))


def otherwise(page: Page) -> None:
    """Write what is said to any other answer."""
    if text := page.text("otherwise", told=True):
        page.answer("*", Fraction(0), text, markup=False)
    page.warn_of_texts("score_feedback_left_out", ("score_feedback", "score_feedback"))


def numeric(page: Page) -> None:
    """Write accepted numbers, their tolerances and units."""
    for row in page.rows("numbers"):
        value, margin = number(page, row)
        feedback = page.row(row, "numbers", told=True)
        node = page.answer(value, page.credit(row, "credit"), feedback, markup=False)
        page.add("tolerance", margin, node)
    otherwise(page)
    if any(page.text(name, told=True) for name in ("no_unit", "wrong_unit")):
        page.warn("unit_feedback_left_out")
    _units(page)


def number(page: Page, row: ParsedRow) -> tuple[str, str]:
    """Give value and tolerance; what is told otherwise becomes an amount around a middle."""
    value, margin = str(row.values.get("value", "")), str(row.values.get("margin") or "0")
    tolerance = str(row.values.get("tolerance", EXACT))
    if tolerance in {EXACT, ABSOLUTE} and "/" not in value + margin:
        return value, margin if tolerance == ABSOLUTE else "0"
    if tolerance == DIGITS:
        page.warn("digits_left_out")
    try:
        low, high = Target(parse_exact(value), tolerance, parse_exact(margin)).bounds
    except ValueError:
        page.warn("number_unreadable", number=f"{value} {margin}"[:60])
        return value, "0"
    return decimal(page, (low + high) / 2), decimal(page, (high - low) / 2)


def decimal(page: Page, value: Fraction) -> str:
    """Write a number with digits; one that has no end is cut, and that is told."""
    text = str(_FLOATS.divide(Decimal(value.numerator), Decimal(value.denominator)))
    if Fraction(text) != value:
        page.warn("number_rounded", number=str(value)[:60])
    return text


def _units(page: Page) -> None:
    unit = page.field("unit", default="none")
    unit_credit = page.question.fields.get("unit_credit")
    page.add("unitgradingtype", "1" if unit == "required" else "0")
    if unit == "required":
        penalty = 1 - (
            Fraction(*unit_credit) if isinstance(unit_credit, list | tuple) else Fraction(0)
        )
        page.add("unitpenalty", decimal(page, penalty))
    page.add("showunits", "3" if unit == "none" else "0")
    if rows := page.rows("units"):
        units = page.add("units", "")
        for row in rows:
            node = page.add("unit", "", units)
            page.add("multiplier", _times(page, str(row.values.get("factor", "1"))), node)
            page.add("unit_name", str(row.values.get("symbol", "")), node)


def _times(page: Page, factor: str) -> str:
    try:
        return decimal(page, 1 / parse_exact(factor))
    except (ValueError, ZeroDivisionError):
        page.warn("number_unreadable", number=factor[:60])
        return "1"


def essay(page: Page) -> None:
    """Write an essay; what a rubric says has no place."""
    page.add("responseformat", "editor")
    page.add("responserequired", "1")
    for name, element in (("minimum_words", "minwordlimit"), ("maximum_words", "maxwordlimit")):
        if (limit := page.field(name)) is not None:
            page.add(element, str(limit))
    if page.rows("criteria") or page.field("graders", default=1) != 1:
        page.warn("rubric_left_out")
    page.warn_of_texts("score_feedback_left_out", ("score_feedback", "score_feedback"))

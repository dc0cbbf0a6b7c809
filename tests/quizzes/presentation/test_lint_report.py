"""The checks of a bank as plain values, and as lines."""

from datetime import UTC, datetime
from fractions import Fraction
from uuid import UUID

from django.utils import translation

from quizzes.bank.checks import AverageScore, CheckedFinding, CheckReport, QuestionRef, WaivedBy
from quizzes.bank.lint import Finding, Severity
from quizzes.presentation.lint_report import (
    filter_by_severity,
    format_finding,
    format_summary,
    serialize_report,
)

UUID_ = UUID("0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11")
QUESTION = QuestionRef(7, UUID_, "rivers", {"en": "Which river?"}, "en", "a digest")
AT = datetime(2026, 11, 21, 12, tzinfo=UTC)

GRAVE = CheckedFinding(Finding("nothing_right", "rivers", path="key"), QUESTION, "", None)
WARNING = CheckedFinding(
    Finding("numbers_differ", "rivers", "es", "words.es.options.i"), QUESTION, "a", None
)
HINT = CheckedFinding(Finding("file_unused", figures={"file": "cat.png"}), None, "", None)
STANDS = CheckedFinding(Finding("no_feedback", "rivers", "en"), QUESTION, "", WaivedBy("Ada", AT))

FOUND = CheckReport(3, (GRAVE, WARNING, HINT, STANDS), AverageScore(Fraction(1, 3), 2), None)


def test_what_is_asked_for_is_as_grave_or_graver():
    assert filter_by_severity(FOUND.open, Severity.ERROR) == (GRAVE,)
    assert filter_by_severity(FOUND.open, Severity.WARNING) == (GRAVE, WARNING)
    assert filter_by_severity(FOUND.open, Severity.HINT) == (GRAVE, WARNING, HINT)


def test_a_report_counts_everything_and_lists_what_it_is_given():
    body = serialize_report(FOUND, [WARNING, STANDS, HINT])
    findings = body.pop("findings")
    assert body == {
        "questions": 3,
        "counts": {"error": 1, "warning": 1, "hint": 1},
        "meant": 1,
        "everything": {"numerator": 1, "denominator": 3, "questions": 2},
        "guess": None,
    }
    assert findings[0] == {
        "code": "numbers_differ",
        "severity": "warning",
        "topic": "languages",
        "question": str(UUID_),
        "name": "rivers",
        "language": "es",
        "part": "options",
        "row": "a",
        "figures": {},
        "message": "Its numbers are not those of the source language.",
        "meant": None,
    }
    assert findings[1]["meant"] == {"by": "Ada", "at": "2026-11-21T12:00:00+00:00"}
    assert (findings[2]["question"], findings[2]["name"]) == (None, "")


def test_a_line_names_the_place_how_grave_it_is_and_the_code():
    assert format_finding(WARNING) == (
        "rivers, options.a, es: warning: Its numbers are not those of the source language."
        " [numbers_differ]"
    )
    assert format_finding(STANDS).startswith("rivers: hint: ")
    assert format_finding(HINT).startswith("*: hint: No question shows the file “cat.png”")


def test_a_summary_says_how_much_there_is_of_each():
    assert format_summary(FOUND) == "1 error, 1 warning, 1 hint, 1 intended"
    assert format_summary(CheckReport(3, (), None, None)) == "nothing to look at"
    with translation.override("es"):
        assert format_summary(FOUND).startswith("1 ")

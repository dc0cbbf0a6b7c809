"""The checks of a bank or a file as JSON, and as lines of text, for every interface."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from quizzes.bank.checks import AverageScore, CheckedFinding, CheckReport
from quizzes.bank.lint import SEVERITY_ORDER, Severity
from quizzes.presentation.messages.findings import SEVERITY_LABELS
from quizzes.presentation.messages.problems import describe_problem


def filter_by_severity(
    findings: Iterable[CheckedFinding], severity: Severity
) -> tuple[CheckedFinding, ...]:
    """Return the findings that are as grave as this, or graver."""
    rank = SEVERITY_ORDER.index(severity)
    return tuple(
        checked for checked in findings if SEVERITY_ORDER.index(checked.finding.severity) <= rank
    )


def serialize_report(report: CheckReport, listed: Iterable[CheckedFinding]) -> dict[str, Any]:
    """Return the counts of all that is open, the figures, and the findings that are listed."""
    return {
        "questions": report.questions,
        "counts": {str(severity): n for severity, n in report.counts().items()},
        "meant": len(report.waived),
        "everything": serialize_score(report.everything),
        "guess": serialize_score(report.guess),
        "findings": [serialize_finding(checked) for checked in listed],
    }


def serialize_score(figure: AverageScore | None) -> dict[str, Any] | None:
    """Return a figure exactly: no float."""
    if figure is None:
        return None
    return {
        "numerator": figure.mean.numerator,
        "denominator": figure.mean.denominator,
        "questions": figure.questions,
    }


def serialize_finding(checked: CheckedFinding) -> dict[str, Any]:
    """Return one finding with its sentence in the language that is spoken."""
    lint_finding, question, waiver = checked.finding, checked.question, checked.waived_by
    return {
        "code": lint_finding.code,
        "severity": str(lint_finding.severity),
        "topic": str(lint_finding.topic),
        "question": str(question.uuid) if question and question.uuid else None,
        "name": question.name if question else "",
        "language": lint_finding.language,
        "part": lint_finding.part,
        "row": checked.row,
        "figures": dict(lint_finding.figures),
        "message": describe_problem(lint_finding.code, lint_finding.figures),
        "meant": {"by": waiver.by, "at": waiver.at.isoformat()} if waiver else None,
    }


def format_finding(checked: CheckedFinding) -> str:
    """Return a finding as one line, as compilers do: `question, place: how grave: what`."""
    lint_finding = checked.finding
    name = checked.question.name if checked.question else "*"
    place = ".".join(filter(None, (lint_finding.part, checked.row)))
    where = ", ".join(filter(None, (name, place, lint_finding.language if place else "")))
    severity = SEVERITY_LABELS[lint_finding.severity]
    sentence = describe_problem(lint_finding.code, lint_finding.figures)
    return f"{where}: {severity}: {sentence} [{lint_finding.code}]"


def format_summary(report: CheckReport) -> str:
    """Return on one line how much there is of each, and how much is marked as intended."""
    counts = [f"{n} {SEVERITY_LABELS[severity]}" for severity, n in report.counts().items() if n]
    meant = [_("%(n)s intended") % {"n": len(report.waived)}] if report.waived else []
    return ", ".join([*counts, *meant]) or _("nothing to look at")

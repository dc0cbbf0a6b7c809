"""Builds the report of a bank or a file from its findings. Pure."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from uuid import UUID

from quizzes.bank.checks.report import (
    AverageScore,
    CheckedFinding,
    CheckReport,
    QuestionRef,
    WaivedBy,
)
from quizzes.bank.lint import Finding, LintResult

WaiverKey = tuple[str, str, str, str]
"""The name of a question, the code of a finding, the other question, the digest of the state."""

QuestionIds = Mapping[str, tuple[int, UUID]]
"""Name of a question → its ids within and for the outside."""


def build_report(
    results: Mapping[str, LintResult],
    findings: Iterable[Finding],
    rows: Mapping[str, str],
    *,
    ids: QuestionIds | None = None,
    waived: Mapping[WaiverKey, WaivedBy] | None = None,
) -> CheckReport:
    """Put together what was found; `rows` are the short names of rows by their ids."""
    refs = {name: _build_ref(name, question, ids or {}) for name, question in results.items()}
    return CheckReport(
        len(results),
        tuple(
            _check_finding(finding, refs.get(finding.question), rows, waived or {})
            for finding in findings
        ),
        _average(question.guess_score.select_all for question in results.values()),
        _average(question.guess_score.random_guess for question in results.values()),
    )


def _build_ref(name: str, results: LintResult, ids: QuestionIds) -> QuestionRef:
    pk, uuid = ids.get(name, (None, None))
    return QuestionRef(pk, uuid, name, results.prompt, results.digest)


def _check_finding(
    finding: Finding,
    ref: QuestionRef | None,
    rows: Mapping[str, str],
    waived: Mapping[WaiverKey, WaivedBy],
) -> CheckedFinding:
    waived_by = waived.get((ref.name, finding.code, finding.about, ref.digest)) if ref else None
    return CheckedFinding(finding, ref, rows.get(finding.row, finding.row), waived_by)


def _average(credits_: Iterable[Fraction | None]) -> AverageScore | None:
    earned = [credit for credit in credits_ if credit is not None]
    return AverageScore(sum(earned, Fraction(0)) / len(earned), len(earned)) if earned else None

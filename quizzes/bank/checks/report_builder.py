"""Builds the report of a bank or a file from its findings. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from uuid import UUID

from quizzes.bank.checks.report import (
    AverageScore,
    BankFindings,
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


def collect_findings(
    results: Mapping[str, LintResult], findings: Iterable[Finding], rows: Mapping[str, str]
) -> BankFindings:
    """Put together what was found; `rows` are the short names of rows by their ids."""
    findings = tuple(findings)
    named = {finding.question for finding in findings}
    row_ids = {finding.row for finding in findings}
    return BankFindings(
        question_count=len(results),
        findings=findings,
        refs=tuple(
            QuestionRef(
                None, None, name, question.prompts, question.source_language, question.digest
            )
            for name, question in results.items()
            if name in named
        ),
        rows={id_: name for id_, name in rows.items() if id_ in row_ids},
        everything=_average(question.guess_score.select_all for question in results.values()),
        guess=_average(question.guess_score.random_guess for question in results.values()),
    )


def build_report(
    bank_findings: BankFindings,
    *,
    ids: QuestionIds | None = None,
    waived: Mapping[WaiverKey, WaivedBy] | None = None,
) -> CheckReport:
    """Return the report of what was found, with the ids of questions and who waived what."""
    refs = {ref.name: _identify(ref, ids or {}) for ref in bank_findings.refs}
    return CheckReport(
        bank_findings.question_count,
        tuple(
            _check_finding(finding, refs.get(finding.question), bank_findings.rows, waived or {})
            for finding in bank_findings.findings
        ),
        bank_findings.everything,
        bank_findings.guess,
    )


def _identify(ref: QuestionRef, ids: QuestionIds) -> QuestionRef:
    pk, uuid = ids.get(ref.name, (None, None))
    return replace(ref, pk=pk, uuid=uuid)


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

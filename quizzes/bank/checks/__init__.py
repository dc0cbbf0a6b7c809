"""The checks of a whole bank: what is worth a look in it, and what authors waived; stored."""

from quizzes.bank.checks.lint_store import lint_drafts
from quizzes.bank.checks.report import (
    AverageScore,
    CheckedFinding,
    CheckReport,
    QuestionRef,
    WaivedBy,
)
from quizzes.bank.checks.report_builder import build_report, collect_findings
from quizzes.bank.checks.report_loader import load_report, refresh_findings

__all__ = [
    "AverageScore",
    "CheckReport",
    "CheckedFinding",
    "QuestionRef",
    "WaivedBy",
    "build_report",
    "collect_findings",
    "lint_drafts",
    "load_report",
    "refresh_findings",
]

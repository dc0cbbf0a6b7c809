"""The checks of a whole bank: what is worth a look in it, and what authors waived."""

from quizzes.bank.checks.report import (
    AverageScore,
    CheckedFinding,
    CheckReport,
    QuestionRef,
    WaivedBy,
)
from quizzes.bank.checks.report_builder import build_report
from quizzes.bank.checks.report_loader import load_report

__all__ = [
    "AverageScore",
    "CheckReport",
    "CheckedFinding",
    "QuestionRef",
    "WaivedBy",
    "build_report",
    "load_report",
]

"""What an import did, or how far it is: the report, a page of lines at a time."""

from typing import Any, Final

from django.core.paginator import Paginator

from quizzes.bank.lint import Severity
from quizzes.imports.models import BUSY, ImportJob
from quizzes.imports.report import ReportItem
from quizzes.imports.selectors import load_progress
from quizzes.instructor.imports.item_view import build_note
from quizzes.instructor.imports.preview_page import (
    count_by_label,
    describe_statuses,
    read_metadata,
)
from quizzes.lib.dataclass_json import from_json
from quizzes.presentation.messages.imports import (
    ACTION_LABELS,
    IMPORT_ERRORS,
    STEPS,
    STEPS_OF_READING,
    describe_file_error,
    describe_grades,
)
from quizzes.presentation.messages.problems import describe_finding, describe_problem
from quizzes.presentation.messages.score_comparisons import describe_comparison
from quizzes.presentation.messages.sentences import describe

PAGE_SIZE: Final = 200
"""Lines on a page."""


def build_report(job: ImportJob, page: str) -> dict[str, Any]:
    """Return the context of the page."""
    report: dict[str, Any] = job.report
    metadata = read_metadata(report)
    lines = Paginator(report.get("items", []), PAGE_SIZE).get_page(page)
    is_open, progress = job.state in BUSY, load_progress(job)
    return {
        "job": job,
        "open": is_open,
        "step": STEPS_OF_READING.get(progress.step) or STEPS.get(job.state, ""),
        "progress": progress,
        "grades": describe_grades(metadata.grade, metadata.pass_threshold),
        "statuses": describe_statuses(report["status_counts"]) if "status_counts" in report else "",
        "counts": count_by_label(report.get("action_counts", {})),
        "reason": describe(report["code"], IMPORT_ERRORS) if "code" in report else "",
        "errors": [
            {"line": error["line"], "message": describe_file_error(error)}
            for error in report.get("errors", [])
        ],
        "page": lines,
        "lines": [_build_line(from_json(ReportItem, item)) for item in lines.object_list],
    }


def _build_line(item: ReportItem) -> dict[str, Any]:
    return {
        "item": item,
        "label": ACTION_LABELS[item.action],
        "notes": list(map(build_note, item.notes)),
        "problems": [describe_problem(each.code, each.detail) for each in item.problems],
        "warnings": [
            describe_finding(finding)
            for finding in item.findings or ()
            if finding.severity != Severity.HINT
        ],
        "scores": describe_comparison(item.comparison)
        if item.comparison and item.comparison.differences
        else "",
    }

"""What an import did, or how far it is: the report, a page of lines at a time."""

from collections.abc import Mapping
from typing import Any, Final

from django.core.paginator import Paginator
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from quizzes.bank.lint import Severity
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.models import BUSY, ImportJob
from quizzes.imports.report import NOT_SELECTED, ReportItem
from quizzes.imports.selectors import load_progress
from quizzes.instructor.imports.item_view import build_note
from quizzes.instructor.imports.preview_page import (
    LabelCount,
    count_by_label,
    describe_statuses,
    read_metadata,
)
from quizzes.lib.dataclass_json import from_json
from quizzes.presentation.messages.imports import (
    ACTION_LABELS,
    IMPORT_ERRORS,
    NOT_SELECTED_LABEL,
    READING_STEPS,
    STEPS,
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
    is_committed, counts = report.get("committed", False), report.get("action_counts", {})
    is_open, progress = job.state in BUSY, load_progress(job)
    return {
        "job": job,
        "open": is_open,
        "step": READING_STEPS.get(progress.step) or STEPS.get(job.state, ""),
        "progress": progress,
        "grades": describe_grades(metadata.grade, metadata.pass_threshold),
        "statuses": describe_statuses(report["status_counts"]) if "status_counts" in report else "",
        "counts": [] if is_committed else count_by_label(counts),
        "outcomes": _count_outcomes(counts) if is_committed else [],
        "reason": describe(report["code"], IMPORT_ERRORS) if "code" in report else "",
        "errors": [
            {"line": error["line"], "message": describe_file_error(error)}
            for error in report.get("errors", [])
        ],
        "page": lines,
        "lines": [
            _build_line(from_json(ReportItem, item), is_committed=is_committed)
            for item in lines.object_list
        ],
    }


def _count_outcomes(counts: Mapping[str, int]) -> list[tuple[str, int, list[LabelCount]]]:
    """Return what was imported and what was not: a label, the number of items, its parts.

    They add up to the items of the file.
    """
    written = {str(action): counts[action] for action in ImportAction if action.writes}
    others = {str(action): counts[action] for action in ImportAction if not action.writes}
    not_selected = counts.get(NOT_SELECTED, 0)
    other_labels: list[LabelCount] = [(NOT_SELECTED_LABEL, not_selected)] if not_selected else []
    return [
        (label, sum(n for _label, n in parts), parts)
        for label, parts in (
            (_("Imported:"), count_by_label(written)),
            (_("Not imported:"), other_labels + count_by_label(others)),
        )
    ]


def _build_line(item: ReportItem, *, is_committed: bool) -> dict[str, Any]:
    return {
        "item": item,
        "label": _describe_result(item) if is_committed else ACTION_LABELS[item.action],
        "draft": is_committed and item.selected and not item.published,
        "published": is_committed and item.published,
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


def _describe_result(item: ReportItem) -> Promise | str:
    if item.result == NOT_SELECTED:
        return _("not imported: not selected")
    return ACTION_LABELS[item.action]

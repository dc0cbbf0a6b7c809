"""Results as a table (CSV): the same rows from the same selector, formula injection made harmless.

A cell that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay.
"""

import csv
import logging
from collections.abc import Iterator, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any, ClassVar

from django.http import HttpResponseBase, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.models import Scope, User
from quizzes.api.base_view import BaseAPIView, parse_query, response_language
from quizzes.api.fields import format_utc
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.results import ResultFilterQuery, filter_results
from quizzes.attempts.models import Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib import clock
from quizzes.lib.formula_injection import escape_formula
from quizzes.lib.read_replica import stream_from_replica
from quizzes.results.attempt_report import AttemptSummary
from quizzes.results.selectors import load_summaries

log = logging.getLogger(__name__)

CHUNK_SIZE = 500
UNREADABLE = "unreadable"
COLUMNS: Mapping[str, str] = {
    "attempt": "attempt",
    "quiz": "quiz",
    "quiz_slug": "slug",
    "title": "title",
    "learner": "learner",
    "learner_name": "learner_name",
    "learner_school_id": "learner_school_id",
    "number": "number",
    "state": "state",
    "submission_reason": "submission_reason",
    "started_at": "started_at",
    "submitted_at": "submitted_at",
    "updated_at": "updated_at",
    "total_numerator": "score.total.numerator",
    "total_denominator": "score.total.denominator",
    "maximum_numerator": "score.maximum.numerator",
    "maximum_denominator": "score.maximum.denominator",
    "pass_threshold_numerator": "score.threshold.numerator",
    "pass_threshold_denominator": "score.threshold.denominator",
    "percent": "score.percent",
    "passed": "score.passed",
    "provisional": "score.provisional",
    "problem": "problem",
    "receipt_digest": "receipt_digest",
}
"""The columns, and what each shows of an AttemptSummary; empty where there is no score."""


class _EchoWriter:
    """A file for `csv.writer` whose `write` returns the line."""

    def write(self, line: str) -> str:
        return line


def format_cell(value: Any) -> str:
    """Return a value as text that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return escape_formula(format_utc(value) if isinstance(value, datetime) else str(value))


def generate_csv_lines(rows: Iterator[Any], viewer: User, lang: str) -> Iterator[str]:
    """Yield the table line by line, some hundred rows in memory at a time."""
    writer, now = csv.writer(_EchoWriter()), clock.now()
    yield writer.writerow(COLUMNS)
    for attempt in rows:
        yield writer.writerow(
            [format_cell(value) for value in _build_row(attempt, viewer, now, lang)]
        )


def _build_row(attempt: Attempt, viewer: User, now: datetime, lang: str) -> list[Any]:
    """Return the cells of an attempt, summarised by itself, without loading the others.

    The response has begun, so no row may end it: one that fails for a reason nobody foresaw has its
    id and a problem.
    """
    try:
        summary = load_summaries([attempt], viewer, now)[0]
        cells = {name: _read_attribute(summary, path) for name, path in COLUMNS.items()}
        return list({**cells, "title": summary.title_in(lang)}.values())
    except (ValueError, TypeError, LookupError, AttributeError):
        log.exception("attempt %s cannot be exported", attempt.uuid)
        empty = dict.fromkeys(COLUMNS)
        return list({**empty, "attempt": attempt.uuid, "problem": UNREADABLE}.values())


def _read_attribute(summary: AttemptSummary, path: str) -> Any:
    if path.startswith("score.") and summary.score is None:
        return None
    return attrgetter(path)(summary)


class ResultsCSVView(BaseAPIView):
    """The results as a file."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}
    sensitive_methods = frozenset({"GET"})

    @extend_schema(
        operation_id="exportResults",
        summary="Results as CSV",
        tags=["results"],
        parameters=[ResultFilterQuery],
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "One line a result")},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Export the same results as the list, all of them, with exact numbers and per cent."""
        params = parse_query(request, ResultFilterQuery)
        record(AuditCode.RESULTS_EXPORTED, after={name: str(params[name]) for name in params})
        rows = filter_results(request, params).order_by("updated_at", "uuid").iterator(CHUNK_SIZE)
        return StreamingHttpResponse(
            stream_from_replica(
                generate_csv_lines(rows, request_user(request), response_language(request, params))
            ),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="results.csv"'},
        )

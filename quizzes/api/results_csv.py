"""Results as a table (CSV): the same rows from the same selector, formula injection made harmless.

A cell that a sheet would take for a formula gets an apostrophe before it; numbers stay numbers.
"""

import csv
import logging
import re
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from typing import Any, ClassVar

from django.http import HttpResponseBase, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.models import Scope, User
from quizzes.api.base_view import BaseAPIView, parse_query, response_language
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.results import ResultFilterQuery, row, visible
from quizzes.attempts.models import Attempt
from quizzes.lib import clock
from quizzes.results.attempt_report import Score
from quizzes.results.selectors import load_summaries

log = logging.getLogger(__name__)

CHUNK_SIZE = 500
UNREADABLE = "unreadable"
FORMULA = re.compile(r"^[\s\0\ufeff\u200b-\u200f]*[=+\-@|%＝＋－＠]|^[\t\r\n]")
NUMBER = re.compile(r"-?\d+(\.\d+)?")
COLUMNS = (
    "attempt",
    "quiz",
    "quiz_slug",
    "title",
    "learner",
    "learner_name",
    "number",
    "state",
    "submission_reason",
    "started_at",
    "submitted_at",
    "updated_at",
    "total_numerator",
    "total_denominator",
    "maximum_numerator",
    "maximum_denominator",
    "pass_threshold_numerator",
    "pass_threshold_denominator",
    "percent",
    "passed",
    "provisional",
    "problem",
)


class _Line:
    """What the writer of the standard library writes into: it gives each line back."""

    def write(self, line: str) -> str:
        return line


def cell(value: Any) -> str:
    """Write a value so that no sheet runs it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    written = value.isoformat() if hasattr(value, "isoformat") else str(value)
    if FORMULA.search(written) and not NUMBER.fullmatch(written):
        return f"'{written}"
    return written


def lines(rows: Iterator[Any], viewer: User, lang: str) -> Iterator[str]:
    """Write the table line by line, some hundred rows in memory at a time."""
    writer, now = csv.writer(_Line()), clock.now()
    yield writer.writerow(COLUMNS)
    for attempt in rows:
        yield writer.writerow([cell(value) for value in _values(attempt, viewer, now, lang)])


def _values(attempt: Attempt, viewer: User, now: datetime, lang: str) -> list[Any]:
    """Return the cells of an attempt, summarised by itself, so that nothing is gathered.

    The answer has begun, so no row may end it: one that fails for a reason nobody foresaw has its
    id and a problem.
    """
    try:
        payload = row(load_summaries([attempt], viewer, now)[0], lang)
        return [*_attempt_cells(payload), *_score_cells(payload), payload["problem"]]
    except (ValueError, TypeError, LookupError, AttributeError):
        log.exception("attempt %s cannot be exported", attempt.uuid)
        return [attempt.uuid, *[None] * (len(COLUMNS) - 2), UNREADABLE]


def _attempt_cells(payload: dict[str, Any]) -> list[Any]:
    quiz, learner = payload["quiz"], payload["learner"]
    rest = ("number", "state", "submission_reason", "started_at", "submitted_at", "updated_at")
    return [
        payload["id"],
        quiz["id"],
        quiz["slug"],
        quiz["title"],
        learner["id"],
        learner["name"],
        *(payload[name] for name in rest),
    ]


def _score_cells(payload: dict[str, Any]) -> list[Any]:
    score: Score | None = payload["score"]
    if score is None:
        return [None] * 9
    exact: list[Fraction] = [score.total, score.maximum, score.threshold]
    pairs = [number for value in exact for number in (value.numerator, value.denominator)]
    return [*pairs, score.percent, score.passed, score.provisional]


class ResultsCSVView(BaseAPIView):
    """The results as a file."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}

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
        rows = visible(request, params).order_by("updated_at", "uuid").iterator(CHUNK_SIZE)
        return StreamingHttpResponse(
            lines(rows, request_user(request), response_language(request, params)),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="results.csv"'},
        )

"""Folding the journal: the newest accepted entry of each slot, as one column of the attempt.

One statement brings an attempt together with all its answers, however many there are.
"""

from typing import Any

from django.db.models import Aggregate, Func, JSONField, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject

from quizzes.attempts.models import Attempt, Response, SaveStatus


class _Parsed(Func):
    """SQLite keeps JSON as text and would quote it again inside an object; this stops it."""

    template = "%(expressions)s"
    output_field = JSONField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="JSON(%(expressions)s)", **context)


class _List(Aggregate):
    """All rows of a group as one JSON array."""

    function = "JSONB_AGG"
    name = "List"
    output_field = JSONField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="JSON_GROUP_ARRAY", **context)


def current_response_ids(attempt: Attempt | int | OuterRef) -> QuerySet[Response, Any]:
    """Return the ids of the entries that count: the newest accepted one of each slot."""
    accepted = Response.objects.filter(attempt=attempt, status=SaveStatus.ACCEPTED)
    return accepted.order_by().values("slot").annotate(newest=Max("pk")).values("newest")


def with_current_responses(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Add `current_responses`: a list of {slot, revision, answer, flagged, at}, or None."""
    listed = (
        Response.objects.filter(
            attempt=OuterRef("pk"), pk__in=current_response_ids(OuterRef("attempt"))
        )
        .order_by()
        .values("attempt")
        .annotate(
            listed=_List(
                JSONObject(
                    slot="slot",
                    revision="revision",
                    answer=_Parsed("answer"),
                    flagged=_Parsed("flagged"),
                    at="received_at",
                )
            )
        )
        .values("listed")
    )
    return attempts.annotate(current_responses=Subquery(listed, output_field=JSONField()))

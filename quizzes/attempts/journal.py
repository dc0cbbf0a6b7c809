"""Folding the journal: the newest accepted entry of each slot, as one column of the attempt.

One statement brings an attempt together with all its answers, however many there are.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from django.db.models import (
    Aggregate,
    BooleanField,
    CharField,
    F,
    Func,
    JSONField,
    Max,
    OuterRef,
    QuerySet,
    Subquery,
    TextField,
)
from django.db.models.functions import Cast, JSONObject

from grading.numeric.readings import LANGUAGE
from quizzes.attempts.models import Attempt, Response, SaveStatus


class _Parsed(Func):
    """SQLite keeps JSON as text and would quote it again inside an object; this stops it."""

    template = "%(expressions)s"
    output_field = JSONField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="JSON(%(expressions)s)", **context)


class JSONList(Aggregate):
    """All rows of a group as one JSON array."""

    function = "JSONB_AGG"
    name = "List"
    output_field = JSONField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Write it as SQLite does."""
        return self.as_sql(compiler, connection, function="JSON_GROUP_ARRAY", **context)


def current_response_ids(attempt: Attempt | int | OuterRef) -> QuerySet[Response, Any]:
    """Return the ids of the entries that count: the newest accepted one of each slot."""
    accepted = Response.objects.filter(attempt=attempt, status=SaveStatus.ACCEPTED)
    return accepted.order_by().values("slot").annotate(newest=Max("pk")).values("newest")


def load_current_answers(attempts: Collection[int]) -> dict[int, dict[int, str]]:
    """Return the answers that count of many attempts, by attempt and slot, as text of JSON.

    A slot without an answer is left out. Who reads many answers reads the same ones again and
    again: a text is compared without reading it.
    """
    accepted = Response.objects.filter(attempt__in=attempts, status=SaveStatus.ACCEPTED)
    newest = accepted.order_by().values("attempt", "slot").annotate(newest=Max("pk"))
    current = Response.objects.filter(pk__in=newest.values("newest")).order_by()
    answers: dict[int, dict[int, str]] = {attempt: {} for attempt in attempts}
    for attempt, slot, text in current.values_list("attempt", "slot", Cast("answer", TextField())):
        if text not in {None, "null"}:
            answers[attempt][slot] = text
    return answers


def last_response_id(attempt: Attempt | int) -> Subquery:
    """Return the id of the last row of the journal, whatever became of it."""
    return Subquery(Response.objects.filter(attempt=attempt).order_by("-sequence").values("pk")[:1])


class Hex(Func):
    """Bytes as lower-case hexadecimal digits."""

    template = "ENCODE(%(expressions)s, 'hex')"
    output_field = CharField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Write it as SQLite does."""
        return self.as_sql(compiler, connection, template="LOWER(HEX(%(expressions)s))", **context)


class _HasUnconfirmedNumber(Func):
    """Whether an answer has a number whose writer did not say which of two is meant.

    The same rule as `grading.numeric.readings.is_unconfirmed`.
    """

    template = f"JSONB_PATH_EXISTS(%(expressions)s, '$.** ? (@.read_by == \"{LANGUAGE}\")')"
    output_field = BooleanField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Write it as SQLite does."""
        tree = "SELECT 1 FROM JSON_TREE(%(expressions)s)"
        template = f"EXISTS({tree} WHERE key = 'read_by' AND value = '{LANGUAGE}')"
        return self.as_sql(compiler, connection, template=template, **context)


def filter_unconfirmed(responses: QuerySet[Response]) -> QuerySet[Response]:
    """Return those that count and have a number that can be read in two ways, unconfirmed."""
    current = responses.filter(pk__in=current_response_ids(OuterRef("attempt")))
    return current.filter(_HasUnconfirmedNumber("answer"))


def with_chain(attempts: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Add what a receipt needs: `current_responses` with `digest`, `chain_head`, two ids.

    `chain_head` is {sequence, digest} of the last row of the journal, or None. Digests are
    hexadecimal. The ids are `learner_uuid` and `quiz_uuid`.
    """
    last = (
        Response.objects.filter(attempt=OuterRef("pk"))
        .order_by("-sequence")
        .values(head=JSONObject(sequence="sequence", digest=Hex("digest")))[:1]
    )
    return with_current_responses(attempts, digest=Hex("answer_digest")).annotate(
        chain_head=Subquery(last, output_field=JSONField()),
        learner_uuid=F("learner__uuid"),
        quiz_uuid=F("quiz__uuid"),
    )


def with_current_responses(attempts: QuerySet[Attempt], **more: Any) -> QuerySet[Attempt]:
    """Add `current_responses`: a list of {slot, revision, answer, flagged, at}, or None.

    `more` are further columns of the journal to be in it.
    """
    listed = (
        Response.objects.filter(
            attempt=OuterRef("pk"), pk__in=current_response_ids(OuterRef("attempt"))
        )
        .order_by()
        .values("attempt")
        .annotate(
            listed=JSONList(
                JSONObject(
                    slot="slot",
                    revision="revision",
                    answer=_Parsed("answer"),
                    flagged=_Parsed("flagged"),
                    at="received_at",
                    **more,
                )
            )
        )
        .values("listed")
    )
    return attempts.annotate(current_responses=Subquery(listed, output_field=JSONField()))


def parse_moment(written: str) -> datetime:
    """Read a time out of JSON; SQLite writes it without its zone, which is UTC."""
    parsed = datetime.fromisoformat(written)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)

"""Commit and cancel: the end of an import, either way."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.door import Answer, Door, NoQuery, body, query
from quizzes.api.fields import Strict, Text, Whole
from quizzes.api.idempotency import HEADER, Outcome, once
from quizzes.api.imports import read
from quizzes.api.jobs import EXAMPLE, ImportShape, address, one_import, shown
from quizzes.api.permissions import Scopes
from quizzes.imports import import_reading, job_files, jobs, tasks
from quizzes.imports.models import ImportJob, State
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid

MOST = 200_000
OVER = {State.DONE, State.FAILED}
CHOSEN = OpenApiExample(
    "Two items, if the bank is still as it was",
    {"items": [0, 3], "bank_state": "0f3a9c1d2b4e5f60"},
    request_only=True,
)


class CommitWanted(Strict):
    """Which items are written; without `items` all but conflicts, and reviews of what is there."""

    items = serializers.ListField(
        child=Whole(min_value=0),
        required=False,
        max_length=MOST,
        help_text="Their numbers, as in the report. What is the same or refused stays so.",
    )
    bank_state = Text(
        required=False,
        max_length=40,
        help_text="As the import told it: 409 if the bank was changed since.",
    )


class CommitView(Door):
    """Writing what was chosen."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="commitImport",
        summary="Write what was chosen",
        tags=["imports"],
        parameters=[HEADER],
        request=CommitWanted,
        responses={202: OpenApiResponse(ImportShape, "Chosen, now or before")},
        examples=[EXAMPLE, CHOSEN],
    )
    def post(self, request: Request, job: UUID) -> Answer:
        """Write all that was chosen, or nothing; small imports at once. Scope `authoring`.

        Committed before with the same choice, it answers alike and writes nothing twice. 409:
        `import_not_read`, `import_is_over`, `chosen_otherwise`, or `bank_changed`; after the last
        the plan is made anew, to be looked at once more.
        """
        query(request, NoQuery)
        posted = body(request, CommitWanted)
        return once(request, lambda: self._commit(request, job, posted), joined=False)

    def _commit(self, request: Request, uuid: UUID, posted: dict[str, Any]) -> Outcome:
        job = one_import(request, uuid)
        chosen = _choice(posted.get("items"), job)
        try:
            job = jobs.choose(job=job, chosen=chosen, seen=posted.get("bank_state", ""))
        except Conflict as conflict:
            if conflict.code == "bank_changed" and import_reading.again(job=job, now=clock.now()):
                read(job, job_files.weight(job.uuid))
            raise
        if job.chosen != chosen:
            raise Conflict("chosen_otherwise")
        if job.total <= jobs.SMALL:
            jobs.run(pk=job.pk, now=clock.now())
        else:
            tasks.soon(tasks.run_import, job.pk)
        payload = shown(request, uuid)
        if payload["state"] == "ready":  # it was put back: the bank changed at the last moment
            raise Conflict(payload["code"])
        return Outcome(202, payload, address(uuid))


def _choice(items: list[int] | None, job: ImportJob) -> list[int] | None:
    """Return the numbers in their order, each once; one that no item has: Invalid."""
    if items is None or job.state == State.READING:
        return None
    for place, number in enumerate(items):
        if number >= job.total:
            raise Invalid("unknown_item", where=f"items.{place}")
    return sorted(set(items))


class CancelView(Door):
    """Writing nothing."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="cancelImport",
        summary="Cancel an import",
        tags=["imports"],
        parameters=[HEADER],
        request=None,
        responses={
            200: OpenApiResponse(ImportShape, "Cancelled, now or before"),
            202: OpenApiResponse(ImportShape, "It is being written, and will stop"),
        },
        examples=[EXAMPLE],
    )
    def post(self, request: Request, job: UUID) -> Answer:
        """Cancel: at once if nothing is written yet, soon if it is; nothing of it stays.

        What is done or failed is over: 409. Scope `authoring`.
        """
        query(request, NoQuery)
        return once(request, lambda: self._cancel(request, job))

    def _cancel(self, request: Request, uuid: UUID) -> Outcome:
        job = one_import(request, uuid)
        if job.state in OVER:
            raise Conflict("import_is_over", state=job.state)
        jobs.cancel(job=job, now=clock.now())
        payload = shown(request, uuid)
        return Outcome(200 if payload["state"] == "cancelled" else 202, payload, address(uuid))

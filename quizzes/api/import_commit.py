"""Commit and cancel: how an import ends."""

from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictCharField, StrictIntegerField, StrictSerializer
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.import_serializers import (
    EXAMPLE,
    ImportDetailSerializer,
    build_import_result,
    get_import,
    import_row,
    lock_import_version,
)
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import WRITTEN_ETAG, describe_if_match, require_unchanged
from quizzes.imports import import_reading, jobs, tasks
from quizzes.imports.models import ImportJob, State
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid

MAX_ITEMS = 200_000
FINISHED = {State.DONE, State.FAILED}
COMMIT_EXAMPLE = OpenApiExample(
    "Two items, if the bank is still as it was",
    {"items": [0, 3], "bank_fingerprint": "0f3a9c1d2b4e5f60"},
    request_only=True,
)


class CommitImportRequest(StrictSerializer):
    """Which items are written; without `items` those that are selected.

    By default all but conflicts, and reviews of what is there.
    """

    items = serializers.ListField(
        child=StrictIntegerField(min_value=0),
        required=False,
        max_length=MAX_ITEMS,
        help_text="Their numbers, as in the report. What is the same or refused stays so.",
    )
    bank_fingerprint = StrictCharField(
        required=False,
        max_length=40,
        help_text="That of the import: 409 if the bank was changed since.",
    )


class CommitView(BaseAPIView):
    """Writing what was selected."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}
    takes_if_match = True

    @extend_schema(
        operation_id="commitImport",
        summary="Write what was selected",
        tags=["imports"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the import"), WRITTEN_ETAG],
        request=CommitImportRequest,
        responses={202: OpenApiResponse(ImportDetailSerializer, "Selected, now or before")},
        examples=[EXAMPLE, COMMIT_EXAMPLE],
    )
    def post(self, request: Request, job: UUID) -> APIResponse:
        """Write all that was selected, or nothing. Scope `authoring`.

        Committed before with the same selection, it answers the same and writes nothing twice.
        409: `import_not_read`, `import_is_over`, `selection_differs`, or `bank_changed`; after the
        last there is a new plan, to be checked again.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CommitImportRequest)
        return idempotent(
            request, lambda: self._commit(request, job, posted), same_transaction=False
        )

    def _commit(self, request: Request, uuid: UUID, posted: dict[str, Any]) -> WriteResult:
        job, by = get_import(request, uuid), request_user(request)
        selected = _read_selection(posted.get("items"), job)
        try:
            with require_unchanged(request, partial(lock_import_version, job)):
                job = jobs.confirm_selection(
                    job=job,
                    selected=selected,
                    by=by,
                    bank_fingerprint=posted.get("bank_fingerprint", ""),
                )
        except Conflict as conflict:
            if conflict.code == "bank_changed" and import_reading.replan(
                job=job, by=by, now=clock.now()
            ):
                tasks.advance(job.pk)
            raise
        if job.selected_items != selected:
            raise Conflict("selection_differs")
        tasks.advance(job.pk)
        job = get_import(request, uuid)
        if job.state == State.READY:  # it was put back: the bank changed at the last moment
            raise Conflict(import_row(job)["code"])
        return build_import_result(job)


def _read_selection(items: list[int] | None, job: ImportJob) -> list[int] | None:
    """Return the numbers in their order, each once; one that no item has: Invalid.

    Without any, those that are selected already; None: the default ones.
    """
    if items is None:
        return job.selected_items
    if job.state in {State.AMBIGUOUS, State.READING}:
        return None
    for place, number in enumerate(items):
        if number >= job.total:
            raise Invalid("unknown_item", where=f"items.{place}")
    return sorted(set(items))


class CancelView(BaseAPIView):
    """Writing nothing."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}
    takes_if_match = True

    @extend_schema(
        operation_id="cancelImport",
        summary="Cancel an import",
        tags=["imports"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the import"), WRITTEN_ETAG],
        request=None,
        responses={
            200: OpenApiResponse(
                ImportDetailSerializer, "Cancelled, now or before; or `ready` again, as selected"
            ),
            202: OpenApiResponse(ImportDetailSerializer, "It is being written, and will stop"),
        },
        examples=[EXAMPLE],
    )
    def post(self, request: Request, job: UUID) -> APIResponse:
        """Cancel the step that it is at: nothing of it stays, and what was selected is kept.

        What is committed or planned again is `ready` again, at once or soon; what is `ready` or
        read for the first time is `cancelled`. What is done or failed is over: 409.
        Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        return idempotent(request, lambda: self._cancel(request, job))

    def _cancel(self, request: Request, uuid: UUID) -> WriteResult:
        job = get_import(request, uuid)
        if job.state in FINISHED:
            raise Conflict("import_is_over", state=job.state)
        with require_unchanged(request, partial(lock_import_version, job)):
            jobs.cancel(job=job, by=request_user(request), now=clock.now())
        return build_import_result(get_import(request, uuid), status=200)

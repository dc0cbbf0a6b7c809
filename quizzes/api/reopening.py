"""Reopening an attempt that was handed in."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import (
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.attempts.deadline_extension import MAX_MINUTES
from quizzes.lib import clock
from quizzes.results.reopening import reopen_attempt


class ReopenAttemptRequest(StrictSerializer):
    """How much time, and why."""

    minutes = StrictIntegerField(
        min_value=1,
        max_value=MAX_MINUTES,
        required=False,
        allow_null=True,
        default=None,
        help_text="from now; only an attempt that had no deadline goes on without",
    )
    reason = StrictCharField(max_length=300, help_text="for the audit log")


class ReopenedAttemptSerializer(serializers.Serializer[Any]):
    """The attempt that goes on with the paper and the answers of another."""

    id = serializers.UUIDField(source="uuid")
    number = serializers.IntegerField()
    reopened_from = serializers.UUIDField(source="reopened_from.uuid", help_text="void now")
    learner = serializers.UUIDField(source="learner.uuid")
    started_at = UTCDateTimeField()
    deadline_at = UTCDateTimeField(allow_null=True)


class ReopenAttemptView(BaseAPIView):
    """An attempt that goes on."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="reopenAttempt",
        summary="Let a learner go on with an attempt that was handed in",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY],
        request=ReopenAttemptRequest,
        responses={201: OpenApiResponse(ReopenedAttemptSerializer, "Goes on, as a new attempt")},
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """Open another attempt with the same questions and the answers; the earlier one is void.

        409: it is open or void (`still_open`, `void`), the learner has another attempt at the quiz
        open (`another_open`), or its answers were erased (`answers_erased`).
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ReopenAttemptRequest)

        def reopen() -> WriteResult:
            reopened = reopen_attempt(
                attempt=attempt, by=request_user(request), now=clock.now(), **posted
            )
            return WriteResult(201, ReopenedAttemptSerializer(reopened).data)

        return idempotent(request, reopen)

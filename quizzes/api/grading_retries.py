"""Grading that failed, tried again soon."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_query
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.results.deadline_queue import retry_soon
from quizzes.results.models import GradingFailure
from quizzes.results.selectors import list_overseen_attempts


class GradingRetrySerializer(serializers.Serializer[Any]):
    """An attempt that is graded again within seconds; how often that has failed."""

    attempt = serializers.UUIDField()
    tries = serializers.IntegerField()


class GradingRetryView(BaseAPIView):
    """The grading of an attempt that failed."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="retryGrading",
        summary="Try again to grade an attempt",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={202: OpenApiResponse(GradingRetrySerializer, "It is tried within seconds")},
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """Have an attempt that you oversee, and that could not be graded, tried again now.

        One whose grading has not failed: 409, `grading_has_not_failed`. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        return idempotent(request, lambda: self._retry(request, attempt))

    def _retry(self, request: Request, attempt: UUID) -> WriteResult:
        row = list_overseen_attempts(request_user(request)).filter(uuid=attempt).first()
        if row is None:
            raise NotFound
        failure = GradingFailure.objects.filter(attempt=row).first()
        if failure is None:
            raise Refused("grading_has_not_failed")
        retry_soon(attempt=row, now=clock.now())
        payload = {"attempt": row.uuid, "tries": failure.tries}
        return WriteResult(202, GradingRetrySerializer(payload).data)

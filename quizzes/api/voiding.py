"""Taking an attempt out of the count."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictCharField, StrictSerializer, UTCDateTimeField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.lib import clock
from quizzes.results.services import void


class VoidAttemptRequest(StrictSerializer):
    """Why an attempt does not count."""

    reason = StrictCharField(max_length=300, help_text="it stays with the attempt")


class VoidAttemptSerializer(serializers.Serializer[Any]):
    """An attempt that counts no more; its rows stay."""

    id = serializers.UUIDField(source="uuid")
    number = serializers.IntegerField()
    learner = serializers.UUIDField(source="learner.uuid")
    state = serializers.CharField()
    reason = serializers.CharField(source="void_reason")
    updated_at = UTCDateTimeField()


class VoidAttemptView(BaseAPIView):
    """An attempt that does not count."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="voidAttempt",
        summary="Take an attempt out of the count",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY],
        request=VoidAttemptRequest,
        responses={200: OpenApiResponse(VoidAttemptSerializer, "It counts no more")},
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """Void an attempt in a class that you teach: the learner's grade is counted without it.

        An attempt that is void already stays as it is, with its reason.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, VoidAttemptRequest)

        def void_attempt() -> WriteResult:
            voided = void(
                attempt=attempt,
                by=request_user(request),
                reason=posted["reason"],
                now=clock.now(),
            )
            return WriteResult(200, VoidAttemptSerializer(voided).data)

        return idempotent(request, void_attempt)

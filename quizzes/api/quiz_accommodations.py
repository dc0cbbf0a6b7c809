"""What somebody has at one quiz: more time, more attempts, a closing time of their own."""

from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope, User
from quizzes.api.accommodations import find_learner
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import (
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import StrictDateTimeField
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    CONDITIONAL_GET,
    NOT_MODIFIED,
    WRITTEN_ETAG,
    describe_if_match,
    hash_version,
    require_unchanged,
    tagged_response,
    tagged_write,
)
from quizzes.attempts.deadline_settings import lock_accommodation, save_accommodation
from quizzes.attempts.models import (
    LEAST_TIME_PERCENT,
    MOST_EXTRA_ATTEMPTS,
    MOST_TIME_PERCENT,
    Accommodation,
)
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.publishing.access import visible_to
from quizzes.publishing.models import Quiz


class AccommodationSerializer(serializers.Serializer[Any]):
    """What somebody has at a quiz; 100, 0 and null is what everybody has."""

    quiz = serializers.UUIDField(source="quiz.uuid")
    person = serializers.UUIDField(source="learner.uuid")
    time_percent = serializers.IntegerField(help_text="of its time limit and of its window")
    extra_attempts = serializers.IntegerField()
    closes_at = UTCDateTimeField(
        allow_null=True, help_text="their own closing time, where it is later than that of others"
    )
    reason = serializers.CharField(allow_blank=True)


class SaveAccommodationRequest(StrictSerializer):
    """What somebody has at a quiz from now on; what is left out is as for everybody."""

    time_percent = StrictIntegerField(
        min_value=LEAST_TIME_PERCENT, max_value=MOST_TIME_PERCENT, required=False, default=100
    )
    extra_attempts = StrictIntegerField(
        min_value=0, max_value=MOST_EXTRA_ATTEMPTS, required=False, default=0
    )
    closes_at = StrictDateTimeField(required=False, allow_null=True, default=None)
    reason = StrictCharField(max_length=300, required=False, default="", allow_blank=True)


def _find_quiz(request: Request, quiz: UUID) -> Quiz:
    row = visible_to(request_user(request)).filter(uuid=quiz).first()
    if row is None:
        raise NotFound
    return row


def _describe(quiz: Quiz, learner: User, stored: Accommodation | None) -> dict[str, Any]:
    row = stored or Accommodation(quiz=quiz, learner=learner)
    return dict(AccommodationSerializer(row).data)


class QuizAccommodationView(BaseAPIView):
    """What somebody has at one quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}
    takes_if_match = True

    @extend_schema(
        operation_id="getAccommodation",
        summary="More time or attempts at one quiz",
        tags=["classes"],
        parameters=CONDITIONAL_GET,
        responses={200: AccommodationSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, quiz: UUID, person: UUID) -> HttpResponse:
        """Show what a learner whom you teach has at a quiz that you may read."""
        parse_query(request, EmptyQuery)
        payload = self._load(request, quiz, person)
        return tagged_response(request, payload, hash_version(payload))

    @extend_schema(
        operation_id="saveAccommodation",
        summary="Give somebody more time or attempts at one quiz, or let them in late",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("what they have"), WRITTEN_ETAG],
        request=SaveAccommodationRequest,
        responses={200: OpenApiResponse(AccommodationSerializer, "As it is now")},
    )
    def post(self, request: Request, quiz: UUID, person: UUID) -> APIResponse:
        """Give a learner whom you teach more time, more attempts or a later closing at a quiz.

        An attempt in progress has it, too; time that it has already is not taken back.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, SaveAccommodationRequest)
        return idempotent(
            request,
            lambda: self._save(request, quiz, person, posted),
            replay=lambda _: self._read(request, quiz, person),
        )

    def _load(self, request: Request, quiz: UUID, person: UUID) -> dict[str, Any]:
        row, learner = _find_quiz(request, quiz), find_learner(request, person)
        stored = Accommodation.objects.filter(quiz=row, learner=learner).first()
        return _describe(row, learner, stored)

    def _read(self, request: Request, quiz: UUID, person: UUID) -> WriteResult:
        payload = self._load(request, quiz, person)
        return tagged_write(payload, hash_version(payload))

    def _save(
        self, request: Request, quiz: UUID, person: UUID, posted: dict[str, Any]
    ) -> WriteResult:
        row, learner = _find_quiz(request, quiz), find_learner(request, person)
        with transaction.atomic():
            stored = lock_accommodation(quiz=row, learner=learner)

            def read_version() -> str:
                return hash_version(_describe(row, learner, stored))

            with require_unchanged(request, read_version):
                accommodation = stored or Accommodation(quiz=row, learner=learner)
                for name, value in posted.items():
                    setattr(accommodation, name, value)
                save_accommodation(
                    accommodation=accommodation, by=request_user(request), now=clock.now()
                )
        payload = _describe(row, learner, accommodation)
        return tagged_write(payload, hash_version(payload))

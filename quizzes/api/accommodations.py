"""What somebody has at every quiz: more time, and windows that close later."""

from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import learners_taught
from accounts.models import Scope, User
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictCharField, StrictIntegerField, StrictSerializer
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
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
from quizzes.attempts.deadline_settings import (
    lock_standing_accommodation,
    save_standing_accommodation,
)
from quizzes.attempts.models import (
    LEAST_TIME_PERCENT,
    MOST_EXTRA_MINUTES,
    MOST_TIME_PERCENT,
    MOST_WINDOW_MINUTES,
    StandingAccommodation,
)
from quizzes.lib import clock
from quizzes.lib.errors import NotFound


class StandingAccommodationSerializer(serializers.Serializer[Any]):
    """What somebody has at every quiz; 100 and 0 is what everybody has."""

    person = serializers.UUIDField(source="learner.uuid")
    time_percent = serializers.IntegerField(help_text="of the time limit of each quiz")
    extra_minutes = serializers.IntegerField(
        help_text="added to the time limit, or to the closing where there is none"
    )
    window_minutes = serializers.IntegerField(
        help_text="by which each window closes later, besides the extra time"
    )
    reason = serializers.CharField(allow_blank=True)


class SaveStandingAccommodationRequest(StrictSerializer):
    """What somebody has at every quiz from now on; what is left out is as for everybody."""

    time_percent = StrictIntegerField(
        min_value=LEAST_TIME_PERCENT, max_value=MOST_TIME_PERCENT, required=False, default=100
    )
    extra_minutes = StrictIntegerField(
        min_value=0, max_value=MOST_EXTRA_MINUTES, required=False, default=0
    )
    window_minutes = StrictIntegerField(
        min_value=0, max_value=MOST_WINDOW_MINUTES, required=False, default=0
    )
    reason = StrictCharField(max_length=300, required=False, default="", allow_blank=True)


def find_learner(request: Request, person: UUID) -> User:
    """Return somebody whom this person teaches; there is nobody else: NotFound."""
    learner = learners_taught(request_user(request)).filter(uuid=person).first()
    if learner is None:
        raise NotFound
    return learner


def _describe(learner: User, stored: StandingAccommodation | None) -> dict[str, Any]:
    row = stored or StandingAccommodation(learner=learner)
    return dict(StandingAccommodationSerializer(row).data)


class StandingAccommodationView(BaseAPIView):
    """What somebody has at every quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}
    takes_if_match = True

    @extend_schema(
        operation_id="getStandingAccommodation",
        summary="More time at every quiz",
        tags=["classes"],
        parameters=CONDITIONAL_GET,
        responses={200: StandingAccommodationSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, person: UUID) -> HttpResponse:
        """Show what a learner whom you teach has at every quiz."""
        parse_query(request, EmptyQuery)
        payload = self._load(request, person)
        return tagged_response(request, payload, hash_version(payload))

    @extend_schema(
        operation_id="saveStandingAccommodation",
        summary="Give somebody more time at every quiz",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("what they have"), WRITTEN_ETAG],
        request=SaveStandingAccommodationRequest,
        responses={200: OpenApiResponse(StandingAccommodationSerializer, "As it is now")},
    )
    def post(self, request: Request, person: UUID) -> APIResponse:
        """Give a learner whom you teach more time at every quiz; attempts in progress have it, too.

        Time that an attempt in progress has already is not taken back.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, SaveStandingAccommodationRequest)

        return idempotent(
            request,
            lambda: self._save(request, person, posted),
            replay=lambda _: self._read(request, person),
        )

    def _load(self, request: Request, person: UUID) -> dict[str, Any]:
        learner = find_learner(request, person)
        return _describe(learner, StandingAccommodation.objects.filter(learner=learner).first())

    def _read(self, request: Request, person: UUID) -> WriteResult:
        payload = self._load(request, person)
        return tagged_write(payload, hash_version(payload))

    def _save(self, request: Request, person: UUID, posted: dict[str, Any]) -> WriteResult:
        learner = find_learner(request, person)
        row = StandingAccommodation(learner=learner, **posted)

        def lock_version() -> str:
            return hash_version(_describe(learner, lock_standing_accommodation(learner)))

        with transaction.atomic(), require_unchanged(request, lock_version):
            save_standing_accommodation(
                accommodation=row, by=request_user(request), now=clock.now()
            )
        payload = _describe(learner, row)
        return tagged_write(payload, hash_version(payload))

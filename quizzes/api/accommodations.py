"""What somebody has at every quiz: more time, and windows that close later."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import learners_taught
from accounts.models import Scope, User
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictCharField, StrictIntegerField, StrictSerializer
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.attempts.deadline_settings import save_standing_accommodation
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


def _find_learner(request: Request, person: UUID) -> User:
    """Return somebody whom this person teaches; there is nobody else: NotFound."""
    learner = learners_taught(request_user(request)).filter(uuid=person).first()
    if learner is None:
        raise NotFound
    return learner


class StandingAccommodationView(BaseAPIView):
    """What somebody has at every quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="getStandingAccommodation",
        summary="More time at every quiz",
        tags=["classes"],
        responses=StandingAccommodationSerializer,
    )
    def get(self, request: Request, person: UUID) -> Response:
        """Show what a learner whom you teach has at every quiz."""
        parse_query(request, EmptyQuery)
        learner = _find_learner(request, person)
        row = StandingAccommodation.objects.filter(learner=learner).first()
        row = row or StandingAccommodation(learner=learner)
        return Response(StandingAccommodationSerializer(row).data)

    @extend_schema(
        operation_id="saveStandingAccommodation",
        summary="Give somebody more time at every quiz",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY],
        request=SaveStandingAccommodationRequest,
        responses={200: OpenApiResponse(StandingAccommodationSerializer, "As it is now")},
    )
    def post(self, request: Request, person: UUID) -> APIResponse:
        """Give a learner whom you teach more time at every quiz; attempts in progress have it, too.

        Time that an attempt in progress has already is not taken back.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, SaveStandingAccommodationRequest)

        def save() -> WriteResult:
            row = StandingAccommodation(learner=_find_learner(request, person), **posted)
            save_standing_accommodation(
                accommodation=row, by=request_user(request), now=clock.now()
            )
            return WriteResult(200, StandingAccommodationSerializer(row).data)

        return idempotent(request, save)

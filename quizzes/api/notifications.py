"""Of what one is notified by mail."""

from typing import Any, ClassVar

from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictSerializer
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
from quizzes.lib import clock
from quizzes.notifications.models import NotificationKind
from quizzes.notifications.preferences import (
    choose_kinds,
    list_wanted_kinds,
    lock_wanted_kinds,
)


class NotificationChoiceSerializer(serializers.Serializer[Any]):
    """The kinds of notifications that you get; any other you do not."""

    kinds = serializers.ListField(child=serializers.ChoiceField(NotificationKind.choices))


class ChooseNotificationsRequest(StrictSerializer):
    """The kinds of notifications that you want, all of them."""

    kinds = serializers.ListField(
        child=serializers.ChoiceField(NotificationKind.choices), max_length=len(NotificationKind)
    )


class NotificationChoiceView(BaseAPIView):
    """Of what one is notified."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.PERSONAL_DATA,), "POST": (Scope.PERSONAL_DATA,)}
    takes_if_match = True

    @extend_schema(
        operation_id="getNotificationChoice",
        summary="Of what you are notified",
        tags=["me"],
        parameters=CONDITIONAL_GET,
        responses={200: NotificationChoiceSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request) -> HttpResponse:
        """Show the kinds of notifications that you get by mail. Scope `personal_data`."""
        parse_query(request, EmptyQuery)
        payload = _describe(list_wanted_kinds(request_user(request)))
        return tagged_response(request, payload, hash_version(payload))

    @extend_schema(
        operation_id="chooseNotifications",
        summary="Choose of what you are notified",
        tags=["me"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the choice"), WRITTEN_ETAG],
        request=ChooseNotificationsRequest,
        responses={200: OpenApiResponse(NotificationChoiceSerializer, "As it is now")},
    )
    def post(self, request: Request) -> APIResponse:
        """Be notified of these kinds and of no other. Scope `personal_data`."""
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ChooseNotificationsRequest)
        return idempotent(request, lambda: self._choose(request, posted))

    def _choose(self, request: Request, posted: dict[str, Any]) -> WriteResult:
        user = request_user(request)

        def lock_version() -> str:
            return hash_version(_describe(lock_wanted_kinds(user)))

        with transaction.atomic(), require_unchanged(request, lock_version):
            choose_kinds(user=user, kinds=posted["kinds"], now=clock.now())
        payload = _describe(list_wanted_kinds(user))
        return tagged_write(payload, hash_version(payload))


def _describe(kinds: list[NotificationKind]) -> dict[str, Any]:
    return dict(NotificationChoiceSerializer({"kinds": kinds}).data)

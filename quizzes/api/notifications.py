"""Of what one is notified by mail."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictSerializer
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.lib import clock
from quizzes.notifications.models import NotificationKind
from quizzes.notifications.preferences import choose_kinds, list_wanted_kinds


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

    @extend_schema(
        operation_id="getNotificationChoice",
        summary="Of what you are notified",
        tags=["me"],
        responses=NotificationChoiceSerializer,
    )
    def get(self, request: Request) -> Response:
        """Show the kinds of notifications that you get by mail. Scope `personal_data`."""
        parse_query(request, EmptyQuery)
        return Response(self._describe(request))

    @extend_schema(
        operation_id="chooseNotifications",
        summary="Choose of what you are notified",
        tags=["me"],
        parameters=[IDEMPOTENCY_KEY],
        request=ChooseNotificationsRequest,
        responses=NotificationChoiceSerializer,
    )
    def post(self, request: Request) -> APIResponse:
        """Be notified of these kinds and of no other. Scope `personal_data`."""
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ChooseNotificationsRequest)
        return idempotent(request, lambda: self._choose(request, posted))

    def _choose(self, request: Request, posted: dict[str, Any]) -> WriteResult:
        choose_kinds(user=request_user(request), kinds=posted["kinds"], now=clock.now())
        return WriteResult(200, self._describe(request))

    @staticmethod
    def _describe(request: Request) -> Any:
        kinds = list_wanted_kinds(request_user(request))
        return NotificationChoiceSerializer({"kinds": kinds}).data

"""Which mails learners got of their results and quizzes, which not and why; sent again."""

from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    LanguageQuery,
    parse_body,
    parse_query,
)
from quizzes.api.fields import StrictSerializer, StrictUUIDField, UTCDateTimeField
from quizzes.api.gradebook import GradebookLearnerSerializer
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import MAX_PAGE_SIZE, Order, PageQuery, paginate
from quizzes.api.permissions import Scopes, request_user
from quizzes.lib import clock
from quizzes.notifications.access import list_overseen_notifications
from quizzes.notifications.models import Notification, NotificationKind, NotificationState
from quizzes.notifications.services import send_again
from quizzes.presentation.messages.notifications import describe_omission

BY_ID: Final = Order((("pk", int),))


class SentNotificationSerializer(serializers.Serializer[Any]):
    """A mail to a learner: of what, and what became of it."""

    id = serializers.UUIDField(source="uuid")
    recipient = GradebookLearnerSerializer()
    kind = serializers.CharField()
    quiz = serializers.UUIDField(source="quiz.uuid", default=None, allow_null=True)
    delivery = serializers.ChoiceField(NotificationState.choices, source="state")
    created_at = UTCDateTimeField()
    sent_at = UTCDateTimeField(allow_null=True)
    reason = serializers.SerializerMethodField(help_text="why it was not sent, or not yet")

    def get_reason(self, notification: Notification) -> str:
        """Return it in the language asked for."""
        return describe_omission(notification.error) if notification.error else ""


class SentNotificationPageSerializer(serializers.Serializer[Any]):
    """Some mails, the oldest first."""

    items = SentNotificationSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class SentNotificationQuery(PageQuery, LanguageQuery):
    """The query of the list."""

    delivery = serializers.ChoiceField(NotificationState.choices, required=False)
    kind = serializers.ChoiceField(NotificationKind.choices, required=False)
    quiz = serializers.UUIDField(required=False)


class SendAgainRequest(StrictSerializer):
    """Mails that are to be tried again."""

    notifications = serializers.ListField(
        child=StrictUUIDField(), min_length=1, max_length=MAX_PAGE_SIZE
    )


class SentAgainSerializer(serializers.Serializer[Any]):
    """How many are tried again within a minute, and how many were sent or wait."""

    again = serializers.IntegerField()
    unchanged = serializers.IntegerField()


class SentNotificationsView(BaseAPIView):
    """The mails to the learners whom you oversee."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}

    @extend_schema(
        operation_id="listSentNotifications",
        summary="Mails to learners of their results and quizzes",
        tags=["results"],
        parameters=[SentNotificationQuery],
        responses=SentNotificationPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List which mails the learners whom you oversee got, which not and why; none of yours."""
        params = parse_query(request, SentNotificationQuery)
        rows = list_overseen_notifications(request_user(request))
        named = {"delivery": "state", "kind": "kind", "quiz": "quiz__uuid"}
        filters = {named[name]: params[name] for name in named if name in params}
        rows = rows.filter(**filters).select_related("recipient", "quiz")
        page = paginate(rows, BY_ID, request, params)
        return Response(SentNotificationPageSerializer(page.to_json(page.rows)).data)


class SendAgainView(BaseAPIView):
    """Mails that were not sent, tried again."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="sendNotificationsAgain",
        summary="Have mails sent that were not",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=SendAgainRequest,
        responses={200: OpenApiResponse(SentAgainSerializer, "How many")},
    )
    def post(self, request: Request) -> APIResponse:
        """Try those again that are in quarantine or were not sent; the others stay as they are.

        None of learners whom you oversee: 404. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        chosen = set(parse_body(request, SendAgainRequest)["notifications"])
        return idempotent(request, lambda: self._send(request, chosen))

    def _send(self, request: Request, chosen: set[UUID]) -> WriteResult:
        count = send_again(notifications=chosen, by=request_user(request), now=clock.now())
        payload = {"again": count, "unchanged": len(chosen) - count}
        return WriteResult(200, SentAgainSerializer(payload).data)

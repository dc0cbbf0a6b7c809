"""Invitations: those into one's classes, sent, sent again and withdrawn; those to oneself."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.urls import resolve, reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import invitations
from accounts.invitation_acceptance import (
    UNENDED,
    accept_invitation,
    decline_invitation,
    list_invitations,
    open_at,
)
from accounts.models import Group, Invitation, InvitationState, Role, Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.change_pages import ChangePageSerializer, paginate_changes
from quizzes.api.classes import get_class
from quizzes.api.fields import (
    StrictBooleanField,
    StrictCharField,
    StrictSerializer,
    StrictUUIDField,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import PageQuery
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
from quizzes.lib.errors import NotFound


class InvitationSerializer(serializers.Serializer[Any]):
    """An address that is asked to join. Whether it has an account is told to nobody."""

    id = serializers.UUIDField(source="uuid")
    email = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    school_id = serializers.CharField(allow_blank=True)
    class_id = serializers.UUIDField(source="group.uuid", default=None, allow_null=True)
    role = serializers.CharField(allow_blank=True, help_text="in the class")
    state = serializers.SerializerMethodField()
    created_at = UTCDateTimeField()
    expires_at = UTCDateTimeField()
    mails = serializers.IntegerField(help_text="how often it was sent")

    def get_state(self, invitation: Invitation) -> str:
        """Return what became of it: open, expired, accepted, declined or withdrawn."""
        return invitation.state_at(clock.now()).value


class InvitationPageSerializer(ChangePageSerializer):
    """Some invitations, in the order of their last change."""

    items = InvitationSerializer(many=True)


class InvitationListQuery(PageQuery):
    """The query of the list."""

    class_id = serializers.UUIDField(required=False)
    state = serializers.ChoiceField(InvitationState.values, required=False)


class CreateInvitationRequest(StrictSerializer):
    """Whom to invite, and as what. Without a class: to the site, by administrators."""

    email = serializers.EmailField(max_length=254)
    class_id = StrictUUIDField(required=False, allow_null=True)
    role = serializers.ChoiceField(Role.choices, required=False)
    name = StrictCharField(max_length=150, required=False, allow_blank=True)
    language = serializers.ChoiceField(settings.LANGUAGES, required=False, help_text="of the mail")


class SentInvitationsSerializer(serializers.Serializer[Any]):
    """How many invitations were sent again."""

    sent = serializers.IntegerField()


class OwnInvitationSerializer(serializers.Serializer[Any]):
    """A class that invites you."""

    id = serializers.UUIDField(source="uuid")
    class_name = serializers.CharField(source="group.name")
    role = serializers.ChoiceField(Role.choices)
    invited_by = serializers.CharField()
    expires_at = UTCDateTimeField()


class OwnInvitationListSerializer(serializers.Serializer[Any]):
    """The classes that invite you."""

    items = OwnInvitationSerializer(many=True)


class AnswerInvitationRequest(StrictSerializer):
    """Whether you join."""

    accept = StrictBooleanField()


def _build_state_filters() -> Mapping[str, Q]:
    now = clock.now()
    return {
        "open": open_at(now),
        "expired": UNENDED & Q(expires_at__lte=now),
        "accepted": ~Q(accepted_at=None),
        "declined": ~Q(declined_at=None),
        "withdrawn": ~Q(withdrawn_at=None),
    }


def _select_invitation(request: Request, invitation: UUID) -> QuerySet[Invitation]:
    return invitations.visible_to(request_user(request)).filter(uuid=invitation)


def _get_invitation(request: Request, invitation: UUID) -> Invitation:
    row = _select_invitation(request, invitation).first()
    if row is None:
        raise NotFound
    return row


def _lock_version(request: Request, invitation: UUID) -> str:
    """Lock an invitation and return its version."""
    row = _select_invitation(request, invitation).select_for_update(of=("self",)).first()
    if row is None:
        raise NotFound
    return _invitation_version(row)


def _invitation_version(invitation: Invitation) -> str:
    return hash_version(invitation.uuid, invitation.change_number)


def _build_result(request: Request, invitation: UUID, status: int) -> WriteResult:
    row = _get_invitation(request, invitation)
    payload = InvitationSerializer(row).data
    location = reverse("api:invitation", args=[invitation]) if status == 201 else ""  # noqa: PLR2004  HTTP
    return tagged_write(payload, _invitation_version(row), status=status, location=location)


class InvitationsView(BaseAPIView):
    """All invitations."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="listInvitations",
        summary="Invitations into your classes",
        tags=["invitations"],
        parameters=[InvitationListQuery],
        responses=InvitationPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the invitations into classes that you teach. Scope `classes`."""
        params = parse_query(request, InvitationListQuery)
        rows = invitations.visible_to(request_user(request))
        if "class_id" in params:
            rows = rows.filter(group__uuid=params["class_id"])
        if "state" in params:
            rows = rows.filter(_build_state_filters()[params["state"]])
        page = paginate_changes(rows, request, params)
        return Response(InvitationPageSerializer(page.to_json(page.rows)).data)

    @extend_schema(
        operation_id="createInvitation",
        summary="Invite an address",
        tags=["invitations"],
        parameters=[IDEMPOTENCY_KEY, WRITTEN_ETAG],
        request=CreateInvitationRequest,
        responses={201: OpenApiResponse(InvitationSerializer, "The mail is on its way")},
    )
    def post(self, request: Request) -> APIResponse:
        """Invite an address into a class that you teach; one that waits is sent again.

        Many at once: `POST /classes/{class}/rosters`. 409: `invitation_sent_often`,
        `invitations_too_many`. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CreateInvitationRequest)
        return idempotent(
            request,
            lambda: self._invite(request, posted),
            replay=lambda location: _build_result(
                request, resolve(location).kwargs["invitation"], 201
            ),
        )

    def _invite(self, request: Request, posted: dict[str, Any]) -> WriteResult:
        class_id = posted.pop("class_id", None)
        group: Group | None = get_class(request, class_id) if class_id else None
        invitation = invitations.invite(
            by=request_user(request), group=group, now=clock.now(), **posted
        )
        return _build_result(request, invitation.uuid, 201)


class InvitationView(BaseAPIView):
    """One invitation."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "DELETE": (Scope.CLASSES,)}
    sensitive_methods = frozenset({"DELETE"})
    takes_if_match = True

    @extend_schema(
        operation_id="getInvitation",
        summary="One invitation",
        tags=["invitations"],
        parameters=CONDITIONAL_GET,
        responses={200: InvitationSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, invitation: UUID) -> HttpResponse:
        """Show an invitation, and what became of it. Scope `classes`."""
        parse_query(request, EmptyQuery)
        row = _get_invitation(request, invitation)
        return tagged_response(request, InvitationSerializer(row).data, _invitation_version(row))

    @extend_schema(
        operation_id="withdrawInvitation",
        summary="Withdraw an invitation",
        tags=["invitations"],
        parameters=[describe_if_match("the invitation")],
        responses={204: OpenApiResponse(None, "Its link works no longer")},
    )
    def delete(self, request: Request, invitation: UUID) -> Response:
        """Withdraw an invitation; one that is over: 404. Scope `classes`."""
        parse_query(request, EmptyQuery)
        rows = _select_invitation(request, invitation)
        with require_unchanged(request, lambda: _lock_version(request, invitation)):
            invitations.withdraw(by=request_user(request), invitations=rows, now=clock.now())
        return Response(status=204)


class SendInvitationView(BaseAPIView):
    """Sending an invitation again."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    sensitive_methods = frozenset({"POST"})
    takes_if_match = True

    @extend_schema(
        operation_id="sendInvitation",
        summary="Send an invitation again",
        tags=["invitations"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the invitation"), WRITTEN_ETAG],
        request=None,
        responses={200: OpenApiResponse(InvitationSerializer, "The mail is on its way")},
    )
    def post(self, request: Request, invitation: UUID) -> APIResponse:
        """Send a new link; the one before works no longer. One that is over: 404.

        409: `invitation_sent_often`, `invitations_too_many`. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        return idempotent(
            request,
            lambda: self._send(request, invitation),
            replay=lambda _: _build_result(request, invitation, 200),
        )

    def _send(self, request: Request, uuid: UUID) -> WriteResult:
        invitation, by = _get_invitation(request, uuid), request_user(request)
        with require_unchanged(request, lambda: _lock_version(request, uuid)):
            invitations.send_again(by=by, invitation=invitation, now=clock.now())
        return _build_result(request, uuid, 200)


class SendInvitationsView(BaseAPIView):
    """Sending all invitations of a class again."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="sendInvitations",
        summary="Send all invitations of a class again",
        tags=["invitations"],
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={200: OpenApiResponse(SentInvitationsSerializer, "The mails are on their way")},
    )
    def post(self, request: Request, class_id: UUID) -> APIResponse:
        """Send a new link to all who have not answered, but for those sent five times.

        Nobody waits: `sent` is 0. 409: `invitations_too_many`. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        return idempotent(request, lambda: self._send(request, class_id))

    def _send(self, request: Request, class_id: UUID) -> WriteResult:
        rows = Invitation.objects.filter(UNENDED, group=get_class(request, class_id))
        by, sent = request_user(request), 0
        if rows.exists():
            sent = invitations.send_many_again(by=by, invitations=rows, now=clock.now())
        return WriteResult(200, {"sent": sent})


class OwnInvitationsView(BaseAPIView):
    """The invitations to oneself."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="listOwnInvitations",
        summary="Classes that invite you",
        tags=["me"],
        responses=OwnInvitationListSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the classes that invite your address, once you have confirmed it."""
        parse_query(request, EmptyQuery)
        rows = list_invitations(request_user(request), now=clock.now())
        return Response(OwnInvitationListSerializer({"items": rows}).data)


class OwnInvitationView(BaseAPIView):
    """Answering an invitation."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="answerInvitation",
        summary="Join a class that invites you, or decline",
        tags=["me"],
        parameters=[IDEMPOTENCY_KEY],
        request=AnswerInvitationRequest,
        responses={204: OpenApiResponse(None, "Answered")},
    )
    def post(self, request: Request, invitation: UUID) -> APIResponse:
        """Join or decline; its instructors see your results in its quizzes. Scope `classes`."""
        parse_query(request, EmptyQuery)
        posted = parse_body(request, AnswerInvitationRequest)
        return idempotent(request, lambda: self._answer(request, invitation, posted["accept"]))

    def _answer(self, request: Request, invitation: UUID, accepts: bool) -> WriteResult:
        user, now = request_user(request), clock.now()
        if accepts:
            accept_invitation(invitation=invitation, user=user, now=now)
        else:
            decline_invitation(invitation=invitation, user=user, now=now)
        return WriteResult(204, None)

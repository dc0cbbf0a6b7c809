"""The audit log: what one did oneself, what concerns one's classes, or all for administrators."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.utils import translation
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope, User
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.fields import UTCDateTimeField
from quizzes.api.pagination import (
    Order,
    PageQuery,
    QueryDateTimeField,
    paginate,
    parse_utc,
)
from quizzes.api.permissions import Scopes, request_user
from quizzes.attempts.access import audit_events_visible_to, may_see_origin
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.presentation.messages.audit import describe_audit_event

BY_CREATION = Order((("created_at", parse_utc), ("uuid", UUID)))
OVERLAP = timedelta(minutes=1)
"""Longer than a request's transaction may last: what had begun before is committed or undone."""
EXAMPLE = OpenApiExample(
    "A role that was changed",
    {
        "items": [
            {
                "id": "1f7f0c6c-6f0b-4c0e-9d7c-2f5d1c7a5211",
                "code": "membership_changed",
                "sentence": "Ana <ana@example.org> changed a role in the group Class A: Ben.",
                "created_at": "2026-11-21T12:00:00.000000Z",
                "person": {
                    "id": "0e7b1f5e-52b8-4d1f-8a52-5d9cbd4b7c10",
                    "name": "Ana <ana@example.org>",
                },
                "token": "",
                "address": "192.0.2.7",
                "user_agent": "Browser",
                "subject": {
                    "type": "user",
                    "id": "5d1c7a52-6f0b-4c0e-9d7c-2f1f7f0c6c11",
                    "name": "Ben <ben@example.org>",
                },
                "before": {"group": "Class A", "role": "learner"},
                "after": {"group": "Class A", "role": "instructor"},
            }
        ],
        "next": None,
        "cursor": "WyIyMDI2LTExLTIxIl0",
    },
    response_only=True,
)


class AuditPersonSerializer(serializers.Serializer[Any]):
    """Who did it, as they were called then."""

    id = serializers.UUIDField(allow_null=True)
    name = serializers.CharField(allow_blank=True)


class AuditSubjectSerializer(serializers.Serializer[Any]):
    """What it is about, as it was called then; it may be gone."""

    type = serializers.CharField(allow_blank=True)
    id = serializers.UUIDField(allow_null=True)
    name = serializers.CharField(allow_blank=True)


class AuditEventSerializer(serializers.Serializer[Any]):
    """Something that was done. Address and browser are those of your own events, else null."""

    id = serializers.UUIDField()
    code = serializers.CharField(help_text="what was done: stable, for programs")
    sentence = serializers.CharField(help_text="the same in words")
    created_at = UTCDateTimeField()
    person = AuditPersonSerializer()
    token = serializers.CharField(allow_blank=True, help_text="which token: its first characters")
    address = serializers.CharField(allow_null=True)
    user_agent = serializers.CharField(allow_null=True)
    subject = AuditSubjectSerializer()
    before = serializers.DictField(allow_null=True)
    after = serializers.DictField(allow_null=True)


class AuditEventPageSerializer(serializers.Serializer[Any]):
    """Some events, the oldest first."""

    items = AuditEventSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class AuditEventListQuery(PageQuery, LanguageQuery):
    """The query of the list."""

    code = serializers.ChoiceField(AuditCode.values, required=False)
    person = serializers.UUIDField(required=False, help_text="who did it")
    subject = serializers.UUIDField(required=False, help_text="what it is about")
    since = QueryDateTimeField(required=False, help_text="From this time on.")
    until = QueryDateTimeField(required=False, help_text="Before this time.")


LOOKUPS = {
    "code": "code",
    "person": "actor",
    "subject": "subject",
    "since": "created_at__gte",
    "until": "created_at__lt",
}


def _values(event: AuditEvent, viewer: User) -> dict[str, Any]:
    shows_origin = may_see_origin(viewer, event)
    return {
        "id": event.uuid,
        "code": event.code,
        "sentence": describe_audit_event(event),
        "created_at": event.created_at,
        "person": {"id": event.actor, "name": event.actor_label},
        "token": event.token,
        "address": event.address if shows_origin else None,
        "user_agent": event.user_agent if shows_origin else None,
        "subject": _subject(event.subject_type, event.subject, event.subject_label),
        "before": event.before,
        "after": event.after,
    }


def _subject(type_: str, id_: UUID | None, name: str) -> dict[str, Any]:
    return {"type": type_, "id": id_, "name": name}


def _hold_back(cursor: str | None) -> str | None:
    """Return a cursor for going on later that stands a minute back at least.

    An event may be committed after one that has a later time, and must not be passed over.
    """
    horizon = clock.now() - OVERLAP
    if cursor is None or BY_CREATION.read(cursor)[0] < horizon:
        return cursor
    return BY_CREATION.write([horizon, UUID(int=0)])


class AuditEventsView(BaseAPIView):
    """The audit log."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUDIT,)}

    @extend_schema(
        operation_id="listAuditEvents",
        summary="The audit log",
        tags=["audit"],
        parameters=[AuditEventListQuery],
        responses=AuditEventPageSerializer,
        examples=[EXAMPLE],
    )
    def get(self, request: Request) -> Response:
        """List what you did, what concerns the classes you teach, or all. Scope `audit`.

        `cursor` never stands in the last minute: go on from it later, and events of that minute
        come again.
        """
        params, viewer = parse_query(request, AuditEventListQuery), request_user(request)
        lookups = {lookup: params[name] for name, lookup in LOOKUPS.items() if name in params}
        events = audit_events_visible_to(viewer).filter(**lookups)
        page = paginate(events, BY_CREATION, request, params)
        page = replace(page, cursor=_hold_back(page.cursor))
        with translation.override(response_language(request, params)):
            rows = [_values(event, viewer) for event in page.rows]
            return Response(AuditEventPageSerializer(page.to_json(rows)).data)

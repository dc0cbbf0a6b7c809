"""The audit log: what one did oneself, what concerns one's classes, or all for administrators."""

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import F
from django.utils import translation
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
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
from quizzes.audit import sealing
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.presentation.messages.audit import describe_audit_event

BY_SEAL = Order((("seal_number", int), ("created_at", parse_utc), ("uuid", UUID)))
"""Seals are numbered as they are committed, and no event is added to one: none is passed over."""
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
        "cursor": "WyI0MSIsICIyMDI2LTExLTIxIl0",
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
    """Some events, in the order in which they were sealed: nearly that of their times."""

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


def _refuse_future(cursor: str | None) -> None:
    """Refuse a cursor from before the database went back in time: events would be missed."""
    last = sealing.load_last_seal()
    if cursor is not None and BY_SEAL.read(cursor)[0] > (last.number if last else 0):
        restored = gettext_lazy("The site was brought back from a backup. Begin without a cursor.")
        raise ValidationError({"cursor": [restored]}, code="cursor_ahead")


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

        In the order in which they were sealed. Go on from `cursor` later: you meet every event
        once, whenever it was committed.
        """
        params, viewer = parse_query(request, AuditEventListQuery), request_user(request)
        lookups = {lookup: params[name] for name, lookup in LOOKUPS.items() if name in params}
        sealing.seal(now=clock.now())  # what is new is listed now, not in a minute
        _refuse_future(params.get("cursor"))
        sealed = audit_events_visible_to(viewer).filter(sealed__isnull=False, **lookups)
        events = sealed.annotate(seal_number=F("sealed__seal__number"))
        page = paginate(events, BY_SEAL, request, params)
        with translation.override(response_language(request, params)):
            rows = [_values(event, viewer) for event in page.rows]
            return Response(AuditEventPageSerializer(page.to_json(rows)).data)

"""Quizzes given to a class: which, and from when to when."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.classes import lock_class
from accounts.models import Group, Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.classes import get_class
from quizzes.api.fields import StrictSerializer, UTCDateTimeField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import Order, PageQuery, StrictDateTimeField, paginate
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
from quizzes.attempts.deadline_settings import save_assignment
from quizzes.attempts.models import Assignment
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.publishing.access import visible_to

BY_KEY = Order((("pk", int),))


class AssignmentSerializer(serializers.Serializer[Any]):
    """A quiz that a class has, and its window; null: no limit but that of the quiz."""

    quiz = serializers.UUIDField(source="quiz.uuid")
    slug = serializers.CharField(source="quiz.slug")
    opens_at = UTCDateTimeField(allow_null=True)
    closes_at = UTCDateTimeField(allow_null=True)


class AssignmentPageSerializer(serializers.Serializer[Any]):
    """Some quizzes of a class, those that it was given first at the beginning."""

    items = AssignmentSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class SaveAssignmentRequest(StrictSerializer):
    """The window from now on; what is left out is without limit."""

    opens_at = StrictDateTimeField(required=False, allow_null=True, default=None)
    closes_at = StrictDateTimeField(required=False, allow_null=True, default=None)

    def validate(self, attrs: Mapping[str, Any]) -> Mapping[str, Any]:
        """Refuse a window that closes before it opens."""
        opens_at, closes_at = attrs["opens_at"], attrs["closes_at"]
        if opens_at is not None and closes_at is not None and opens_at >= closes_at:
            raise ValidationError(
                {"closes_at": [_("The assignment must open before it closes.")]},
                code="closes_before_opening",
            )
        return attrs


def _find_assignment(group: Group, quiz: UUID) -> Assignment | None:
    return group.assignments.select_related("quiz").filter(quiz__uuid=quiz).first()


def _describe(assignment: Assignment) -> dict[str, Any]:
    return dict(AssignmentSerializer(assignment).data)


class AssignmentsView(BaseAPIView):
    """The quizzes of a class."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="listAssignments",
        summary="Quizzes of a class",
        tags=["classes"],
        parameters=[PageQuery],
        responses=AssignmentPageSerializer,
    )
    def get(self, request: Request, class_id: UUID) -> Response:
        """List the quizzes that a class which you teach was given. Scope `classes`."""
        params = parse_query(request, PageQuery)
        rows = get_class(request, class_id).assignments.select_related("quiz")
        page = paginate(rows, BY_KEY, request, params)
        return Response(AssignmentPageSerializer(page.to_json(page.rows)).data)


class AssignmentView(BaseAPIView):
    """A quiz of a class."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}
    takes_if_match = True

    @extend_schema(
        operation_id="getAssignment",
        summary="When a quiz is open to a class",
        tags=["classes"],
        parameters=CONDITIONAL_GET,
        responses={200: AssignmentSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, class_id: UUID, quiz: UUID) -> HttpResponse:
        """Show the window of a quiz for a class that you teach; one it was not given: 404."""
        parse_query(request, EmptyQuery)
        assignment = _find_assignment(get_class(request, class_id), quiz)
        if assignment is None:
            raise NotFound
        payload = _describe(assignment)
        return tagged_response(request, payload, hash_version(payload))

    @extend_schema(
        operation_id="saveAssignment",
        summary="Give a quiz to a class, or change when it is open",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the window"), WRITTEN_ETAG],
        request=SaveAssignmentRequest,
        responses={200: OpenApiResponse(AssignmentSerializer, "As it is now")},
    )
    def post(self, request: Request, class_id: UUID, quiz: UUID) -> APIResponse:
        """Give a quiz that you may read to a class that you teach, or change its window there.

        Attempts in progress get the time that a later closing gives them; none is taken from them.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, SaveAssignmentRequest)
        return idempotent(request, lambda: self._save(request, class_id, quiz, posted))

    def _save(
        self, request: Request, class_id: UUID, quiz: UUID, posted: dict[str, Any]
    ) -> WriteResult:
        by, group = request_user(request), get_class(request, class_id)
        with transaction.atomic():
            lock_class(group=group, by=by)
            stored = _find_assignment(group, quiz)
            readable = stored.quiz if stored else visible_to(by).filter(uuid=quiz).first()
            if readable is None:
                raise NotFound
            assignment = stored or Assignment(quiz=readable, group=group)

            def read_version() -> str:
                return hash_version(_describe(stored)) if stored else ""

            with require_unchanged(request, read_version):
                assignment.opens_at, assignment.closes_at = posted["opens_at"], posted["closes_at"]
                save_assignment(assignment=assignment, by=by, now=clock.now())
        payload = _describe(assignment)
        return tagged_write(payload, hash_version(payload))

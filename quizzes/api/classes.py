"""Classes: those one teaches; made, named, archived."""

from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import groups_overseen, groups_taught
from accounts.classes import MAX_NAME, archive_class, create_class, restore_class, update_class
from accounts.models import Group, Scope, Term
from accounts.selectors import with_people_counts
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import (
    QueryBooleanField,
    StrictBooleanField,
    StrictCharField,
    StrictSerializer,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import BY_NAME, PageQuery, paginate
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
from quizzes.lib.errors import Invalid, NotFound


class ClassSerializer(serializers.Serializer[Any]):
    """A class that you teach. One that is archived is read only, and its quizzes are closed."""

    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField()
    term = serializers.CharField(source="term.name", default=None, allow_null=True)
    archived_at = UTCDateTimeField(allow_null=True)
    learners = serializers.IntegerField(source="learner_count")
    staff = serializers.IntegerField(
        source="staff_count", help_text="instructors and teaching assistants"
    )


class ClassPageSerializer(serializers.Serializer[Any]):
    """Some classes, by name."""

    items = ClassSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class ClassListQuery(PageQuery):
    """The query of the list."""

    archived = QueryBooleanField(required=False, help_text="Only those, or only the others.")


class CreateClassRequest(StrictSerializer):
    """A new class."""

    name = StrictCharField(max_length=MAX_NAME)
    term = StrictCharField(required=False, allow_null=True, help_text="the name of a term")


class ChangeClassRequest(StrictSerializer):
    """What is to be changed of a class; what is not named stays."""

    name = StrictCharField(max_length=MAX_NAME, required=False)
    term = StrictCharField(required=False, allow_null=True, help_text="the name of a term")
    archived = StrictBooleanField(required=False)


def list_classes(request: Request) -> QuerySet[Group]:
    """Return the classes that this person teaches, with their term and the number of people."""
    return with_people_counts(groups_taught(request_user(request)).select_related("term"))


def get_class(request: Request, class_id: UUID) -> Group:
    """Return a class that this person teaches; else NotFound."""
    group = list_classes(request).filter(uuid=class_id).first()
    if group is None:
        raise NotFound
    return group


def get_overseen_class(request: Request, class_id: UUID) -> Group:
    """Return a class that this person teaches, or assists in; else NotFound."""
    group = groups_overseen(request_user(request)).filter(uuid=class_id).first()
    if group is None:
        raise NotFound
    return group


def class_version(group: Group) -> str:
    """Return the version of a class: what a change of it compares."""
    return hash_version(group.uuid, group.name, group.term_id, group.archived_at)


def _find_term(name: str | None) -> Term | None:
    if not name:
        return None
    term = Term.objects.filter(name=name).first()
    if term is None:
        raise Invalid("unknown_term", where="term")
    return term


def _build_result(request: Request, class_id: UUID, status: int) -> WriteResult:
    group = get_class(request, class_id)
    payload = ClassSerializer(group).data
    location = reverse("api:class", args=[class_id]) if status == 201 else ""  # noqa: PLR2004  HTTP
    return tagged_write(payload, class_version(group), status=status, location=location)


class ClassesView(BaseAPIView):
    """All classes."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="listClasses",
        summary="Classes you teach",
        tags=["classes"],
        parameters=[ClassListQuery],
        responses=ClassPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the classes that you teach; administrators, all. Scope `classes`."""
        params = parse_query(request, ClassListQuery)
        rows = list_classes(request)
        if "archived" in params:
            rows = rows.filter(archived_at__isnull=not params["archived"])
        page = paginate(rows, BY_NAME, request, params)
        return Response(ClassPageSerializer(page.to_json(page.rows)).data)

    @extend_schema(
        operation_id="createClass",
        summary="Make a class",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY, WRITTEN_ETAG],
        request=CreateClassRequest,
        responses={201: OpenApiResponse(ClassSerializer, "Made; you are its instructor")},
    )
    def post(self, request: Request) -> APIResponse:
        """Make a class. Who may not make any: 404; another has its name: 409. Scope `classes`."""
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CreateClassRequest)
        return idempotent(request, lambda: self._create(request, posted))

    def _create(self, request: Request, posted: dict[str, Any]) -> WriteResult:
        term = _find_term(posted.get("term"))
        group = create_class(name=posted["name"], term=term, by=request_user(request))
        return _build_result(request, group.uuid, 201)


class ClassView(BaseAPIView):
    """One class."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}
    sensitive_methods = frozenset({"POST"})
    takes_if_match = True

    @extend_schema(
        operation_id="getClass",
        summary="One class",
        tags=["classes"],
        parameters=CONDITIONAL_GET,
        responses={200: ClassSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, class_id: UUID) -> HttpResponse:
        """Show a class that you teach. Scope `classes`."""
        parse_query(request, EmptyQuery)
        group = get_class(request, class_id)
        return tagged_response(request, ClassSerializer(group).data, class_version(group))

    @extend_schema(
        operation_id="changeClass",
        summary="Change a class",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the class"), WRITTEN_ETAG],
        request=ChangeClassRequest,
        responses={200: OpenApiResponse(ClassSerializer, "As it is now")},
    )
    def post(self, request: Request, class_id: UUID) -> APIResponse:
        """Give a class another name or term, archive it, or take it out of the archive.

        What is archived changes only by `archived`: else 409, `class_archived`. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ChangeClassRequest)
        return idempotent(request, lambda: self._change(request, class_id, posted))

    def _change(self, request: Request, class_id: UUID, posted: dict[str, Any]) -> WriteResult:
        group, by = get_class(request, class_id), request_user(request)

        def lock_version() -> str:
            return class_version(Group.objects.select_for_update(of=("self",)).get(pk=group.pk))

        with transaction.atomic(), require_unchanged(request, lock_version):
            if posted.get("archived") is False:
                restore_class(group=group, by=by)
            if "name" in posted or "term" in posted:
                term = _find_term(posted["term"]) if "term" in posted else group.term
                update_class(group=group, name=posted.get("name", group.name), term=term, by=by)
            if posted.get("archived"):
                archive_class(group=group, by=by, now=clock.now())
        return _build_result(request, class_id, 200)

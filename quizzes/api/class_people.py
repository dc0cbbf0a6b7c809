"""The people of a class: listed with their school ids, given another role, taken out."""

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.classes import change_roles, lock_class, remove_people
from accounts.models import Group, Membership, Role, Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.change_pages import ChangePageSerializer, paginate_changes
from quizzes.api.classes import get_class
from quizzes.api.fields import StrictSerializer
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


class ClassMemberSerializer(serializers.Serializer[Any]):
    """Somebody in a class. A role counts only once the address is confirmed."""

    id = serializers.UUIDField(source="user.uuid")
    name = serializers.CharField(source="user.name", allow_blank=True)
    email = serializers.CharField(source="user.email")
    school_id = serializers.CharField(source="user.school_id", allow_blank=True)
    role = serializers.ChoiceField(Role.choices)
    address_confirmed = serializers.BooleanField(source="user.is_confirmed")


class ClassMemberPageSerializer(ChangePageSerializer):
    """Some people of a class, in the order in which what they are there last changed."""

    items = ClassMemberSerializer(many=True)


class ClassMemberListQuery(PageQuery):
    """The query of the list."""

    role = serializers.ChoiceField(Role.choices, required=False)


class ChangeRoleRequest(StrictSerializer):
    """What somebody is in a class from now on."""

    role = serializers.ChoiceField(Role.choices)


def _list_members(group: Group) -> QuerySet[Membership]:
    members: QuerySet[Membership] = Membership.objects.filter(group=group)
    return members.select_related("user")


def _get_member(group: Group, person: UUID) -> Membership:
    membership = _list_members(group).filter(user__uuid=person).first()
    if membership is None:
        raise NotFound
    return membership


def _member_version(membership: Membership) -> str:
    return hash_version(membership.pk, membership.role)


class ClassPeopleView(BaseAPIView):
    """The people of a class."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="listClassPeople",
        summary="People of a class",
        tags=["classes"],
        parameters=[ClassMemberListQuery],
        responses=ClassMemberPageSerializer,
    )
    def get(self, request: Request, class_id: UUID) -> Response:
        """List who is in a class that you teach, and as what. Scope `classes`.

        In the order of the last change of role or of the confirmation of an address: keep `cursor`
        to follow who joins.

        Who is invited and has not joined is listed at `/invitations`. People are added by a list:
        `POST /classes/{class}/rosters`.
        """
        params = parse_query(request, ClassMemberListQuery)
        rows = _list_members(get_class(request, class_id))
        if "role" in params:
            rows = rows.filter(role=params["role"])
        page = paginate_changes(rows, request, params)
        return Response(ClassMemberPageSerializer(page.to_json(page.rows)).data)


class ClassPersonView(BaseAPIView):
    """Somebody in a class."""

    scopes: ClassVar[Scopes] = {
        "GET": (Scope.CLASSES,),
        "POST": (Scope.CLASSES,),
        "DELETE": (Scope.CLASSES,),
    }
    sensitive_methods = frozenset({"POST", "DELETE"})
    takes_if_match = True

    @extend_schema(
        operation_id="getClassPerson",
        summary="Somebody in a class",
        tags=["classes"],
        parameters=CONDITIONAL_GET,
        responses={200: ClassMemberSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, class_id: UUID, person: UUID) -> HttpResponse:
        """Show what somebody is in a class that you teach. Scope `classes`."""
        parse_query(request, EmptyQuery)
        membership = _get_member(get_class(request, class_id), person)
        payload = ClassMemberSerializer(membership).data
        return tagged_response(request, payload, _member_version(membership))

    @extend_schema(
        operation_id="changeClassRole",
        summary="Give somebody another role in a class",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the person in the class"), WRITTEN_ETAG],
        request=ChangeRoleRequest,
        responses={200: OpenApiResponse(ClassMemberSerializer, "As it is now")},
    )
    def post(self, request: Request, class_id: UUID, person: UUID) -> APIResponse:
        """Make somebody in a class a learner, an assistant or an instructor. Scope `classes`.

        409: `class_archived`, or `class_needs_instructor` for the last one.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ChangeRoleRequest)
        return idempotent(
            request,
            lambda: self._change(request, class_id, person, posted),
            replay=lambda _: self._read(request, class_id, person),
        )

    def _change(
        self, request: Request, class_id: UUID, person: UUID, posted: dict[str, Any]
    ) -> WriteResult:
        group, by = get_class(request, class_id), request_user(request)
        _get_member(group, person)

        def lock_version() -> str:
            lock_class(group=group, by=by)
            return _member_version(_get_member(group, person))

        with require_unchanged(request, lock_version):
            change_roles(group=group, people=[person], role=Role(posted["role"]), by=by)
        return self._read(request, class_id, person)

    def _read(self, request: Request, class_id: UUID, person: UUID) -> WriteResult:
        membership = _get_member(get_class(request, class_id), person)
        payload = ClassMemberSerializer(membership).data
        return tagged_write(payload, _member_version(membership))

    @extend_schema(
        operation_id="removeClassPerson",
        summary="Take somebody out of a class",
        tags=["classes"],
        parameters=[describe_if_match("the person in the class")],
        responses={204: OpenApiResponse(None, "No longer in the class; their results stay")},
    )
    def delete(self, request: Request, class_id: UUID, person: UUID) -> Response:
        """Take somebody out of a class; attempts and results stay. Scope `classes`.

        409: `class_archived`, or `class_needs_instructor` for the last one.
        """
        parse_query(request, EmptyQuery)
        group, by = get_class(request, class_id), request_user(request)
        _get_member(group, person)

        def lock_version() -> str:
            lock_class(group=group, by=by)
            return _member_version(_get_member(group, person))

        with require_unchanged(request, lock_version):
            remove_people(group=group, people=[person], by=by, now=clock.now())
        return Response(status=204)

"""Join codes: shown, made anew and ended by who teaches a class; used by who joins it."""

from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.classes import lock_class
from accounts.join_codes import (
    DEFAULT_DAYS,
    MAX_DAYS,
    MAX_USES,
    create_join_code,
    end_join_code,
    find_current_code,
    format_code,
    join_class,
)
from accounts.models import Group, JoinCode, Role, Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.classes import get_class
from quizzes.api.fields import (
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    UTCDateTimeField,
)
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
from quizzes.lib.errors import NotFound


class JoinCodeSerializer(serializers.Serializer[Any]):
    """The code by which people join a class now. `max_uses` null: any number."""

    code = serializers.SerializerMethodField()
    expires_at = UTCDateTimeField()
    uses = serializers.IntegerField()
    max_uses = serializers.IntegerField(allow_null=True)

    def get_code(self, join_code: JoinCode) -> str:
        """Return the code as people read it."""
        return format_code(join_code.code)


class CreateJoinCodeRequest(StrictSerializer):
    """How long a new code is valid, and for how many people."""

    days = StrictIntegerField(min_value=1, max_value=MAX_DAYS, default=DEFAULT_DAYS)
    max_uses = StrictIntegerField(
        min_value=1, max_value=MAX_USES, required=False, allow_null=True, default=None
    )


class JoinRequest(StrictSerializer):
    """The code of a class."""

    code = StrictCharField(max_length=40)


class JoinedClassSerializer(serializers.Serializer[Any]):
    """A class that you are in, and what you are there."""

    id = serializers.UUIDField(source="group.uuid")
    name = serializers.CharField(source="group.name")
    role = serializers.ChoiceField(Role.choices)


def _code_version(join_code: JoinCode | None) -> str:
    """Return the version of the code of a class; who joined by it is no change of it."""
    return hash_version(join_code and join_code.pk)


def _get_code(request: Request, class_id: UUID) -> JoinCode:
    join_code = find_current_code(get_class(request, class_id), clock.now())
    if join_code is None:
        raise NotFound
    return join_code


def _build_result(join_code: JoinCode) -> WriteResult:
    payload = JoinCodeSerializer(join_code).data
    return tagged_write(payload, _code_version(join_code), status=201)


def _lock_code_version(request: Request, group: Group) -> str:
    lock_class(group=group, by=request_user(request), archived_too=True)
    return _code_version(find_current_code(group, clock.now()))


class JoinCodeView(BaseAPIView):
    """The code of a class."""

    scopes: ClassVar[Scopes] = {
        "GET": (Scope.CLASSES,),
        "POST": (Scope.CLASSES,),
        "DELETE": (Scope.CLASSES,),
    }
    sensitive_methods = frozenset({"POST", "DELETE"})
    takes_if_match = True

    @extend_schema(
        operation_id="getJoinCode",
        summary="The code of a class",
        tags=["classes"],
        parameters=CONDITIONAL_GET,
        responses={200: JoinCodeSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, class_id: UUID) -> HttpResponse:
        """Show the code by which people join a class now; there is none: 404. Scope `classes`."""
        parse_query(request, EmptyQuery)
        join_code = _get_code(request, class_id)
        payload = JoinCodeSerializer(join_code).data
        return tagged_response(request, payload, _code_version(join_code))

    @extend_schema(
        operation_id="renewJoinCode",
        summary="Make a new code of a class",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the code"), WRITTEN_ETAG],
        request=CreateJoinCodeRequest,
        responses={201: OpenApiResponse(JoinCodeSerializer, "Made; the one before has ended")},
    )
    def post(self, request: Request, class_id: UUID) -> APIResponse:
        """Make a code by which people join a class, in place of the one before. Scope `classes`."""
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CreateJoinCodeRequest)
        return idempotent(
            request,
            lambda: self._renew(request, class_id, posted),
            replay=lambda _: _build_result(_get_code(request, class_id)),
        )

    def _renew(self, request: Request, class_id: UUID, posted: dict[str, Any]) -> WriteResult:
        group = get_class(request, class_id)
        with require_unchanged(request, lambda: _lock_code_version(request, group)):
            join_code = create_join_code(
                group=group, by=request_user(request), now=clock.now(), **posted
            )
        return _build_result(join_code)

    @extend_schema(
        operation_id="endJoinCode",
        summary="End the code of a class",
        tags=["classes"],
        parameters=[describe_if_match("the code")],
        responses={204: OpenApiResponse(None, "Nobody joins by it any more")},
    )
    def delete(self, request: Request, class_id: UUID) -> Response:
        """End the code of a class; there is none: 404. Scope `classes`."""
        parse_query(request, EmptyQuery)
        group = get_class(request, class_id)
        with require_unchanged(request, lambda: _lock_code_version(request, group)):
            if not end_join_code(group=group, by=request_user(request), now=clock.now()):
                raise NotFound
        return Response(status=204)


class JoinView(BaseAPIView):
    """Joining a class."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="joinClass",
        summary="Join a class by its code",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY],
        request=JoinRequest,
        responses={200: OpenApiResponse(JoinedClassSerializer, "You are in it, now or before")},
    )
    def post(self, request: Request) -> APIResponse:
        """Join a class; its instructors see your results in its quizzes. Scope `classes`.

        No such code, or it has ended: 404. 409: `address_not_confirmed`, or `too_many_codes` after
        ten wrong ones in a quarter of an hour.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, JoinRequest)
        # A wrong code is counted in a transaction of its own.
        return idempotent(request, lambda: self._join(request, posted), same_transaction=False)

    def _join(self, request: Request, posted: dict[str, Any]) -> WriteResult:
        user = request_user(request)
        membership = join_class(text=posted["code"], user=user, now=clock.now())
        return WriteResult(200, JoinedClassSerializer(membership).data)

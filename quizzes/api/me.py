"""Me: the user of this token or session, and their scopes."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import is_administrator, memberships_in_force
from accounts.models import Membership, Scope, User
from quizzes.api.base_view import BaseAPIView, EmptyQuery, parse_query
from quizzes.api.permissions import Scopes, has_scope, request_user


class GroupSerializer(serializers.Serializer[Any]):
    """A group you are in, and what you are there."""

    id = serializers.UUIDField(source="group.uuid")
    name = serializers.CharField(source="group.name")
    role = serializers.CharField()


class MeSerializer(serializers.Serializer[Any]):
    """You."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    email = serializers.CharField()
    school_id = serializers.CharField(
        allow_blank=True, help_text="What the school files you under, if that is known."
    )
    language = serializers.CharField(allow_blank=True)
    time_zone = serializers.CharField()
    address_confirmed = serializers.BooleanField(
        help_text="Roles and groups count only once you have confirmed your address."
    )
    administrator = serializers.BooleanField()
    groups = GroupSerializer(many=True)
    scopes = serializers.ListField(child=serializers.CharField())


def _groups(user: User) -> QuerySet[Membership]:
    in_force = memberships_in_force().filter(user=user)
    return in_force.select_related("group").order_by("group__name")


class MeView(BaseAPIView):
    """The person who asks."""

    scopes: ClassVar[Scopes] = {"GET": tuple(Scope)}

    @extend_schema(operation_id="getMe", summary="Who you are", tags=["me"], responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Return the user of this request; any scope will do."""
        parse_query(request, EmptyQuery)
        user = request_user(request)
        values = {
            "id": user.uuid,
            "name": str(user),
            "email": user.email,
            "school_id": user.shown_school_id,
            "language": user.language,
            "time_zone": user.time_zone,
            "address_confirmed": user.is_confirmed,
            "administrator": is_administrator(user),
            "groups": _groups(user),
            "scopes": [scope.value for scope in Scope if has_scope(request, scope)],
        }
        return Response(MeSerializer(values).data)

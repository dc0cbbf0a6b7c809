"""Tokens: signed-in users create, list and revoke them; a token never creates another."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from accounts.selectors import list_tokens
from accounts.services import (
    DEFAULT_TOKEN_DAYS,
    MAX_TOKEN_DAYS,
    TooManyTokens,
    issue_token,
    revoke_token,
)
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import (
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.throttling import ThrottledAPIView
from quizzes.lib.errors import NotFound, Refused

SESSION: Any = [{"session": []}]  # the framework says names, and writes what it is given


class TokenSerializer(serializers.Serializer[Any]):
    """A token without its secret: `id` is its first characters."""

    id = serializers.CharField(source="token_key")
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    created_at = UTCDateTimeField(source="created")
    expires_at = UTCDateTimeField(source="expiry")
    last_used_at = UTCDateTimeField(allow_null=True)


class TokenListSerializer(serializers.Serializer[Any]):
    """All of your tokens."""

    items = TokenSerializer(many=True)


class CreatedTokenSerializer(TokenSerializer):
    """A new token. `token` is shown this once; null where this answer is a repetition."""

    token = serializers.CharField(allow_null=True)


class CreateTokenRequest(StrictSerializer):
    """The name of a token, its scopes, and for how many days it is valid."""

    name = StrictCharField(min_length=1, max_length=100, trim_whitespace=False)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(Scope.choices), min_length=1, max_length=len(Scope)
    )
    days = StrictIntegerField(min_value=1, max_value=MAX_TOKEN_DAYS, default=DEFAULT_TOKEN_DAYS)


class TokensView(ThrottledAPIView):
    """One's own tokens."""

    scopes: ClassVar[Scopes] = {}
    throttle_name, max_per_hour = "api_token", 10
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="listTokens",
        summary="Your tokens",
        tags=["tokens"],
        auth=SESSION,
        responses=TokenListSerializer,
    )
    def get(self, request: Request) -> Response:
        """List your tokens, revoked ones not among them."""
        parse_query(request, EmptyQuery)
        return Response(TokenListSerializer({"items": list_tokens(request_user(request))}).data)

    @extend_schema(
        operation_id="createToken",
        summary="Make a token",
        tags=["tokens"],
        auth=SESSION,
        parameters=[IDEMPOTENCY_KEY],
        request=CreateTokenRequest,
        responses={
            201: OpenApiResponse(CreatedTokenSerializer, "Made; the token is shown this once")
        },
    )
    def post(self, request: Request) -> APIResponse:
        """Make a token, ten an hour at most (`RateLimit-*` headers)."""
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CreateTokenRequest)
        return idempotent(request, lambda: self._make(request, posted))

    def _make(self, request: Request, posted: dict[str, Any]) -> WriteResult:
        try:
            api_token, token = issue_token(user=request_user(request), **posted)
        except TooManyTokens as full:
            raise Refused("too_many_tokens") from full
        payload = {**TokenSerializer(api_token).data, "token": token}
        return WriteResult(201, payload, stored={**payload, "token": None})


class TokenView(BaseAPIView):
    """One of one's own tokens."""

    @extend_schema(
        operation_id="revokeToken",
        summary="Revoke a token",
        tags=["tokens"],
        auth=SESSION,
        responses={204: OpenApiResponse(None, "Revoked, from this moment on")},
    )
    def delete(self, request: Request, token: str) -> Response:
        """Revoke a token; the next request with it is refused."""
        parse_query(request, EmptyQuery)
        if not revoke_token(user=request_user(request), token=token):
            raise NotFound
        return Response(status=204)

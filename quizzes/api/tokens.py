"""Tokens: made, listed and revoked by people on the site; a token never makes another."""

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
from quizzes.api.door import Answer, Door, NoQuery, body, query
from quizzes.api.fields import Instant, Strict, Text, Whole
from quizzes.api.idempotency import HEADER, Outcome, once
from quizzes.api.permissions import Scopes, caller
from quizzes.api.throttling import Limited
from quizzes.lib.errors import NotFound, Refused

SESSION: Any = [{"session": []}]  # the framework says names, and writes what it is given


class TokenShape(serializers.Serializer[Any]):
    """A token, as far as it is known after it was made: `id` is how it begins."""

    id = serializers.CharField(source="token_key")
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    created_at = Instant(source="created")
    expires_at = Instant(source="expiry")
    last_used_at = Instant(allow_null=True)


class TokenList(serializers.Serializer[Any]):
    """All of your tokens."""

    items = TokenShape(many=True)


class TokenMade(TokenShape):
    """A new token. `token` is shown this once; null where this answer is a repetition."""

    token = serializers.CharField(allow_null=True)


class TokenWanted(Strict):
    """What the token is for, what it may do, and for how long."""

    name = Text(min_length=1, max_length=100, trim_whitespace=False)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(Scope.choices), min_length=1, max_length=len(Scope)
    )
    days = Whole(min_value=1, max_value=MAX_TOKEN_DAYS, default=DEFAULT_TOKEN_DAYS)


class TokensView(Limited):
    """One's own tokens."""

    scopes: ClassVar[Scopes] = {}
    throttle_name, most = "api_token", 10

    @extend_schema(
        operation_id="listTokens",
        summary="Your tokens",
        tags=["tokens"],
        auth=SESSION,
        responses=TokenList,
    )
    def get(self, request: Request) -> Response:
        """List your tokens, revoked ones not among them."""
        query(request, NoQuery)
        return Response(TokenList({"items": list_tokens(caller(request))}).data)

    @extend_schema(
        operation_id="createToken",
        summary="Make a token",
        tags=["tokens"],
        auth=SESSION,
        parameters=[HEADER],
        request=TokenWanted,
        responses={201: OpenApiResponse(TokenMade, "Made; the token is shown this once")},
    )
    def post(self, request: Request) -> Answer:
        """Make a token, ten an hour at most (`RateLimit-*` headers)."""
        query(request, NoQuery)
        posted = body(request, TokenWanted)
        return once(request, lambda: self._make(request, posted))

    def _make(self, request: Request, posted: dict[str, Any]) -> Outcome:
        try:
            api_token, token = issue_token(user=caller(request), **posted)
        except TooManyTokens as full:
            raise Refused("too_many_tokens", left=0) from full
        payload = {**TokenShape(api_token).data, "token": token}
        return Outcome(201, payload, stored={**payload, "token": None})


class TokenView(Door):
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
        query(request, NoQuery)
        if not revoke_token(user=caller(request), token=token):
            raise NotFound
        return Response(status=204)

"""Findings of a bank that its editors let stand, and take up again."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.banks import get_editable_bank
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import (
    StrictBooleanField,
    StrictCharField,
    StrictSerializer,
    StrictUUIDField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.bank.waivers import revoke_waiver, waive
from quizzes.lib.errors import NotFound, Refused

EXAMPLE: Final = OpenApiExample("It stands", {"waived": True}, response_only=True)


class WaiveFindingRequest(StrictSerializer):
    """A finding of a question as `/checks` lists it, which is meant to be so."""

    question = StrictUUIDField()
    code = StrictCharField(max_length=40)
    about = StrictCharField(max_length=100, required=False, allow_blank=True, default="")
    digest = StrictCharField(max_length=64, help_text="of the question when it was looked at")
    revoke = StrictBooleanField(required=False, default=False, help_text="take it up again")


class WaivedFindingSerializer(serializers.Serializer[Any]):
    """Whether a finding stands."""

    waived = serializers.BooleanField()


class FindingWaiversView(BaseAPIView):
    """The findings of a bank that are meant to be so."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}
    shows_keys = True

    @extend_schema(
        operation_id="waiveFinding",
        summary="Let a finding stand, or take it up again",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY],
        request=WaiveFindingRequest,
        responses={200: OpenApiResponse(WaivedFindingSerializer, "Whether it stands")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request, bank: UUID) -> APIResponse:
        """Let a finding of a bank that you edit stand, until its question changes.

        A question that was changed since: 409, `draft_changed`. What keeps it from being published
        or makes it unfair cannot be meant: 422, `finding_is_grave`. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, WaiveFindingRequest)
        return idempotent(request, lambda: self._waive(request, bank, posted))

    def _waive(self, request: Request, bank: UUID, posted: Mapping[str, Any]) -> WriteResult:
        editable_bank = get_editable_bank(request, bank)
        question = editable_bank.questions.filter(uuid=posted["question"]).first()
        if question is None:
            raise NotFound
        finding = {name: posted[name] for name in ("code", "about", "digest")}
        by, revoke = request_user(request), posted["revoke"]
        if not revoke:
            waive(question=question, **finding, by=by)
        elif not revoke_waiver(question=question, **finding, by=by):
            raise Refused("not_waived")
        return WriteResult(200, WaivedFindingSerializer({"waived": not revoke}).data)

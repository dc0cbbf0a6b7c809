"""To whom the cards of a bank are offered for study: read and changed by who edits the bank."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.banks import GroupReferenceSerializer, get_editable_bank, get_visible_bank
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.classes import get_class
from quizzes.api.fields import StrictSerializer, StrictUUIDField, UTCDateTimeField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.study.offers import count_cards, count_learners, offer_deck, withdraw_deck

OFFER_EXAMPLE = {
    "id": "9f0c6c1e-5d0b-4a57-8a9e-6b6c1d2e3f40",
    "group": {"id": "0e7b1f5e-52b8-4d1f-8a52-5d9cbd4b7c10", "name": "Class A"},
    "created_at": "2026-11-25T12:00:00Z",
}
LIST_EXAMPLE = OpenApiExample(
    "Cards that one class may study",
    {"items": [OFFER_EXAMPLE], "cards": 18, "learners": 12},
    response_only=True,
)
EXAMPLE = OpenApiExample("An offer to a class", OFFER_EXAMPLE, response_only=True)


class StudyOfferSerializer(serializers.Serializer[Any]):
    """That a class, or everyone who is signed in, may study the cards of a bank."""

    id = serializers.UUIDField(source="uuid")
    group = GroupReferenceSerializer(allow_null=True, help_text="null: everyone")
    created_at = UTCDateTimeField()


class StudyOffersSerializer(serializers.Serializer[Any]):
    """The offers of a bank; how many cards it has, and how many people have them as a deck."""

    items = StudyOfferSerializer(many=True)
    cards = serializers.IntegerField()
    learners = serializers.IntegerField()


class OfferStudyRequest(StrictSerializer):
    """To whom the cards are offered: a class that you teach; null: everyone who is signed in."""

    group = StrictUUIDField(allow_null=True)


class StudyOffersView(BaseAPIView):
    """The offers of one bank."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="listStudyOffers",
        summary="To whom the cards of a bank are offered",
        tags=["banks"],
        responses=StudyOffersSerializer,
        examples=[LIST_EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """List to whom the cards of a bank are offered for study. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        visible_bank = get_visible_bank(request, bank)
        values = {
            "items": visible_bank.study_offers.select_related("group"),
            "cards": count_cards(visible_bank),
            "learners": count_learners(visible_bank),
        }
        return Response(StudyOffersSerializer(values).data)

    @extend_schema(
        operation_id="offerCards",
        summary="Offer the cards of a bank for study",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY],
        request=OfferStudyRequest,
        responses={201: OpenApiResponse(StudyOfferSerializer, "Offered, now or before")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request, bank: UUID) -> APIResponse:
        """Let a class that you teach, or everyone, study the cards of a bank that you edit.

        Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, OfferStudyRequest)
        return idempotent(request, lambda: self._offer(request, bank, posted["group"]))

    def _offer(self, request: Request, bank: UUID, group_id: UUID | None) -> WriteResult:
        author = request_user(request)
        group = None if group_id is None else get_class(request, group_id)
        offer = offer_deck(
            bank=get_editable_bank(request, bank), group=group, by=author, now=clock.now()
        )
        return WriteResult(201, StudyOfferSerializer(offer).data)


class StudyOfferView(BaseAPIView):
    """One offer of a bank."""

    scopes: ClassVar[Scopes] = {"DELETE": (Scope.AUTHORING,)}
    sensitive_methods = frozenset({"DELETE"})

    @extend_schema(
        operation_id="withdrawStudyOffer",
        summary="Take an offer of cards back",
        tags=["banks"],
        responses={204: OpenApiResponse(None, "Its cards rest; what was studied is kept")},
    )
    def delete(self, request: Request, bank: UUID, offer: UUID) -> Response:
        """Take an offer of a bank that you edit back. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        editable_bank = get_editable_bank(request, bank)
        study_offer = editable_bank.study_offers.select_related("group").filter(uuid=offer).first()
        if study_offer is None:
            raise NotFound
        withdraw_deck(bank=editable_bank, group=study_offer.group, by=request_user(request))
        return Response(status=204)

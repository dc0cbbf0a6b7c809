"""With whom a bank is shared: listed, given, changed and taken back by its editors (ADR 29)."""

from typing import Any, ClassVar, Final
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.urls import resolve, reverse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.banks import GroupReferenceSerializer, get_editable_bank, get_visible_bank
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.classes import get_class
from quizzes.api.fields import StrictBooleanField, StrictSerializer, StrictUUIDField
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
from quizzes.bank.models import Bank, BankRight, BankShare
from quizzes.bank.sharing import find_teacher, share, stop_sharing
from quizzes.lib.errors import Invalid, NotFound

SHARE_EXAMPLE: Final = {
    "id": "3f0c6c1e-5d0b-4a57-8a9e-6b6c1d2e3f41",
    "person": {"id": "7a1f0f55-9a49-4b8f-9f3b-3c5f0a4b6d22", "name": "Ana", "email": "ana@a.org"},
    "group": None,
    "right": "edit",
}
EXAMPLE: Final = OpenApiExample("A colleague who edits it", SHARE_EXAMPLE, response_only=True)
LIST_EXAMPLE: Final = OpenApiExample(
    "Shared with one", {"items": [SHARE_EXAMPLE]}, response_only=True
)
REQUEST_EXAMPLE: Final = OpenApiExample(
    "A colleague who edits it", {"email": "ana@a.org", "right": "edit"}, request_only=True
)


class ShareePersonSerializer(serializers.Serializer[Any]):
    """A person with whom a bank is shared."""

    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField(allow_blank=True)
    email = serializers.CharField()


class BankShareSerializer(serializers.Serializer[Any]):
    """With whom a bank is shared: a person, or the instructors of a class; else all who teach."""

    id = serializers.UUIDField(source="uuid")
    person = ShareePersonSerializer(allow_null=True)
    group = GroupReferenceSerializer(allow_null=True)
    right = serializers.ChoiceField(
        BankRight.choices, help_text="use: see the keys and use the questions; edit: change it, too"
    )


class BankShareListSerializer(serializers.Serializer[Any]):
    """All shares of a bank."""

    items = BankShareSerializer(many=True)


class ShareBankRequest(StrictSerializer):
    """With whom a bank is to be shared: one of `email`, `group` and `everyone`; and what for."""

    email = serializers.EmailField(required=False, help_text="of a person who teaches")
    group = StrictUUIDField(required=False, help_text="a class that you teach: its instructors")
    everyone = StrictBooleanField(required=False, default=False, help_text="all who teach here")
    right = serializers.ChoiceField(BankRight.choices)


class ChangeShareRequest(StrictSerializer):
    """What those with whom a bank is shared may do with it from now on."""

    right = serializers.ChoiceField(BankRight.choices)


def _list_shares(bank: Bank) -> Any:
    return bank.shares.select_related("person", "group")


def _find_share(bank: Bank, share_id: UUID, *, lock: bool = False) -> BankShare:
    rows = bank.shares.select_for_update() if lock else _list_shares(bank)
    row: BankShare | None = rows.filter(uuid=share_id).first()
    if row is None:
        raise NotFound
    return row


def _read(request: Request, bank: UUID, share: UUID) -> WriteResult:
    return tagged_write(*_describe(_find_share(get_visible_bank(request, bank), share)))


def _read_version(row: BankShare) -> str:
    return hash_version(row.pk, str(row.right))


def _describe(row: BankShare) -> tuple[dict[str, Any], str]:
    """Return a share as it is shown, and its version."""
    return dict(BankShareSerializer(row).data), _read_version(row)


class BankSharesView(BaseAPIView):
    """The shares of a bank."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="listBankShares",
        summary="With whom a bank is shared",
        tags=["banks"],
        responses=BankShareListSerializer,
        examples=[LIST_EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """List with whom a bank whose keys you may see is shared. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        rows = _list_shares(get_visible_bank(request, bank))
        return Response(BankShareListSerializer({"items": rows}).data)

    @extend_schema(
        operation_id="shareBank",
        summary="Share a bank",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY, WRITTEN_ETAG],
        request=ShareBankRequest,
        responses={201: OpenApiResponse(BankShareSerializer, "Shared, now or before")},
        examples=[REQUEST_EXAMPLE, EXAMPLE],
    )
    def post(self, request: Request, bank: UUID) -> APIResponse:
        """Share a bank that you edit with a person, a class that you teach, or all who teach.

        Shared with them before, its right is changed. Editors are named: not everyone.

        Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ShareBankRequest)
        return idempotent(
            request,
            lambda: self._share(request, bank, posted),
            replay=lambda location: _read(request, **resolve(location).kwargs),
        )

    def _share(self, request: Request, bank: UUID, posted: dict[str, Any]) -> WriteResult:
        row, by = get_editable_bank(request, bank), request_user(request)
        if [posted["everyone"], "email" in posted, "group" in posted].count(True) != 1:
            raise Invalid("share_names_one")
        person = find_teacher(posted["email"]) if "email" in posted else None
        group = get_class(request, posted["group"]) if "group" in posted else None
        right = BankRight(posted["right"])
        created = share(bank=row, right=right, by=by, person=person, group=group)
        location = reverse("api:bank_share", args=[row.uuid, created.uuid])
        return tagged_write(*_describe(created), status=201, location=location)


class BankShareView(BaseAPIView):
    """One share of a bank."""

    scopes: ClassVar[Scopes] = {
        "GET": (Scope.AUTHORING,),
        "POST": (Scope.AUTHORING,),
        "DELETE": (Scope.AUTHORING,),
    }
    sensitive_methods = frozenset({"POST", "DELETE"})
    takes_if_match = True

    @extend_schema(
        operation_id="getBankShare",
        summary="One share of a bank",
        tags=["banks"],
        parameters=CONDITIONAL_GET,
        responses={200: BankShareSerializer, **NOT_MODIFIED},
        examples=[EXAMPLE],
    )
    def get(self, request: Request, bank: UUID, share: UUID) -> HttpResponse:
        """Show with whom and for what a bank is shared. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        row = _find_share(get_visible_bank(request, bank), share)
        return tagged_response(request, *_describe(row))

    @extend_schema(
        operation_id="changeBankShare",
        summary="Change what a bank is shared for",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the share"), WRITTEN_ETAG],
        request=ChangeShareRequest,
        responses={200: OpenApiResponse(BankShareSerializer, "As it is now")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request, bank: UUID, share: UUID) -> APIResponse:
        """Let them use or edit a bank that you edit. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        right = BankRight(parse_body(request, ChangeShareRequest)["right"])
        return idempotent(
            request,
            lambda: self._change(request, bank, share, right),
            replay=lambda _: _read(request, bank, share),
        )

    def _change(
        self, request: Request, bank: UUID, share_id: UUID, right: BankRight
    ) -> WriteResult:
        editable_bank, by = get_editable_bank(request, bank), request_user(request)
        with transaction.atomic():
            row = _find_share(editable_bank, share_id, lock=True)
            with require_unchanged(request, lambda: _read_version(row)):
                changed = share(
                    bank=editable_bank, right=right, by=by, person=row.person, group=row.group
                )
        return tagged_write(*_describe(changed))

    @extend_schema(
        operation_id="stopSharingBank",
        summary="Take a share of a bank back",
        tags=["banks"],
        parameters=[describe_if_match("the share")],
        responses={204: OpenApiResponse(None, "No longer shared; quizzes keep their questions")},
    )
    def delete(self, request: Request, bank: UUID, share: UUID) -> Response:
        """Take a share of a bank that you edit back. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        editable_bank, by = get_editable_bank(request, bank), request_user(request)
        with transaction.atomic():
            row = _find_share(editable_bank, share, lock=True)
            with require_unchanged(request, lambda: _read_version(row)):
                stop_sharing(bank=editable_bank, share_id=row.uuid, by=by)
        return Response(status=204)

"""Banks as their editors make them: created, and their settings."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import is_instructor
from accounts.models import Scope
from quizzes.api.banks import BanksView, get_editable_bank
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.classes import get_class
from quizzes.api.composition import read_title
from quizzes.api.fields import StrictCharField, StrictSerializer, StrictUUIDField
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
from quizzes.api.quiz_authoring import LONGEST_TEXT, clean_row
from quizzes.bank.models import Bank
from quizzes.bank.services import save_bank
from quizzes.lib.errors import Invalid, NotFound
from quizzes.lib.short_names import retry_taken

SETTINGS_EXAMPLE: Final = {
    "id": "5d1c7a52-6f0b-4c0e-9d7c-2f1f7f0c6c11",
    "slug": "rivers",
    "title": {"en": "Rivers of Europe", "es": "Ríos de Europa"},
    "description": {},
    "source": "Atlas, 4th edition",
    "licence": "CC BY 4.0",
    "source_language": "en",
    "class_id": None,
}
EXAMPLE: Final = OpenApiExample("A bank of its owner", SETTINGS_EXAMPLE, response_only=True)
TEXTS: Final = ("title", "description")


class BankSettingsSerializer(serializers.Serializer[Any]):
    """What a bank is called, where it is from, and whose it is."""

    id = serializers.UUIDField(source="uuid")
    slug = serializers.CharField()
    title = serializers.DictField(child=serializers.CharField(), help_text="language → text")
    description = serializers.DictField(child=serializers.CharField(), help_text="language → text")
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # a name of the framework, too
    licence = serializers.CharField(allow_blank=True)
    source_language = serializers.CharField()
    class_id = serializers.UUIDField(
        source="group.uuid", default=None, allow_null=True, help_text="null: its owner's"
    )


class BankSettingsRequest(StrictSerializer):
    """Settings of a bank; what is not named stays as it is, or as a new bank has it."""

    title = serializers.DictField(child=StrictCharField(max_length=LONGEST_TEXT), required=False)
    description = serializers.DictField(
        child=StrictCharField(max_length=LONGEST_TEXT, allow_blank=True), required=False
    )
    source = StrictCharField(  # type: ignore[assignment]  # a name of the framework, too
        max_length=500, required=False, allow_blank=True
    )
    licence = StrictCharField(max_length=100, required=False, allow_blank=True)
    source_language = StrictCharField(max_length=5, required=False)
    class_id = StrictUUIDField(required=False, allow_null=True)


class CreateBankRequest(BankSettingsRequest):
    """A new bank. Its short name stays: files find the bank by it."""

    slug = serializers.SlugField(max_length=100)


def _apply(bank: Bank, posted: Mapping[str, Any], request: Request) -> None:
    """Put what was posted into a bank; what its rules refuse: ValidationError."""
    if posted.get("source_language", "en") not in dict(settings.LANGUAGES):
        raise Invalid("unknown_language", where="source_language")
    for name, value in posted.items():
        if name == "class_id":
            bank.group = None if value is None else get_class(request, value)
        else:
            setattr(bank, name, read_title(value, where=name) if name in TEXTS else value)
    clean_row(bank)


def _describe(bank: Bank) -> tuple[dict[str, Any], str]:
    """Return the settings of a bank, and their version."""
    payload = dict(BankSettingsSerializer(bank).data)
    return payload, hash_version(payload)


def _read(bank: Bank) -> tuple[dict[str, Any], str]:
    return _describe(Bank.objects.select_related("group").get(pk=bank.pk))


class AuthoredBanksView(BanksView):
    """All banks, and new ones."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="createBank",
        summary="Make a bank",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY, WRITTEN_ETAG],
        request=CreateBankRequest,
        responses={201: OpenApiResponse(BankSettingsSerializer, "The bank, empty")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request) -> APIResponse:
        """Make an empty bank, of your own or of a class that you teach. Who teaches nowhere: 404.

        Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CreateBankRequest)
        return idempotent(request, lambda: retry_taken(lambda: self._create(request, posted)))

    def _create(self, request: Request, posted: Mapping[str, Any]) -> WriteResult:
        by, bank = request_user(request), Bank()
        if not is_instructor(by):
            raise NotFound
        _apply(bank, posted, request)
        save_bank(bank=bank, by=by)
        location = reverse("api:bank_settings", args=[bank.uuid])
        return tagged_write(*_read(bank), status=201, location=location)


class BankSettingsView(BaseAPIView):
    """The settings of a bank."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    sensitive_methods = frozenset({"POST"})
    takes_if_match = True

    @extend_schema(
        operation_id="getBankSettings",
        summary="The settings of a bank",
        tags=["banks"],
        parameters=CONDITIONAL_GET,
        responses={200: BankSettingsSerializer, **NOT_MODIFIED},
        examples=[EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> HttpResponse:
        """Show what a bank that you edit is called in each language, and whose it is.

        Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        return tagged_response(request, *_describe(get_editable_bank(request, bank)))

    @extend_schema(
        operation_id="changeBankSettings",
        summary="Change the settings of a bank",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the settings"), WRITTEN_ETAG],
        request=BankSettingsRequest,
        responses={200: OpenApiResponse(BankSettingsSerializer, "As they are now")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request, bank: UUID) -> APIResponse:
        """Change what is named of a bank that you edit; its class decides who edits it, too.

        Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, BankSettingsRequest)
        return idempotent(request, lambda: self._change(request, bank, posted))

    def _change(self, request: Request, bank: UUID, posted: Mapping[str, Any]) -> WriteResult:
        pk = get_editable_bank(request, bank).pk
        with transaction.atomic():
            row = Bank.objects.select_for_update().get(pk=pk)
            with require_unchanged(request, lambda: _describe(row)[1]):
                _apply(row, posted, request)
                save_bank(bank=row, by=request_user(request))
            return tagged_write(*_read(row))

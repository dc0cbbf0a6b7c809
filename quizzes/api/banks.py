"""Banks whose keys the user may see, and their question counts."""

from collections.abc import Sequence
from typing import Any, ClassVar, cast
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.fields import UTCDateTimeField
from quizzes.api.pagination import BY_SLUG, PageQuery, paginate
from quizzes.api.permissions import Scopes, request_user
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.access import editable_by
from quizzes.bank.bank_counts import load_bank_counts
from quizzes.bank.models import Bank
from quizzes.lib.errors import NotFound
from quizzes.lib.translated_texts import choose_text

BANK_EXAMPLE = {
    "id": "5d1c7a52-6f0b-4c0e-9d7c-2f1f7f0c6c11",
    "slug": "rivers",
    "title": "Rivers of Europe",
    "language": "en",
    "source_language": "en",
    "languages": ["en", "es"],
    "group": {"id": "0e7b1f5e-52b8-4d1f-8a52-5d9cbd4b7c10", "name": "Class A"},
    "may_edit": True,
    "counts": {"questions": 40, "published": 38, "retired": 2},
    "updated_at": "2026-11-21T12:00:00Z",
}
EXAMPLE = OpenApiExample("A bank", BANK_EXAMPLE, response_only=True)


class GroupReferenceSerializer(serializers.Serializer[Any]):
    """The class of a bank: its instructors are editors."""

    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField()


class BankCountsSerializer(serializers.Serializer[Any]):
    """How many questions are in use, how many of those are published; and how many are retired."""

    questions = serializers.IntegerField()
    published = serializers.IntegerField()
    retired = serializers.IntegerField()


class BankSerializer(serializers.Serializer[Any]):
    """A bank whose keys you may see."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    language = serializers.CharField(help_text="of the title")
    source_language = serializers.CharField()
    languages = serializers.ListField(
        child=serializers.CharField(), help_text="in which published questions have words"
    )
    group = GroupReferenceSerializer(
        allow_null=True, help_text="null: of its owner, and those it is shared with"
    )
    may_edit = serializers.BooleanField(help_text="Whether you are an editor of it.")
    counts = BankCountsSerializer()
    updated_at = UTCDateTimeField()


class BankPageSerializer(serializers.Serializer[Any]):
    """Some banks, by slug."""

    items = BankSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class BankListQuery(PageQuery, LanguageQuery):
    """The query of the list."""

    slug = serializers.CharField(required=False, max_length=100, help_text="Only this one.")


def visible_banks(request: Request) -> QuerySet[Bank]:
    """Return the banks whose keys this person may see, and whether they may edit each."""
    user = request_user(request)
    may_edit = Exists(editable_by(user).filter(pk=OuterRef("pk")))
    banks = banks_whose_keys_are_visible_to(user).select_related("group")
    return banks.annotate(may_edit=may_edit)


def get_visible_bank(request: Request, bank: UUID) -> Bank:
    """Return one of them; any other: NotFound."""
    visible_bank = visible_banks(request).filter(uuid=bank).first()
    if visible_bank is None:
        raise NotFound
    return visible_bank


def get_editable_bank(request: Request, bank: UUID) -> Bank:
    """Return one of them that this person may edit; any other: NotFound."""
    visible_bank: Any = get_visible_bank(request, bank)
    if not visible_bank.may_edit:
        raise NotFound
    return cast("Bank", visible_bank)


def _payloads(rows: Sequence[Bank], lang: str) -> list[dict[str, Any]]:
    counts_by_bank = load_bank_counts(row.pk for row in rows)
    return [_values(row, counts_by_bank[row.pk], lang) for row in rows]


def _values(row: Any, counts: Any, lang: str) -> dict[str, Any]:
    title, title_language = choose_text(row.title, lang, row.source_language)
    return {
        "id": row.uuid,
        "slug": row.slug,
        "title": title or str(row),
        "language": title_language,
        "source_language": row.source_language,
        "languages": sorted(counts.languages),
        "group": row.group,
        "may_edit": row.may_edit,
        "counts": counts,
        "updated_at": row.updated_at,
    }


class BanksView(BaseAPIView):
    """All banks."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="listBanks",
        summary="Banks whose keys you may see",
        tags=["banks"],
        parameters=[BankListQuery],
        responses=BankPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the question banks whose keys you may see, by slug. Scope `authoring`."""
        params = parse_query(request, BankListQuery)
        rows = visible_banks(request)
        if "slug" in params:
            rows = rows.filter(slug=params["slug"])
        page = paginate(rows, BY_SLUG, request, params)
        return Response(
            BankPageSerializer(
                page.to_json(_payloads(page.rows, response_language(request, params)))
            ).data
        )


class BankView(BaseAPIView):
    """One bank."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="getBank",
        summary="One bank",
        tags=["banks"],
        parameters=[LanguageQuery],
        responses=BankSerializer,
        examples=[EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """Show a question bank whose keys you may see. Scope `authoring`."""
        lang = response_language(request, parse_query(request, LanguageQuery))
        return Response(BankSerializer(_payloads([get_visible_bank(request, bank)], lang)[0]).data)

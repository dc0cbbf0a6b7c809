"""Banks: those one may change, and how large they are."""

from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.door import Door, Spoken, language, query
from quizzes.api.fields import Instant
from quizzes.api.paging import Order, Paged, page
from quizzes.api.permissions import Scopes, caller
from quizzes.api.quiz_versions import words
from quizzes.bank.access import editable_by
from quizzes.bank.extents import extents
from quizzes.bank.models import Bank
from quizzes.lib.errors import NotFound

BY_SLUG = Order((("slug", str),))
A_BANK = {
    "id": "5d1c7a52-6f0b-4c0e-9d7c-2f1f7f0c6c11",
    "slug": "rivers",
    "title": "Rivers of Europe",
    "language": "en",
    "source_language": "en",
    "languages": ["en", "es"],
    "group": {"id": "0e7b1f5e-52b8-4d1f-8a52-5d9cbd4b7c10", "name": "Class A"},
    "counts": {"questions": 40, "published": 38, "retired": 2},
    "updated_at": "2026-11-21T12:00:00Z",
}
EXAMPLE = OpenApiExample("A bank", A_BANK, response_only=True)


class GroupReference(serializers.Serializer[Any]):
    """Whose instructors may change a bank."""

    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField()


class BankCounts(serializers.Serializer[Any]):
    """How many questions are in use, how many of those are published; and how many are retired."""

    questions = serializers.IntegerField()
    published = serializers.IntegerField()
    retired = serializers.IntegerField()


class BankShape(serializers.Serializer[Any]):
    """A bank that you may change."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    language = serializers.CharField(help_text="of the title")
    source_language = serializers.CharField()
    languages = serializers.ListField(
        child=serializers.CharField(), help_text="in which published questions have words"
    )
    group = GroupReference(allow_null=True, help_text="null: administrators only")
    counts = BankCounts()
    updated_at = Instant()


class BankPage(serializers.Serializer[Any]):
    """Some banks, by slug."""

    items = BankShape(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class BanksQuery(Paged, Spoken):
    """The query of the list."""

    slug = serializers.CharField(required=False, max_length=100, help_text="Only this one.")


def authored(request: Request) -> QuerySet[Bank]:
    """Return the banks that this person may change."""
    return editable_by(caller(request)).select_related("group")


def one_authored(request: Request, bank: UUID) -> Bank:
    """Return one of them; any other: NotFound."""
    authored_bank = authored(request).filter(uuid=bank).first()
    if authored_bank is None:
        raise NotFound
    return authored_bank


def _payloads(rows: Sequence[Bank], spoken: str) -> list[dict[str, Any]]:
    extents_by_bank = extents(row.pk for row in rows)
    return [_values(row, extents_by_bank[row.pk], spoken) for row in rows]


def _values(row: Bank, extent: Any, spoken: str) -> dict[str, Any]:
    title, titled = words(row.title, spoken, row.source_language)
    return {
        "id": row.uuid,
        "slug": row.slug,
        "title": title or str(row),
        "language": titled,
        "source_language": row.source_language,
        "languages": sorted(extent.languages),
        "group": row.group,
        "counts": extent,
        "updated_at": row.updated_at,
    }


class BanksView(Door):
    """All banks."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="listBanks",
        summary="Banks you may change",
        tags=["banks"],
        parameters=[BanksQuery],
        responses=BankPage,
    )
    def get(self, request: Request) -> Response:
        """List the question banks that you may change, by slug. Scope `authoring`."""
        params = query(request, BanksQuery)
        rows = authored(request)
        if "slug" in params:
            rows = rows.filter(slug=params["slug"])
        cut = page(rows, BY_SLUG, request, params)
        return Response(BankPage(cut.to_json(_payloads(cut.rows, language(request, params)))).data)


class BankView(Door):
    """One bank."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="getBank",
        summary="One bank",
        tags=["banks"],
        parameters=[Spoken],
        responses=BankShape,
        examples=[EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """Show a question bank that you may change. Scope `authoring`."""
        spoken = language(request, query(request, Spoken))
        return Response(BankShape(_payloads([one_authored(request, bank)], spoken)[0]).data)

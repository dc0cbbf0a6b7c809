"""Banks as files, and what a format cannot hold of a bank."""

from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.banks import get_visible_bank
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.fields import MessageField, StrictSerializer
from quizzes.api.permissions import Scopes
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Bank
from quizzes.formats import WRITERS
from quizzes.formats.contract import ExportResult
from quizzes.formats.ochenta import name as own
from quizzes.imports import exporter
from quizzes.presentation.messages.imports import describe_export_warning

TYPES = sorted({*exporter.MEDIA_TYPES.values(), exporter.DEFAULT_MEDIA_TYPE})
COUNT = OpenApiParameter(
    "Ochenta-Export-Warnings",
    int,
    OpenApiParameter.HEADER,
    response=[200],
    description="How many things of the bank are not in the file.",
)
EXAMPLE = OpenApiExample(
    "An essay in Aiken",
    {
        "filename": "rivers.txt",
        "media_type": "text/plain",
        "size": 5120,
        "warnings": [
            {
                "question": "essay-on-deltas",
                "code": "kind_not_held",
                "message": "The format has no such questions.",
            }
        ],
    },
    response_only=True,
)


class ExportWarningSerializer(serializers.Serializer[Any]):
    """A thing that is not in the file: of which question (empty: of the bank), and why."""

    question = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = MessageField(describe_export_warning)


class ExportPreviewSerializer(serializers.Serializer[Any]):
    """What an export with the same parameters is, without its bytes."""

    filename = serializers.CharField()
    media_type = serializers.CharField()
    size = serializers.IntegerField(help_text="in bytes")
    warnings = ExportWarningSerializer(many=True)


class ExportQuery(StrictSerializer):
    """How the bank is written."""

    format = serializers.ChoiceField(list(WRITERS), default=own)
    language = serializers.ChoiceField(
        settings.LANGUAGES,
        required=False,
        help_text="Where the format holds only one; without it the bank's own.",
    )


class ExportPreviewQuery(ExportQuery, LanguageQuery):
    """The same, and the language in which losses are told."""


def _export(authored_bank: Bank, params: dict[str, Any]) -> tuple[ExportResult, tuple[str, str]]:
    """Return the exported bank with its file name and media type."""
    format_ = params["format"]
    exported = exporter.export_bank(
        bank=authored_bank, format_=format_, language=params.get("language", "")
    )
    return exported, exporter.name_export(bank=authored_bank, format_=format_, data=exported.data)


class BankExportView(BaseAPIView):
    """A bank as a file."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}
    sensitive_methods = frozenset({"GET"})

    @extend_schema(
        operation_id="exportBank",
        summary="A bank as a file",
        tags=["banks"],
        parameters=[ExportQuery, COUNT],
        responses={
            # Of YAML, what reads it gives its values: no string.
            (200, media_type): OpenApiResponse(
                OpenApiTypes.ANY if media_type == "application/yaml" else OpenApiTypes.BINARY,
                "The file",
            )
            for media_type in TYPES
        },
    )
    def get(self, request: Request, bank: UUID) -> HttpResponse:
        """Export the drafts of all questions in use, with their keys. Scope `authoring`.

        The header `Ochenta-Export-Warnings` counts what the format cannot hold; `…/export/warnings`
        lists it.
        """
        params = parse_query(request, ExportQuery)
        authored_bank = get_visible_bank(request, bank)
        exported, (name, media_type) = _export(authored_bank, params)
        record(AuditCode.BANK_EXPORTED, about=authored_bank, after=params)
        text = "; charset=utf-8" if media_type.startswith("text/") else ""
        return HttpResponse(
            exported.data,
            content_type=f"{media_type}{text}",
            headers={
                "Content-Disposition": f'attachment; filename="{name}"',
                COUNT.name: str(len(exported.warnings)),
            },
        )


class ExportWarningsView(BaseAPIView):
    """What a file would lack."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="listExportWarnings",
        summary="What a file cannot hold of a bank",
        tags=["banks"],
        parameters=[ExportPreviewQuery],
        responses=ExportPreviewSerializer,
        examples=[EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """List what is not in the file of an export, question by question. Scope `authoring`."""
        params = parse_query(request, ExportPreviewQuery)
        exported, (name, media_type) = _export(get_visible_bank(request, bank), params)
        preview = {
            "filename": name,
            "media_type": media_type,
            "size": len(exported.data),
            "warnings": exported.warnings,
        }
        with translation.override(response_language(request, params)):
            return Response(ExportPreviewSerializer(preview).data)

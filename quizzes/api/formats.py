"""Formats: which files can be imported, and which a bank can be exported to."""

from typing import Any, ClassVar

from django.utils import translation
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.permissions import Scopes
from quizzes.formats import FORMATS, WRITERS
from quizzes.presentation.messages.imports import FORMAT_LABELS
from quizzes.presentation.messages.sentences import describe


class FormatSerializer(serializers.Serializer[Any]):
    """A file format. `endings` are those of file names, the usual one first."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the metaclass takes it away
    reads = serializers.BooleanField()
    writes = serializers.BooleanField()
    endings = serializers.ListField(child=serializers.CharField())


class FormatListSerializer(serializers.Serializer[Any]):
    """All formats, in the order in which a file is offered to them."""

    items = FormatSerializer(many=True)


class FormatsView(BaseAPIView):
    """All formats."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="listFormats",
        summary="File formats",
        tags=["imports"],
        parameters=[LanguageQuery],
        responses=FormatListSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the formats that are read or written here. Scope `authoring`."""
        with translation.override(response_language(request, parse_query(request, LanguageQuery))):
            items = [
                {
                    "name": format_.name,
                    "label": describe(format_.name, FORMAT_LABELS),
                    "reads": True,
                    "writes": format_.name in WRITERS,
                    "endings": format_.extensions,
                }
                for format_ in FORMATS.values()
            ]
        return Response(FormatListSerializer({"items": items}).data)

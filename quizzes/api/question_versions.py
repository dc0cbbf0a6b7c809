"""The published versions of a question: listed, and one read whole with its key."""

from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, EmptyQuery, parse_query
from quizzes.api.fields import UTCDateTimeField
from quizzes.api.pagination import Order, PageQuery, paginate
from quizzes.api.permissions import Scopes
from quizzes.api.question_documents import QuestionDocumentSerializer
from quizzes.api.question_drafts import DOCUMENT_EXAMPLE, get_question_with_key
from quizzes.bank.models import Question, QuestionVersion
from quizzes.bank.version_documents import load_version_documents
from quizzes.lib.errors import NotFound

BY_NUMBER: Final = Order((("number", int),))
VERSION_EXAMPLE: Final = {
    "id": "c2b1d1c4-3a55-4a0e-8f86-0f8a3f9a7d10",
    "number": 3,
    "is_current": True,
    "kind": "single_choice",
    "note": "The Volga is longer.",
    "published_by": "Irene Instructor",
    "published_at": "2026-11-21T12:00:00Z",
}
PAGE_EXAMPLE: Final = OpenApiExample(
    "One version", {"items": [VERSION_EXAMPLE], "next": None, "cursor": None}, response_only=True
)
EXAMPLE: Final = OpenApiExample(
    "A version", {**VERSION_EXAMPLE, "document": DOCUMENT_EXAMPLE}, response_only=True
)


class QuestionVersionSerializer(serializers.Serializer[Any]):
    """A published version of a question, which never changes."""

    id = serializers.UUIDField(source="uuid")
    number = serializers.IntegerField()
    is_current = serializers.SerializerMethodField()
    kind = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    published_by = serializers.SerializerMethodField()
    published_at = UTCDateTimeField(source="created_at")

    def get_is_current(self, version: QuestionVersion) -> bool:
        """Return whether it is the newest."""
        return version.question.current_id == version.pk

    def get_published_by(self, version: QuestionVersion) -> str:
        """Return whose it is; empty: the site's own, by a command."""
        return str(version.published_by or "")


class QuestionVersionDetailSerializer(QuestionVersionSerializer):
    """A published version of a question, whole."""

    document = QuestionDocumentSerializer()


class QuestionVersionPageSerializer(serializers.Serializer[Any]):
    """Some versions, the first at the beginning."""

    items = QuestionVersionSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


def _list_versions(question: Question) -> Any:
    return question.versions.select_related("published_by", "question")


class QuestionVersionsView(BaseAPIView):
    """The versions of a question."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}
    shows_keys = True

    @extend_schema(
        operation_id="listQuestionVersions",
        summary="The published versions of a question",
        tags=["banks"],
        parameters=[PageQuery],
        responses=QuestionVersionPageSerializer,
        examples=[PAGE_EXAMPLE],
    )
    def get(self, request: Request, question: UUID) -> Response:
        """List the versions of a question whose key you may see. Scope `authoring`."""
        params = parse_query(request, PageQuery)
        rows = _list_versions(get_question_with_key(request, question))
        page = paginate(rows, BY_NUMBER, request, params)
        return Response(QuestionVersionPageSerializer(page.to_json(page.rows)).data)


class QuestionVersionView(BaseAPIView):
    """One version of a question."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}
    shows_keys = True

    @extend_schema(
        operation_id="getQuestionVersion",
        summary="A published version of a question, with its key",
        tags=["banks"],
        responses=QuestionVersionDetailSerializer,
        examples=[EXAMPLE],
    )
    def get(self, request: Request, question: UUID, number: int) -> Response:
        """Show one version, as the document that was published. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        rows = _list_versions(get_question_with_key(request, question))
        version = rows.filter(number=number).first()
        if version is None:
            raise NotFound
        version.document = load_version_documents([version])[version.pk]
        return Response(QuestionVersionDetailSerializer(version).data)

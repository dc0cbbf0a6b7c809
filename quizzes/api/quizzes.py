"""Quizzes: what can be taken, under which rules, and when one may start."""

from collections.abc import Iterable
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet, Value
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    LanguageQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.fields import FractionField, UTCDateTimeField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, idempotent
from quizzes.api.pagination import BY_SLUG, PageQuery, paginate
from quizzes.api.permissions import Scopes, has_scope, request_user
from quizzes.api.preconditions import WRITTEN_ETAG
from quizzes.api.quiz_authoring import QuizSettingsRequest, QuizSettingsSerializer, create_quiz
from quizzes.api.quiz_versions import PoliciesSerializer, common_fields
from quizzes.attempts.access import takeable_by, takeable_condition
from quizzes.attempts.selectors import StartInputs, load_start_inputs_by_quiz
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.publishing.access import visible_to
from quizzes.publishing.models import Quiz


class StartEligibilitySerializer(serializers.Serializer[Any]):
    """Whether you may start now; if not, why (a code) and when you may. Null: no limit, no time.

    While an attempt is open, a start returns it, whatever these fields say.
    """

    can_start = serializers.BooleanField()
    code = serializers.CharField()
    available_at = UTCDateTimeField(allow_null=True)
    attempts_left = serializers.IntegerField(allow_null=True)
    closes_at = UTCDateTimeField(allow_null=True)


class QuizVersionReferenceSerializer(serializers.Serializer[Any]):
    """The version in which a quiz is taken now."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()


class QuizSerializer(serializers.Serializer[Any]):
    """A quiz as its current version has it. `start_eligibility` is null if you may not take it."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    title = serializers.CharField()
    intro_html = serializers.CharField(allow_blank=True)
    language = serializers.CharField(help_text="of title and introduction")
    quiz_version = QuizVersionReferenceSerializer()
    question_count = serializers.IntegerField()
    maximum = FractionField()
    pass_threshold = FractionField(help_text="as a fraction of the maximum")
    policies = PoliciesSerializer()
    start_eligibility = StartEligibilitySerializer(allow_null=True)


class QuizPageSerializer(serializers.Serializer[Any]):
    """Some quizzes, by slug."""

    items = QuizSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class QuizListQuery(PageQuery, LanguageQuery):
    """The query of the list."""


def list_readable_quizzes(request: Request) -> QuerySet[Quiz]:
    """Return the quizzes this person may take and, with the scope `results`, those they author."""
    user = request_user(request)
    readable = takeable_by(user)
    takeable: Q | Value = Value(True)  # noqa: FBT003 (a constant of the query)
    if has_scope(request, Scope.RESULTS):
        readable |= visible_to(user)
        takeable = takeable_condition(user)
    return (
        readable.filter(current__isnull=False)
        .select_related("current")
        .annotate(takeable=ExpressionWrapper(takeable, BooleanField()))
    )


def _payloads(rows: Iterable[Quiz], request: Request, lang: str) -> list[dict[str, Any]]:
    listed, now = list(rows), clock.now()
    inputs_by_quiz = load_start_inputs_by_quiz(listed, request_user(request))
    return [_values(row, inputs_by_quiz[row.pk], lang, now) for row in listed]


def _values(row: Quiz, inputs: StartInputs, lang: str, now: Any) -> dict[str, Any]:
    quiz_version = row.current
    if quiz_version is None:
        raise NotFound
    common = common_fields(quiz_version, lang)
    return {
        **common,
        "id": row.uuid,
        "slug": row.slug,
        "quiz_version": {"id": quiz_version.uuid, "number": quiz_version.number},
        "start_eligibility": _start_eligibility(inputs, common["policies"], now)
        if getattr(row, "takeable", False)
        else None,
    }


def _start_eligibility(inputs: StartInputs, policies: Any, now: Any) -> dict[str, Any]:
    permission = inputs.eligibility(policies, now)
    return {
        "can_start": permission.allowed,
        "code": permission.code,
        "available_at": permission.available_at,
        "attempts_left": permission.attempts_left,
        "closes_at": permission.window.closes_at if permission.window else None,
    }


class QuizzesView(BaseAPIView):
    """All quizzes."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS), "POST": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="listQuizzes",
        summary="Quizzes you may take",
        tags=["quizzes"],
        parameters=[QuizListQuery],
        responses=QuizPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the published quizzes that you may take (scope `results`: or author)."""
        params = parse_query(request, QuizListQuery)
        page = paginate(list_readable_quizzes(request), BY_SLUG, request, params)
        payloads = _payloads(page.rows, request, response_language(request, params))
        return Response(QuizPageSerializer(page.to_json(payloads)).data)

    @extend_schema(
        operation_id="createQuiz",
        summary="Make a quiz",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY, WRITTEN_ETAG],
        request=QuizSettingsRequest,
        responses={201: OpenApiResponse(QuizSettingsSerializer, "A draft, which asks nothing yet")},
    )
    def post(self, request: Request) -> APIResponse:
        """Make the draft of a quiz of a class that you teach, named by `class_id`.

        Without a `slug` it follows from the title. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, QuizSettingsRequest)
        return idempotent(request, lambda: create_quiz(request, posted))


class QuizView(BaseAPIView):
    """One quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}

    @extend_schema(
        operation_id="getQuiz",
        summary="One quiz",
        tags=["quizzes"],
        parameters=[LanguageQuery],
        responses=QuizSerializer,
    )
    def get(self, request: Request, quiz: UUID) -> Response:
        """Show a quiz, its rules, and whether you may start."""
        lang = response_language(request, parse_query(request, LanguageQuery))
        payloads = _payloads(list_readable_quizzes(request).filter(uuid=quiz), request, lang)
        if not payloads:
            raise NotFound
        return Response(QuizSerializer(payloads[0]).data)

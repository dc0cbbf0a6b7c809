"""Quizzes: what there is to take, under which rules, and when one may start."""

from collections.abc import Iterable
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.door import Door, Spoken, language, query
from quizzes.api.fields import Exact, Instant
from quizzes.api.paging import Order, Paged, page
from quizzes.api.permissions import Scopes, caller, holds
from quizzes.api.quiz_versions import PoliciesShape, described
from quizzes.attempts.access import takeable_by
from quizzes.attempts.selectors import StartInputs, load_start_inputs_by_quiz
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.publishing.access import visible_to
from quizzes.publishing.models import Quiz

BY_SLUG = Order((("slug", str),))


class PermissionShape(serializers.Serializer[Any]):
    """Whether you may start now; if not, why (a code) and when one may. Null: no limit, no time.

    An attempt that is open already is given back by a start, whatever stands here.
    """

    may_start = serializers.BooleanField()
    code = serializers.CharField()
    next_at = Instant(allow_null=True)
    attempts_left = serializers.IntegerField(allow_null=True)
    closes_at = Instant(allow_null=True)


class QuizVersionReference(serializers.Serializer[Any]):
    """The version in which a quiz is taken now."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()


class QuizShape(serializers.Serializer[Any]):
    """A quiz as its current version has it. `permission` is null if you may read, not take it."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    title = serializers.CharField()
    intro_html = serializers.CharField(allow_blank=True)
    language = serializers.CharField(help_text="of title and introduction")
    quiz_version = QuizVersionReference()
    question_count = serializers.IntegerField()
    maximum = Exact()
    pass_mark = Exact(help_text="as a part of the maximum")
    policies = PoliciesShape()
    permission = PermissionShape(allow_null=True)


class QuizPage(serializers.Serializer[Any]):
    """Some quizzes, by slug."""

    items = QuizShape(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class QuizzesQuery(Paged, Spoken):
    """The query of the list."""


def readable(request: Request) -> QuerySet[Quiz]:
    """Return the quizzes this person may take and, with the scope `results`, those they author."""
    user = caller(request)
    mine = takeable_by(user)
    may = Q(pk__in=mine.values("pk"))
    if holds(request, Scope.RESULTS):
        may |= Q(pk__in=visible_to(user).values("pk"))
    return (
        Quiz.objects.filter(may, current__isnull=False)
        .select_related("current")
        .annotate(takeable=Exists(mine.filter(pk=OuterRef("pk"))))
    )


def _payloads(rows: Iterable[Quiz], request: Request, spoken: str) -> list[dict[str, Any]]:
    listed, now = list(rows), clock.now()
    entries_by_quiz = load_start_inputs_by_quiz(listed, caller(request))
    return [_values(row, entries_by_quiz[row.pk], spoken, now) for row in listed]


def _values(row: Quiz, entry: StartInputs, spoken: str, now: Any) -> dict[str, Any]:
    quiz_version = row.current
    if quiz_version is None:
        raise NotFound
    common = described(quiz_version, spoken)
    takeable = getattr(row, "takeable", False)
    return {
        **common,
        "id": row.uuid,
        "slug": row.slug,
        "quiz_version": {"id": quiz_version.uuid, "number": quiz_version.number},
        "permission": _permission(entry, common["policies"], now) if takeable else None,
    }


def _permission(entry: StartInputs, policies: Any, now: Any) -> dict[str, Any]:
    permission = entry.eligibility(policies, now)
    return {
        "may_start": permission.allowed,
        "code": permission.code,
        "next_at": permission.available_at,
        "attempts_left": permission.attempts_left,
        "closes_at": permission.window.closes_at if permission.window else None,
    }


class QuizzesView(Door):
    """All quizzes."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}

    @extend_schema(
        operation_id="listQuizzes",
        summary="Quizzes you may take",
        tags=["quizzes"],
        parameters=[QuizzesQuery],
        responses=QuizPage,
    )
    def get(self, request: Request) -> Response:
        """List the published quizzes that you may take (scope `results`: or author)."""
        params = query(request, QuizzesQuery)
        cut = page(readable(request), BY_SLUG, request, params)
        payloads = _payloads(cut.rows, request, language(request, params))
        return Response(QuizPage(cut.to_json(payloads)).data)


class QuizView(Door):
    """One quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}

    @extend_schema(
        operation_id="getQuiz",
        summary="One quiz",
        tags=["quizzes"],
        parameters=[Spoken],
        responses=QuizShape,
    )
    def get(self, request: Request, quiz: UUID) -> Response:
        """Show a quiz, its rules, and whether you may start."""
        spoken = language(request, query(request, Spoken))
        payloads = _payloads(readable(request).filter(uuid=quiz), request, spoken)
        if not payloads:
            raise NotFound
        return Response(QuizShape(payloads[0]).data)

"""The item level of a gradebook: every answer of the learners of a class, and what it earned."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Group, Scope
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.classes import get_overseen_class
from quizzes.api.fields import FractionField, UTCDateTimeField
from quizzes.api.gradebook import GradebookLearnerSerializer
from quizzes.api.pagination import Order, PageQuery, paginate
from quizzes.api.permissions import Scopes, request_user
from quizzes.attempts.models import Attempt, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import NotFound
from quizzes.lib.read_replica import reads_from_replica
from quizzes.presentation.kinds import answer_text
from quizzes.publishing.models import Quiz
from quizzes.results.item_grades import (
    ItemGrade,
    list_class_attempts,
    list_item_quizzes,
    load_item_grades,
)

BY_ATTEMPT = Order((("uuid", UUID),))


class ItemGradeQuery(PageQuery, LanguageQuery):
    """The query of the answers."""

    quiz = serializers.UUIDField(help_text="one of the gradebook's quizzes")


class ItemGradeSerializer(serializers.Serializer[Any]):
    """An answer to one question, and what it earned.

    `answer` is text, empty for none; `credit` a share of `points`, null while it waits for a
    person.
    """

    number = serializers.IntegerField(help_text="in this attempt, from 1")
    question = serializers.UUIDField()
    version = serializers.UUIDField()
    answer = serializers.CharField(allow_blank=True)
    credit = FractionField(allow_null=True)
    points = FractionField()


class ItemGradeRowSerializer(serializers.Serializer[Any]):
    """A graded attempt with its answers. `counts`: the learner's grade at the quiz is of it."""

    attempt = serializers.UUIDField()
    number = serializers.IntegerField()
    counts = serializers.BooleanField()
    submitted_at = UTCDateTimeField(allow_null=True)
    learner = GradebookLearnerSerializer()
    answers = ItemGradeSerializer(many=True)


class ItemGradePageSerializer(serializers.Serializer[Any]):
    """Some attempts of a class at a quiz, by id."""

    items = ItemGradeRowSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class ItemGradesView(BaseAPIView):
    """The answers of a class at one quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}
    sensitive_methods = frozenset({"GET"})
    shows_keys = True

    @extend_schema(
        operation_id="listItemGrades",
        summary="Answers of a class at a quiz, and what each earned",
        tags=["classes"],
        parameters=[ItemGradeQuery],
        responses=ItemGradePageSerializer,
    )
    def get(self, request: Request, class_id: UUID) -> Response:
        """Show every graded attempt of a class that you teach or assist in, answer by answer.

        No attempts of staff, and none at a quiz that shares a bank with a graded attempt that you
        have open.
        """
        params = parse_query(request, ItemGradeQuery)
        group, viewer = get_overseen_class(request, class_id), request_user(request)
        quizzes = [
            quiz
            for quiz in list_item_quizzes(group=group, viewer=viewer)
            if quiz.uuid == params["quiz"]
        ]
        if not quizzes:
            raise NotFound
        [quiz] = quizzes
        record(AuditCode.RESULTS_EXPORTED, about=group, group=group.pk, after={"quiz": quiz.uuid})
        record(AuditCode.KEYS_VIEWED, about=quiz, once=True)
        return Response(_load_page(request, group, quiz, params))


@reads_from_replica
def _load_page(
    request: Request, group: Group, quiz: Quiz, params: dict[str, Any]
) -> Mapping[str, Any]:
    viewer, language = request_user(request), response_language(request, params)
    attempts = list_class_attempts(group=group, quizzes=[quiz], viewer=viewer)
    page = paginate(attempts.filter(state=State.GRADED), BY_ATTEMPT, request, params)
    items = load_item_grades(page.rows)
    rows = [_describe_attempt(attempt, items[attempt.pk], language) for attempt in page.rows]
    return ItemGradePageSerializer(page.to_json(rows)).data


def _describe_attempt(
    attempt: Attempt, items: tuple[ItemGrade, ...], language: str
) -> Mapping[str, Any]:
    return {
        "attempt": attempt.uuid,
        "number": attempt.number,
        "counts": attempt.quiz_grade.attempt_id == attempt.pk,
        "submitted_at": attempt.submitted_at,
        "learner": attempt.learner,
        "answers": [_describe_item(item, language) for item in items],
    }


def _describe_item(item: ItemGrade, language: str) -> Mapping[str, Any]:
    version, answer = item.public_version, item.answer
    return {
        "number": item.slot + 1,
        "question": item.question,
        "version": version.uuid,
        "answer": answer_text(version, answer, language) if answer else "",
        "credit": item.credit,
        "points": item.points,
    }

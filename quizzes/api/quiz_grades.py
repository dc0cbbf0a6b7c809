"""Quiz grades: the outcome of one's attempts on each quiz."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.fields import UTCDateTimeField
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.results import QuizReferenceSerializer, ScoreSerializer
from quizzes.lib import clock
from quizzes.results.selectors import load_quiz_grades


class QuizGradeSerializer(serializers.Serializer[Any]):
    """Your grade on a quiz. No score while that of an attempt behind it is hidden.

    `attempt` is the one that counts; null for an average.
    """

    quiz = QuizReferenceSerializer(source="*")
    attempt_grade_policy = serializers.CharField(
        source="policy", help_text="highest, latest, first or average"
    )
    attempts_graded = serializers.IntegerField()
    attempt = serializers.UUIDField(allow_null=True)
    score = ScoreSerializer(allow_null=True)
    updated_at = UTCDateTimeField()


class QuizGradeListSerializer(serializers.Serializer[Any]):
    """All of your quiz grades, by quiz."""

    items = QuizGradeSerializer(many=True)


class QuizGradesView(BaseAPIView):
    """One's own quiz grades."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ,)}

    @extend_schema(
        operation_id="listQuizGrades",
        summary="Your quiz grades",
        tags=["results"],
        parameters=[LanguageQuery],
        responses=QuizGradeListSerializer,
    )
    def get(self, request: Request) -> Response:
        """List your grade on each quiz that has a graded attempt of yours."""
        lang = response_language(request, parse_query(request, LanguageQuery))
        quiz_grades = load_quiz_grades(learner=request_user(request), now=clock.now())
        serializer = QuizGradeListSerializer({"items": quiz_grades}, context={"language": lang})
        return Response(serializer.data)

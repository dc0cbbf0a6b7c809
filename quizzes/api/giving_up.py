"""Giving up further attempts at a quiz, to see what is right."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_query
from quizzes.api.fields import UTCDateTimeField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.lib import clock
from quizzes.results.next_steps import give_up_after
from quizzes.results.selectors import load_report


class GivenUpSerializer(serializers.Serializer[Any]):
    """The quiz at which no other attempt of yours begins."""

    quiz = serializers.UUIDField(source="quiz.uuid")
    gave_up_at = UTCDateTimeField()


class GiveUpView(BaseAPIView):
    """The end of further attempts."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="giveUp",
        summary="Give up further attempts at the quiz of an attempt, to see what is right",
        tags=["attempts"],
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={200: OpenApiResponse(GivenUpSerializer, "No other attempt begins, for good")},
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """End your attempts at a quiz for good; sent again, it happens once.

        409: you have passed (`passed_already`), an attempt is not graded yet (`attempt_open`), or
        it would show you nothing more (`nothing_to_give_up`).
        """
        parse_query(request, EmptyQuery)
        learner, now = request_user(request), clock.now()

        def give_up() -> WriteResult:
            report = load_report(attempt=attempt, viewer=learner, language="en", now=now)
            quiz_grade = give_up_after(report=report, learner=learner, now=now)
            return WriteResult(200, GivenUpSerializer(quiz_grade).data)

        return idempotent(request, give_up)

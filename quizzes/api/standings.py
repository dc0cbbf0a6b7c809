"""Standings: what one's attempts at each quiz come to together."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.door import Door, Spoken, language, query
from quizzes.api.fields import Instant
from quizzes.api.permissions import Scopes, caller
from quizzes.api.quiz_versions import words
from quizzes.api.results import QuizReference, ScoreShape
from quizzes.lib import clock
from quizzes.results.selectors import standings_of


class StandingShape(serializers.Serializer[Any]):
    """Your outcome on a quiz. No score while that of an attempt it rests on is hidden.

    `attempt` is the one that counts; null for an average.
    """

    quiz = QuizReference()
    policy = serializers.CharField(help_text="highest, latest, first or average")
    attempts_graded = serializers.IntegerField()
    attempt = serializers.UUIDField(allow_null=True)
    score = ScoreShape(allow_null=True)
    updated_at = Instant()


class StandingList(serializers.Serializer[Any]):
    """All of your standings, by quiz."""

    items = StandingShape(many=True)


class StandingsView(Door):
    """One's own standings."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ,)}

    @extend_schema(
        operation_id="listStandings",
        summary="Your standings",
        tags=["results"],
        parameters=[Spoken],
        responses=StandingList,
    )
    def get(self, request: Request) -> Response:
        """List what you have come to on each quiz that has a graded attempt of yours."""
        spoken = language(request, query(request, Spoken))
        stands = standings_of(learner=caller(request), now=clock.now())
        items = [
            {
                "quiz": {
                    "id": stand.quiz,
                    "slug": stand.slug,
                    "title": words(stand.title, spoken, stand.source_language)[0],
                },
                "policy": stand.policy,
                "attempts_graded": stand.attempts_graded,
                "attempt": stand.attempt,
                "score": stand.score,
                "updated_at": stand.updated_at,
            }
            for stand in stands
        ]
        return Response(StandingList({"items": items}).data)

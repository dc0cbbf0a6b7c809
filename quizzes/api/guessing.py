"""What the draft of a quiz yields to who knows nothing: guessing, and harvesting shown keys."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, EmptyQuery, parse_query
from quizzes.api.composition import get_editable_quiz
from quizzes.api.fields import FractionField
from quizzes.api.permissions import Scopes, request_user
from quizzes.attempts.guessing_figures import POOL_FACTORS, load_guessing_figures
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Refused

SIMULATED = "a decimal from 0 to 1, of simulated learners"


class PoolHarvestSerializer(serializers.Serializer[Any]):
    """How many would pass if each draw had more questions."""

    factor = serializers.IntegerField(help_text="times as many as it asks")
    passing = serializers.CharField(help_text=SIMULATED)


class HarvestedAttemptSerializer(serializers.Serializer[Any]):
    """What those reach in an attempt who know nothing, and memorise all that is shown to them."""

    number = serializers.IntegerField()
    mean = serializers.CharField(help_text=f"share of the points: {SIMULATED}")
    passing = serializers.CharField(help_text=f"part that passes: {SIMULATED}")
    pools = PoolHarvestSerializer(many=True)


class GuessingSerializer(serializers.Serializer[Any]):
    """What each way without knowledge reaches, as a share of the points."""

    pass_threshold = FractionField(source="threshold")
    select_all = FractionField(help_text="ticking everything, on average")
    random_guess = FractionField(help_text="random answers, on average")
    disclosure = serializers.ChoiceField(
        ["key", "parts", ""],
        help_text="what is shown after each attempt: the key or an explanation, or what of the"
        " own answer was right; empty: neither",
    )
    certain_attempt = serializers.IntegerField(
        allow_null=True, help_text="the first that memorising passes for certain; null: none"
    )
    learners = serializers.IntegerField(
        help_text="simulated for each figure of `attempts`: fewer where there are many questions"
    )
    attempts = HarvestedAttemptSerializer(many=True)


class GuessingView(BaseAPIView):
    """The guessing and harvest figures of a quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}
    shows_keys = True

    @extend_schema(
        operation_id="getGuessingFigures",
        summary="What a quiz yields to who knows nothing",
        tags=["quizzes"],
        responses=GuessingSerializer,
    )
    def get(self, request: Request, quiz: UUID) -> Response:
        """Show what guessing and memorising reach in the draft of a quiz that you may change.

        A bank that it draws on and you do not edit: 404. 409: a draft that cannot be published, or
        one of so many questions that a simulation takes too long (`too_large_to_simulate`).
        Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        row = get_editable_quiz(request, quiz)
        figures = load_guessing_figures(quiz=row, viewer=request_user(request))
        # How many options are right can be read from them.
        record(AuditCode.KEYS_VIEWED, about=row, once=True)
        if figures is None:
            raise Refused("draft_has_problems")
        attempts = [
            {
                "number": attempt.number,
                "mean": _format(attempt.mean),
                "passing": _format(attempt.passing),
                "pools": [
                    {"factor": factor, "passing": _format(passing)}
                    for factor, passing in zip(POOL_FACTORS, attempt.passing_by_pool, strict=True)
                ],
            }
            for attempt in figures.attempts
        ]
        payload = {
            "threshold": figures.threshold,
            "select_all": figures.select_all,
            "random_guess": figures.random_guess,
            "disclosure": figures.disclosure,
            "certain_attempt": figures.certain_attempt,
            "learners": figures.learners,
            "attempts": attempts,
        }
        return Response(GuessingSerializer(payload).data)


def _format(share: float) -> str:
    """Return a simulated share: three decimals, as no more of them are known."""
    return f"{share:.3f}"

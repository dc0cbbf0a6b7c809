"""Responses: saving answers. 200 if every one of them counts, else 409 with what stands."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.door import Answer, Door, Spoken, body, language, query
from quizzes.api.fields import Instant, Strict, Truth, Uuid, Whole
from quizzes.api.idempotency import HEADER, Outcome, once
from quizzes.api.permissions import Scopes, caller
from quizzes.api.problems import document
from quizzes.attempts.models import Verdict
from quizzes.attempts.saving import BIGGEST_REVISION, Save, save
from quizzes.lib import clock

MOST = 500
BIGGEST_SLOT = 100_000


class ResponseSent(Strict):
    """One answer. `operation` is an id of your making: sent twice, it is kept once.

    `base` is the revision you saw; without it the answer goes over whatever stands.
    """

    slot = Whole(min_value=0, max_value=BIGGEST_SLOT)
    answer = serializers.DictField(
        allow_null=True,
        help_text='by kind; of choices {"chosen": ["<option id>", …]}, or {"none_apply": true}',
    )
    operation = Uuid()
    base = Whole(min_value=0, max_value=BIGGEST_REVISION, required=False, allow_null=True)
    flagged = Truth(required=False)
    client = Uuid(required=False, allow_null=True)


class ResponsesSent(Strict):
    """Answers to be saved together or not at all; each slot once."""

    responses = serializers.ListField(child=ResponseSent(), min_length=1, max_length=MOST)


class SavedShape(serializers.Serializer[Any]):
    """What became of one answer, and what stands now."""

    slot = serializers.IntegerField()
    verdict = serializers.ChoiceField(Verdict.choices)
    revision = serializers.IntegerField()
    answer = serializers.DictField(allow_null=True)
    flagged = serializers.BooleanField()
    received_at = Instant(source="at")


class SavedShapes(serializers.Serializer[Any]):
    """What became of the answers, in the order sent."""

    responses = SavedShape(many=True)


EXAMPLE = OpenApiExample(
    "One choice",
    {
        "responses": [
            {
                "slot": 0,
                "answer": {"chosen": ["6f0e2a52-0f4c-4b0e-9a53-0b8f6f1f3f10"]},
                "operation": "0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11",
                "base": 0,
            }
        ]
    },
    request_only=True,
)


class ResponsesView(Door):
    """The answers of one's own attempt."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="saveResponses",
        summary="Save answers",
        tags=["attempts"],
        parameters=[Spoken, HEADER],
        request=ResponsesSent,
        responses={200: OpenApiResponse(SavedShapes, "All of them count, and are committed")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request, attempt: UUID) -> Answer:
        """Save one answer or many, all together.

        If another tab or program was first (`conflict`), or time was over (`late`), they are kept,
        but some do not count: 409, and `responses` says of each what stands.
        """
        spoken = language(request, query(request, Spoken))
        sent = body(request, ResponsesSent)["responses"]
        return once(request, lambda: self._save(request, attempt, sent, spoken))

    def _save(
        self, request: Request, attempt: UUID, sent: list[Mapping[str, Any]], spoken: str
    ) -> Outcome:
        saved = save(
            attempt=attempt,
            learner=caller(request),
            saves=[_read(posted) for posted in sent],
            language=spoken,
            now=clock.now(),
        )
        payload = SavedShapes({"responses": saved}).data
        verdicts = {response.verdict for response in saved} - {Verdict.ACCEPTED}
        if not verdicts:
            return Outcome(200, payload)
        code = Verdict.CONFLICT if Verdict.CONFLICT in verdicts else Verdict.LATE
        detail = "Kept, but not all of it counts; `responses` says what stands."
        return Outcome(409, document(409, str(code.value), detail, **payload))


def _read(posted: Mapping[str, Any]) -> Save:
    return Save(
        slot=posted["slot"],
        raw=posted["answer"],
        operation=posted["operation"],
        base=posted.get("base"),
        flagged=posted.get("flagged", False),
        client=posted.get("client"),
    )

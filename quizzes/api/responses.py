"""Responses: saving answers. 200 if all of them count, otherwise 409 with those that count."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from grading.numeric.readings import list_unconfirmed
from quizzes.api.attempt_versions import lock_attempt_version, read_attempt_version
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    LanguageQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.devices import DEVICE, read_device
from quizzes.api.fields import (
    StrictBooleanField,
    StrictIntegerField,
    StrictSerializer,
    StrictUUIDField,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    WRITTEN_ETAG,
    build_etag,
    describe_if_match,
    require_unchanged,
)
from quizzes.api.problems import problem_document
from quizzes.attempts.models import SaveStatus
from quizzes.attempts.responses import (
    MAX_REVISION,
    MAX_SLOT,
    ResponseInput,
    SaveResult,
    save_responses,
)
from quizzes.lib import clock

MAX_RESPONSES = 500


class ResponseRequest(StrictSerializer):
    """One answer. `idempotency_key` is an id that you make: sent twice, it is saved once.

    `base_revision` is the revision you saw; without it the answer replaces any other.
    """

    slot = StrictIntegerField(min_value=0, max_value=MAX_SLOT)
    answer = serializers.DictField(
        allow_null=True,
        help_text='by kind; of choices {"chosen": ["<option id>", …]}, or {"none_apply": true}; a '
        'number {"typed": "3.125", "language": "en", "separator": "decimal"}, where the separator '
        "is decimal or thousands: ask for it where unconfirmed_numbers names the answer",
    )
    idempotency_key = StrictUUIDField()
    base_revision = StrictIntegerField(
        min_value=0, max_value=MAX_REVISION, required=False, allow_null=True
    )
    flagged = StrictBooleanField(required=False)
    client = StrictUUIDField(required=False, allow_null=True)


class SaveResponsesRequest(StrictSerializer):
    """Answers to be saved together or not at all; each slot once."""

    responses = serializers.ListField(
        child=ResponseRequest(), min_length=1, max_length=MAX_RESPONSES
    )


class SaveResultSerializer(serializers.Serializer[Any]):
    """The status of one answer sent, and the answer that counts now."""

    slot = serializers.IntegerField()
    status = serializers.ChoiceField(SaveStatus.choices)
    revision = serializers.IntegerField()
    answer = serializers.DictField(allow_null=True)
    unconfirmed_numbers = serializers.SerializerMethodField(
        help_text="paths of numbers that can be read in two ways and came without a separator; "
        "the attempt cannot be submitted until it is sent; once time is over, the reading that "
        "earns more counts"
    )
    flagged = serializers.BooleanField()
    received_at = UTCDateTimeField(source="at")

    def get_unconfirmed_numbers(self, saved: SaveResult) -> list[str]:
        """Return the paths of the `typed` and `text` fields in the answer that counts."""
        return list(list_unconfirmed(saved.answer))


class SaveResultsSerializer(serializers.Serializer[Any]):
    """The status of each answer, in the order sent."""

    responses = SaveResultSerializer(many=True)


EXAMPLE = OpenApiExample(
    "One choice",
    {
        "responses": [
            {
                "slot": 0,
                "answer": {"chosen": ["6f0e2a52-0f4c-4b0e-9a53-0b8f6f1f3f10"]},
                "idempotency_key": "0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11",
                "base_revision": 0,
            }
        ]
    },
    request_only=True,
)


class ResponsesView(BaseAPIView):
    """The answers of one's own attempt."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.ATTEMPT,)}
    takes_if_match = True

    @extend_schema(
        operation_id="saveResponses",
        summary="Save answers",
        tags=["attempts"],
        parameters=[
            LanguageQuery,
            IDEMPOTENCY_KEY,
            describe_if_match("the attempt"),
            WRITTEN_ETAG,
            DEVICE,
        ],
        request=SaveResponsesRequest,
        responses={
            200: OpenApiResponse(SaveResultsSerializer, "All of them count, and are committed")
        },
        examples=[EXAMPLE],
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """Save one answer or many, all together.

        If another tab or program was first (`conflict`), the question was left and is locked
        (`locked`), or time was over (`late`), they are kept, but some do not count: 409, and
        `responses` has the answer that counts for each. Open on another device (`elsewhere`): 409,
        and none is kept; send them once it is taken over.
        """
        lang = response_language(request, parse_query(request, LanguageQuery))
        sent = parse_body(request, SaveResponsesRequest)["responses"]
        return idempotent(request, lambda: self._save(request, attempt, sent, lang))

    def _save(
        self, request: Request, attempt: UUID, sent: list[Mapping[str, Any]], lang: str
    ) -> WriteResult:
        etag = ""
        with require_unchanged(request, partial(lock_attempt_version, request, attempt)):
            saved = save_responses(
                attempt=attempt,
                learner=request_user(request),
                inputs=[_read(posted) for posted in sent],
                language=lang,
                now=clock.now(),
                device=read_device(request),
            )
            if "If-Match" in request.headers:
                etag = build_etag(read_attempt_version(attempt))
        payload = SaveResultsSerializer({"responses": saved}).data
        unaccepted = {response.status for response in saved} - {SaveStatus.ACCEPTED}
        if not unaccepted:
            return WriteResult(200, payload, etag=etag)
        order = (SaveStatus.CONFLICT, SaveStatus.LOCKED, SaveStatus.LATE)
        code = next(status for status in order if status in unaccepted)
        detail = _("Kept, but not all of it counts; `responses` has what counts now.")
        return WriteResult(409, problem_document(409, str(code.value), detail, **payload))


def _read(posted: Mapping[str, Any]) -> ResponseInput:
    return ResponseInput(
        slot=posted["slot"],
        raw=posted["answer"],
        idempotency_key=posted["idempotency_key"],
        base_revision=posted.get("base_revision"),
        flagged=posted.get("flagged", False),
        client=posted.get("client"),
    )

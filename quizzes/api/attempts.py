"""Attempts: list one's own, start one, read it without any key, submit it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from grading.kinds import KINDS
from quizzes.api.attempt_versions import (
    attempt_version,
    lock_attempt_version,
    read_attempt_version,
)
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    LanguageQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.change_pages import ChangePageSerializer, paginate_changes
from quizzes.api.devices import DEVICE, read_device
from quizzes.api.fields import (
    FractionField,
    StrictIntegerField,
    StrictSerializer,
    StrictUUIDField,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import PageQuery, QueryDateTimeField
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    CONDITIONAL_GET,
    NOT_MODIFIED,
    WRITTEN_ETAG,
    build_etag,
    describe_if_match,
    require_unchanged,
    tagged_response,
)
from quizzes.api.receipts import SignedReceiptSerializer
from quizzes.attempts import selectors, services
from quizzes.attempts.devices import open_on_device, take_over
from quizzes.attempts.manifest import Slot
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.question_locks import leave_question
from quizzes.attempts.responses import MAX_SLOT
from quizzes.bank.selectors import PublicVersion
from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.lib.translated_texts import choose_text
from quizzes.results import services as results

ATTEMPT_LOOKUPS = {
    "quiz": "quiz__uuid",
    "learner": "learner__uuid",
    "state": "state",
    "updated_since": "updated_at__gte",
}


def build_attempt_lookups(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the conditions on attempts that the query of a list names directly."""
    return {lookup: params[name] for name, lookup in ATTEMPT_LOOKUPS.items() if name in params}


class AttemptSerializer(serializers.Serializer[Any]):
    """One of your attempts."""

    id = serializers.UUIDField(source="uuid")
    quiz = serializers.UUIDField(source="quiz.uuid")
    number = serializers.IntegerField()
    state = serializers.CharField(help_text="open, submitted, graded or void")
    submission_reason = serializers.CharField(allow_blank=True, help_text="submitted or expired")
    started_at = UTCDateTimeField()
    deadline_at = UTCDateTimeField(
        allow_null=True, help_text="in a pause, the latest that it can be"
    )
    paused_until = UTCDateTimeField(
        allow_null=True, help_text="while it is to come, the time left stands still"
    )
    submitted_at = UTCDateTimeField(allow_null=True)
    updated_at = UTCDateTimeField()


class AttemptPageSerializer(ChangePageSerializer):
    """Some of your attempts, those changed last at the end."""

    items = AttemptSerializer(many=True)


class QuestionTextsSerializer(serializers.Serializer[Any]):
    """The texts of a question in one language, as safe HTML; those of its parts by id.

    Where the prompt has gaps to fill, each is `<span class="gap" data-gap="<id of the gap>">`.
    """

    language = serializers.CharField()
    prompt_html = serializers.CharField()
    parts_html = serializers.DictField(child=serializers.CharField())
    other_html = serializers.DictField(
        child=serializers.CharField(),
        help_text="other texts by name, such as the hint of a flashcard",
    )


class AttemptQuestionSerializer(serializers.Serializer[Any]):
    """One question of an attempt. Send `revision` as `base_revision` with the next answer."""

    slot = serializers.IntegerField()
    version = serializers.UUIDField()
    kind = serializers.CharField()
    scoring_method = serializers.CharField()
    points = FractionField()
    section = serializers.IntegerField()
    texts = QuestionTextsSerializer()
    public_view = serializers.DictField(help_text="its parts, in your order; by kind")
    answer = serializers.DictField(allow_null=True)
    revision = serializers.IntegerField()
    flagged = serializers.BooleanField()


class AttemptDetailSerializer(AttemptSerializer):
    """An attempt with its questions."""

    title = serializers.CharField()
    language = serializers.CharField(help_text="of the title")
    answered_count = serializers.IntegerField()
    maximum = FractionField()
    pass_threshold = FractionField(help_text="as a fraction of the maximum")
    question_count = serializers.IntegerField()
    locked_count = serializers.IntegerField(
        help_text="questions that were left for good, where the quiz locks them"
    )
    elsewhere = serializers.BooleanField(
        help_text="open on another device, where the quiz allows one: see `X-Device`"
    )
    questions = AttemptQuestionSerializer(
        many=True,
        help_text="all; where the quiz locks questions, the one that is asked now; elsewhere, none",
    )


class StartAttemptRequest(StrictSerializer):
    """The quiz to start."""

    quiz = StrictUUIDField()


class SubmitReceiptSerializer(serializers.Serializer[Any]):
    """The attempt is over, and that is committed. Its result is to be read at `result`.

    `receipt` is signed; its answers are in the file at `/attempts/{id}/receipt`.
    """

    attempt = serializers.UUIDField()
    result = serializers.CharField()
    receipt = SignedReceiptSerializer(allow_null=True)


class AttemptListQuery(PageQuery):
    """The query of the list."""

    quiz = serializers.UUIDField(required=False)
    state = serializers.ChoiceField(State.choices, required=False)
    updated_since = QueryDateTimeField(required=False)


def question_texts(
    public_version: PublicVersion, order: tuple[str, ...], language: str
) -> dict[str, Any]:
    """Return the texts of a question; its parts in the order of the attempt, not the author's."""
    texts = public_version.words(language)
    rest = sorted(texts.parts.keys() - set(order))
    return {
        "language": texts.language,
        "prompt_html": texts.prompt,
        "parts_html": {id_: texts.parts[id_] for id_ in (*order, *rest) if id_ in texts.parts},
        "other_html": texts.texts,
    }


def public_question(
    number: int, slot: Slot, public_version: PublicVersion, language: str
) -> dict[str, Any]:
    """Return what an attempt and a result both show of a question: nothing of its key."""
    return {
        "slot": number,
        "version": slot.version,
        "kind": slot.kind,
        "scoring_method": slot.scoring_method,
        "points": slot.points,
        "section": slot.section,
        "texts": question_texts(public_version, slot.order, language),
        "public_view": KINDS[slot.kind].public_view(public_version.content, slot.order).parts,
    }


def attempt_detail(
    attempt_view: selectors.AttemptView, lang: str, device: UUID | None
) -> Mapping[str, Any]:
    """Return one's own attempt with its questions and answers; without, if open elsewhere."""
    elsewhere = attempt_view.is_elsewhere(device)
    title, title_language = choose_text(
        attempt_view.manifest.title, lang, attempt_view.manifest.source_language
    )
    values = {
        **{name: getattr(attempt_view.attempt, name) for name in ATTEMPT_FIELDS},
        "quiz": {"uuid": attempt_view.manifest.quiz},
        "title": title,
        "language": title_language,
        "answered_count": attempt_view.answered,
        "maximum": attempt_view.manifest.maximum,
        "pass_threshold": attempt_view.manifest.threshold,
        "question_count": len(attempt_view.public_versions),
        "locked_count": attempt_view.attempt.locked_slots,
        "elsewhere": elsewhere,
        "questions": [
            _build_question(attempt_view, slot, lang)
            for slot in (() if elsewhere else attempt_view.shown_slots)
        ],
    }
    payload: Mapping[str, Any] = AttemptDetailSerializer(values).data
    return payload


def _build_result(
    attempt_view: selectors.AttemptView, lang: str, device: UUID | None
) -> WriteResult:
    """Return the answer of a write to one's own attempt: as it is now, with its ETag."""
    payload = attempt_detail(attempt_view, lang, device)
    return WriteResult(200, payload, etag=build_etag(attempt_version(attempt_view), payload))


def _build_question(attempt_view: selectors.AttemptView, slot: int, lang: str) -> dict[str, Any]:
    response = attempt_view.responses[slot]
    question = public_question(
        slot, attempt_view.manifest.slots[slot], attempt_view.public_versions[slot], lang
    )
    return question | {
        "answer": response.answer,
        "revision": response.revision,
        "flagged": response.flagged,
    }


ATTEMPT_FIELDS = (
    *("uuid", "number", "state", "submission_reason", "started_at", "deadline_at"),
    *("paused_until", "submitted_at", "updated_at"),
)


class AttemptsView(BaseAPIView):
    """One's own attempts."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.ATTEMPT), "POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="listAttempts",
        summary="Your attempts",
        tags=["attempts"],
        parameters=[AttemptListQuery],
        responses=AttemptPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List your own attempts, open ones too."""
        params = parse_query(request, AttemptListQuery)
        rows = Attempt.objects.filter(
            learner=request_user(request), **build_attempt_lookups(params)
        ).select_related("quiz")
        page = paginate_changes(rows, request, params)
        return Response(AttemptPageSerializer(page.to_json(page.rows)).data)

    @extend_schema(
        operation_id="startAttempt",
        summary="Start an attempt, or go on with the open one",
        tags=["attempts"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY, WRITTEN_ETAG, DEVICE],
        request=StartAttemptRequest,
        responses={
            201: OpenApiResponse(AttemptDetailSerializer, "Started now"),
            200: OpenApiResponse(AttemptDetailSerializer, "It was open already"),
        },
    )
    def post(self, request: Request) -> APIResponse:
        """Start an attempt; repeated, it starts no second one. 409: refused, `code` says why."""
        lang = response_language(request, parse_query(request, LanguageQuery))
        posted = parse_body(request, StartAttemptRequest)
        return idempotent(request, lambda: self._start(request, posted["quiz"], lang))

    def _start(self, request: Request, quiz: UUID, lang: str) -> WriteResult:
        learner, now = request_user(request), clock.now()
        attempt = services.start(quiz=quiz, learner=learner, now=now)
        status = 201 if attempt.started_at == now else 200
        where = reverse("api:attempt", kwargs={"attempt": attempt.uuid})
        attempt_view = selectors.load_attempt_view(attempt=attempt.uuid, learner=learner)
        device = read_device(request)
        if attempt_view.manifest.policies.one_device and device:
            open_on_device(attempt=attempt.uuid, learner=learner, device=device, now=now)
            attempt_view = selectors.load_attempt_view(attempt=attempt.uuid, learner=learner)
        return replace(_build_result(attempt_view, lang, device), status=status, location=where)


class AttemptView(BaseAPIView):
    """One of one's own attempts."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.ATTEMPT)}

    @extend_schema(
        operation_id="getAttempt",
        summary="One of your attempts, with its questions",
        tags=["attempts"],
        parameters=[LanguageQuery, *CONDITIONAL_GET, DEVICE],
        responses={200: AttemptDetailSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, attempt: UUID) -> HttpResponse:
        """Show questions and answers; the language may change at any moment, the order never."""
        lang = response_language(request, parse_query(request, LanguageQuery))
        attempt_view = selectors.load_attempt_view(attempt=attempt, learner=request_user(request))
        version = attempt_version(attempt_view)
        return tagged_response(
            request, attempt_detail(attempt_view, lang, read_device(request)), version
        )


class SubmitView(BaseAPIView):
    """The end of an attempt."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.ATTEMPT,)}
    takes_if_match = True

    @extend_schema(
        operation_id="submitAttempt",
        summary="Submit an attempt",
        tags=["attempts"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the attempt"), WRITTEN_ETAG, DEVICE],
        request=None,
        responses={200: OpenApiResponse(SubmitReceiptSerializer, "Over, now or before")},
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """Submit and grade; any number of submits give one grading and the same receipt.

        While numbers can be read in two ways and came without a separator: 409
        (`numbers_unconfirmed`), with their `slots`; send the separators first.
        """
        parse_query(request, EmptyQuery)
        # Submitting and grading are two transactions, so the key's row is a third.
        return idempotent(request, lambda: self._submit(request, attempt), same_transaction=False)

    def _submit(self, request: Request, attempt: UUID) -> WriteResult:
        learner, now, device = request_user(request), clock.now(), read_device(request)
        if "If-Match" in request.headers:
            with require_unchanged(request, partial(lock_attempt_version, request, attempt)):
                services.submit(attempt=attempt, learner=learner, now=now, device=device)
        signed = results.finish(attempt=attempt, learner=learner, now=now, device=device)
        where = reverse("api:result", kwargs={"attempt": attempt})
        receipt = {"attempt": attempt, "result": where, "receipt": signed}
        etag = build_etag(read_attempt_version(attempt)) if "If-Match" in request.headers else ""
        return WriteResult(200, SubmitReceiptSerializer(receipt).data, etag=etag)


class LeaveQuestionRequest(StrictSerializer):
    """The question that you leave."""

    slot = StrictIntegerField(min_value=0, max_value=MAX_SLOT)


class LeaveQuestionView(BaseAPIView):
    """The way from one question to the next where a quiz locks them."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="leaveQuestion",
        summary="Leave a question for good, and get the next",
        tags=["attempts"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY, WRITTEN_ETAG, DEVICE],
        request=LeaveQuestionRequest,
        responses={200: OpenApiResponse(AttemptDetailSerializer, "Locked, now or before")},
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """Lock a question: it is neither shown nor changed any more. Sent again, it locks no other.

        409: the quiz locks no questions (`not_locking`), the attempt is over (`over`), or a number
        can be read in two ways (`numbers_unconfirmed`, with its `slots`). The last question is
        not left but submitted: 400.
        """
        lang = response_language(request, parse_query(request, LanguageQuery))
        slot = parse_body(request, LeaveQuestionRequest)["slot"]
        return idempotent(request, lambda: self._leave(request, attempt, slot, lang))

    def _leave(self, request: Request, attempt: UUID, slot: int, lang: str) -> WriteResult:
        learner = request_user(request)
        device = read_device(request)
        leave_question(attempt=attempt, learner=learner, slot=slot, now=clock.now(), device=device)
        attempt_view = selectors.load_attempt_view(attempt=attempt, learner=learner)
        return _build_result(attempt_view, lang, device)


class TakeOverView(BaseAPIView):
    """The way of an attempt from one device to another, where a quiz allows one at a time."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="takeOverAttempt",
        summary="Go on with an attempt on this device",
        tags=["attempts"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY, WRITTEN_ETAG, DEVICE],
        request=None,
        responses={200: OpenApiResponse(AttemptDetailSerializer, "Open here, now or before")},
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """Open the attempt on the device of `X-Device`; the earlier one can save no more.

        It is in the audit log. 409: the attempt is over (`over`). 422: no device.
        """
        lang = response_language(request, parse_query(request, LanguageQuery))
        return idempotent(request, lambda: self._take_over(request, attempt, lang))

    def _take_over(self, request: Request, attempt: UUID, lang: str) -> WriteResult:
        learner, device = request_user(request), read_device(request)
        selectors.load_attempt_view(attempt=attempt, learner=learner)  # another's is not there
        if device is None:
            raise Invalid("required", where="X-Device")
        take_over(attempt=attempt, learner=learner, device=device, now=clock.now())
        attempt_view = selectors.load_attempt_view(attempt=attempt, learner=learner)
        return _build_result(attempt_view, lang, device)

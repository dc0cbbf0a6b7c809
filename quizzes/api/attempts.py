"""Attempts: one's own; start one, and see it as its taker does, without any key."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from grading.kinds import KINDS
from quizzes.api.door import Answer, Door, NoQuery, Spoken, body, language, query
from quizzes.api.fields import Exact, Instant, Strict, Uuid
from quizzes.api.idempotency import HEADER, Outcome, once
from quizzes.api.paging import BY_CHANGE, Paged, QueryMoment, page
from quizzes.api.permissions import Scopes, caller
from quizzes.api.quiz_versions import words
from quizzes.attempts import selectors, services
from quizzes.attempts.manifest import Slot
from quizzes.attempts.models import Attempt, State
from quizzes.bank.selectors import Paper
from quizzes.lib import clock
from quizzes.results import services as results


class AttemptShape(serializers.Serializer[Any]):
    """One of your attempts."""

    id = serializers.UUIDField(source="uuid")
    quiz = serializers.UUIDField(source="quiz.uuid")
    number = serializers.IntegerField()
    state = serializers.CharField(help_text="open, submitted, graded or void")
    ending = serializers.CharField(allow_blank=True, help_text="submitted or expired")
    started_at = Instant()
    deadline_at = Instant(allow_null=True)
    submitted_at = Instant(allow_null=True)
    updated_at = Instant()


class AttemptPage(serializers.Serializer[Any]):
    """Some of your attempts, those changed last at the end."""

    items = AttemptShape(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class WordsShape(serializers.Serializer[Any]):
    """The words of a question in one language, as safe HTML; those of its parts by id.

    Where the prompt has gaps to fill, each is `<span class="gap" data-gap="<id of the gap>">`.
    """

    language = serializers.CharField()
    prompt_html = serializers.CharField()
    parts_html = serializers.DictField(child=serializers.CharField())
    texts_html = serializers.DictField(
        child=serializers.CharField(), help_text="others by name: the hint of a flashcard, say"
    )


class QuestionShape(serializers.Serializer[Any]):
    """One question of the sheet. Send `revision` as `base` of the next answer."""

    slot = serializers.IntegerField()
    version = serializers.UUIDField()
    kind = serializers.CharField()
    scoring_method = serializers.CharField()
    points = Exact()
    section = serializers.IntegerField()
    words = WordsShape()
    presented = serializers.DictField(help_text="its parts, in your order; by kind")
    answer = serializers.DictField(allow_null=True)
    revision = serializers.IntegerField()
    flagged = serializers.BooleanField()


class SheetShape(AttemptShape):
    """An attempt with its questions."""

    title = serializers.CharField()
    language = serializers.CharField(help_text="of the title")
    answered = serializers.IntegerField()
    maximum = Exact()
    pass_mark = Exact(help_text="as a part of the maximum")
    questions = QuestionShape(many=True)


class Start(Strict):
    """What is to be taken."""

    quiz = Uuid()


class Receipt(serializers.Serializer[Any]):
    """The attempt is over, and that is committed. Its result is to be read at `result`."""

    attempt = serializers.UUIDField()
    result = serializers.CharField()


class AttemptsQuery(Paged):
    """The query of the list."""

    quiz = serializers.UUIDField(required=False)
    state = serializers.ChoiceField(State.choices, required=False)
    updated_since = QueryMoment(required=False)


def in_words(paper: Paper, order: tuple[str, ...], language: str) -> dict[str, Any]:
    """Return the words of a question; its parts in the order of the attempt, not the author's."""
    texts = paper.words(language)
    rest = sorted(texts.parts.keys() - set(order))
    return {
        "language": texts.language,
        "prompt_html": texts.prompt,
        "parts_html": {id_: texts.parts[id_] for id_ in (*order, *rest) if id_ in texts.parts},
        "texts_html": texts.texts,
    }


def question(number: int, plan: Slot, paper: Paper, language: str) -> dict[str, Any]:
    """Return what a sheet and a result both show of a question: nothing of its key."""
    return {
        "slot": number,
        "version": plan.version,
        "kind": plan.kind,
        "scoring_method": plan.scoring_method,
        "points": plan.points,
        "section": plan.section,
        "words": in_words(paper, plan.order, language),
        "presented": KINDS[plan.kind].present(paper.content, plan.order).parts,
    }


def sheet(request: Request, attempt: UUID, spoken: str) -> Mapping[str, Any]:
    """Return one's own attempt with its questions and answers. Not theirs: NotFound."""
    attempt_sheet = selectors.sheet(attempt=attempt, learner=caller(request))
    title, titled = words(
        attempt_sheet.manifest.title, spoken, attempt_sheet.manifest.source_language
    )
    values = {
        **{name: getattr(attempt_sheet.attempt, name) for name in SCALARS},
        "quiz": {"uuid": attempt_sheet.manifest.quiz},
        "title": title,
        "language": titled,
        "answered": attempt_sheet.answered,
        "maximum": attempt_sheet.manifest.maximum,
        "pass_mark": attempt_sheet.manifest.threshold,
        "questions": [
            question(head.slot, plan, paper, spoken)
            | {"answer": head.answer, "revision": head.revision, "flagged": head.flagged}
            for plan, paper, head in zip(
                attempt_sheet.manifest.slots, attempt_sheet.papers, attempt_sheet.heads, strict=True
            )
        ],
    }
    payload: Mapping[str, Any] = SheetShape(values).data
    return payload


SCALARS = (
    "uuid",
    "number",
    "state",
    "ending",
    "started_at",
    "deadline_at",
    "submitted_at",
    "updated_at",
)


class AttemptsView(Door):
    """One's own attempts."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.ATTEMPT), "POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="listAttempts",
        summary="Your attempts",
        tags=["attempts"],
        parameters=[AttemptsQuery],
        responses=AttemptPage,
    )
    def get(self, request: Request) -> Response:
        """List your own attempts, open ones too."""
        params = query(request, AttemptsQuery)
        named = {"quiz": "quiz__uuid", "state": "state", "updated_since": "updated_at__gte"}
        filters = {where: params[name] for name, where in named.items() if name in params}
        rows = Attempt.objects.filter(learner=caller(request), **filters).select_related("quiz")
        cut = page(rows, BY_CHANGE, request, params)
        return Response(AttemptPage(cut.to_json(cut.rows)).data)

    @extend_schema(
        operation_id="startAttempt",
        summary="Start an attempt, or go on with the open one",
        tags=["attempts"],
        parameters=[Spoken, HEADER],
        request=Start,
        responses={
            201: OpenApiResponse(SheetShape, "Started now"),
            200: OpenApiResponse(SheetShape, "It was open already"),
        },
    )
    def post(self, request: Request) -> Answer:
        """Start; asked twice, one attempt is started. Rules that say no: 409 with `next_at`."""
        spoken = language(request, query(request, Spoken))
        posted = body(request, Start)
        return once(request, lambda: self._start(request, posted["quiz"], spoken))

    def _start(self, request: Request, quiz: UUID, spoken: str) -> Outcome:
        now = clock.now()
        attempt = services.start(quiz=quiz, learner=caller(request), now=now)
        status = 201 if attempt.started_at == now else 200
        where = reverse("api:attempt", kwargs={"attempt": attempt.uuid})
        return Outcome(status, sheet(request, attempt.uuid, spoken), where)


class AttemptView(Door):
    """One of one's own attempts."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.ATTEMPT)}

    @extend_schema(
        operation_id="getAttempt",
        summary="One of your attempts, as a sheet",
        tags=["attempts"],
        parameters=[Spoken],
        responses=SheetShape,
    )
    def get(self, request: Request, attempt: UUID) -> Response:
        """Show questions and answers; the language may change at any moment, the order never."""
        return Response(sheet(request, attempt, language(request, query(request, Spoken))))


class SubmitView(Door):
    """The end of an attempt."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="submitAttempt",
        summary="Submit an attempt",
        tags=["attempts"],
        parameters=[HEADER],
        request=None,
        responses={200: OpenApiResponse(Receipt, "Over, now or before")},
    )
    def post(self, request: Request, attempt: UUID) -> Answer:
        """Submit and grade; any number of submits give one grading and the same receipt."""
        query(request, NoQuery)
        # Submitting and grading are two transactions, so the key's row is a third.
        return once(request, lambda: self._submit(request, attempt), joined=False)

    def _submit(self, request: Request, attempt: UUID) -> Outcome:
        results.finish(attempt=attempt, learner=caller(request), now=clock.now())
        where = reverse("api:result", kwargs={"attempt": attempt})
        return Outcome(200, Receipt({"attempt": attempt, "result": where}).data)

"""Practice: the question that one is at, checked at once, with hints and several tries."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from uuid import UUID, uuid4

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.attempts import QuestionTextsSerializer, public_question
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    LanguageQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.fields import (
    FractionField,
    StrictIntegerField,
    StrictSerializer,
    StrictUUIDField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.receipts import ReceiptFileSerializer, SignedReceiptSerializer
from quizzes.api.results import FeedbackSerializer, LedgerLineSerializer
from quizzes.lib import clock
from quizzes.lib.practice_credits import MAX_TRIES
from quizzes.practice import services
from quizzes.practice.access import find_practice_quiz
from quizzes.practice.selectors import PracticeView, find_current, load_practice
from quizzes.practice.try_receipts import load_try_receipt_file

MAX_NUMBER = 1_000_000
QUESTION_FIELDS = ("version", "kind", "scoring_method", "texts", "public_view")


class PracticeQuestionSerializer(serializers.Serializer[Any]):
    """A practised question. What may not be shown is null or empty.

    `is_live`: a graded quiz may still ask it, so hints are shown and not what is right, and the
    first try is the last.
    """

    id = serializers.UUIDField()
    number = serializers.IntegerField(help_text="of the questions practised here; 1 is the first")
    version = serializers.UUIDField()
    kind = serializers.CharField()
    scoring_method = serializers.CharField()
    texts = QuestionTextsSerializer()
    public_view = serializers.DictField(help_text="its parts, in your order; by kind")
    answer = serializers.DictField(allow_null=True, help_text="of the last try")
    tries = serializers.IntegerField(help_text="tries made")
    try_count = serializers.IntegerField(help_text="tries there are")
    next_worth = FractionField(
        allow_null=True, help_text="what the next try is worth; null: there is none"
    )
    is_over = serializers.BooleanField()
    is_live = serializers.BooleanField()
    outcome = serializers.CharField(
        help_text="of the last try: correct, partially_correct, incorrect, unanswered, "
        "needs_grading, ungraded or hidden"
    )
    credit = FractionField(
        allow_null=True, help_text="the best try, as a share, after what later tries lose"
    )
    ledger = LedgerLineSerializer(many=True)
    correct_answer = serializers.DictField(allow_null=True)
    hint_count = serializers.IntegerField()
    hints_opened = serializers.IntegerField()
    feedback = FeedbackSerializer()
    receipt = SignedReceiptSerializer(
        allow_null=True,
        help_text="of the last try, signed; `attempt` is the question, `responses` the try",
    )


class PracticeSerializer(serializers.Serializer[Any]):
    """Where you are in a practice."""

    quiz = serializers.UUIDField()
    question = PracticeQuestionSerializer(allow_null=True, help_text="null before the first")


class NextPracticeRequest(StrictSerializer):
    """After which question the next is drawn."""

    after = StrictIntegerField(
        min_value=0, max_value=MAX_NUMBER, help_text="its number; 0 draws the first"
    )
    attempt = StrictUUIDField(
        required=False, help_text="of yours, ended: what you missed in it comes first"
    )


class PracticeCheckRequest(StrictSerializer):
    """An answer to be checked; `tried` tries were made before it.

    With an `idempotency_key` an answer that is sent again, after a reply was lost, is the same try.
    """

    question = StrictUUIDField(help_text="its `id`")
    answer = serializers.DictField(help_text="by kind, as of an attempt")
    tried = StrictIntegerField(min_value=0, max_value=MAX_TRIES)
    idempotency_key = StrictUUIDField(
        required=False, help_text="an id that you make, a new one for each try"
    )


class PracticeHintRequest(StrictSerializer):
    """That the next hint is opened; `opened` were open before.

    With an `idempotency_key`, one that is sent again, after a reply was lost, is the same step.
    """

    question = StrictUUIDField(help_text="its `id`")
    opened = StrictIntegerField(min_value=0, max_value=MAX_NUMBER)
    idempotency_key = StrictUUIDField(
        required=False, help_text="an id that you make, a new one for each step"
    )


class PracticeAnswerRequest(StrictSerializer):
    """That the tries at a question end.

    With an `idempotency_key`, one that is sent again, after a reply was lost, is the same step.
    """

    question = StrictUUIDField(help_text="its `id`")
    idempotency_key = StrictUUIDField(
        required=False, help_text="an id that you make, a new one for each step"
    )


EXAMPLE = OpenApiExample(
    "A second try",
    {
        "question": "0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11",
        "answer": {"chosen": ["6f0e2a52-0f4c-4b0e-9a53-0b8f6f1f3f10"]},
        "tried": 1,
        "idempotency_key": "5f5a8f0e-41a7-4a0c-9d0e-0c9f1b7a2e64",
    },
    request_only=True,
)


class PracticeBaseView(BaseAPIView):
    """What every address of a practice answers: where one is now."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.ATTEMPT,)}

    def load(self, request: Request, quiz: UUID, lang: str) -> dict[str, Any]:
        """Return where one is in a practice, as far as reveal shows it now."""
        learner = request_user(request)
        now = clock.now()
        row = find_current(find_practice_quiz(learner, quiz, now), learner)
        view = None if row is None else load_practice(row, learner, lang, now)
        question = None if view is None else _build_question(view, lang)
        return dict(PracticeSerializer({"quiz": quiz, "question": question}).data)

    def act(
        self, request: Request, quiz: UUID, posted: Mapping[str, Any], do: Callable[[], object]
    ) -> APIResponse:
        """Do something with the question that one is at; nothing with another."""
        lang = response_language(request, parse_query(request, LanguageQuery))
        learner = request_user(request)

        def write() -> WriteResult:
            row = find_current(find_practice_quiz(learner, quiz, clock.now()), learner)
            if row is not None and row.uuid == posted["question"]:
                do()
            return WriteResult(200, self.load(request, quiz, lang))

        return idempotent(
            request, write, replay=lambda _: WriteResult(200, self.load(request, quiz, lang))
        )


class QuizPracticeView(PracticeBaseView):
    """Where one is in a practice, and the next question."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.ATTEMPT,), "POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="getPractice",
        summary="Where you are in a practice",
        tags=["practice"],
        parameters=[LanguageQuery],
        responses=PracticeSerializer,
    )
    def get(self, request: Request, quiz: UUID) -> Response:
        """Show the question that you are at, and stop and go on whenever you like.

        A quiz that is no practice, or not yours to take: 404; not open now: 409. Scope `attempt`.
        """
        lang = response_language(request, parse_query(request, LanguageQuery))
        return Response(self.load(request, quiz, lang))

    @extend_schema(
        operation_id="nextPracticeQuestion",
        summary="Start a practice, or get its next question",
        tags=["practice"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY],
        request=NextPracticeRequest,
        responses={200: OpenApiResponse(PracticeSerializer, "Drawn, now or before")},
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Draw the question after the one with this number; sent twice, it draws once.

        Nothing of it enters a grade. 409: the quiz is not open now, or has nothing to practise;
        `code` says which.
        """
        lang = response_language(request, parse_query(request, LanguageQuery))
        wish = parse_body(request, NextPracticeRequest)
        learner = request_user(request)

        def write() -> WriteResult:
            services.draw_next(
                quiz=quiz,
                learner=learner,
                after=wish["after"],
                attempt=wish.get("attempt"),
                now=clock.now(),
            )
            return WriteResult(200, self.load(request, quiz, lang))

        return idempotent(
            request, write, replay=lambda _: WriteResult(200, self.load(request, quiz, lang))
        )


class PracticeCheckView(PracticeBaseView):
    """A try at a practised question."""

    @extend_schema(
        operation_id="checkPracticeAnswer",
        summary="Check an answer to a practised question",
        tags=["practice"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY],
        request=PracticeCheckRequest,
        responses={200: OpenApiResponse(PracticeSerializer, "Checked, now or before")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Score an answer at once; what is right is shown when there is nothing more to try.

        An answer that cannot be read, or none, is no try: 422; so is one that takes too long to
        score (`took_too_long`), and a key that another answer has (`idempotency_key_reused`). Where
        another question is asked by now, or another try was made meanwhile, nothing is checked; you
        get where you are.
        """
        posted = parse_body(request, PracticeCheckRequest)
        lang = response_language(request, {})
        return self.act(
            request,
            quiz,
            posted,
            lambda: services.check_answer(
                question=posted["question"],
                learner=request_user(request),
                raw=posted["answer"],
                tried=posted["tried"],
                idempotency_key=posted.get("idempotency_key") or uuid4(),
                language=lang,
                now=clock.now(),
            ),
        )


class PracticeHintView(PracticeBaseView):
    """The next hint of a practised question."""

    @extend_schema(
        operation_id="openPracticeHint",
        summary="Open the next hint of a practised question",
        tags=["practice"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY],
        request=PracticeHintRequest,
        responses={200: OpenApiResponse(PracticeSerializer, "Open, now or before")},
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Open one hint more; a hint costs nothing. Where there is none more, nothing happens."""
        posted = parse_body(request, PracticeHintRequest)
        lang = response_language(request, {})
        return self.act(
            request,
            quiz,
            posted,
            lambda: services.open_hint(
                question=posted["question"],
                learner=request_user(request),
                opened=posted["opened"],
                idempotency_key=posted.get("idempotency_key") or uuid4(),
                language=lang,
                now=clock.now(),
            ),
        )


class PracticeAnswerView(PracticeBaseView):
    """The end of the tries at a practised question."""

    @extend_schema(
        operation_id="showPracticeAnswer",
        summary="End the tries at a practised question, to see what is right",
        tags=["practice"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY],
        request=PracticeAnswerRequest,
        responses={200: OpenApiResponse(PracticeSerializer, "Over, now or before")},
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """End the tries; of a question that a graded quiz may still ask, no answer is shown."""
        posted = parse_body(request, PracticeAnswerRequest)
        lang = response_language(request, {})
        return self.act(
            request,
            quiz,
            posted,
            lambda: services.ask_for_answer(
                question=posted["question"],
                learner=request_user(request),
                idempotency_key=posted.get("idempotency_key") or uuid4(),
                language=lang,
                now=clock.now(),
            ),
        )


class TryReceiptView(BaseAPIView):
    """The receipt of a try in practice."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="getTryReceipt",
        summary="The signed receipt of a try in practice, with its answer",
        tags=["practice"],
        responses=ReceiptFileSerializer,
    )
    def get(self, request: Request, question: UUID, number: int) -> Response:
        """Return the receipt file of a try of your own, counted from 1. Scope `attempt`.

        Its `submission_reason` is `practised`: nothing of it enters a grade.
        """
        parse_query(request, EmptyQuery)
        learner = request_user(request)
        return Response(load_try_receipt_file(question=question, number=number, learner=learner))


def _build_question(view: PracticeView, lang: str) -> dict[str, Any]:
    state, report = view.state, view.report
    question = public_question(0, view.slot, report.public_version, lang)
    return {name: question[name] for name in QUESTION_FIELDS} | {
        "id": state.row.uuid,
        "number": state.row.number,
        "answer": view.answer,
        "tries": len(state.tries),
        "try_count": 1 if state.is_live else len(state.worths),
        "next_worth": state.next_worth,
        "is_over": state.is_over,
        "is_live": state.is_live,
        "outcome": report.outcome,
        "credit": None if state.is_live else state.credit,
        "ledger": report.ledger if state.is_over else (),
        "correct_answer": report.solution,
        "hint_count": view.hint_count,
        "hints_opened": min(state.row.hints_opened, view.hint_count),
        "feedback": {
            "language": report.feedback_language,
            "parts_html": report.feedback,
            "triggered_html": report.remarks,
            "explanation_html": report.explanation,
            "hints_html": report.hints,
            "reading_link_html": report.reading_link,
            "comments": (),
        },
        "receipt": state.tries[-1].receipt if state.tries else None,
    }

"""The answers of learners to one question of a quiz, and one score by hand for many of them."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    LanguageQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.fields import StrictIntegerField, StrictSerializer
from quizzes.api.gradebook import GradebookLearnerSerializer
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.item_grades import ItemGradeSerializer
from quizzes.api.marking import MAX_SEEN, ScoreRequest, read_override
from quizzes.api.pagination import MAX_PAGE_SIZE, Order, PageQuery, paginate
from quizzes.api.permissions import Scopes, request_user
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.selectors import PublicVersion, load_public_versions
from quizzes.lib.errors import NotFound
from quizzes.presentation.kinds import answer_text
from quizzes.results.group_override import AnswerToOverride, override_scores
from quizzes.results.question_answers import (
    AnswerStatus,
    filter_question_answers,
    find_asked_question,
    read_answer,
)

BY_ATTEMPT = Order((("attempt_uuid", UUID),))


class QuestionAnswerQuery(PageQuery, LanguageQuery):
    """Which answers."""

    status = serializers.ChoiceField(
        [status.value for status in AnswerStatus],
        required=False,
        default="",
        help_text="by whether a person graded it or commented on it, or by what it earned",
    )
    version = serializers.UUIDField(required=False, help_text="answers to this version alone")
    same_as = serializers.UUIDField(
        required=False,
        help_text="an attempt: answers that are the same as its own, typed ones after folding",
    )


class QuestionAnswerSerializer(ItemGradeSerializer):
    """An answer as it counts now.

    `answer` is text, empty for none; `credit` a share of `points`, null while it waits for a
    person.
    """

    attempt = serializers.UUIDField()
    attempt_number = serializers.IntegerField()
    learner = GradebookLearnerSerializer()
    is_overridden = serializers.BooleanField(help_text="a person replaced the computed score")
    comment = serializers.CharField(
        allow_blank=True, help_text="what a person wrote last: a reason or a comment"
    )
    marks = serializers.IntegerField(help_text="by persons, of the whole attempt")


class QuestionAnswerPageSerializer(serializers.Serializer[Any]):
    """Some answers, by the id of the attempt."""

    items = QuestionAnswerSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class ChosenAnswerRequest(StrictSerializer):
    """An attempt whose answer gets the score."""

    attempt = serializers.UUIDField()
    seen = StrictIntegerField(
        required=False,
        min_value=0,
        max_value=MAX_SEEN,
        help_text="`marks` of the attempt as you knew it: if there are others now, it is refused",
    )


class OverrideScoresRequest(ScoreRequest):
    """A person's score in place of the computed one of each of these answers."""

    answers = serializers.ListField(
        child=ChosenAnswerRequest(), min_length=1, max_length=MAX_PAGE_SIZE
    )


class OverriddenScoresSerializer(serializers.Serializer[Any]):
    """What became of a score for many answers."""

    saved = serializers.IntegerField()
    refused = serializers.DictField(
        child=serializers.CharField(),
        help_text="attempts whose score stays → why, as the code of a problem",
    )


class QuestionAnswersView(BaseAPIView):
    """The answers to a question of a quiz, of the learners that you oversee."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}
    sensitive_methods = frozenset({"GET"})
    shows_keys = True

    @extend_schema(
        operation_id="listQuestionAnswers",
        summary="Answers to a question of a quiz",
        tags=["results"],
        parameters=[QuestionAnswerQuery],
        responses=QuestionAnswerPageSerializer,
    )
    def get(self, request: Request, quiz: UUID, question: UUID) -> Response:
        """Show every graded answer, whose it is and what it earned; none of staff or your own.

        Nothing while you have a graded attempt open that shares a bank with the quiz.
        """
        params = parse_query(request, QuestionAnswerQuery)
        viewer, language = request_user(request), response_language(request, params)
        quiz_row, question_row = find_asked_question(quiz=quiz, question=question, viewer=viewer)
        rows = filter_question_answers(
            quiz=quiz_row,
            question=question_row,
            viewer=viewer,
            status=params["status"],
            same_as=params.get("same_as"),
        )
        if "version" in params:
            rows = rows.filter(version__uuid=params["version"])
        record(AuditCode.KEYS_VIEWED, about=quiz_row, once=True)
        page = paginate(rows, BY_ATTEMPT, request, params)
        versions = load_public_versions({row.version_uuid for row in page.rows})
        items = [
            _describe_answer(row, question, versions[row.version_uuid], language)
            for row in page.rows
        ]
        return Response(QuestionAnswerPageSerializer(page.to_json(items)).data)


class QuestionScoresView(BaseAPIView):
    """The scores of many answers to a question."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    shows_keys = True

    @extend_schema(
        operation_id="overrideScores",
        summary="Put one score in place of the computed ones of many answers",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=OverrideScoresRequest,
        responses={200: OpenApiResponse(OverriddenScoresSerializer, "What became of it")},
    )
    def post(self, request: Request, quiz: UUID, question: UUID) -> APIResponse:
        """Give answers to one question the same share by hand, with a reason; regrades keep it.

        Each is saved by itself: what was marked meanwhile, waits for a person or is not yours is
        among `refused`, and the others are saved. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, OverrideScoresRequest)
        return idempotent(
            request,
            lambda: self._override(request, quiz, question, posted),
            same_transaction=False,
        )

    def _override(
        self, request: Request, quiz: UUID, question: UUID, posted: dict[str, Any]
    ) -> WriteResult:
        viewer = request_user(request)
        quiz_row, question_row = find_asked_question(quiz=quiz, question=question, viewer=viewer)
        seen_by_attempt = {answer["attempt"]: answer.get("seen") for answer in posted["answers"]}
        rows = filter_question_answers(quiz=quiz_row, question=question_row, viewer=viewer)
        answers = [
            AnswerToOverride(row.attempt_uuid, row.slot, seen_by_attempt[row.attempt_uuid])
            for row in rows.filter(attempt_uuid__in=seen_by_attempt)
        ]
        missing = seen_by_attempt.keys() - {answer.attempt for answer in answers}
        refused = {
            **override_scores(answers=answers, **read_override(request, posted)),
            **dict.fromkeys(missing, NotFound.code),
        }
        saved = len(seen_by_attempt) - len(refused)
        payload = {"saved": saved, "refused": {str(uuid): refused[uuid] for uuid in refused}}
        return WriteResult(200, OverriddenScoresSerializer(payload).data)


def _describe_answer(
    row: Any, question: UUID, version: PublicVersion, language: str
) -> Mapping[str, Any]:
    answer, is_overridden = read_answer(row)
    return {
        "attempt": row.attempt_uuid,
        "attempt_number": row.attempt_number,
        "number": row.slot + 1,
        "learner": row.learner,
        "question": question,
        "version": version.uuid,
        "answer": answer_text(version, answer, language) if answer else "",
        "credit": row.credit,
        "points": row.points,
        "is_overridden": is_overridden,
        "comment": row.comment or "",
        "marks": row.marks,
    }

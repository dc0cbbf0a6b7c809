"""What waits for a person: the queue, the answers to a question without names, and one of them."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from grading.essay.structure import load_rubric
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    LanguageQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.fields import FractionField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.marking import GradeAnswerRequest, grade_by_hand
from quizzes.api.pagination import DEFAULT_PAGE_SIZE, Order, PageQuery, build_page
from quizzes.api.permissions import Scopes, request_user
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Question
from quizzes.bank.selectors import KeyAndFeedback, load_keys_and_feedback
from quizzes.lib.translated_texts import choose_text
from quizzes.results import grading_queue
from quizzes.results.double_grading import EffectiveGrade
from quizzes.results.grading_queue import AnswerToGrade, QueuedAnswer

BY_TOKEN: Final = Order((("token", str),))
STATES: Final = [
    grading_queue.NEEDS_GRADING,
    grading_queue.GRADED_BY_ME,
    grading_queue.DISAGREEMENT,
    grading_queue.DONE,
]


class QueuedQuestionSerializer(serializers.Serializer[Any]):
    """A question of a quiz with answers that wait for a person: how many, by their state."""

    quiz = serializers.UUIDField()
    title = serializers.CharField(help_text="of the quiz")
    question = serializers.UUIDField()
    prompt_html = serializers.CharField()
    needs_grading = serializers.IntegerField()
    graded_by_me = serializers.IntegerField(help_text="that wait for another grader")
    disagreement = serializers.IntegerField(help_text="whose grades differ and are to be settled")


class GradingQueueSerializer(serializers.Serializer[Any]):
    """All that waits for you."""

    items = QueuedQuestionSerializer(many=True)


class RubricLevelSerializer(serializers.Serializer[Any]):
    """A level of a criterion, and the points it is worth within the rubric."""

    id = serializers.CharField()
    html = serializers.CharField(allow_blank=True)
    points = serializers.IntegerField()


class RubricCriterionSerializer(serializers.Serializer[Any]):
    """What an answer is looked at for."""

    id = serializers.CharField()
    html = serializers.CharField(allow_blank=True)
    levels = RubricLevelSerializer(many=True)


class RubricSerializer(serializers.Serializer[Any]):
    """How persons mark: by these criteria; where there are none, by a share of the points."""

    criteria = RubricCriterionSerializer(many=True)
    graders = serializers.IntegerField(help_text="how many mark each answer by themselves")
    language = serializers.CharField(help_text="of its texts")


class QueuedAnswerSerializer(serializers.Serializer[Any]):
    """An answer under a name that tells nothing of its author."""

    token = serializers.CharField()
    name = serializers.CharField()
    grading_state = serializers.ChoiceField(STATES, source="state")
    credit = FractionField(allow_null=True, help_text="null: it waits")
    points = FractionField()


class QueuedAnswerPageSerializer(serializers.Serializer[Any]):
    """Some answers to a question, in an order that tells nothing."""

    prompt_html = serializers.CharField()
    rubric = RubricSerializer()
    items = QueuedAnswerSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class HandGradeSerializer(serializers.Serializer[Any]):
    """A grade by a person: the level of each criterion, else a share."""

    grader = serializers.CharField(allow_blank=True, help_text="empty: you")
    levels = serializers.DictField(
        child=serializers.CharField(), help_text="id of a criterion → id of a level"
    )
    credit = FractionField()
    comment = serializers.CharField(allow_blank=True)


class AnswerToGradeSerializer(QueuedAnswerSerializer):
    """An answer to be graded. Grades of others are shown once you have graded it, or all have."""

    text = serializers.CharField(allow_blank=True)
    prompt_html = serializers.CharField()
    rubric = RubricSerializer()
    own = HandGradeSerializer(allow_null=True)
    others = HandGradeSerializer(many=True)
    seen = serializers.IntegerField(help_text="number of the newest grade of it; 0: there is none")


class QueuePageQuery(PageQuery, LanguageQuery):
    """The query of the answers to a question."""


def _describe_rubric(secret: KeyAndFeedback, language: str) -> Mapping[str, Any]:
    rubric, texts = load_rubric(secret.key), secret.words(language)
    names, levels = texts.parts.get("criteria", {}), texts.parts.get("levels", {})
    return {
        "criteria": [
            {
                "id": criterion.id,
                "html": names.get(criterion.id, ""),
                "levels": [
                    {"id": level.id, "html": levels.get(level.id, ""), "points": level.points}
                    for level in criterion.levels
                ],
            }
            for criterion in rubric.criteria
        ],
        "graders": rubric.graders,
        "language": texts.language,
    }


def _describe_answer(answer: QueuedAnswer) -> dict[str, Any]:
    names = ("token", "name", "state", "credit", "points")
    return {name: getattr(answer, name) for name in names}


def _describe_grade(grader: str, grade: EffectiveGrade) -> Mapping[str, Any]:
    return {
        "grader": grader,
        "levels": dict(grade.levels),
        "credit": grade.score.credit,
        "comment": grade.comment,
    }


def _describe_open(answer: QueuedAnswer, opened: AnswerToGrade, language: str) -> Any:
    payload = {
        **_describe_answer(answer),
        "text": opened.text,
        "prompt_html": opened.public_version.words(language).prompt,
        "rubric": _describe_rubric(opened.key_and_feedback, language),
        "own": _describe_grade("", opened.own) if opened.own else None,
        "others": [_describe_grade(name, grade) for name, grade in opened.others],
        "seen": opened.seen,
    }
    return AnswerToGradeSerializer(payload).data


def _list_answers(request: Request, quiz: UUID, question: UUID) -> list[QueuedAnswer]:
    """Return the answers to a question that persons mark, and record that its key is seen."""
    answers = grading_queue.list_answers(grader=request_user(request), quiz=quiz, question=question)
    _record_key_view(question)
    return answers


def _record_key_view(question: UUID) -> None:
    row = Question.objects.select_related("bank").get(uuid=question)
    record(AuditCode.KEYS_VIEWED, about=row, group=row.bank.group_id, once=True)


def _find_answer(request: Request, quiz: UUID, question: UUID, token: str) -> QueuedAnswer:
    answer = grading_queue.find_answer(
        grader=request_user(request), quiz=quiz, question=question, token=token
    )
    _record_key_view(question)
    return answer


class GradingQueueView(BaseAPIView):
    """The queue of answers that persons mark."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}

    @extend_schema(
        operation_id="getGradingQueue",
        summary="What waits for you to be graded",
        tags=["results"],
        parameters=[LanguageQuery],
        responses=GradingQueueSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the questions with answers that need a person, of the learners you oversee."""
        language = response_language(request, parse_query(request, LanguageQuery))
        items = [
            {
                "quiz": group.quiz,
                "title": choose_text(group.title, language, group.source_language)[0],
                "question": group.question,
                "prompt_html": group.public_version.words(language).prompt,
                "needs_grading": group.needs_grading,
                "graded_by_me": group.graded_by_me,
                "disagreement": group.disagreement,
            }
            for group in grading_queue.load_queue(request_user(request))
        ]
        return Response(GradingQueueSerializer({"items": items}).data)


class QueuedAnswersView(BaseAPIView):
    """The answers to one question that persons mark, and its rubric."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}
    shows_keys = True

    @extend_schema(
        operation_id="listQueuedAnswers",
        summary="Answers to a question that persons mark, with its rubric",
        tags=["results"],
        parameters=[QueuePageQuery],
        responses=QueuedAnswerPageSerializer,
    )
    def get(self, request: Request, quiz: UUID, question: UUID) -> Response:
        """List the answers, each with its state; none of your own, and no names of learners."""
        params = parse_query(request, QueuePageQuery)
        language = response_language(request, params)
        answers = _list_answers(request, quiz, question)
        after = BY_TOKEN.read(params["cursor"])[0] if "cursor" in params else ""
        later = [answer for answer in answers if answer.token > after]
        page = build_page(
            later[: params.get("limit", DEFAULT_PAGE_SIZE) + 1], BY_TOKEN, request, params
        )
        public_version = grading_queue.load_answered_version(answers[0])
        secret = load_keys_and_feedback([answers[0].version])[answers[0].version]
        payload = {
            "prompt_html": public_version.words(language).prompt,
            "rubric": _describe_rubric(secret, language),
            **page.to_json([_describe_answer(answer) for answer in page.rows]),
        }
        return Response(QueuedAnswerPageSerializer(payload).data)


class QueuedAnswerView(BaseAPIView):
    """One answer that persons mark."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,), "POST": (Scope.CLASSES,)}
    shows_keys = True

    @extend_schema(
        operation_id="getQueuedAnswer",
        summary="An answer to be graded",
        tags=["results"],
        parameters=[LanguageQuery],
        responses=AnswerToGradeSerializer,
    )
    def get(self, request: Request, quiz: UUID, question: UUID, answer: str) -> Response:
        """Show an answer without its author, with the rubric and the grades that you may see."""
        language = response_language(request, parse_query(request, LanguageQuery))
        queued = _find_answer(request, quiz, question, answer)
        opened = grading_queue.open_for_grading(grader=request_user(request), answer=queued)
        return Response(_describe_open(queued, opened, language))

    @extend_schema(
        operation_id="gradeQueuedAnswer",
        summary="Grade an answer by hand",
        tags=["results"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY],
        request=GradeAnswerRequest,
        responses={200: OpenApiResponse(AnswerToGradeSerializer, "As it counts now")},
    )
    def post(self, request: Request, quiz: UUID, question: UUID, answer: str) -> APIResponse:
        """Grade an answer by its rubric; `final` settles grades that differ, over those `seen`.

        Scope `classes`.
        """
        language = response_language(request, parse_query(request, LanguageQuery))
        posted = parse_body(request, GradeAnswerRequest)

        def read(_location: str = "") -> WriteResult:
            queued = _find_answer(request, quiz, question, answer)
            opened = grading_queue.open_for_grading(grader=request_user(request), answer=queued)
            return WriteResult(200, _describe_open(queued, opened, language))

        def grade() -> WriteResult:
            queued = _find_answer(request, quiz, question, answer)
            grade_by_hand(request, queued.attempt, queued.slot, posted)
            return read()

        return idempotent(request, grade, replay=read)

"""What the draft of a quiz would ask a learner: one paper of it, begun by nobody."""

from typing import Any, ClassVar, Final
from uuid import UUID

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from grading.kinds import KINDS
from quizzes.api.attempts import QuestionTextsSerializer, question_texts
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.composition import locate_problems
from quizzes.api.fields import FractionField
from quizzes.api.permissions import Scopes, request_user
from quizzes.attempts.draft_papers import MAX_PAPER, PaperQuestion, draw_paper
from quizzes.lib.errors import NotFound
from quizzes.publishing.access import visible_to

FIRST_PAPER: Final = 1


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": MAX_PAPER, "default": 1})
class PaperField(serializers.Field[int, str, int, Any]):
    """The number of a paper: another one is another draw."""

    default_error_messages = {
        "out_of_range": format_lazy(
            gettext_lazy("A whole number from 1 to {maximum}."), maximum=MAX_PAPER
        )
    }

    def to_internal_value(self, data: str) -> int:
        """Read it; other spellings of numbers are none."""
        if not (data.isascii() and data.isdecimal() and len(data) <= len(str(MAX_PAPER))):
            self.fail("out_of_range")
        if not FIRST_PAPER <= int(data) <= MAX_PAPER or data.startswith("0"):
            self.fail("out_of_range")
        return int(data)


class QuizPreviewQuery(LanguageQuery):
    """Which paper."""

    paper = PaperField(required=False)


class QuizProblemSerializer(serializers.Serializer[Any]):
    """What keeps the draft from being published."""

    where = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = serializers.CharField(help_text="in the language asked for")


class PreviewedQuestionSerializer(serializers.Serializer[Any]):
    """A question of a paper. `texts` and `public_view` are null where its bank is hidden."""

    number = serializers.IntegerField()
    section_title = serializers.CharField(
        allow_blank=True, help_text="where a section begins that has one"
    )
    version = serializers.UUIDField()
    kind = serializers.CharField()
    points = FractionField()
    texts = QuestionTextsSerializer(allow_null=True)
    public_view = serializers.DictField(
        allow_null=True, help_text="its parts, in the order of the paper; by kind"
    )


class QuizPreviewSerializer(serializers.Serializer[Any]):
    """One paper of a draft; without questions where it has problems."""

    problems = QuizProblemSerializer(many=True)
    questions = PreviewedQuestionSerializer(many=True)


class QuizPreviewView(BaseAPIView):
    """The draft of a quiz as a learner would meet it."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="previewQuiz",
        summary="What the draft of a quiz would ask",
        tags=["quizzes"],
        parameters=[QuizPreviewQuery],
        responses=QuizPreviewSerializer,
    )
    def get(self, request: Request, quiz: UUID) -> Response:
        """Draw a paper of a quiz that you may read, as an attempt is drawn; nothing is begun.

        The same number is the same draw. No keys. Scope `authoring`.
        """
        params = parse_query(request, QuizPreviewQuery)
        row = visible_to(request_user(request)).filter(uuid=quiz).first()
        if row is None:
            raise NotFound
        language = response_language(request, params)
        paper = params.get("paper", FIRST_PAPER)
        drawn = draw_paper(quiz=row, viewer=request_user(request), paper=paper)
        payload = {
            "problems": [
                {"where": problem.place, "code": problem.code, "message": problem.sentence}
                for problem in locate_problems(row, drawn.problems)
            ],
            "questions": [_describe(question, language) for question in drawn.questions],
        }
        return Response(QuizPreviewSerializer(payload).data)


def _describe(question: PaperQuestion, language: str) -> dict[str, Any]:
    texts = public_view = None
    if public_version := question.public_version:
        texts = question_texts(public_version, question.order, language)
        kind = KINDS[public_version.kind]
        public_view = kind.public_view(public_version.content, question.order).parts
    return {
        "number": question.number,
        "section_title": question.section_title,
        "version": question.version.uuid,
        "kind": question.version.kind,
        "points": question.points,
        "texts": texts,
        "public_view": public_view,
    }

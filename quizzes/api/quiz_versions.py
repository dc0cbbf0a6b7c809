"""Quiz versions: a published quiz, and the rules for taking it."""

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.fields import FractionField, UTCDateTimeField
from quizzes.api.permissions import Scopes, has_scope, request_user
from quizzes.attempts.access import takeable_by
from quizzes.attempts.models import Attempt
from quizzes.lib.errors import NotFound
from quizzes.lib.markup import render
from quizzes.lib.translated_texts import choose_text
from quizzes.publishing.access import visible_to
from quizzes.publishing.models import QuizVersion
from quizzes.publishing.policies import Policies
from quizzes.publishing.selectors import load_quiz_version


class RevealPolicySerializer(serializers.Serializer[Any]):
    """When each thing may be shown: `never`, `after_submit`, `after_pass`, … (codes)."""

    score = serializers.CharField()
    correctness = serializers.CharField()
    feedback = serializers.CharField()
    hints = serializers.CharField()
    key = serializers.CharField()
    explanation = serializers.CharField()
    all_options = serializers.BooleanField()


class PoliciesSerializer(serializers.Serializer[Any]):
    """The rules of a quiz version. Null: no limit; no scoring_method: each question's own."""

    mode = serializers.CharField()
    time_limit_minutes = serializers.IntegerField(allow_null=True)
    grace_seconds = serializers.IntegerField()
    max_attempts = serializers.IntegerField(allow_null=True)
    cooldown_minutes = serializers.IntegerField()
    window_attempts = serializers.IntegerField(allow_null=True)
    window_hours = serializers.IntegerField()
    attempt_grade_policy = serializers.CharField()
    scoring_method = serializers.CharField(allow_blank=True)
    shuffle_questions = serializers.BooleanField()
    shuffle_options = serializers.BooleanField()
    one_question_a_page = serializers.BooleanField()
    lock_questions = serializers.BooleanField(help_text="none can be gone back to")
    one_device = serializers.BooleanField(help_text="attempts are open on one device at a time")
    practice_credits = serializers.CharField(help_text="what each try is worth in practice")
    practice_shows_keys = serializers.BooleanField()
    reveal = RevealPolicySerializer()


class QuizVersionSerializer(serializers.Serializer[Any]):
    """One published quiz; it never changes."""

    id = serializers.UUIDField()
    quiz = serializers.UUIDField()
    number = serializers.IntegerField()
    title = serializers.CharField()
    intro_html = serializers.CharField(allow_blank=True)
    language = serializers.CharField(help_text="of title and introduction")
    question_count = serializers.IntegerField()
    maximum = FractionField()
    pass_threshold = FractionField(help_text="as a fraction of the maximum")
    policies = PoliciesSerializer()
    scoring_methods = serializers.ListField(child=serializers.CharField())
    published_at = UTCDateTimeField()


def common_fields(quiz_version: QuizVersion, language: str) -> dict[str, Any]:
    """Return what a quiz version and the quiz it is the current one of have in common."""
    title, lang = choose_text(quiz_version.title, language, quiz_version.source_language)
    intro, _ = choose_text(quiz_version.intro, lang, quiz_version.source_language)
    return {
        "title": title,
        "intro_html": render(intro) if intro else "",
        "language": lang,
        "question_count": quiz_version.question_count,
        "maximum": quiz_version.maximum,
        "pass_threshold": quiz_version.threshold,
        "policies": Policies.from_json(quiz_version.policies),
    }


def list_readable_versions(request: Request) -> QuerySet[QuizVersion]:
    """Return the quiz versions this person may read: those they may take or took.

    Those who author a quiz may read all of them.
    """
    user = request_user(request)
    list_own_attempts = Attempt.objects.filter(learner=user, quiz_version=OuterRef("pk"))
    may = Q(quiz__in=takeable_by(user), quiz__current=F("pk")) | Q(Exists(list_own_attempts))
    if has_scope(request, Scope.RESULTS):
        may |= Q(quiz__in=visible_to(user))
    return QuizVersion.objects.filter(may).select_related("quiz")


class QuizVersionView(BaseAPIView):
    """One quiz version."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}

    @extend_schema(
        operation_id="getQuizVersion",
        summary="One quiz version",
        tags=["quizzes"],
        parameters=[LanguageQuery],
        responses=QuizVersionSerializer,
    )
    def get(self, request: Request, quiz_version: UUID) -> Response:
        """Show a quiz version of a quiz that you may take, have taken, or author."""
        lang = response_language(request, parse_query(request, LanguageQuery))
        readable_quiz_version = list_readable_versions(request).filter(uuid=quiz_version).first()
        if readable_quiz_version is None:
            raise NotFound
        values = {
            **common_fields(readable_quiz_version, lang),
            "id": readable_quiz_version.uuid,
            "quiz": readable_quiz_version.quiz.uuid,
            "number": readable_quiz_version.number,
            "scoring_methods": load_quiz_version(readable_quiz_version).scoring_methods,
            "published_at": readable_quiz_version.created_at,
        }
        return Response(QuizVersionSerializer(values).data)

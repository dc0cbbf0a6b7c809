"""Results: one's own and, with the scope `results`, one's students', as far as reveal allows."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from types import SimpleNamespace
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import groups_joined, groups_taught, memberships_in_force
from accounts.models import Scope, User
from quizzes.api.attempts import (
    AttemptQuestionSerializer,
    build_attempt_lookups,
    public_question,
)
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.change_pages import ChangePageSerializer, paginate_changes
from quizzes.api.fields import FractionField, QueryBooleanField, UTCDateTimeField
from quizzes.api.pagination import PageQuery, QueryDateTimeField
from quizzes.api.permissions import Scopes, has_scope, request_user
from quizzes.attempts.models import Assignment, Attempt, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.lib.translated_texts import choose_text
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import QuestionReport
from quizzes.results.selectors import (
    attempts_visible_to,
    list_own_attempts,
    load_report,
    load_summaries,
)

ENDED = [State.SUBMITTED, State.GRADED, State.VOID]


class TitleField(serializers.CharField):
    """The title of a quiz in the language of the answer, which the context names."""

    def to_representation(self, value: Any) -> str:
        """Return the title of a summary; without one in that language, the source's."""
        return choose_text(value.title, self.context["language"], value.source_language)[0]


class QuizReferenceSerializer(serializers.Serializer[Any]):
    """Which quiz a result is of."""

    id = serializers.UUIDField(source="quiz")
    slug = serializers.CharField()
    title = TitleField(source="*")


class LearnerReferenceSerializer(serializers.Serializer[Any]):
    """Whose result it is."""

    id = serializers.UUIDField(source="learner")
    name = serializers.CharField(source="learner_name")
    school_id = serializers.CharField(
        source="learner_school_id",
        allow_blank=True,
        help_text="what the school files them under, if that is known",
    )
    address_confirmed = serializers.BooleanField(
        source="learner_confirmed",
        help_text="Whether the address of the account is known to be theirs.",
    )


class ScoreSerializer(serializers.Serializer[Any]):
    """An outcome in exact numbers. `percent` is what pages show: rounded down."""

    total = FractionField()
    maximum = FractionField()
    pass_threshold = FractionField(source="threshold", help_text="as a fraction of the maximum")
    percent = serializers.CharField()
    passed = serializers.BooleanField()
    provisional = serializers.BooleanField()


class ResultSerializer(serializers.Serializer[Any]):
    """One ended attempt; no score where it may not be shown yet, or is not known."""

    id = serializers.UUIDField(source="attempt", help_text="of the attempt")
    quiz = QuizReferenceSerializer(source="*")
    learner = LearnerReferenceSerializer(source="*")
    number = serializers.IntegerField()
    state = serializers.CharField(help_text="submitted, graded or void")
    submission_reason = serializers.CharField(allow_blank=True)
    started_at = UTCDateTimeField()
    submitted_at = UTCDateTimeField(allow_null=True)
    updated_at = UTCDateTimeField()
    score = ScoreSerializer(allow_null=True)
    problem = serializers.CharField(
        allow_blank=True, help_text="why what is stored cannot be shown: a code, or nothing"
    )
    receipt_digest = serializers.CharField(
        allow_blank=True,
        help_text="SHA-256 of the receipt; nothing while there is none",
    )
    is_staff_attempt = serializers.BooleanField(
        help_text="Whether the learner could see the answers: not in lists, exports and grades."
    )


class ResultListItemSerializer(ResultSerializer):
    """One ended attempt in a list: all of it, or the fields asked for."""


class ResultPageSerializer(ChangePageSerializer):
    """Some results, those changed last at the end."""

    items = ResultListItemSerializer(many=True)


class VisibilitySerializer(serializers.Serializer[Any]):
    """Which parts of the result you may see now."""

    score = serializers.BooleanField()
    correctness = serializers.BooleanField()
    feedback = serializers.BooleanField()
    hints = serializers.BooleanField()
    key = serializers.BooleanField()
    explanation = serializers.BooleanField()


class LedgerLineSerializer(serializers.Serializer[Any]):
    """A line of a ledger: what a part earned, as a share of the question's points, and why."""

    part = serializers.CharField()
    chosen = serializers.BooleanField(allow_null=True)
    right = serializers.BooleanField(allow_null=True)
    earned = FractionField()
    reason = serializers.CharField()


class FeedbackSerializer(serializers.Serializer[Any]):
    """Feedback on an answer, as safe HTML: by id of a part, or by the name of the text.

    `triggered_html`: the feedback for the score, and for options chosen together.
    """

    language = serializers.CharField()
    parts_html = serializers.DictField(child=serializers.CharField())
    triggered_html = serializers.ListField(child=serializers.CharField())
    explanation_html = serializers.CharField(allow_blank=True)
    hints_html = serializers.ListField(
        child=serializers.CharField(),
        help_text="step by step; of a question that was not got right, as is the link",
    )
    reading_link_html = serializers.CharField(allow_blank=True)
    comments = serializers.ListField(
        child=serializers.CharField(), help_text="by persons who graded it, as plain text"
    )


class ResultQuestionSerializer(AttemptQuestionSerializer):
    """One question with its score. What may not be shown is null or empty."""

    revision = None  # type: ignore[assignment]  # the framework's way to leave out what is inherited
    flagged = None  # type: ignore[assignment]  # the same
    outcome = serializers.CharField(
        help_text="correct, partially_correct, incorrect, unanswered, needs_grading, ungraded or "
        "hidden"
    )
    credit = FractionField(
        allow_null=True, help_text="1 at most; below 0 where a question costs points"
    )
    earned = FractionField(allow_null=True, help_text="in points")
    ledger = LedgerLineSerializer(many=True)
    reasons = serializers.ListField(child=serializers.CharField())
    correct_answer = serializers.DictField(allow_null=True)
    feedback = FeedbackSerializer()


class RegradeNoticeSerializer(serializers.Serializer[Any]):
    """A regrade that changed the score: what it was, what it became, and why, in plain text."""

    regraded_at = UTCDateTimeField()
    before = ScoreSerializer()
    after = ScoreSerializer()
    reasons = serializers.ListField(child=serializers.CharField())


class ResultDetailSerializer(ResultSerializer):
    """One ended attempt with the scores of its questions."""

    visibility = VisibilitySerializer()
    regrades = RegradeNoticeSerializer(
        many=True, help_text="the last first; none where the score may not be shown"
    )
    total_reason = serializers.CharField(
        help_text="why a person replaced the score of the attempt; empty where none did"
    )
    questions = ResultQuestionSerializer(many=True)


class ResultFilterQuery(LanguageQuery):
    """The filters of results."""

    quiz = serializers.UUIDField(required=False)
    learner = serializers.UUIDField(required=False)
    group = serializers.UUIDField(
        required=False, help_text="one of your groups: its learners, on its quizzes"
    )
    state = serializers.ChoiceField([(state.value, state.label) for state in ENDED], required=False)
    passed = QueryBooleanField(required=False, help_text="only where the score may be shown to you")
    updated_since = QueryDateTimeField(required=False)


class ResultListQuery(ResultFilterQuery, PageQuery):
    """The query of the list."""

    fields_ = serializers.CharField(
        required=False, max_length=200, help_text="Comma-separated: only these fields of each row."
    )

    def get_fields(self) -> dict[str, Any]:
        """Call the field by its name in the address, which the framework's own shadows."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}

    def validate_fields(self, value: str) -> list[str]:
        """Return the names; an unknown one: ValidationError."""
        names = value.split(",")
        if unknown := set(names) - set(ResultSerializer().fields):
            # Without their names: what was sent never comes back.
            message = _("Unknown fields: %(count)d.") % {"count": len(unknown)}
            raise ValidationError(message, code="unknown_field")
        return names


def filter_results(request: Request, params: Mapping[str, Any]) -> QuerySet[Attempt]:
    """Return the ended attempts that this request may list, by its query; none of staff."""
    user = request_user(request)
    overseen_too = has_scope(request, Scope.RESULTS)
    rows = attempts_visible_to(user) if overseen_too else list_own_attempts(user)
    rows = rows.filter(state__in=ENDED, is_staff_attempt=False)
    rows = rows.filter(**build_attempt_lookups(params))
    if "group" in params:
        rows = rows.filter(_learner_and_quiz_in_group(user, params["group"]))
    if "passed" in params:
        rows = rows.filter(_shown_as_passed(user, clock.now(), passed=params["passed"]))
    return rows


def _learner_and_quiz_in_group(user: User, group: UUID) -> Q:
    """Return the condition that the group has the learner, and owns the quiz or has it assigned."""
    own_groups = Q(group__in=groups_taught(user)) | Q(group__in=groups_joined(user))
    members = memberships_in_force().filter(own_groups, group__uuid=group)
    assigned = Assignment.objects.filter(group__uuid=group)
    owned = Quiz.objects.filter(group__uuid=group)
    return Q(learner__in_array=members.values("user")) & (
        Q(quiz__in_array=owned.values("pk")) | Q(quiz__in_array=assigned.values("quiz"))
    )


def _shown_as_passed(user: User, now: datetime, *, passed: bool) -> Q:
    """Return the condition on pass or fail, which must not reveal what is still hidden.

    Overseers see scores anyway. One's own, which are few, are checked one by one.
    """
    own_graded = list_own_attempts(user).filter(state=State.GRADED)
    matching = [
        summary.attempt
        for summary in load_summaries(own_graded, user, now)
        if summary.score is not None and summary.score.passed == passed
    ]
    return Q(uuid__in=matching) | (~Q(learner=user) & Q(result__grading__passed=passed))


def _question(report: QuestionReport, lang: str) -> dict[str, Any]:
    return public_question(report.slot, report.manifest_slot, report.public_version, lang) | {
        "answer": report.answer,
        "outcome": report.outcome,
        "credit": report.credit,
        "earned": report.earned,
        "ledger": report.ledger,
        "reasons": report.reasons,
        "correct_answer": report.solution,
        "feedback": {
            "language": report.feedback_language,
            "parts_html": report.feedback,
            "triggered_html": report.remarks,
            "explanation_html": report.explanation,
            "hints_html": report.hints,
            "reading_link_html": report.reading_link,
            "comments": report.comments,
        },
    }


class ResultsView(BaseAPIView):
    """All results one may see."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}

    @extend_schema(
        operation_id="listResults",
        summary="Results",
        tags=["results"],
        parameters=[ResultListQuery],
        responses=ResultPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List your own results and, with the scope `results`, those you oversee.

        Attempts of people who can see the answers are left out; one's own is read by its id.
        """
        params = parse_query(request, ResultListQuery)
        page = paginate_changes(filter_results(request, params), request, params)
        context = {"language": response_language(request, params)}
        summaries = load_summaries(page.rows, request_user(request), clock.now())
        payload = ResultPageSerializer(page.to_json(summaries), context=context).data
        if names := params.get("fields"):
            items = [{name: result_row[name] for name in names} for result_row in payload["items"]]
            return Response({**payload, "items": items})
        return Response(payload)


class ResultView(BaseAPIView):
    """One result in full."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}

    @extend_schema(
        operation_id="getResult",
        summary="One result, with marks and ledgers",
        tags=["results"],
        parameters=[LanguageQuery],
        responses=ResultDetailSerializer,
    )
    def get(self, request: Request, attempt: UUID) -> Response:
        """Show an ended attempt as far as it may be shown to you now."""
        lang = response_language(request, parse_query(request, LanguageQuery))
        user = request_user(request)
        report = load_report(attempt=attempt, viewer=user, language=lang, now=clock.now())
        summary = report.summary
        is_own = summary.learner == user.uuid
        if summary.state not in ENDED or not (is_own or has_scope(request, Scope.RESULTS)):
            raise NotFound
        if not is_own:
            self.check_recent_for_keys(request)
            quiz = Quiz.objects.get(uuid=summary.quiz)
            record(AuditCode.KEYS_VIEWED, about=quiz, once=True)
        serializer = ResultDetailSerializer(
            SimpleNamespace(
                questions=[_question(question, lang) for question in report.questions],
                regrades=report.regrades,
                total_reason=report.total_reason,
                **{field.name: getattr(summary, field.name) for field in fields(summary)},
            ),
            context={"language": lang},
        )
        return Response(serializer.data)

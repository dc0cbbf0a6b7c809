"""Challenges of questions: one's own, and those of the attempts that one oversees."""

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.change_pages import ChangePageSerializer, paginate_changes
from quizzes.api.fields import (
    StrictBooleanField,
    StrictCharField,
    StrictSerializer,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import PageQuery
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    CONDITIONAL_GET,
    NOT_MODIFIED,
    WRITTEN_ETAG,
    describe_if_match,
    hash_version,
    require_unchanged,
    tagged_response,
    tagged_write,
)
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.challenges.models import Challenge, ChallengeReason, ChallengeVerdict
from quizzes.challenges.selectors import find_own_challenge, list_overseen_challenges
from quizzes.challenges.services import MAX_COMMENT, answer_challenges, challenge_question
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.results.selectors import load_report

VERDICTS = [ChallengeVerdict.ACCEPTED.value, ChallengeVerdict.DECLINED.value]


class OwnChallengeSerializer(serializers.Serializer[Any]):
    """What you said against a question; the answer once it may be shown to you."""

    id = serializers.UUIDField(source="uuid")
    option = serializers.UUIDField(allow_null=True, help_text="null: the whole question")
    reason = serializers.ChoiceField(ChallengeReason.choices)
    comment = serializers.CharField()
    created_at = UTCDateTimeField()
    is_answered = serializers.BooleanField()
    verdict = serializers.CharField(
        help_text="accepted or declined; empty before an answer, or while it is hidden"
    )
    answer = serializers.CharField(help_text="empty before an answer, or while it is hidden")


class ChallengeRequest(StrictSerializer):
    """What is wrong with a question, and why."""

    reason = serializers.ChoiceField(ChallengeReason.choices)
    option = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="without it, the whole question"
    )
    comment = StrictCharField(max_length=MAX_COMMENT)


class ChallengeSerializer(serializers.Serializer[Any]):
    """A challenge of a question, with its answer if it has one."""

    id = serializers.UUIDField(source="uuid")
    quiz = serializers.UUIDField(source="quiz.uuid")
    attempt = serializers.UUIDField(source="attempt.uuid")
    learner = serializers.UUIDField(source="learner.uuid")
    question = serializers.UUIDField(source="version.question.uuid")
    version = serializers.UUIDField(source="version.uuid")
    number = serializers.SerializerMethodField(help_text="of the question in the attempt, from 1")
    option = serializers.UUIDField(allow_null=True, help_text="null: the whole question")
    reason = serializers.ChoiceField(ChallengeReason.choices)
    comment = serializers.CharField()
    language = serializers.CharField(help_text="of the page on which it was written")
    created_at = UTCDateTimeField()
    verdict = serializers.CharField(help_text="accepted or declined; empty before an answer")
    answer = serializers.CharField()
    safe_before_key = serializers.BooleanField(
        help_text="the learner reads the answer before the right answers are shown"
    )
    answered_at = UTCDateTimeField(allow_null=True)

    def get_number(self, challenge: Challenge) -> int:
        """Return the number as pages have it."""
        return challenge.slot + 1


class ChallengePageSerializer(ChangePageSerializer):
    """Some challenges, in the order of their last change."""

    items = ChallengeSerializer(many=True)


class ChallengeListQuery(PageQuery):
    """Which challenges."""

    question = serializers.UUIDField(required=False)
    quiz = serializers.UUIDField(required=False)
    waiting = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="true: without an answer, false: with one",
    )


class AnswerChallengeRequest(StrictSerializer):
    """The answer to a challenge."""

    verdict = serializers.ChoiceField(VERDICTS)
    answer = StrictCharField(max_length=MAX_COMMENT)
    safe_before_key = StrictBooleanField(
        required=False, default=False, help_text="it says nothing of the right answers"
    )


class OwnChallengeView(BaseAPIView):
    """Your challenge of a question."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.ATTEMPT), "POST": (Scope.ATTEMPT,)}

    @extend_schema(
        operation_id="getChallenge",
        summary="Your challenge of a question",
        tags=["attempts"],
        responses=OwnChallengeSerializer,
    )
    def get(self, request: Request, attempt: UUID, number: int) -> Response:
        """Show what you said against a question of your attempt; nothing: 404."""
        parse_query(request, EmptyQuery)
        return Response(self._show(request, attempt, number))

    @extend_schema(
        operation_id="challengeQuestion",
        summary="Challenge a question",
        tags=["attempts"],
        parameters=[IDEMPOTENCY_KEY],
        request=ChallengeRequest,
        responses={201: OpenApiResponse(OwnChallengeSerializer, "Sent to who oversees the quiz")},
    )
    def post(self, request: Request, attempt: UUID, number: int) -> APIResponse:
        """Say what is wrong with a question of your graded attempt. Scope `attempt`.

        Before it is graded, or said before: 409. An option of another question: 422.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ChallengeRequest)
        return idempotent(
            request,
            lambda: self._create(request, attempt, number, posted),
            replay=lambda _: WriteResult(201, self._show(request, attempt, number)),
        )

    def _create(
        self, request: Request, attempt: UUID, number: int, posted: dict[str, Any]
    ) -> WriteResult:
        challenge_question(
            attempt=attempt,
            slot=number - 1,
            learner=request_user(request),
            language=response_language(request, {}),
            now=clock.now(),
            **posted,
        )
        return WriteResult(201, self._show(request, attempt, number))

    def _show(self, request: Request, attempt: UUID, number: int) -> dict[str, Any]:
        learner, language = request_user(request), response_language(request, {})
        report = load_report(attempt=attempt, viewer=learner, language=language, now=clock.now())
        # Any number may be in the address: one that no column holds never reaches the database.
        if number - 1 not in {question.slot for question in report.questions}:
            raise NotFound
        challenge = find_own_challenge(
            attempt=attempt, slot=number - 1, learner=learner, visible=report.summary.visibility
        )
        if challenge is None:
            raise NotFound
        return dict(OwnChallengeSerializer(challenge).data)


def _list_challenges(request: Request) -> QuerySet[Challenge]:
    """Return the challenges that whoever asks oversees, with what is shown of them."""
    rows = list_overseen_challenges(request_user(request))
    return rows.select_related("quiz", "attempt", "learner", "version__question")


def _get_challenge(request: Request, challenge: UUID) -> Challenge:
    row = _list_challenges(request).filter(uuid=challenge).first()
    if row is None:
        raise NotFound
    return row


def _build_result(row: Challenge) -> WriteResult:
    return tagged_write(dict(ChallengeSerializer(row).data), _challenge_version(row))


def _challenge_version(row: Challenge) -> str:
    return hash_version(row.pk, row.verdict, row.answer, row.safe_before_key, row.answered_at)


class ChallengesView(BaseAPIView):
    """The challenges of attempts that you oversee."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}
    shows_keys = True

    @extend_schema(
        operation_id="listChallenges",
        summary="Challenges of questions",
        tags=["results"],
        parameters=[ChallengeListQuery],
        responses=ChallengePageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List what learners say against questions, of the attempts that you oversee."""
        params = parse_query(request, ChallengeListQuery)
        rows = _list_challenges(request)
        if "question" in params:
            rows = rows.filter(version__question__uuid=params["question"])
        if "quiz" in params:
            rows = rows.filter(quiz__uuid=params["quiz"])
        if params["waiting"] is not None:
            waiting = {"verdict": ChallengeVerdict.OPEN}
            rows = rows.filter(**waiting) if params["waiting"] else rows.exclude(**waiting)
        page = paginate_changes(rows, request, params)
        for quiz in {row.quiz for row in page.rows}:
            record(AuditCode.KEYS_VIEWED, about=quiz, once=True)
        return Response(ChallengePageSerializer(page.to_json(page.rows)).data)


class ChallengeView(BaseAPIView):
    """A challenge of an attempt that you oversee."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}
    shows_keys = True

    @extend_schema(
        operation_id="getOverseenChallenge",
        summary="Challenge of a question",
        tags=["results"],
        parameters=CONDITIONAL_GET,
        responses={200: ChallengeSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, challenge: UUID) -> HttpResponse:
        """Show a challenge, and its answer if it has one."""
        parse_query(request, EmptyQuery)
        row = _get_challenge(request, challenge)
        record(AuditCode.KEYS_VIEWED, about=row.quiz, once=True)
        return tagged_response(request, ChallengeSerializer(row).data, _challenge_version(row))


class ChallengeAnswerView(BaseAPIView):
    """The answer to a challenge."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    takes_if_match = True

    @extend_schema(
        operation_id="answerChallenge",
        summary="Answer a challenge",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the challenge"), WRITTEN_ETAG],
        request=AnswerChallengeRequest,
        responses={200: OpenApiResponse(ChallengeSerializer, "As it is now")},
    )
    def post(self, request: Request, challenge: UUID) -> APIResponse:
        """Answer a challenge, or answer it anew. Scope `classes`.

        Its learner reads the answer once the right answers are shown, or at once if it is safe.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, AnswerChallengeRequest)
        return idempotent(
            request,
            lambda: self._answer(request, challenge, posted),
            replay=lambda _: _build_result(_get_challenge(request, challenge)),
        )

    def _answer(self, request: Request, challenge: UUID, posted: dict[str, Any]) -> WriteResult:
        def lock_version() -> str:
            row = _get_challenge(request, challenge)
            return _challenge_version(Challenge.objects.select_for_update().get(pk=row.pk))

        with require_unchanged(request, lock_version):
            (row,) = answer_challenges(
                challenges=[challenge], by=request_user(request), now=clock.now(), **posted
            )
        return _build_result(row)

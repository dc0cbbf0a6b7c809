"""Who is taking a quiz, and what those who teach do with them meanwhile."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Q
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import find_overseen, is_instructor
from accounts.login_throttle import unlock
from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import (
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    StrictUUIDField,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.attempts.access import managed_by, quizzes_overseen_by
from quizzes.attempts.deadline_extension import MAX_MINUTES, extend_by_minutes
from quizzes.attempts.instructor_messages import send_message
from quizzes.attempts.models import MAX_MESSAGE_LENGTH, Attempt
from quizzes.attempts.pauses import (
    MAX_PAUSE_MINUTES,
    pause_attempts,
    pause_quiz,
    resume_attempts,
)
from quizzes.attempts.quiz_progress import MAX_LEARNERS, ProgressState, load_quiz_progress
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Quiz


class LearnerProgressSerializer(serializers.Serializer[Any]):
    """A learner at a quiz, by their latest attempt; null and 0 where there is none."""

    learner = serializers.UUIDField()
    name = serializers.CharField(allow_blank=True)
    email = serializers.CharField()
    school_id = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField([state.value for state in ProgressState])
    attempt = serializers.UUIDField(source="attempt_uuid", allow_null=True)
    attempt_number = serializers.IntegerField()
    answered = serializers.IntegerField()
    questions = serializers.IntegerField()
    started_at = UTCDateTimeField(allow_null=True)
    submitted_at = UTCDateTimeField(allow_null=True)
    last_saved_at = UTCDateTimeField(allow_null=True)
    deadline_at = UTCDateTimeField(allow_null=True)
    paused_until = UTCDateTimeField(allow_null=True)
    locked_until = UTCDateTimeField(
        allow_null=True, help_text="too many tries to sign in: when the next is possible"
    )
    has_more_time = serializers.BooleanField(
        help_text="by an accommodation, standing or of this quiz"
    )
    device_changes = serializers.IntegerField(
        help_text="how often the attempt went on on another device"
    )
    seconds_left = serializers.SerializerMethodField()

    def get_seconds_left(self, progress: Any) -> int | None:
        """Return the whole seconds until the deadline, as they stand in a pause."""
        left = progress.time_left
        return None if left is None else int(left.total_seconds())


class QuizProgressSerializer(serializers.Serializer[Any]):
    """Everybody whom you oversee at a quiz, as of a moment."""

    as_of = UTCDateTimeField()
    items = LearnerProgressSerializer(many=True)


class ChosenAttemptsRequest(StrictSerializer):
    """Which attempts; without them, of everybody whom you teach and who is in it."""

    attempts = serializers.ListField(
        child=StrictUUIDField(), required=False, allow_empty=False, max_length=MAX_LEARNERS
    )


class ExtendAttemptsRequest(ChosenAttemptsRequest):
    """How many minutes more, and why."""

    minutes = StrictIntegerField(min_value=1, max_value=MAX_MINUTES)
    reason = StrictCharField(max_length=300, help_text="for the audit log")


class PauseAttemptsRequest(ChosenAttemptsRequest):
    """How long the pause is at most, and why."""

    minutes = StrictIntegerField(min_value=1, max_value=MAX_PAUSE_MINUTES)
    reason = StrictCharField(max_length=300, help_text="for the audit log")


class SendMessageRequest(ChosenAttemptsRequest):
    """What learners are to read; plain text."""

    text = StrictCharField(max_length=MAX_MESSAGE_LENGTH)


class UnlockSignInRequest(StrictSerializer):
    """Who may try to sign in again."""

    person = StrictUUIDField()


class AttemptCountSerializer(serializers.Serializer[Any]):
    """How many attempts it was done to; those that are over, or as asked already, are left."""

    attempts = serializers.IntegerField()


def _find_quiz(request: Request, quiz: UUID) -> Quiz:
    """Return a quiz that this person oversees; there is no other: NotFound."""
    row = quizzes_overseen_by(request_user(request)).filter(uuid=quiz).first()
    if row is None:
        raise NotFound
    return row


def _act(
    request: Request,
    quiz: UUID,
    body: type[ChosenAttemptsRequest],
    service: Callable[..., int],
    service_for_all: Callable[..., int] | None = None,
) -> APIResponse:
    """Do it to the attempts that are named, or to all whom this person teaches."""
    parse_query(request, EmptyQuery)
    person, posted = request_user(request), parse_body(request, body)
    row = _find_quiz(request, quiz)
    if not is_instructor(person):
        raise NotFound
    of_quiz = Attempt.objects.filter(quiz=row, is_staff_attempt=False)
    chosen = posted.pop("attempts", None)
    attempts = of_quiz.filter(managed_by(person) if chosen is None else Q(uuid__in=chosen))

    run = partial(service, attempts=attempts)
    if chosen is None and service_for_all is not None:
        run = partial(service_for_all, quiz=row)

    def act() -> WriteResult:
        count = run(by=person, now=clock.now(), **posted)
        return WriteResult(200, {"attempts": count})

    return idempotent(request, act)


class QuizProgressView(BaseAPIView):
    """Who is taking a quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}

    @extend_schema(
        operation_id="getQuizProgress",
        summary="Who is taking a quiz",
        tags=["quizzes"],
        responses=QuizProgressSerializer,
    )
    def get(self, request: Request, quiz: UUID) -> Response:
        """Show who has not begun, is in it, has handed in: of those whom you oversee."""
        parse_query(request, EmptyQuery)
        now = clock.now()
        items = load_quiz_progress(
            quiz=_find_quiz(request, quiz), viewer=request_user(request), now=now
        )
        return Response(QuizProgressSerializer({"as_of": now, "items": items}).data)


class ExtendAttemptsView(BaseAPIView):
    """More time for those who take a quiz."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="extendAttempts",
        summary="Give more time",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY],
        request=ExtendAttemptsRequest,
        responses=AttemptCountSerializer,
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Move the deadlines out; one that is over, or has none, is left as it is."""
        return _act(request, quiz, ExtendAttemptsRequest, extend_by_minutes)


class PauseAttemptsView(BaseAPIView):
    """Pausing those who take a quiz."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="pauseAttempts",
        summary="Pause attempts",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY],
        request=PauseAttemptsRequest,
        responses=AttemptCountSerializer,
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Stop the time of attempts, for so many minutes at most; answers count meanwhile.

        For everybody: nobody begins the quiz meanwhile (409 `paused`).
        """
        return _act(request, quiz, PauseAttemptsRequest, pause_attempts, pause_quiz)


class ResumeAttemptsView(BaseAPIView):
    """The end of a pause."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="resumeAttempts",
        summary="End a pause",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY],
        request=ChosenAttemptsRequest,
        responses=AttemptCountSerializer,
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Let the time go on: the deadline has moved by the length of the pause."""
        return _act(request, quiz, ChosenAttemptsRequest, resume_attempts)


class SendMessageView(BaseAPIView):
    """Messages to those who take a quiz."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}

    @extend_schema(
        operation_id="sendMessage",
        summary="Send a message to learners",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY],
        request=SendMessageRequest,
        responses=AttemptCountSerializer,
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Write to learners who are at a quiz; they read it within 15 seconds."""
        return _act(request, quiz, SendMessageRequest, send_message)


class UnlockSignInView(BaseAPIView):
    """Sign-ins that are locked."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="unlockSignIn",
        summary="Let a learner try to sign in again",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY],
        request=UnlockSignInRequest,
        responses={204: OpenApiResponse(None, "They can try again, anywhere")},
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Forget the failed sign-ins of a learner whom you oversee."""
        parse_query(request, EmptyQuery)
        posted, invigilator = parse_body(request, UnlockSignInRequest), request_user(request)
        _find_quiz(request, quiz)
        person = find_overseen(invigilator, str(posted["person"]))
        if person is None:
            raise NotFound

        def unlock_person() -> WriteResult:
            unlock(user=person, by=invigilator)
            return WriteResult(204, None)

        return idempotent(request, unlock_person)

"""Marks by persons: of answers that a machine leaves to them, and in place of computed scores."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.fields import (
    FractionField,
    StrictBooleanField,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.attempts.models import Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import AttemptReport
from quizzes.results.manual_grades import load_manual_grades
from quizzes.results.manual_grading import (
    LONGEST_COMMENT,
    MAX_DENOMINATOR,
    comment_on_answer,
    grade_manually,
    override_score,
    override_total,
)
from quizzes.results.models import ManualGrade, Purpose
from quizzes.results.selectors import load_report

MAX_SEEN: Final = 999_999_999


class ShareRequest(StrictSerializer):
    """A share of the points of a question, from 0 to 1, exactly."""

    numerator = StrictIntegerField(min_value=0, max_value=MAX_DENOMINATOR)
    denominator = StrictIntegerField(min_value=1, max_value=MAX_DENOMINATOR)


class ScoreRequest(StrictSerializer):
    """A person's score in place of a computed one, or `withdraw`: the computed one again."""

    share = ShareRequest(required=False)
    withdraw = StrictBooleanField(required=False, default=False)
    reason = StrictCharField(
        max_length=LONGEST_COMMENT, help_text="the learner reads it where feedback is shown"
    )


class OverrideScoreRequest(ScoreRequest):
    """A person's score in place of the computed one, or `withdraw`: the computed one again."""

    seen = StrictIntegerField(
        required=False,
        min_value=0,
        max_value=MAX_SEEN,
        help_text="`marks` of the attempt as you knew it: if there are others now, 409",
    )


class GradeAnswerRequest(StrictSerializer):
    """A mark of an answer that waits for persons: levels of its criteria, or a share."""

    levels = serializers.DictField(
        child=StrictCharField(max_length=100),
        required=False,
        help_text="id of a criterion → id of a level",
    )
    share = ShareRequest(required=False)
    comment = StrictCharField(
        max_length=LONGEST_COMMENT, required=False, allow_blank=True, default=""
    )
    final = StrictBooleanField(
        required=False, default=False, help_text="it settles marks that differ"
    )
    seen = StrictIntegerField(required=False, min_value=0, max_value=MAX_SEEN)


class MarkedQuestionSerializer(serializers.Serializer[Any]):
    """A question of an attempt after a mark. Without `credit` it waits for another person."""

    number = serializers.IntegerField()
    credit = FractionField(allow_null=True)
    earned = FractionField(allow_null=True)
    points = FractionField()
    total = FractionField(allow_null=True, help_text="of the attempt")
    marks = serializers.IntegerField(help_text="by persons, of the whole attempt")


class MarkedAttemptSerializer(serializers.Serializer[Any]):
    """An attempt after a person replaced its score, or took that back."""

    total = FractionField(allow_null=True)
    maximum = FractionField(allow_null=True)
    passed = serializers.BooleanField(allow_null=True)
    marks = serializers.IntegerField(help_text="by persons, of the whole attempt")


class CommentRequest(StrictSerializer):
    """What a person says of an answer."""

    comment = StrictCharField(
        max_length=LONGEST_COMMENT,
        allow_blank=True,
        help_text="the learner reads it where feedback is shown",
    )


def read_share(posted: Mapping[str, Any]) -> Fraction:
    """Return a share that was posted."""
    return Fraction(posted["numerator"], posted["denominator"])


def _read_share(posted: Mapping[str, Any]) -> Fraction | None:
    return read_share(posted["share"]) if posted.get("share") else None


def read_override(request: Request, posted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a posted score in place of a computed one is made of, for its service.

    Neither a share nor `withdraw`, or both: Invalid.
    """
    share = _read_share(posted)
    if (share is None) != posted["withdraw"]:
        raise Invalid("share_or_withdraw", where="share")
    return {
        "share": share,
        "reason": posted["reason"],
        "by": request_user(request),
        "now": clock.now(),
    }


def grade_by_hand(
    request: Request, attempt: UUID, slot: int, posted: Mapping[str, Any]
) -> ManualGrade:
    """Append the mark that was posted of an answer, as `grade_manually` does."""
    return grade_manually(
        attempt=attempt,
        slot=slot,
        levels=posted.get("levels"),
        share=_read_share(posted),
        comment=posted["comment"],
        purpose=Purpose.FINAL if posted["final"] else Purpose.FIRST,
        seen=posted.get("seen"),
        by=request_user(request),
        now=clock.now(),
    )


def _load_report(request: Request, attempt: UUID) -> AttemptReport:
    """Return the attempt as it counts now, and record that its keys were seen."""
    report = load_report(
        attempt=attempt,
        viewer=request_user(request),
        language=response_language(request, {}),
        now=clock.now(),
    )
    record(AuditCode.KEYS_VIEWED, about=Quiz.objects.get(uuid=report.summary.quiz), once=True)
    return report


def _count_marks(attempt: UUID) -> int:
    return load_manual_grades(Attempt.objects.only("pk").get(uuid=attempt).pk).count


def _build_result(request: Request, number: int, attempt: UUID) -> WriteResult:
    report = _load_report(request, attempt)
    question = report.questions[_find_slot(number)]
    score = report.summary.score
    payload = {
        "number": number,
        "credit": question.credit,
        "earned": question.earned,
        "points": question.manifest_slot.points,
        "total": score.total if score else None,
        "marks": _count_marks(attempt),
    }
    return WriteResult(200, MarkedQuestionSerializer(payload).data)


class QuestionScoreView(BaseAPIView):
    """The score of a question of an attempt that you oversee."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    shows_keys = True

    @extend_schema(
        operation_id="overrideScore",
        summary="Put a score in place of the computed one",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=OverrideScoreRequest,
        responses={200: OpenApiResponse(MarkedQuestionSerializer, "As it counts now")},
    )
    def post(self, request: Request, attempt: UUID, number: int) -> APIResponse:
        """Give a question of any kind a score by hand, with a reason; regrades keep it.

        An answer that waits for a person, or nothing to withdraw: 409. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, OverrideScoreRequest)
        return idempotent(
            request,
            lambda: self._override(request, attempt, number, posted),
            replay=lambda _: _build_result(request, number, attempt),
        )

    def _override(
        self, request: Request, attempt: UUID, number: int, posted: dict[str, Any]
    ) -> WriteResult:
        override_score(
            attempt=attempt,
            slot=_find_slot(number),
            seen=posted.get("seen"),
            **read_override(request, posted),
        )
        return _build_result(request, number, attempt)


class TotalScoreView(BaseAPIView):
    """The score of an attempt that you oversee."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    shows_keys = True

    @extend_schema(
        operation_id="overrideTotal",
        summary="Put a score in place of the sum of an attempt's questions",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=OverrideScoreRequest,
        responses={200: OpenApiResponse(MarkedAttemptSerializer, "As it counts now")},
    )
    def post(self, request: Request, attempt: UUID) -> APIResponse:
        """Give the whole attempt a share of its maximum, with a reason; regrades keep it.

        An answer that waits for a person, or nothing to withdraw: 409. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, OverrideScoreRequest)
        return idempotent(
            request,
            lambda: self._override(request, attempt, posted),
            replay=lambda _: self._read(request, attempt),
        )

    def _override(self, request: Request, attempt: UUID, posted: dict[str, Any]) -> WriteResult:
        override_total(attempt=attempt, seen=posted.get("seen"), **read_override(request, posted))
        return self._read(request, attempt)

    def _read(self, request: Request, attempt: UUID) -> WriteResult:
        score = _load_report(request, attempt).summary.score
        payload = {
            "total": score.total if score else None,
            "maximum": score.maximum if score else None,
            "passed": score.passed if score else None,
            "marks": _count_marks(attempt),
        }
        return WriteResult(200, MarkedAttemptSerializer(payload).data)


class AnswerCommentView(BaseAPIView):
    """Your comment on an answer, without a score."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    shows_keys = True

    @extend_schema(
        operation_id="commentOnAnswer",
        summary="Comment on an answer",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=CommentRequest,
        responses={200: OpenApiResponse(MarkedQuestionSerializer, "As it counts now")},
    )
    def post(self, request: Request, attempt: UUID, number: int) -> APIResponse:
        """Comment on an answer; its score stays. An answer that waits for a person: 409.

        Your newest comment counts; an empty one takes it back. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CommentRequest)
        return idempotent(
            request,
            lambda: self._comment(request, attempt, number, posted),
            replay=lambda _: _build_result(request, number, attempt),
        )

    def _comment(
        self, request: Request, attempt: UUID, number: int, posted: dict[str, Any]
    ) -> WriteResult:
        comment_on_answer(
            attempt=attempt,
            slot=_find_slot(number),
            comment=posted["comment"],
            by=request_user(request),
            now=clock.now(),
        )
        return _build_result(request, number, attempt)


class GradeAnswerView(BaseAPIView):
    """A mark of an answer that waits for persons."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    shows_keys = True

    @extend_schema(
        operation_id="gradeAnswer",
        summary="Mark an answer by hand",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=GradeAnswerRequest,
        responses={200: OpenApiResponse(MarkedQuestionSerializer, "As it counts now")},
    )
    def post(self, request: Request, attempt: UUID, number: int) -> APIResponse:
        """Mark an answer that a machine leaves to persons. Others: 409. Scope `classes`."""
        parse_query(request, EmptyQuery)
        posted = parse_body(request, GradeAnswerRequest)
        return idempotent(
            request,
            lambda: self._grade(request, attempt, number, posted),
            replay=lambda _: _build_result(request, number, attempt),
        )

    def _grade(
        self, request: Request, attempt: UUID, number: int, posted: dict[str, Any]
    ) -> WriteResult:
        grade_by_hand(request, attempt, _find_slot(number), posted)
        return _build_result(request, number, attempt)


def _find_slot(number: int) -> int:
    """Return the place of a question that an address numbers from 1; none before it: NotFound."""
    if number < 1:
        raise NotFound
    return number - 1

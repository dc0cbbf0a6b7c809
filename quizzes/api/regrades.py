"""Regrades of a quiz: what was corrected since and what was committed; preview, and commit."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from grading.totals import format_decimal
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictCharField, StrictSerializer, UTCDateTimeField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import (
    DEFAULT_PAGE_SIZE,
    Order,
    Page,
    PageQuery,
    build_cursor_error,
    build_next,
)
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.results import ScoreSerializer
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Question
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound
from quizzes.lib.number_parsing import parse_points
from quizzes.publishing.access import editable_by
from quizzes.publishing.models import Quiz
from quizzes.results.models import RegradeAction, RegradePolicy, Result
from quizzes.results.pending_changes import PendingChanges, load_pending_changes
from quizzes.results.regrade_counts import (
    RegradeChange,
    count_regrade,
    find_change,
    list_regrade_page,
)
from quizzes.results.regrade_overview import (
    CommittedRegrade,
    CorrectedQuestion,
    list_committed_regrades,
    load_regrade_overview,
)
from quizzes.results.regrade_preview import PreviewProblem, ProposedRule, RegradePreview
from quizzes.results.regrade_rules import MAX_POINTS, POLICIES, is_worth
from quizzes.results.regrading import (
    LONGEST_REASON,
    check_rule,
    commit_regrade,
)

MAX_NUMBER = 2**31 - 1
MAX_POINTS_LENGTH = 20
LONGEST_METHOD = 40
POINTS_HELP = "for the action `points`: what the question is worth, as a decimal, `2.5`"
METHOD_HELP = "for the action `method`: one of the scoring methods of the kind of the question"
NEW_METHOD_HELP = "empty: it is scored as before"
BY_ATTEMPT = Order((("uuid", UUID),))


def _write_points(points: Fraction | None) -> str | None:
    return None if points is None else format_decimal(points)


class CorrectedQuestionSerializer(serializers.Serializer[Any]):
    """A question that was published anew, and how many attempts have an older version."""

    question = serializers.UUIDField(source="question.uuid")
    name = serializers.CharField(source="question.name")
    version = serializers.UUIDField(source="question.current.uuid", help_text="the newest")
    attempts = serializers.IntegerField()
    is_regraded = serializers.BooleanField(help_text="by the newest version")
    new_scoring_method = serializers.CharField(
        source="pending.scoring_method", help_text=NEW_METHOD_HELP
    )
    new_points = serializers.SerializerMethodField()

    def get_new_points(self, corrected: CorrectedQuestion) -> str | None:
        """Return what the newest version of the quiz gives for it, where others gave more or less.

        As a decimal; null: nothing is new.
        """
        return _write_points(corrected.pending.points)


class LeftOutSerializer(serializers.Serializer[Any]):
    """What is new of a question and the previewed regrade leaves out: a regrade of its own each."""

    key = serializers.BooleanField(source="has_new_key", help_text="for the action `key`")
    scoring_method = serializers.CharField(help_text=f"for the action `method`; {NEW_METHOD_HELP}")
    points = serializers.SerializerMethodField()

    def get_points(self, changes: PendingChanges) -> str | None:
        """Return what the newest version of the quiz gives for it, for the action `points`."""
        return _write_points(changes.points)


class CommittedRegradeSerializer(serializers.Serializer[Any]):
    """A regrade that was committed."""

    number = serializers.IntegerField(source="rule.number")
    question = serializers.UUIDField(source="rule.version.question.uuid")
    version = serializers.UUIDField(source="rule.version.uuid")
    action = serializers.CharField(source="rule.action")
    policy = serializers.CharField(source="rule.policy")
    reverts = serializers.IntegerField(
        source="rule.reverts", allow_null=True, help_text="the number of the regrade it leaves out"
    )
    points = serializers.SerializerMethodField()
    scoring_method = serializers.CharField(
        source="rule.scoring_method", help_text="empty but for the action `method`"
    )
    is_reverted = serializers.BooleanField()
    reason = serializers.CharField(source="rule.reason")
    by = serializers.UUIDField(source="rule.by.uuid")
    committed_at = UTCDateTimeField(source="rule.committed_at")
    waiting = serializers.IntegerField(help_text="attempts that it has not reached yet")

    def get_points(self, committed: CommittedRegrade) -> str | None:
        """Return what the question is worth, as a decimal; null but for the action `points`."""
        return _write_points(committed.rule.points)


class RegradesSerializer(serializers.Serializer[Any]):
    """The regrades of a quiz, the last first, and what was corrected since.

    `counted_in_newest`: there are more attempts than `attempts` is counted in.
    """

    corrected = CorrectedQuestionSerializer(source="questions", many=True)
    counted_in_newest = serializers.BooleanField(source="has_more_attempts")
    items = CommittedRegradeSerializer(source="rules", many=True)


class PolicyCountsSerializer(serializers.Serializer[Any]):
    """What a policy would do to how many attempts."""

    policy = serializers.ChoiceField(RegradePolicy.choices)
    rise = serializers.IntegerField()
    now_pass = serializers.IntegerField(help_text="of those that rise")
    fall = serializers.IntegerField()
    no_longer_pass = serializers.IntegerField(help_text="of those that fall")
    stay = serializers.IntegerField()


class RegradeCountsSerializer(serializers.Serializer[Any]):
    """What each policy would do: to `counted` of `attempts`, as far as some seconds sufficed."""

    attempts = serializers.IntegerField()
    counted = serializers.IntegerField()
    policies = PolicyCountsSerializer(many=True)
    problems = serializers.DictField(
        child=serializers.IntegerField(), help_text="attempts that cannot be compared, by code"
    )


class RegradePreviewItemSerializer(serializers.Serializer[Any]):
    """An attempt that would have another score, or that cannot be compared."""

    attempt = serializers.UUIDField(source="result.attempt.uuid")
    learner = serializers.UUIDField(source="result.learner.uuid")
    number = serializers.IntegerField(source="result.attempt.number")
    before = ScoreSerializer(allow_null=True)
    after = ScoreSerializer(allow_null=True)
    change = serializers.SerializerMethodField()
    problem = serializers.ChoiceField([code.value for code in PreviewProblem], allow_null=True)

    def get_change(self, preview: RegradePreview) -> RegradeChange:
        """Return rises, falls or stays."""
        return find_change(preview)


class RegradePreviewSerializer(serializers.Serializer[Any]):
    """A page of a preview. `counts` stands on the first page alone.

    A page that others follow may have fewer items than its limit: its time was over.
    """

    version = serializers.UUIDField(help_text="whose key it is; a commit names it")
    left_out = LeftOutSerializer()
    counts = RegradeCountsSerializer(allow_null=True)
    items = RegradePreviewItemSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class RegradePreviewQuery(PageQuery):
    """What is done, by which policy, and which page."""

    action = serializers.ChoiceField(
        RegradeAction.choices, required=False, help_text="without it `key`"
    )
    policy = serializers.ChoiceField(
        RegradePolicy.choices, required=False, help_text="without it the first of the action"
    )
    reverts = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_NUMBER, help_text="for the action `revert`"
    )
    points = serializers.CharField(
        required=False, max_length=MAX_POINTS_LENGTH, help_text=POINTS_HELP
    )
    scoring_method = serializers.CharField(
        required=False, max_length=LONGEST_METHOD, help_text=METHOD_HELP
    )


class CommitRegradeRequest(StrictSerializer):
    """What becomes of attempts by older versions, and why."""

    version = serializers.UUIDField(help_text="the version that was previewed")
    action = serializers.ChoiceField(
        RegradeAction.choices, required=False, default=RegradeAction.KEY.value
    )
    policy = serializers.ChoiceField(
        RegradePolicy.choices, required=False, help_text="without it the first of the action"
    )
    reverts = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_NUMBER,
        help_text="for the action `revert`: the number of the regrade that is left out",
    )
    points = StrictCharField(required=False, max_length=MAX_POINTS_LENGTH, help_text=POINTS_HELP)
    scoring_method = StrictCharField(
        required=False, max_length=LONGEST_METHOD, help_text=METHOD_HELP
    )
    reason = StrictCharField(
        max_length=LONGEST_REASON, help_text="learners who may see their score read it"
    )


def _find_quiz(request: Request, quiz: UUID) -> Quiz:
    """Return a quiz of one's classes; there is no other: NotFound."""
    found_quiz = editable_by(request_user(request)).filter(uuid=quiz).first()
    if found_quiz is None:
        raise NotFound
    return found_quiz


def _find_question(request: Request, question: UUID) -> Question:
    """Return a question whose key this person may see; there is no other: NotFound."""
    readable = questions_whose_keys_are_visible_to(request_user(request))
    row = readable.select_related("bank", "current").filter(uuid=question).first()
    if row is None or row.current is None:
        raise NotFound
    return row


class RegradesView(BaseAPIView):
    """The regrades of a quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}

    @extend_schema(
        operation_id="listRegrades",
        summary="Regrades of a quiz",
        tags=["results"],
        responses=RegradesSerializer,
    )
    def get(self, request: Request, quiz: UUID) -> Response:
        """List the regrades of a quiz of a class that you teach, and what was corrected since."""
        parse_query(request, EmptyQuery)
        overview = load_regrade_overview(
            quiz=_find_quiz(request, quiz), viewer=request_user(request)
        )
        return Response(RegradesSerializer(overview).data)


class RegradeView(BaseAPIView):
    """The regrade of a question in a quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,), "POST": (Scope.CLASSES,)}
    shows_keys = True

    @extend_schema(
        operation_id="previewRegrade",
        summary="Preview a regrade",
        tags=["results"],
        parameters=[RegradePreviewQuery],
        responses=RegradePreviewSerializer,
    )
    def get(self, request: Request, quiz: UUID, question: UUID) -> Response:
        """Show what the newest key of a question would change; nothing is changed."""
        params = parse_query(request, RegradePreviewQuery)
        row, regraded_question = _find_quiz(request, quiz), _find_question(request, question)
        viewer, action = request_user(request), _read_action(params)
        after = _find_place(row, params["cursor"]) if "cursor" in params else 0
        points, method = _read_points(params), params.get("scoring_method", "")
        policy = _read_policy(params)
        check_rule(
            quiz=row,
            question=regraded_question,
            proposed=ProposedRule((policy,), action, params.get("reverts"), points, method),
        )
        page = list_regrade_page(
            quiz=row,
            question=regraded_question,
            policy=policy,
            viewer=viewer,
            action=action,
            reverts=params.get("reverts"),
            points=points,
            scoring_method=method,
            after=after,
            limit=params.get("limit", DEFAULT_PAGE_SIZE),
        )
        record(
            AuditCode.KEYS_VIEWED,
            about=regraded_question,
            group=regraded_question.bank.group_id,
            once=True,
        )
        cursor = BY_ATTEMPT.write([page.last.attempt.uuid]) if page.last else params.get("cursor")
        following = build_next(request, cursor) if page.has_more and cursor else None
        payload = {
            "version": regraded_question.current and regraded_question.current.uuid,
            "left_out": load_pending_changes(quiz=row, question=regraded_question).without(
                action, points=points, scoring_method=method
            ),
            "counts": None
            if after
            else count_regrade(
                quiz=row,
                question=regraded_question,
                viewer=viewer,
                action=action,
                reverts=params.get("reverts"),
                points=points,
                scoring_method=method,
            ),
            **Page(page.rows, following, cursor).to_json(page.rows),
        }
        return Response(RegradePreviewSerializer(payload).data)

    @extend_schema(
        operation_id="commitRegrade",
        summary="Commit a regrade",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=CommitRegradeRequest,
        responses={202: CommittedRegradeSerializer},
    )
    def post(self, request: Request, quiz: UUID, question: UUID) -> APIResponse:
        """Regrade the attempts by older versions, as previewed, in the background.

        The same again is the regrade that is there. A newer version than the one that was
        previewed: 409.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CommitRegradeRequest)
        row, regraded_question = _find_quiz(request, quiz), _find_question(request, question)
        return idempotent(request, lambda: self._commit(request, row, regraded_question, posted))

    def _commit(
        self, request: Request, quiz: Quiz, question: Question, posted: dict[str, Any]
    ) -> WriteResult:
        rule = commit_regrade(
            quiz=quiz,
            question=question,
            version=posted["version"],
            policy=_read_policy(posted),
            action=_read_action(posted),
            reverts=posted.get("reverts"),
            points=_read_points(posted),
            scoring_method=posted.get("scoring_method", ""),
            reason=posted["reason"],
            by=request_user(request),
            now=clock.now(),
        )
        committed: list[CommittedRegrade] = list_committed_regrades(quiz)
        return WriteResult(202, dict(CommittedRegradeSerializer(committed[rule.number - 1]).data))


def _read_action(params: Mapping[str, Any]) -> RegradeAction:
    return RegradeAction(params.get("action", RegradeAction.KEY))


def _read_policy(params: Mapping[str, Any]) -> RegradePolicy:
    """Return the policy, the first of the action where none was named; none of it: Invalid."""
    policies = POLICIES[_read_action(params)]
    policy = RegradePolicy(params.get("policy", policies[0]))
    if policy not in policies:
        raise Invalid("policy_unknown", where="policy")
    return policy


def _read_points(params: Mapping[str, Any]) -> Fraction | None:
    """Return points that are sent as a decimal; what is none: Invalid."""
    if "points" not in params:
        return None
    points = parse_points(params["points"], maximum=Fraction(MAX_POINTS))
    if points is None or not is_worth(points):
        raise Invalid("points_unknown", where="points")
    return points


def _find_place(quiz: Quiz, cursor: str) -> int:
    """Return after which result a page begins; a cursor of another list: ValidationError."""
    (attempt,) = BY_ATTEMPT.read(cursor)
    places = Result.objects.filter(quiz=quiz, attempt__uuid=attempt)
    after = places.values_list("pk", flat=True).first()
    if after is None:
        raise build_cursor_error()
    return after

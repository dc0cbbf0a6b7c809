"""Regrading a quiz: what was corrected, what each policy would do, and the page that commits it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Question, QuestionVersion
from quizzes.bank.selectors import load_public_versions
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.permissions import current_user
from quizzes.instructor.quiz_tabs import build_quiz_tabs
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused, ServiceError
from quizzes.lib.number_parsing import MAX_NUMBER_LENGTH, parse_count, parse_points
from quizzes.presentation.formatting import format_points, format_score
from quizzes.presentation.messages.kinds import scoring_method_label
from quizzes.presentation.messages.regrades import (
    CHANGES,
    DescribedChange,
    describe_effects,
    describe_pending_changes,
    describe_policy,
    describe_preview_problem,
    describe_regrade_error,
)
from quizzes.presentation.question_rendering import prompt_excerpt
from quizzes.publishing.models import Quiz
from quizzes.results.attempt_report import Score
from quizzes.results.models import RegradeAction, RegradePolicy
from quizzes.results.pending_changes import NO_CHANGES, PendingChanges, load_pending_changes
from quizzes.results.regrade_access import check_may_regrade
from quizzes.results.regrade_counts import (
    PolicyCounts,
    count_regrade,
    find_change,
    list_regrade_page,
)
from quizzes.results.regrade_overview import MAX_ATTEMPTS, load_regrade_overview
from quizzes.results.regrade_preview import ProposedRule, RegradePreview
from quizzes.results.regrade_rules import MAX_POINTS, POLICIES, is_worth
from quizzes.results.regrading import (
    LONGEST_REASON,
    check_reason,
    commit_regrade,
    has_scoring_methods,
    list_scoring_methods,
)

MAX_RESULT = 2**63 - 1
MAX_NUMBER = 2**31 - 1
CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True)
class RegradeChoice:
    """What is done, by which policy, and the number of the rule that a revert leaves out.

    `points` and `scoring_method` are those of the actions that are called so; `typed_points` is
    what was written, whether it is a number or not.
    """

    action: RegradeAction
    policy: RegradePolicy
    reverts: int | None = None
    points: Fraction | None = None
    scoring_method: str = ""
    typed_points: str = ""

    @property
    def query(self) -> dict[str, Any]:
        """The query of the page that previews it."""
        more = {
            "reverts": self.reverts,
            "points": self.typed_points,
            "scoring_method": self.scoring_method,
        }
        sent = {name: value for name, value in more.items() if value}
        return {"action": self.action.value, "policy": self.policy.value, **sent}

    @property
    def label(self) -> str:
        """What becomes of the attempts, in words."""
        return describe_policy(
            self.action, self.policy, points=self.points, scoring_method=self.scoring_method
        )

    @property
    def is_complete(self) -> bool:
        """Whether it says all that its action needs."""
        if self.action == RegradeAction.POINTS:
            return is_worth(self.points)
        return self.action != RegradeAction.METHOD or bool(self.scoring_method)

    @property
    def proposed(self) -> ProposedRule:
        """The rule that is previewed, by this policy."""
        return ProposedRule(
            (self.policy,), self.action, self.reverts, self.points, self.scoring_method
        )


@dataclass(frozen=True, slots=True)
class PostedRegrade:
    """What the form sends: the version that was previewed, what becomes of attempts, and why."""

    version: UUID
    choice: RegradeChoice
    reason: str


@dataclass(frozen=True, slots=True)
class ComparedAttempt:
    """An attempt with its score before and after, in words."""

    preview: RegradePreview
    change: str
    before: str
    after: str
    problem: str


def show_regrades(admin: ModelAdmin, request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Show what of a quiz was corrected since, and its regrades so far."""
    try:
        overview = load_regrade_overview(quiz=quiz, viewer=current_user(request))
    except NotFound:
        raise Http404 from None
    corrected = [row.question for row in overview.questions]
    questions = [*corrected, *(question for question, _pending in overview.all_questions)]
    versions = [question.current for question in questions]
    prompts = _list_prompts([*versions, *(row.rule.version for row in overview.rules)])
    context = {
        **build_quiz_tabs(quiz, "regrade", may_edit=True),
        "overview": overview,
        "corrected": [
            (row, prompts.get(row.question.current_id), describe_pending_changes(row.pending))
            for row in overview.questions
        ],
        "questions": [
            (
                question,
                prompts.get(question.current_id),
                has_scoring_methods(question),
                [] if question in corrected else describe_pending_changes(pending),
            )
            for question, pending in overview.all_questions
        ],
        "rules": [
            (
                row,
                describe_policy(
                    row.rule.action,
                    row.rule.policy,
                    points=row.rule.points,
                    scoring_method=row.rule.scoring_method,
                ),
                prompts.get(row.rule.version_id),
            )
            for row in overview.rules
        ],
        "max_attempts": MAX_ATTEMPTS,
    }
    title = _("Regrade of %(quiz)s") % {"quiz": quiz}
    return admin.render_page(
        request, "publishing/quiz/regrades", context, title=title, page_name=_("Regrade")
    )


def _list_prompts(versions: Iterable[QuestionVersion | None]) -> dict[int | None, str]:
    """Return the beginning of the prompt of each version, in the language of the page."""
    published = {version.pk: version.uuid for version in versions if version}
    public_versions = load_public_versions(published.values())
    language = get_language() or ""
    return {key: prompt_excerpt(public_versions[uuid], language) for key, uuid in published.items()}


def show_regrade(admin: ModelAdmin, request: HttpRequest, quiz: Quiz, uuid: UUID) -> HttpResponse:
    """Preview the regrade of a question; what is posted is confirmed first, then committed."""
    question = get_question_to_regrade(request, quiz, uuid)
    if request.method != "POST":
        choice = parse_choice(request.GET, question)
        if not choice.is_complete:
            return _show_question(admin, request, quiz, question, choice)
        return _show_preview(admin, request, quiz, question, choice)
    posted = _parse_posted(request, question)
    try:
        _check_version(question, posted.version)
        if CONFIRMED not in request.POST:
            return _show_confirmation(admin, request, quiz, question, posted)
        commit_regrade(
            quiz=quiz,
            question=question,
            version=posted.version,
            policy=posted.choice.policy,
            action=posted.choice.action,
            reverts=posted.choice.reverts,
            points=posted.choice.points,
            scoring_method=posted.choice.scoring_method,
            reason=posted.reason,
            by=current_user(request),
            now=clock.now(),
        )
    except (Conflict, Invalid, Refused) as error:
        return _show_preview(admin, request, quiz, question, posted.choice, error)
    admin.log_change(request, quiz, f"regraded {question.name}")
    messages.success(
        request, _("The regrade is committed. It reaches the attempts in the next minutes.")
    )
    return redirect("admin:publishing_quiz_regrade", quiz.pk)


def get_question_to_regrade(request: HttpRequest, quiz: Quiz, uuid: UUID) -> Question:
    """Return a question that this person may regrade in the quiz, and record that they see its key.

    There is no other: 404; nor is there one that was never published.
    """
    question = (
        questions_whose_keys_are_visible_to(request.user)
        .select_related("bank", "current")
        .filter(uuid=uuid, current__isnull=False)
        .first()
    )
    if question is None:
        raise Http404
    try:
        check_may_regrade(current_user(request), quiz, question)
    except NotFound:
        raise Http404 from None
    record(AuditCode.KEYS_VIEWED, about=question, group=question.bank.group_id, once=True)
    return question


def parse_choice(sent: QueryDict, question: Question) -> RegradeChoice:
    """Return what was chosen, the first policy of the action where none was; another one: 404.

    Points that are none, or no scoring method yet, are asked for.
    """
    try:
        action = RegradeAction(sent.get("action") or RegradeAction.KEY)
        policy = RegradePolicy(sent.get("policy") or POLICIES[action][0])
    except ValueError:
        raise Http404 from None
    reverts = parse_count(sent.get("reverts", ""), maximum=MAX_NUMBER) or None
    if policy not in POLICIES[action] or (action == RegradeAction.REVERT) != (reverts is not None):
        raise Http404
    choice = RegradeChoice(action, policy, reverts)
    if action == RegradeAction.POINTS:
        typed = sent.get("points", "")[:MAX_NUMBER_LENGTH]
        points = parse_points(typed, maximum=Fraction(MAX_POINTS))
        return replace(choice, points=points, typed_points=typed)
    method = sent.get("scoring_method", "")
    if action == RegradeAction.METHOD:
        methods = list_scoring_methods(question)
        if not methods or method not in {*methods, ""}:
            raise Http404
        return replace(choice, scoring_method=method)
    return choice


def parse_complete_choice(sent: QueryDict, question: Question) -> RegradeChoice:
    """Return what was chosen; what does not say all that its action needs: 404."""
    choice = parse_choice(sent, question)
    if not choice.is_complete:
        raise Http404
    return choice


def _parse_posted(request: HttpRequest, question: Question) -> PostedRegrade:
    """Return what was chosen; without the version that was previewed: 404."""
    try:
        version = UUID(request.POST.get("version", ""))
    except ValueError:
        raise Http404 from None
    reason = request.POST.get("reason", "").strip()
    return PostedRegrade(version, parse_complete_choice(request.POST, question), reason)


def _check_version(question: Question, version: UUID) -> None:
    if question.current is None or question.current.uuid != version:
        raise Conflict("changed_meanwhile")


def _show_question(
    admin: ModelAdmin, request: HttpRequest, quiz: Quiz, question: Question, choice: RegradeChoice
) -> HttpResponse:
    """Ask for the points or the scoring method that a preview needs; say all that is new."""
    pending = load_pending_changes(quiz=quiz, question=question)
    context = {
        **build_quiz_tabs(quiz, "regrade", may_edit=True),
        "question": question,
        "choice": choice,
        **_build_question_form(question, choice, pending),
        "pending": describe_pending_changes(pending),
        "error": describe_regrade_error(Invalid("points_unknown")) if choice.typed_points else "",
    }
    title = _("Regrade %(question)s in %(quiz)s") % {"question": question, "quiz": quiz}
    return admin.render_page(
        request,
        "publishing/quiz/regrade_question",
        context,
        title=title,
        page_name=_name_page(question),
        status=422 if choice.typed_points else 200,
    )


def _build_question_form(
    question: Question, choice: RegradeChoice, pending: PendingChanges = NO_CHANGES
) -> dict[str, Any]:
    """Return what the form that asks for points or a scoring method shows; it suggests the new."""
    new_points = "" if pending.points is None else format_points(pending.points)
    methods = list_scoring_methods(question) if choice.action == RegradeAction.METHOD else ()
    return {
        "asks_points": choice.action == RegradeAction.POINTS,
        "suggested_points": choice.typed_points or new_points,
        "methods": [(method, scoring_method_label(method)) for method in methods],
        "suggested_method": choice.scoring_method
        or pending.scoring_method
        or (question.current.scoring_method if question.current else ""),
    }


def _show_preview(  # noqa: PLR0913, PLR0917  who looks at what, and why it was refused
    admin: ModelAdmin,
    request: HttpRequest,
    quiz: Quiz,
    question: Question,
    choice: RegradeChoice,
    error: ServiceError | None = None,
) -> HttpResponse:
    viewer = current_user(request)
    after = parse_count(request.GET.get("after", ""), maximum=MAX_RESULT)
    counts = count_regrade(
        quiz=quiz,
        question=question,
        viewer=viewer,
        action=choice.action,
        reverts=choice.reverts,
        points=choice.points,
        scoring_method=choice.scoring_method,
    )
    page = list_regrade_page(
        quiz=quiz,
        question=question,
        policy=choice.policy,
        viewer=viewer,
        action=choice.action,
        reverts=choice.reverts,
        points=choice.points,
        scoring_method=choice.scoring_method,
        after=after,
    )
    following = {**choice.query, "after": page.last.pk if page.last else 0}
    context = {
        **build_quiz_tabs(quiz, "regrade", may_edit=True),
        "question": question,
        "choice": choice,
        **_build_question_form(question, choice),
        "own_query": urlencode(choice.query),
        "counts": counts,
        "policies": [_describe_policy(choice, row) for row in counts.policies],
        "changes": bool(page.rows)
        or any(row.rise or row.fall for row in counts.policies)
        or not counts.is_complete,
        "left_out": _describe_left_out(quiz, question, choice),
        "problems": [
            (describe_preview_problem(code), count) for code, count in counts.problems.items()
        ],
        "rows": [_describe_row(row) for row in page.rows],
        "is_continued": after > 0,
        "next_query": urlencode(following) if page.has_more else "",
        "reason": request.POST.get("reason", ""),
        "longest_reason": LONGEST_REASON,
        "error": "" if error is None else describe_regrade_error(error),
    }
    status = 200 if error is None else 409 if isinstance(error, Conflict) else 422
    title = _("Regrade %(question)s in %(quiz)s") % {"question": question, "quiz": quiz}
    return admin.render_page(
        request,
        "publishing/quiz/regrade",
        context,
        title=title,
        page_name=_name_page(question),
        status=status,
    )


def _describe_left_out(
    quiz: Quiz, question: Question, choice: RegradeChoice
) -> list[DescribedChange]:
    """Return what is new of the question besides what is chosen, in words."""
    pending = load_pending_changes(quiz=quiz, question=question)
    return describe_pending_changes(
        pending.without(choice.action, points=choice.points, scoring_method=choice.scoring_method)
    )


def _show_confirmation(
    admin: ModelAdmin,
    request: HttpRequest,
    quiz: Quiz,
    question: Question,
    posted: PostedRegrade,
) -> HttpResponse:
    check_reason(posted.reason)
    choice = posted.choice
    counts = count_regrade(
        quiz=quiz,
        question=question,
        viewer=current_user(request),
        action=choice.action,
        reverts=choice.reverts,
        points=choice.points,
        scoring_method=choice.scoring_method,
    )
    chosen = next(row for row in counts.policies if row.policy == choice.policy)
    context = {
        **build_quiz_tabs(quiz, "regrade", may_edit=True),
        "question": question,
        "choice": choice,
        "counts": counts,
        "effects": describe_effects(_count_effects(chosen)),
        "compared": sum(counts.problems.values()),
        "left_out": _describe_left_out(quiz, question, choice),
        "reason": posted.reason,
        "back": _build_preview_address(quiz, question, choice),
    }
    title = _("Regrade %(question)s in %(quiz)s?") % {"question": question, "quiz": quiz}
    return admin.render_page(
        request,
        "publishing/quiz/confirm_regrade",
        context,
        title=title,
        page_name=_name_page(question),
    )


def _name_page(question: Question) -> str:
    return _("Regrade: %(question)s") % {"question": question.name}


def _count_effects(counts: PolicyCounts) -> dict[str, int]:
    return {name: count for name, count in asdict(counts).items() if name != "policy"}


def _describe_policy(choice: RegradeChoice, counts: PolicyCounts) -> tuple[PolicyCounts, str, str]:
    """Return what a policy does, its words, and the query that shows its attempts."""
    other = replace(choice, policy=counts.policy)
    return counts, other.label, urlencode(other.query)


def _build_preview_address(quiz: Quiz, question: Question, choice: RegradeChoice) -> str:
    address = reverse("admin:publishing_quiz_regrade_question", args=[quiz.pk, question.uuid])
    return f"{address}?{urlencode(choice.query)}"


def _describe_row(preview: RegradePreview) -> ComparedAttempt:
    return ComparedAttempt(
        preview=preview,
        change=str(CHANGES[find_change(preview)]),
        before=_describe_score(preview.before),
        after=_describe_score(preview.after),
        problem="" if preview.problem is None else describe_preview_problem(preview.problem),
    )


def _describe_score(score: Score | None) -> str:
    return "–" if score is None else format_score(score.total, score.maximum, score.percent)

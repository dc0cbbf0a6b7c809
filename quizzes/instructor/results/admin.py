"""The pages of attempts and their results: to be read.

The only changes: voiding, more time, and scores that persons put in place of computed ones.
"""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from accounts.access import UserOrAnonymous
from accounts.models import User
from quizzes.attempts.access import may_void, quizzes_overseen_by, supervised_by
from quizzes.attempts.models import Attempt, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.instructor.admin_base import ChangeList, ModelAdmin, is_searchable
from quizzes.instructor.permissions import current_user, get_permissions
from quizzes.instructor.results.attempt_page import list_journal, list_questions
from quizzes.instructor.results.attempt_status import (
    compute_outcome,
    find_problem,
    has_grading_failure,
)
from quizzes.instructor.results.late_entry_page import show_late_entry
from quizzes.instructor.results.progress_page import show_progress
from quizzes.instructor.results.question_answers_page import show_question_answers
from quizzes.instructor.results.reopening_page import can_reopen, show_reopening
from quizzes.instructor.results.room_actions import (
    EXTEND,
    ActionOrigin,
    act_on_quiz,
    perform_action,
    unlock_sign_in,
)
from quizzes.instructor.results.score_override import (
    MARKING,
    can_override,
    show_score_override,
    show_total_override,
)
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound
from quizzes.presentation.formatting import format_score
from quizzes.publishing.models import Quiz
from quizzes.results import deadline_queue, services
from quizzes.results.attempt_report import AttemptSummary
from quizzes.results.failures import ALARM, HAS_FAILED
from quizzes.results.grading_queue import build_attempt_token
from quizzes.results.manual_grading import LONGEST_COMMENT
from quizzes.results.neighbour_attempts import find_neighbour_attempts
from quizzes.results.selectors import list_overseen_attempts, load_report, load_summaries

MOST_QUIZZES = 100
"""That the filter offers; others are found by the search, or from their own page."""
FAILS, QUARANTINED = "fails", "quarantined"
FAILED = {FAILS: HAS_FAILED, QUARANTINED: HAS_FAILED & Q(grading_failure__tries__gte=ALARM)}


class AttemptList(ChangeList):
    """The list of attempts, each row with its summary."""

    def get_results(self, request: HttpRequest) -> None:
        """Load the summaries of all rows of this page at once."""
        super().get_results(request)
        rows = list(self.result_list)
        for row, summary in zip(
            rows, load_summaries(rows, current_user(request), clock.now()), strict=True
        ):
            row.summary = summary
        self.result_list = rows
        self.failed_count = self.root_queryset.filter(HAS_FAILED).count()


class QuizFilter(admin.SimpleListFilter):
    """The quizzes that the attempts one oversees are at."""

    title = gettext_lazy("quiz")
    parameter_name = "quiz"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Return their titles."""
        overseen = Attempt.objects.filter(supervised_by(request.user), quiz=OuterRef("pk"))
        with_attempts = quizzes_overseen_by(request.user).filter(Exists(overseen.order_by()))
        newest = list(with_attempts.order_by("-pk")[:MOST_QUIZZES])
        return [(quiz.slug, str(quiz)) for quiz in sorted(newest, key=lambda quiz: quiz.slug)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return its attempts."""
        return queryset.filter(quiz__slug=self.value()) if self.value() else queryset


class GradingFailureFilter(admin.SimpleListFilter):
    """The attempts that could not be graded when they were tried last."""

    title = gettext_lazy("grading")
    parameter_name = "grading"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Return the choices."""
        return [(FAILS, _("fails")), (QUARANTINED, _("in quarantine"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return those whose grading failed."""
        condition = FAILED.get(self.value() or "")
        return queryset if condition is None else queryset.filter(condition)


@admin.register(Attempt)
class AttemptAdmin(ModelAdmin):
    """Attempts of the people one teaches, or marks as an assistant."""

    key_pages = frozenset(
        {
            "attempts_attempt_change",
            "attempts_attempt_override",
            "attempts_attempt_override_total",
            "attempts_attempt_question_answers",
        }
    )
    assistants_too = True
    instead_of_deleting = gettext_lazy(
        "Attempts are not deleted. Void the attempt, with the reason: it no longer counts."
    )
    list_display = ("who", "quiz", "number", "state_label", "score", "outcome", "started_at")
    list_filter = (
        QuizFilter,
        GradingFailureFilter,
        "state",
        ("result__grading__passed", admin.BooleanFieldListFilter),
        ("started_at", admin.DateFieldListFilter),
    )
    search_fields = ("learner",)  # that there is a search at all: get_search_results says where
    # As they began, by an index.
    ordering = ("-pk",)
    list_per_page = 25
    change_list_template = "admin/attempts/attempt/change_list.html"
    actions = ("extend_time",)

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[Attempt]:
        """Return those that this person oversees, by the selector of all interfaces."""
        if not person.is_authenticated:
            return Attempt.objects.none()
        return list_overseen_attempts(person).select_related("grading_failure")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Attempt], search_term: str
    ) -> tuple[QuerySet[Attempt], bool]:
        """Return attempts at whose learner or quiz each word is found: by index, once those are."""
        if not is_searchable(search_term):
            return queryset.none(), False
        for word in search_term.split():
            learners = User.objects.filter(Q(name__icontains=word) | Q(email__icontains=word))
            quizzes = Quiz.objects.filter(slug__icontains=word)
            queryset = queryset.filter(
                Q(learner__in_array=learners.values("pk")) | Q(quiz__in_array=quizzes.values("pk"))
            )
        return queryset, False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list that knows scores."""
        return AttemptList

    def get_urls(self) -> list[URLPattern]:
        """Add what voids an attempt, reopens it, has it tried again, and replaces a score."""
        void, retry, override, override_total, reopen, progress, act, unlock, late, answers = (
            self.admin_site.admin_view(view)
            for view in (
                *(self.void_view, self.retry_view, self.override_view),
                *(self.override_total_view, self.reopen_view),
                *(self.progress_view, self.room_action_view, self.unlock_view),
                *(self.late_entry_view, self.answers_view),
            )
        )
        return [
            path("progress/<uuid:quiz>/", progress, name="attempts_attempt_progress"),
            path("progress/<uuid:quiz>/unlock/", unlock, name="attempts_attempt_unlock"),
            path(
                "progress/<uuid:quiz>/late/<uuid:learner>/",
                late,
                name="attempts_attempt_late_entry",
            ),
            path("progress/<uuid:quiz>/<slug:action>/", act, name="attempts_attempt_room_action"),
            path(
                "answers/<uuid:quiz>/<uuid:question>/",
                answers,
                name="attempts_attempt_question_answers",
            ),
            path("<int:pk>/void/", void, name="attempts_attempt_void"),
            path("<int:pk>/reopen/", reopen, name="attempts_attempt_reopen"),
            path("<int:pk>/retry/", retry, name="attempts_attempt_retry"),
            path("<int:pk>/score/<int:number>/", override, name="attempts_attempt_override"),
            path("<int:pk>/score/", override_total, name="attempts_attempt_override_total"),
            *super().get_urls(),
        ]

    def has_extend_permission(self, request: HttpRequest) -> bool:
        """Return whether this person teaches; which attempts they may extend, the service asks."""
        return get_permissions(request).is_instructor

    @admin.action(description=gettext_lazy("Give more time…"), permissions=["extend"])
    def extend_time(self, request: HttpRequest, attempts: QuerySet[Attempt]) -> HttpResponse | None:
        """Ask for minutes and reason, and move the deadlines of those that are still taken."""
        chosen = Attempt.objects.filter(pk__in=[attempt.pk for attempt in attempts])
        origin = ActionOrigin("_selected_action", reverse("admin:attempts_attempt_changelist"))
        return perform_action(self, request, EXTEND, chosen, origin)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the report in the place of Django's form; there is nothing to fill in."""
        attempt = self.get_row(request, object_id)
        try:
            attempt_report = load_report(
                attempt=attempt.uuid,
                viewer=current_user(request),
                language=get_language() or "en",
                now=clock.now(),
            )
        except NotFound:
            raise Http404 from None
        record(AuditCode.KEYS_VIEWED, about=attempt.quiz, once=True)
        viewer, may_override = current_user(request), can_override(attempt, current_user(request))
        return self.render_attempt_page(
            request,
            attempt,
            "report",
            {
                "summary": attempt_report.summary,
                "problem": find_problem(attempt, attempt_report.summary, viewer),
                "score": _score(attempt_report.summary),
                "outcome": compute_outcome(attempt_report.summary),
                "state": State(attempt.state).label,
                "may_void": may_void(viewer, attempt),
                "may_reopen": can_reopen(attempt, viewer),
                "may_override": may_override,
                "is_marking": may_override and MARKING in request.GET,
                "seen": attempt.result.grading.manual_grades_read if may_override else 0,
                "longest_reason": LONGEST_COMMENT,
                "grading_token": build_attempt_token(attempt.uuid),
                "neighbours": find_neighbour_attempts(attempt=attempt, viewer=viewer),
                "total_reason": attempt_report.total_reason,
                "questions": list_questions(
                    attempt, attempt_report, viewer, get_language() or "en"
                ),
                "journal": list_journal(attempt, attempt_report, get_language() or "en"),
            },
        )

    def render_attempt_page(
        self,
        request: HttpRequest,
        attempt: Attempt,
        name: str,
        context: dict[str, Any],
        *,
        status: int = 200,
    ) -> HttpResponse:
        """Return a page of an attempt."""
        title = f"{attempt.learner} · {attempt.quiz} · {attempt.number}"
        context = {"attempt": attempt, "original": attempt, **context}
        template = f"attempts/attempt/{name}"
        return self.render_page(request, template, context, title=title, status=status)

    def void_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Explain what voiding does, ask for a reason, and do it on POST."""
        attempt = self.get_row(request, pk)
        if not may_void(current_user(request), attempt):
            raise Http404
        error = ""
        if request.method == "POST":
            try:
                services.void(
                    attempt=attempt.uuid,
                    by=current_user(request),
                    reason=request.POST.get("reason", "")[:300],
                    now=clock.now(),
                )
            except Invalid:
                error = _("Say why: the reason stays with the attempt.")
            else:
                self.log_change(request, attempt, "void")
                messages.success(request, _("The attempt no longer counts."))
                return redirect("admin:attempts_attempt_change", attempt.pk)
        return self.render_attempt_page(request, attempt, "void", {"error": error})

    def progress_view(self, request: HttpRequest, quiz: UUID) -> HttpResponse:
        """Show who is taking a quiz."""
        return show_progress(self, request, quiz)

    def room_action_view(self, request: HttpRequest, quiz: UUID, action: str) -> HttpResponse:
        """Pause those who are at a quiz, or what else there is to do with them."""
        return act_on_quiz(self, request, quiz, action)

    def unlock_view(self, request: HttpRequest, quiz: UUID) -> HttpResponse:
        """Let a learner who has tried too often try to sign in again."""
        return unlock_sign_in(request, quiz)

    def late_entry_view(self, request: HttpRequest, quiz: UUID, learner: UUID) -> HttpResponse:
        """Let a learner begin after the others."""
        return show_late_entry(self, request, quiz, learner)

    def answers_view(self, request: HttpRequest, quiz: UUID, question: UUID) -> HttpResponse:
        """List all answers to a question, each with the way to its score."""
        return show_question_answers(self, request, quiz, question)

    def override_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """Replace the score of a question by a person's."""
        return show_score_override(self, request, self.get_row(request, pk), number)

    def override_total_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Replace the score of the whole attempt by a person's."""
        return show_total_override(self, request, self.get_row(request, pk))

    def reopen_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Let the learner go on with an attempt that was handed in."""
        return show_reopening(self, request, self.get_row(request, pk))

    def retry_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Have an attempt that failed tried again now, on POST."""
        attempt = self.get_row(request, pk)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        deadline_queue.retry_soon(attempt=attempt, now=clock.now())
        messages.success(request, _("It is tried again within a few seconds."))
        return redirect("admin:attempts_attempt_change", attempt.pk)

    @admin.display(description=gettext_lazy("learner"), ordering="learner__name")
    def who(self, attempt: Any) -> str:
        """Return the learner's name, and that they could see the answers."""
        name = attempt.summary.learner_name
        if not attempt.is_staff_attempt:
            return str(name)
        return format_html('{} <span class="mark">{}</span>', name, _("staff"))

    @admin.display(description=gettext_lazy("state"), ordering="state")
    def state_label(self, attempt: Any) -> str:
        """Return the state."""
        return format_html(
            '<span class="mark mark-{}">{}</span>', attempt.state, State(attempt.state).label
        )

    @admin.display(description=gettext_lazy("score"))
    def score(self, attempt: Any) -> str:
        """Return the score as all interfaces show it."""
        return format_html('<span class="figures">{}</span>', _score(attempt.summary) or "–")

    @admin.display(description=gettext_lazy("outcome"))
    def outcome(self, attempt: Any) -> str:
        """Return the outcome, or that the attempt cannot be shown or graded."""
        if attempt.summary.problem:
            return format_html('<span class="mark mark-failed">{}</span>', _("cannot be shown"))
        if has_grading_failure(attempt):
            return format_html('<span class="mark mark-failed">{}</span>', _("cannot be graded"))
        outcome = compute_outcome(attempt.summary)
        if outcome is None:
            return "–"
        return format_html('<span class="mark mark-{}">{}</span>', outcome.mark, outcome.text)


def _score(summary: AttemptSummary) -> str:
    score = summary.score
    if score is None:
        return ""
    return format_score(score.total, score.maximum, score.percent)

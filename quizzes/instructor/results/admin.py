"""The pages of attempts and their results: read, never written; only voiding leaves a mark."""

from decimal import Decimal
from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from accounts.access import UserOrAnonymous
from accounts.models import User
from quizzes.attempts.access import supervised_by
from quizzes.attempts.models import Attempt, State
from quizzes.instructor.admin_base import ChangeList, ModelAdmin
from quizzes.instructor.results.attempt_report import list_journal, list_questions
from quizzes.instructor.results.attempt_status import (
    compute_outcome,
    find_problem,
    has_grading_failure,
)
from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.presentation.formatting import format_points
from quizzes.publishing.models import Quiz
from quizzes.results import services
from quizzes.results.attempt_report import AttemptSummary
from quizzes.results.selectors import attempts_visible_to, load_report, load_summaries

FAILS = "fails"
IN_TROUBLE = Q(state=State.SUBMITTED, grading_failure__isnull=False)


class AttemptList(ChangeList):
    """The list, each row with what page and program would say of it."""

    def get_results(self, request: HttpRequest) -> None:
        """Ask the selector for the rows of this page at once."""
        super().get_results(request)
        rows = list(self.result_list)
        for row, summary in zip(
            rows, load_summaries(rows, _viewer(request), clock.now()), strict=True
        ):
            row.summary = summary
        self.result_list = rows
        self.in_trouble = self.root_queryset.filter(IN_TROUBLE).count()


class QuizFilter(admin.SimpleListFilter):
    """The quizzes that the attempts one oversees are at."""

    title = gettext_lazy("quiz")
    parameter_name = "quiz"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Name them."""
        seen = Attempt.objects.filter(supervised_by(request.user)).order_by().values("quiz")
        return [(quiz.slug, str(quiz)) for quiz in Quiz.objects.filter(pk__in=seen)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep its attempts."""
        return queryset.filter(quiz__slug=self.value()) if self.value() else queryset


class TroubleFilter(admin.SimpleListFilter):
    """The attempts that could not be graded when they were tried last."""

    title = gettext_lazy("grading")
    parameter_name = "grading"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Name the one choice."""
        return [(FAILS, _("fails"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep those that wait for another try."""
        return queryset.filter(IN_TROUBLE) if self.value() == FAILS else queryset


@admin.register(Attempt)
class AttemptAdmin(ModelAdmin):
    """Attempts of the people one teaches."""

    list_display = ("who", "quiz", "number", "stands", "score", "outcome", "started_at")
    list_filter = (
        QuizFilter,
        TroubleFilter,
        "state",
        ("result__grading__passed", admin.BooleanFieldListFilter),
        ("started_at", admin.DateFieldListFilter),
    )
    search_fields = ("learner__name", "learner__email", "quiz__slug")
    ordering = ("-started_at",)
    change_list_template = "admin/attempts/attempt/change_list.html"

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[Attempt]:
        """Take those one oversees, by the selector that pages and programs ask."""
        if not person.is_authenticated:
            return Attempt.objects.none()
        overseen = attempts_visible_to(person).filter(supervised_by(person))
        return overseen.select_related("grading_failure")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list that knows scores."""
        return AttemptList

    def get_urls(self) -> list[URLPattern]:
        """Add the page that takes an attempt out of the count."""
        view = self.admin_site.admin_view(self.void_view)
        return [path("<int:pk>/void/", view, name="attempts_attempt_void"), *super().get_urls()]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the report in the place of Django's form; there is nothing to fill in."""
        attempt = self._attempt_or_404(request, object_id)
        attempt_report = load_report(
            attempt=attempt.uuid,
            viewer=_viewer(request),
            language=get_language() or "en",
            now=clock.now(),
        )
        return self._page(
            request,
            attempt,
            "report",
            {
                "summary": attempt_report.summary,
                "trouble": find_problem(attempt, attempt_report.summary, _viewer(request)),
                "score": _score(attempt_report.summary),
                "outcome": compute_outcome(attempt_report.summary),
                "state": State(attempt.state).label,
                "questions": list_questions(attempt, attempt_report, get_language() or "en"),
                "journal": list_journal(attempt, attempt_report, get_language() or "en"),
            },
        )

    def void_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Say what voiding does, ask for a reason, and do it on POST."""
        attempt = self._attempt_or_404(request, str(pk))
        error = ""
        if request.method == "POST":
            try:
                services.void(
                    attempt=attempt.uuid,
                    by=_viewer(request),
                    reason=request.POST.get("reason", "")[:300],
                    now=clock.now(),
                )
            except Invalid:
                error = _("Say why: the reason stays with the attempt.")
            else:
                self.log_change(request, attempt, "void")
                messages.success(request, _("The attempt no longer counts."))
                return redirect("admin:attempts_attempt_change", attempt.pk)
        return self._page(request, attempt, "void", {"error": error})

    def _attempt_or_404(self, request: HttpRequest, pk: str | None) -> Attempt:
        rows = self.get_queryset(request)
        attempt: Attempt | None = rows.filter(pk=pk).first() if pk and pk.isdecimal() else None
        if attempt is None:
            raise Http404
        return attempt

    def _page(
        self, request: HttpRequest, attempt: Attempt, name: str, more: dict[str, Any]
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": f"{attempt.learner} · {attempt.quiz} · {attempt.number}",
            "opts": self.opts,
            "attempt": attempt,
            **more,
        }
        return TemplateResponse(request, f"admin/attempts/attempt/{name}.html", context)

    @admin.display(description=gettext_lazy("learner"), ordering="learner__name")
    def who(self, attempt: Any) -> str:
        """Show the learner's name."""
        return str(attempt.summary.learner_name)

    @admin.display(description=gettext_lazy("state"), ordering="state")
    def stands(self, attempt: Any) -> str:
        """Show where it stands, by its word."""
        return format_html(
            '<span class="mark mark-{}">{}</span>', attempt.state, State(attempt.state).label
        )

    @admin.display(description=gettext_lazy("score"))
    def score(self, attempt: Any) -> str:
        """Show the score as page and program do."""
        return format_html('<span class="figures">{}</span>', _score(attempt.summary) or "–")

    @admin.display(description=gettext_lazy("outcome"))
    def outcome(self, attempt: Any) -> str:
        """Show whether it passes or, if so, that it cannot be shown or graded."""
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
    return _("%(percent)s · %(total)s of %(maximum)s") % {
        "percent": f"{number_format(Decimal(score.percent))}\N{NO-BREAK SPACE}%",
        "total": format_points(score.total),
        "maximum": format_points(score.maximum),
    }


def _viewer(request: HttpRequest) -> User:
    """Return the person behind the request: the site lets in nobody without a name."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user

"""The pages of statistics: the quizzes one oversees, one of them, and one of its questions."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import get_language, gettext_lazy

from accounts.access import UserOrAnonymous
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.permissions import current_user
from quizzes.instructor.statistics import question_page, quiz_page
from quizzes.lib.read_replica import reads_from_replica
from quizzes.publishing.access import may_edit
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.selectors import (
    AttemptSelection,
    QuizStatisticsReport,
    list_quizzes_with_statistics,
    load_quiz_statistics,
)


@admin.register(QuizVersionStatistics)
class StatisticsAdmin(ModelAdmin):
    """The statistics of the quizzes one oversees, to read."""

    key_pages = frozenset({"statistics_quizversionstatistics_change", "statistics_question"})
    assistants_too = True
    instead_of_deleting = gettext_lazy("Statistics follow the attempts; nothing is deleted here.")
    list_display = ("quiz", "version_number", "measured_at")
    list_select_related = ("quiz_version__quiz",)
    search_fields = ("quiz_version__quiz__slug",)
    ordering = ("-quiz_version",)

    def visible_to(self, person: UserOrAnonymous, /) -> QuerySet[QuizVersionStatistics]:
        """Return those of the quizzes that this person oversees."""
        quizzes = list_quizzes_with_statistics(person)
        rows = QuizVersionStatistics.objects.defer("report")
        return rows.filter(quiz_version__quiz__in=quizzes)

    def get_urls(self) -> list[URLPattern]:
        """Add the page of a question."""
        view = self.admin_site.admin_view(self.question_view)
        name = "statistics_question"
        return [path("<int:pk>/question/<uuid:version>/", view, name=name), *super().get_urls()]

    @reads_from_replica
    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the measures of a quiz version; there is nothing to fill in."""
        statistics, report = self._load(request, object_id)
        remarks = quiz_page.list_remarks(report)
        flagged = frozenset(remark.number for remark in remarks)
        questions, cautions = quiz_page.share_cautions(quiz_page.list_questions(report, flagged))
        versions = {row["number"]: row["version"] for row in report.measures["questions"]}
        siblings = self.get_queryset(request).filter(quiz_version__quiz=report.quiz)
        context = {
            "figures": list(quiz_page.list_figures(report)),
            "sentences": quiz_page.describe_error(report),
            "histogram": quiz_page.draw_histogram(report),
            "histogram_rows": quiz_page.list_histogram_rows(report),
            "scatter_plot": quiz_page.draw_scatter_plot(report, flagged),
            "questions": [(question, versions[question.number]) for question in questions],
            "cautions": cautions,
            "remarks": [(remark, versions[remark.number]) for remark in remarks],
            "groups": quiz_page.list_groups(report),
            "withheld": quiz_page.describe_withheld(report.measures["groups"]),
            "languages": quiz_page.describe_languages(report),
            "siblings": siblings.select_related("quiz_version").order_by("-quiz_version"),
        }
        return self._render(request, statistics, report, "quiz", context)

    @reads_from_replica
    def question_view(self, request: HttpRequest, pk: int, version: UUID) -> HttpResponse:
        """Show the measures of a question version in this quiz version."""
        statistics, report = self._load(request, pk)
        rows = report.measures["questions"]
        place = next(
            (place for place, row in enumerate(rows) if row["version"] == str(version)), None
        )
        if place is None:
            raise Http404
        row = rows[place]
        prompt, texts, language = question_page.load_prompt(row, get_language() or "en")
        readable = questions_whose_keys_are_visible_to(request.user).select_related("current")
        question = readable.filter(uuid=row["question"]).first()
        context = {
            "row": row,
            "question": question,
            "can_regrade": question_page.is_older_version(question, version)
            and may_edit(request.user, report.quiz),
            "prompt": prompt,
            "prompt_language": language,
            "figures": question_page.list_question_figures(row),
            "remarks": list(quiz_page.list_question_remarks(row)),
            "options": question_page.list_options(row, texts),
            "curves": question_page.draw_options(row),
            "groups": question_page.list_question_groups(row),
            "withheld": quiz_page.describe_withheld([row]),
            "withheld_groups": quiz_page.describe_withheld(row["groups"]),
            "comparisons": question_page.list_comparisons(report, row["version"]),
            "previous": rows[place - 1] if place else None,
            "next": rows[place + 1] if place + 1 < len(rows) else None,
        }
        return self._render(request, statistics, report, "question", context)

    def _load(
        self, request: HttpRequest, pk: Any
    ) -> tuple[QuizVersionStatistics, QuizStatisticsReport]:
        rows = self.get_queryset(request).select_related("quiz_version__quiz")
        statistics = rows.filter(pk=pk).first() if str(pk).isdecimal() else None
        if statistics is None:
            raise Http404
        selection: AttemptSelection = "first" if request.GET.get("attempts") == "first" else "all"
        report = load_quiz_statistics(
            quizzes=list_quizzes_with_statistics(current_user(request)),
            quiz=statistics.quiz_version.quiz.uuid,
            quiz_version=statistics.quiz_version.uuid,
            selection=selection,
        )
        record(AuditCode.KEYS_VIEWED, about=report.quiz, once=True)
        return statistics, report

    def _render(
        self,
        request: HttpRequest,
        statistics: QuizVersionStatistics,
        report: QuizStatisticsReport,
        name: str,
        context: dict[str, Any],
    ) -> HttpResponse:
        page = {
            "original": statistics,
            "report": report,
            "query": "?attempts=first" if report.selection == "first" else "",
            **context,
        }
        return self.render_page(request, f"statistics/{name}", page, title=str(report.quiz))

    @admin.display(description=gettext_lazy("quiz"), ordering="quiz_version__quiz__slug")
    def quiz(self, statistics: QuizVersionStatistics) -> str:
        """Return the title of the quiz."""
        return str(statistics.quiz_version.quiz)

    @admin.display(description=gettext_lazy("version"), ordering="quiz_version__number")
    def version_number(self, statistics: QuizVersionStatistics) -> int:
        """Return the number of the quiz version."""
        return statistics.quiz_version.number

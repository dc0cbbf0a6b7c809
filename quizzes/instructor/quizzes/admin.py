"""The pages of quizzes: list, building, publishing, retiring."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import label_for_field
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import UserOrAnonymous, groups_taught, is_instructor
from quizzes.attempts.models import Attempt
from quizzes.bank.access import visible_to
from quizzes.bank.models import Question, Tag
from quizzes.instructor.admin_base import ModelAdmin, get_permissions
from quizzes.instructor.assignments import extend_open_attempts, render_assignments
from quizzes.instructor.quizzes.forms import QuizForm
from quizzes.instructor.quizzes.inlines import SectionInline, SlotInline
from quizzes.instructor.quizzes.reveal_field import REVEAL_FIELDS
from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.presentation.messages.quiz_problems import describe_quiz_problem
from quizzes.publishing import access, services
from quizzes.publishing.models import Quiz


@admin.register(Quiz)
class QuizAdmin(ModelAdmin):
    """Quizzes of one's groups."""

    form = QuizForm
    change_form_template = "admin/publishing/quiz/change_form.html"
    inlines = (SectionInline, SlotInline)
    list_display = ("name", "state", "group", "audience", "mode", "closes_at")
    list_filter = ("mode", "audience", ("current", admin.EmptyFieldListFilter))
    list_select_related = ("group", "current")
    search_fields = ("slug", "title__en", "title__es")
    fieldsets = (
        (None, {"fields": ("title", "intro", ("slug", "source_language"))}),
        (
            gettext_lazy("Who and when"),
            {"fields": ("group", ("audience", "mode"), "opens_at", "closes_at")},
        ),
        (
            gettext_lazy("Passing and retaking"),
            {
                "fields": (
                    ("pass_percent", "attempt_grade_policy"),
                    ("time_limit", "grace_seconds"),
                    ("max_attempts", "cooldown_minutes"),
                    ("window_attempts", "window_hours"),
                )
            },
        ),
        (
            gettext_lazy("Scoring and order"),
            {"fields": ("scoring_method", ("shuffle_questions", "shuffle_options"))},
        ),
        (gettext_lazy("Reveal"), {"fields": ("reveal", "feedback_all_options")}),
    )

    def visible_to(self, person: UserOrAnonymous) -> QuerySet[Quiz]:
        """Ask the access module."""
        return access.visible_to(person)

    def editable_by(self, person: UserOrAnonymous) -> QuerySet[Quiz]:
        """Ask the access module."""
        return access.editable_by(person)

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Let those who teach begin a quiz for a group of theirs."""
        return is_instructor(person)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the groups one teaches; only administrators keep a quiz for everybody."""
        kwargs["queryset"] = groups_taught(request.user)
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None:
            field.required = not get_permissions(request).is_administrator
        return field

    def get_urls(self) -> list[URLPattern]:
        """Add the page that asks before a quiz is retired."""
        view = self.admin_site.admin_view(self.retire_view)
        return [path("<int:pk>/retire/", view, name="publishing_quiz_retire"), *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Add what publishing would do, and who has the quiz."""
        quiz = self.get_object(request, object_id)
        more = self._about(request, quiz) if isinstance(quiz, Quiz) else {}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **more})

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Add what questions and tags can be named."""
        more = {**(extra_context or {}), **_list_nameable(request)}
        return super().add_view(request, form_url, more)

    def _about(self, request: HttpRequest, quiz: Quiz) -> dict[str, Any]:
        planned, problems = services.plan_quiz_version(quiz)
        return _list_nameable(request) | {
            "problems": [describe_quiz_problem(problem) for problem in problems],
            "planned": sum(planned_item.draw for planned_item in planned),
            "next_number": quiz.current.number + 1 if quiz.current else 1,
            "quiz_versions": quiz.versions.select_related("published_by"),
            "assignments": render_assignments(quiz, request),
            "may_edit": self.has_change_permission(request, quiz),
        }

    def response_add(
        self, request: HttpRequest, obj: Quiz, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Go on with the page of the quiz, published if that was asked for."""
        if "_publish" in request.POST:
            return self._publish(request, obj)
        return super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Quiz) -> HttpResponse:
        """Publish what was just saved, if that was asked for."""
        if "_publish" in request.POST:
            return self._publish(request, obj)
        return super().response_change(request, obj)

    def save_model(
        self,
        request: HttpRequest,
        obj: Quiz,
        form: Any,
        change: bool,
    ) -> None:
        """Save it, and let a later closing reach the open attempts, in the same transaction."""
        super().save_model(request, obj, form, change)
        extend_open_attempts(Attempt.objects.filter(quiz=obj), request)

    def _publish(self, request: HttpRequest, quiz: Quiz) -> HttpResponse:
        """Publish; with problems left, the draft is saved and they are named on its page."""
        author = request.user if request.user.is_authenticated else None
        try:
            quiz_version = services.publish(quiz=quiz, by=author, now=clock.now())
        except Invalid:
            messages.error(
                request, _("The quiz is saved, but not published; what it lacks is named below.")
            )
        else:
            self.log_change(request, quiz, f"published as edition {quiz_version.number}")
            messages.success(
                request, _("Edition %(number)s is published.") % {"number": quiz_version.number}
            )
        return redirect("admin:publishing_quiz_change", quiz.pk)

    def retire_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Explain what retiring does, and do it on POST."""
        quiz = self.get_queryset(request).filter(pk=pk).first()
        if quiz is None:
            raise Http404
        if not self.has_change_permission(request, quiz):
            raise PermissionDenied
        if request.method == "POST":
            services.retire(quiz=quiz, now=clock.now())
            self.log_change(request, quiz, "retired")
            messages.success(request, _("The quiz is retired."))
            return redirect("admin:publishing_quiz_change", quiz.pk)
        context = {
            **self.admin_site.each_context(request),
            "title": str(quiz),
            "opts": self.opts,
            "original": quiz,
            "assignments": render_assignments(quiz, request),
        }
        return TemplateResponse(request, "admin/publishing/quiz/retire.html", context)

    @admin.display(description=gettext_lazy("quiz"), ordering="slug")
    def name(self, quiz: Quiz) -> str:
        """Show its title."""
        return str(quiz)

    @admin.display(description=gettext_lazy("What learners may see, and when"))
    def reveal(self, quiz: Quiz) -> str:
        """Show the policy where nothing may be changed."""
        rows = (
            (label_for_field(part, Quiz), getattr(quiz, f"get_{part}_display")())
            for part in REVEAL_FIELDS
        )
        return format_html_join("", "{}: {}<br>", rows)

    @admin.display(description=gettext_lazy("state"))
    def state(self, quiz: Quiz) -> str:
        """Show which quiz version is out."""
        if quiz.retired_at:
            return format_html('<span class="mark mark-retired">{}</span>', _("retired"))
        if quiz.current is None:
            return format_html('<span class="mark">{}</span>', _("draft"))
        label = _("edition %(number)s") % {"number": quiz.current.number}
        return format_html('<span class="mark mark-published">{}</span>', label)


def _list_nameable(request: HttpRequest) -> dict[str, Any]:
    """Return the questions and tags one may name, for the lists that help typing."""
    banks = visible_to(request.user)
    questions = Question.objects.filter(bank__in=banks, retired_at=None)
    return {
        "nameable_questions": questions.order_by("bank__slug", "name").values_list(
            "bank__slug", "name"
        ),
        "nameable_tags": Tag.objects.filter(questions__bank__in=banks)
        .distinct()
        .values_list("name", flat=True),
    }

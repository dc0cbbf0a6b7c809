"""The pages of quizzes: list, building, publishing, retiring."""

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.utils import label_for_field
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.reauthentication import reauthentication_required
from quizzes.attempts.deadline_settings import save_quiz_settings
from quizzes.instructor.admin_base import GroupOwnedAdmin
from quizzes.instructor.assignments import load_assignments, report_extended_attempts
from quizzes.instructor.composer.draft_effects import describe_draft_reveal, describe_totals
from quizzes.instructor.composer.page import show_composer
from quizzes.instructor.permissions import current_user
from quizzes.instructor.publication import publish_quiz, show_publication
from quizzes.instructor.quiz_tabs import build_quiz_tabs
from quizzes.instructor.quizzes.copy_page import show_copy_page
from quizzes.instructor.quizzes.draft_preview import show_draft_preview
from quizzes.instructor.quizzes.farmability_page import show_farmability
from quizzes.instructor.quizzes.forms import QuizForm
from quizzes.instructor.quizzes.regrade_export import export_regrade
from quizzes.instructor.quizzes.regrade_pages import show_regrade, show_regrades
from quizzes.instructor.quizzes.reveal_field import REVEAL_FIELDS
from quizzes.lib import clock
from quizzes.lib.short_names import retry_taken
from quizzes.presentation.messages.quiz_problems import list_sentences
from quizzes.publishing import access, services
from quizzes.publishing.models import Quiz
from quizzes.publishing.planned_version import plan_quiz_version


@admin.register(Quiz)
class QuizAdmin(GroupOwnedAdmin):
    """Quizzes of one's groups."""

    key_pages = frozenset(
        {
            "publishing_quiz_farmability",
            "publishing_quiz_regrade_question",
            "publishing_quiz_regrade_csv",
        }
    )
    form = QuizForm
    change_form_template = "admin/publishing/quiz/change_form.html"
    instead_of_deleting = gettext_lazy(
        "Quizzes are not deleted, because attempts rest on them. Retire the quiz: nobody can start"
        " it any more."
    )
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
                    "gives_certificates",
                )
            },
        ),
        (
            gettext_lazy("Scoring and order"),
            {
                "fields": (
                    "scoring_method",
                    ("shuffle_questions", "shuffle_options"),
                    "enemy_tags",
                    ("one_question_a_page", "lock_questions"),
                    "one_device",
                )
            },
        ),
        (
            gettext_lazy("Practice"),
            {"fields": ("practice_credits", "practice_shows_keys")},
        ),
        (gettext_lazy("Reveal"), {"fields": ("reveal", "feedback_all_options")}),
    )

    visible_to = staticmethod(access.visible_to)
    editable_by = staticmethod(access.editable_by)

    def get_urls(self) -> list[URLPattern]:
        """Add the pages that compose, retire, copy, measure and regrade a quiz, and more."""
        compose = self.admin_site.admin_view(self.compose_view)
        retire = self.admin_site.admin_view(self.retire_view)
        publish = self.admin_site.admin_view(self.publish_view)
        copy = self.admin_site.admin_view(self.copy_view)
        guessing = self.admin_site.admin_view(self.farmability_view)
        effects = self.admin_site.admin_view(self.effects_view)
        preview = self.admin_site.admin_view(self.preview_view)
        regrades = self.admin_site.admin_view(self.regrades_view)
        regrade = self.admin_site.admin_view(self.regrade_view)
        regrade_csv = self.admin_site.admin_view(self.regrade_csv_view)
        return [
            path("<int:pk>/retire/", retire, name="publishing_quiz_retire"),
            path("<int:pk>/questions/", compose, name="publishing_quiz_compose"),
            path("<int:pk>/publish/", publish, name="publishing_quiz_publish"),
            path("<int:pk>/guessing/", guessing, name="publishing_quiz_farmability"),
            path("<int:pk>/preview/", preview, name="publishing_quiz_preview"),
            path("<int:pk>/copy/", copy, name="publishing_quiz_copy"),
            path("<int:pk>/regrade/", regrades, name="publishing_quiz_regrade"),
            path(
                "<int:pk>/regrade/<uuid:question>/",
                regrade,
                name="publishing_quiz_regrade_question",
            ),
            path(
                "<int:pk>/regrade/<uuid:question>/csv/",
                regrade_csv,
                name="publishing_quiz_regrade_csv",
            ),
            path("<int:pk>/effects/", effects, name="publishing_quiz_effects"),
            path("effects/", effects, name="publishing_quiz_new_effects"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Add what publishing would do, and who has the quiz."""
        quiz = self.get_object(request, object_id)
        more = self._build_context(request, quiz) if isinstance(quiz, Quiz) else {}
        return super().change_view(request, object_id, form_url, more)

    def changeform_view(self, *arguments: Any, **options: Any) -> Any:
        """Validate the form anew where somebody took its short name meanwhile."""
        return retry_taken(partial(super().changeform_view, *arguments, **options))

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Add what its settings come to."""
        more = {"totals": describe_totals(Quiz(), ()), "may_edit": True}
        return super().add_view(request, form_url, more)

    def _build_context(self, request: HttpRequest, quiz: Quiz) -> dict[str, Any]:
        planned, problems = plan_quiz_version(quiz)
        return {
            "problems": list_sentences(problems),
            "planned": sum(planned_item.draw for planned_item in planned),
            "totals": describe_totals(quiz, planned),
            "next_number": quiz.current.number + 1 if quiz.current else 1,
            "quiz_versions": quiz.versions.select_related("published_by"),
            **load_assignments(quiz, request),
            **build_quiz_tabs(quiz, "change", may_edit=self.has_change_permission(request, quiz)),
        }

    def response_add(
        self, request: HttpRequest, obj: Quiz, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Go on with what the quiz asks."""
        messages.success(request, _("The quiz is saved. Now choose what it asks."))
        return redirect("admin:publishing_quiz_compose", obj.pk)

    def response_change(self, request: HttpRequest, obj: Quiz) -> HttpResponse:
        """Publish what was just saved, if that was asked for."""
        if "_publish" in request.POST:
            return publish_quiz(self, request, obj, "admin:publishing_quiz_change")
        return super().response_change(request, obj)

    def save_model(self, request: HttpRequest, obj: Quiz, form: Any, change: bool) -> None:
        """Save it, and say how many open attempts a later closing reaches."""
        moved = save_quiz_settings(quiz=obj, by=current_user(request), now=clock.now())
        report_extended_attempts(moved, request)

    def retire_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Explain what retiring does, and do it on POST."""
        quiz = self.get_row(request, pk)
        if not self.has_change_permission(request, quiz):
            raise PermissionDenied
        if request.method == "POST":
            services.retire(quiz=quiz, by=current_user(request), now=clock.now())
            self.log_change(request, quiz, "retired")
            messages.success(request, _("The quiz is retired."))
            return redirect("admin:publishing_quiz_change", quiz.pk)
        context = {
            **build_quiz_tabs(quiz, "retire", may_edit=True),
            **load_assignments(quiz, request),
        }
        title = _("Retire %(quiz)s") % {"quiz": quiz}
        return self.render_page(
            request, "publishing/quiz/retire", context, title=title, page_name=_("Retire")
        )

    def compose_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what a quiz asks, and save it."""
        return show_composer(self, request, self.get_row(request, pk))

    def publish_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask whether memorising may pass a quiz, and publish it."""
        return show_publication(self, request, self.get_row(request, pk))

    def preview_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what the draft would ask a learner."""
        return show_draft_preview(request, self.get_row(request, pk))

    def copy_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Copy a quiz, with its dates moved."""
        return show_copy_page(self, request, self.get_row(request, pk))

    def farmability_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what the quiz yields to who knows nothing."""
        return show_farmability(self, request, self.get_row(request, pk))

    def regrades_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what was corrected since, and the regrades so far."""
        return show_regrades(self, request, self.get_row(request, pk))

    def regrade_view(self, request: HttpRequest, pk: int, question: UUID) -> HttpResponse:
        """Preview the regrade of a question, and commit it."""
        return show_regrade(self, request, self.get_row(request, pk), question)

    @method_decorator(reauthentication_required())
    def regrade_csv_view(self, request: HttpRequest, pk: int, question: UUID) -> HttpResponseBase:
        """Return the preview as a file."""
        return export_regrade(request, self.get_row(request, pk), question)

    def effects_view(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Return what a posted form comes to; nothing is saved, and not all of it need be right."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        quiz = Quiz() if pk is None else self.get_row(request, pk)
        if not (
            self.has_add_permission(request)
            if pk is None
            else self.has_change_permission(request, quiz)
        ):
            raise PermissionDenied
        form = self.get_form(request, None if pk is None else quiz)(request.POST, instance=quiz)
        form.is_valid()  # what is right of it is on the quiz, and that alone
        planned = plan_quiz_version(quiz)[0] if quiz.pk else ()
        context = {
            "totals": describe_totals(quiz, planned),
            "reveal_sentences": describe_draft_reveal(quiz),
        }
        return TemplateResponse(request, "admin/publishing/quiz/effects.html", context)

    @admin.display(description=gettext_lazy("quiz"), ordering="slug")
    def name(self, quiz: Quiz) -> str:
        """Return its title."""
        return str(quiz)

    @admin.display(description=gettext_lazy("What learners may see, and when"))
    def reveal(self, quiz: Quiz) -> str:
        """Return the policy as text, where nothing may be changed."""
        rows = (
            (label_for_field(part, Quiz), getattr(quiz, f"get_{part}_display")())
            for part in REVEAL_FIELDS
        )
        sentences = ((sentence,) for sentence in describe_draft_reveal(quiz))
        return format_html(
            "{}<ul>{}</ul>",
            format_html_join("", "{}: {}<br>", rows),
            format_html_join("", "<li>{}</li>", sentences),
        )

    @admin.display(description=gettext_lazy("state"))
    def state(self, quiz: Quiz) -> str:
        """Return the state, with the number of the published version."""
        if quiz.retired_at:
            return format_html('<span class="mark mark-retired">{}</span>', _("retired"))
        if quiz.current is None:
            return format_html('<span class="mark">{}</span>', _("draft"))
        label = _("version %(number)s") % {"number": quiz.current.number}
        return format_html('<span class="mark mark-published">{}</span>', label)

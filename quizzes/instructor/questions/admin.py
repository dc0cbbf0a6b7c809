"""The pages of questions: list, authoring, preview, history, retiring."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.access import UserOrAnonymous
from accounts.reauthentication import reauthentication_required
from quizzes.attempts.key_access import (
    banks_whose_keys_are_visible_to,
    questions_whose_keys_are_visible_to,
)
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank import access, services
from quizzes.bank.bulk_changes import BulkAction
from quizzes.bank.models import Question
from quizzes.bank.text_search import find_questions
from quizzes.instructor.admin_base import ChangeList, ModelAdmin, is_searchable
from quizzes.instructor.permissions import current_user
from quizzes.instructor.questions.bulk_page import show_bulk_page
from quizzes.instructor.questions.copy_page import show_question_copy
from quizzes.instructor.questions.draft_status import (
    CHANGED,
    STATES,
    DraftStatus,
    compute_state,
    load_draft_statuses,
)
from quizzes.instructor.questions.edit_view import edit_question
from quizzes.instructor.questions.examples_view import show_examples
from quizzes.instructor.questions.filters import BankFilter, ProblemFilter, StateFilter, TagFilter
from quizzes.instructor.questions.history import list_history
from quizzes.instructor.questions.preview_view import show_preview
from quizzes.instructor.questions.rename_page import show_question_rename
from quizzes.instructor.questions.tabs import list_tabs
from quizzes.instructor.translated_field import summarize
from quizzes.lib import clock
from quizzes.presentation.messages.kinds import kind_label
from quizzes.results.regrade_overview import list_quizzes_with_older_versions

PAGE_NAMES = {
    "copy": gettext_lazy("Copy"),
    "history": gettext_lazy("History"),
    "regrades": gettext_lazy("Regrade"),
    "rename": gettext_lazy("Rename"),
    "retire": gettext_lazy("Retire"),
}


class QuestionList(ChangeList):
    """The list of questions, each row with the status of its draft."""

    def get_results(self, request: HttpRequest) -> None:
        """Load the statuses of all rows of this page at once."""
        super().get_results(request)
        rows = list(self.result_list)
        statuses = load_draft_statuses([row.pk for row in rows])
        for row in rows:
            row.draft_status = statuses.get(row.pk)
        self.result_list = rows


@admin.register(Question)
class QuestionAdmin(ModelAdmin):
    """Questions of the banks one may read; written on a page of their own."""

    key_pages = frozenset(
        f"bank_question_{name}" for name in ("change", "history", "preview", "retire", "examples")
    )
    change_list_template = "admin/bank/question/change_list.html"
    instead_of_deleting = gettext_lazy(
        "Questions are not deleted, because attempts rest on them. Retire the question: nobody gets"
        " it any more."
    )
    list_display = ("name", "prompt", "bank", "kind_name", "state", "problems")
    list_filter = (BankFilter, "kind", TagFilter, StateFilter, ProblemFilter)
    list_select_related = ("bank", "current", "draft")
    search_fields = ("name",)  # that there is a search at all: get_search_results finds more
    search_help_text = gettext_lazy(
        "Searches names, tags and all texts: prompts, options, feedback, explanations."
    )
    ordering = ("bank", "name")
    actions = ("add_tag", "take_tag_away", "move_to_bank", "publish_several", "retire_several")

    visible_to = staticmethod(questions_whose_keys_are_visible_to)

    def editable_by(self, person: UserOrAnonymous) -> QuerySet[Question]:
        """Return the questions of the banks that this person may change."""
        return Question.objects.filter(bank__in=access.editable_by(person))

    def can_add(self, person: UserOrAnonymous) -> bool:
        """Return whether this person may change any bank."""
        return access.editable_by(person).exists()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Question]:
        """Return the rows without the content of their drafts, which a list does not show."""
        rows: QuerySet[Question] = super().get_queryset(request)
        return rows.defer("draft__data", "current__content")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Question], search_term: str
    ) -> tuple[QuerySet[Question], bool]:
        """Return the questions that have each word somewhere."""
        rows = find_questions(queryset, search_term)
        return rows if is_searchable(search_term) else queryset.none(), False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list that knows about drafts."""
        return QuestionList

    def get_urls(self) -> list[URLPattern]:
        """Add the pages that a question has besides Django's."""
        own = [
            path(
                f"<int:pk>/{name}/", self.admin_site.admin_view(view), name=f"bank_question_{name}"
            )
            for name, view in (
                ("preview", self.preview_view),
                ("copy", self.copy_view),
                ("rename", self.rename_view),
                ("retire", self.retire_view),
                ("regrades", self.regrades_view),
                ("examples", self.examples_view),
            )
        ]
        of_new = [
            path(f"add/{name}/", self.admin_site.admin_view(view), name=f"bank_question_new_{name}")
            for name, view in (("examples", self.examples_view), ("preview", self.preview_view))
        ]
        return [*own, *of_new, *super().get_urls()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Add the bank that the list is of, if it is of one."""
        banks = banks_whose_keys_are_visible_to(request.user)
        slug = request.GET.get("bank", "")
        bank = banks.filter(slug=slug).first() if slug and is_searchable(slug) else None
        return super().changelist_view(request, {"listed_bank": bank})

    def get_row_with_key(self, request: HttpRequest, pk: Any) -> Question:
        """Return a question that this person may read, and record that they see its key."""
        question: Question = self.get_row(request, pk)
        group = question.bank.group_id
        record(AuditCode.KEYS_VIEWED, about=question, group=group, once=True)
        return question

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the authoring page in the place of Django's form."""
        if object_id is None and not self.has_add_permission(request):
            raise PermissionDenied
        question = None if object_id is None else self.get_row_with_key(request, object_id)
        return edit_question(self, request, question)

    def history_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show the versions in the place of Django's log."""
        question = self.get_row_with_key(request, object_id)
        context = {"entries": list_history(question)}
        return self.render_question_page(request, question, "history", context)

    def preview_view(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Show the draft as learners will see it: what was saved, or what was just sent."""
        question = None if pk is None else self.get_row_with_key(request, pk)
        if question is None and not self.has_add_permission(request):
            raise PermissionDenied
        return show_preview(request, question)

    def examples_view(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Return what the accepted answers that were just sent accept and refuse; keep nothing."""
        question = None if pk is None else self.get_row_with_key(request, pk)
        if question is None and not self.has_add_permission(request):
            raise PermissionDenied
        return show_examples(request, question)

    def copy_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Copy a question within its bank."""
        return show_question_copy(self, request, self.get_row(request, pk))

    def rename_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Give a question another name in its bank."""
        return show_question_rename(self, request, self.get_row(request, pk))

    def retire_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Explain what retiring does, and do it on POST."""
        question = self.get_row(request, pk)
        if not self.has_change_permission(request, question):
            raise PermissionDenied
        if request.method == "POST":
            services.retire(question=question, by=current_user(request), now=clock.now())
            self.log_change(request, question, "retired")
            messages.success(request, _("The question is retired."))
            return redirect("admin:bank_question_change", question.pk)
        slots = question.slot_set.filter(section__quiz__retired_at=None)
        draft_uses = ngettext(
            "It is used in the draft of %(n)s quiz.",
            "It is used in the drafts of %(n)s quizzes.",
            n := slots.values("section__quiz").distinct().count(),
        ) % {"n": n}
        return self.render_question_page(request, question, "retire", {"draft_uses": draft_uses})

    def regrades_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """List the quizzes in which attempts have an older version of the question."""
        question = self.get_row(request, pk)
        quizzes = list_quizzes_with_older_versions(question=question, viewer=current_user(request))
        return self.render_question_page(request, question, "regrades", {"quizzes": quizzes})

    def render_question_page(
        self, request: HttpRequest, question: Question, section: str, context: dict[str, Any]
    ) -> HttpResponse:
        """Return one of the pages of a question, with the tabs of all."""
        context = {
            "original": question,
            "may_edit": self.has_change_permission(request, question),
            "section": section,
            "tabs": list_tabs(question),
            **context,
        }
        return self.render_page(
            request,
            f"bank/question/{section}",
            context,
            title=question.name,
            page_name=str(PAGE_NAMES[section]),
        )

    @admin.action(description=gettext_lazy("Add a tag…"), permissions=["change"])
    def add_tag(self, request: HttpRequest, questions: QuerySet[Question]) -> HttpResponse:
        """Show what it would do; once confirmed, do it."""
        return show_bulk_page(self, request, questions, BulkAction.TAG)

    @admin.action(description=gettext_lazy("Take a tag away…"), permissions=["change"])
    def take_tag_away(self, request: HttpRequest, questions: QuerySet[Question]) -> HttpResponse:
        """Show what it would do; once confirmed, do it."""
        return show_bulk_page(self, request, questions, BulkAction.UNTAG)

    @admin.action(description=gettext_lazy("Move to another bank…"), permissions=["change"])
    @method_decorator(reauthentication_required())  # that bank decides who sees the keys
    def move_to_bank(self, request: HttpRequest, questions: QuerySet[Question]) -> HttpResponse:
        """Show what it would do; once confirmed, do it."""
        return show_bulk_page(self, request, questions, BulkAction.MOVE)

    @admin.action(description=gettext_lazy("Publish…"), permissions=["change"])
    def publish_several(self, request: HttpRequest, questions: QuerySet[Question]) -> HttpResponse:
        """Show what it would do; once confirmed, do it."""
        return show_bulk_page(self, request, questions, BulkAction.PUBLISH)

    @admin.action(description=gettext_lazy("Retire…"), permissions=["change"])
    def retire_several(self, request: HttpRequest, questions: QuerySet[Question]) -> HttpResponse:
        """Show what it would do; once confirmed, do it."""
        return show_bulk_page(self, request, questions, BulkAction.RETIRE)

    @admin.display(description=gettext_lazy("prompt"))
    def prompt(self, question: Any) -> str:
        """Return the beginning of the prompt."""
        status: DraftStatus | None = question.draft_status
        if status is None or not status.prompt:
            return ""
        return format_html('<span lang="{}">{}</span>', status.language, summarize(status.prompt))

    @admin.display(description=gettext_lazy("kind"), ordering="kind")
    def kind_name(self, question: Question) -> str:
        """Return the name of the kind."""
        return str(kind_label(question.kind))

    @admin.display(description=gettext_lazy("state"))
    def state(self, question: Any) -> str:
        """Return the state, with the number of the published version."""
        question_state = compute_state(question, question.draft_status)
        number = f" · v{question.current.number}" if question.current else ""
        mark = "open" if question_state == CHANGED else question_state
        return format_html(
            '<span class="mark mark-{}">{}{}</span>', mark, STATES[question_state], number
        )

    @admin.display(description=gettext_lazy("problems"))
    def problems(self, question: Any) -> str:
        """Return how many problems and how many warnings the draft has."""
        status: DraftStatus | None = question.draft_status
        if status is None or not (status.problems or status.warnings):
            return "–"
        problems = format_html('<span class="mark mark-problem">{}</span> ', status.problems)
        warnings = format_html('<span class="mark mark-warning">{}</span>', status.warnings)
        return (problems if status.problems else "") + (warnings if status.warnings else "")

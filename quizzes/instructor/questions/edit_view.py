"""The editor of a question: shows the draft, saves it whatever its problems, publishes it."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.kinds import KINDS
from quizzes.bank import services, uploads
from quizzes.bank.models import Draft, Question
from quizzes.document import QuestionDocument
from quizzes.instructor.permissions import current_user
from quizzes.instructor.questions.comparison_examples import build_comparison
from quizzes.instructor.questions.diff import Difference, diff_documents
from quizzes.instructor.questions.form_layout import build_page
from quizzes.instructor.questions.form_mapping import form_to_document
from quizzes.instructor.questions.list_position import (
    build_question_address,
    find_list_position,
)
from quizzes.instructor.questions.question_editor import QuestionEditor
from quizzes.instructor.questions.question_formset import QuestionFormSet
from quizzes.instructor.questions.tabs import list_tabs
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid
from quizzes.presentation.draft_notes import Note, list_draft_notes, list_lint_notes
from quizzes.presentation.messages.kinds import describe_kinds
from quizzes.publishing.access import visible_to
from quizzes.publishing.selectors import list_outdated_quizzes
from quizzes.results.pending_changes import load_pending_changes
from quizzes.results.regrade_overview import list_quizzes_with_older_versions

SAVED_AS_DRAFT = "draft"


def edit_question(admin: Any, request: HttpRequest, question: Question | None) -> HttpResponse:
    """Show the editor, or save what was posted."""
    editor = QuestionEditor(request, question)
    if request.method != "POST":
        has_kind = question is not None or editor.document.kind in KINDS
        return render_editor(admin, editor) if has_kind else _choose_kind(admin, editor)
    can_change = admin.has_change_permission(request, question) if question else True
    if not can_change or (question is None and not admin.has_add_permission(request)):
        raise PermissionDenied
    formset = editor.bind(request.POST)
    if not formset.is_valid():
        return render_editor(admin, editor, formset, status=422)
    if "_kind" in request.POST or formset.form.cleaned_data["kind"] != formset.kind:
        return _change_kind(admin, editor, formset)
    try:
        saved, version = _save(editor, formset, publish="_publish" in request.POST)
    except Conflict as conflict:
        return _show_conflict(admin, editor, formset, conflict)
    _report_outcome(admin, editor, saved, version, created=question is None)
    return redirect(build_question_address(admin, request, saved))


@transaction.atomic
def _save(
    editor: QuestionEditor, formset: QuestionFormSet, *, publish: bool
) -> tuple[Question, Any]:
    """Save the draft and, if asked to, publish it; with problems it stays a draft."""
    author = editor.request.user
    if not author.is_authenticated:
        raise PermissionDenied
    data, form_data = formset.form.cleaned_data, editor.parse(formset)
    question, revision = editor.question, data["revision"] or 0
    if question is None:
        empty = QuestionDocument(
            kind=form_data.kind, scoring_method="", source_language=form_data.source_language
        )
        question = services.add_question(
            bank=data["bank"], name=data["name"], item=empty, by=author
        )
        revision = 1
    names = {row.id: row.name for row in form_data.rows() if row.id not in editor.names}
    services.write_question(
        question=question,
        item=form_to_document(form_data, editor.document),
        row_names=names,
        tags=data["tags"],
        revision=revision,
        by=author,
    )
    if not publish:
        return question, SAVED_AS_DRAFT
    try:
        version = services.publish(question=question, by=author, now=clock.now(), note=data["note"])
    except Invalid:
        return question, None
    return question, version


def _report_outcome(
    admin: Any, editor: QuestionEditor, question: Question, version: Any, *, created: bool
) -> None:
    """Report the outcome to the author, and log it."""
    request = editor.request
    log = admin.log_addition if created else admin.log_change
    saved = QuestionDocument.from_json(Draft.objects.get(question=question).data)
    blocking = sum(note.blocks for note in _list_notes(question, saved))
    if version is None:
        log(request, question, "draft")
        messages.error(
            request, _("The draft is saved, but not published. ") + _describe_blocking(blocking)
        )
    elif version is SAVED_AS_DRAFT:
        log(request, question, "draft")
        messages.success(request, _("The draft is saved. ") + _describe_blocking(blocking))
    else:
        log(request, question, f"published as version {version.number}")
        messages.success(
            request,
            _(
                "Version %(number)s is published. Quizzes use it once they are published again; "
                "open attempts keep the version they started with."
            )
            % {"number": version.number},
        )
        _suggest_regrade(request, question)


def _suggest_regrade(request: HttpRequest, question: Question) -> None:
    """Lead on to what a new version would change in attempts that have an older one."""
    question.refresh_from_db(fields=["current"])
    quizzes = list_quizzes_with_older_versions(question=question, viewer=current_user(request))
    if not quizzes:
        return
    url = reverse("admin:bank_question_regrades", args=[question.pk])
    if len(quizzes) == 1:
        (quiz,) = quizzes
        url = reverse("admin:publishing_quiz_regrade_question", args=[quiz.pk, question.uuid])
        if load_pending_changes(quiz=quiz, question=question).without_key():
            url = reverse("admin:publishing_quiz_regrade", args=[quiz.pk])
    sentence = _("Attempts were graded by an older version and keep their score.")
    link = _("See what the newest version would change")
    messages.warning(
        request, format_html('{} <a class="message-link" href="{}">{}</a>', sentence, url, link)
    )


def _list_notes(question: Question, document: QuestionDocument) -> tuple[Note, ...]:
    return list_draft_notes(
        document, uploads.find_media_problems(bank=question.bank_id, item=document)
    )


def _describe_blocking(blocking: int) -> str:
    if not blocking:
        return _("It can be published.")
    return ngettext(
        "%(n)s problem has to be corrected before it can be published.",
        "%(n)s problems have to be corrected before it can be published.",
        blocking,
    ) % {"n": blocking}


def _choose_kind(admin: Any, editor: QuestionEditor) -> HttpResponse:
    """Ask for the kind of a new question: each has a form of its own."""
    context = {
        **admin.admin_site.each_context(editor.request),
        "title": _("What kind of question?"),
        "opts": admin.opts,
        "kinds": describe_kinds(KINDS),
        "bank": editor.requested_bank,
    }
    return TemplateResponse(editor.request, "admin/bank/question/choose_kind.html", context)


def _change_kind(admin: Any, editor: QuestionEditor, formset: QuestionFormSet) -> HttpResponse:
    """Render the form of the kind that was chosen, with what was typed; nothing is saved."""
    messages.info(
        editor.request,
        _("The form is now for another kind; nothing is saved yet. What both kinds share is kept."),
    )
    return render_editor(admin, editor, editor.change_kind(formset))


def _show_conflict(
    admin: Any, editor: QuestionEditor, formset: QuestionFormSet, reason: Conflict
) -> HttpResponse:
    """Show both: the author's text in the form, and how the saved draft differs."""
    if reason.code == "name_taken":
        formset.form.add_error("name", _("There is a question of this name in the bank."))
        return render_editor(admin, editor, formset, status=422)
    form_data = editor.parse(formset)
    names = editor.names | {row.id: row.name for row in form_data.rows()}
    posted_document = form_to_document(form_data, editor.document)
    differences = diff_documents(editor.document, posted_document, names)
    posted = editor.request.POST.copy()
    posted["q-revision"] = str(editor.revision)  # saving again is then an answer to what is shown
    draft = Draft.objects.select_related("updated_by").get(question=editor.question)
    return render_editor(
        admin, editor, editor.bind(posted), differences=differences, saved_draft=draft, status=409
    )


def render_editor(  # noqa: PLR0913  what a page is made of
    admin: Any,
    editor: QuestionEditor,
    formset: QuestionFormSet | None = None,
    *,
    differences: tuple[Difference, ...] = (),
    saved_draft: Draft | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the editor."""
    request, question = editor.request, editor.question
    notes = (
        (*_list_notes(question, editor.document), *list_lint_notes(question, editor.document))
        if question
        else ()
    )
    context = {
        **admin.admin_site.each_context(request),
        "title": _("Question") if question is None else question.name,
        "opts": admin.opts,
        "preserved_filters": admin.get_preserved_filters(request),
        "original": question,
        "position": find_list_position(admin, request, question) if question else None,
        "editor": editor,
        "page": build_page(formset or editor.draft_formset(), editor.document, editor.names, notes),
        "comparison": build_comparison(editor.document),
        "differences": differences,
        "saved_draft": saved_draft,
        "may_edit": question is None or admin.has_change_permission(request, question),
        "section": "edit",
        "tabs": list_tabs(question),
        "outdated_quizzes": list_outdated_quizzes(question, visible_to(request.user))
        if question
        else [],
    }
    return TemplateResponse(request, "admin/bank/question/edit.html", context, status=status)

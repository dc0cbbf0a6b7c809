"""The preview of a draft: as it is saved or was just sent, answered if an answer was sent too."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse

from quizzes.bank.models import Question
from quizzes.instructor.questions.form_mapping import form_to_document
from quizzes.instructor.questions.preview import preview_document
from quizzes.instructor.questions.question_editor import QuestionEditor

DRAFT, TRY, LIVE = "draft", "try", "live"
EDITOR_FIELD = "q-rendered_kind"
LEFT_OUT = (DRAFT, TRY, LIVE, "csrfmiddlewaretoken", "_save", "_publish")


def show_preview(request: HttpRequest, question: Question | None) -> HttpResponse:
    """Show a draft in each language; nothing is kept.

    The editor's form is what was posted, or its text in the field `draft`: so the page can try an
    answer against what is not saved.
    """
    editor = QuestionEditor(request, question)
    document, names = editor.document, editor.names
    sent = QueryDict(request.POST[DRAFT]) if DRAFT in request.POST else request.POST.copy()
    if EDITOR_FIELD in sent:
        formset = editor.bind(sent)
        formset.form.make_name_optional()
        if formset.is_valid():
            form_data = editor.parse(formset)
            document = form_to_document(form_data, editor.document)
            names = names | {row.id: row.name for row in form_data.rows()}
    context = {
        "languages": preview_document(
            document, names, request.POST if TRY in request.POST else None
        ),
        "name": question.name if question else "",
        "draft": _encode_draft(sent),
        "is_live": LIVE in request.POST,
        "address": reverse("admin:bank_question_preview", args=[question.pk])
        if question
        else reverse("admin:bank_question_new_preview"),
    }
    return TemplateResponse(request, "admin/bank/question/preview.html", context)


def _encode_draft(sent: QueryDict) -> str:
    """Return the editor's form as text, "" where none was sent."""
    if EDITOR_FIELD not in sent:
        return ""
    fields = sent.copy()
    for name in LEFT_OUT:
        fields.pop(name, None)
    return fields.urlencode()

"""The examples of a key that is being written: for the page to ask while its author types."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse

from grading.short_text.parsing import MAXIMUM
from quizzes.bank.models import Question
from quizzes.instructor.questions.comparison_examples import build_comparison
from quizzes.instructor.questions.form_mapping import form_to_document
from quizzes.instructor.questions.question_editor import QuestionEditor


def show_examples(request: HttpRequest, question: Question | None) -> HttpResponse:
    """Return the examples of what was posted; 422 where it is not a form of typed answers."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    editor = QuestionEditor(request, question)
    formset = editor.bind(request.POST)
    formset.form.make_name_optional()
    if not formset.is_valid():
        return HttpResponse(status=422)
    document = form_to_document(formset.to_form_data(editor.names), editor.document)
    names = (name for name in request.POST if name.startswith("try"))
    tried = {name: request.POST.get(name, "")[:MAXIMUM] for name in names}
    comparison = build_comparison(document, tried)
    if comparison is None:
        return HttpResponse(status=422)
    context = {"comparison": comparison}
    return TemplateResponse(request, "admin/bank/question/comparison.html", context)

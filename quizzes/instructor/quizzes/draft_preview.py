"""What the draft of a quiz would ask a learner, in every language: drawn as an attempt is."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import translation

from quizzes.attempts.draft_papers import MAX_PAPER, PaperQuestion, draw_paper
from quizzes.instructor.composer.draft_effects import describe_totals
from quizzes.instructor.permissions import current_user
from quizzes.instructor.translated_field import language_names
from quizzes.lib.number_parsing import parse_count
from quizzes.presentation.formatting import format_points
from quizzes.presentation.messages.quiz_problems import list_sentences
from quizzes.presentation.question_rendering import preview_question
from quizzes.publishing.models import Quiz


@dataclass(frozen=True, slots=True)
class PreviewedQuestion:
    """A question of the paper, as a form in each language; none where its bank is hidden."""

    number: int
    section_title: str
    forms: Sequence[tuple[str, str, str]]


def show_draft_preview(request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Show one paper of the draft; `paper` in the address is another draw. Nothing is begun."""
    paper = parse_count(request.GET.get("paper", ""), maximum=MAX_PAPER, default=1)
    drawn = draw_paper(quiz=quiz, viewer=current_user(request), paper=paper)
    context = {
        "quiz": quiz,
        "questions": [_render(question) for question in drawn.questions],
        "problems": list_sentences(drawn.problems),
        "totals": describe_totals(quiz, drawn.planned),
        "intros": [
            (code, name, quiz.title.get(code, ""), quiz.intro.get(code, ""))
            for code, name in language_names().items()
        ],
        "next_paper": paper % MAX_PAPER + 1,
        "draws": any(len(item.versions) > item.draw for item in drawn.planned),
    }
    return TemplateResponse(request, "admin/publishing/quiz/preview.html", context)


def _render(question: PaperQuestion) -> PreviewedQuestion:
    languages = language_names().items() if question.public_version else ()
    forms = [(code, name, _render_form(question, code)) for code, name in languages]
    return PreviewedQuestion(question.number, question.section_title, forms)


def _render_form(question: PaperQuestion, language: str) -> str:
    if question.public_version is None:
        return ""
    with translation.override(language):  # as a learner meets it, all around it too
        return str(
            preview_question(
                question.public_version,
                language,
                question.number - 1,
                order=question.order,
                points=format_points(question.points),
            )
        )

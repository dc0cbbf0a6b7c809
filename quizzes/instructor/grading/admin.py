"""Grading by hand: the queue, the answers to one question, and one answer without a name."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Question
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.grading import rubric_form
from quizzes.instructor.grading.grading_page import STATES, build_context, describe_error
from quizzes.instructor.permissions import current_user
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid, NotFound, ServiceError
from quizzes.lib.number_parsing import parse_count
from quizzes.lib.translated_texts import choose_text
from quizzes.presentation.formatting import format_points
from quizzes.results import grading_queue
from quizzes.results.grading_queue import AnswerToGrade, QueuedAnswer, QueueGroup
from quizzes.results.manual_grading import grade_manually
from quizzes.results.models import ManualGrade, Purpose

MAX_NUMBER = 999_999_999


@admin.register(ManualGrade)
class GradingAdmin(ModelAdmin):
    """The answers that wait for a person to grade them, of the learners that one teaches."""

    key_pages = frozenset({"results_grading_answer"})
    assistants_too = True

    def get_urls(self) -> list[URLPattern]:
        """Add the pages of a question and of an answer."""
        view, route = self.admin_site.admin_view, "<uuid:quiz>/<uuid:question>/"
        return [
            path(route, view(self.question_view), name="results_grading_question"),
            path(f"{route}<slug:token>/", view(self.answer_view), name="results_grading_answer"),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the queue in the place of Django's list."""
        language = get_language() or "en"
        rows = [
            (group, _translate_title(group), group.public_version.words(language))
            for group in grading_queue.load_queue(current_user(request))
        ]
        title = _("Essays to grade")
        return self.render_page(request, "results/grading/queue", {"rows": rows}, title=title)

    def question_view(self, request: HttpRequest, quiz: UUID, question: UUID) -> HttpResponse:
        """Show all answers to one question, each with its state."""
        answers = _answers_or_404(request, quiz, question)
        public_version = grading_queue.load_answered_version(answers[0])
        context = {
            "prompt": public_version.words(get_language() or "en"),
            "rows": [
                (
                    answer,
                    STATES[answer.state],
                    _format_earned(answer),
                    _answer_url(quiz, question, answer),
                )
                for answer in answers
            ],
            "next_url": _next_answer_url(answers, None, quiz, question),
        }
        title = _translate_title(answers[0])
        return self.render_page(request, "results/grading/question", context, title=title)

    def answer_view(
        self, request: HttpRequest, quiz: UUID, question: UUID, token: str
    ) -> HttpResponse:
        """Show one answer with its rubric; grade it on POST, and go on to the next."""
        error = None
        question_url = reverse("admin:results_grading_question", args=[quiz, question])
        answers, answer, for_grader = _load_answer(request, quiz, question, token)
        if request.method == "POST":
            error = _save_grade(request, answer, for_grader)
            if error is None:
                messages.success(request, _("The grade of answer %s is saved.") % answer.name)
                if "stay" in request.POST:
                    return redirect(_answer_url(quiz, question, answer))
                return redirect(_next_answer_url(answers, answer, quiz, question) or question_url)
            # Rendered as things stand now, with what was posted.
            answers, answer, for_grader = _load_answer(request, quiz, question, token)
        context = {
            **build_context(answer, for_grader, _posted(request)),
            "error": describe_error(error) if error else "",
            "question_url": question_url,
            "next_url": _next_answer_url(answers, answer, quiz, question),
            "left": sum(other.state == grading_queue.NEEDS_GRADING for other in answers),
        }
        title = _("Answer %(name)s") % {"name": answer.name}
        status = 409 if isinstance(error, Conflict) else 200
        template = "results/grading/answer"
        return self.render_page(request, template, context, title=title, status=status)


def _answers_or_404(request: HttpRequest, quiz: UUID, question: UUID) -> list[QueuedAnswer]:
    grader = current_user(request)
    try:
        return grading_queue.list_answers(grader=grader, quiz=quiz, question=question)
    except NotFound:
        raise Http404 from None


def _load_answer(
    request: HttpRequest, quiz: UUID, question: UUID, token: str
) -> tuple[list[QueuedAnswer], QueuedAnswer, AnswerToGrade]:
    """Return all answers to a question, the one with this token, and that opened for grading."""
    answers = _answers_or_404(request, quiz, question)
    answer = next((answer for answer in answers if answer.token == token), None)
    if answer is None:
        raise Http404
    grader = current_user(request)
    graded_question = Question.objects.select_related("bank").get(uuid=question)
    record(
        AuditCode.KEYS_VIEWED, about=graded_question, group=graded_question.bank.group_id, once=True
    )
    return answers, answer, grading_queue.open_for_grading(grader=grader, answer=answer)


def _next_answer_url(
    answers: list[QueuedAnswer], current: QueuedAnswer | None, quiz: UUID, question: UUID
) -> str:
    """Return the address of the next answer that this person may grade; "" if there is none.

    After an answer whose grades differ, of the next whose grades differ.
    """
    state = (
        current.state
        if current and current.state == grading_queue.DISAGREEMENT
        else grading_queue.NEEDS_GRADING
    )
    others = [answer for answer in answers if answer.state == state and answer is not current]
    later = [answer for answer in others if current is None or answer.token > current.token]
    return _answer_url(quiz, question, (later or others)[0]) if others else ""


def _answer_url(quiz: UUID, question: UUID, answer: QueuedAnswer) -> str:
    return reverse("admin:results_grading_answer", args=[quiz, question, answer.token])


def _posted(request: HttpRequest) -> dict[str, str] | None:
    return {str(name): str(value) for name, value in request.POST.items()} if request.POST else None


def _save_grade(
    request: HttpRequest, answer: QueuedAnswer, for_grader: AnswerToGrade
) -> ServiceError | None:
    """Save the grade that was posted; return what is wrong with it, None if nothing is."""
    posted = _posted(request) or {}
    levels = rubric_form.parse_levels(for_grader.key_and_feedback, posted)
    share = rubric_form.parse_share(posted, answer.points) if levels is None else None
    is_final = posted.get("final") == "1"
    if levels is None and share is None:
        return Invalid("share_out_of_range")
    try:
        grade_manually(
            attempt=answer.attempt,
            slot=answer.slot,
            by=current_user(request),
            levels=levels,
            share=share,
            comment=posted.get("comment", ""),
            purpose=Purpose.FINAL if is_final else Purpose.FIRST,
            seen=parse_count(posted.get("seen", ""), maximum=MAX_NUMBER) if is_final else None,
            now=clock.now(),
        )
    except NotFound:
        raise Http404 from None
    except ServiceError as error:
        return error
    return None


def _translate_title(row: QueueGroup | QueuedAnswer) -> str:
    return choose_text(row.title, get_language() or "en", row.source_language)[0]


def _format_earned(answer: QueuedAnswer) -> str:
    return "–" if answer.credit is None else format_points(answer.credit * answer.points)

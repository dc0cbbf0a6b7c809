"""Marking by hand: the queue, a pile of answers to one question, and one answer without a name."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from quizzes.instructor.admin_base import ModelAdmin
from quizzes.instructor.grading import rubric_form
from quizzes.instructor.grading.grading_page import STATES, build_context, describe_error
from quizzes.lib import clock
from quizzes.lib.errors import Conflict, Invalid, NotFound, ServiceError
from quizzes.presentation.formatting import format_points
from quizzes.results import grading_queue
from quizzes.results.grading_queue import AnswerToGrade, QueuedAnswer
from quizzes.results.manual_grading import grade_manually
from quizzes.results.models import ManualGrade, Purpose

LONGEST_SEEN = 10


@admin.register(ManualGrade)
class GradingAdmin(ModelAdmin):
    """What waits for a person to mark it, among the answers of those one teaches."""

    def get_urls(self) -> list[URLPattern]:
        """Put a pile and an answer beneath the queue."""
        pile, answer = (self.admin_site.admin_view(view) for view in (self.pile, self.answer))
        return [
            path("<uuid:quiz>/<uuid:question>/", pile, name="results_pile"),
            path("<uuid:quiz>/<uuid:question>/<slug:token>/", answer, name="results_answer"),
            *super().get_urls(),
        ]

    def changelist_view(
        self,
        request: HttpRequest,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the queue in the place of Django's list."""
        piles = grading_queue.load_queue(_marker(request))
        language = get_language() or "en"
        rows = [(pile, _title(pile.title), pile.public_version.words(language)) for pile in piles]
        return self._page(request, "queue", _("Essays to mark"), {"rows": rows})

    def pile(self, request: HttpRequest, quiz: UUID, question: UUID) -> HttpResponse:
        """Show all answers to one question, with how each stands."""
        answers = _answers_or_404(request, quiz, question)
        paper = grading_queue.load_public_version_of(answers[0])
        context = {
            "prompt": paper.words(get_language() or "en"),
            "rows": [
                (answer, STATES[answer.state], _earned(answer), _link(quiz, question, answer))
                for answer in answers
            ],
            "next": _following(answers, None, quiz, question),
        }
        return self._page(request, "pile", _title(answers[0].title), context)

    def answer(self, request: HttpRequest, quiz: UUID, question: UUID, token: str) -> HttpResponse:
        """Show one answer with its rubric; mark it on POST, and go on to the next."""
        answers, marker = _answers_or_404(request, quiz, question), _marker(request)
        here = _answer_by_token(answers, token)
        reading = grading_queue.open_for_grading(grader=marker, answer=here)
        trouble = None
        if request.method == "POST":
            trouble = _mark(request, marker, here, reading)
            if trouble is None:
                messages.success(request, _("The mark of answer %s is saved.") % here.name)
                onward = _following(answers, here, quiz, question)
                again = _link(quiz, question, here)
                back = reverse("admin:results_pile", args=[quiz, question])
                return redirect(again if "stay" in request.POST else onward or back)
            # Drawn again as things stand now, with what was sent.
            answers = _answers_or_404(request, quiz, question)
            here = _answer_by_token(answers, token)
            reading = grading_queue.open_for_grading(grader=marker, answer=here)
        context = {
            **build_context(here, reading, _sent(request)),
            "trouble": describe_error(trouble) if trouble else "",
            "back": reverse("admin:results_pile", args=[quiz, question]),
            "next": _following(answers, here, quiz, question),
            "left": sum(answer.state == grading_queue.NEEDS_GRADING for answer in answers),
        }
        status = 409 if isinstance(trouble, Conflict) else 200
        return self._page(request, "answer", _name(here), context, status=status)

    def _page(
        self,
        request: HttpRequest,
        name: str,
        title: str,
        more: dict[str, Any],
        *,
        status: int = 200,
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            **more,
        }
        template = f"admin/results/marking/{name}.html"
        return TemplateResponse(request, template, context, status=status)


def _marker(request: HttpRequest) -> User:
    if not request.user.is_authenticated:
        raise Http404
    return request.user


def _answers_or_404(request: HttpRequest, quiz: UUID, question: UUID) -> list[QueuedAnswer]:
    try:
        return grading_queue.list_answers(grader=_marker(request), quiz=quiz, question=question)
    except NotFound:
        raise Http404 from None


def _answer_by_token(answers: list[QueuedAnswer], token: str) -> QueuedAnswer:
    for answer in answers:
        if answer.token == token:
            return answer
    raise Http404


def _following(
    answers: list[QueuedAnswer], here: QueuedAnswer | None, quiz: UUID, question: UUID
) -> str:
    """Return the address of the next answer that this person may mark; "" if there is none.

    While one settles differences, of the next that differs.
    """
    state = (
        here.state
        if here and here.state == grading_queue.DISAGREEMENT
        else grading_queue.NEEDS_GRADING
    )
    others = [answer for answer in answers if answer.state == state and answer is not here]
    later = [answer for answer in others if here is None or answer.token > here.token]
    return _link(quiz, question, (later or others)[0]) if others else ""


def _link(quiz: UUID, question: UUID, answer: QueuedAnswer) -> str:
    return reverse("admin:results_answer", args=[quiz, question, answer.token])


def _parse_number(text: str) -> int:
    """Read a number that our own page wrote; anything else knows of no mark."""
    return int(text) if text.isdecimal() and len(text) < LONGEST_SEEN else 0


def _sent(request: HttpRequest) -> dict[str, str] | None:
    return {str(name): str(value) for name, value in request.POST.items()} if request.POST else None


def _mark(
    request: HttpRequest, marker: User, here: QueuedAnswer, reading: AnswerToGrade
) -> ServiceError | None:
    """Save what was sent; give what is wrong with it, None if nothing is."""
    sent = _sent(request) or {}
    levels = rubric_form.parse_levels(reading.key_and_feedback, sent)
    share = rubric_form.parse_share(sent, here.points) if levels is None else None
    settles, seen = sent.get("final") == "1", sent.get("seen", "")
    if levels is None and share is None:
        return Invalid("share_out_of_range")
    try:
        grade_manually(
            attempt=here.attempt,
            slot=here.slot,
            by=marker,
            levels=levels,
            share=share,
            comment=sent.get("comment", ""),
            purpose=Purpose.FINAL if settles else Purpose.FIRST,
            seen=_parse_number(seen) if settles else None,
            now=clock.now(),
        )
    except NotFound:
        raise Http404 from None
    except ServiceError as trouble:
        return trouble
    return None


def _name(answer: QueuedAnswer) -> str:
    return _("Answer %(name)s") % {"name": answer.name}


def _title(title: Any) -> str:
    return str(title.get(get_language() or "en") or next(iter(title.values()), ""))


def _earned(answer: QueuedAnswer) -> str:
    return "–" if answer.credit is None else format_points(answer.credit * answer.points)

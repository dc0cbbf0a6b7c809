"""Practice: one question, checked at once, with hints and several tries; then why it is so."""

from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_http_methods

from accounts.models import User
from quizzes.attempts.receipt import receipt_digest
from quizzes.attempts.selectors import CurrentResponse
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.lib.number_parsing import parse_count
from quizzes.practice import services
from quizzes.practice.access import find_practice_quiz
from quizzes.practice.missed_questions import load_missed_questions
from quizzes.practice.models import PracticeQuestion
from quizzes.practice.selectors import PracticeView, find_current, load_practice
from quizzes.presentation.formatting import format_fraction
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.presentation.lenient_parsing import describe_problems, parse_leniently, part_path
from quizzes.presentation.messages.attempts import describe_refusal
from quizzes.presentation.question_rendering import QuestionState, render_question
from quizzes.presentation.review_rendering import render_single_review
from quizzes.publishing.models import Quiz
from quizzes.publishing.selectors import load_quiz_uuid
from quizzes.web import view_models
from quizzes.web.decorators import current_user, login_required_page

MAX_NUMBER = 1_000_000


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the question that one is at, or do what its button says."""
    learner, quiz_uuid = current_user(request), load_quiz_uuid(slug)
    if quiz_uuid is None:
        raise NotFound
    try:
        quiz = find_practice_quiz(learner, quiz_uuid, clock.now())
        current = find_current(quiz, learner)
        if request.method == "POST":
            return _act(request, quiz, current, learner)
        return _render(request, quiz, current, learner)
    except Refused as refused:
        messages.error(request, describe_refusal(refused.code))
        return redirect("intro", slug)


def _read_attempt(request: HttpRequest) -> UUID | None:
    """Return the attempt whose missed questions come first, as the address names it."""
    text = request.GET.get("missed", "")
    try:
        return UUID(text) if text else None
    except ValueError as error:
        raise Http404 from error


def _go_on(request: HttpRequest, quiz: Quiz) -> HttpResponse:
    attempt = _read_attempt(request)
    query = f"?missed={attempt}" if attempt else ""
    return redirect(reverse("practice", args=[quiz.slug]) + query)


def _act(
    request: HttpRequest, quiz: Quiz, current: PracticeQuestion | None, learner: User
) -> HttpResponse:
    action, now = request.POST.get("action"), clock.now()
    count = parse_count(request.POST.get("count", ""), maximum=MAX_NUMBER)
    if action == "next":
        attempt = _read_attempt(request)
        services.draw_next(quiz=quiz.uuid, learner=learner, after=count, now=now, attempt=attempt)
    elif current is None or request.POST.get("question") != str(current.uuid):
        # A page of before: another tab has gone on.
        return _go_on(request, quiz)
    elif action in {"hint", "show"}:
        _take_step(request, current, learner, count)
    elif action == "check":
        return _check(request, quiz, current, learner, count)
    return _go_on(request, quiz)


def _check(
    request: HttpRequest, quiz: Quiz, current: PracticeQuestion, learner: User, tried: int
) -> HttpResponse:
    """Check the answer; one that cannot be read is shown again with what is wrong with it."""
    view = load_practice(current, learner, request.LANGUAGE_CODE, clock.now())
    public_version = view.report.public_version
    raw = PRESENTED_KINDS[public_version.kind].parse_form(request.POST, 0)
    answer, problems = parse_leniently(public_version, raw)
    if problems:
        error = describe_problems(public_version, problems, request.LANGUAGE_CODE)
        typed: Any = raw if isinstance(raw, dict) else answer
        places = tuple(map(part_path, problems))
        return _render(request, quiz, current, learner, (typed, error, places))
    if answer is None:
        error = str(describe_refusal("unanswered"))
        return _render(request, quiz, current, learner, (None, error, ()))
    try:
        services.check_answer(
            question=current.uuid,
            learner=learner,
            raw=raw,
            tried=tried,
            idempotency_key=_read_key(request),
            language=request.LANGUAGE_CODE,
            now=clock.now(),
        )
    except Invalid as invalid:
        if invalid.code == "took_too_long":
            refused = (raw, str(describe_refusal(invalid.code)), ())
            return _render(request, quiz, current, learner, refused)
        # Else it is a form of before, filled in anew: it was checked with another answer.
    return _go_on(request, quiz)


def _take_step(request: HttpRequest, current: PracticeQuestion, learner: User, opened: int) -> None:
    """Open the next hint, or end the tries; a form of before, sent for another step, does not."""
    step: dict[str, Any] = {
        "question": current.uuid,
        "learner": learner,
        "idempotency_key": _read_key(request),
        "language": request.LANGUAGE_CODE,
        "now": clock.now(),
    }
    with suppress(Invalid):
        if request.POST.get("action") == "hint":
            services.open_hint(**step, opened=opened)
        else:
            services.ask_for_answer(**step)


def _read_key(request: HttpRequest) -> UUID:
    """Return the id that the form bears, so that what is sent twice is one; a new one without."""
    try:
        return UUID(request.POST.get("idempotency_key", ""))
    except ValueError:
        return uuid4()


def _render(
    request: HttpRequest,
    quiz: Quiz,
    current: PracticeQuestion | None,
    learner: User,
    refused: tuple[Any, str, tuple[str, ...]] | None = None,
) -> HttpResponse:
    lang = request.LANGUAGE_CODE
    title = quiz.title.get(lang)
    context: dict[str, Any] = {
        "slug": quiz.slug,
        "quiz_title": title or quiz.title.get(quiz.source_language, quiz.slug),
        "quiz_lang": lang if title else quiz.source_language,
        "question": None,
        "missed": load_missed_questions(quiz, learner, _read_attempt(request), clock.now()),
    }
    if current is not None:
        view = load_practice(current, learner, lang, clock.now())
        context["question"] = _build_question(view, lang)
        context["question_html"] = (
            render_single_review(view.report, lang)
            if view.state.is_over
            else _render_form(view, lang, refused)
        )
        page = context["question"]
        context["styled_html"] = "\n".join([context["question_html"], *page.remarks, *page.hints])
    return render(request, "quizzes/pages/practice.html", context, status=422 if refused else 200)


def _build_question(view: PracticeView, lang: str) -> view_models.PracticePage:
    state, report = view.state, view.report
    return view_models.PracticePage(
        uuid=str(state.row.uuid),
        number=state.row.number,
        tries=len(state.tries),
        try_number=len(state.tries) + 1,
        try_count=1 if state.is_live else len(state.worths),
        worth="" if state.next_worth is None else format_fraction(state.next_worth),
        credit=format_fraction(state.credit),
        state="" if state.is_live else report.outcome if state.tries else "",
        is_over=state.is_over,
        is_live=state.is_live,
        lang=report.feedback_language or lang,
        remarks=[SafeString(html) for html in (*report.feedback.values(), *report.remarks)],
        hints=[SafeString(html) for html in report.hints],
        hints_opened=state.row.hints_opened,
        hint_count=view.hint_count,
        more_hints=view.more_hints,
        idempotency_key=str(uuid4()),
        hint_key=str(uuid4()),
        show_key=str(uuid4()),
        receipt_digest=receipt_digest(state.tries[-1].receipt) if state.tries else "",
    )


def _render_form(
    view: PracticeView, lang: str, refused: tuple[Any, str, tuple[str, ...]] | None
) -> SafeString:
    answer, error, places = refused or (view.answer, "", ())
    response = CurrentResponse(0, len(view.state.tries), view.answer)
    question = QuestionState(response, answer, flagged=False, error=error, places=places)
    form = render_question(view.report.public_version, view.slot, question, lang)
    return mark_safe(form)  # noqa: S308  made of templates

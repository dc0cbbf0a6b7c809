"""Publishing a quiz, and the page that asks first where memorising passes it for certain."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from quizzes.attempts.deadline_settings import save_quiz_settings
from quizzes.instructor.permissions import current_user
from quizzes.instructor.quiz_tabs import build_quiz_tabs
from quizzes.lib import clock
from quizzes.lib.errors import Invalid
from quizzes.lib.number_parsing import parse_count
from quizzes.presentation.messages.memorised_pass import (
    describe_memorised_pass,
    describe_remedy,
    format_passing,
)
from quizzes.publishing import services
from quizzes.publishing.memorised_pass import (
    MOST_ATTEMPTS,
    SIMULATED_ATTEMPTS,
    MemorisedPassUndecided,
    Remedy,
    change_draft,
    find_undecided_pass,
)
from quizzes.publishing.models import Quiz
from quizzes.publishing.planned_version import plan_quiz_version

PAGE = "admin:publishing_quiz_publish"
ACCEPT = "accept"


def publish_quiz(
    admin: Any, request: HttpRequest, quiz: Quiz, page: str, *, accepted_attempt: int | None = None
) -> HttpResponse:
    """Publish, and go on with a page of the quiz; where that has to be decided first, ask.

    With problems left, the draft stays as it is saved, and they are named on its page.
    """
    try:
        quiz_version = services.publish(
            quiz=quiz, by=current_user(request), now=clock.now(), accepted_attempt=accepted_attempt
        )
    except MemorisedPassUndecided:
        return redirect(PAGE, quiz.pk)
    except Invalid:
        messages.error(request, _("The quiz is saved, but not published. See the problems below."))
    else:
        admin.log_change(request, quiz, f"published as version {quiz_version.number}")
        sentence = _("Version %(number)s is published.") % {"number": quiz_version.number}
        messages.success(request, sentence)
    return redirect(page, quiz.pk)


def show_publication(admin: Any, request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Ask whether memorising may pass; on POST publish so, or with the settings of a remedy."""
    if not admin.has_change_permission(request, quiz):
        raise PermissionDenied
    page = "admin:publishing_quiz_change"
    undecided = _find_undecided(quiz)
    if undecided is None:
        return redirect(page, quiz.pk)
    if request.method == "POST":
        action, _colon, argument = request.POST.get("do", "").partition(":")
        if action == ACCEPT:
            attempt = parse_count(argument, maximum=MOST_ATTEMPTS) or None
            return publish_quiz(admin, request, quiz, page, accepted_attempt=attempt)
        for remedy in undecided.remedies:
            if remedy.code == action:
                with transaction.atomic():
                    changed = _change_settings(request, quiz, remedy)
                    return publish_quiz(admin, request, changed, page)
    response: HttpResponse = admin.render_page(
        request,
        "publishing/quiz/publish",
        {**build_quiz_tabs(quiz, "publish", may_edit=True), **_describe(undecided)},
        title=_("Publish %(quiz)s") % {"quiz": quiz},
        page_name=_("Publish"),
    )
    return response


def _find_undecided(quiz: Quiz) -> MemorisedPassUndecided | None:
    planned, problems = plan_quiz_version(quiz)
    return None if problems else find_undecided_pass(quiz, planned)


def _change_settings(request: HttpRequest, quiz: Quiz, remedy: Remedy) -> Quiz:
    changed = change_draft(Quiz.objects.select_for_update().get(pk=quiz.pk), remedy.settings)
    save_quiz_settings(quiz=changed, by=current_user(request), now=clock.now())
    return changed


def _describe(undecided: MemorisedPassUndecided) -> dict[str, Any]:
    """Return the figures of the draft, and of each remedy, attempt by attempt."""
    return {
        "sentence": describe_memorised_pass(undecided.memorised),
        "attempts": range(1, SIMULATED_ATTEMPTS + 1),
        "own": _format(undecided.passing),
        "remedies": [
            (remedy.code, describe_remedy(remedy.settings), _format(remedy.passing))
            for remedy in undecided.remedies
        ],
        "accept": f"{ACCEPT}:{undecided.memorised.attempt}",
    }


def _format(passing: tuple[float, ...]) -> list[str]:
    """Return each part in words, and a dash for an attempt that is not there."""
    return [*map(format_passing, passing), *["–"] * (SIMULATED_ATTEMPTS - len(passing))]

"""The page on which a learner gives up further attempts, to see what is right."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.presentation.messages.attempts import describe_refusal
from quizzes.results.next_steps import gains_by_giving_up, give_up_after
from quizzes.results.selectors import load_report
from quizzes.web.decorators import current_user, login_required_page


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def give_up(request: HttpRequest, attempt: UUID) -> HttpResponse:
    """Say what giving up does, and do it once it is confirmed."""
    learner, now, lang = current_user(request), clock.now(), request.LANGUAGE_CODE
    report = load_report(attempt=attempt, viewer=learner, language=lang, now=now)
    summary = report.summary
    if summary.learner != learner.uuid or report.manifest is None:
        raise NotFound
    if not gains_by_giving_up(report):
        return redirect("result", attempt)
    if request.method == "POST":
        try:
            give_up_after(report=report, learner=learner, now=now)
        except Refused as refused:
            messages.error(request, describe_refusal(refused.code))
        else:
            messages.success(request, _("The right answers are shown now."))
        return redirect("result", attempt)
    context = {
        "attempt_id": attempt,
        "quiz_title": summary.title_in(lang),
        "quiz_lang": lang if summary.title.get(lang) else summary.source_language,
        "attempts_left": report.next_attempt.attempts_left if report.next_attempt else None,
    }
    return render(request, "quizzes/pages/give_up.html", context)

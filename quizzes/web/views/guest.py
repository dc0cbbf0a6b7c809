"""What was done without an account: kept in the account of who is signed in, or left behind."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guests import SESSION_GUEST, find_guest, keep_guest
from quizzes.attempts.models import State
from quizzes.lib import clock
from quizzes.results.selectors import list_own_attempts
from quizzes.results.services import finish_overdue
from quizzes.web.decorators import current_user, login_required_page
from quizzes.web.views.history import build_rows_of_guest

MAX_ATTEMPTS = 25
"""Of a guest on the page; all of them are kept."""


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def keep_results(request: HttpRequest) -> HttpResponse:
    """Show what a guest did in this browser, and keep it here if it was this person.

    Never without being asked: another may have used this browser before. What is open is handed in
    first, by who began it.
    """
    user, now = current_user(request), clock.now()
    guest = find_guest(request.session, now=now)
    if guest is None:
        request.session.pop(SESSION_GUEST, None)
        return redirect("history")
    finish_overdue(learner=guest, now=now)
    rows = list_own_attempts(guest).order_by("-started_at", "-pk")
    is_open = rows.filter(state=State.OPEN).exists()
    if request.method == "POST" and not is_open:
        if request.POST.get("answer") == "keep":
            keep_guest(guest=guest, user=user, now=now)
        request.session.pop(SESSION_GUEST)
        return redirect("history")
    attempts = build_rows_of_guest(rows[:MAX_ATTEMPTS], guest, request.LANGUAGE_CODE, now)
    context = {"attempts": attempts}
    return render(
        request,
        "quizzes/pages/keep_results.html",
        {**context, "is_open": is_open},
        status=409 if request.method == "POST" else 200,
    )


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Forget the guest in this browser: whoever comes next finds nothing."""
    if not request.user.is_authenticated:
        request.session.flush()
    return redirect("home")

"""One's data: a copy of everything that is stored, and the erasure of it."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.reauthentication import reauthentication_required
from quizzes.lib import clock
from quizzes.lib.errors import Refused
from quizzes.presentation.messages.privacy import describe_blocker
from quizzes.privacy import data_requests
from quizzes.privacy.models import DataRequest, RequestKind, RequestState
from quizzes.web.decorators import current_user, login_required_page

IMMEDIATELY = 500
"""Attempts up to which a copy is made in the request; a larger one within a minute."""


@login_required_page
@require_safe
def personal_data(request: HttpRequest) -> HttpResponse:
    """Show which copy and which erasure were asked for, and how far they are."""
    return render(
        request, "quizzes/pages/personal_data.html", _build_context(current_user(request))
    )


def _build_context(user: User) -> dict[str, object]:
    requests, now = data_requests.list_requests(user), clock.now()
    exports = [row for row in requests if row.kind == RequestKind.EXPORT]
    erasures = [row for row in requests if row.kind == RequestKind.ERASURE]
    return {
        "waiting_export": _find(exports, RequestState.WAITING),
        "exports": [
            row
            for row in exports
            if row.state == RequestState.DONE and row.expires_at and row.expires_at > now
        ],
        "waiting_erasure": (waiting := _find(erasures, RequestState.WAITING)),
        "blocked_by": describe_blocker(waiting.reason) if waiting and waiting.reason else "",
        "refused_erasure": erasures[0]
        if erasures and erasures[0].state == RequestState.REFUSED
        else None,
        "days": settings.ERASURE_DAYS,
    }


def _find(requests: list[DataRequest], state: RequestState) -> DataRequest | None:
    return next((row for row in requests if row.state == state), None)


@login_required_page
@reauthentication_required()
@require_POST
def ask_for_copy(request: HttpRequest) -> HttpResponse:
    """Ask for a copy; a small one is ready at once."""
    user, now = current_user(request), clock.now()
    try:
        export = data_requests.request_export(person=user, now=now)
    except Refused as refused:
        messages.error(request, describe_blocker(refused.code))
        return redirect("account_email")
    if user.attempts.count() <= IMMEDIATELY:
        data_requests.handle(pk=export.pk, now=now)
    return redirect("personal_data")


@login_required_page
@reauthentication_required()
@require_safe
def download_copy(request: HttpRequest, copy: UUID) -> HttpResponseBase:
    """Send one's own copy, while it is kept."""
    file = data_requests.open_export(person=current_user(request), request=copy, now=clock.now())
    return FileResponse(
        file,
        as_attachment=True,
        filename="ochenta-data.zip",
        content_type="application/zip",
        headers={"Cache-Control": "no-store, private"},
    )


@login_required_page
@reauthentication_required("POST")
@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_erasure(request: HttpRequest) -> HttpResponse:
    """Say what an erasure takes and leaves; by POST, ask for it."""
    user = current_user(request)
    context, status = {"days": settings.ERASURE_DAYS, "problem": ""}, 200
    if request.method == "POST":
        try:
            data_requests.request_erasure(person=user, now=clock.now())
        except Refused as refused:
            context["problem"], status = describe_blocker(refused.code), 409
        else:
            return redirect("personal_data")
    return render(request, "quizzes/pages/ask_for_erasure.html", context, status=status)


@login_required_page
@require_POST
def withdraw_erasure(request: HttpRequest) -> HttpResponse:
    """Take the request for erasure back."""
    data_requests.withdraw_erasure(person=current_user(request), now=clock.now())
    messages.success(request, gettext("Your data are not erased: you took the request back."))
    return redirect("personal_data")

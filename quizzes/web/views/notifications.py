"""Of what one is notified by mail: the choice, and the link in each mail that ends one kind."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from quizzes.lib import clock
from quizzes.notifications.models import NotificationKind
from quizzes.notifications.preferences import (
    choose_kinds,
    find_kind_of_token,
    list_wanted_kinds,
    unsubscribe,
)
from quizzes.web.decorators import current_user, login_required_page, not_found_page


class NotificationsForm(forms.Form):
    """A box for each kind."""

    kinds = forms.MultipleChoiceField(
        label=_("Write to me when"),
        choices=NotificationKind.choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: HttpRequest) -> HttpResponse:
    """Show the boxes, or keep what was chosen."""
    user = current_user(request)
    form = NotificationsForm(request.POST or None, initial={"kinds": list_wanted_kinds(user)})
    if request.method == "POST":
        form = NotificationsForm(request.POST)
        if form.is_valid():
            choose_kinds(user=user, kinds=form.cleaned_data["kinds"], now=clock.now())
            messages.success(request, gettext("Your choice is saved."))
            return redirect("notifications")
    status = 422 if form.is_bound else 200
    return render(request, "quizzes/pages/notifications.html", {"form": form}, status=status)


# The token is what a forged request cannot have; mail programs send no cookie (RFC 8058).
@csrf_exempt
@not_found_page
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to end a kind of mail; on POST end it, whoever is signed in."""
    is_done = request.method == "POST"
    kind = unsubscribe(token=token, now=clock.now()) if is_done else find_kind_of_token(token)
    context = {"kind": kind.label, "is_done": is_done}
    return render(request, "quizzes/pages/unsubscribe.html", context)

"""Joining a class: by a code or the link with it, or by an invitation."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts.invitation_acceptance import accept_invitation, decline_invitation
from accounts.join_codes import (
    SESSION_CODE,
    find_join_code,
    format_code,
    join_class,
    normalize_code,
)
from accounts.models import Membership
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.web.decorators import current_user, login_required_page


class JoinForm(forms.Form):
    """The code of a class."""

    code = forms.CharField(
        label=gettext_lazy("Code of the class"),
        max_length=40,
        help_text=gettext_lazy("Ten letters and digits, as your instructor gave them to you."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )

    def clean_code(self) -> str:
        """Write the code as it is kept."""
        code = normalize_code(self.cleaned_data["code"])
        if not code:
            raise forms.ValidationError(_("This is no code of a class: look at it once more."))
        return code


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def join_form(request: HttpRequest) -> HttpResponse:
    """Ask for a code, and lead to its class."""
    form = JoinForm(request.POST or None)
    if form.is_valid():
        return redirect("join_class", format_code(form.cleaned_data["code"]))
    status = 422 if form.is_bound else 200
    return render(request, "quizzes/pages/join_form.html", {"form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the class of a code to who is signed in, with one button; on POST join it.

    Whoever signs in first comes back; who makes an account, too: the session keeps the code.
    """
    if not request.user.is_authenticated and normalize_code(code):
        request.session[SESSION_CODE] = format_code(normalize_code(code))
    return _join(request, code)


@login_required_page
def _join(request: HttpRequest, code: str) -> HttpResponse:
    user, now = current_user(request), clock.now()
    request.session.pop(SESSION_CODE, None)
    try:
        if request.method == "POST":
            group = join_class(text=code, user=user, now=now).group
            messages.success(request, _("You are in the class %(group)s now.") % {"group": group})
            return redirect("home")
        join_code = find_join_code(text=code, user=user, now=now)
    except NotFound:
        return render(request, "quizzes/pages/join_ended.html", {"waits": False}, status=404)
    except Refused as refused:
        if refused.code == "too_many_codes":
            return render(request, "quizzes/pages/join_ended.html", {"waits": True}, status=429)
        return redirect("join_class", code)
    membership = Membership.objects.filter(user=user, group=join_code.group).first()
    context = {
        "group": join_code.group,
        "instructor": join_code.created_by,
        "is_member": membership is not None,
    }
    return render(request, "quizzes/pages/join.html", context)


@login_required_page
@require_POST
def answer_invitation(request: HttpRequest, invitation: UUID) -> HttpResponse:
    """Join the class that invites, or decline."""
    user, now = current_user(request), clock.now()
    if request.POST.get("answer") == "accept":
        group = accept_invitation(invitation=invitation, user=user, now=now)
        messages.success(request, _("You are in the class %(group)s now.") % {"group": group})
    else:
        decline_invitation(invitation=invitation, user=user, now=now)
        messages.success(request, _("You have declined the invitation."))
    return redirect("home")

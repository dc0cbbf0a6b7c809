"""Asking for a code by the link in the mail with the one before."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from accounts import code_request_links


@require_safe
def request_code_by_link(request: HttpRequest, link: str) -> HttpResponse:
    """Go to the page that sends codes: it no longer counts those that others asked for."""
    if not code_request_links.follow_link(request.session, link):
        messages.warning(request, gettext("This link is too old. Ask for a code here."))
    return redirect("account_request_login_code")

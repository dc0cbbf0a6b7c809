"""One's second factors: which there are, with what can be done with each (the pages of allauth)."""

from allauth.mfa.models import Authenticator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from quizzes.web.decorators import current_user, login_required_page


@login_required_page
@require_safe
def second_factor(request: HttpRequest) -> HttpResponse:
    """List the app, the passkeys, the oldest first, and how many recovery codes are left."""
    rows = Authenticator.objects.filter(user=current_user(request)).order_by("pk")
    wrappers = [row.wrap() for row in rows]
    passkeys = [
        wrapper for wrapper in wrappers if wrapper.instance.type == Authenticator.Type.WEBAUTHN
    ]
    authenticators = {
        wrapper.instance.type: wrapper for wrapper in wrappers if wrapper not in passkeys
    }
    context = {"authenticators": authenticators, "passkeys": passkeys}
    return render(request, "mfa/index.html", context)

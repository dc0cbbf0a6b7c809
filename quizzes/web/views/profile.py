"""The profile: one's name, language and time zone."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import zones
from accounts.forms import NameForm
from accounts.models import User
from accounts.services import choose_zone
from quizzes.web.decorators import current_user, login_required_page
from quizzes.web.views.language import YEAR, next_url, remember_language

ZONES = sorted(
    zone for zone in zones.names() if zone == "UTC" or ("/" in zone and zone[:4] != "Etc/")
)


def _zone_choices(current: str) -> list[tuple[str, str]]:
    """Return the places of the world, with the zone that is set: a browser may use an old name."""
    return [(zone, zones.label(zone)) for zone in sorted({*ZONES, current})]


class ProfileForm(NameForm):
    """What people may change of themselves."""

    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        help_text=_("All times are shown in this zone."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = _zone_choices(self.initial["time_zone"])  # type: ignore[attr-defined]  # a choice field


@login_required_page
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show the form, or keep what was changed."""
    user = current_user(request)
    first = {
        "name": user.name,
        "language": user.language or request.LANGUAGE_CODE,
        "time_zone": user.time_zone,
    }
    form = ProfileForm(request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        return _save_profile(request, user, form.cleaned_data)
    status = 422 if form.is_bound else 200
    return render(request, "quizzes/pages/profile.html", {"form": form}, status=status)


def _save_profile(request: HttpRequest, user: User, choices: Mapping[str, str]) -> HttpResponse:
    if choices["time_zone"] != user.time_zone:
        choose_zone(user=user, zone=choices["time_zone"])
    user.name, user.language = choices["name"], choices["language"]
    user.save(update_fields=["name", "language"])
    with translation.override(user.language):
        messages.success(request, gettext("Your profile is saved."))
    return remember_language(request, user.language, redirect("profile"))


@login_required_page
@require_POST
def time_zone(request: HttpRequest) -> HttpResponse:
    """Set the browser's zone, or keep the current one; either way it counts as chosen."""
    user, zone = current_user(request), request.POST.get("zone", "")
    response = redirect(next_url(request))
    if zone not in zones.names():
        return response
    if request.POST.get("answer") == "use":
        choose_zone(user=user, zone=zone)
    else:
        choose_zone(user=user, zone=user.time_zone)
        response.set_cookie(
            zones.DECLINED,
            zone,
            max_age=YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response

"""The profile: one's name, language and time zone."""

from collections.abc import Mapping
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from quizzes.web.gate import page, person
from quizzes.web.language import remember

ZONES = sorted(
    zone for zone in available_timezones() if zone == "UTC" or ("/" in zone and zone[:4] != "Etc/")
)

FIELDS = ("name", "language", "time_zone")


class ProfileForm(forms.Form):
    """What people may change of themselves."""

    name = forms.CharField(
        label=_("Name"),
        max_length=150,
        required=False,
        help_text=_("As your instructor knows you. You may leave it empty."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=[(zone, zone.replace("_", " ")) for zone in ZONES],
        help_text=_("All times are shown in this zone."),
    )


@page
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show the form, or keep what was changed."""
    user = person(request)
    first = {
        "name": user.name,
        "language": user.language or request.LANGUAGE_CODE,
        "time_zone": user.time_zone,
    }
    form = ProfileForm(request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        return _keep(request, user, form.cleaned_data)
    status = 422 if form.is_bound else 200
    return render(request, "quizzes/profile.html", {"form": form}, status=status)


def _keep(request: HttpRequest, user: User, told: Mapping[str, str]) -> HttpResponse:
    user.name, user.language, user.time_zone = (told[name] for name in FIELDS)
    user.save(update_fields=FIELDS)
    with translation.override(user.language):
        messages.success(request, gettext("Your profile is saved."))
    return remember(request, user.language, redirect("profile"))

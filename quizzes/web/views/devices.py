"""Where one is signed in, and signing out there from here."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts import services
from accounts.reauthentication import reauthentication_required
from accounts.selectors import list_devices
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.web.decorators import current_user, login_required_page


@login_required_page
@require_safe
def devices(request: HttpRequest) -> HttpResponse:
    """List the devices, this one first."""
    own_devices = list_devices(current_user(request), here=_session_key(request), now=clock.now())
    context = {"devices": own_devices, "others": any(not device.here for device in own_devices)}
    return render(request, "quizzes/pages/devices.html", context)


@login_required_page
@require_POST
@reauthentication_required()
def sign_out(request: HttpRequest, device: str) -> HttpResponse:
    """Sign out on one other device; its next request is a visitor's."""
    user, here = current_user(request), _session_key(request)
    if not services.sign_out_device(user=user, device=device, here=here, by=user):
        raise NotFound
    messages.success(request, gettext("You are signed out on that device."))
    return redirect("devices")


@login_required_page
@require_POST
@reauthentication_required()
def sign_out_elsewhere(request: HttpRequest) -> HttpResponse:
    """Sign out on every device but this one."""
    user = current_user(request)
    services.sign_out_elsewhere(user=user, here=_session_key(request), by=user)
    messages.success(request, gettext("You are signed out everywhere else."))
    return redirect("devices")


def _session_key(request: HttpRequest) -> str:
    return request.session.session_key or ""

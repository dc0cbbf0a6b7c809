"""Time zones: which names there are, what the browser says, and how a time tells its zone."""

from datetime import datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

COOKIE = f"{settings.COOKIE_PREFIX}time_zone"
"""Written by static/web/js/time-zone.js: where the browser believes it is."""
DECLINED = f"{settings.COOKIE_PREFIX}time_zone_declined"
"""The zone that the person of this browser was offered and did not want."""


@cache
def names() -> frozenset[str]:
    """Return the names that we take: the world's places, and the old names browsers still use."""
    return frozenset(name for name in available_timezones() if name != "localtime")


def validate_zone(name: str) -> None:
    """Refuse a name that is no time zone."""
    if name not in names():
        raise ValidationError(_("This is no time zone."), code="invalid_zone")


def browser_zone(request: HttpRequest) -> str:
    """Return the zone that the browser sent; "" if it sent none, or one that does not exist."""
    name = request.COOKIES.get(COOKIE, "")
    return name if name in names() else ""


def show_same_times(first: str, second: str, *, now: datetime) -> bool:
    """Return whether two zones show the same times through the year: "Asia/Calcutta", say."""
    if first == second:
        return True
    if not {first, second} <= names():
        return False
    moments = [now + timedelta(days=30 * month) for month in range(13)]
    offsets = [
        [moment.astimezone(ZoneInfo(name)).utcoffset() for moment in moments]
        for name in (first, second)
    ]
    return offsets[0] == offsets[1]


def label(name: str) -> str:
    """Return the name of a zone as people read it: "America/Buenos Aires"."""
    return name.replace("_", " ")


def abbreviate(moment: datetime) -> str:
    """Return the zone that a time is shown in, short: "CET", or "UTC-3" where it has no name."""
    name = timezone.localtime(moment).tzname() or ""
    if name[:1] not in "+-":
        return name
    hours, minutes = int(name[1:3]), name[3:5]
    return f"UTC{name[0]}{hours}" + (f":{minutes}" if minutes else "")

"""How every page writes a time: in the user's zone, and saying which."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts import zones

register = template.Library()


register.filter("zone_label", zones.label)


@register.filter
def zoned_time(at: datetime | None, layout: str = "") -> SafeString | str:
    """Return a time with its zone, as `<time>`; "" for none. `layout` as of the date filter."""
    if at is None:
        return ""
    local = timezone.localtime(at)
    return format_html(
        '<time datetime="{}">{} <span class="zone" title="{}">{}</span></time>',
        local.isoformat(),
        date_format(local, layout or _("j M Y, H:i")),
        timezone.get_current_timezone_name(),
        zones.abbreviate(at),
    )


@register.filter
def zoned_second(at: datetime | None) -> SafeString | str:
    """Return a time to the second with its zone, as `<time>`; "" for none."""
    return zoned_time(at, _("j M Y, H:i:s"))

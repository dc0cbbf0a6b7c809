"""Figures as readers of a language write them; what does not exist is a dash."""

from collections.abc import Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from quizzes.presentation.formatting import MINUS, append_percent_sign
from quizzes.presentation.messages.problems import language_name

NONE = "–"
MINUTE, HOUR = 60, 3600


def format_number(figure: float | None, digits: int = 2) -> str:
    """Return a figure with so many decimals."""
    if figure is None:
        return NONE
    # Adding 0.0 takes the sign from a zero.
    return number_format(round(figure, digits) + 0.0, digits).replace("-", MINUS)


def format_share(share: float | None) -> str:
    """Return a share in whole per cent."""
    if share is None:
        return NONE
    return append_percent_sign(format_number(100 * share, 0))


def format_interval(interval: Mapping[str, float] | None, *, as_share: bool = False) -> str:
    """Return both limits, nothing where there are none."""
    if interval is None:
        return ""
    write = format_share if as_share else format_number
    return gettext("%(low)s to %(high)s") % {
        "low": write(interval["low"]),
        "high": write(interval["high"]),
    }


def format_seconds(seconds: float | None) -> str:
    """Return a time in the unit that fits: 40 s, 3.5 min, 1.2 h."""
    if seconds is None:
        return NONE
    if seconds < 2 * MINUTE:
        return f"{format_number(seconds, 0)}\N{NO-BREAK SPACE}s"
    if seconds < 2 * HOUR:
        return f"{format_number(seconds / MINUTE, 1)}\N{NO-BREAK SPACE}min"
    return f"{format_number(seconds / HOUR, 1)}\N{NO-BREAK SPACE}h"


def name_language(code: str) -> str:
    """Return the name of a language; of none, that nothing was answered."""
    return language_name(code) if code else gettext("no answer")


def name_group(group: Mapping[str, Any], last: int) -> str:
    """Return what a part of the attempts is called; `last`: that number and all above."""
    if "language" in group:
        return name_language(group["language"])
    number = group["number"]
    if number >= last:
        return gettext("attempt %(number)s and later") % {"number": number}
    return gettext("attempt %(number)s") % {"number": number}


def count_attempts(count: int) -> str:
    """Return a number of attempts in words."""
    return ngettext("%(count)s attempt", "%(count)s attempts", count) % {
        "count": number_format(count, use_l10n=True, force_grouping=True)
    }

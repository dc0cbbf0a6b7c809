"""Study in words: ratings, intervals, phases of cards, what is wrong with settings."""

from collections.abc import Mapping
from datetime import timedelta
from math import ceil
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from quizzes.study.domain import mastery, replay

RATINGS: Final[Mapping[int, str | Promise]] = {
    replay.AGAIN: pgettext_lazy("rating of a card", "Again"),
    replay.HARD: pgettext_lazy("rating of a card", "Hard"),
    replay.GOOD: pgettext_lazy("rating of a card", "Good"),
    replay.EASY: pgettext_lazy("rating of a card", "Easy"),
}
ACTIONS: Final[Mapping[str, str | Promise]] = {
    replay.BURY: _("Card put off until tomorrow."),
    replay.SUSPEND: _("Card suspended. It waits among the suspended cards."),
    replay.UNSUSPEND: _("The card is asked again."),
    replay.UNDO: _("Taken back. Here is the card again."),
}
"""What is said after something was done with a card."""
SETTINGS_SAVED: Final = _("How you study is saved.")

LEVELS: Final[Mapping[str, str | Promise]] = {
    mastery.KNOWN: _("you know this"),
    mastery.GROWING: _("you are getting there"),
    mastery.WEAK: _("worth another look"),
    mastery.UNCLEAR: _("too early to say"),
}
CERTAINTIES: Final[Mapping[str, str | Promise]] = {
    mastery.SURE: _("quite sure"),
    mastery.ROUGH: _("a rough estimate"),
    mastery.GUESS: _("hardly more than a guess"),
}

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONTH, YEAR = timedelta(days=365.25 / 12), timedelta(days=365.25)


def format_interval(interval: timedelta) -> str:
    """Return how long it is till a card comes again, in short: <10 min, 5 h, 3 d, 2.1 mo, 1.5 y."""
    if interval < HOUR:
        minutes = max(1, ceil(interval / timedelta(minutes=1)))
        return gettext("<%(n)s min") % {"n": minutes}
    if interval < DAY:
        return gettext("%(n)s h") % {"n": round(interval / HOUR)}
    if interval < 2 * MONTH:
        return gettext("%(n)s d") % {"n": round(interval / DAY)}
    if interval < YEAR:
        return gettext("%(n)s mo") % {"n": _tenths(interval / MONTH)}
    return gettext("%(n)s y") % {"n": _tenths(interval / YEAR)}


def _tenths(count: float) -> str:
    return number_format(round(count, 1), decimal_pos=None)


def describe_settings_problem(code: str, detail: Mapping[str, Any]) -> str:
    """Return what is wrong with a setting of study."""
    if code == "out_of_range":
        return gettext("A whole number from %(first)s to %(last)s.") % detail
    return gettext("This cannot be chosen.")

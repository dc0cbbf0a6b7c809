"""What is said of exports and erasures: what prevents one, and what to do about it."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ERASURE_BLOCKERS: Mapping[str, Promise] = {
    "already_erased": _("This person has been erased already."),
    "attempt_not_ended": _(
        "An attempt is still running or waits to be graded. Submit it, or wait until its time is"
        " over; then ask again."
    ),
    "legal_hold": _(
        "A legal hold is on this person or on one of their classes. Nothing is erased until an"
        " administrator has removed it."
    ),
    "last_administrator": _(
        "This is the last administrator. Make another person an administrator first."
    ),
}


def describe_blocker(code: str) -> str:
    """Return what prevents an erasure, and what to do, in a sentence or two."""
    return str(ERASURE_BLOCKERS[code])

"""Why scores by hand were not saved, in words."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quizzes.lib.errors import Conflict, Refused, ServiceError

_SENTENCES: Final[Mapping[str, Promise]] = {
    "answers_changed": gettext_lazy(
        "Other answers came or were graded in the meantime. Nothing was saved; look again."
    ),
    "comment_too_long": gettext_lazy("The reason is too long."),
    "denominator_too_large": gettext_lazy("Write the points with fewer digits."),
    "marked_meanwhile": gettext_lazy(
        "Somebody graded this attempt in the meantime. Nothing was saved; look at it again."
    ),
    "not_overridden": gettext_lazy("The computed score counts already."),
    "nothing_chosen": gettext_lazy("Choose the answers that get these points."),
    "reason_missing": gettext_lazy("Say why: the reason stays with the score."),
    "waits_for_person": gettext_lazy("An answer still waits for a person; grade it first."),
}


def describe_score_error(error: ServiceError, maximum: str = "") -> tuple[str, int]:
    """Return why nothing was saved, and the status of the page that says so.

    `maximum` is the most points that there are.
    """
    status = 409 if isinstance(error, (Conflict, Refused)) else 200
    if error.code == "share_out_of_range":
        sentence = _("Write a number from 0 to %(points)s: 3, 2.5, 7/3.")
        return sentence % {"points": maximum}, status
    return str(_SENTENCES.get(error.code) or _("The score was not saved.")), status

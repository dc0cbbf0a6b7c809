"""Mails in words, for those who oversee them: what they are about, and why one was not sent."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

KIND_LABELS: Final[Mapping[str, Promise]] = {
    "graded": _("answers were graded"),
    "regraded": _("a score has changed"),
    "challenge_answered": _("a challenge was answered"),
    "reopened": _("an attempt was reopened"),
    "opens_soon": _("a quiz opens soon"),
    "closes_soon": _("a quiz closes soon"),
    "study": _("cards are waiting"),
}
"""By the values of NotificationKind, whose own labels speak to the person who gets the mail."""
_OMISSIONS: Final[Mapping[str, Promise]] = {
    "account_ended": _("The account has ended."),
    "address_not_confirmed": _("The address is not confirmed."),
    "attempt_unreadable": _("The attempt cannot be read."),
    "attempt_voided": _("The attempt was voided."),
    "broken_off": _("The process that sent it ended each time."),
    "challenge_gone": _("The challenge is not there any more."),
    "handed_in": _("It was handed in meanwhile."),
    "no_cards": _("No card is left to be studied that day."),
    "quiz_gone": _("The quiz is not this person's any more."),
    "score_hidden": _("The score is not shown to the learner now."),
    "too_late": _("It would have come too late."),
    "unwanted": _("The person does not want such mails."),
}


def describe_omission(code: str) -> str:
    """Return the sentence of a code; what the mail server said, as it is."""
    sentence = _OMISSIONS.get(code)
    return code if sentence is None else str(sentence)

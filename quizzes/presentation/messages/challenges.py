"""Why a challenge, or an answer to one, is refused, in words."""

from django.utils.translation import gettext_lazy as _

from quizzes.lib.errors import ServiceError
from quizzes.presentation.messages.sentences import Sentences, describe

ERRORS: Sentences = {
    "challenge_before_grading": _("This attempt is not graded yet."),
    "challenge_reason_unknown": _("Choose what is wrong."),
    "challenge_comment_length": _("Say in your own words why, in %(limit)s characters at most."),
    "challenge_option_unknown": _("This option is not one of the question."),
    "challenged_before": _("You have challenged this question already."),
    "verdict_missing": _("Choose whether you accept the challenges or decline them."),
    "challenge_answer_length": _("Write an answer, of %(limit)s characters at most."),
}


def describe_challenge_error(error: ServiceError) -> str:
    """Return the sentence of an error of `challenges.services`."""
    return describe(error.code, ERRORS, error.detail)

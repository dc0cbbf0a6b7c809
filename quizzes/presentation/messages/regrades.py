"""What a regrade does to how many attempts, and why it cannot be done, in words."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from quizzes.lib.errors import ServiceError
from quizzes.presentation.messages.sentences import Sentences, describe

PROBLEMS: Sentences = {
    "content_differs": _("the learner was shown other options or fields than the newest version"),
    "erased": _("the answers are erased"),
    "unreadable": _("what is stored of the attempt cannot be read"),
    "took_too_long": _("grading the answer took too long"),
}
CHANGES: Sentences = {
    "rises": _("rises"),
    "falls": _("falls"),
    "stays": _("stays"),
}
ERRORS: Sentences = {
    "not_published": _("The question was never published."),
    "nothing_to_regrade": _("No attempt was graded by an older version of the question."),
    "reason_missing": _("Say why: the reason stays with the regrade."),
    "reason_too_long": _("The reason is too long: %(maximum)s characters at most."),
    "changed_meanwhile": _(
        "The question was published anew meanwhile. Look at the preview again before you commit."
    ),
}


def describe_preview_problem(code: str) -> str:
    """Return why an attempt cannot be compared."""
    return describe(code, PROBLEMS)


def describe_regrade_error(error: ServiceError) -> str:
    """Return the sentence of an error of `results.regrading`."""
    return describe(error.code, ERRORS, error.detail)


def describe_effects(counts: Mapping[str, int]) -> list[str]:
    """Return what happens to how many: `rise`, `now_pass`, `fall`, `no_longer_pass`, `stay`."""
    sentences = {
        "rise": ngettext(
            "%(count)s attempt gets a higher score.",
            "%(count)s attempts get a higher score.",
            counts["rise"],
        ),
        "now_pass": ngettext(
            "%(count)s attempt passes that did not.",
            "%(count)s attempts pass that did not.",
            counts["now_pass"],
        ),
        "fall": ngettext(
            "%(count)s attempt gets a lower score.",
            "%(count)s attempts get a lower score.",
            counts["fall"],
        ),
        "no_longer_pass": ngettext(
            "%(count)s attempt no longer passes.",
            "%(count)s attempts no longer pass.",
            counts["no_longer_pass"],
        ),
        "stay": ngettext(
            "%(count)s attempt keeps its score.",
            "%(count)s attempts keep their score.",
            counts["stay"],
        ),
    }
    return [
        sentence % {"count": counts[name]}
        for name, sentence in sentences.items()
        if counts[name] or name in {"rise", "fall"}
    ]

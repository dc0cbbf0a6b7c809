"""What a regrade does to how many attempts, and why it cannot be done, in words."""

from collections.abc import Mapping
from fractions import Fraction

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from quizzes.lib.errors import ServiceError
from quizzes.presentation.formatting import format_points
from quizzes.presentation.messages.kinds import scoring_method_label
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
    "nothing_to_revert": _("This regrade is reverted already, or is not one of the question."),
    "policy_unknown": _("Choose what becomes of the attempts."),
    "points_unknown": _("Points are a number above 0, below 10,000, with four decimals at most."),
    "scoring_method_unknown": _("Choose a scoring of this kind of question."),
    "reverts_unknown": _("Choose which regrade is reverted."),
    "reason_missing": _("Say why: the reason stays with the regrade."),
    "reason_too_long": _("The reason is too long: %(maximum)s characters at most."),
    "changed_meanwhile": _(
        "The question was published anew meanwhile. Look at the preview again before you commit."
    ),
}


POLICIES: Sentences = {
    "key/keep_better": _("by the corrected key, but nobody goes down"),
    "key/by_key": _("everybody by the corrected key"),
    "key/full_credit": _("full credit for everybody"),
    "full/full_credit": _("full credit for the question, for everybody"),
    "drop/keep_better": _("the question is dropped, but still counts for whom it helps"),
    "drop/by_key": _("the question is dropped for everybody"),
    "bonus/by_key": _("what it earns counts on top of the maximum, up to full marks"),
    "points/keep_better": _("worth %(points)s points, but nobody goes down"),
    "points/by_key": _("worth %(points)s points for everybody"),
    "method/keep_better": _("scored by “%(method)s”, but nobody goes down"),
    "method/by_key": _("scored by “%(method)s” for everybody"),
    "revert/by_key": _("as if the regrade had not been committed"),
}


def describe_policy(
    action: str, policy: str, *, points: Fraction | None = None, scoring_method: str = ""
) -> str:
    """Return what becomes of the attempts, in words."""
    detail = {
        "points": "" if points is None else format_points(points),
        "method": str(scoring_method_label(scoring_method)) if scoring_method else "",
    }
    return describe(f"{action}/{policy}", POLICIES, detail)


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

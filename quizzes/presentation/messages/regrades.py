"""What a regrade does to how many attempts, and why it cannot be done, in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from urllib.parse import urlencode

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from grading.totals import format_decimal
from quizzes.lib.errors import ServiceError
from quizzes.presentation.formatting import count_points, format_points
from quizzes.presentation.messages.kinds import scoring_method_label
from quizzes.presentation.messages.sentences import Sentences, describe
from quizzes.results.pending_changes import PendingChanges

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
    "points/keep_better": _("worth %(points)s, but nobody goes down"),
    "points/by_key": _("worth %(points)s for everybody"),
    "method/keep_better": _("scored by “%(method)s”, but nobody goes down"),
    "method/by_key": _("scored by “%(method)s” for everybody"),
    "revert/by_key": _("as if the regrade had not been committed"),
}


def describe_policy(
    action: str, policy: str, *, points: Fraction | None = None, scoring_method: str = ""
) -> str:
    """Return what becomes of the attempts, in words."""
    detail = {
        "points": "" if points is None else count_points(points),
        "method": str(scoring_method_label(scoring_method)) if scoring_method else "",
    }
    return describe(f"{action}/{policy}", POLICIES, detail)


@dataclass(frozen=True, slots=True)
class DescribedChange:
    """What is new of a question, in words, and the query of the page that previews it."""

    sentence: str
    query: str


def describe_pending_changes(changes: PendingChanges) -> list[DescribedChange]:
    """Return what newest versions say otherwise, a sentence a regrade."""
    described = []
    if changes.has_new_key:
        described.append(
            DescribedChange(gettext("The newest version has another key."), "action=key")
        )
    if changes.scoring_method:
        sentence = gettext(
            "The newest version is scored by another method: %(method)s. Before: %(old)s."
        ) % {
            "method": scoring_method_label(changes.scoring_method),
            "old": _join(str(scoring_method_label(method)) for method in changes.old_methods),
        }
        query = urlencode({"action": "method", "scoring_method": changes.scoring_method})
        described.append(DescribedChange(sentence, query))
    if changes.points is not None:
        sentence = gettext(
            "The newest version of the quiz gives it other points: %(points)s. Before: %(old)s."
        ) % {
            "points": format_points(changes.points),
            "old": _join(map(format_points, changes.old_points)),
        }
        query = urlencode({"action": "points", "points": format_decimal(changes.points)})
        described.append(DescribedChange(sentence, query))
    return described


def _join(words: Iterable[str]) -> str:
    return " · ".join(words)


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

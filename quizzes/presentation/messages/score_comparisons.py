"""Whether an item scores as in its file, in sentences."""

from fractions import Fraction

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from quizzes.formats.contract import ScoreComparison, ScoreDifference
from quizzes.presentation.formatting import format_fraction, format_percent
from quizzes.presentation.messages.sentences import Sentences, describe

NOT_COMPARED: Sentences = {
    "answered_otherwise": _("Not compared with the file: it is answered in another way here."),
    "by_person": _("Not compared with the file: people grade it."),
    "comparison_failed": _("Not compared with the file: the comparison failed."),
    "custom_scoring": _("Not compared with the file: custom scoring."),
    "key_not_compared": _(
        "Not compared with the file: its key was read, but the comparison does not know its form."
    ),
    "no_key": _("Not compared with the file: it does not say what is right."),
    "no_rule": _("Not compared with the file: it does not say what each answer earns."),
    "options_differ": _("Not compared with the file: it has other options there."),
    "own_format": _("Not compared with the file: it names our scoring method."),
    "rule_not_found": _("Not compared with the file: its scoring rule was not found."),
    "rule_unknown": _("Not compared with the file: its scoring rule is unknown here."),
    "self_graded": _("Not compared with the file: learners grade its cards themselves."),
    "too_large": _("Not compared with the file: it has too many options or answers."),
}
"""Why nothing was compared."""

_SIMPLE = 30
_ROUNDING = Fraction(1, 1000)


def describe_comparison(comparison: ScoreComparison) -> str:
    """Return whether an item scores as in its file, or why that is not known."""
    if comparison.reason:
        return describe(comparison.reason, NOT_COMPARED)
    count = comparison.compared
    if not comparison.differences:
        sentence = ngettext(
            "Scores as in the file: %(count)s answer compared, no difference.",
            "Scores as in the file: %(count)s answers compared, no difference.",
            count,
        )
        return sentence % {"count": count}
    differing = len(comparison.differences)
    values = {"differing": differing, "count": count}
    if comparison.is_told:
        return gettext(
            "Scores differ from the file for %(differing)s of %(count)s answers, as the notes say."
        ) % values  # fmt: skip
    return gettext("Scores differ from the file for %(differing)s of %(count)s answers.") % values


def describe_difference(difference: ScoreDifference) -> str:
    """Return what one answer earns in the file and here."""
    shares = {
        "in_file": _format_share(difference.in_file),
        "here": _format_share(difference.here),
    }
    if not difference.answer:
        return gettext("No answer: the file gives %(in_file)s, here %(here)s.") % shares
    answer = "; ".join(difference.answer)
    sentence = gettext("For “%(answer)s” the file gives %(in_file)s, here %(here)s.")
    return sentence % {**shares, "answer": answer}


def _format_share(share: Fraction) -> str:
    """Return a share as a simple fraction if it is one but for rounding, else in per cent."""
    simple = share.limit_denominator(_SIMPLE)
    is_simple = abs(simple - share) < _ROUNDING
    return format_fraction(simple) if is_simple else format_percent(round(share, 4))

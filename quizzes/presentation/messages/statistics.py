"""What measures mean, one sentence a code."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from quizzes.statistics.domain.cautions import Caution
from quizzes.statistics.domain.option_measures import Certainty, OptionRemark

CAUTIONS: Mapping[str, Promise] = {
    Caution.NO_ATTEMPTS: _("Nobody has been graded yet."),
    Caution.TOO_FEW_ATTEMPTS: _("There are too few attempts."),
    Caution.FEW_ATTEMPTS: _("Fewer than 30 attempts: chance plays a large part."),
    Caution.NO_VARIATION: _("All attempts earned the same, so there is nothing to compare."),
    Caution.ONE_QUESTION: _("There is only one question, so there is nothing to compare it with."),
    Caution.NEGATIVE_COVARIANCE: _("Marks fall as totals rise, so it has no weight."),
    Caution.DRAWN_QUESTIONS: _(
        "Questions are drawn, so this is the reliability of a random draw: a lower bound."
    ),
    Caution.UNEQUAL_DRAWS: _(
        "Learners had different questions of unequal worth or number: no formula fits."
    ),
    Caution.DIFFERENT_MAXIMA: _("Attempts could earn different points, so shares are shown."),
    Caution.FEW_COMMON_QUESTIONS: _(
        "Learners have fewer than five questions in common to be compared by."
    ),
    Caution.SMALL_GROUP: _(
        "Parts of fewer than five attempts are not shown, nor what would show them: it would be"
        " the scores or choices of a person."
    ),
    Caution.ONE_LANGUAGE: _("Fewer than two languages have 50 learners."),
}

CERTAINTIES: Mapping[str, Promise] = {
    Certainty.POSSIBLE: _("possible"),
    Certainty.LIKELY: _("likely"),
    Certainty.VERY_LIKELY: _("very likely"),
}
"""How sure a remark is."""

CERTAINTY_EXPLANATIONS: Mapping[str, Promise] = {
    Certainty.POSSIBLE: _("Chance alone does this more than once in 20 times."),
    Certainty.LIKELY: _("Chance alone does this at most once in 20 times."),
    Certainty.VERY_LIKELY: _("Chance alone does this at most once in 1000 times."),
}

REMARKS: Mapping[str, Promise] = {
    OptionRemark.KEY_AVOIDED_BY_GOOD_LEARNERS: _(
        "Learners who do well avoid %(option)s, which the key calls right: the key is probably"
        " wrong."
    ),
    OptionRemark.DISTRACTOR_CHOSEN_BY_GOOD_LEARNERS: _(
        "Learners who do well choose %(option)s, which the key calls wrong."
    ),
    OptionRemark.DISTRACTOR_NEVER_CHOSEN: _("Nobody chooses %(option)s."),
    OptionRemark.DISTRACTOR_RARELY_CHOSEN: _("Fewer than one in 20 choose %(option)s."),
}


def describe_caution(code: str) -> str:
    """Return why a figure is missing, or is to be read with care."""
    return str(CAUTIONS.get(code, code))


def describe_remark(code: str, option: str) -> str:
    """Return what an author should look at; `option` names the option."""
    return str(REMARKS[code]) % {"option": option}


def describe_dif(row: Mapping[str, Any], focal: str, reference: str) -> str:
    """Return in words how a question functions in one language beside another."""
    sentences = {
        ("A", True): gettext("About as hard in both languages."),
        ("A", False): gettext("About as hard in both languages."),
        ("B", True): gettext("Somewhat harder in %(focal)s than in %(reference)s."),
        ("B", False): gettext("Somewhat easier in %(focal)s than in %(reference)s."),
        ("C", True): gettext("Much harder in %(focal)s than in %(reference)s."),
        ("C", False): gettext("Much easier in %(focal)s than in %(reference)s."),
    }
    sentence = sentences[row["dif_class"], bool(row["is_harder_in_focal"])]
    return sentence % {"focal": focal, "reference": reference}

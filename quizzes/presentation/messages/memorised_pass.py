"""What memorising reaches in a draft, and what its author may do about it, in words."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from quizzes.presentation.formatting import format_percent
from quizzes.presentation.messages.sentences import Sentences
from quizzes.publishing.memorised_pass import PRACTICE, MemorisedPass

DISCLOSURES: Sentences = {
    "key": gettext_lazy(
        "Right answers or explanations are shown after each attempt. Of learners who know nothing "
        "and memorise them, %(share)s pass attempt %(number)s."
    ),
    "parts": gettext_lazy(
        "What was right and wrong, or feedback on it, is shown after each attempt. Of learners who "
        "know nothing and memorise it, %(share)s pass attempt %(number)s."
    ),
    PRACTICE: gettext_lazy(
        "Practice may show the right answers of this quiz. Whoever memorises them there passes the "
        "first attempt without knowing anything."
    ),
}


def describe_memorised_pass(memorised: MemorisedPass) -> str:
    """Return which pass is certain, and why, as a sentence or two."""
    detail = {"share": format_passing(memorised.passing), "number": memorised.attempt}
    return str(DISCLOSURES[memorised.disclosure]) % detail


def describe_remedy(settings: Mapping[str, Any]) -> str:
    """Return what changes with these settings of a remedy."""
    sentences = []
    if "max_attempts" in settings:
        count = settings["max_attempts"]
        text = _("Do not limit attempts: guests can take as many as they like.")
        if count is not None:
            text = ngettext("Allow one attempt only.", "Allow %(count)s attempts at most.", count)
        sentences.append(text % {"count": count})
    if any(name.startswith("reveal_") for name in settings):
        sentences.append(
            _(
                "Show what was right only once learners have passed, used their last attempt or "
                "given up; until then they see their score, hints and where to read on."
            )
        )
    if "practice_shows_keys" in settings:
        sentences.append(
            _("Keep practice from showing right answers while this quiz may still ask them.")
        )
    return " ".join(sentences)


def format_passing(part: float) -> str:
    """Return the part of simulated learners who pass."""
    return format_percent(Fraction(part).limit_denominator(1000), decimals=0)

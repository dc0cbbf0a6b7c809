"""How a question is scored, in the sentences that learners read before and after."""

from fractions import Fraction

from django.utils.translation import gettext

from grading.json_types import Content
from grading.kinds import KINDS
from grading.lower_bound import read_lower_bound
from grading.ordering.structure import PENALTY, read_penalty
from quizzes.presentation.formatting import format_fraction
from quizzes.presentation.kinds import PRESENTED_KINDS
from quizzes.presentation.messages.attempts import (
    ORDERING_PENALTIES,
    PENALIZING_SCORING_METHODS,
    describe_scoring_method,
)


def describe_scoring(kind: str, scoring_method: str, content: Content) -> str:
    """Return how a question is scored; "" where nobody needs to be told."""
    lower_bound = read_lower_bound(content, [])
    methods = PENALIZING_SCORING_METHODS
    if PENALTY in KINDS[kind].schema.fields:
        methods = ORDERING_PENALTIES if read_penalty(content, []) else {}
    if scoring_method in methods and (lower_bound < 0 or methods is ORDERING_PENALTIES):
        limit = _describe_penalty(-lower_bound) if lower_bound else gettext("Never below zero.")
        return f"{methods[scoring_method]} {limit}"
    if PRESENTED_KINDS[kind].shows_scoring_hint:
        return describe_scoring_method(scoring_method)
    return ""


def _describe_penalty(share: Fraction) -> str:
    """Return what wrong answers may cost at most, a share of the question's points."""
    if share == 1:
        cost = gettext("Wrong answers can cost as many points as the question is worth.")
    elif share < 1:
        cost = gettext("Wrong answers can cost up to %(share)s of the question’s points.")
    else:
        cost = gettext("Wrong answers can cost up to %(share)s times the question’s points.")
    total = gettext("The total of an attempt never falls below zero.")
    return f"{cost % {'share': format_fraction(share)}} {total}"

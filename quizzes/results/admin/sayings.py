"""How results are written for those who teach: exact numbers, outcomes, reasons."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from grading.totals import decimal_string
from quizzes.results.report import Score

OUTCOMES: Mapping[str, Promise] = {
    "right": _("right"),
    "partly": _("partly right"),
    "wrong": _("wrong"),
    "unanswered": _("not answered"),
    "waits": _("waits for a person"),
    "hidden": _("not shown"),
}
REASONS: Mapping[str, Promise] = {
    "right_chosen": _("chosen, and right"),
    "wrong_chosen": _("chosen, but wrong"),
    "missed": _("right, but not chosen"),
    "rightly_left": _("rightly not chosen"),
    "unanswered": _("not answered"),
    "not_chosen": _("not chosen"),
    "withdrawn": _("chosen, but no longer offered"),
    "not_all_right": _("not everything was right, so nothing remains"),
    "not_below_zero": _("never below zero"),
    "not_above_one": _("never above the whole"),
    "start": _("everything, to begin with"),
    "first_error": _("the first mistake takes half"),
    "second_error": _("the second mistake takes half of the rest"),
    "too_many_errors": _("too many mistakes: nothing remains"),
    "level_reached": _("the level reached"),
    "marked_by_a_person": _("marked by a person"),
    "accepted": _("among the accepted answers"),
    "accepted_partly": _("among the answers that earn a part"),
    "known_wrong": _("an answer known to be wrong"),
    "not_accepted": _("not among the accepted answers"),
    "near_miss": _("nearly an accepted answer"),
}


def figure(value: Fraction) -> str:
    """Write an exact number: 8, 0.25, 26 1/3; with the reader's decimal sign."""
    if 10_000 % value.denominator == 0:
        return number_format(Decimal(decimal_string(value, 4)))
    whole, rest = divmod(abs(value.numerator), value.denominator)
    sign = "-" if value < 0 else ""
    return f"{sign}{f'{whole} ' if whole else ''}{rest}/{value.denominator}"


def percent(score: Score) -> str:
    """Write a score in per cent: the very number that pages and programs show."""
    return f"{number_format(Decimal(score.percent))}\N{NO-BREAK SPACE}%"


def reason(code: str) -> str:
    """Say why a line of a ledger earned what it earned."""
    return str(REASONS.get(code, code.replace("_", " ")))

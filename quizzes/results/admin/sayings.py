"""How results are written for those who teach: exact numbers, outcomes."""

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
    "answered": _("answered"),
    "waits": _("waits for a person"),
    "ungraded": _("not graded"),
    "hidden": _("not shown"),
}


def figure(value: Fraction) -> str:
    """Return an exact number as text: 8, 0.25, 26 1/3; with the reader's decimal sign."""
    if 10_000 % value.denominator == 0:
        return number_format(Decimal(decimal_string(value, 4)))
    integer, rest = divmod(abs(value.numerator), value.denominator)
    sign = "-" if value < 0 else ""
    return f"{sign}{f'{integer} ' if integer else ''}{rest}/{value.denominator}"


def percent(score: Score) -> str:
    """Write a score in per cent: the very number that pages and programs show."""
    return f"{number_format(Decimal(score.percent))}\N{NO-BREAK SPACE}%"

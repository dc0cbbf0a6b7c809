"""Exact numbers as readers of a language write them."""

from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from string import ascii_uppercase

from django.utils.formats import date_format, number_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext, ngettext, pgettext

from grading.totals import format_decimal

MINUS = "\N{MINUS SIGN}"
EXACT_DENOMINATOR = 10_000
"""Four decimals: what an author may write, so what these can hold is shown so."""


def format_points(value: Fraction) -> str:
    """Return points exactly: 8, 0.08, 26 1/3; with the reader's decimal sign."""
    return _format_points(value.numerator, value.denominator, get_language())


@lru_cache(5_000)
def _format_points(numerator: int, denominator: int, _language: str | None) -> str:
    value = Fraction(numerator, denominator)
    if EXACT_DENOMINATOR % value.denominator == 0:
        return _localise(format_decimal(value, 4))
    return format_fraction(value)


def count_points(value: Fraction) -> str:
    """Return so many points with their noun: 1 point, 0.5 points."""
    points = ngettext("%(points)s point", "%(points)s points", 1 if value == 1 else 2)
    return points % {"points": format_points(value)}


def format_earned_points(earned: Fraction, maximum: Fraction) -> str:
    """Return what was earned of how many points: 0 of 1 point, 3 of 4 points."""
    numbers = {"points": format_points(earned), "maximum": count_points(maximum)}
    return gettext("%(points)s of %(maximum)s") % numbers


def format_fraction(value: Fraction) -> str:
    """Return a part of a question's points as a fraction: 2/3, 1."""
    sign = MINUS if value < 0 else ""
    integer, rest = divmod(abs(value.numerator), value.denominator)
    if not rest:
        return f"{sign}{integer}"
    return f"{sign}{f'{integer} ' if integer else ''}{rest}/{value.denominator}"


def format_signed_fraction(value: Fraction) -> str:
    """Return a fraction with its sign, a plus included."""
    return f"+{format_fraction(value)}" if value > 0 else format_fraction(value)


def format_percent(share: Fraction, decimals: int = 4) -> str:
    """Return a share in per cent: 80%; what has more decimals is cut off."""
    return append_percent_sign(_localise(format_decimal(share * 100, decimals)))


def append_percent_sign(number: str) -> str:
    """Return a number in per cent as the reader's language writes it: 80%, in Spanish 80 %."""
    return f"{number}{get_percent_sign()}"


def get_percent_sign() -> str:
    """Return the sign of per cent, behind the space that the reader's language puts there."""
    return pgettext("behind a number", "%")


def format_score(total: Fraction, maximum: Fraction, percent: str) -> str:
    """Return a score as every page of instructors shows it: 75% · 3 of 4."""
    return gettext("%(percent)s · %(total)s of %(maximum)s") % {
        "percent": format_score_percent(percent),
        "total": format_points(total),
        "maximum": format_points(maximum),
    }


def format_score_percent(percent: str) -> str:
    """Return the per cent of a score, which is stored as text: 37.5%."""
    return append_percent_sign(number_format(Decimal(percent)))


def _localise(number: str) -> str:
    return number_format(Decimal(number)).replace("-", MINUS)


def format_letter(place: int) -> str:
    """Return the letter of a place, from 0: A to Z, then AA, AB."""
    before, last = divmod(place, len(ascii_uppercase))
    return (format_letter(before - 1) if before else "") + ascii_uppercase[last]


def format_day(moment: datetime) -> str:
    """Return the day of a moment in the reader's zone, in full words."""
    return date_format(localtime(moment), "DATE_FORMAT")

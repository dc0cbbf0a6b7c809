"""Numbers in per cent in templates, with the sign as the reader's language sets it."""

from decimal import Decimal

from django import template
from django.template.defaultfilters import floatformat

from quizzes.presentation.formatting import append_percent_sign, get_percent_sign

register = template.Library()


@register.filter
def percent(number: Decimal | float | str) -> str:
    """Return a number in per cent with at most two decimals: 80%, in Spanish 33,33 %."""
    return append_percent_sign(floatformat(number, -2))


@register.simple_tag
def percent_sign() -> str:
    """Return the sign alone, where it is set smaller than its number."""
    return get_percent_sign()

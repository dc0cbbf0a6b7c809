"""What each try of a practised question is worth, as an author writes it: 1, 1/2, 1/4."""

import re
from fractions import Fraction
from itertools import pairwise

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MAX_TRIES = 10
_CREDIT = re.compile(r"\d{1,3}(?:/\d{1,3}|\.\d{1,4})?", re.ASCII)


def parse_practice_credits(text: str) -> tuple[Fraction, ...]:
    """Return the credits, the first try's first; not 1 to 10 falling shares of 1: ValueError."""
    parts = [part.strip() for part in text.split(",")]
    if not all(_CREDIT.fullmatch(part) for part in parts):
        raise ValueError(text)
    try:
        credit_list = tuple(map(Fraction, parts))
    except ZeroDivisionError as error:
        raise ValueError(text) from error
    falls = all(later <= earlier for earlier, later in pairwise(credit_list))
    if len(credit_list) > MAX_TRIES or not falls or credit_list[0] > 1:
        raise ValueError(text)
    return credit_list


def check_practice_credits(text: str) -> None:
    """Refuse what is no list of falling shares."""
    try:
        parse_practice_credits(text)
    except ValueError as error:
        raise ValidationError(
            _("Write falling shares with commas between them: 1, 1/2, 1/4.")
        ) from error

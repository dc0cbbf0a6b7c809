"""Writing an exact number for people, in a form that reading gives back as the same number."""

from fractions import Fraction

from grading.numeric.separators import DECIMAL_MARKS
from grading.numeric.tolerance import magnitude

PLAIN = range(-5, 15)
"""Powers of ten written out; beyond them, with ·10^."""


def format_number(number: Fraction, language: str, digits: int = 0) -> str:
    """Return a decimal if the number has one, else a fraction; with at least so many digits.

    The decimal mark is the language's, a point where that is not known; thousands stand unmarked.
    """
    sign, size = ("-" if number < 0 else ""), abs(number)
    places = _places(size)
    if places is None:
        return f"{sign}{size.numerator}/{size.denominator}"
    power = magnitude(size)
    mark = DECIMAL_MARKS.get(language, ".")
    if not size or power in PLAIN:
        padded = max(places, digits - 1 - power) if size else 0
        return sign + _decimal(size, padded, mark)
    coefficient = size / Fraction(10) ** power
    padded = max(_places(coefficient) or 0, digits - 1)
    return f"{sign}{_decimal(coefficient, padded, mark)}·10^{power}"


def _places(number: Fraction) -> int | None:
    """Count the decimals of a number that ends; None if it goes on for ever."""
    rest = number.denominator
    twos = (rest & -rest).bit_length() - 1
    rest >>= twos
    fives = 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def _decimal(number: Fraction, places: int, mark: str) -> str:
    places = max(places, 0)
    text = str(int(number * 10**places)).rjust(places + 1, "0")
    return f"{text[:-places]}{mark}{text[-places:]}" if places else text

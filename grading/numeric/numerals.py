"""Numerals as people write them: signs, decimal and thousands marks, powers of ten, fractions."""

import re
from dataclasses import dataclass
from fractions import Fraction

from grading.numeric.exact import scale_decimal
from grading.numeric.folding import fold, fold_unit, strip_invisible
from grading.numeric.numeral_error import BY_ZERO, NOT_A_NUMBER, TOO_FAR, TOO_LONG, NumeralError
from grading.numeric.separators import DECIMAL, MARKS, THOUSANDS, split_decimals

MAX_LENGTH = 100
"""Characters of a learner's numeral, its unit included."""

_CURRENCY = "$\u00a2-\u00a5\u20a0-\u20cf"
_POWER = r"(?:[eE]({0})| ?[*xX] ?10 ?(?:\^|\*\*) ?({0}))".format("[+-]?[0-9]+")
_GROUP = r"(?:[.,']| (?=[0-9]{3}(?![0-9])))[0-9]+"
_NUMERAL = re.compile(
    rf"([+-]?) ?([{_CURRENCY}]?) ?([+-]?) ?"
    r"(?:10 ?(?:\^|\*\*) ?([+-]?[0-9]+)"
    r"|(?:([0-9]+) )?([0-9]+) ?/ ?([0-9]+)"
    rf"|([0-9]+(?:{_GROUP})*[.,]?|[.,][0-9]+){_POWER}?)"
    r"(.*)"
)
_BROKEN_POWER = r"[eE](?! ?[*/]? ?[^\W\d_])|[xX] ?[0-9]"
_UNIT = re.compile(
    rf"(?!{_BROKEN_POWER})(?:[^\W\d_]|[%‰°'\"{_CURRENCY}])"
    rf"(?:[^\W_]|[%‰°'\"{_CURRENCY}/^*.()+-]| (?![0-9]))*"
)


@dataclass(frozen=True, slots=True)
class Numeral:
    """An exact number, the unit typed with it as it is compared ("" for none), and its digits.

    `digits` counts the significant digits as written: from the first that is not zero, all zeros
    after it included. A fraction is exact and has none to count: 0.
    """

    number: Fraction
    digits: int
    unit: str


@dataclass(frozen=True, slots=True)
class Readings:
    """Both ways to read an ambiguous numeral, its sign included.

    `integer` is what stands before the separator, `joined` all its digits.
    """

    integer: str
    joined: str


def parse_numeral(typed: str, language: str, separator: str = "") -> Numeral:
    """Read what a person typed; what is no number, or could be two: NumeralError.

    `separator` is what the person said of a mark that could be read in two ways.
    """
    if len(typed) > MAX_LENGTH:
        raise NumeralError(TOO_LONG)
    match = _NUMERAL.fullmatch(fold(typed))
    if match is None or (match[1] and match[3]):
        raise NumeralError(NOT_A_NUMBER)
    number, digits = _number(match, language, separator)
    negative = "-" in {match[1], match[3]}
    return Numeral(-number if negative else number, digits, _unit(match[2], match[11].strip()))


def find_readings(typed: str) -> Readings | None:
    """Return how a numeral can be read if it can be two numbers; None for any other text."""
    typed = strip_invisible(typed)
    try:
        decimal = parse_numeral(typed, "", DECIMAL)
        if decimal.number == parse_numeral(typed, "", THOUSANDS).number:
            return None
    except NumeralError:
        return None
    match = _NUMERAL.fullmatch(fold(typed))
    body = match[8] if match else ""
    before, after = MARKS.split(body)[:2]
    sign = "-" if decimal.number < 0 else ""
    return Readings(sign + before, sign + before + after)


def _number(match: re.Match[str], language: str, separator: str) -> tuple[Fraction, int]:
    _, _, _, power_of_ten, integer, above, below, body, power, tenth, _ = match.groups()
    if below is not None:
        return _fraction(integer, above, below), 0
    if body is None:
        return _scaled("1", "", power_of_ten), 1
    exponent = power or tenth
    before, after = split_decimals(body, language, separator, scientific=exponent is not None)
    digits = (before + after).lstrip("0")
    return _scaled(before, after, exponent or "0"), len(digits) or 1


def _fraction(integer: str | None, above: str, below: str) -> Fraction:
    """Return `1/3` or `1 1/2`; its fraction is proper and does not look like a thousands group."""
    if not int(below):
        raise NumeralError(BY_ZERO)
    part = Fraction(int(above), int(below))
    if integer is None:
        return part
    if part >= 1 or above.startswith("0"):
        raise NumeralError(NOT_A_NUMBER)
    return int(integer) + part


def _scaled(before: str, after: str, power: str) -> Fraction:
    try:
        return scale_decimal(before or "0", after, power)
    except ValueError:
        raise NumeralError(TOO_FAR) from None


def _unit(currency: str, rest: str) -> str:
    if rest and not _UNIT.fullmatch(rest):
        raise NumeralError(NOT_A_NUMBER)
    return fold_unit(currency + rest)

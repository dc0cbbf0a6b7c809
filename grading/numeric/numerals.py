"""Numerals as people write them: signs, decimal and thousands marks, powers of ten, fractions.

Which mark is which follows from the numeral wherever it can: `3.14`, `0,125`, `1.234,5` and
`1,234,567` read alike in every language. Only one mark before exactly three digits (`1.234`) is
read by the language of the writer, and not at all where that is not known; with one digit before
it and a power of ten after it (`1.234e3`) it parts the decimals, as scientific notation has it.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from grading.numeric.exact import scale_decimal
from grading.numeric.folding import fold, fold_unit

NOT_A_NUMBER = "not_a_number"
AMBIGUOUS = "ambiguous_number"
TOO_LONG = "number_too_long"
TOO_FAR = "exponent_too_large"
BY_ZERO = "zero_denominator"

MAX_LENGTH = 100
"""Characters of a learner's numeral, its unit included."""

THOUSAND = 3
"""Digits in a group."""

DECIMAL_MARKS = {"en": ".", "es": ","}
"""What parts the decimals, by language; the other one then groups thousands."""

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
_MARKS = re.compile("[.,' ]")


class NumeralError(ValueError):
    """Why a numeral cannot be read; `code` is one of the codes above."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Numeral:
    """An exact number, the unit typed with it as it is compared ("" for none), and its digits.

    `digits` counts the significant digits as written: from the first that is not zero, all zeros
    after it included. A fraction is exact and has none to count: 0.
    """

    number: Fraction
    digits: int
    unit: str


def parse_numeral(typed: str, language: str) -> Numeral:
    """Read what a person typed; what is no number, or could be two: NumeralError."""
    if len(typed) > MAX_LENGTH:
        raise NumeralError(TOO_LONG)
    match = _NUMERAL.fullmatch(fold(typed))
    if match is None or (match[1] and match[3]):
        raise NumeralError(NOT_A_NUMBER)
    number, digits = _number(match, language)
    negative = "-" in {match[1], match[3]}
    return Numeral(-number if negative else number, digits, _unit(match[2], match[11].strip()))


def _number(match: re.Match[str], language: str) -> tuple[Fraction, int]:
    _, _, _, power_of_ten, integer, above, below, body, power, tenth, _ = match.groups()
    if below is not None:
        return _fraction(integer, above, below), 0
    if body is None:
        return _scaled("1", "", power_of_ten), 1
    exponent = power or tenth
    before, after = _parted(body, language, scientific=exponent is not None)
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


def _parted(body: str, language: str, *, scientific: bool) -> tuple[str, str]:
    """Return the digits before and after the decimal mark; `scientific` with a power of ten."""
    if body[-1] in ".,":
        body = body[:-1]
    marks = _MARKS.findall(body)
    if scientific and body[1:2] in marks and marks[0] in ".," and len(marks) == 1:
        decimal = marks[0]
    else:
        decimal = _decimal_mark(body, marks, language)
    before, _, after = body.rpartition(decimal) if decimal else (body, "", "")
    groups = _MARKS.split(before)
    mixed = len(set(marks) - {decimal}) > 1
    if len(groups) > 1 and (mixed or not _are_groups(groups)):
        raise NumeralError(NOT_A_NUMBER)
    return "".join(groups), after


def _decimal_mark(body: str, marks: list[str], language: str) -> str:
    """Return the decimal mark; "" where all marks group thousands, or there is none.

    The last of different marks, a mark that cannot group, or what the language says of it.
    """
    if not marks:
        return ""
    last = marks[-1]
    if len(marks) > 1:
        return last if last in ".," and marks.count(last) == 1 else ""
    if last == " " or not _are_groups(body.split(last)):
        return last if last in ".," else ""
    if last == "'" and language == "en":
        return ""
    if last == "'" or language not in DECIMAL_MARKS:
        raise NumeralError(AMBIGUOUS)
    return last if last == DECIMAL_MARKS[language] else ""


def _are_groups(groups: list[str]) -> bool:
    first, *others = groups
    complete = all(len(group) == THOUSAND for group in others)
    return complete and 0 < len(first) <= THOUSAND and first[0] != "0"


def _unit(currency: str, rest: str) -> str:
    if rest and not _UNIT.fullmatch(rest):
        raise NumeralError(NOT_A_NUMBER)
    return fold_unit(currency + rest)

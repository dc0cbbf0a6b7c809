"""Which mark in a numeral parts the decimals, and which group thousands.

That follows from the numeral wherever it can: `3.14`, `0,125`, `1.234,5` and `1,234,567` read alike
in every language. Only one mark before exactly three digits (`1.234`) can be either: its writer
says which (`DECIMAL`, `THOUSANDS`), else the language does. With one digit before it and a power of
ten after it (`1.234e3`) it parts the decimals, as scientific notation has it.
"""

import re

from grading.numeric.numeral_error import AMBIGUOUS, NOT_A_NUMBER, NumeralError

DECIMAL, THOUSANDS = "decimal", "thousands"
SEPARATORS = ("", DECIMAL, THOUSANDS)
"""What the writer says of the one mark; "" for nothing."""

DECIMAL_MARKS = {"en": ".", "es": ","}
"""What parts the decimals, by language; the other one then groups thousands."""

THOUSAND = 3
"""Digits in a group."""

MARKS = re.compile("[.,' ]")


def split_decimals(
    body: str, language: str, separator: str, *, scientific: bool
) -> tuple[str, str]:
    """Return the digits before and after the decimal mark; `scientific` with a power of ten."""
    if body[-1] in ".,":
        body = body[:-1]
    marks = MARKS.findall(body)
    if scientific and body[1:2] in marks and marks[0] in ".," and len(marks) == 1:
        decimal = marks[0]
    else:
        decimal = _find_decimal_mark(body, marks, language, separator)
    before, _, after = body.rpartition(decimal) if decimal else (body, "", "")
    groups = MARKS.split(before)
    mixed = len(set(marks) - {decimal}) > 1
    if len(groups) > 1 and (mixed or not _are_groups(groups)):
        raise NumeralError(NOT_A_NUMBER)
    return "".join(groups), after


def _find_decimal_mark(body: str, marks: list[str], language: str, separator: str) -> str:
    """Return the decimal mark; "" where all marks group thousands, or there is none.

    The last of different marks, a mark that cannot group, or what the writer or the language says.
    """
    if not marks:
        return ""
    last = marks[-1]
    if len(marks) > 1:
        return last if last in ".," and marks.count(last) == 1 else ""
    if last == " " or not _are_groups(body.split(last)):
        return last if last in ".," else ""
    if separator:
        return last if separator == DECIMAL else ""
    if last == "'" and language == "en":
        return ""
    if last == "'" or language not in DECIMAL_MARKS:
        raise NumeralError(AMBIGUOUS)
    return last if last == DECIMAL_MARKS[language] else ""


def _are_groups(groups: list[str]) -> bool:
    first, *others = groups
    complete = all(len(group) == THOUSAND for group in others)
    return complete and 0 < len(first) <= THOUSAND and first[0] != "0"

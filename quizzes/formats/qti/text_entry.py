"""Interactions of QTI 2 and 3 that are answered in words and numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.builders import Accepted, Head, Number, build_numeric, build_short_text
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.numbers import between, written
from quizzes.formats.parsing.percentages import snapped
from quizzes.formats.qti.interactions import Award, number
from quizzes.formats.qti.item import Source
from quizzes.formats.qti.response_declarations import Declared, Mapping

_ANY = ""  # no words that a file names
_STEP = Fraction(1, 1000)
FOLDING = {"accents": True, "spaces": True, "punctuation": True}
_DECIMAL = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?", re.ASCII)
Worth = tuple[str, Fraction, bool, tuple[str, str, str]]
"""A value, what it earns, whether case counts, and the tolerance about it."""


def entry_of(source: Source, head: Head, node: Element) -> ParsedQuestion:
    """Build a short text or a number, as the base type says."""
    response = source.response(node)
    worth = worth_of(source, response, source.awards(node))
    if not any(credit for _, credit, _, _ in worth):
        source.note("key_unknown")
    head = replace(head, told={**head.told, "otherwise": _otherwise(source)})
    if is_number(response):
        return build_numeric(head, list(numbers_of(source, response, worth)))
    case, accepted = accepted_of(source, response, worth)
    return build_short_text(head, accepted, case=case, **FOLDING)


def _otherwise(source: Source) -> str:
    """Give what is said to any answer that is none of those expected."""
    said = source.scoring.said.items()
    return source.said(*(ident for ident, band in said if not band))


def is_number(response: Declared) -> bool:
    """Tell whether a number is asked for."""
    return response.base in {"integer", "float"}


def worth_of(source: Source, response: Declared, awards: Sequence[Award]) -> list[Worth]:
    """Give each accepted value with its credit."""
    if not awards:
        return [(value, Fraction(1), True, ("", "", "")) for value in response.correct]
    found = list(_paid(source, response, awards))
    full = max((amount for _, amount, _, _ in found), default=Fraction(0))
    if any(amount < 0 for _, amount, _, _ in found):
        source.note("negative_credit", response.id)
    return [
        (value, snapped(amount / full, _STEP) if full else full, case, tolerance)
        for value, amount, case, tolerance in found
        if amount >= 0
    ]


def _paid(source: Source, response: Declared, awards: Sequence[Award]) -> Iterator[Worth]:
    for one in awards:
        if one.how == "correct":
            yield from ((value, one.amount, one.case, one.tolerance) for value in response.correct)
        elif one.how == "map" and response.mapping:
            yield from _mapped(source, response, response.mapping, one.line)
        elif one.how == "value":
            yield one.value, one.amount, one.case, one.tolerance
        else:
            source.note("custom_response_processing", one.how, one.line)


def _mapped(source: Source, response: Declared, mapping: Mapping, line: int) -> Iterator[Worth]:
    """Give what each entry pays, and what any other words do; an empty answer never earns here."""
    rest = mapping.within(mapping.default)
    if (mapping.lower or 0) > 0 or (rest > 0 and is_number(response)):
        source.note("custom_response_processing", "defaultValue", line)
        rest = Fraction(0)
    for key, value, case in mapping.entries:
        if key:
            yield key, mapping.within(value), case, ("", "", "")
    if rest > 0:
        yield _ANY, rest, any(case for _, _, case in mapping.entries), ("", "", "")


def accepted_of(
    source: Source, response: Declared, worth: Sequence[Worth]
) -> tuple[bool, list[Accepted]]:
    """Give whether case counts, and the answers; where it counts for some only, by patterns."""
    cases = {case for _, _, case, _ in worth}
    mixed = len(cases) > 1
    accepted = [
        Accepted(
            _any_case(value) if mixed and not case else _literal(value),
            credit,
            source.said_to(response.id, value),
            pattern=mixed and not case,
        )
        for value, credit, case, _ in worth
    ]
    return True in cases, list({one.text: one for one in reversed(accepted)}.values())[::-1]


def _literal(value: str) -> str:
    r"""Escape what would stand for more than itself; `C:\dir` may stand as it is."""
    if not value:
        return "*"
    if "*" not in value and "\\\\" not in value:
        return value
    return value.replace("\\", "\\\\").replace("*", "\\*")


def _any_case(value: str) -> str:
    return "".join(_either(one) for one in value)


def _either(character: str) -> str:
    lower, upper = character.lower(), character.upper()
    if lower != upper and len(lower) == len(upper) == 1:
        return f"[{upper}{lower}]"
    return character if character.isalnum() or character.isspace() else f"\\{character}"


def numbers_of(source: Source, response: Declared, worth: Sequence[Worth]) -> Iterator[Number]:
    """Give each accepted number with its tolerance."""
    for value, credit, _, (mode, below, above) in worth:
        exact = number(value)
        if exact is None:
            source.note("key_unknown", value)
            continue
        said = source.said_to(response.id, value)
        low, high = number(below or "0"), number(above or "0")
        if low is None or high is None or mode not in {"", "exact", "absolute", "relative"}:
            source.note("custom_response_processing", f"{mode} {below} {above}")
            low = high = Fraction(0)
        if mode in {"", "exact"}:
            yield Number(_kept(value), credit=credit, feedback=said)
        elif low == high and low:
            margin = _kept(below) if mode == "absolute" else written(low / 100)
            yield Number(_kept(value), mode, margin, credit, said)
        else:
            part = abs(exact) / 100 if mode == "relative" else 1
            found = between(exact, exact - low * part, exact + high * part)
            yield Number(found[1], found[0], found[2], credit, said)


def _kept(value: str) -> str:
    """Give a number as it stands in the file, if it can stand so here."""
    value = value.strip()
    return value if _DECIMAL.fullmatch(value) else written(number(value) or Fraction(0))

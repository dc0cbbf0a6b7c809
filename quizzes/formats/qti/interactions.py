"""What a test in the processing of QTI 2 and 3 asks of an answer, where a key can ask it, too."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.xml import XmlNode

_NUMBER = re.compile(r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,2})?", re.ASCII)


@dataclass(slots=True)
class Custom(Exception):
    """The item is paid by a rule of its own, which no list of right answers can hold."""

    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Award:
    """What is paid, and for what.

    `how`: `correct` (the declared answer of each response), `value` (this value), `has` (this
    value among others), or `map` (what the mapping says; the amount is of no account).
    """

    how: str
    responses: tuple[str, ...]
    amount: Fraction
    line: int
    value: str = ""
    case: bool = True
    tolerance: tuple[str, str, str] = ("", "", "")  # mode, below, above


def number(text: str) -> Fraction | None:
    """Read a decimal number of bounded size exactly."""
    text = text.strip()
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def tests(tested: Element, amount: Fraction) -> Iterator[Award]:
    """Read what is asked for."""
    line = line_of(tested)
    parts = list(tested)
    if tested.tag == "and" and parts:
        every = [award for part in parts for award in tests(part, amount)]
        if any(one.how != "correct" for one in every):
            raise Custom(line, "and")
        yield Award("correct", tuple(one.responses[0] for one in every), amount, line)
        return
    if len(parts) != 2:  # noqa: PLR2004  the answer and what it is held against
        raise Custom(line, tested.tag)
    if tested.tag == "member":
        parts.reverse()
    answer, against = parts
    if answer.tag != "variable":
        answer, against = against, answer
    if against.tag == "multiple" and len(against) == 1:
        against = against[0]
    response = answer.get("identifier", "")
    how = {"contains": "has", "member": "has"}.get(tested.tag, "value")
    if tested.tag not in {"match", "equal", "stringMatch", "contains", "member"}:
        raise Custom(line, tested.tag)
    if answer.tag != "variable":
        raise Custom(line, tested.tag)
    yield _against(tested, response, against, how, amount)


def _against(tested: Element, response: str, against: Element, how: str, amount: Fraction) -> Award:
    line = line_of(tested)
    case = tested.get("caseSensitive", "true") != "false"
    mode = tested.get("toleranceMode", "exact") if tested.tag == "equal" else ""
    below, _, above = tested.get("tolerance", "").strip().partition(" ")
    tolerance = (mode, below, above.strip() or below)
    if tested.get("substring") == "true":
        raise Custom(line, tested.tag)
    if against.tag == "correct" and against.get("identifier") == response and how == "value":
        return Award("correct", (response,), amount, line, case=case, tolerance=tolerance)
    if against.tag != "baseValue":
        raise Custom(line, against.tag)
    value = (against.text or "").strip()
    return Award(how, (response,), amount, line, value, case, tolerance)


def constant(node: Element) -> Fraction | None:
    """Give the number that stands there as such."""
    return number(node.text or "") if node.tag == "baseValue" else None


def line_of(node: Element) -> int:
    """Give the line that an element begins on."""
    return node.line if isinstance(node, XmlNode) else 1

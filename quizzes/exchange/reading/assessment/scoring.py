"""What an item of QTI 2 or 3 pays for, where its processing is one that a key can hold."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.exchange.reading.xhtml import words
from quizzes.exchange.reading.xml import Node

SCORE = "SCORE"
_TEMPLATES = {
    "match_correct": "correct",
    "map_response": "map",
    "CC2_match": "correct",
    "CC2_match_basic": "correct",
    "CC2_map_response": "map",
}
_NUMBER = re.compile(r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,2})?", re.ASCII)
_TEMPLATE = re.compile(r"([A-Za-z0-9_]+?)(?:\.xml)?/?$")


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


@dataclass(slots=True)
class Paid:
    """All awards of an item, and the feedback shown to a right and to a wrong answer."""

    awards: list[Award] = field(default_factory=list)
    said: dict[str, Fraction] = field(default_factory=dict)  # feedback → the band it is of
    echoed: bool = False  # the answer itself names the feedback

    def of(self, response: str) -> list[Award]:
        """Give the awards of one response."""
        return [one for one in self.awards if response in one.responses]


def number(text: str) -> Fraction | None:
    """Read a decimal number of bounded size exactly."""
    text = text.strip()
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def paid(processing: Element | None) -> Paid:
    """Read the response processing of an item; what no key can hold: Custom."""
    read = Paid()
    if processing is None:
        return read
    template = processing.get("template") or processing.get("templateLocation") or ""
    if template and not len(processing):
        found = _TEMPLATE.search(template)
        how = _TEMPLATES.get(found[1] if found else "")
        if how is None:
            raise Custom(_line(processing), template[:200])
        read.awards.append(Award(how, ("RESPONSE",), Fraction(1), _line(processing)))
        return read
    for one in processing:
        _statement(one, read)
    return read


def _statement(node: Element, read: Paid) -> None:
    if node.tag == "setOutcomeValue":
        for award in _set(node, None, read):
            read.awards.append(award)
    elif node.tag == "responseCondition":
        _condition(node, read)
    else:
        raise Custom(_line(node), node.tag)


def _condition(node: Element, read: Paid) -> None:
    """Read if, else if and else; an else pays nothing, unless the if asks whether all is empty."""
    empty = False
    for branch in node:
        parts = list(branch)
        if branch.tag == "responseElse":
            tested, then = None, parts
        elif parts:
            tested, then = parts[0], parts[1:]
        else:
            raise Custom(_line(branch), branch.tag)
        if tested is not None and tested.tag == "isNull":
            empty = True
            _nothing(then, read)
        elif tested is None and not empty and len(node) > 1:
            _nothing(then, read)
        else:
            for one in then:
                _branch(one, tested, read)


def _branch(node: Element, tested: Element | None, read: Paid) -> None:
    if node.tag == "setOutcomeValue":
        read.awards += _set(node, tested, read)
    elif node.tag == "responseCondition" and tested is not None and _is_filled(tested):
        _condition(node, read)
    else:
        raise Custom(_line(node), node.tag)


def _is_filled(tested: Element) -> bool:
    return tested.tag == "isNotNull" or (
        tested.tag == "not" and len(tested) == 1 and tested[0].tag == "isNull"
    )


def _nothing(statements: list[Element], read: Paid) -> None:
    """Hold that a branch pays nothing; what it says is said to a wrong answer."""
    for one in statements:
        if one.tag != "setOutcomeValue" or len(one) != 1:
            raise Custom(_line(one), one.tag)
        if one.get("identifier") != SCORE:
            _saying(one, Fraction(0), read)
        elif not (_constant(one[0]) == 0 or _is_score(one[0])):
            raise Custom(_line(one), words(one)[:200])


def _set(node: Element, tested: Element | None, read: Paid) -> Iterator[Award]:
    """Read one setting of an outcome: an award where it is the score's."""
    if len(node) != 1:
        raise Custom(_line(node), node.tag)
    if node.get("identifier") != SCORE:
        _saying(node, Fraction(1), read)
        return
    (value,) = node
    terms = [one for one in (value if value.tag == "sum" else [value]) if not _is_score(one)]
    adds = value.tag == "sum" and len(terms) < len(value)
    if read.awards and not adds and not (tested is not None and _is_chain(tested, read)):
        raise Custom(_line(node), "")
    for one in terms:
        yield from _award(one, tested)


def _is_chain(tested: Element, read: Paid) -> bool:
    """Tell whether this is one more value of the one response that is paid by values."""
    awards = list(_tests(tested, Fraction(0)))
    every = [*awards, *read.awards]
    return len({one.responses for one in every}) == 1 and {one.how for one in every} == {"value"}


def _award(term: Element, tested: Element | None) -> Iterator[Award]:
    line = _line(term)
    if term.tag == "mapResponse" and (tested is None or _is_filled(tested)):
        yield Award("map", (term.get("identifier", ""),), Fraction(0), line)
        return
    amount = _constant(term)
    if amount is None or (tested is None and amount):
        raise Custom(line, term.tag)
    if tested is not None and amount:
        yield from _tests(tested, amount)
    elif tested is not None and not _is_filled(tested):
        list(_tests(tested, amount))


def _tests(tested: Element, amount: Fraction) -> Iterator[Award]:
    """Read what is asked for."""
    line = _line(tested)
    parts = list(tested)
    if tested.tag == "and" and parts:
        every = [award for part in parts for award in _tests(part, amount)]
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
    line = _line(tested)
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


def _constant(node: Element) -> Fraction | None:
    return number(node.text or "") if node.tag == "baseValue" else None


def _is_score(node: Element) -> bool:
    return node.tag == "variable" and node.get("identifier") == SCORE


def _saying(node: Element, band: Fraction, read: Paid) -> None:
    """Note what feedback a setting calls up."""
    (value,) = node
    if value.tag == "baseValue":
        read.said[(value.text or "").strip()] = band
    elif value.tag == "variable":
        read.echoed = True


def _line(node: Element) -> int:
    return node.line if isinstance(node, Node) else 1

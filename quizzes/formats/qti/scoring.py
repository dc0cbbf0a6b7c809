"""What an item of QTI 2 or 3 pays for, where its processing is one that a key can hold."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.qti.interactions import Award, Custom, constant, line_of, tests

SCORE = "SCORE"
_TEMPLATES = {
    "match_correct": "correct",
    "map_response": "map",
    "CC2_match": "correct",
    "CC2_match_basic": "correct",
    "CC2_map_response": "map",
}
_VERDICT = re.compile(r"(?:is_)?(?:in)?(?:correct|right|wrong)(?:_fb)?", re.IGNORECASE)
_TEMPLATE = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z0-9_]+)(?:\.xml)?/?$")


@dataclass(slots=True)
class Paid:
    """All awards of an item, and the feedback shown to a right and to a wrong answer."""

    awards: list[Award] = field(default_factory=list)
    said: dict[str, Fraction] = field(default_factory=dict)  # feedback → the band it is of
    scores: dict[str, Fraction] = field(default_factory=dict)  # feedback → the score it begins at
    linked: dict[str, tuple[str, str]] = field(default_factory=dict)  # → response and its value
    echoed: bool = False  # the answer itself names the feedback

    def of(self, response: str) -> list[Award]:
        """Give the awards of one response."""
        return [award for award in self.awards if response in award.responses]


def paid(processing: Element | None) -> Paid:
    """Read the response processing of an item; what no key can hold: Custom."""
    read = Paid()
    if processing is None:
        return read
    template = processing.get("template") or processing.get("templateLocation") or ""
    if template and not len(processing):
        match = _TEMPLATE.search(template)
        how = _TEMPLATES.get(match[1] if match else "")
        if how is None:
            raise Custom(line_of(processing), template[:200])
        read.awards.append(Award(how, ("RESPONSE",), Fraction(1), line_of(processing)))
        return read
    for child in processing:
        _statement(child, read)
    return read


def _statement(node: Element, read: Paid) -> None:
    if node.tag == "setOutcomeValue":
        for award in _set(node, None, read):
            read.awards.append(award)
    elif node.tag == "responseCondition":
        _condition(node, read)
    else:
        raise Custom(line_of(node), node.tag)


def _condition(node: Element, read: Paid) -> None:
    """Read if, else if and else; an else pays nothing, unless the if asks whether all is empty."""
    if _is_banding(node, read):
        return
    empty = False
    for branch in node:
        parts = list(branch)
        if branch.tag == "responseElse":
            tested, then = None, parts
        elif parts:
            tested, then = parts[0], parts[1:]
        else:
            raise Custom(line_of(branch), branch.tag)
        if tested is not None and tested.tag == "isNull":
            empty = True
            _nothing(then, read)
        elif tested is None and not empty and len(node) > 1:
            _nothing(then, read)
        else:
            for one in then:
                _branch(one, tested, read)


def _is_banding(node: Element, read: Paid) -> bool:
    """Tell whether scores are told apart here; what is said from each on is kept."""
    begun: dict[str, Fraction] = {}
    for branch in node:
        match list(branch):
            case [tested, then] if tested.tag == "gte" and then.tag == "setOutcomeValue":
                begins = constant(tested[1]) if len(tested) == 2 and _is_score(tested[0]) else None  # noqa: PLR2004  score and number
                if begins is None or then.get("identifier") == SCORE or len(then) != 1:
                    return False
                begun[(then[0].text or "").strip()] = begins
            case _:
                return False
    read.scores |= begun
    return bool(begun)


def _branch(node: Element, tested: Element | None, read: Paid) -> None:
    if node.tag == "setOutcomeValue":
        read.awards += _set(node, tested, read)
    elif node.tag == "responseCondition" and tested is not None and _is_filled(tested):
        _condition(node, read)
    else:
        raise Custom(line_of(node), node.tag)


def _is_filled(tested: Element) -> bool:
    return tested.tag == "isNotNull" or (
        tested.tag == "not" and len(tested) == 1 and tested[0].tag == "isNull"
    )


def _nothing(statements: list[Element], read: Paid) -> None:
    """Hold that a branch pays nothing; what it says is said to a wrong answer."""
    for statement in statements:
        if statement.tag != "setOutcomeValue" or len(statement) != 1:
            raise Custom(line_of(statement), statement.tag)
        if statement.get("identifier") != SCORE:
            _saying(statement, Fraction(0), read)
        elif not (constant(statement[0]) == 0 or _is_score(statement[0])):
            raise Custom(line_of(statement), read_text(statement)[:200])


def _set(node: Element, tested: Element | None, read: Paid) -> Iterator[Award]:
    """Read one setting of an outcome: an award where it is the score's."""
    if len(node) != 1:
        raise Custom(line_of(node), node.tag)
    if node.get("identifier") != SCORE:
        _saying(node, Fraction(1), read, tested)
        return
    (value,) = node
    terms = [one for one in (value if value.tag == "sum" else [value]) if not _is_score(one)]
    adds = value.tag == "sum" and len(terms) < len(value)
    if (
        any(_pays(award) for award in read.awards)
        and not adds
        and not (tested is not None and _is_chain(tested, read))
    ):
        raise Custom(line_of(node), "")
    for term in terms:
        yield from _award(term, tested)


def _pays(award: Award) -> bool:
    return award.how == "map" or award.amount != 0


def _is_chain(tested: Element, read: Paid) -> bool:
    """Tell whether this is one more value of the one response that is paid by values."""
    awards = list(tests(tested, Fraction(0)))
    every = [*awards, *read.awards]
    return len({one.responses for one in every}) == 1 and {one.how for one in every} == {"value"}


def _award(term: Element, tested: Element | None) -> Iterator[Award]:
    line = line_of(term)
    if term.tag == "mapResponse" and (tested is None or _is_filled(tested)):
        yield Award("map", (term.get("identifier", ""),), Fraction(0), line)
        return
    amount = constant(term)
    if amount is None or (tested is None and amount):
        raise Custom(line, term.tag)
    if tested is not None and (amount or not _is_filled(tested)):
        yield from (test for test in tests(tested, amount) if amount or test.how == "value")


def _is_score(node: Element) -> bool:
    return node.tag == "variable" and node.get("identifier") == SCORE


def _saying(node: Element, band: Fraction, read: Paid, tested: Element | None = None) -> None:
    """Note what feedback a setting calls up: that of one value, or of a score."""
    (value,) = node
    if value.tag == "baseValue":
        ident = (value.text or "").strip()
        tests = _plainly(tested)
        if len(tests) == 1 and tests[0].how in {"value", "has"} and not _VERDICT.fullmatch(ident):
            read.linked[ident] = (tests[0].responses[0], tests[0].value)
        else:
            read.said[ident] = band
    elif value.tag == "variable":
        read.echoed = True


def _plainly(tested: Element | None) -> list[Award]:
    """Give what is asked for; what is asked in a way of its own: nothing."""
    try:
        return [] if tested is None or _is_filled(tested) else list(tests(tested, Fraction(1)))
    except Custom:
        return []

"""The response processing of QTI 2 and 3: templates and statements, run on one answer."""

import re
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.numbers import parse_number
from quizzes.source_scoring.qti.expressions import QtiState, read_number
from quizzes.source_scoring.qti.mapping import map_response
from quizzes.source_scoring.qti.values import NUMERIC, QtiDeclaration, QtiValue, read_declarations
from quizzes.source_scoring.rules import NotComparable, SourceAnswer

SCORE = "SCORE"
_SIDES = ("lower", "upper")
_RESPONSE = "RESPONSE"
_TEMPLATE = re.compile(r"([A-Za-z0-9_]+)(?:\.xml)?/?$")
_CORRECT = frozenset({"match_correct", "CC2_match", "CC2_match_basic"})
_MAPPED = frozenset({"map_response", "CC2_map_response"})


class _ExitResponse(Exception):
    """`exitResponse`: no further statement is run."""


@dataclass(frozen=True, slots=True)
class QtiProcessing:
    """An item's response processing with its declarations."""

    node: Element
    responses: dict[str, QtiDeclaration]
    outcomes: dict[str, QtiDeclaration]
    template: str = field(default="")

    def compute(self, answer: SourceAnswer) -> Fraction:
        """Return the score of an answer, or raise NotComparable."""
        values: dict[str, QtiValue | None] = {
            identifier: outcome.parse_values(outcome.correct)
            for identifier, outcome in self.outcomes.items()
        }
        for identifier in {SCORE, *self.outcomes}:
            if identifier == SCORE or self.outcomes[identifier].base_type in NUMERIC:
                values[identifier] = values.get(identifier) or QtiValue((Fraction(0),))
        for identifier, response in self.responses.items():
            values[identifier] = response.parse_values(answer.get(identifier, ()))
        if self.template:
            return self._apply_template(values.get(_RESPONSE))
        state = QtiState({**self.outcomes, **self.responses}, values)
        try:
            for statement in self.node:
                _run(statement, state)
        except _ExitResponse:
            pass
        return read_number(values.get(SCORE))

    @property
    def bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """Return the lowest and the highest score of the one mapping; None where none is named."""
        mappings = [each.mapping for each in self.responses.values() if each.mapping is not None]
        if len(mappings) != 1:
            return None, None
        low, high = (parse_number(mappings[0].get(f"{side}Bound", "")) for side in _SIDES)
        return low, high

    def ignore_bounds(self) -> "QtiProcessing":
        """Return the processing without the bounds of a mapping; several keep theirs."""
        if self.bounds == (None, None):
            return self
        responses = {
            identifier: replace(response, mapping=_drop_bounds(response.mapping))
            for identifier, response in self.responses.items()
        }
        return replace(self, responses=responses)

    def include_ends(self) -> "QtiProcessing":
        """Return the processing by which the ends of a tolerance count."""
        node = deepcopy(self.node)
        for equal in node.iter("equal"):
            for side in _SIDES:
                equal.attrib.pop(f"include{side.title()}Bound", None)
        return replace(self, node=node)

    def _apply_template(self, value: QtiValue | None) -> Fraction:
        response = self.responses.get(_RESPONSE)
        if response is None:
            raise NotComparable("rule_unknown", self.template)
        if self.template in _MAPPED:
            return map_response(response, value) if value else Fraction(0)
        correct = response.parse_values(response.correct)
        return Fraction(bool(value and correct and value.matches(correct)))


def _drop_bounds(mapping: Element | None) -> Element | None:
    if mapping is None:
        return None
    unbounded = deepcopy(mapping)
    for side in _SIDES:
        unbounded.attrib.pop(f"{side}Bound", None)
    return unbounded


def read_processing(item: Element) -> QtiProcessing:
    """Return the response processing of an item; without one: NotComparable."""
    node = item.find("responseProcessing")
    if node is None:
        raise NotComparable("no_rule")
    responses = read_declarations(item, "responseDeclaration")
    outcomes = read_declarations(item, "outcomeDeclaration")
    address = node.get("template") or node.get("templateLocation") or ""
    if len(node):
        return QtiProcessing(node, responses, outcomes)
    match = _TEMPLATE.search(address)
    if match is None:
        raise NotComparable("rule_unknown" if address else "no_rule", address)
    if match[1] not in _CORRECT | _MAPPED:
        raise NotComparable("rule_unknown", match[1])
    return QtiProcessing(node, responses, outcomes, match[1])


def _run(statement: Element, state: QtiState) -> None:
    if statement.tag == "setOutcomeValue":
        value = state.evaluate(statement[0]) if len(statement) else None
        state.values[statement.get("identifier", "")] = value
    elif statement.tag == "responseCondition":
        branches = (branch for branch in statement if _holds(branch, state))
        branch = next(branches, None)
        for inner in [] if branch is None else list(branch)[branch.tag != "responseElse" :]:
            _run(inner, state)
    elif statement.tag == "responseProcessingFragment":
        for inner in statement:
            _run(inner, state)
    elif statement.tag == "exitResponse":
        raise _ExitResponse
    else:
        raise NotComparable("rule_unknown", statement.tag)


def _holds(branch: Element, state: QtiState) -> bool:
    if branch.tag == "responseElse":
        return True
    if not len(branch):
        raise NotComparable("rule_unknown", branch.tag)
    return state.is_true(branch[0])

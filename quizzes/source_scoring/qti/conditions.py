"""The conditions of QTI 1.2 items, run on one answer in their order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from xml.etree.ElementTree import Element

from quizzes.formats.builders import strip_layout
from quizzes.formats.parsing.numbers import parse_number
from quizzes.source_scoring.rules import NotComparable, SourceAnswer

_NUMERIC: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "varequal": eq,
    "varlt": lt,
    "varlte": le,
    "vargt": gt,
    "vargte": ge,
}
_INCLUSIVE = {**_NUMERIC, "varlt": le, "vargt": ge}
_SET_ACTIONS: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "set": lambda _score, points: points,
    "add": lambda score, points: score + points,
    "subtract": lambda score, points: score - points,
    "multiply": lambda score, points: score * points,
}


@dataclass(frozen=True, slots=True)
class ConditionProcessing:
    """The conditions of one item. `numeric`, `multiple`, `ordered` are identifiers of responses.

    `trims`: blanks around what is typed do not count. `includes_ends`: a number at the end of a
    range is in it.
    """

    conditions: tuple[Element, ...]
    numeric: frozenset[str]
    multiple: frozenset[str]
    ordered: frozenset[str]
    minimum: Fraction | None = None
    maximum: Fraction | None = None
    trims: bool = True
    includes_ends: bool = False

    def compute(self, answer: SourceAnswer) -> Fraction:
        """Return the score of an answer within the declared bounds, or raise NotComparable."""
        score, any_holds = Fraction(0), False
        for condition in self.conditions:
            settings = condition.findall("setvar")
            test = condition.find("conditionvar")
            if not settings or not self._holds_all(test, answer, any_holds=any_holds):
                continue
            any_holds = True
            for setting in settings:
                score = _apply(setting, score)
            if condition.get("continue", "").lower() == "no":
                break
        score = score if self.minimum is None else max(score, self.minimum)
        return score if self.maximum is None else min(score, self.maximum)

    def _holds_all(self, test: Element | None, answer: SourceAnswer, *, any_holds: bool) -> bool:
        """Return whether a condition holds; several values of one single response are or-ed."""
        children = [
            child for child in (test if test is not None else ()) if child.tag != "qticomment"
        ]
        responses = {child.get("respident", "") for child in children}
        holds = [self._holds(child, answer, any_holds=any_holds) for child in children]
        if responses & self.ordered and all(child.tag == "varequal" for child in children):
            return self._is_in_order(children, answer)
        is_listing = {child.tag for child in children} == {"varequal"} and len(responses) == 1
        return any(holds) if is_listing and not responses & self.multiple else all(holds)

    def _is_in_order(self, tests: list[Element], answer: SourceAnswer) -> bool:
        values = answer.get(tests[0].get("respident", ""), ())
        places = [int(test.get("index", "") or at) for at, test in enumerate(tests, start=1)]
        return len(values) == len(tests) and all(
            0 < place <= len(values) and values[place - 1] == (test.text or "").strip()
            for place, test in zip(places, tests, strict=True)
        )

    def _holds(self, node: Element, answer: SourceAnswer, *, any_holds: bool) -> bool:
        inner = [child for child in node if child.tag != "qticomment"]
        match node.tag:
            case "and" | "or" | "not":
                return self._combine(node.tag, inner, answer, any_holds=any_holds)
            case "other":
                return not any_holds
            case "unanswered":
                return not answer.get(node.get("respident", ""))
            case _:
                return self._compares(node, answer.get(node.get("respident", ""), ()))

    def _combine(
        self, operator: str, inner: list[Element], answer: SourceAnswer, *, any_holds: bool
    ) -> bool:
        is_order = inner and {child.get("respident", "") for child in inner} <= self.ordered
        if operator == "and" and is_order:
            return self._is_in_order(inner, answer)
        holds = [self._holds(child, answer, any_holds=any_holds) for child in inner]
        return any(holds) if operator == "or" else all(holds) == (operator == "and")

    def _compares(self, node: Element, values: tuple[str, ...]) -> bool:
        operand, is_number = (node.text or "").strip(), node.get("respident", "") in self.numeric
        if node.tag in _NUMERIC and (is_number or node.tag != "varequal"):
            target, numbers = parse_number(operand), list(map(parse_number, values))
            if target is None:
                raise NotComparable("rule_unknown", f"{node.tag} {operand}"[:200])
            compares = (_INCLUSIVE if self.includes_ends else _NUMERIC)[node.tag]
            return any(number is not None and compares(number, target) for number in numbers)
        if not self.trims:
            operand = strip_layout(node.text or "")
        if node.tag not in {"varequal", "varsubstring"}:
            raise NotComparable("rule_unknown", node.tag)
        if node.get("case", "No").lower() != "yes":
            operand, values = operand.casefold(), tuple(value.casefold() for value in values)
        if node.tag == "varsubstring":
            return any(operand in value for value in values)
        return operand in (value.strip() if self.trims else value for value in values)


def _apply(setting: Element, score: Fraction) -> Fraction:
    points = parse_number(setting.text or "")
    action = setting.get("action", "Set").lower()
    if points is None or action not in _SET_ACTIONS:
        raise NotComparable("rule_unknown", f"{action} {setting.text or ''}"[:200])
    return _SET_ACTIONS[action](score, points)

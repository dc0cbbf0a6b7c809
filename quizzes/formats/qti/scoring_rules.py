"""The tests in the response processing of QTI 2 and 3, as rules that a key can express."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.parsing.xml import get_line
from quizzes.formats.qti.assessment_item import CustomScoring
from quizzes.formats.qti.response_declarations import read_operand

_BASES = {
    "match": "value",
    "equal": "value",
    "stringMatch": "value",
    "contains": "member",
    "member": "member",
}


@dataclass(frozen=True, slots=True)
class ScoringRule:
    """The points for an answer.

    `basis` is what the answer must be: `correct` (the declared response, of each of `responses`),
    `value` (equal to `operand`), `member` (it holds `operand`), `map` (the points are those of
    the mapping), or `otherwise` (any other answer than the rule before it asks for).
    """

    basis: str
    responses: tuple[str, ...]
    points: Fraction
    line: int
    operand: str = ""
    case: bool = True
    tolerance: tuple[str, str, str] = ("", "", "")  # mode, below, above
    has_open_end: bool = False  # what is exactly so far off does not count


def read_rules(test: Element, points: Fraction) -> Iterator[ScoringRule]:
    """Yield the rules of a test, or raise CustomScoring."""
    line = get_line(test)
    parts = list(test)
    if test.tag == "and" and parts:
        rules = [rule for part in parts for rule in read_rules(part, points)]
        if any(rule.basis != "correct" for rule in rules):
            raise CustomScoring(line, "and")
        yield ScoringRule("correct", tuple(rule.responses[0] for rule in rules), points, line)
        return
    if len(parts) != 2 or test.tag not in _BASES:  # noqa: PLR2004  the answer and its operand
        raise CustomScoring(line, test.tag)
    answer, operand = reversed(parts) if test.tag == "member" else parts
    if answer.tag != "variable":
        answer, operand = operand, answer
    if answer.tag != "variable" or test.get("substring") == "true":
        raise CustomScoring(line, test.tag)
    if operand.tag == "multiple" and len(operand) == 1:
        operand = operand[0]
    response, basis = answer.get("identifier", ""), _BASES[test.tag]
    if operand.tag == "correct" and operand.get("identifier") == response and basis == "value":
        basis = "correct"
    elif operand.tag != "baseValue":
        raise CustomScoring(line, operand.tag)
    mode = test.get("toleranceMode", "exact") if test.tag == "equal" else ""
    below, _, above = test.get("tolerance", "").strip().partition(" ")
    yield ScoringRule(
        basis,
        (response,),
        points,
        line,
        read_operand(operand.get("baseType", ""), operand.text or "") if basis != "correct" else "",
        test.get("caseSensitive", "true") != "false",
        (mode, below, above.strip() or below),
        any(test.get(f"include{side}Bound") == "false" for side in ("Lower", "Upper")),
    )


def read_constant(node: Element) -> Fraction | None:
    """Return the number of a `baseValue`; None of any other element."""
    return parse_number(node.text or "") if node.tag == "baseValue" else None

"""The conditions of a QTI 1.2 item: each as alternatives of simple tests."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from xml.etree.ElementTree import Element

from quizzes.formats.builders import strip_layout
from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import get_line
from quizzes.formats.qti.assessment_item import CustomScoring

_MAX_CONDITIONS = 600
_MAX_CLAUSES = 1_000
_OPERATORS = {
    "varequal": "=",
    "varlt": "<",
    "varlte": "<=",
    "vargt": ">",
    "vargte": ">=",
    "varsubstring": "in",
}
_OPPOSITE = {"and": "or", "or": "and"}


@dataclass(frozen=True, slots=True)
class ResponseTest:
    """A comparison of a response with a value; negated unless it `must_hold`.

    `typed` is the value with the blanks around it, which count where something is typed. Of a
    response that is a number (`is_number`), values are equal as numbers, else as words.
    """

    response: str
    operator: str
    operand: str
    case: bool = False
    must_hold: bool = True
    typed: str = ""
    is_number: bool = False


Clause = tuple[ResponseTest, ...]
"""Tests that must all hold."""


@dataclass(frozen=True, slots=True)
class RespCondition:
    """A `respcondition`: it holds if any of its clauses does, or always.

    With `is_fallback`, it holds where no condition before it does (`other`); with `unanswered`, at
    most where these responses are empty.
    `points` is what it adds or, with `sets_score`, sets; None if it leaves the score alone.
    `feedback` are the identifiers that it displays; with `stops`, no later condition counts.
    """

    line: int
    clauses: tuple[Clause, ...]
    holds_always: bool
    points: Fraction | None
    sets_score: bool
    feedback: tuple[str, ...]
    stops: bool
    is_fallback: bool
    unanswered: frozenset[str]

    @property
    def tests(self) -> list[ResponseTest]:
        """Return the tests of all clauses."""
        return [test for clause in self.clauses for test in clause]


def read_conditions(
    item: Element, multiple: Container[str], numbers: Container[str]
) -> Iterator[RespCondition]:
    """Yield the conditions of an item.

    `multiple` are the responses that hold several values, `numbers` those that are numbers.
    """
    conditions = list(item.iter("respcondition"))
    settings = item.iter("setvar")
    variables = {
        node.get("varname", "SCORE") for node in settings if parse_number(node.text or "") != 0
    }
    if len(conditions) > _MAX_CONDITIONS:
        raise CustomScoring(get_line(item))
    if len(variables) > 1:
        raise CustomScoring(get_line(item), ", ".join(sorted(variables))[:200])
    for condition in conditions:
        yield _read_condition(condition, _Forms(multiple, numbers))


@dataclass(frozen=True, slots=True)
class _Forms:
    """Which responses hold several values, and which are numbers."""

    multiple: Container[str]
    numbers: Container[str]


def _read_condition(node: Element, forms: _Forms) -> RespCondition:
    settings = node.findall("setvar")
    points = [_read_points(setting) for setting in settings]
    tests = node.find("conditionvar")
    inner = [] if tests is None else list(tests)
    try:
        clauses = [()] if tests is None else _read_conditionvar(tests, forms)
    except CustomScoring:
        if any(points):
            raise
        clauses = []  # it gives no points; its feedback is noted as unlinked
    return RespCondition(
        get_line(node),
        tuple(filter(None, clauses)),
        holds_always=() in clauses,
        points=sum(points, Fraction(0)) if points else None,
        sets_score=any(setting.get("action", "Set").lower() == "set" for setting in settings),
        feedback=tuple(link.get("linkrefid", "") for link in node.findall("displayfeedback")),
        stops=node.get("continue", "").lower() == "no",
        is_fallback=any(test.tag == "other" for test in inner),
        unanswered=frozenset(
            test.get("respident", "") for test in inner if test.tag == "unanswered"
        ),
    )


def _read_points(setting: Element) -> Fraction:
    points = parse_number(setting.text or "")
    action = setting.get("action", "Set").lower()
    if points is None or action not in {"set", "add", "subtract"}:
        raise CustomScoring(get_line(setting), f"{action} {read_text(setting)}"[:200])
    return -points if action == "subtract" else points


def _read_conditionvar(node: Element, forms: _Forms) -> Sequence[Clause]:
    """Return alternatives; several values of one single response are alternatives too."""
    children = [child for child in node if child.tag != "qticomment"]
    responses = {child.get("respident", "") for child in children}
    equals_one = {child.tag for child in children} == {"varequal"} and len(responses) == 1
    operator = (
        "or" if equals_one and not any(name in forms.multiple for name in responses) else "and"
    )
    return _combine(operator, children, forms, must_hold=True)


def _combine(
    operator: str, nodes: Sequence[Element], forms: _Forms, *, must_hold: bool
) -> Sequence[Clause]:
    alternatives = [_read_clauses(node, forms, must_hold=must_hold) for node in nodes]
    if (operator if must_hold else _OPPOSITE[operator]) == "or":
        return [clause for clauses in alternatives for clause in clauses]
    size = 1
    for clauses in alternatives:
        size *= len(clauses)
        if size > _MAX_CLAUSES:
            raise CustomScoring(get_line(nodes[0]))
    return [
        tuple(test for clause in clauses for test in clause) for clauses in product(*alternatives)
    ]


def _read_clauses(node: Element, forms: _Forms, *, must_hold: bool) -> Sequence[Clause]:
    if node.tag in _OPPOSITE:
        return _combine(node.tag, list(node), forms, must_hold=must_hold)
    if node.tag == "not":
        return _combine("and", list(node), forms, must_hold=not must_hold)
    if node.tag == "other" and must_hold:
        return [()]
    if node.tag not in _OPERATORS:
        raise CustomScoring(get_line(node), node.tag)
    test = ResponseTest(
        node.get("respident", ""),
        _OPERATORS[node.tag],
        (node.text or "").strip(),
        node.get("case", "No").lower() == "yes",
        must_hold,
        strip_layout(node.text or ""),
        node.get("respident", "") in forms.numbers,
    )
    return [(test,)]

"""The rules of QTI items that score responses and choose feedback."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from quizzes.formats.export.elements import build_element

RESPONSE, SCORE, MAXSCORE, FEEDBACK, BAND = "RESPONSE", "SCORE", "MAXSCORE", "FEEDBACK", "BAND"


def build_variable(name: str) -> Element:
    """Return a reference to a response or an outcome."""
    return build_element("variable", identifier=name)


def build_base_value(type_: str, text: str) -> Element:
    """Return a literal value."""
    return build_element("baseValue", text=text, baseType=type_)


def build_comparison(tag: str, response: str, type_: str, text: str, **options: str) -> Element:
    """Return a test that compares a response or outcome with a literal value."""
    return build_element(tag, build_variable(response), build_base_value(type_, text), **options)


def build_correct_test(response: str = RESPONSE) -> Element:
    """Return the test whether a response is the declared one."""
    correct = build_element("correct", identifier=response)
    return build_element("match", build_variable(response), correct)


def build_mapped_score(response: str) -> Element:
    """Return the sum that the mapping gives for a response."""
    return build_element("mapResponse", identifier=response)


def build_assignment(outcome: str, value: str | Element) -> Element:
    """Return the statement that sets an outcome, to an identifier or to any value."""
    if isinstance(value, str):
        value = build_base_value("identifier", value)
    return build_element("setOutcomeValue", value, identifier=outcome)


def build_score(points: str | Element, *, add: bool = False) -> Element:
    """Return the statement that sets the score, or adds to it."""
    amount = build_base_value("float", points) if isinstance(points, str) else points
    total = build_element("sum", build_variable(SCORE), amount) if add else amount
    return build_assignment(SCORE, total)


def build_condition(
    branches: Iterable[tuple[Element, Element]], otherwise: Element | None = None
) -> Element:
    """Return the condition that runs the statement of the first test that holds, else the last."""
    condition = Element("responseCondition")
    for test, statement in branches:
        tag = "responseElseIf" if len(condition) else "responseIf"
        condition.append(build_element(tag, test, statement))
    if otherwise is not None:
        condition.append(build_element("responseElse", otherwise))
    return condition


def list_values(tag: str, texts: Iterable[str]) -> Element:
    """Return a declaration's list of values."""
    return build_element(tag, *(build_element("value", text=text) for text in texts))

"""The pieces that items of QTI are written of: elements, tests, settings of outcomes."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

RESPONSE, SCORE, MAXSCORE, FEEDBACK, BAND = "RESPONSE", "SCORE", "MAXSCORE", "FEEDBACK", "BAND"


def made(tag: str, *inside: Element, text: str = "", **attributes: str) -> Element:
    """Make an element."""
    node = Element(tag, attributes)
    node.text = text or None
    node.extend(inside)
    return node


def variable(name: str) -> Element:
    """Name a response or an outcome."""
    return made("variable", identifier=name)


def base(type_: str, text: str) -> Element:
    """Give a value."""
    return made("baseValue", text=text, baseType=type_)


def setting(outcome: str, value: Element) -> Element:
    """Set an outcome."""
    return made("setOutcomeValue", value, identifier=outcome)


def adding(amount: Element) -> Element:
    """Add to the score."""
    return setting(SCORE, made("sum", variable(SCORE), amount))


def correct(response: str = RESPONSE) -> Element:
    """Ask whether a response is as declared."""
    return made("match", variable(response), made("correct", identifier=response))


def given(response: str) -> Element:
    """Ask whether there is a response at all."""
    return made("not", made("isNull", variable(response)))


def chain(branches: Iterable[tuple[Element, list[Element]]], last: list[Element]) -> Element:
    """Do what belongs to the first test that holds; else the last, if there is any."""
    condition = Element("responseCondition")
    for test, then in branches:
        tag = "responseElseIf" if len(condition) else "responseIf"
        condition.append(made(tag, test, *then))
    if last:
        condition.append(made("responseElse", *last))
    return condition


def values(parent: str, *texts: str) -> Element:
    """List values."""
    return made(parent, *(made("value", text=text) for text in texts))


def lift(parent: Element, blocks: Element) -> None:
    """Move all that stands in `blocks` into an empty parent; of one paragraph, its words."""
    alone = len(blocks) == 1 and blocks[0].tag == "p" and not (blocks[0].tail or "").strip()
    source = blocks[0] if alone else blocks
    parent.text = source.text
    parent.extend(source)


def within(parent: Element, tag: str, **attributes: str) -> Element:
    """Make an element at the end of another."""
    return SubElement(parent, tag, attributes)

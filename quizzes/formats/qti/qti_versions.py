"""Translate names between QTI 2 (`choiceInteraction`) and QTI 3 (`qti-choice-interaction`)."""

import re
from collections.abc import Container
from xml.etree.ElementTree import Element

GAP = "gap"
"""The class of a text entry that is a gap even if it is the only one."""
_DASH = re.compile(r"-([a-z0-9])")
_CAPITAL = re.compile(r"[A-Z]")
_WRAPPED = "contentBody"
_ASIDE = {"modalFeedback", "feedbackBlock", "rubricBlock"}
_XML = re.compile(r"\{.*|xml:.*|class")


def spell_as_qti2(root: Element) -> None:
    """Rename the elements and attributes of QTI 3 in a tree as in QTI 2."""
    for node in root.iter():
        if node.tag.startswith("qti-"):
            node.tag = camel_case(node.tag.removeprefix("qti-"))
            node.tag = "div" if node.tag == _WRAPPED else node.tag
            attributes = {camel_case(key): value for key, value in node.attrib.items()}
            node.attrib.clear()
            node.attrib.update(attributes)


def camel_case(name: str) -> str:
    """Return a name (`directed-pair`) as in QTI 2 (`directedPair`)."""
    return _DASH.sub(lambda match: match[1].upper(), name)


def spelled(root: Element, ours: Container[str]) -> None:
    """Spell a tree of QTI 2 as QTI 3 does; names not among `ours` are HTML and stay so."""
    for node in list(root.iter()):
        if node.tag not in ours:
            continue
        if node.tag in _ASIDE:
            _wrap(node)
        node.tag = f"qti-{_dashed(node.tag)}"
        attributes = {
            key if _XML.fullmatch(key) else _dashed(key): v for key, v in node.attrib.items()
        }
        node.attrib.clear()
        node.attrib.update(attributes)


def _wrap(node: Element) -> None:
    """Put all that stands in an element into one that is there for it."""
    inside = Element("qti-content-body")
    inside.text, node.text = node.text, None
    inside.extend(node)
    for child in list(node):
        node.remove(child)
    node.append(inside)


def _dashed(name: str) -> str:
    return _CAPITAL.sub(lambda match: f"-{match[0].lower()}", name)

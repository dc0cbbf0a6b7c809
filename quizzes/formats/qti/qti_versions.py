"""QTI 3 spells `qti-choice-interaction` what QTI 2 spells `choiceInteraction`: ours is QTI 2."""

import re
from collections.abc import Container
from xml.etree.ElementTree import Element

GAP = "gap"
"""The class of a place to type in that is a gap of a text, though it be the only one."""
_DASH = re.compile(r"-([a-z0-9])")
_CAPITAL = re.compile(r"[A-Z]")
_WRAPPED = "contentBody"
_ASIDE = {"modalFeedback", "feedbackBlock", "rubricBlock"}
_XML = re.compile(r"\{.*|xml:.*|class")


def plain(root: Element) -> None:
    """Spell all names of a tree as QTI 2 does, without namespaces; HTML stays HTML."""
    for node in root.iter():
        name = node.tag
        if name.startswith("qti-"):
            node.tag = _camel(name.removeprefix("qti-"))
            node.tag = "div" if node.tag == _WRAPPED else node.tag
            attributes = {_camel(key): value for key, value in node.attrib.items()}
            node.attrib.clear()
            node.attrib.update(attributes)
        else:
            node.tag = name


def _camel(name: str) -> str:
    return _DASH.sub(lambda match: match[1].upper(), name)


def camel(word: str) -> str:
    """Spell a value (`directed-pair`) as QTI 2 does."""
    return _camel(word)


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

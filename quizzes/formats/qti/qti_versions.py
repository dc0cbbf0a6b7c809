"""QTI 3 spells `qti-choice-interaction` what QTI 2 spells `choiceInteraction`: ours is QTI 2."""

import re
from collections.abc import Container
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.xml import local

GAP = "gap"
"""The class of a place to type in that is a gap of a text, though it be the only one."""
_DASH = re.compile(r"-([a-z0-9])")
_CAPITAL = re.compile(r"[A-Z]")
_WRAPPED = "contentBody"
_ASIDE = {"modalFeedback", "feedbackBlock", "rubricBlock"}
_XML = re.compile(r"\{.*|xml:.*|class")


def plain(root: Element) -> None:
    """Spell all names of a tree as QTI 2 does, without namespaces; HTML stays HTML."""
    for one in root.iter():
        name = local(one)
        if name.startswith("qti-"):
            one.tag = _camel(name.removeprefix("qti-"))
            one.tag = "div" if one.tag == _WRAPPED else one.tag
            held = {_camel(key): value for key, value in one.attrib.items()}
            one.attrib.clear()
            one.attrib.update(held)
        else:
            one.tag = name


def _camel(name: str) -> str:
    return _DASH.sub(lambda found: found[1].upper(), name)


def camel(word: str) -> str:
    """Spell a value (`directed-pair`) as QTI 2 does."""
    return _camel(word)


def spelled(root: Element, ours: Container[str]) -> None:
    """Spell a tree of QTI 2 as QTI 3 does; names not among `ours` are HTML and stay so."""
    for one in list(root.iter()):
        if one.tag not in ours:
            continue
        if one.tag in _ASIDE:
            _wrap(one)
        one.tag = f"qti-{_dashed(one.tag)}"
        held = {key if _XML.fullmatch(key) else _dashed(key): v for key, v in one.attrib.items()}
        one.attrib.clear()
        one.attrib.update(held)


def _wrap(node: Element) -> None:
    """Put all that stands in an element into one that is there for it."""
    inside = Element("qti-content-body")
    inside.text, node.text = node.text, None
    inside.extend(node)
    for one in list(node):
        node.remove(one)
    node.append(inside)


def _dashed(name: str) -> str:
    return _CAPITAL.sub(lambda found: f"-{found[0].lower()}", name)

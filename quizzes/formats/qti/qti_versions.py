"""Translate names between QTI 2 (`choiceInteraction`) and QTI 3 (`qti-choice-interaction`)."""

import re
from xml.etree.ElementTree import Element

GAP = "gap"
"""The class of a text entry that is a gap even if it is the only one."""
_DASH = re.compile(r"-([a-z0-9])")
_CAPITAL = re.compile(r"[A-Z]")
_WRAPPER = "contentBody"
_WRAPPED = {"modalFeedback", "feedbackBlock", "rubricBlock"}
_SAME_ATTRIBUTE = re.compile(r"\{.*|xml:.*|class")
_ONE_WORD = frozenset(
    "and correct equal gte mapping match member not null sum value variable".split()
)
"""Elements of QTI whose names have no capital, as those of HTML have none."""


def spell_as_qti2(root: Element) -> None:
    """Rename the elements and attributes of QTI 3 in a tree as in QTI 2."""
    for node in root.iter():
        if node.tag.startswith("qti-"):
            node.tag = camel_case(node.tag.removeprefix("qti-"))
            node.tag = "div" if node.tag == _WRAPPER else node.tag
            _rename_attributes(node, {key: camel_case(key) for key in node.attrib})


def camel_case(name: str) -> str:
    """Return a name (`directed-pair`) as in QTI 2 (`directedPair`)."""
    return _DASH.sub(lambda match: match[1].upper(), name)


def spell_as_qti3(root: Element) -> None:
    """Rename the elements and attributes of QTI 2 in a tree as in QTI 3."""
    for node in list(root.iter()):
        if node.tag in _ONE_WORD or _CAPITAL.search(node.tag):
            if node.tag in _WRAPPED:
                _wrap_children(node)
            node.tag = f"qti-{_add_dashes(node.tag)}"
            keys = (key for key in node.attrib if not _SAME_ATTRIBUTE.fullmatch(key))
            _rename_attributes(node, {key: _add_dashes(key) for key in keys})


def _rename_attributes(node: Element, names: dict[str, str]) -> None:
    attributes = {names.get(key, key): text for key, text in node.attrib.items()}
    node.attrib.clear()
    node.attrib.update(attributes)


def _wrap_children(node: Element) -> None:
    """Put the content of an element into a `qti-content-body`."""
    body = Element(f"qti-{_add_dashes(_WRAPPER)}")
    body.text, node.text = node.text, None
    body.extend(node)
    for child in list(node):
        node.remove(child)
    node.append(body)


def _add_dashes(name: str) -> str:
    return _CAPITAL.sub(lambda match: f"-{match[0].lower()}", name)

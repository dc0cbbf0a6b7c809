"""XML elements for the writers of QTI and Moodle XML. Pure."""

from xml.etree.ElementTree import Element, tostring


def build_element(tag: str, *children: Element, text: str = "", **attributes: str) -> Element:
    """Return an element."""
    node = Element(tag, attributes)
    node.text = text or None
    node.extend(children)
    return node


def append_element(
    parent: Element, tag: str, *children: Element, text: str = "", **attributes: str
) -> Element:
    """Return a new element at the end of another."""
    node = build_element(tag, *children, text=text, **attributes)
    parent.append(node)
    return node


def write_flag(flag: object) -> str:
    """Return a flag as XML Schema writes it."""
    return "true" if flag else "false"


def serialize(root: Element) -> bytes:
    """Return a document in UTF-8."""
    data: bytes = tostring(root, encoding="UTF-8", xml_declaration=True)
    return data

"""Markup within XML, as an HTML text of its own: what stands in an element, without namespaces."""

from collections.abc import Callable
from html import escape
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.xml import local

Instead = Callable[[Element], str | None]
"""What to write instead of an element; None: the element itself."""

_VOID = {"br", "hr", "img", "wbr", "source", "track", "col"}


def same(_element: Element) -> None:
    """Write every element as it is."""


def inner(node: Element, instead: Instead = same) -> str:
    """Write what stands in an element as HTML."""
    parts = [escape(node.text or "", quote=False)]
    for child in node:
        parts += [outer(child, instead), escape(child.tail or "", quote=False)]
    return "".join(parts)


def outer(node: Element, instead: Instead = same) -> str:
    """Write an element as HTML, with what stands in it."""
    replaced = instead(node)
    if replaced is not None:
        return replaced
    name = local(node)
    attributes = "".join(
        f' {key.rpartition("}")[2]}="{escape(value)}"' for key, value in node.attrib.items()
    )
    if name in _VOID:
        return f"<{name}{attributes}>"
    return f"<{name}{attributes}>{inner(node, instead)}</{name}>"


def words(node: Element | None) -> str:
    """Give the text of an element and all within, without markup."""
    return "" if node is None else " ".join("".join(node.itertext()).split())

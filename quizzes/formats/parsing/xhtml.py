"""Serialise elements within XML as HTML, and read their plain text."""

from collections.abc import Callable
from html import escape
from xml.etree.ElementTree import Element

Replace = Callable[[Element], str | None]
"""Returns the HTML to write instead of an element; None for the element itself."""

_VOID = {"br", "hr", "img", "wbr", "source", "track", "col"}


def render_inner(node: Element, replace: Replace = lambda _node: None) -> str:
    """Return the content of an element as HTML, without namespaces."""
    parts = [escape(node.text or "", quote=False)]
    for child in node:
        parts += [_render(child, replace), escape(child.tail or "", quote=False)]
    return "".join(parts)


def _render(node: Element, replace: Replace) -> str:
    replacement = replace(node)
    if replacement is not None:
        return replacement
    attributes = "".join(
        f' {name.rpartition("}")[2]}="{escape(text)}"' for name, text in node.attrib.items()
    )
    if node.tag in _VOID:
        return f"<{node.tag}{attributes}>"
    return f"<{node.tag}{attributes}>{render_inner(node, replace)}</{node.tag}>"


def read_text(node: Element | None) -> str:
    """Return the text of an element and of all within, without markup."""
    return "" if node is None else " ".join("".join(node.itertext()).split())

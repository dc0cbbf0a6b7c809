"""Small faults of latex2mathml's trees, mended so that browsers set formulas as TeX would."""

import re
from typing import Final
from xml.etree.ElementTree import Element

# The library writes its symbols as references in plain text ("&#x003B1;").
_REFERENCE = re.compile(r"&#x([0-9A-Fa-f]{1,6});")
# Symbols that it takes for names: without being operators they get no space around them.
_OPERATORS: Final = frozenset("±•¬⟂⧵⟹⟺")
_THIN: Final = "0.167em"
_SCRIPTS: Final = frozenset({"msub", "msup", "msubsup"})


def mend(tree: Element) -> None:
    """Change a tree in place: real characters, upright letters, operators, thin spaces."""
    for element in tree.iter():
        _mend_leaf(element)
    for row in list(tree.iter("mrow")):
        _tighten(row)
        _space_functions(row)


def _mend_leaf(element: Element) -> None:
    raw = element.text or ""
    element.text = text = _REFERENCE.sub(lambda match: chr(int(match[1], 16)), raw)
    if element.tag == "mo" and text == "^":
        # The keyboard's caret is drawn as tall as a letter; the accent lies flat on one.
        element.text = "\u02c6"
    elif element.tag == "mi" and text == "~":
        element.tag, element.text = "mo", "\u223c"
    elif element.tag == "mi" and text in _OPERATORS:
        element.tag = "mo"
    elif element.tag == "mi" and raw != text and text.isascii() and text.isalpha():
        # \mathrm{d}: browsers would slant a single letter.
        element.set("mathvariant", "normal")
    elif element.tag == "mo" and _is_word(text) and "movablelimits" not in element.attrib:
        element.tag = "mi"


def _tighten(row: Element) -> None:
    """Remove the space from an operator alone in braces: 3{,}14 is one number, as in TeX."""
    if len(row) == 1 and row[0].tag == "mo":
        row[0].attrib.update(lspace="0em", rspace="0em")


def _space_functions(row: Element) -> None:
    """Insert a thin space between a function name and a neighbour without a space of its own."""
    spaced: list[Element] = []
    for child in row:
        if spaced and (
            (_is_function(spaced[-1]) and child.tag not in {"mo", "mspace"})
            or (_is_function(child) and spaced[-1].tag not in {"mo", "mspace"})
        ):
            spaced.append(Element("mspace", {"width": _THIN}))
        spaced.append(child)
    row[:] = spaced


def _is_function(element: Element) -> bool:
    head = element[0] if element.tag in _SCRIPTS and len(element) else element
    return head.tag in {"mi", "mo"} and _is_word(head.text or "")


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.replace(" ", "").isalpha()

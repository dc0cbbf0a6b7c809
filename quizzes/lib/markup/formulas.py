r"""TeX becomes MathML: read by latex2mathml, then mended and written anew from a closed list.

The library's own writer does not escape text (`\text{<b>}` would be an element) and passes
addresses and styles on, so only its tree is taken.
"""

import re
from functools import lru_cache
from html import escape
from typing import Final
from xml.etree.ElementTree import Element

from latex2mathml import exceptions
from latex2mathml.converter import Converter

from quizzes.lib.markup.parser import NO_CHARACTER
from quizzes.lib.markup.typesetting import mend

TAGS: Final = frozenset(
    """
    math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub
    msubsup msup mtable mtd mtext mtr munder munderover
    """.split()
)
ATTRIBUTES: Final = frozenset(
    """
    accent accentunder columnalign columnlines columnspacing depth display displaystyle fence
    form height largeop linethickness lspace mathcolor mathsize mathvariant maxsize minsize
    movablelimits notation rowlines rowspacing rspace scriptlevel separator stretchy voffset width
    """.split()
)
# The library also sets a fraction without its lower half, which shows as something else.
_PARTS: Final = {
    **dict.fromkeys(("mfrac", "mroot", "msub", "msup", "munder", "mover"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
}
MAX_TEX: Final = 2_000
MAX_DEPTH: Final = 30

# Definitions can grow without end; the others carry addresses, styles and class names.
_REFUSED = re.compile(
    r"\\(?:newcommand|renewcommand|providecommand|def|gdef|edef|let|DeclareMathOperator"
    r"|href|url|style|class|cssId|includegraphics|input|include|require|html[A-Za-z]*)(?![A-Za-z])"
)
# The library drops a whole row whose last cell is empty.
_EMPTY_LAST_CELL = re.compile(r"(?<!\\)&\s*(?=\\\\|\\end(?![A-Za-z]))")
_VALUE = re.compile(r"[\w.#+% -]{1,40}", re.ASCII)

# latex2mathml has no common base class for its errors and lets Python's own ones out too.
_LIBRARY_ERRORS: tuple[type[Exception], ...] = tuple(
    value
    for value in vars(exceptions).values()
    if isinstance(value, type) and issubclass(value, Exception)
)
_ERRORS: tuple[type[Exception], ...] = (
    *_LIBRARY_ERRORS,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


class FormulaUnreadable(ValueError):
    """The formula cannot be set; `reason` says why in one or two words."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@lru_cache(maxsize=512)
def to_mathml(tex: str, *, display: bool) -> str:
    """Return a `<math>` element as text, or raise FormulaUnreadable."""
    _refuse_early(tex)
    try:
        tree = Converter(display="block" if display else "inline").convert_to_element(
            _EMPTY_LAST_CELL.sub("&{}", tex)
        )
        _name_unknown_commands(tree)
        mend(tree)
        return _written(tree)
    except FormulaUnreadable:
        raise
    except _ERRORS as error:
        raise FormulaUnreadable(type(error).__name__) from error


def _refuse_early(tex: str) -> None:
    if len(tex) > MAX_TEX:
        raise FormulaUnreadable("too long")
    if refused := _REFUSED.search(tex):
        raise FormulaUnreadable(f"refused command {refused[0]}")
    depth = deepest = 0
    for brace in re.findall(r"\\.|[{}]|\\left|\\begin", tex, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        deepest = max(deepest, depth)
        if depth < 0:
            break
    if depth:
        raise FormulaUnreadable("unbalanced braces")
    if deepest > MAX_DEPTH:
        raise FormulaUnreadable("nested too deeply")


def _name_unknown_commands(tree: Element) -> None:
    for element in tree.iter():
        text = element.text or ""
        if element.tag != "mtext" and re.match(r"\\[A-Za-z]", text):
            raise FormulaUnreadable(f"unknown command {text}")


def _written(element: Element) -> str:
    if element.tag not in TAGS:
        raise FormulaUnreadable(f"unknown element {element.tag}")
    if len(element) != _PARTS.get(element.tag, len(element)):
        raise FormulaUnreadable(f"missing part of {element.tag}")
    if NO_CHARACTER.search(element.text or ""):
        raise FormulaUnreadable("no character")  # named by its number: "&#xD800;"
    attributes = "".join(
        f' {name}="{value}"'
        for name, value in element.attrib.items()
        if name in ATTRIBUTES and _VALUE.fullmatch(value)
    )
    inner = escape(element.text or "", quote=False) + "".join(_written(child) for child in element)
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"

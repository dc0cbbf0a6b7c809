"""Formulas of other programs as ours: TeX stays TeX, simple MathML becomes TeX."""

import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import unquote

from quizzes.lib.html_conversion.conversion_notes import ConversionNotes
from quizzes.lib.html_conversion.tree import Tag
from quizzes.lib.markup.escape import escape_inline

GUARD_BEFORE, GUARD_AFTER = "\ue000", "\ue001"
"""A letter or digit there would undo the markup: it is written as a character reference."""

# A double backslash is a line of TeX's; what opens again before it closes was no formula.
TEX = re.compile(
    r"(?<!\\)(?:\\\(((?:[^\\]|\\\\|\\(?![\\()]))++)\\\)"
    r"|\\\[((?:[^\\]|\\\\|\\(?![\\\[\]]))++)\\\])"
    r"|\$\$((?:[^$]|\$(?!\$))++)\$\$"
)
_EQUATION_ADDRESS = re.compile(r"/equation_images/([^?#]+)")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_PIPE = re.compile(r"(\\)?\|")
_SIGNS = {"×": r"\times ", "⋅": r"\cdot ", "−": "-", "≤": r"\le ", "≥": r"\ge ", "π": r"\pi "}
_FORMS: Mapping[tuple[str, int], Callable[..., str]] = {
    ("mfrac", 2): r"\frac{{{}}}{{{}}}".format,
    ("mroot", 2): r"\sqrt[{1}]{{{0}}}".format,
    **dict.fromkeys((("msup", 2), ("mover", 2)), "{{{}}}^{{{}}}".format),
    **dict.fromkeys((("msub", 2), ("munder", 2)), "{{{}}}_{{{}}}".format),
    **dict.fromkeys((("msubsup", 3), ("munderover", 3)), "{{{}}}_{{{}}}^{{{}}}".format),
}
_JOINED = {"mtable": r" \\ ", "mtr": " & "}
_WRAPPED = {"msqrt": r"\sqrt{%s}", "mtable": r"\begin{matrix}%s\end{matrix}"}
_SPECIAL = re.compile(r"[#$%&_{}]")
_ESCAPED = r"\\\g<0>"


def escape_with_formulas(text: str, *, cell: bool) -> str:
    r"""Escape text, but keep what is in \(…\), \[…\] or $$…$$ as formulas."""
    parts: list[str] = []
    start = 0
    for match in TEX.finditer(text):
        parts.append(escape_text(text[start : match.start()], cell=cell))
        tex = match[1] or match[2] or match[3]
        parts.append(write_formula(tex, display=not match[1], cell=cell))
        start = match.end()
    return "".join([*parts, escape_text(text[start:], cell=cell)])


def escape_text(text: str, *, cell: bool) -> str:
    """Escape text for a paragraph or for a cell of a table."""
    return escape_inline(text).replace("|", "&#124;") if cell else escape_inline(text)


def write_formula(tex: str, *, display: bool, cell: bool = False) -> str:
    """Return TeX as ours, on one line; "" for an empty formula."""
    tex = " ".join(_COMMENT.sub("", tex).split())
    if not tex or "$$" in tex:
        return escape_inline(tex)
    if cell:
        tex = _PIPE.sub(lambda pipe: r"\Vert " if pipe[1] else r"\vert ", tex).rstrip()
    mark = "$$" if display or "$" in tex else "$"
    return f"{GUARD_BEFORE}{mark}{tex}{mark}{GUARD_AFTER}"


def find_equation(picture: Tag) -> str:
    """Return the TeX of a picture of a formula as Canvas has it; "" of any other picture.

    It is in `data-equation-content`, else in the address (encoded twice), else in the words.
    """
    if tex := picture.get("data-equation-content").strip():
        return tex
    if "equation_image" not in picture.get("class").split():
        return ""
    if match := _EQUATION_ADDRESS.search(picture.get("src")):
        return unquote(unquote(match[1])).strip()
    return picture.get("alt").strip().removeprefix("LaTeX:").strip()


def convert_mathml(tag: Tag, notes: ConversionNotes, *, cell: bool) -> str:
    """Return MathML as a formula: by the TeX in it, else as far as it can be read."""
    display = tag.get("display") == "block"
    tags = (node for node in tag.walk() if isinstance(node, Tag) and node.name == "annotation")
    annotation = next((node for node in tags if "tex" in node.get("encoding")), None)
    tex = annotation.get_text() if annotation else tag.get("alttext")
    if not annotation and not tex:
        notes.add("formula_from_mathml", " ".join(tag.get_text().split()))
        tex = _convert(tag)
    return write_formula(tex, display=display, cell=cell)


def _convert(tag: Tag) -> str:
    if tag.name in {"mi", "mn", "mo", "mtext", "ms"}:
        return _convert_token(tag)
    parts = list(_convert_parts(tag))
    if form := _FORMS.get((tag.name, len(parts))):
        return form(*parts)
    joined = (_JOINED.get(tag.name, " ")).join(part for part in parts if part)
    return _WRAPPED.get(tag.name, "%s") % joined


def _convert_parts(tag: Tag) -> Iterator[str]:
    for node in tag.inside:
        if isinstance(node, Tag):
            yield "" if node.name.startswith("annotation") else _convert(node)
        elif node.strip():
            yield rf"\text{{{_SPECIAL.sub(_ESCAPED, ' '.join(node.split()))}}}"


def _convert_token(tag: Tag) -> str:
    text = _SPECIAL.sub(_ESCAPED, " ".join(tag.get_text().split()))
    if tag.name in {"mtext", "ms"}:
        return rf"\text{{{text}}}"
    if tag.name == "mi" and len(text) > 1 and text.isalpha():
        return rf"\mathrm{{{text}}}"
    return "".join(_SIGNS.get(character, character) for character in text)

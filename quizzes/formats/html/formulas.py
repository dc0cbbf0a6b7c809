"""Formulas of other programs as ours: TeX stays TeX, simple MathML becomes TeX."""

import re
from collections.abc import Callable, Iterator, Mapping

from quizzes.formats.html.conversion_notes import ConversionNotes
from quizzes.formats.html.tree import Tag
from quizzes.formats.parsing.markdown_escape import escape_inline

GUARD_BEFORE, GUARD_AFTER = "\ue000", "\ue001"
"""A letter or digit there would undo the markup: it is written as a character reference."""

# A double backslash is a line of TeX's; what opens again before it closes was no formula.
TEX = re.compile(
    r"(?<!\\)(?:\\\(((?:[^\\]|\\\\|\\(?![\\()]))++)\\\)"
    r"|\\\[((?:[^\\]|\\\\|\\(?![\\\[\]]))++)\\\])"
    r"|\$\$((?:[^$]|\$(?!\$))++)\$\$"
)
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


def with_formulas(text: str, *, cell: bool) -> str:
    r"""Escape text, but keep what stands in \(…\), \[…\] or $$…$$ as formulas."""
    said: list[str] = []
    at = 0
    for found in TEX.finditer(text):
        said.append(plain(text[at : found.start()], cell=cell))
        said.append(formula(found[1] or found[2] or found[3], display=not found[1], cell=cell))
        at = found.end()
    said.append(plain(text[at:], cell=cell))
    return "".join(said)


def plain(text: str, *, cell: bool) -> str:
    """Escape text for a paragraph or for a cell of a table."""
    return escape_inline(text).replace("|", "&#124;") if cell else escape_inline(text)


def formula(tex: str, *, display: bool, cell: bool = False) -> str:
    """Write TeX as ours, on one line; TeX that says nothing is nothing."""
    tex = " ".join(_COMMENT.sub("", tex).split())
    if not tex or "$$" in tex:
        return escape_inline(tex)
    if cell:
        tex = _PIPE.sub(lambda found: r"\Vert " if found[1] else r"\vert ", tex).rstrip()
    mark = "$$" if display or "$" in tex else "$"
    return f"{GUARD_BEFORE}{mark}{tex}{mark}{GUARD_AFTER}"


def of_math(tag: Tag, telling: ConversionNotes, *, cell: bool) -> str:
    """Write MathML: by the TeX that it carries, else as far as it can be read."""
    display = tag.get("display") == "block"
    for one in tag.walk():
        if isinstance(one, Tag) and one.name == "annotation" and "tex" in one.get("encoding"):
            return formula(one.text(), display=display, cell=cell)
    if tag.get("alttext"):
        return formula(tag.get("alttext"), display=display, cell=cell)
    telling.note("formula_from_mathml", " ".join(tag.text().split()))
    return formula(_tex(tag), display=display, cell=cell)


def _tex(tag: Tag) -> str:
    if tag.name in {"mi", "mn", "mo", "mtext", "ms"}:
        return _leaf(tag)
    parts = list(_parts(tag))
    if form := _FORMS.get((tag.name, len(parts))):
        return form(*parts)
    joined = (_JOINED.get(tag.name, " ")).join(part for part in parts if part)
    return _WRAPPED.get(tag.name, "%s") % joined


def _parts(tag: Tag) -> Iterator[str]:
    for one in tag.inside:
        if isinstance(one, Tag):
            yield "" if one.name.startswith("annotation") else _tex(one)
        elif one.strip():
            yield rf"\text{{{_SPECIAL.sub(_ESCAPED, ' '.join(one.split()))}}}"


def _leaf(tag: Tag) -> str:
    text = _SPECIAL.sub(_ESCAPED, " ".join(tag.text().split()))
    if tag.name in {"mtext", "ms"}:
        return rf"\text{{{text}}}"
    if tag.name == "mi" and len(text) > 1 and text.isalpha():
        return rf"\mathrm{{{text}}}"
    return "".join(_SIGNS.get(character, character) for character in text)

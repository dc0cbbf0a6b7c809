"""The responses of an Open edX problem, each with the text that asks for it."""

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from quizzes.formats.builders import Head
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.xhtml import read_text, render_inner
from quizzes.formats.parsing.xml import XmlNode, get_line
from quizzes.formats.parsing.xml_item import XmlItem
from quizzes.lib.html_conversion import FindMedia

_INPUTS = frozenset(
    "choicegroup checkboxgroup radiogroup optioninput textline formulaequationinput textbox "
    "numericalinput additional_answer correcthint stringequalhint regexphint responseparam "
    "hintgroup".split()
)
_INLINE = frozenset({"optionresponse", "stringresponse", "numericalresponse"})
"""Responses that stand within a line of words."""
_ASIDE = frozenset({"solution", "demandhint", "script", "style", "hintpart"})
_MATH = re.compile(r"\[(/?)mathjax(inline)?\]")
_TITLE = re.compile(
    r"^(?:\*{0,2}|#{1,6} )(?:explanation|explicación|solution|solución)\*{0,2}:?\s*\n",
    re.IGNORECASE,
)
_MATH_SIGNS = {("", True): r"\(", ("/", True): r"\)", ("", False): r"\[", ("/", False): r"\]"}
_SEPARATOR = "\ue100"
_BLANK = " ____ "


@dataclass(slots=True, kw_only=True)
class OlxResponse(XmlItem):
    """One response of a problem; `html` asks for it."""

    problem: XmlNode
    html: str

    def markdown(self, html: str, line: int = 0) -> str:
        """Return HTML as Markdown; formulas are those of MathJax there."""
        html = _MATH.sub(lambda match: _MATH_SIGNS[match[1], match[2] is not None], html)
        return XmlItem.markdown(self, html, line).strip()

    def read_head(self, names: Names, language: str, tags: tuple[str, ...]) -> Head:
        """Return what the question has, however it is answered."""
        problem, prompt = self.problem, self.markdown(self.html)
        name = names.assign(problem.get("display_name", ""), problem.get("url_name", ""), prompt)
        for hint in problem.iter("hint"):
            self.note("hint_left_out", read_text(hint), problem.line)
        texts = [
            self.markdown(render_inner(solution), get_line(solution))
            for solution in problem.iter("solution")
        ]
        texts = [_TITLE.sub("", f"{text}\n").strip() for text in texts]
        return Head(self.node.line, name, language, prompt, "\n\n".join(filter(None, texts)), tags)


def split_problem(problem: XmlNode, media: FindMedia) -> list[OlxResponse]:
    """Return the responses of a problem, each with the text before it.

    A response without any has that of the first; the text after the last belongs to it.
    """
    nodes: list[XmlNode] = []

    def separate(node: Element) -> str | None:
        if node.tag in _ASIDE:
            return ""
        if isinstance(node, XmlNode) and node.tag.endswith("response"):
            nodes.append(node)
            return f"{_SEPARATOR}{render_inner(node, _render_response)}{_SEPARATOR}"
        return None

    before, *parts = render_inner(problem, separate).split(_SEPARATOR)
    responses, intro = [], ""
    for node, own, after in zip(nodes, parts[::2], parts[1::2], strict=True):
        html = before + own
        if node is nodes[-1] and _has_words(after):
            html += (_BLANK if node.tag in _INLINE else "") + after
        prompt = html if _has_words(html) else intro + html
        responses.append(OlxResponse(node, media, problem=problem, html=prompt))
        intro, before = intro or html, after
    return responses


def _render_response(node: Element) -> str | None:
    """Drop inputs; render labels as paragraphs."""
    if node.tag in {"label", "description"}:
        return f"<p>{render_inner(node)}</p>"
    return "" if node.tag in _INPUTS | _ASIDE else None


def _has_words(html: str) -> bool:
    return bool(re.sub(r"<(?!img)[^<>]*>", "", html).strip())

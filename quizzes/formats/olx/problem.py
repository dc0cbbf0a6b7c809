"""A problem of Open edX taken apart: what is asked before each response, and what is said after."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from quizzes.formats.builders import Head
from quizzes.formats.contract import Note
from quizzes.formats.html import FindMedia, to_markdown
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.xhtml import read_text, render_inner
from quizzes.formats.parsing.xml import XmlNode, get_line

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
_SIGNS = {("", True): r"\(", ("/", True): r"\)", ("", False): r"\[", ("/", False): r"\]"}
_MARK = "\ue100"
_BLANK = " ____ "


@dataclass(slots=True)
class Problem:
    """One problem: its element, its language, its pictures, and what is noted of it."""

    node: XmlNode
    language: str
    media: FindMedia
    _notes: list[Note] = field(default_factory=list)

    def note(self, code: str, line: int, quote: str = "") -> None:
        """Note a thing, once."""
        note = Note(code, line, " ".join(quote.split())[:200])
        if note not in self._notes:
            self._notes.append(note)

    def told(self) -> tuple[Note, ...]:
        """Give what was noted since this was last asked."""
        notes, self._notes = tuple(self._notes), []
        return notes

    def markdown(self, html: str, line: int) -> str:
        """Give HTML of this problem as Markdown."""
        text, notes = to_markdown(_MATH.sub(_tex, html), line=line, media=self.media)
        for note in notes:
            self.note(note.code, note.line, note.quote)
        return text.strip()


@dataclass(frozen=True, slots=True)
class Part:
    """One response of a problem, with the HTML that asks for it."""

    node: XmlNode
    html: str
    problem: Problem

    def head(self, names: Names) -> Head:
        """Give what the question has, whatever it is answered by."""
        node, problem = self.problem.node, self.problem
        prompt = problem.markdown(self.html, self.node.line)
        called = names.name(node.get("display_name", ""), node.get("url_name", ""), prompt)
        for child in node.iter("hint"):
            problem.note("hint_left_out", problem.node.line, read_text(child))
        return Head(self.node.line, called, problem.language, prompt, _explanation(problem))


def taken_apart(problem: Problem) -> Sequence[Part]:
    """Find the responses of a problem, each with the words that stand before it.

    A response without words of its own has those of the first, which speak for all.
    """
    responses: list[XmlNode] = []

    def instead(node: Element) -> str | None:
        if node.tag in _ASIDE:
            return ""
        if isinstance(node, XmlNode) and node.tag.endswith("response"):
            responses.append(node)
            return f"{_MARK}{_asked(node)}{_MARK}"
        return None

    before, *rest = render_inner(problem.node, instead).split(_MARK)
    return [
        Part(node, html, problem)
        for node, html in zip(responses, _asking(responses, before, rest), strict=True)
    ]


def _asking(responses: Sequence[XmlNode], before: str, rest: Sequence[str]) -> Iterator[str]:
    """Give what asks for each response; what stands behind the last belongs to it."""
    intro = ""
    for at, (asked, after) in enumerate(zip(rest[::2], rest[1::2], strict=True)):
        html = before + asked
        if at == len(responses) - 1 and _says(after):
            html += (_BLANK if responses[at].tag in _INLINE else "") + after
        yield html if _says(html) else intro + html
        intro, before = intro or html, after


def _asked(node: Element) -> str:
    """Write what stands in a response beside what is answered in."""
    return render_inner(node, _paragraph)


def _paragraph(node: Element) -> str | None:
    if node.tag in {"label", "description"}:
        return f"<p>{render_inner(node)}</p>"
    return "" if node.tag in _INPUTS | _ASIDE else None


def _says(html: str) -> bool:
    return bool(re.sub(r"<(?!img)[^<>]*>", "", html).strip())


def _explanation(problem: Problem) -> str:
    texts = [
        problem.markdown(render_inner(node), get_line(node))
        for node in problem.node.iter("solution")
    ]
    return "\n\n".join(filter(None, (_TITLE.sub("", f"{text}\n").strip() for text in texts)))


def _tex(found: re.Match[str]) -> str:
    return _SIGNS[found[1], found[2] is not None]

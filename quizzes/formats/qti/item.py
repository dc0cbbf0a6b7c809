"""An item of QTI 2 or 3 as it stands in its file: its text, its interactions, what it pays."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from quizzes.formats.contract import Note
from quizzes.formats.html import FindMedia, to_markdown
from quizzes.formats.parsing.xhtml import read_text, render_inner
from quizzes.formats.parsing.xml import XmlNode
from quizzes.formats.qti.interactions import Award, Custom, line_of
from quizzes.formats.qti.response_declarations import Declared, declared, default
from quizzes.formats.qti.scoring import SCORE, Paid, paid

INLINE = {"inlineChoiceInteraction", "textEntryInteraction"}
_ASIDE = {"feedbackInline", "feedbackBlock", "rubricBlock", "modalFeedback"}
_SKIPPED = {"prompt", "stylesheet", "templateInline", "templateBlock", "printedVariable"}


@dataclass(slots=True)
class Refused(Exception):
    """No question of ours can come of this item."""

    code: str
    quote: str = ""


@dataclass(slots=True)
class Source:
    """One item, its names spelled as QTI 2 does."""

    node: XmlNode
    media: FindMedia
    responses: dict[str, Declared] = field(default_factory=dict)
    interactions: list[Element] = field(default_factory=list)
    scoring: Paid = field(default_factory=Paid)
    notes: list[Note] = field(default_factory=list)
    html: str = ""
    taken: set[str] = field(default_factory=set)

    def note(self, code: str, quote: str = "", line: int = 0) -> None:
        """Note a thing about this item, once."""
        note = Note(code, line or self.node.line, quote[:200])
        if note not in self.notes:
            self.notes.append(note)

    def markdown(self, html: str, line: int = 0) -> str:
        """Turn HTML into our text; what it cannot keep is noted."""
        text, notes = to_markdown(html, line=line or self.node.line, media=self.media)
        self.notes += [note for note in notes if note not in self.notes]
        return text

    def text(self, node: Element) -> str:
        """Give what stands in an element as our text, without feedback and interactions."""
        return self.markdown(render_inner(node, self.without), line_of(node))

    def without(self, node: Element) -> str | None:
        """Leave feedback and interactions out of a text."""
        gone = node.tag in _ASIDE | _SKIPPED or node.tag.endswith("Interaction")
        return "" if gone else None

    def response(self, interaction: Element) -> Declared:
        """Give what is declared of an interaction's response."""
        ident = interaction.get("responseIdentifier", "")
        return self.responses.get(ident) or Declared(ident, "single", "", (), None)

    def said(self, *idents: str) -> str:
        """Give what is said where these are called up; it counts as taken."""
        self.taken.update(idents)
        feedback = self.node.iter("modalFeedback")
        texts = [self.text(one) for one in feedback if one.get("identifier") in idents]
        return "\n\n".join(filter(None, texts))

    def said_to(self, response: str, value: str) -> str:
        """Give what is said to one value of a response."""
        place = response, value
        return self.said(*(id_ for id_, linked in self.scoring.linked.items() if linked == place))

    def awards(self, interaction: Element) -> list[Award]:
        """Give what is paid for an interaction."""
        return self.scoring.of(interaction.get("responseIdentifier", ""))


def place(at: int) -> str:
    """Give the word that holds an interaction's place while its text is turned into ours."""
    return f"qtimark{at}qtimark"


def source(node: XmlNode, media: FindMedia) -> Source:
    """Read an item; a rule of its own is noted, and pays nothing."""
    read = Source(node, media, declared(node))
    body = node.find("itemBody")
    if body is not None:
        read.html = render_inner(body, _keeping(read))
    processing = node.find("responseProcessing")
    try:
        read.scoring = paid(processing)
    except Custom as custom:
        read.note("custom_response_processing", custom.quote, custom.line)
    if default(node, SCORE):
        read.scoring = Paid()
        read.note("custom_response_processing", SCORE)
    scored = read.scoring.awards or any(
        note.code == "custom_response_processing" for note in read.notes
    )
    if not scored and any(response.correct for response in read.responses.values()):
        read.note("scored_by_correct_response")
    return read


def _keeping(read: Source) -> Callable[[Element], str | None]:
    def instead(node: Element) -> str | None:
        if node.tag == "rubricBlock" and "candidate" in node.get("view", "candidate"):
            return f"<div>{render_inner(node, instead)}</div>"
        if node.tag in _ASIDE:
            return ""
        if not node.tag.endswith("Interaction"):
            return None
        read.interactions.append(node)
        if node.tag in INLINE:
            return place(len(read.interactions))
        return "".join(f"<div>{one}</div>" for one in _asked(node, read))

    return instead


def _asked(interaction: Element, read: Source) -> Iterator[str]:
    """Give the words of an interaction itself: its prompt, and the text with gaps of one."""
    for child in interaction:
        if child.tag == "prompt":
            yield render_inner(child, read.without)
    if interaction.tag == "gapMatchInteraction":
        parts = [child for child in interaction if child.tag not in {"prompt", "gapText", "gapImg"}]
        for part in parts:
            yield render_inner(
                part,
                lambda node: (
                    f"qtigap{node.get('identifier')}qtigap"
                    if node.tag == "gap"
                    else read.without(node)
                ),
            )


def explanation(read: Source) -> str:
    """Give what is said beside the question, whatever was answered."""
    asides = [
        read.text(node)
        for node in read.node.iter()
        if node.tag == "rubricBlock" and "candidate" not in node.get("view", "candidate")
    ]
    general = {"general", "solution", "explanation"}
    asides += [
        read.text(node)
        for node in read.node.iter("modalFeedback")
        if node.get("identifier", "").lower() in general
    ]
    return "\n\n".join(filter(None, asides))


def quoted(read: Source) -> str:
    """Give the first words of an item."""
    body = read.node.find("itemBody")
    return read_text(body)[:200]

"""A `<question>` element while it is read: its texts and values, and the notes on it."""

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.html_texts import to_markdown
from quizzes.formats.parsing.media import store_media
from quizzes.formats.parsing.percentages import parse_percentage
from quizzes.formats.parsing.xml import XmlNode
from quizzes.lib.markup.escape import escape_markdown

PLUGINFILE = "@@PLUGINFILE@@/"
_DATA_URL = re.compile(r"data:\w+/(?P<ending>[\w.+-]{1,30});base64,(?P<content>.*)", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,500}>")
_TEX = re.compile(r"\\\\\(((?:[^\\]|\\(?!\\))+?)\\\\\)")
_FILE_ADDRESS = re.compile(re.escape(PLUGINFILE) + r"([^)\s\"'?]+)(?:\?[^)\s\"']*)?")


@dataclass(slots=True)
class QuestionElement:
    """A `<question>`; the files in it are put into `media`."""

    node: XmlNode
    media: dict[str, bytes]
    notes: list[Note] = field(default_factory=list)

    def note(
        self, code: str, node: XmlNode | None = None, quote: str = "", **detail: str | int
    ) -> None:
        """Add a note on an element, by default on the whole question."""
        line = (node if node is not None else self.node).line
        self.notes.append(Note(code, line, " ".join(quote.split())[:LONGEST_QUOTE], detail))

    def read_value(self, name: str, default: str = "") -> str:
        """Return a value that has no markup: of the element, or of the text within it."""
        return read_raw(self.find(name)).strip() or default

    def read_flag(self, name: str, *, default: bool) -> bool:
        """Return a value that is yes or no."""
        return self.read_value(name, str(int(default))).lower() in {"1", "true", "yes"}

    def find_all(self, name: str) -> Iterator[XmlNode]:
        """Return the child elements of this name, in their order."""
        return (child for child in self.node if isinstance(child, XmlNode) and child.tag == name)

    def find(self, name: str) -> XmlNode | None:
        """Return the first child element of this name."""
        return next(self.find_all(name), None)

    def read_markdown(self, name: str) -> str:
        """Return the text of a child element as Markdown; "" if there is none."""
        node = self.find(name)
        return self.convert(node) if node is not None else ""

    def read_feedback(self, answer: XmlNode) -> str:
        """Return the feedback on an answer as Markdown."""
        node = answer.find("feedback")
        return self.convert(node) if isinstance(node, XmlNode) else ""

    def read_credit(self, answer: XmlNode) -> Fraction:
        """Return the fraction that an answer earns: 33.33333 is a third."""
        text = (answer.get("fraction") or "0").replace(",", ".")
        credit = parse_percentage(text)
        if credit is None or abs(credit) > 1:
            self.note("weight_unreadable", answer, text)
            return Fraction(0)
        return credit

    def convert(self, node: XmlNode, text: str | None = None) -> str:
        """Return the text of an element, or this one in it, as Markdown, whatever its format."""
        source_text = read_raw(node) if text is None else text
        question_text = self.find("questiontext")
        default = question_text.get("format") if question_text is not None else None
        text_format = node.get("format") or default or "html"
        if 'class="multilang"' in source_text or "{mlang" in source_text:
            self.note("languages_mixed", node, source_text)
        if text_format == "plain_text":
            return escape_markdown(source_text)
        if text_format == "markdown":
            return self._convert_markdown(node, source_text)
        if text_format == "moodle_auto_format":
            source_text = source_text.strip().replace("\n", "<br>")
        markdown, notes = to_markdown(
            source_text, line=node.line, media=lambda address: self._store_file(node, address)
        )
        for note in notes:
            self.note(note.code, node, note.quote, **note.detail)
        if "![](media:" in markdown:
            self.note("picture_without_words", node)
        return markdown

    def _convert_markdown(self, node: XmlNode, text: str) -> str:
        if _TAG.search(text):
            self.note("tags_in_markdown", node, text)
        text = _TEX.sub(lambda match: f"${match[1].strip()}$", text)
        return _FILE_ADDRESS.sub(lambda match: self._replace_address(node, match[0]), text).strip(
            "\n"
        )

    def _replace_address(self, node: XmlNode, address: str) -> str:
        name = self._store_file(node, address)
        if not name:
            self.note("picture_elsewhere", node, address)
        return f"media:{name}" if name else address

    def _store_file(self, node: XmlNode, address: str) -> str:
        """Return the name among the media of a file that a text shows; "" if it is not there."""
        if embedded := _DATA_URL.match(address):
            path = f"file.{embedded['ending'].partition('+')[0]}"
            return self._decode_file(node, path, embedded["content"])
        if not address.startswith(PLUGINFILE):
            return ""
        path = unquote(address.removeprefix(PLUGINFILE)).partition("?")[0]
        for file in node.findall("file"):
            if ((file.get("path") or "/") + (file.get("name") or "")).lstrip("/") == path:
                return self._decode_file(node, path, file.text or "")
        return ""

    def _decode_file(self, node: XmlNode, path: str, encoded: str) -> str:
        try:
            content = base64.b64decode(encoded, validate=False)
        except (binascii.Error, ValueError):
            self.note("file_unreadable", node, path)
            return ""
        return store_media(self.media, path, content)


def read_raw(element: Element | None) -> str:
    """Return the text of an element: that of the `<text>` within it, else its own."""
    if element is None:
        return ""
    text = element.find("text")
    return (element.text if text is None else "".join(text.itertext())) or ""

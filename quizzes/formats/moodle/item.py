"""One question of a file while it is read: its texts and values, and what is noted about it."""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from quizzes.formats.contract import ImportStatus, Note
from quizzes.formats.html import to_markdown
from quizzes.formats.parsing.markdown_escape import escape_markdown
from quizzes.formats.parsing.naming import slug
from quizzes.formats.parsing.percentages import percentage
from quizzes.formats.parsing.xml import XmlNode

PLUGINFILE = "@@PLUGINFILE@@/"
LONGEST_QUOTE = 200
_ORDER = (ImportStatus.IMPORTED, ImportStatus.REPAIRED, ImportStatus.REVIEW)
# What is lost with these may be what the question is about.
_GRAVE = frozenset({"media_elsewhere", "picture_elsewhere", "text_cut"})
_DATA = re.compile(r"data:\w+/(?P<ending>[\w.+-]{1,30});base64,(?P<content>.*)", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,500}>")
_TEX = re.compile(r"\\\\\(((?:[^\\]|\\(?!\\))+?)\\\\\)")
_SAME_FILE = re.compile(re.escape(PLUGINFILE) + r"([^)\s\"'?]+)(?:\?[^)\s\"']*)?")
_ENDING = re.compile(r"\.([A-Za-z0-9]{1,8})$")


@dataclass(slots=True)
class Item:
    """A `<question>`; `media` is the parcel's, which its files are put into."""

    node: XmlNode
    media: dict[str, bytes]
    notes: list[Note] = field(default_factory=list)
    verdict: ImportStatus = ImportStatus.IMPORTED

    def note(self, code: str, at: XmlNode, quote: str = "", **detail: str | int) -> None:
        """Say something that changes nothing."""
        self.notes.append(Note(code, at.line, " ".join(quote.split())[:LONGEST_QUOTE], detail))

    def repaired(self, code: str, at: XmlNode, quote: str = "", **detail: str | int) -> None:
        """Say what was mended."""
        self._raise(ImportStatus.REPAIRED)
        self.note(code, at, quote, **detail)

    def review(self, code: str, at: XmlNode, quote: str = "", **detail: str | int) -> None:
        """Say what a person must look at."""
        self._raise(ImportStatus.REVIEW)
        self.note(code, at, quote, **detail)

    def refused(self, code: str, quote: str = "") -> None:
        """Say why no question comes of it."""
        self.verdict = ImportStatus.REFUSED
        self.note(code, self.node, quote)

    def value(self, name: str, default: str = "") -> str:
        """Give a value that has no markup: of the element, or of the text within it."""
        return raw(self.first(name)).strip() or default

    def flag(self, name: str, *, default: bool) -> bool:
        """Give a value that says yes or no."""
        return self.value(name, str(int(default))).lower() in {"1", "true", "yes"}

    def children(self, name: str) -> Iterator[XmlNode]:
        """Give the elements of this name, in their order."""
        return (child for child in self.node if isinstance(child, XmlNode) and child.tag == name)

    def first(self, name: str) -> XmlNode | None:
        """Give the first element of this name."""
        return next(self.children(name), None)

    def told(self, name: str) -> str:
        """Give the text of an element as Markdown; "" if there is none."""
        node = self.first(name)
        return self.markdown(node) if node is not None else ""

    def feedback(self, answer: XmlNode) -> str:
        """Give what is said to an answer."""
        node = answer.find("feedback")
        return self.markdown(node) if isinstance(node, XmlNode) else ""

    def markdown(self, at: XmlNode, text: str | None = None, default: str = "html") -> str:
        """Give the text of this element as Markdown, whatever it was written in."""
        source_text = raw(at) if text is None else text
        form = at.get("format") or self._form(default)
        if 'class="multilang"' in source_text or "{mlang" in source_text:
            self.review("languages_mixed", at, source_text)
        if form == "plain_text":
            return escape_markdown(source_text)
        if form == "markdown":
            return self._as_markdown(at, source_text)
        if form == "moodle_auto_format":
            source_text = source_text.strip().replace("\n", "<br>")
        markdown, notes = to_markdown(
            source_text, line=at.line, media=lambda address: self.file(at, address)
        )
        for note in notes:
            (self.review if note.code in _GRAVE else self.repaired)(
                note.code, at, note.quote, **note.detail
            )
        if "![](media:" in markdown:
            self.review("picture_without_words", at)
        return markdown

    def file(self, at: XmlNode, address: str) -> str:
        """Give the name in the parcel of a file that a text shows; "" if it did not come along."""
        if embedded := _DATA.match(address):
            return self._keep(
                f"file.{embedded['ending'].partition('+')[0]}", embedded["content"], at
            )
        if not address.startswith(PLUGINFILE):
            return ""
        path = unquote(address.removeprefix(PLUGINFILE)).partition("?")[0]
        for node in at.findall("file"):
            if ((node.get("path") or "/") + (node.get("name") or "")).lstrip("/") == path:
                return self._keep(path, node.text or "", at)
        return ""

    def percent(self, at: XmlNode, default: str = "0") -> Fraction:
        """Give the fraction of an answer: 33.33333 is a third."""
        text = (at.get("fraction") or default).replace(",", ".")
        share = percentage(text)
        if share is None or abs(share) > 1:
            self.review("weight_unreadable", at, text)
            return Fraction(0)
        return share

    def _raise(self, verdict: ImportStatus) -> None:
        self.verdict = max(self.verdict, verdict, key=_ORDER.index)

    def _form(self, default: str) -> str:
        question_text = self.first("questiontext")
        return (question_text.get("format") if question_text is not None else None) or default

    def _as_markdown(self, at: XmlNode, text: str) -> str:
        if _TAG.search(text):
            self.review("tags_in_markdown", at, text)
        text = _TEX.sub(lambda match: f"${match[1].strip()}$", text)
        return _SAME_FILE.sub(lambda match: self._address(at, match[0]), text).strip("\n")

    def _address(self, at: XmlNode, address: str) -> str:
        name = self.file(at, address)
        if not name:
            self.review("picture_elsewhere", at, address)
        return f"media:{name}" if name else address

    def _keep(self, path: str, encoded: str, at: XmlNode) -> str:
        """Keep a file under a name that tells its content: the same twice is kept once."""
        try:
            content = base64.b64decode(encoded, validate=False)
        except (binascii.Error, ValueError):
            self.review("file_unreadable", at, path)
            return ""
        stem = path.rpartition("/")[2].rpartition(".")[0]
        ending = match[1].lower() if (match := _ENDING.search(path)) else "bin"
        name = f"{slug(stem) or 'file'}-{hashlib.sha256(content).hexdigest()[:8]}.{ending}"
        self.media[name] = content
        return name


def raw(at: Element | None) -> str:
    """Give the text of an element: that of the `<text>` within it, else its own."""
    if at is None:
        return ""
    text = at.find("text")
    return (at.text if text is None else "".join(text.itertext())) or ""

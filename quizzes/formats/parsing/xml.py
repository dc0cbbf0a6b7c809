"""Parse untrusted XML into elements with line numbers: no DTD, no entities, no network.

A document type without declarations is blanked, with a note; one with declarations is refused.
Limits are checked while expat parses, so that a malicious file stops at the first excess. Elements
are those of ElementTree (`find`, `iter`, `text`, `tail`, `get`), their names without namespaces.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from quizzes.formats.contract import FileError, Note
from quizzes.formats.parsing.decoding import decode

MAX_CHARACTERS = 64 * 1024 * 1024
MAX_DEPTH = 100
MAX_ELEMENTS = 300_000
"""In one tree: the whole file, or one item of a file that is parsed item by item."""
MAX_ATTRIBUTES = 200
_CHUNK = 1 << 16

_DECLARATION = re.compile(r"\s*<\?xml\s[^>]{0,200}\?>")
_DOCTYPE = re.compile(
    r"(?:\s|<!--.*?-->|<\?.*?\?>)*+(<!DOCTYPE\s+[^\s<>\[\"']+"
    r"(?:\s+(?:SYSTEM|PUBLIC\s+(?:\"[^\"]*\"|'[^']*'))\s*+(?:\"[^\"]*\"|'[^']*')?)?\s*+>)",
    re.DOTALL,
)
_HEAD_BYTES = 16_000
# Comments and the like before the root; without backtracking, so that no file is slow.
_ROOT = re.compile(
    r"(?:[\s\]>]|<!--.*?-->|<\?.*?\?>|<![A-Z][^>]*+>)*+<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)[\s/>]",
    re.DOTALL,
)
_ENCODING = re.compile(rb"\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.-]{1,30})[\"']")
# One byte a character; for other declared encodings (UTF-8, UTF-16), the bytes are more reliable.
_SINGLE_BYTE = re.compile(r"iso8859-\d+|cp125\d|ascii|koi8-[ru]|mac-roman")


class XmlNode(Element):
    """An element with the line it begins on (from 1) and the line it ends on."""

    line: int = 0
    end_line: int = 0


@dataclass(slots=True)
class _ParseStopped(Exception):
    """The rest of the file is not parsed."""

    error: FileError


def parse_xml(data: bytes) -> XmlNode | FileError:
    """Return the root of a file; if the file is not XML or exceeds a limit, the error."""
    return list(_parse(decode_xml(data)[0], root_depth=0))[-1]


def iterate_children(data: bytes) -> Iterator[XmlNode | FileError]:
    """Yield the children of the root one by one, for large files; a FileError may end them."""
    return _parse(decode_xml(data)[0], root_depth=1)


def decode_xml(data: bytes) -> tuple[str, tuple[Note, ...]]:
    """Return the text without its XML declaration and document type, and notes on repairs.

    A declared single-byte encoding is used; any other file is decoded by `decode`. The lines of
    the declaration and of the document type stay, empty.
    """
    text, notes = _decode_as_declared(data)
    if match := _DECLARATION.match(text):
        text = "\n" * match[0].count("\n") + text[match.end() :]
    if match := _DOCTYPE.match(text):
        line = text.count("\n", 0, match.start(1)) + 1
        notes = (*notes, Note("document_type_ignored", line, match[1][:200]))
        text = text[: match.start(1)] + "\n" * match[1].count("\n") + text[match.end() :]
    return text, notes


def read_root_name(data: bytes) -> str:
    """Return the name of the first element, without its namespace; "" if there is none near."""
    match = _ROOT.match(decode_xml(data[:_HEAD_BYTES])[0])
    return match[1] if match else ""


def get_line(node: Element) -> int:
    """Return the line that an element begins on."""
    return node.line if isinstance(node, XmlNode) else 1


def _decode_as_declared(data: bytes) -> tuple[str, tuple[Note, ...]]:
    declared = _ENCODING.match(data)
    try:
        name = codecs.lookup(declared[1].decode()).name if declared else ""
    except LookupError:
        name = ""
    if name == "ascii" or not _SINGLE_BYTE.fullmatch(name):
        return decode(data)
    return decode(data.decode(name, errors="replace").encode())


def _parse(text: str, *, root_depth: int) -> Iterator[XmlNode | FileError]:
    if len(text) > MAX_CHARACTERS:
        yield FileError(1, "", "too_big", f"the file is over {MAX_CHARACTERS} characters")
        return
    parser = _TreeParser(root_depth)
    try:
        for start in range(0, len(text), _CHUNK):
            parser.feed(text[start : start + _CHUNK])
            yield from parser.pop_finished()
        parser.feed("", last=True)
        yield from parser.pop_finished()
    except _ParseStopped as stopped:
        yield from parser.pop_finished()
        yield stopped.error


class _TreeParser:
    """Parses chunks into trees; those at `root_depth` are kept until popped."""

    def __init__(self, root_depth: int) -> None:
        self._root_depth = root_depth
        self._open: list[XmlNode] = []
        self._finished: list[XmlNode] = []
        self._count = 0
        self._builder = TreeBuilder(element_factory=self._build_node)
        self._parser = expat.ParserCreate(namespace_separator="}")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start_element
        self._parser.EndElementHandler = self._end_element
        self._parser.CharacterDataHandler = self._builder.data
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def feed(self, chunk: str, *, last: bool = False) -> None:
        """Parse a chunk, or raise _ParseStopped."""
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            message = expat.errors.messages.get(error.code, "not XML")
            raise _ParseStopped(FileError(error.lineno, "", "not_xml", message)) from None

    def pop_finished(self) -> list[XmlNode]:
        """Return the trees that were finished since the last call."""
        finished, self._finished = self._finished, []
        return finished

    def _build_node(self, name: str, attributes: dict[str, str]) -> XmlNode:
        """Return an element; as ElementTree writes names, but only of attributes in namespaces."""
        names = {f"{{{key}" if "}" in key else key: text for key, text in attributes.items()}
        node = XmlNode(name.rpartition("}")[2], names)
        node.line = self._parser.CurrentLineNumber
        self._open.append(node)
        return node

    def _start_element(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if (
            len(self._open) >= MAX_DEPTH
            or self._count > MAX_ELEMENTS
            or len(attributes) > MAX_ATTRIBUTES
        ):
            raise self._stop("too_deep", "the file is nested or filled too much")
        self._builder.start(name, attributes)

    def _end_element(self, name: str) -> None:
        self._builder.end(name)
        node = self._open.pop()
        node.end_line = self._parser.CurrentLineNumber
        if len(self._open) == self._root_depth:
            self._finished.append(node)
            self._count = 0
            for parent in self._open:
                parent.clear()

    def _refuse_doctype(self, *_: object) -> None:
        raise self._stop("doctype", "document types and entities are not read here")

    def _stop(self, code: str, message: str) -> _ParseStopped:
        return _ParseStopped(FileError(self._parser.CurrentLineNumber, "", code, message))

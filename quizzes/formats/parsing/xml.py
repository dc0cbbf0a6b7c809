"""XML that strangers wrote, as elements that know their lines: no DTD, no entities, no network.

A document type that is only named is blanked, and told; one with declarations is refused.

Expat calls us for each thing it meets, so what is made to hurt ends where it begins. Elements are
those of ElementTree (`find`, `iter`, `text`, `tail`, `get`), with lines.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element
from xml.parsers import expat

from quizzes.formats.contract import FileError, Note
from quizzes.formats.parsing.decoding import decode

BIGGEST = 64 * 1024 * 1024
DEEPEST = 100
MOST_ELEMENTS = 300_000
"""In one tree: a file whole, or one item of a file that is read item by item."""
MOST_ATTRIBUTES = 200
_PIECE = 1 << 16

_DECLARATION = re.compile(r"\s*<\?xml\s[^>]{0,200}\?>")
_NAMED_TYPE = re.compile(
    r"(?:\s|<!--.*?-->|<\?.*?\?>)*+(<!DOCTYPE\s+[^\s<>\[\"']+"
    r"(?:\s+(?:SYSTEM|PUBLIC\s+(?:\"[^\"]*\"|'[^']*'))\s*+(?:\"[^\"]*\"|'[^']*')?)?\s*+>)",
    re.DOTALL,
)
_HEAD = 16_000
# Comments and the like before the root; what is taken is never given back, so nothing is slow.
_ROOT = re.compile(
    r"(?:[\s\]>]|<!--.*?-->|<\?.*?\?>|<![A-Z][^>]*+>)*+<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)[\s/>]",
    re.DOTALL,
)
_ENCODING = re.compile(rb"\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.-]{1,30})[\"']")
# One byte a character; what else a file may say of itself (UTF-8, UTF-16), its bytes tell better.
_SINGLE = re.compile(r"iso8859-\d+|cp125\d|ascii|koi8-[ru]|mac-roman")


class Node(Element):
    """An element with the line it begins on (from 1) and the line it ends on."""

    line: int = 0
    last: int = 0


@dataclass(slots=True)
class _Broken(Exception):
    """Reading ends here."""

    trouble: FileError


def parse(data: bytes) -> Node | FileError:
    """Read a file whole; what is no XML, or made to hurt: FileError with its line."""
    return list(_read(text_of(data)[0], whole=True))[-1]


def children(data: bytes) -> Iterator[Node | FileError]:
    """Give the children of the root one by one, each forgotten by us; at worst a FileError ends it.

    For big files of many items. What the root itself says is not told.
    """
    return _read(text_of(data)[0], whole=False)


def text_of(data: bytes) -> tuple[str, tuple[Note, ...]]:
    """Give the file as text without its declaration's claims, and what had to be mended.

    A file that says of itself that it is of one byte a character, is read so; any other as
    `decoding` does. The declaration's line stays, empty; so does that of a document type.
    """
    text, notes = _decoded(data)
    match = _DECLARATION.match(text)
    if match:
        text = "\n" * match[0].count("\n") + text[match.end() :]
    named = _NAMED_TYPE.match(text)
    if named:
        line = text.count("\n", 0, named.start(1)) + 1
        notes = (*notes, Note("document_type_ignored", line, named[1][:200]))
        blank = "\n" * named[1].count("\n")
        text = text[: named.start(1)] + blank + text[named.end() :]
    return text, notes


def root_name(data: bytes) -> str:
    """Give the name of the first element, without its namespace; "" if there is none near."""
    match = _ROOT.match(text_of(data[:_HEAD])[0])
    return match[1] if match else ""


def local(node: Element) -> str:
    """Give the name of an element without its namespace."""
    return node.tag.rpartition("}")[2]


def _decoded(data: bytes) -> tuple[str, tuple[Note, ...]]:
    declared = _ENCODING.match(data)
    try:
        name = codecs.lookup(declared[1].decode()).name if declared else ""
    except LookupError:
        name = ""
    if name == "ascii" or not _SINGLE.fullmatch(name):
        return decode(data)
    return decode(data.decode(name, errors="replace").encode())


def _read(text: str, *, whole: bool) -> Iterator[Node | FileError]:
    if len(text) > BIGGEST:
        yield FileError(1, "", "too_big", f"the file is over {BIGGEST} characters")
        return
    builder = _Builder(depth=0 if whole else 1)
    try:
        for start in range(0, len(text), _PIECE):
            builder.feed(text[start : start + _PIECE])
            yield from builder.taken()
        builder.feed("", last=True)
        yield from builder.taken()
    except _Broken as broken:
        yield from builder.taken()
        yield broken.trouble


class _Builder:
    """Takes what expat meets, and keeps whole elements of one depth until they are taken."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._open: list[Node] = []
        self._done: list[Node] = []
        self._texts: list[str] = []
        self._count = 0
        self._parser = expat.ParserCreate(namespace_separator="}")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._texts.append
        self._parser.StartDoctypeDeclHandler = self._doctype

    def feed(self, piece: str, *, last: bool = False) -> None:
        """Read on; what cannot be read: _Broken."""
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as error:
            words = expat.errors.messages.get(error.code, "not XML")
            raise _Broken(FileError(error.lineno, "", "not_xml", words)) from None

    def taken(self) -> list[Node]:
        """Hand over what is whole."""
        done, self._done = self._done, []
        return done

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._say()
        self._count += 1
        line = self._parser.CurrentLineNumber
        if (
            len(self._open) >= DEEPEST
            or self._count > MOST_ELEMENTS
            or len(attributes) > MOST_ATTRIBUTES
        ):
            raise _Broken(FileError(line, "", "too_deep", "the file is nested or filled too much"))
        named = {_name(key): value for key, value in attributes.items()}
        node = Node(_name(tag), named)
        node.line = line
        if len(self._open) > self._depth:
            self._open[-1].append(node)
        self._open.append(node)

    def _end(self, _tag: str) -> None:
        self._say()
        node = self._open.pop()
        node.last = self._parser.CurrentLineNumber
        if len(self._open) == self._depth:
            self._done.append(node)
            self._count = 0

    def _say(self) -> None:
        """Put the text read since the last tag where it belongs."""
        text = "".join(self._texts)
        self._texts.clear()
        if not text or len(self._open) <= self._depth:
            return
        inside = self._open[-1]
        if len(inside):
            inside[-1].tail = (inside[-1].tail or "") + text
        else:
            inside.text = (inside.text or "") + text

    def _doctype(self, *_: object) -> None:
        line = self._parser.CurrentLineNumber
        raise _Broken(
            FileError(line, "", "doctype", "document types and entities are not read here")
        )


def _name(name: str) -> str:
    """Write a name as ElementTree does, its namespace in braces."""
    return f"{{{name}" if "}" in name else name

"""Drawings (SVG): read by an XML parser, written anew out of what is listed and nothing else.

What could act or fetch (scripts, events, links, styles from elsewhere, declarations) is refused
and named with its line; what is not drawn at all (notes of drawing programs) is left out.
"""

import re
from collections.abc import Mapping
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from quizzes.lib.filetypes.contract import FileBytes, FileType, UnsupportedFile
from quizzes.lib.filetypes.references import References
from quizzes.lib.filetypes.vocabulary import ATTRIBUTES, ELEMENTS, LEFT_OUT

SVG: Final = "http://www.w3.org/2000/svg"
XLINK: Final = "http://www.w3.org/1999/xlink"
XML: Final = "http://www.w3.org/XML/1998/namespace"
BETWEEN: Final = " "  # what expat puts between a namespace and a name

MAX_ELEMENTS: Final = 50_000
MAX_DEPTH: Final = 64

_LOCAL = re.compile(r"#[\w.:-]{1,200}")
_URL = re.compile(r"""url\(\s*(["']?)#([\w.:-]{1,200})\1\s*\)""", re.IGNORECASE)
# Whatever in a style could fetch, run, or hide that it does.
_ACTIVE = re.compile(
    r"(?:url|image|src|attr|image-set|expression)\s*\(|[@\\<]|/\*|behavior|binding|script:|data:",
    re.IGNORECASE,
)
_WORDS: Final = frozenset({"id", "class", "role", "lang", "aria-label"})
_LENGTH = re.compile(r"\s*(\d{1,6}(?:\.\d+)?)(?:px)?\s*")


def svg(data: FileBytes) -> FileType:
    """Return a cleaned SVG; UnsupportedFile with the line of what is not allowed."""
    writer = _Writer()
    try:
        writer.parser.Parse(data.read_all(), True)  # noqa: FBT003  "this is all", in expat's words
    except UnsupportedFile:
        raise
    except expat.ExpatError as error:
        raise UnsupportedFile("drawing_unreadable", line=error.lineno) from error
    except (ValueError, LookupError) as error:  # an encoding that is none
        raise UnsupportedFile("drawing_unreadable", line=1) from error
    writer.references.check()
    width, height = _size(writer.root)
    return FileType("svg", width, height, "".join(writer.out).encode("utf-8"))


def _size(root: Mapping[str, str]) -> tuple[int | None, int | None]:
    """Return the size that the drawing asks for, in points; None where it leaves that open."""
    sides = [_LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
    if not all(sides):
        box = root.get("viewBox", "").replace(",", " ").split()
        sides = [_LENGTH.fullmatch(side) for side in box[2:4]]
    match sides:
        case [re.Match() as width, re.Match() as height]:
            return round(float(width[1])), round(float(height[1]))
    return None, None


class _Writer:
    """Is called by the parser, and writes what may stay."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.root: dict[str, str] = {}
        self.references = References()
        self._depth = self._left_out = self._elements = 0
        self._style: list[str] | None = None
        self.parser = expat.ParserCreate(namespace_separator=BETWEEN)
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.ProcessingInstructionHandler = self._instruction
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def _refuse(self, code: str, **detail: str) -> UnsupportedFile:
        return UnsupportedFile(code, line=self.parser.CurrentLineNumber, **detail)

    def _doctype(self, name: str, *_: object) -> None:
        raise (
            self._refuse("drawing_declares")
            if name.lower() == "svg"
            else UnsupportedFile("unknown_type")
        )

    def _instruction(self, target: str, _data: str) -> None:
        raise self._refuse("drawing_instructs", name=target)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(BETWEEN)
        self._depth += 1
        self._elements += 1
        if self._elements == 1 and (space, local) != (SVG, "svg"):
            raise UnsupportedFile("unknown_type" if local != "svg" else "drawing_nameless")
        if self._depth > MAX_DEPTH or self._elements > MAX_ELEMENTS:
            raise self._refuse("drawing_too_complex")
        if self._left_out or space != SVG or local in LEFT_OUT:
            if not space or space == "http://www.w3.org/1999/xhtml":
                raise self._refuse("drawing_element", name=local)
            self._left_out += 1
            return
        if local not in ELEMENTS:
            raise self._refuse("drawing_element", name=local)
        allowed = self._attributes(attributes)
        self._write(local, allowed)

    def _write(self, local: str, attributes: dict[str, str]) -> None:
        if self._elements == 1:
            self.root = attributes
            attributes = {"xmlns": SVG} | attributes
        if local == "style":
            self._style = []
        self.references.open(local, attributes)
        written = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
        self.out.append(f"<{local}{written}>")

    def _attributes(self, attributes: dict[str, str]) -> dict[str, str]:
        allowed = {}
        for name, value in attributes.items():
            space, _, local = name.rpartition(BETWEEN)
            if not space and local.lower().startswith("on"):
                raise self._refuse("drawing_attribute", name=local)
            if local == "href" and space in {"", XLINK}:
                if not _LOCAL.fullmatch(value.strip()):
                    raise self._refuse("drawing_fetches", name=local)
                allowed["href"] = value.strip()
            elif (space, local) == (XML, "space"):
                allowed["xml:space"] = value
            elif not space and local in ATTRIBUTES:
                self._harmless(local, value)
                allowed[local] = value
        return allowed

    def _harmless(self, name: str, value: str) -> None:
        """Refuse a value that reaches beyond the drawing; `url(#here)` stays within."""
        active = _ACTIVE.search(_URL.sub("", value))
        if active and name not in _WORDS:
            raise self._refuse("drawing_fetches", name=name)

    def _text(self, text: str) -> None:
        if self._left_out or not self._depth:
            return
        if self._style is not None:
            self._style.append(text)
        self.out.append(escape(text))

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self._left_out:
            self._left_out -= 1
            return
        local = name.rpartition(BETWEEN)[2]
        if local == "style" and self._style is not None:
            self._harmless("style", "".join(self._style))
            self.references.style("".join(self._style))
            self._style = None
        self.references.close()
        self.out.append(f"</{local}>")

"""A QTI 1.2 item as it stands in its file: responses, texts and feedback, before it has a kind."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from xml.etree.ElementTree import Element

from quizzes.formats.contract import Note
from quizzes.formats.html import FindMedia, to_markdown
from quizzes.formats.parsing.markdown_escape import escape_markdown
from quizzes.formats.parsing.xhtml import read_text, render_inner
from quizzes.formats.parsing.xml import XmlNode
from quizzes.formats.qti12.conditions import number

MOST_LABELS = 200
_RESPONSES = {"response_lid", "response_str", "response_num", "response_xy", "response_grp"}
_HTML = ("text/html", "text/xhtml")


@dataclass(frozen=True, slots=True)
class Label:
    """One thing to choose."""

    id: str
    text: str
    line: int
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Response:
    """One place to answer: `tag` and `cardinality` of the file, `text` said beside it."""

    id: str
    tag: str
    cardinality: str
    text: str
    labels: tuple[Label, ...]
    fields: int  # places to write in
    number: bool
    shuffle: str  # "yes", "no", or "" where nothing is said

    def shuffled(self, *, told: bool) -> bool:
        """Tell whether options are shuffled; `told` where nothing is said."""
        return self.shuffle == "yes" or (told and not self.shuffle)


@dataclass(slots=True)
class Source:
    """One item. `prompt` has `place(n)` where the n-th response stands in the text."""

    node: XmlNode
    media: FindMedia
    meta: dict[str, str] = field(default_factory=dict)
    responses: list[Response] = field(default_factory=list)
    feedback: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    html: str = ""

    def note(self, code: str, quote: str = "", line: int = 0) -> None:
        """Note a thing about this item."""
        self.notes.append(Note(code, line or self.node.line, quote[:200]))

    def markdown(self, html: str, line: int = 0) -> str:
        """Turn HTML into our text; what it cannot keep is noted."""
        text, notes = to_markdown(html, line=line or self.node.line, media=self.media)
        self.notes += [one for one in notes if one not in self.notes]
        return text

    def most(self) -> Fraction:
        """Give the most that the score may be; 0 where that is not said."""
        scores = (one for one in self.node.iter() if one.tag == "decvar")
        return next((number(one.get("maxvalue", "")) or Fraction(0) for one in scores), Fraction(0))

    def gain(self) -> Fraction | None:
        """Give the points that the file says this item is worth."""
        return number(self.meta.get("points_possible", "") or self.meta.get("qmd_maximumscore", ""))


def place(at: int) -> str:
    """Give the word that holds a response's place while its text is turned into ours."""
    return f"qtigap{at}qtigap"


def source(node: XmlNode, media: FindMedia) -> Source:
    """Read an item."""
    read = Source(node, media, dict(_metadata(node)))
    presentation = next((one for one in node if one.tag == "presentation"), None)
    if presentation is not None:
        read.html = "".join(_shown(presentation, read))
    for one in node:
        if one.tag == "itemfeedback":
            read.feedback[one.get("ident", "")] = text(one, read)
    return read


def _metadata(node: XmlNode) -> Iterator[tuple[str, str]]:
    for one in node.iter():
        if one.tag == "qtimetadatafield":
            values = {part.tag: read_text(part) for part in one}
            yield values.get("fieldlabel", "").lower(), values.get("fieldentry", "")
        elif one.tag.startswith("qmd_"):
            yield one.tag, read_text(one)


def _shown(node: Element, read: Source) -> Iterator[str]:
    for one in node:
        name = one.tag
        if name == "material":
            yield "".join(_material(one))
        elif name in _RESPONSES:
            yield f" {place(len(read.responses))} "
            read.responses.append(_response(one, read))
        elif name in {"flow", "flow_mat"}:
            yield f"<div>{''.join(_shown(one, read))}</div>"


def _response(node: Element, read: Source) -> Response:
    labels = [one for one in node.iter() if one.tag == "response_label"]
    render = next((one for one in node.iter() if one.tag.startswith("render_")), None)
    kinds = {one.tag for one in node.iter()}
    tag = node.tag
    if kinds & {"render_hotspot", "render_slider"} or len(labels) > MOST_LABELS:
        tag = "response_xy"
    fib = "" if render is None else render.get("fibtype", "").lower()
    shown = [one for one in node if one.tag in {"material", "flow", "flow_mat", "material_ref"}]
    return Response(
        node.get("ident", ""),
        tag,
        node.get("rcardinality", "Single").lower(),
        "\n\n".join(filter(None, (text(one, read) for one in shown if not _holds(one, render)))),
        tuple(_label(one, read) for one in labels) if tag == "response_lid" else (),
        len(labels),
        tag == "response_num" or fib in {"decimal", "integer", "scientific"},
        max((one.get("shuffle", "").lower() for one in node.iter()), default=""),
    )


def _holds(node: Element, render: Element | None) -> bool:
    return any(one is render for one in node.iter())


def _label(node: Element, read: Source) -> Label:
    pinned = node.get("rshuffle", "").lower() == "no" and node.get("rshuffle") is not None
    return Label(node.get("ident", ""), text(node, read), _line(node), pinned)


def text(node: Element, read: Source) -> str:
    """Give all material within an element as our text."""
    materials = [one for one in node.iter() if one.tag == "material"]
    if node.tag == "material":
        materials = [node]
    plain = _plain(materials)
    if plain is not None:
        return escape_markdown(plain)
    html = "".join(f"<div>{''.join(_material(one))}</div>" for one in materials)
    return read.markdown(html, _line(node))


def _plain(materials: list[Element]) -> str | None:
    """Give the text where it is all plain words."""
    parts = [part for one in materials for part in one]
    if all(one.tag == "mattext" and not len(one) and not _is_html(one) for one in parts):
        return "\n\n".join(part.text or "" for part in parts)
    return None


def _is_html(node: Element) -> bool:
    return node.get("texttype", "").lower() in _HTML


def _material(node: Element) -> Iterator[str]:
    for one in node:
        name = one.tag
        if name in {"mattext", "matemtext"}:
            plain = escape(one.text or "", quote=False).replace("\n", "<br>")
            yield render_inner(one) if len(one) else (one.text or "") if _is_html(one) else plain
        elif name == "matbreak":
            yield "<br>"
        elif name == "matimage":
            alt = escape(one.get("label", "") or read_text(one))
            yield f'<img src="{escape(one.get("uri", ""))}" alt="{alt}">'


def _line(node: Element) -> int:
    return node.line if isinstance(node, XmlNode) else 1

"""A QTI 1.2 item as it stands in its file: responses, texts and feedback, before it has a kind."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from xml.etree.ElementTree import Element

from quizzes.formats.contract import Note
from quizzes.formats.html import Media, to_markdown
from quizzes.formats.parsing.markdown_escape import escaped
from quizzes.formats.parsing.xhtml import inner, words
from quizzes.formats.parsing.xml import Node, local
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

    node: Node
    media: Media
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
        self.notes += [note for note in notes if note not in self.notes]
        return text

    def most(self) -> Fraction:
        """Give the most that the score may be; 0 where that is not said."""
        scores = (node for node in self.node.iter() if local(node) == "decvar")
        return next(
            (number(score.get("maxvalue", "")) or Fraction(0) for score in scores), Fraction(0)
        )

    def gain(self) -> Fraction | None:
        """Give the points that the file says this item is worth."""
        return number(self.meta.get("points_possible", "") or self.meta.get("qmd_maximumscore", ""))


def place(at: int) -> str:
    """Give the word that holds a response's place while its text is turned into ours."""
    return f"qtigap{at}qtigap"


def source(node: Node, media: Media) -> Source:
    """Read an item."""
    read = Source(node, media, dict(_metadata(node)))
    presentation = next((child for child in node if local(child) == "presentation"), None)
    if presentation is not None:
        read.html = "".join(_shown(presentation, read))
    for child in node:
        if local(child) == "itemfeedback":
            read.feedback[child.get("ident", "")] = text(child, read)
    return read


def _metadata(node: Node) -> Iterator[tuple[str, str]]:
    for child in node.iter():
        if local(child) == "qtimetadatafield":
            values = {local(part): words(part) for part in child}
            yield values.get("fieldlabel", "").lower(), values.get("fieldentry", "")
        elif local(child).startswith("qmd_"):
            yield local(child), words(child)


def _shown(node: Element, read: Source) -> Iterator[str]:
    for child in node:
        name = local(child)
        if name == "material":
            yield "".join(_material(child))
        elif name in _RESPONSES:
            yield f" {place(len(read.responses))} "
            read.responses.append(_response(child, read))
        elif name in {"flow", "flow_mat"}:
            yield f"<div>{''.join(_shown(child, read))}</div>"


def _response(node: Element, read: Source) -> Response:
    labels = [child for child in node.iter() if local(child) == "response_label"]
    render = next((child for child in node.iter() if local(child).startswith("render_")), None)
    kinds = {local(child) for child in node.iter()}
    tag = local(node)
    if kinds & {"render_hotspot", "render_slider"} or len(labels) > MOST_LABELS:
        tag = "response_xy"
    fib = "" if render is None else render.get("fibtype", "").lower()
    materials = [
        child for child in node if local(child) in {"material", "flow", "flow_mat", "material_ref"}
    ]
    return Response(
        node.get("ident", ""),
        tag,
        node.get("rcardinality", "Single").lower(),
        "\n\n".join(
            filter(None, (text(one, read) for one in materials if not _holds(one, render)))
        ),
        tuple(_label(label, read) for label in labels) if tag == "response_lid" else (),
        len(labels),
        tag == "response_num" or fib in {"decimal", "integer", "scientific"},
        max((child.get("shuffle", "").lower() for child in node.iter()), default=""),
    )


def _holds(node: Element, render: Element | None) -> bool:
    return any(child is render for child in node.iter())


def _label(node: Element, read: Source) -> Label:
    pinned = node.get("rshuffle", "").lower() == "no" and node.get("rshuffle") is not None
    return Label(node.get("ident", ""), text(node, read), _line(node), pinned)


def text(node: Element, read: Source) -> str:
    """Give all material within an element as our text."""
    materials = [child for child in node.iter() if local(child) == "material"]
    if local(node) == "material":
        materials = [node]
    plain = _plain(materials)
    if plain is not None:
        return escaped(plain)
    html = "".join(f"<div>{''.join(_material(material))}</div>" for material in materials)
    return read.markdown(html, _line(node))


def _plain(materials: list[Element]) -> str | None:
    """Give the text where it is all plain words."""
    parts = [part for material in materials for part in material]
    if all(local(part) == "mattext" and not len(part) and not _is_html(part) for part in parts):
        return "\n\n".join(part.text or "" for part in parts)
    return None


def _is_html(node: Element) -> bool:
    return node.get("texttype", "").lower() in _HTML


def _material(node: Element) -> Iterator[str]:
    for child in node:
        name = local(child)
        if name in {"mattext", "matemtext"}:
            plain = escape(child.text or "", quote=False).replace("\n", "<br>")
            yield inner(child) if len(child) else (child.text or "") if _is_html(child) else plain
        elif name == "matbreak":
            yield "<br>"
        elif name == "matimage":
            alt = escape(child.get("label", "") or words(child))
            yield f'<img src="{escape(child.get("uri", ""))}" alt="{alt}">'


def _line(node: Element) -> int:
    return node.line if isinstance(node, Node) else 1

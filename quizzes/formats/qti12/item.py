"""A QTI 1.2 item as its file has it: metadata, responses, labels, feedback and conditions."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from xml.etree.ElementTree import Element

from quizzes.formats.contract import Note
from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.parsing.xhtml import read_text, render_inner
from quizzes.formats.parsing.xml import XmlNode, get_line
from quizzes.formats.qti.assessment_item import CUSTOM_SCORING, AssessmentItem, build_token
from quizzes.formats.qti12.conditions import RespCondition
from quizzes.lib.html_conversion import FindMedia
from quizzes.lib.markup.escape import escape_markdown

GENERAL_FEEDBACK = ("general_fb", "solution")
SCORE_FEEDBACK = {Fraction(1): "correct_fb", Fraction(0): "general_incorrect_fb"}
_NOT_OF_A_RESPONSE = {"general_fb", *SCORE_FEEDBACK.values()}
_MAX_LABELS = 200
_RESPONSES = {"response_lid", "response_str", "response_num", "response_xy", "response_grp"}
_MATERIALS = {"material", "flow", "flow_mat", "material_ref"}
_HTML = ("text/html", "text/xhtml")


@dataclass(frozen=True, slots=True)
class ResponseLabel:
    """One option of a response."""

    id: str
    text: str
    line: int
    pinned: bool


@dataclass(frozen=True, slots=True)
class Qti12Response:
    """One response: `tag` and `cardinality` of the file, `text` beside it."""

    id: str
    tag: str
    cardinality: str
    text: str
    labels: tuple[ResponseLabel, ...]
    is_number: bool
    shuffle: str  # "yes", "no", or "" where nothing is said

    def is_shuffled(self, *, default: bool) -> bool:
        """Return whether options are shuffled; `default` where the file does not say."""
        return self.shuffle == "yes" or (default and not self.shuffle)


@dataclass(slots=True)
class Qti12Item(AssessmentItem):
    """One item; `metadata` by lower-case label, `feedback` by identifier."""

    metadata: dict[str, str] = field(default_factory=dict)
    responses: list[Qti12Response] = field(default_factory=list)
    feedback: dict[str, str] = field(default_factory=dict)
    conditions: Sequence[RespCondition] = ()

    @property
    def scoring_conditions(self) -> list[RespCondition]:
        """Return the conditions that give points or take some."""
        return [condition for condition in self.conditions if condition.points]

    @property
    def is_canvas(self) -> bool:
        """Return whether it is an item of Canvas, by the label that Canvas gives its kind."""
        return "question_type" in self.metadata

    @property
    def max_score(self) -> Fraction:
        """Return the highest score that the file allows; 0 where it does not say."""
        scores = (parse_number(node.get("maxvalue", "")) for node in self.node.iter("decvar"))
        return next(scores, None) or Fraction(0)

    @property
    def min_score(self) -> Fraction | None:
        """Return the lowest score that the file allows; None where it does not say."""
        scores = (parse_number(node.get("minvalue", "")) for node in self.node.iter("decvar"))
        return next(scores, None)

    @property
    def points(self) -> Fraction | None:
        """Return the points that the file gives this item."""
        names = ("points_possible", "qmd_maximumscore")
        return parse_number(next(filter(None, map(self.metadata.get, names)), ""))

    def add_notes(self, notes: Iterable[Note]) -> None:
        """Add the notes on a key; a custom rule explains that it is unknown."""
        is_custom = self.has_note(CUSTOM_SCORING)
        AssessmentItem.add_notes(
            self, (note for note in notes if not (is_custom and note.code == "key_unknown"))
        )

    def note_unknown_key(self) -> None:
        """Note that nothing says what is right, unless a custom rule does."""
        self.add_notes([Note("key_unknown", self.node.line)])

    def note_maximum(self, points: Iterable[Fraction]) -> None:
        """Note that one answer earns more than the file lets a score be, where others differ."""
        amounts = {earned for earned in points if earned}
        if len(amounts) > 1 and 0 < self.max_score < max(amounts):
            self.note("maximum_score_ignored")

    def join_feedback(self, identifiers: Iterable[str]) -> str:
        """Return the feedback with these identifiers, without that of the whole item."""
        names = dict.fromkeys(name for name in identifiers if name not in _NOT_OF_A_RESPONSE)
        return "\n\n".join(dict.fromkeys(filter(None, map(self.feedback.get, names))))

    def find_feedback(self, operand: str, response: str = "") -> str:
        """Return the feedback to this value, in one response if it is given."""
        linked = [
            identifier
            for condition in self.conditions
            if any(
                len(clause) == 1
                and clause[0].must_hold
                and clause[0].operand == operand
                and response in {"", clause[0].response}
                for clause in condition.clauses
            )
            for identifier in condition.feedback
        ]
        return self.join_feedback([*linked, f"{operand}_fb"])

    def render_text(self, node: Element) -> str:
        """Return all material within an element as Markdown."""
        materials = list(node.iter("material"))
        parts = [part for material in materials for part in material]
        if all(part.tag == "mattext" and not len(part) and not _is_html(part) for part in parts):
            return escape_markdown("\n\n".join(part.text or "" for part in parts))
        html = "".join(f"<div>{_render_material(material)}</div>" for material in materials)
        return self.markdown(html, get_line(node))


def read_qti12_item(node: XmlNode, media: FindMedia) -> Qti12Item:
    """Return an item without its conditions, which may be of a kind that cannot be read."""
    item = Qti12Item(node, media, metadata=dict(read_metadata(node)))
    presentation = node.find("presentation")
    if presentation is not None:
        item.html = "".join(_render_presentation(presentation, item))
    for feedback in node.findall("itemfeedback"):
        item.feedback[feedback.get("ident", "")] = item.render_text(feedback)
    return item


def read_metadata(node: Element) -> Iterator[tuple[str, str]]:
    """Yield each label and entry of the metadata."""
    for child in node.iter():
        if child.tag == "qtimetadatafield":
            texts = {part.tag: read_text(part) for part in child}
            yield texts.get("fieldlabel", "").lower(), texts.get("fieldentry", "")
        elif child.tag.startswith("qmd_"):
            yield child.tag, read_text(child)


def _render_presentation(node: Element, item: Qti12Item) -> Iterator[str]:
    for child in node:
        if child.tag == "material":
            yield _render_material(child)
        elif child.tag in _RESPONSES:
            item.responses.append(_read_response(child, item))
            yield f" {build_token(len(item.responses))} "
        elif child.tag in {"flow", "flow_mat"}:
            yield f"<div>{''.join(_render_presentation(child, item))}</div>"


def _read_response(node: Element, item: Qti12Item) -> Qti12Response:
    labels = list(node.iter("response_label"))
    tags = {child.tag for child in node.iter()}
    is_unsupported = tags & {"render_hotspot", "render_slider"} or len(labels) > _MAX_LABELS
    tag = "response_xy" if is_unsupported else node.tag
    render = next((child for child in node.iter() if child.tag.startswith("render_")), None)
    input_type = "" if render is None else render.get("fibtype", "").lower()
    texts = [
        item.render_text(child)
        for child in node
        if child.tag in _MATERIALS and (render is None or render not in child.iter())
    ]
    return Qti12Response(
        node.get("ident", ""),
        tag,
        node.get("rcardinality", "Single").lower(),
        "\n\n".join(filter(None, texts)),
        tuple(_read_label(label, item) for label in labels) if tag == "response_lid" else (),
        tag == "response_num" or input_type in {"decimal", "integer", "scientific"},
        max((child.get("shuffle", "").lower() for child in node.iter()), default=""),
    )


def _read_label(node: Element, item: Qti12Item) -> ResponseLabel:
    pinned = node.get("rshuffle", "").lower() == "no"
    return ResponseLabel(node.get("ident", ""), item.render_text(node), get_line(node), pinned)


def _is_html(node: Element) -> bool:
    return node.get("texttype", "").lower() in _HTML


def _render_material(node: Element) -> str:
    parts = []
    for child in node:
        if child.tag in {"mattext", "matemtext"}:
            text = child.text or ""
            plain = escape(text, quote=False).replace("\n", "<br>")
            parts.append(render_inner(child) if len(child) else text if _is_html(child) else plain)
        elif child.tag == "matbreak":
            parts.append("<br>")
        elif child.tag == "matimage":
            alt = escape(child.get("label", "") or read_text(child))
            parts.append(f'<img src="{escape(child.get("uri", ""))}" alt="{alt}">')
    return "".join(parts)

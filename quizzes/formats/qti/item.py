"""A QTI 2 or 3 item as its file has it: text, interactions, response processing, feedback."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.xhtml import render_inner
from quizzes.formats.parsing.xml import XmlNode, get_line
from quizzes.formats.qti.assessment_item import (
    CUSTOM_SCORING,
    AssessmentItem,
    CustomScoring,
    build_token,
)
from quizzes.formats.qti.choice_identifiers import name_choices
from quizzes.formats.qti.response_declarations import (
    ResponseDeclaration,
    ResponseMapping,
    read_outcome_default,
    read_response_declarations,
)
from quizzes.formats.qti.response_processing import SCORE, ResponseProcessing
from quizzes.formats.qti.scoring_rules import ScoringRule
from quizzes.lib.html_conversion import FindMedia

INLINE = {"inlineChoiceInteraction", "textEntryInteraction"}
GENERAL_FEEDBACK = {"general", "solution", "explanation"}
_FEEDBACK = {"feedbackInline", "feedbackBlock", "rubricBlock", "modalFeedback"}
_SKIPPED = {"prompt", "stylesheet", "templateInline", "templateBlock", "printedVariable"}


@dataclass(slots=True)
class QtiItem(AssessmentItem):
    """One item, its names spelled as in QTI 2."""

    responses: dict[str, ResponseDeclaration] = field(default_factory=dict)
    interaction_nodes: list[Element] = field(default_factory=list)
    processing: ResponseProcessing = field(default_factory=ResponseProcessing)
    used_feedback: set[str] = field(default_factory=set)

    def render_text(self, node: Element) -> str:
        """Return the content of an element as Markdown, without feedback and interactions."""
        return self.markdown(render_inner(node, _skip), get_line(node))

    @property
    def interactions(self) -> list["Interaction"]:
        """Return the interactions with their responses and rules."""
        return [Interaction(self, node) for node in self.interaction_nodes]

    def compute_points(self, rule: ScoringRule) -> Fraction:
        """Return the most points that a rule gives."""
        if rule.basis != "map":
            return rule.points
        response = self.responses.get(rule.responses[0])
        if response is None or response.mapping is None:
            return Fraction(0)
        points = [Fraction(0), *(points for _, points, _ in response.mapping.entries)]
        if self._has_unmapped_answers(response, response.mapping):
            points.append(response.mapping.default)
        if response.cardinality == "single":
            return response.mapping.clamp(max(points))
        positive = (earned for earned in points if earned > 0)
        return response.mapping.clamp(sum(positive, Fraction(0)))

    def _has_unmapped_answers(
        self, response: ResponseDeclaration, mapping: ResponseMapping
    ) -> bool:
        """Return whether there is an answer that a mapping does not name."""
        if response.base_type == "string" or response.is_number:
            return True
        mapped = {value for value, _, _ in mapping.entries}
        return any(
            choice.get("identifier", "") not in mapped
            for node in self.interaction_nodes
            if node.get("responseIdentifier") == response.id
            for choice in (*node.iter("inlineChoice"), *node.iter("simpleChoice"))
        )

    def use_feedback(self, *identifiers: str) -> str:
        """Return the feedback with these identifiers; it counts as used."""
        self.used_feedback.update(identifiers)
        return "\n\n".join(
            text
            for feedback in self.node.iter("modalFeedback")
            if feedback.get("identifier") in identifiers and (text := self.render_text(feedback))
        )

    def use_score_feedback(self, score: int) -> str:
        """Return the feedback to a right (1) or wrong (0) answer; it counts as used."""
        linked = self.processing.score_feedback.items()
        return self.use_feedback(*(name for name, link in linked if link == score))

    def read_explanation(self) -> str:
        """Return what is displayed beside the question, whatever was answered."""
        rubrics = (
            node
            for node in self.node.iter("rubricBlock")
            if "candidate" not in node.get("view", "candidate")
        )
        feedback = (
            node
            for node in self.node.iter("modalFeedback")
            if node.get("identifier", "").lower() in GENERAL_FEEDBACK
        )
        return "\n\n".join(filter(None, map(self.render_text, [*rubrics, *feedback])))


class Interaction:
    """One interaction of an item: its element, the declaration of its response, its rules."""

    def __init__(self, item: QtiItem, node: Element) -> None:
        identifier = node.get("responseIdentifier", "")
        self.item, self.node = item, node
        self.response = item.responses.get(identifier) or ResponseDeclaration(identifier)
        self.rules = [rule for rule in item.processing.rules if identifier in rule.responses]

    @property
    def bases(self) -> set[str]:
        """Return what the rules compare an answer with."""
        return {rule.basis for rule in self.rules}

    def note_custom(self) -> None:
        """Note that a key cannot express the rules."""
        self.item.note(CUSTOM_SCORING, self.rules[0].basis, self.rules[0].line)

    def use_feedback(self, value: str) -> str:
        """Return the feedback to one value of the response; it counts as used."""
        linked, place = self.item.processing.value_feedback.items(), (self.response.id, value)
        return self.item.use_feedback(*(name for name, link in linked if link == place))

    def render_choices(self, tag: str) -> dict[str, str]:
        """Return the texts of the choices with this tag, by their identifiers."""
        choices = self.node.iter(tag)
        return {choice.get("identifier", ""): self.item.render_text(choice) for choice in choices}


def read_qti_item(node: XmlNode, media: FindMedia) -> QtiItem:
    """Return an item; custom scoring becomes a note."""
    item = QtiItem(node, media, responses=read_response_declarations(node))
    name_choices(item)
    body = node.find("itemBody")
    if body is not None:
        item.html = render_inner(body, lambda child: _render_body(child, item))
    processing = node.find("responseProcessing")
    try:
        if processing is not None:
            item.processing.read(processing)
    except CustomScoring as custom:
        item.processing = ResponseProcessing()
        item.note(CUSTOM_SCORING, custom.quote, custom.line)
    if read_outcome_default(node, SCORE):
        item.processing = ResponseProcessing()
        item.note(CUSTOM_SCORING, SCORE)
    is_scored = item.processing.rules or item.has_note(CUSTOM_SCORING)
    if not is_scored and any(response.correct for response in item.responses.values()):
        item.note("scored_by_correct_response")
    return item


def _skip(node: Element) -> str | None:
    """Leave feedback and interactions out of a text."""
    is_skipped = node.tag in _FEEDBACK | _SKIPPED or node.tag.endswith("Interaction")
    return "" if is_skipped else None


def _render_body(node: Element, item: QtiItem) -> str | None:
    """Replace an interaction by its token or its own text; leave feedback out."""
    if node.tag == "rubricBlock" and "candidate" in node.get("view", "candidate"):
        return f"<div>{render_inner(node, lambda child: _render_body(child, item))}</div>"
    if node.tag in _FEEDBACK:
        return ""
    if not node.tag.endswith("Interaction"):
        return None
    item.interaction_nodes.append(node)
    if node.tag in INLINE:
        return build_token(len(item.interaction_nodes))
    return "".join(f"<div>{html}</div>" for html in _render_interaction(node))


def _render_interaction(interaction: Element) -> Iterator[str]:
    """Yield the prompt of an interaction, and the text with gaps of a gap match."""
    gaps = {gap: build_token(at) for at, gap in enumerate(interaction.iter("gap"), start=1)}
    for prompt in interaction.findall("prompt"):
        yield render_inner(prompt, _skip)
    if interaction.tag == "gapMatchInteraction":
        for part in interaction:
            if part.tag not in {"prompt", "gapText", "gapImg"}:
                yield render_inner(part, lambda node: gaps.get(node) or _skip(node))

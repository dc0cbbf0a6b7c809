"""One item of QTI while it is written: declarations, body, processing and feedback."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import lcm
from xml.etree.ElementTree import Element

from quizzes.formats.contract import ParsedRow
from quizzes.formats.export import ExportTracker
from quizzes.formats.export.answers import list_bands
from quizzes.formats.export.elements import append_element, build_element, write_flag
from quizzes.formats.parsing.percentages import decimal, snapped
from quizzes.formats.parsing.xml import XmlNode, parse_xml
from quizzes.formats.qti.write_processing import (
    BAND,
    FEEDBACK,
    MAXSCORE,
    RESPONSE,
    SCORE,
    build_base_value,
    build_comparison,
    build_condition,
    build_correct_test,
    build_map,
    build_score,
    build_setting,
    build_variable,
    list_values,
)

MOST_POINTS = 1_000
_STEP = Fraction(1, 1000)
_MEDIA = "media:"
_OTHERWISE = "otherwise"


@dataclass(slots=True)
class QtiItemWriter:
    """What has been written so far; `total` is what the complete item is worth."""

    tracker: ExportTracker
    total: Fraction = Fraction(1)
    responses: list[Element] = field(default_factory=list)
    outcomes: dict[str, Element] = field(default_factory=dict)
    body: Element = field(default_factory=partial(Element, "itemBody"))
    rules: list[Element] = field(default_factory=list)
    template: str = ""
    feedback: list[Element] = field(default_factory=list)

    def write_text(self, parent: Element, markdown: str) -> None:
        """Write a text as XHTML."""
        html = self.tracker.html(markdown)
        self.write_html(parent, html, html)

    def write_html(self, parent: Element, xhtml: str, html: str) -> bool:
        """Write XHTML; if that cannot be parsed, write `html` as plain text and return False."""
        root = parse_xml(f"<div>{xhtml}</div>".encode())
        is_parsed = isinstance(root, XmlNode)
        if not isinstance(root, XmlNode):  # nested too deeply
            self.tracker.warn("markup_changed")
            root = XmlNode("div")
            root.text = html
        for node in root.iter():
            for name in ("src", "href"):
                if node.get(name, "").startswith(_MEDIA):
                    node.set(name, f"../media/{node.get(name, '').removeprefix(_MEDIA)}")
        is_paragraph = len(root) == 1 and root[0].tag == "p"
        source = root[0] if is_paragraph and not (root[0].tail or "").strip() else root
        parent.text = source.text
        parent.extend(source)
        return is_parsed

    def append_line(self, interaction: Element) -> None:
        """Append an interaction to the body as a line of its own."""
        append_element(self.body, "p", interaction)

    def declare_response(
        self, ident: str, cardinality: str, base_type: str, right: Iterable[str]
    ) -> None:
        """Declare a response and the right answer."""
        declaration = build_element(
            "responseDeclaration", identifier=ident, cardinality=cardinality, baseType=base_type
        )
        if texts := [self.tracker.clean(text) for text in right]:
            declaration.append(list_values("correctResponse", texts))
        self.responses.append(declaration)

    def declare_outcome(
        self, ident: str, cardinality: str, base_type: str, *default: str
    ) -> Element:
        """Declare an outcome, once."""
        declaration = build_element(
            "outcomeDeclaration", identifier=ident, cardinality=cardinality, baseType=base_type
        )
        if default:
            declaration.append(list_values("defaultValue", default))
        return self.outcomes.setdefault(ident, declaration)

    def declare_scores(self) -> None:
        """Declare the score and the highest one."""
        self.declare_outcome(SCORE, "single", "float", "0")
        self.declare_outcome(MAXSCORE, "single", "float", decimal(self.total))

    def add_mapping(
        self, amounts: Mapping[str, str], *, case: bool | None = None, **options: str
    ) -> None:
        """Add to the last response what each of its values is worth; any other is worth nothing."""
        mapping = append_element(self.responses[-1], "mapping", **{"defaultValue": "0", **options})
        for key, amount in amounts.items():
            entry = append_element(
                mapping, "mapEntry", mapKey=self.tracker.clean(key), mappedValue=amount
            )
            if case is not None:
                entry.set("caseSensitive", write_flag(case))

    def settle_total(self, *shares: Fraction) -> None:
        """Settle what the item is worth: its points, else so much that no share is broken."""
        begins = [self.tracker.ratio("from", row) for row in self.tracker.rows("score_feedback")]
        denominator = lcm(*(share.denominator for share in (*shares, *begins)))
        points = denominator if denominator <= MOST_POINTS else 1
        self.total = self.tracker.points or Fraction(points)

    def compute_points(self, share: Fraction) -> str:
        """Return a share in points; one that will be read differently is warned of."""
        text = decimal(share * self.total)
        if snapped(Fraction(text) / self.total, _STEP) != share:
            self.tracker.warn("share_rounded")
        return text

    def score_correct(self) -> None:
        """Score the right answer, and nothing else."""
        self.template = "match_correct" if self.total == 1 else ""
        branch = (build_correct_test(), build_score(decimal(self.total)))
        self.rules.append(build_condition([branch], build_score("0")))

    def score_mapped(self) -> None:
        """Score what the mapping gives."""
        self.template = "map_response"
        is_empty = build_element("isNull", build_variable(RESPONSE))
        branch = (is_empty, build_score("0"))
        self.rules.append(build_condition([branch], build_score(build_map(RESPONSE))))

    def add_feedback(self, outcome: str, ident: str, markdown: str) -> bool:
        """Add a feedback, if there is any, that shows when an outcome has this identifier."""
        if markdown:
            feedback = build_element(
                "modalFeedback", outcomeIdentifier=outcome, identifier=ident, showHide="show"
            )
            self.write_text(feedback, markdown)
            self.feedback.append(feedback)
        return bool(markdown)

    def add_chosen_feedback(self, cardinality: str, feedback: Mapping[str, str]) -> None:
        """Add the feedback on options, by identifier; the answer itself says which one shows."""
        if [ident for ident, text in feedback.items() if self.add_feedback(FEEDBACK, ident, text)]:
            self.declare_outcome(FEEDBACK, cardinality, "identifier")
            self.rules.append(build_setting(FEEDBACK, build_variable(RESPONSE)))

    def add_answer_feedback(
        self, response: str, table: str, tests: Iterable[tuple[Element, ParsedRow]]
    ) -> None:
        """Add the feedback on the first answer whose test holds, and on any other answer."""
        is_gap = response != RESPONSE
        outcome = f"{FEEDBACK}-{response}" if is_gap else FEEDBACK
        branches, count = [], len(self.feedback)
        for number, (test, row) in enumerate(tests, start=1):
            ident = f"{outcome}-{number}"
            has_feedback = self.add_feedback(outcome, ident, self.tracker.feedback(table, row))
            value = build_base_value("identifier", ident) if has_feedback else Element("null")
            branches.append((test, build_setting(outcome, value)))
        otherwise = None
        text = "" if is_gap else self.tracker.feedback(_OTHERWISE)
        if self.add_feedback(outcome, _OTHERWISE, text):
            otherwise = build_setting(outcome, build_base_value("identifier", _OTHERWISE))
        if len(self.feedback) > count:
            self.declare_outcome(outcome, "single", "identifier")
            self.rules.append(build_condition(branches, otherwise))

    def add_bands(self) -> None:
        """Add the feedback from a score on."""
        branches = []
        bands = enumerate(list_bands(self.tracker), start=1)
        idents = [
            (begin, f"band-{number}")
            for number, (begin, text) in bands
            if self.add_feedback(BAND, f"band-{number}", text)
        ]
        for begin, ident in sorted(idents, reverse=True):
            is_reached = build_comparison("gte", SCORE, "float", decimal(begin * self.total))
            setting = build_setting(BAND, build_base_value("identifier", ident))
            branches.append((is_reached, setting))
        if branches:
            self.declare_outcome(BAND, "single", "identifier")
            self.rules.append(build_condition(branches))

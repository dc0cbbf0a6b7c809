"""One item of QTI while it is written: declarations, body, processing and feedback."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import lcm
from xml.etree.ElementTree import Element

from quizzes.formats.contract import ParsedRow
from quizzes.formats.export import ExportTracker, answers
from quizzes.formats.export.answers import FULL
from quizzes.formats.export.elements import append_element, build_element, write_flag
from quizzes.formats.parsing.percentages import format_decimal
from quizzes.formats.parsing.xml import XmlNode, parse_xml
from quizzes.formats.qti import rules
from quizzes.formats.qti.rules import BAND, FEEDBACK, MAXSCORE, RESPONSE, SCORE

MOST_POINTS = 1_000
_MEDIA = "media:"
_OTHERWISE = "otherwise"


@dataclass(slots=True)
class QtiItemWriter:
    """What has been written so far; `total` is what the complete item is worth.

    `has_external_scoring`: the standard has `externalScored`, as 2.2 and later.
    """

    tracker: ExportTracker
    has_external_scoring: bool = False
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
            declaration.append(rules.list_values("correctResponse", texts))
        self.responses.append(declaration)

    def declare_outcome(
        self, ident: str, cardinality: str, base_type: str, *default: str
    ) -> Element:
        """Declare an outcome, once."""
        declaration = build_element(
            "outcomeDeclaration", identifier=ident, cardinality=cardinality, baseType=base_type
        )
        if default:
            declaration.append(rules.list_values("defaultValue", default))
        return self.outcomes.setdefault(ident, declaration)

    def declare_scores(self) -> None:
        """Declare the score and the highest one."""
        self.declare_outcome(SCORE, "single", "float", "0")
        self.declare_outcome(MAXSCORE, "single", "float", format_decimal(self.total))

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

    def write_points(self, credit: Fraction, share: Fraction = FULL) -> str:
        """Return the points for an answer, of a gap with this share of them.

        A credit that will be read differently is warned of.
        """
        return answers.write_points(self.tracker, credit, self.total * share)

    def add_condition(
        self, branches: Iterable[tuple[Element, Element]], otherwise: Element | None = None
    ) -> None:
        """Add a rule: the statement of the first test that holds is run, else the last one."""
        self.rules.append(rules.build_condition(branches, otherwise))

    def score_correct(self, cost: Fraction = Fraction(0)) -> None:
        """Score the right answer, and nothing else; another costs a share, but none does not."""
        self.template = "match_correct" if self.total == 1 and not cost else ""
        branches = [(rules.build_correct_test(), rules.build_score(format_decimal(self.total)))]
        if cost:
            is_empty = build_element("isNull", rules.build_variable(RESPONSE))
            branches.insert(0, (is_empty, rules.build_score("0")))
        self.add_condition(branches, rules.build_score(self.write_points(-cost)))

    def score_mapped(self) -> None:
        """Score what the mapping gives."""
        self.template = "map_response"
        is_empty = build_element("isNull", rules.build_variable(RESPONSE))
        score = rules.build_score(rules.build_mapped_score(RESPONSE))
        self.add_condition([(is_empty, rules.build_score("0"))], score)

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
            self.rules.append(rules.build_assignment(FEEDBACK, rules.build_variable(RESPONSE)))

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
            value = ident if has_feedback else Element("null")
            branches.append((test, rules.build_assignment(outcome, value)))
        otherwise = None
        if self.add_feedback(
            outcome, _OTHERWISE, "" if is_gap else self.tracker.feedback(_OTHERWISE)
        ):
            otherwise = rules.build_assignment(outcome, _OTHERWISE)
        if len(self.feedback) > count:
            self.declare_outcome(outcome, "single", "identifier")
            self.add_condition(branches, otherwise)

    def add_bands(self) -> None:
        """Add the feedback from a score on."""
        bands = enumerate(answers.list_score_feedback(self.tracker), start=1)
        idents = [
            (begin, f"band-{number}")
            for number, (begin, text) in bands
            if self.add_feedback(BAND, f"band-{number}", text)
        ]
        if idents:
            self.declare_outcome(BAND, "single", "identifier")
            branches = []
            for begin, ident in sorted(idents, reverse=True):
                points = format_decimal(begin * self.total)
                is_reached = rules.build_comparison("gte", SCORE, "float", points)
                branches.append((is_reached, rules.build_assignment(BAND, ident)))
            self.add_condition(branches)

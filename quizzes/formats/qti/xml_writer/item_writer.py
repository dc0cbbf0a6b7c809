"""One item of QTI while it is written: its declarations, its body, what it pays and says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import lcm
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.export_tracker import ExportTracker
from quizzes.formats.parsing.percentages import decimal, snapped
from quizzes.formats.parsing.xml import XmlNode, parse_xml
from quizzes.formats.qti.xml_writer.elements import (
    BAND,
    FEEDBACK,
    MAXSCORE,
    RESPONSE,
    SCORE,
    base,
    chain,
    correct,
    lift,
    made,
    setting,
    values,
    variable,
)

MOST_POINTS = 1_000
STEP = Fraction(1, 1000)
_MEDIA = "media:"


@dataclass(slots=True)
class Leaf:
    """What has been written so far; `points` is what the whole is worth, where that was said."""

    tracker: ExportTracker
    points: Fraction | None = None
    total: Fraction = Fraction(1)
    responses: list[Element] = field(default_factory=list)
    outcomes: dict[str, Element] = field(default_factory=dict)
    body: Element = field(default_factory=partial(Element, "itemBody"))
    rules: list[Element] = field(default_factory=list)
    template: str = ""
    remarks: list[Element] = field(default_factory=list)

    def put(self, parent: Element, markdown: str) -> None:
        """Write a text as XHTML."""
        html = self.tracker.html(markdown)
        blocks = parse_xml(f"<div>{html}</div>".encode())
        if not isinstance(blocks, XmlNode):  # beyond all depth
            self.tracker.warn("markup_changed")
            blocks = XmlNode("div")
            blocks.text = html
        for node in blocks.iter():
            for name in ("src", "href"):
                if node.get(name, "").startswith(_MEDIA):
                    node.set(name, f"../media/{node.get(name, '').removeprefix(_MEDIA)}")
        lift(parent, blocks)

    def ask(self, markdown: str) -> None:
        """Write the prompt."""
        blocks = made("div")
        self.put(blocks, markdown)
        self.body.append(blocks)

    def response(self, ident: str, cardinality: str, base_type: str, right: Iterable[str]) -> None:
        """Declare a response and the right answer."""
        declaration = made(
            "responseDeclaration", identifier=ident, cardinality=cardinality, baseType=base_type
        )
        if texts := [self.tracker.clean(text) for text in right]:
            declaration.append(values("correctResponse", *texts))
        self.responses.append(declaration)

    def outcome(self, ident: str, cardinality: str, base_type: str, *default: str) -> Element:
        """Declare an outcome, once."""
        declaration = made(
            "outcomeDeclaration", identifier=ident, cardinality=cardinality, baseType=base_type
        )
        if default:
            declaration.append(values("defaultValue", *default))
        return self.outcomes.setdefault(ident, declaration)

    def remark(self, outcome: str, ident: str, markdown: str) -> None:
        """Write what is said once an outcome holds this identifier."""
        feedback = made(
            "modalFeedback", outcomeIdentifier=outcome, identifier=ident, showHide="show"
        )
        self.put(feedback, markdown)
        self.remarks.append(feedback)

    def worth(self, shares: Iterable[Fraction]) -> None:
        """Settle what the whole is worth: as was said, else so that no share is broken."""
        denominator = lcm(*(share.denominator for share in shares))
        self.total = self.points or Fraction(denominator if denominator <= MOST_POINTS else 1)

    def amount(self, share: Fraction) -> str:
        """Write what a share comes to; one that will be read as another is told."""
        text = decimal(share * self.total)
        if snapped(Fraction(text) / self.total, STEP) != share:
            self.tracker.warn("share_rounded")
        return text

    def mapping(self, amounts: Mapping[str, str], *, case: bool | None = None, **more: str) -> None:
        """Say what each value of the last response is worth; the rest is nothing."""
        node = made("mapping", **{"defaultValue": "0", **more})
        for key, amount in amounts.items():
            entry = made("mapEntry", mapKey=self.tracker.clean(key), mappedValue=amount)
            if case is not None:
                entry.set("caseSensitive", str(case).lower())
            node.append(entry)
        self.responses[-1].append(node)

    def pay_correct(self) -> None:
        """Pay for the right answer and for nothing else."""
        self.template = "match_correct" if self.total == 1 else ""
        full = setting(SCORE, base("float", decimal(self.total)))
        none = setting(SCORE, base("float", "0"))
        self.rules.append(chain([(correct(), [full])], [none]))

    def pay_mapped(self) -> None:
        """Pay what the mapping says."""
        self.template = "map_response"
        none = setting(SCORE, base("float", "0"))
        mapped = setting(SCORE, made("mapResponse", identifier=RESPONSE))
        empty = made("isNull", variable(RESPONSE))
        self.rules.append(chain([(empty, [none])], [mapped]))

    def echo(self, cardinality: str) -> None:
        """Let the answer itself name what is said to it."""
        self.outcome(FEEDBACK, cardinality, "identifier")
        self.rules.append(setting(FEEDBACK, variable(RESPONSE)))

    def begins(self) -> list[Fraction]:
        """Give the scores that something is said from, on."""
        return [self.tracker.ratio("from", row) for row in self.tracker.rows("score_feedback")]

    def bands(self) -> None:
        """Write what is said from a score on."""
        begun = []
        for at, row in enumerate(self.tracker.rows("score_feedback"), start=1):
            text = self.tracker.text("score_feedback", told=True, row=row)
            if text:
                begun.append((self.tracker.ratio("from", row), f"band-{at}"))
                self.remark(BAND, f"band-{at}", text)
        if not begun:
            return
        self.outcome(BAND, "single", "identifier")
        branches = []
        for begins, ident in sorted(begun, reverse=True):
            reached = made("gte", variable(SCORE), base("float", decimal(begins * self.total)))
            branches.append((reached, [setting(BAND, base("identifier", ident))]))
        self.rules.append(chain(branches, []))

    def scored(self) -> None:
        """Declare the score and what can be reached."""
        self.outcome(SCORE, "single", "float", "0")
        self.outcome(MAXSCORE, "single", "float", decimal(self.total))

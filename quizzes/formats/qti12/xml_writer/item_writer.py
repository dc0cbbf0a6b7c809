"""One item of QTI 1.2 while it is written: what it asks, what it pays, what it says."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.contract import ParsedRow
from quizzes.formats.parsing.export_tracker import ExportTracker
from quizzes.formats.parsing.percentages import decimal, snapped
from quizzes.formats.qti.xml_writer.elements import made

FULL = 100
"""What the whole of an item pays, whatever it is worth."""
GENERAL, CORRECT, INCORRECT = "general_fb", "correct_fb", "general_incorrect_fb"
RESPONSE = "response1"
_STEP = Fraction(1, 1000)
_SOURCE, _PLACE = 'src="media:', 'src="$IMS-CC-FILEBASE$/media/'


@dataclass(slots=True)
class Leaf:
    """What has been written so far; `type_` is what Canvas calls such a question."""

    tracker: ExportTracker
    type_: str = ""
    shown: list[Element] = field(default_factory=list)
    rules: list[Element] = field(default_factory=list)
    remarks: list[Element] = field(default_factory=list)

    def material(self, markdown: str) -> Element:
        """Write a text."""
        html = self.tracker.html(markdown).replace(_SOURCE, _PLACE)
        return made("material", made("mattext", text=html, texttype="text/html"))

    def offer(
        self, ident: str, labels: Iterable[tuple[str, Element]], *more: Element, cardinality: str
    ) -> Element:
        """Give options to choose from; what stands before them is in `more`."""
        offered = made("render_choice")
        offered.extend(made("response_label", text, ident=id_) for id_, text in labels)
        response = made("response_lid", *more, offered, ident=ident, rcardinality=cardinality)
        self.shown.append(response)
        return offered

    def entry(self, ident: str, **more: str) -> None:
        """Give a place to type in."""
        label = made("response_label", ident=f"{ident}_answer", rshuffle="No")
        place = made("render_fib", label, **more)
        self.shown.append(made("response_str", place, ident=ident, rcardinality="Single"))

    def amount(self, share: Fraction) -> str:
        """Write what a share comes to; one that will be read as another is told."""
        text = decimal(share * FULL)
        if snapped(Fraction(text) / FULL, _STEP) != share:
            self.tracker.warn("share_rounded")
        return text

    def pay(self, test: Element, amount: str, *, action: str = "Set", says: str = "") -> None:
        """Pay for a test that holds; one that sets the score is the last that counts."""
        rule = made("respcondition", made("conditionvar", test))
        rule.append(made("setvar", text=amount, action=action, varname="SCORE"))
        rule.set("continue", "No" if action == "Set" else "Yes")
        if says:
            rule.append(_display(says))
        self.rules.append(rule)

    def say(self, test: Element, ident: str, markdown: str) -> None:
        """Say something where a test holds."""
        if markdown:
            rule = made("respcondition", made("conditionvar", test), _display(ident))
            rule.set("continue", "Yes")
            self.rules.insert(0, rule)
            self.remark(ident, markdown)

    def remark(self, ident: str, markdown: str) -> str:
        """Write what is said under this name, if it is anything; give the name then."""
        if not markdown:
            return ""
        feedback = made("itemfeedback", made("flow_mat", self.material(markdown)), ident=ident)
        self.remarks.append(feedback)
        return ident

    def general(self) -> None:
        """Write what is said to all, to all that is right and to the rest."""
        self.say(made("other"), GENERAL, self.tracker.text("explanation", told=True))
        for row in self.tracker.rows("score_feedback"):
            text = self.tracker.text("score_feedback", told=True, row=row)
            begins = _begins(self, row)
            if begins not in {0, 1}:
                self.tracker.warn("score_feedback_left_out")
            else:
                self.remark(CORRECT if begins else INCORRECT, text)


def _begins(leaf: Leaf, row: ParsedRow) -> Fraction:
    return leaf.tracker.ratio("from", row)


def _display(ident: str) -> Element:
    return made("displayfeedback", feedbacktype="Response", linkrefid=ident)


def equal(response: str, value: str, *, case: bool | None = None) -> Element:
    """Ask whether a response is this."""
    node = made("varequal", text=value, respident=response)
    if case is not None:
        node.set("case", "Yes" if case else "No")
    return node

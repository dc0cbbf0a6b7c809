"""One item of QTI 1.2 while it is written: its responses, rules and feedback."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.export import ExportTracker, answers
from quizzes.formats.export.elements import append_element, build_element

RESPONSE = "response1"
MAXIMUM = 100
"""The score of a complete answer, whatever the item is worth."""
_MEDIA, _FILE = 'src="media:', 'src="$IMS-CC-FILEBASE$/media/'
_BAND_FEEDBACK = {1: "correct_fb", 0: "general_incorrect_fb"}


@dataclass(slots=True)
class Qti12ItemWriter:
    """What has been written so far."""

    tracker: ExportTracker
    responses: list[Element] = field(default_factory=list)
    rules: list[Element] = field(default_factory=list)
    feedback: list[Element] = field(default_factory=list)

    def build_material(self, markdown: str) -> Element:
        """Return a text."""
        html = self.tracker.html(markdown).replace(_MEDIA, _FILE)
        return build_element("material", build_element("mattext", text=html, texttype="text/html"))

    def add_choices(
        self, ident: str, cardinality: str, choices: Iterable[tuple[str, str]], stem: str = ""
    ) -> Element:
        """Add a response that is chosen from (identifier, text), below a stem if there is one."""
        labels = [
            build_element("response_label", self.build_material(text), ident=choice)
            for choice, text in choices
        ]
        stems = [self.build_material(stem)] if stem else []
        menu = build_element("render_choice", *labels)
        response = build_element(
            "response_lid", *stems, menu, ident=ident, rcardinality=cardinality
        )
        self.responses.append(response)
        return menu

    def add_entry(self, ident: str, **options: str) -> None:
        """Add a response that is typed."""
        label = build_element("response_label", ident=f"{ident}_answer", rshuffle="No")
        entry = build_element("render_fib", label, **options)
        self.responses.append(
            build_element("response_str", entry, ident=ident, rcardinality="Single")
        )

    def add_score(
        self, test: Element, share: Fraction, *, add: bool = False, feedback: str = ""
    ) -> None:
        """Add a rule that adds to the score, or sets it and is then the last that counts."""
        points = answers.write_points(self.tracker, share, Fraction(MAXIMUM))
        rule = build_element("respcondition", build_element("conditionvar", test))
        action = "Add" if add else "Set"
        append_element(rule, "setvar", text=points, action=action, varname="SCORE")
        rule.set("continue", "Yes" if add else "No")
        if feedback:
            rule.append(_build_display(feedback))
        self.rules.append(rule)

    def add_rule_feedback(self, test: Element, ident: str, markdown: str) -> None:
        """Add a feedback, if there is any, that shows when a test holds."""
        if self.add_feedback(ident, markdown):
            condition = build_element("conditionvar", test)
            rule = build_element("respcondition", condition, _build_display(ident))
            rule.set("continue", "Yes")
            self.rules.insert(0, rule)

    def add_feedback(self, ident: str, markdown: str) -> str:
        """Add a feedback, if there is any, and return its identifier then."""
        if not markdown:
            return ""
        flow = build_element("flow_mat", self.build_material(markdown))
        self.feedback.append(build_element("itemfeedback", flow, ident=ident))
        return ident

    def add_general_feedback(self) -> None:
        """Add the explanation, and the feedback on right and on wrong answers."""
        explanation = self.tracker.feedback("explanation")
        self.add_rule_feedback(build_element("other"), "general_fb", explanation)
        for begin, text in answers.list_score_feedback(self.tracker, *_BAND_FEEDBACK):
            self.add_feedback(_BAND_FEEDBACK[int(begin)], text)


def _build_display(ident: str) -> Element:
    return build_element("displayfeedback", feedbacktype="Response", linkrefid=ident)


def build_test(tag: str, response: str, text: str, **options: str) -> Element:
    """Return a test that compares a response with a text."""
    return build_element(tag, text=text, respident=response, **options)


def build_equal(response: str, choice: str) -> Element:
    """Return the test whether this was chosen."""
    return build_test("varequal", response, choice)

"""Writing QTI texts with gaps: each interaction takes the place of its mark in the text."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from xml.etree.ElementTree import Element, tostring

from quizzes.formats.export import answers
from quizzes.formats.export.answers import FULL
from quizzes.formats.export.elements import append_element, build_element
from quizzes.formats.export.option_weights import read_gap_weights, warn_of_unlimited_cost
from quizzes.formats.parsing.percentages import format_decimal
from quizzes.formats.qti import rules
from quizzes.formats.qti.item_writer import QtiItemWriter
from quizzes.formats.qti.qti_versions import GAP
from quizzes.formats.qti.rules import SCORE
from quizzes.formats.qti.write_text_entry import write_accepted, write_numbers

_NAME = re.compile(r"[A-Za-z_][\w-]{0,39}", re.ASCII)
_RESERVED = {"score", "maxscore", "feedback", "band", "solution", "response"}


def write_cloze(writer: QtiItemWriter) -> None:
    """Write the text and its gaps; each gap earns its points, or all of them together."""
    tracker = writer.tracker
    answers.warn_of_comparison(tracker, keeps_end_blanks=True)
    warn_of_unlimited_cost(tracker)
    gaps = answers.list_gaps(tracker, _can_be_name)
    writer.total = tracker.points or sum(gap.points for gap in gaps) or Fraction(1)
    interactions = {
        gap.placeholder: _WRITERS.get(gap.kind, write_accepted)(
            writer, gap.name, gap.row, gap.share
        )
        for gap in gaps
    }
    text = tracker.text("prompt")
    for gap in gaps:
        text = text.replace(f"[[{gap.mark}]]", gap.placeholder, 1)
    _write_prompt(writer, text, interactions)
    is_exact = all(row.values.get("tolerance") == "exact" for row in tracker.rows("numbers"))
    typed = {str(row.values.get("gap")) for row in tracker.rows("accepted")}
    has_case = all(answers.read_comparison(tracker, gap).case for gap in typed)
    is_together = tracker.question.scoring_method == "all_or_nothing"
    if is_together and answers.can_score_together(tracker, are_plain=is_exact and has_case):
        writer.rules = [rule for rule in writer.rules if not _sets_score(rule)]
        tests = (rules.build_correct_test(gap.name) for gap in gaps)
        branch = (build_element("and", *tests), rules.build_score(format_decimal(writer.total)))
        writer.rules.insert(0, rules.build_condition([branch]))


def _can_be_name(mark: str) -> bool:
    return _NAME.fullmatch(mark) is not None and mark.lower() not in _RESERVED


def _sets_score(rule: Element) -> bool:
    return any(node.get("identifier") == SCORE for node in rule.iter("setOutcomeValue"))


def _write_prompt(writer: QtiItemWriter, text: str, interactions: Mapping[str, Element]) -> None:
    """Write the text with each gap in its place; one without a place comes last."""
    html = xhtml = writer.tracker.html(text)
    inserted = set()
    for placeholder, interaction in interactions.items():
        before, *after = xhtml.split(placeholder, 1)
        if after and before.rfind("<") <= before.rfind(">"):  # not within a tag
            xhtml = before + tostring(interaction, encoding="unicode") + after[0]
            inserted.add(placeholder)
    if not writer.write_html(append_element(writer.body, "div"), xhtml, html):
        inserted.clear()
    for placeholder, interaction in interactions.items():
        if placeholder not in inserted:
            writer.append_line(interaction)


def _write_options(writer: QtiItemWriter, response: str, gap: str, share: Fraction) -> Element:
    """Declare and score the options of a gap, and return the menu."""
    tracker, rows = writer.tracker, answers.list_gap_rows(writer.tracker, "options", gap)
    interaction = build_element(
        "inlineChoiceInteraction", responseIdentifier=response, shuffle="false", **{"class": GAP}
    )
    right, tests, amounts = [], [], dict[str, str]()
    weights = read_gap_weights(tracker, gap)
    for row, ident in zip(rows, answers.number_rows(rows, response).values(), strict=True):
        amounts[ident] = writer.write_points(weights[row.name], share)
        right += [ident] if tracker.value("right", row) else []
        text = tracker.clean(tracker.remove_markup(tracker.text("options", row)))
        append_element(interaction, "inlineChoice", text=text, identifier=ident)
        tests.append((rules.build_comparison("match", response, "identifier", ident), row))
    writer.declare_response(response, "single", "identifier", right)
    if {*weights.values()} <= {0, 1}:
        score = rules.build_score(writer.write_points(FULL, share), add=True)
        writer.add_condition([(rules.build_correct_test(response), score)])
    else:
        writer.add_mapping(amounts)
        is_filled = build_element("not", build_element("isNull", rules.build_variable(response)))
        score = rules.build_score(rules.build_mapped_score(response), add=True)
        writer.add_condition([(is_filled, score)])
    writer.add_answer_feedback(response, "options", tests)
    return interaction


_WRITERS: Mapping[str, Callable[[QtiItemWriter, str, str, Fraction], Element]] = {
    "single_choice": _write_options,
    "numeric": write_numbers,
}

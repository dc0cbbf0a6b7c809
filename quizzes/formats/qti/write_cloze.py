"""Writing QTI texts with gaps: each interaction takes the place of its mark in the text."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from xml.etree.ElementTree import Element, tostring

from quizzes.formats.export.answers import list_gap_rows, warn_of_comparison
from quizzes.formats.export.elements import append_element, build_element
from quizzes.formats.parsing.percentages import decimal
from quizzes.formats.parsing.placeholders import build_placeholder, find_free_word
from quizzes.formats.qti.item_writer import QtiItemWriter
from quizzes.formats.qti.qti_versions import GAP
from quizzes.formats.qti.write_processing import (
    SCORE,
    build_comparison,
    build_condition,
    build_correct_test,
    build_score,
)
from quizzes.formats.qti.write_text_entry import write_accepted, write_numbers

_MARK = re.compile(r"[A-Za-z_][\w-]{0,39}", re.ASCII)
_RESERVED = {"score", "maxscore", "feedback", "band", "solution", "response"}


def write_cloze(writer: QtiItemWriter) -> None:
    """Write the text and its gaps; each gap earns its points, or all of them together."""
    tracker, gaps = writer.tracker, writer.tracker.rows("gaps")
    warn_of_comparison(tracker)
    points = [Fraction(int(str(tracker.value("points", gap)))) for gap in gaps]
    total = sum(points, Fraction(0)) or Fraction(1)
    writer.total = tracker.points or total
    marks = [str(tracker.value("placeholder", gap)) for gap in gaps]
    idents = _list_idents(marks)
    interactions = []
    for ident, gap, gap_points in zip(idents, gaps, points, strict=True):
        write_gap = _WRITERS.get(str(tracker.value("kind", gap)), write_accepted)
        interactions.append(write_gap(writer, ident, gap.name, gap_points / total))
    _write_prompt(writer, marks, interactions)
    if tracker.question.scoring_method == "all_or_nothing" and _is_exact(writer):
        are_right = build_element("and", *map(build_correct_test, idents))
        rules = [rule for rule in writer.rules if not _sets_score(rule)]
        score = build_score(decimal(writer.total))
        writer.rules = [build_condition([(are_right, score)]), *rules]


def _sets_score(rule: Element) -> bool:
    return any(node.get("identifier") == SCORE for node in rule.iter("setOutcomeValue"))


def _is_exact(writer: QtiItemWriter) -> bool:
    """Return whether each gap accepts its one right answer only; a warning says if not."""
    tracker = writer.tracker
    accepted, numbers = tracker.rows("accepted"), tracker.rows("numbers")
    gaps = [row.values.get("gap") for row in (*accepted, *numbers)]
    is_exact = all(row.values.get("tolerance") == "exact" for row in numbers)
    if len({*gaps}) == len(gaps) and is_exact and (not accepted or tracker.value("case")):
        return True
    tracker.warn("scoring_method_left_out", scoring_method="all_or_nothing")
    return False


def _list_idents(marks: list[str]) -> list[str]:
    """Return an identifier for each gap: its mark, if that is possible."""
    idents: list[str] = []
    for number, mark in enumerate(marks, start=1):
        is_possible = _MARK.fullmatch(mark) and mark.lower() not in _RESERVED
        ident = mark if is_possible else f"gap_{number}"
        while not is_possible and ident in {*marks, *idents}:
            ident += "_"
        idents.append(ident)
    return idents


def _write_options(writer: QtiItemWriter, response: str, gap: str, share: Fraction) -> Element:
    """Declare and score the options of a gap, and return the menu."""
    tracker, rows = writer.tracker, list_gap_rows(writer.tracker, "options", gap)
    idents = [f"{response}-{number}" for number, _ in enumerate(rows, start=1)]
    interaction = build_element(
        "inlineChoiceInteraction", responseIdentifier=response, shuffle="false", **{"class": GAP}
    )
    right, tests = [], []
    for ident, row in zip(idents, rows, strict=True):
        right += [ident] if tracker.value("right", row) else []
        text = tracker.clean(tracker.remove_markup(tracker.text("options", row)))
        append_element(interaction, "inlineChoice", text=text, identifier=ident)
        tests.append((build_comparison("match", response, "identifier", ident), row))
    writer.declare_response(response, "single", "identifier", right)
    score = build_score(writer.compute_points(share), add=True)
    writer.rules.append(build_condition([(build_correct_test(response), score)]))
    writer.add_answer_feedback(response, "options", tests)
    return interaction


_WRITERS: Mapping[str, Callable[[QtiItemWriter, str, str, Fraction], Element]] = {
    "single_choice": _write_options,
    "numeric": write_numbers,
}


def _write_prompt(writer: QtiItemWriter, marks: list[str], interactions: list[Element]) -> None:
    """Write the text with each gap in its place; one without a place comes last."""
    text = writer.tracker.text("prompt")
    word = find_free_word([text])
    for number, mark in enumerate(marks, start=1):
        text = text.replace(f"[[{mark}]]", build_placeholder(word, number), 1)
    html = writer.tracker.html(text)
    inserted: set[int] = set()

    def insert(match: re.Match[str]) -> str:
        inserted.add(int(match[1]))
        return str(tostring(interactions[int(match[1]) - 1], encoding="unicode"))

    placeholder = build_placeholder(word, r"(\d+)")
    xhtml = re.sub(rf"{placeholder}(?![^<>]*>)", insert, html)  # not within tags
    if not writer.write_html(append_element(writer.body, "div"), xhtml, html):
        inserted.clear()
    for number, interaction in enumerate(interactions, start=1):
        if number not in inserted:
            writer.append_line(interaction)

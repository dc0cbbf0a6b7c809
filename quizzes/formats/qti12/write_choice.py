"""Writing QTI 1.2 items that are answered by choosing, pairing and ordering."""

from fractions import Fraction
from xml.etree.ElementTree import Element

from quizzes.formats.export import answers
from quizzes.formats.export.answers import FULL
from quizzes.formats.export.elements import build_element
from quizzes.formats.export.option_weights import read_order_cost
from quizzes.formats.qti12.item_writer import RESPONSE, Qti12ItemWriter, build_equal


def write_choice(writer: Qti12ItemWriter) -> None:
    """Write a choice, in which only the complete answer earns something, or each option does."""
    tracker, has_many = writer.tracker, writer.tracker.question.kind == "multiple_choice"
    options = answers.list_options(tracker)
    cardinality = "Multiple" if has_many else "Single"
    choices = [(option.ident, option.text) for option in options]
    menu = writer.add_choices(RESPONSE, cardinality, choices)
    menu.set("shuffle", "Yes" if tracker.value("shuffle") else "No")
    for label, option in zip(menu, options, strict=True):
        if option.is_pinned:
            label.set("rshuffle", "No")
        is_chosen = build_equal(RESPONSE, option.ident)
        writer.add_rule_feedback(is_chosen, f"{option.ident}_fb", option.feedback)
    tests = [(option, build_equal(RESPONSE, option.ident)) for option in options]
    if any(option.credit is not None for option in options):
        for option, test in tests:
            if option.credit or not has_many:
                writer.add_score(test, option.credit or Fraction(0), add=has_many)
    elif has_many:
        decisions = [
            test if option.is_right else build_element("not", test) for option, test in tests
        ]
        writer.add_score(build_element("and", *decisions), FULL)
    else:
        for option, test in tests:
            if option.is_right:
                writer.add_score(test, FULL)


def write_matching(writer: Qti12ItemWriter) -> None:
    """Write pairs: each left is a response of its own, with all rights to choose from."""
    tracker = writer.tracker
    rows, right_rows = tracker.rows("lefts"), tracker.rows("rights")
    rights = answers.number_rows(right_rows, "right")
    shares, tests = answers.list_pair_shares(tracker), list[tuple[Element, Fraction]]()
    for ident, row in zip(answers.number_rows(rows, "left").values(), rows, strict=True):
        choices = [(rights[right.name], tracker.text("rights", right)) for right in right_rows]
        writer.add_choices(ident, "Single", choices, tracker.text("lefts", row))
        if match := rights.get(str(tracker.value("goes_with", row))):
            tests.append((build_equal(ident, match), shares[row.name]))
            feedback = tracker.feedback("lefts", row)
            writer.add_rule_feedback(build_equal(ident, match), f"{ident}_fb", feedback)
    if tracker.question.scoring_method == "all_or_nothing":
        writer.add_score(build_element("and", *(test for test, _ in tests)), FULL)
    else:
        for test, share in tests:
            writer.add_score(test, share, add=True)


def write_ordering(writer: Qti12ItemWriter) -> None:
    """Write an order, in which only the complete one earns something, and others may cost."""
    rows = writer.tracker.rows("items")
    idents = answers.number_rows(rows, "item")
    choices = [(idents[row.name], writer.tracker.text("items", row)) for row in rows]
    writer.add_choices(RESPONSE, "Ordered", choices).set("shuffle", "Yes")
    tests = (build_equal(RESPONSE, ident) for ident in idents.values())
    writer.add_score(build_element("and", *tests), FULL)
    if cost := read_order_cost(writer.tracker):
        writer.add_score(build_element("unanswered", respident=RESPONSE), Fraction(0))
        writer.add_score(build_element("other"), -cost)

"""Writing Moodle questions that are answered by choosing, pairing and ordering."""

from fractions import Fraction

from quizzes.formats.contract import ParsedRow
from quizzes.formats.export.elements import write_flag
from quizzes.formats.export.option_weights import compute_option_credits
from quizzes.formats.moodle.choice import ORDERS
from quizzes.formats.moodle.item_writer import MoodleQuestionWriter
from quizzes.formats.parsing.boolean_words import OWN_WORDS
from quizzes.formats.parsing.percentages import format_percentage
from quizzes.lib.markup import plain

OFFERED = frozenset(
    "0 5 10 11.11111 12.5 14.28571 16.66667 20 25 30 33.33333 40 50 60 66.66667 70 75 80 83.33333"
    " 90 100".split()
)
"""The shares that Moodle knows; any other it makes the nearest of these, or refuses."""


def write_choice(writer: MoodleQuestionWriter) -> None:
    """Write options with what each earns."""
    tracker = writer.tracker
    writer.add("single", write_flag(tracker.question.kind != "multiple_choice"))
    writer.add("shuffleanswers", write_flag(tracker.value("shuffle")))
    credit_by_option = compute_option_credits(tracker)
    for row in tracker.rows("options"):
        credit = credit_by_option[row.name]
        if format_percentage(abs(credit)) not in OFFERED:
            tracker.warn("share_not_offered", share=format_percentage(credit))
        text, feedback = tracker.text("options", row), tracker.feedback("options", row)
        writer.add_answer(text, credit, feedback, is_markdown=True)
    writer.add_bands()


def write_true_false(writer: MoodleQuestionWriter) -> None:
    """Write a statement."""
    tracker = writer.tracker
    for row in tracker.rows("options"):
        truth = tracker.value("value", row)
        is_true = row.name == "true" if truth is None else bool(truth)
        if tracker.text("options", row) not in {words[not is_true] for words in OWN_WORDS.values()}:
            tracker.warn("words_left_out")
        credit = Fraction(bool(tracker.value("right", row)))
        writer.add_answer(write_flag(is_true), credit, tracker.feedback("options", row))


def write_matching(writer: MoodleQuestionWriter) -> None:
    """Write pairs; a right that nothing goes with has no left."""
    tracker = writer.tracker
    writer.add("shuffleanswers", write_flag(tracker.value("shuffle")))
    rights = {row.name: _write_right(writer, row) for row in tracker.rows("rights")}
    pairs = [
        (tracker.text("lefts", row), str(tracker.value("goes_with", row)))
        for row in tracker.rows("lefts")
    ]
    matched = {right for _, right in pairs}
    pairs += [("", right) for right in rights if right not in matched]
    for left, right in pairs:
        subquestion = writer.add_markdown("subquestion", left)
        writer.add_plain("answer", rights.get(right, ""), subquestion)
    writer.add_bands()


def _write_right(writer: MoodleQuestionWriter, row: ParsedRow) -> str:
    """Return a right as plain words: there they have no markup."""
    text = writer.tracker.text("rights", row)
    words = plain(text)
    if any(mark in text for mark in "*`$\n![<|") and words != text:
        writer.tracker.warn("markup_left_out")
    return words


def write_ordering(writer: MoodleQuestionWriter) -> None:
    """Write an order, for the plug-in that has such questions."""
    tracker = writer.tracker
    grading_types = {method: grading_type for grading_type, method in ORDERS.items()}
    writer.add("layouttype", "VERTICAL")
    writer.add("selecttype", "ALL")
    writer.add("selectcount", "0")
    writer.add("gradingtype", grading_types[tracker.question.scoring_method])
    for place, row in enumerate(tracker.rows("items"), start=1):
        answer = writer.add_markdown("answer", tracker.text("items", row))
        answer.set("fraction", str(place))
    writer.add_bands()

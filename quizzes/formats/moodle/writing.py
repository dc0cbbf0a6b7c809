"""Writing Moodle XML: texts in Markdown, so that they come back as they were."""

from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element, indent

from grading.schema import HINT_STEP, HINTS
from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.export import ExportTracker, QuestionExporter
from quizzes.formats.export.elements import build_element, serialize
from quizzes.formats.export.option_weights import must_be_choice
from quizzes.formats.moodle.item_writer import MoodleQuestionWriter
from quizzes.formats.moodle.write_choice import (
    write_choice,
    write_matching,
    write_ordering,
    write_true_false,
)
from quizzes.formats.moodle.write_cloze import write_cloze
from quizzes.formats.moodle.write_text_entry import write_essay, write_numeric, write_short_text

_KINDS: Mapping[str, tuple[Callable[[MoodleQuestionWriter], None], str, tuple[str, ...]]] = {
    "cloze": (write_cloze, "cloze", ("per_gap", "gap_weights")),
    "essay": (write_essay, "essay", ("rubric",)),
    "matching": (write_matching, "matching", ("per_pair",)),
    "multiple_choice": (write_choice, "multichoice", ("right_minus_wrong", "option_weights")),
    "numeric": (write_numeric, "numerical", ("accepted_answers",)),
    "ordering": (write_ordering, "ordering", ("all_or_nothing", "exact_place", "adjacent_pairs")),
    "short_text": (write_short_text, "shortanswer", ("accepted_answers",)),
    "single_choice": (write_choice, "multichoice", ("all_or_nothing", "option_weights")),
    "true_false": (write_true_false, "truefalse", ("all_or_nothing", "option_weights")),
}
"""The function that writes a kind, Moodle's name for it, and the scoring methods."""


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Return the questions in one language, with warnings of what the file cannot hold."""
    methods = {kind: scoring_methods for kind, (*_, scoring_methods) in _KINDS.items()}
    exporter = QuestionExporter(
        _write_question, methods, has_tags=True, has_media=True, needs_prompt=False
    )
    questions, warnings = exporter.export(parsed_file, language)
    quiz = build_element("quiz", *questions)
    indent(quiz)
    return ExportResult(serialize(quiz), warnings)


def _write_question(tracker: ExportTracker) -> Element:
    writer, question = MoodleQuestionWriter(tracker), tracker.question
    kind = "single_choice" if must_be_choice(tracker) else question.kind
    write_kind, type_, _ = _KINDS[kind]
    writer.node.set("type", type_)
    writer.add_plain("name", question.name)
    if question.kind != "cloze":  # its gaps are in the prompt
        writer.add_markdown("questiontext", tracker.text("prompt"))
    writer.add_markdown("generalfeedback", tracker.feedback("explanation"))
    if tracker.points is not None:
        writer.add("defaultgrade", f"{float(tracker.points):.7f}")
    writer.add("penalty", "0")
    writer.add("hidden", "0")
    write_kind(writer)
    for row in tracker.rows(HINTS.name):
        writer.add_markdown("hint", tracker.feedback(HINT_STEP.name, row))
    if question.tags:
        tags = writer.add("tags", "")
        for tag in question.tags:
            writer.add_plain("tag", tag, tags)
    return writer.node

"""What an exporter does not read is warned of, each part in its own words where it has some."""

from quizzes.formats.builders import Head, Option, SourceChoice, build_choice, build_essay
from quizzes.formats.contract import ExportWarning, ParsedQuestion
from quizzes.formats.export import ExportRefused, ExportTracker, QuestionExporter, indent_below
from tests.quizzes.imports.questions import parcel

HEAD = Head(1, "q", "en", "Which?", tags=("a",))
OPTIONS = [Option("a", right=True, pinned=True), Option("b")]
CHOICE = build_choice(HEAD, SourceChoice(OPTIONS, many=False))
METHODS = {"single_choice": ("all_or_nothing",)}


def write_prompt(tracker: ExportTracker) -> str:
    return tracker.text("prompt")


def export(
    question: ParsedQuestion, language: str = "en", write_question=write_prompt
) -> tuple[list[str], list[str]]:
    exporter = QuestionExporter(write_question, METHODS)
    texts, warnings = exporter.export(parcel(question), language)
    return texts, [warning.code for warning in warnings]


def test_what_is_not_read_is_warned_of():
    assert export(CHOICE) == (["Which?"], ["rows_left_out", "tags_left_out"])


def test_a_part_with_a_warning_of_its_own_has_that():
    def write_rows(tracker: ExportTracker) -> str:
        return " ".join(tracker.text("options", row) for row in tracker.rows("options"))

    codes = ["setting_left_out", "pinned_left_out", "text_left_out", "tags_left_out"]
    texts, warnings = export(CHOICE, write_question=write_rows)
    assert (texts, sorted(warnings)) == (["a b"], sorted(codes))


def test_another_kind_and_another_language_are_refused():
    assert export(build_essay(HEAD)) == ([], ["kind_not_held"])
    assert export(CHOICE, "es") == ([], ["language_missing"])


def test_a_refusal_is_the_only_warning():
    def refuse(tracker: ExportTracker) -> str:
        raise ExportRefused(tracker.question, "too_many_options", part="options")

    exporter = QuestionExporter(refuse, METHODS)
    warning = ExportWarning("q", "too_many_options", {"part": "options"})
    assert exporter.export(parcel(CHOICE), "en") == ([], (warning,))


def test_lines_below_the_first_are_indented_unless_they_are_empty():
    assert indent_below("a\n\nb\n  c", 2) == "a\n\n  b\n    c"

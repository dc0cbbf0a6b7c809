"""Questions as text2qti Markdown, and what it cannot hold. Pure."""

from collections.abc import Callable, Iterator, Mapping

from grading.short_text.folding import STAR
from grading.short_text.wildcard import decode_wildcards
from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.export import ExportRefused, ExportTracker, QuestionExporter, indent_below
from quizzes.formats.export.answers import list_accepted, list_score_feedback, warn_of_comparison
from quizzes.formats.parsing.naming import list_letters
from quizzes.formats.parsing.numbers import format_number as decimal

_SCORING_METHODS = ("all_or_nothing", "right_minus_wrong", "accepted_answers", "rubric")


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Return the questions as text, with a warning for each question and part it cannot hold."""
    exporter = QuestionExporter(_write_question, dict.fromkeys(_ANSWERS, _SCORING_METHODS))
    questions, warnings = exporter.export(parsed_file, language)
    title = f"Quiz title: {parsed_file.metadata.title}\n\n" if parsed_file.metadata.title else ""
    numbered = (
        f"{head}{number}.  {text}" for number, (head, text) in enumerate(questions, start=1)
    )
    return ExportResult((title + "\n".join(numbered)).encode(), warnings)


def _write_question(tracker: ExportTracker) -> tuple[str, str]:
    """Return the lines above the question's number, and its text."""
    question = tracker.question
    if question.kind == "numeric" and not question.tables.get("numbers"):
        raise ExportRefused(question, "key_missing")  # a draft; "=" alone is an error there
    points = f"Points: {decimal(tracker.points)}\n" if tracker.points is not None else ""
    lines = [_indent(tracker.text("prompt")), *_list_feedback(tracker.feedback("explanation"))]
    signs = {1: "+", 0: "-"}
    for begin, feedback in list_score_feedback(tracker, *signs):
        lines.append(f"{signs[int(begin)]}   {_indent(feedback)}")
    lines += _ANSWERS[question.kind](tracker)
    if question.kind in {"single_choice", "multiple_choice"} and not tracker.value("shuffle"):
        tracker.warn("shuffle_left_out")
    return f"Title: {question.name}\n{points}", "\n".join(lines) + "\n"


def _indent(text: str) -> str:
    return indent_below(text, 4)


def _list_feedback(feedback: str) -> list[str]:
    return [f"... {_indent(feedback)}"] if feedback else []


def _list_options(tracker: ExportTracker) -> Iterator[str]:
    has_many = tracker.question.kind == "multiple_choice"
    for row, letter in zip(tracker.rows("options"), list_letters(), strict=False):
        is_right = tracker.value("right", row) is True
        mark = f"[{'*' if is_right else ' '}]" if has_many else f"{'*' * is_right}{letter[0]})"
        yield f"{mark} {_indent(tracker.text('options', row))}"
        yield from _list_feedback(tracker.feedback("options", row))


def _list_accepted(tracker: ExportTracker) -> Iterator[str]:
    warn_of_comparison(tracker, has_case=False)
    for row, text in list_accepted(tracker):
        words = decode_wildcards(text)
        if tracker.ratio("credit", row) != 1:
            tracker.warn("share_not_offered")
        elif STAR in words:
            tracker.warn("wildcard_left_out")
        else:
            yield f"*   {words}"


def _list_numbers(tracker: ExportTracker) -> Iterator[str]:
    first, *others = tracker.rows("numbers")
    if others:
        tracker.warn("rows_left_out", part="numbers")
    value, margin = tracker.value("value", first), tracker.value("margin", first)
    match tracker.value("tolerance", first):
        case "range":
            yield f"=   [{value}, {margin}]"
        case "absolute":
            yield f"=   {value} +- {margin}"
        case tolerance:
            if tolerance in {"relative", "digits"}:
                tracker.warn("setting_left_out", part="tolerance")
            yield f"=   {value} +- 0"


def _list_blanks(_tracker: ExportTracker) -> Iterator[str]:
    yield "____"


_ANSWERS: Mapping[str, Callable[[ExportTracker], Iterator[str]]] = {
    "single_choice": _list_options,
    "multiple_choice": _list_options,
    "true_false": _list_options,
    "short_text": _list_accepted,
    "numeric": _list_numbers,
    "essay": _list_blanks,
}

"""Questions as GIFT: each text as Markdown, so that it is read back as it was."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from grading.numeric.exact import parse_exact
from quizzes.formats.contract import ExportResult, ParsedFile, ParsedRow
from quizzes.formats.export import ExportRefused, ExportTracker, QuestionExporter
from quizzes.formats.export.answers import list_accepted, warn_of_comparison, write_decimal
from quizzes.formats.export.option_weights import (
    compute_option_credits,
    must_be_choice,
    read_credit,
)
from quizzes.formats.parsing.percentages import format_percentage

_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in "~=#{}:\\"} | {"\n": "\\n"})
_MARKED_AS_MARKDOWN = ("[", "%")
_SCORING_METHODS = {
    "essay": ("rubric",),
    "matching": ("per_pair",),
    "multiple_choice": ("right_minus_wrong", "option_weights"),
    "numeric": ("accepted_answers",),
    "short_text": ("accepted_answers",),
    "single_choice": ("all_or_nothing", "option_weights"),
    "true_false": ("all_or_nothing", "option_weights"),
}
_ARROWS = {"short_text": 0, "matching": 1}
"""How many arrows a line may have: any other would be read as a pair."""
_TOLERANCES = {"exact": "{0}", "absolute": "{0}:{1}", "range": "{0}..{1}"}

Lines = Iterator[str]


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Return the questions as GIFT, with a warning for each question and part it cannot hold."""
    exporter = QuestionExporter(_write_question, _SCORING_METHODS)
    texts, warnings = exporter.export(parsed_file, language)
    return ExportResult("".join(texts).encode(), warnings)


def _write_question(tracker: ExportTracker) -> str:
    question = tracker.question
    lines = list(_ANSWERS[question.kind](tracker))
    if any(line.count("->") > _ARROWS.get(question.kind, len(line)) for line in lines):
        raise ExportRefused(question, "arrow_left_out")
    if explanation := tracker.feedback("explanation"):
        lines.append(f"####{_write_text(explanation)}")
    body = "".join(f"\n\t{line}" for line in lines)
    return f"::{question.name}::[markdown]{_escape(tracker.text('prompt'))}{{{body}}}\n\n"


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


def _write_text(text: str) -> str:
    return ("[markdown]" if text.startswith(_MARKED_AS_MARKDOWN) else "") + _escape(text)


def _write_feedback(text: str) -> str:
    return f"#{_write_text(text)}" if text else ""


def _write_options(tracker: ExportTracker) -> Lines:
    is_single = tracker.question.kind != "multiple_choice"
    credit_by_option = compute_option_credits(tracker)
    for row in tracker.rows("options"):
        credit = credit_by_option[row.name]
        sign = "=" if is_single and credit == 1 else "~"
        percent = "" if is_single and credit in {0, 1} else f"%{format_percentage(credit)}%"
        text = _write_text(tracker.text("options", row))
        yield sign + percent + text + _write_feedback(tracker.feedback("options", row))


def _write_truth(tracker: ExportTracker) -> Lines:
    if must_be_choice(tracker):
        yield from _write_options(tracker)
        return
    feedback: dict[bool, str] = {}
    is_true = True
    for row in tracker.rows("options"):
        tracker.text("options", row)
        feedback[row.name == "true"] = tracker.feedback("options", row)
        is_true = row.name == "true" if tracker.value("right", row) else is_true
    if_wrong, if_right = feedback.get(not is_true, ""), feedback.get(is_true, "")
    first = f"#{_write_text(if_wrong)}" if if_wrong or if_right else ""
    yield f"{str(is_true).upper()}{first}{_write_feedback(if_right)}"


def _write_accepted(tracker: ExportTracker) -> Lines:
    warn_of_comparison(tracker, has_case=False)
    for row, text in list_accepted(tracker):
        words = _write_text(text.replace("\\\\", "\\"))
        yield _write_answer(tracker, row, "accepted", words)
    yield from _write_otherwise(tracker, "=%0%*")


def _write_answer(tracker: ExportTracker, row: ParsedRow, table: str, text: str) -> str:
    credit = read_credit(tracker, row)
    percent = "" if credit == 1 else f"%{format_percentage(credit)}%"
    return f"={percent}{text}{_write_feedback(tracker.feedback(table, row))}"


def _write_otherwise(tracker: ExportTracker, sign: str) -> Lines:
    if feedback := tracker.feedback("otherwise"):
        yield sign + _write_feedback(feedback)


def _write_numbers(tracker: ExportTracker) -> Lines:
    yield "#"
    for row in tracker.rows("numbers"):
        texts = [str(tracker.value(name, row)) for name in ("value", "margin")]
        numbers = [
            write_decimal(tracker, parse_exact(text)) if "/" in text else text for text in texts
        ]
        if template := _TOLERANCES.get(str(tracker.value("tolerance", row))):
            yield _write_answer(tracker, row, "numbers", template.format(*numbers))
        else:
            tracker.warn("tolerance_left_out")
    yield from _write_otherwise(tracker, "~")


def _write_pairs(tracker: ExportTracker) -> Lines:
    tracker.value("shuffle")
    rights = {
        row.name: _escape(tracker.remove_markup(tracker.text("rights", row)))
        for row in tracker.rows("rights")
    }
    matched = set()
    for row in tracker.rows("lefts"):
        right = str(tracker.value("goes_with", row))
        matched.add(right)
        yield f"= {_write_text(tracker.text('lefts', row))} -> {rights.get(right, '')}"
    yield from (f"=  -> {text}" for name, text in rights.items() if name not in matched)


_ANSWERS: Mapping[str, Callable[[ExportTracker], Iterable[str]]] = {
    "single_choice": _write_options,
    "multiple_choice": _write_options,
    "true_false": _write_truth,
    "short_text": _write_accepted,
    "numeric": _write_numbers,
    "matching": _write_pairs,
    "essay": lambda _tracker: (),
}

"""Questions as text2qti Markdown, and what it cannot hold. Pure."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain

from quizzes.formats.contract import ExportWarning, ParsedQuestion
from quizzes.formats.parsing.export_tracker import ExportTracker, find_refusal
from quizzes.formats.parsing.naming import letters
from quizzes.formats.parsing.numbers import written as decimal

_SCORING_METHODS = ("all_or_nothing", "right_minus_wrong", "accepted_answers", "rubric")
_BANDS = {Fraction(1): "+", Fraction(0): "-"}


def written(
    question: ParsedQuestion, language: str, points: Fraction | None
) -> tuple[str, str, tuple[ExportWarning, ...]]:
    """Write one question: its head, its text after the number, losses; "" if it cannot be held."""
    if refusal := find_refusal(question, _KINDS, language):
        return "", "", refusal
    answers = _KINDS[question.kind]
    if question.kind == "numeric" and not question.tables.get("numbers"):
        return (
            "",
            "",
            (ExportWarning(question.name, "key_missing"),),
        )  # a draft; "=" alone is an error there
    tracker = ExportTracker(question, language)
    worth = f"Points: {decimal(points)}\n" if points is not None else ""
    lines = [_text(tracker.text("prompt"))]
    if told := tracker.text("explanation", told=True):
        lines.append(f"... {_text(told)}")
    lines += chain(_bands(tracker), answers(tracker))
    if question.kind in {"single_choice", "multiple_choice"} and not tracker.value("shuffle"):
        tracker.warn("shuffle_left_out")
    return (
        f"Title: {question.name}\n{worth}",
        "\n".join(lines) + "\n",
        tracker.warnings(*_SCORING_METHODS),
    )


def _text(text: str) -> str:
    """Indent all lines but the first."""
    return "\n".join(
        f"    {line}" if n and line else line for n, line in enumerate(text.split("\n"))
    )


def _bands(tracker: ExportTracker) -> Iterator[str]:
    for row in tracker.rows("score_feedback"):
        sign = _BANDS.get(tracker.ratio("from", row))
        told = tracker.text("score_feedback", told=True, row=row)
        if sign:
            yield f"{sign}   {_text(told)}"
        else:
            tracker.warn("score_feedback_left_out")


def _options(tracker: ExportTracker) -> Iterator[str]:
    many = tracker.question.kind == "multiple_choice"
    for row, letter in zip(tracker.rows("options"), letters(), strict=False):
        right = tracker.value("right", row) is True
        text = _text(tracker.text("options", row=row))
        if many:
            yield f"[{'*' if right else ' '}] {text}"
        else:
            yield f"{'*' if right else ''}{letter[0]}) {text}"
        if told := tracker.text("options", told=True, row=row):
            yield f"... {_text(told)}"


def _accepted(tracker: ExportTracker) -> Iterator[str]:
    for row in tracker.rows("accepted"):
        if tracker.value("pattern", row) is True:
            tracker.warn("pattern_left_out")
        elif tracker.ratio("credit", row) != 1:
            tracker.warn("share_not_offered")
        else:
            yield f"*   {tracker.value('text', row)}"


def _numbers(tracker: ExportTracker) -> Iterator[str]:
    first, *others = tracker.rows("numbers")
    if others:
        tracker.warn("rows_left_out", part="numbers")
    value, margin = tracker.value("value", first), tracker.value("margin", first)
    match tracker.value("tolerance", first):
        case "range":
            yield f"=   [{value}, {margin}]"
        case "absolute":
            yield f"=   {value} +- {margin}"
        case "relative" | "digits":
            tracker.warn("setting_left_out", part="tolerance")
            yield f"=   {value} +- 0"
        case _:
            yield f"=   {value} +- 0"


def _essay(_taking: ExportTracker) -> Iterator[str]:
    yield "____"


_KINDS: Mapping[str, Callable[[ExportTracker], Iterator[str]]] = {
    "single_choice": _options,
    "multiple_choice": _options,
    "true_false": _options,
    "short_text": _accepted,
    "numeric": _numbers,
    "essay": _essay,
}

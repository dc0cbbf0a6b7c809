"""Choices as checklists, and what these cannot hold. Pure."""

import re
from collections.abc import Iterator

from grading.kinds import KINDS
from quizzes.formats.contract import ExportWarning, ParsedQuestion
from quizzes.formats.parsing.export_tracker import ExportTracker, find_refusal
from quizzes.formats.parsing.instructions import asks_for_all

_KINDS = frozenset({"single_choice", "multiple_choice", "true_false"})
_SCORING_METHODS = (
    "all_or_nothing",
    "right_minus_wrong",
    "each_option",
    "coverage",
    "halves",
    "minus_missed",
)
_BOX = r"(?:\[[ \t]?[ xX]?[ \t]?\]|\([ xX]\))"
_CUT = re.compile(
    r"^(?P<before>[ \t]*(?:(?:\d{1,3}|[A-Za-z])(?=[.)][ \t]*" + _BOX + r"))?)"
    r"(?=#{1,6}[ \t]|>|<!--|[-*+.)]?[ \t]*" + _BOX + r")",
    re.MULTILINE,
)
_FENCE = re.compile(r"^(?:```|~~~)$", re.MULTILINE)
_FENCED = re.compile(r"(^(?:```|~~~).*?^(?:```|~~~)$)", re.MULTILINE | re.DOTALL)


def written(question: ParsedQuestion, language: str) -> tuple[str, tuple[ExportWarning, ...]]:
    """Write one question; "" for one that a checklist cannot hold."""
    if refusal := find_refusal(question, _KINDS, language):
        return "", refusal
    tracker = ExportTracker(question, language, tags=True)
    prompt = _safe(tracker, tracker.text("prompt"))
    rows = list(_rows(tracker))
    settings = "; ".join(_settings(tracker, prompt))
    comment = f"<!-- {settings} -->\n\n" if settings else ""
    told = tracker.text("explanation", told=True)
    explanation = f"\n{_quotation(told)}\n" if told else ""
    text = f"## {question.name}\n\n{comment}{prompt}\n\n{''.join(rows)}{explanation}"
    return text, tracker.warnings(*_SCORING_METHODS)


def _settings(tracker: ExportTracker, prompt: str) -> Iterator[str]:
    question = tracker.question
    rights = sum(tracker.value("right", row) is True for row in tracker.rows("options"))
    many = question.kind == "multiple_choice"
    if many and rights <= 1 and not asks_for_all(prompt):
        yield "kind: multiple_choice"
    if (
        question.scoring_method in _SCORING_METHODS
        and question.scoring_method != KINDS[question.kind].scoring_methods[0]
    ):
        yield f"scoring_method: {question.scoring_method}"
    if question.kind != "true_false" and tracker.value("shuffle") is False:
        yield "shuffle: no"
    if many and tracker.value("none_apply") is True:
        yield "none_apply: yes"
    if question.tags:
        yield f"tags: {', '.join(question.tags)}"


def _rows(tracker: ExportTracker) -> Iterator[str]:
    left, right = "[]" if tracker.question.kind == "multiple_choice" else "()"
    for row in tracker.rows("options"):
        mark = "x" if tracker.value("right", row) is True else " "
        text = _safe(tracker, tracker.text("options", row=row))
        told = tracker.text("options", told=True, row=row)
        lines = text + (f"\n{_quotation(told)}" if told else "")
        yield f"- {left}{mark}{right} {_below(lines)}\n"


def _below(text: str) -> str:
    return "\n".join(f"  {line}" if n and line else line for n, line in enumerate(text.split("\n")))


def _quotation(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _safe(tracker: ExportTracker, text: str) -> str:
    """Escape what would begin something of the checklist's own."""
    # Below the last fence nothing is fenced: to look there from every fence takes squared time.
    last = max((fence.end() for fence in _FENCE.finditer(text)), default=0)
    pieces = _FENCED.split(text[:last])
    pieces[-1] += text[last:]
    made = "".join(one if n % 2 else _CUT.sub(r"\g<before>\\", one) for n, one in enumerate(pieces))
    if made != text:
        tracker.warn("markup_left_out")
    return made

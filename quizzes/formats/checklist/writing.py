"""Choices as checklists, and what these cannot hold. Pure."""

import re
from collections.abc import Iterator

from grading.kinds import KINDS
from quizzes.formats.contract import ExportResult, ParsedFile
from quizzes.formats.export import ExportTracker, QuestionExporter, indent_below
from quizzes.formats.parsing.instructions import asks_for_all

_KINDS = ("single_choice", "multiple_choice", "true_false")
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


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:
    """Return the choices as a checklist, with a warning for each question of another kind."""
    methods = dict.fromkeys(_KINDS, _SCORING_METHODS)
    exporter = QuestionExporter(_write_question, methods, has_tags=True)
    texts, warnings = exporter.export(parsed_file, language)
    title = f"# {parsed_file.metadata.title}\n\n" if parsed_file.metadata.title else ""
    return ExportResult((title + "\n".join(texts)).encode(), warnings)


def _write_question(tracker: ExportTracker) -> str:
    prompt = _escape(tracker, tracker.text("prompt"))
    options = "".join(_list_options(tracker))
    settings = "; ".join(_list_settings(tracker, prompt))
    comment = f"<!-- {settings} -->\n\n" if settings else ""
    feedback = tracker.feedback("explanation")
    explanation = f"\n{_quote(feedback)}\n" if feedback else ""
    return f"## {tracker.question.name}\n\n{comment}{prompt}\n\n{options}{explanation}"


def _list_settings(tracker: ExportTracker, prompt: str) -> Iterator[str]:
    question = tracker.question
    right_options = sum(tracker.value("right", row) is True for row in tracker.rows("options"))
    many = question.kind == "multiple_choice"
    if many and right_options <= 1 and not asks_for_all(prompt):
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


def _list_options(tracker: ExportTracker) -> Iterator[str]:
    left, right = "[]" if tracker.question.kind == "multiple_choice" else "()"
    for row in tracker.rows("options"):
        mark = "x" if tracker.value("right", row) is True else " "
        text = _escape(tracker, tracker.text("options", row))
        feedback = tracker.feedback("options", row)
        lines = text + (f"\n{_quote(feedback)}" if feedback else "")
        yield f"- {left}{mark}{right} {indent_below(lines, 2)}\n"


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _escape(tracker: ExportTracker, text: str) -> str:
    """Return a text in which nothing begins a part of a checklist; a change is warned of."""
    # Below the last fence nothing is fenced: to look there from every fence takes squared time.
    end = max((fence.end() for fence in _FENCE.finditer(text)), default=0)
    parts = _FENCED.split(text[:end])
    parts[-1] += text[end:]
    escaped = "".join(
        part if at % 2 else _CUT.sub(r"\g<before>\\", part) for at, part in enumerate(parts)
    )
    if escaped != text:
        tracker.warn("markup_left_out")
    return escaped
